// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Feature is something in a configuration that not every release of OpenTofu
// and Terraform has.
type Feature struct {
	// Name says what it is, such as "ephemeral block" or "argument for_each
	// of provider".
	Name string
	// Support says which releases have it.
	Support Support
	// Range is where it is used.
	Range Range
}

// String returns the feature with what it needs, such as
// "ephemeral block: OpenTofu >= 1.11; Terraform >= 1.10".
func (f Feature) String() string { return f.Name + ": " + f.Support.String() }

// A Support says since which release each program has something.
type Support struct {
	// OpenTofu and Terraform are the first releases, such as "1.9". Empty
	// means that the program does not have it at all; "0" that every release
	// has it which this package knows of (OpenTofu 1.6, Terraform 1.0).
	OpenTofu, Terraform string
	// OpenTofuUntil and TerraformUntil are the first releases that do not have it
	// any more, or empty.
	OpenTofuUntil, TerraformUntil string
}

// Since returns the first release of the program of d that has it, or "" if
// none has.
func (s Support) Since(d Dialect) string { return hcllang.Support(s).Since(d.tool()) }

// In reports whether a release of the program of d has it; the release that d itself
// may have does not matter. A pre-release counts as the release it leads to.
func (s Support) In(d Dialect, v addrs.Version) bool {
	return hcllang.Support(s).In(d.tool(), d.At(v).release())
}

// String returns the support in words, such as
// "OpenTofu >= 1.9; not in Terraform".
func (s Support) String() string {
	return oneSupport("OpenTofu", s.OpenTofu, s.OpenTofuUntil) + "; " + oneSupport("Terraform", s.Terraform, s.TerraformUntil)
}

func oneSupport(program, since, until string) string {
	text := program + " >= " + since
	switch since {
	case "":
		return "not in " + program
	case "0":
		text = "any " + program
	}
	if until != "" {
		text += ", < " + until
	}
	return text
}

// Features are what a configuration uses that not every release has, in the order of
// the text.
type Features []Feature

// In reports whether a release of the program of d has all of them.
func (f Features) In(d Dialect, v addrs.Version) bool {
	return !slices.ContainsFunc(f, func(x Feature) bool { return !x.Support.In(d, v) })
}

// Lowest returns the feature that asks for the highest release of the program of d,
// and so the lowest release that the configuration needs: Support.Since(d). If the
// program has one of the features in no release, it is that one, and Support.Since(d)
// is empty. It reports false if every release that is known will do.
func (f Features) Lowest(d Dialect) (Feature, bool) {
	var out Feature
	found := false
	for _, x := range f {
		since := x.Support.Since(d)
		switch {
		case since == "":
			return x, true
		case since != "0" && (!found || hcllang.ParseRelease(since) > hcllang.ParseRelease(out.Support.Since(d))):
			out, found = x, true
		}
	}
	return out, found
}

// Features returns what the file uses that is not in every release, in the
// order of the text. A linter compares it with the releases that the module
// must work with: see [Support.In].
func (f *File) Features() Features {
	if f == nil {
		return nil
	}
	c := featureCollector{f: f}
	if s := f.kind.support(f.tofu); s != hcllang.Everywhere {
		what := f.kind.String() + " file"
		if f.tofu {
			what = "file with the extension " + extensionOf(f.name)
		}
		c.add(textspan.Of(0, 0), what, s)
	}
	c.body(&f.body, "")
	return c.out
}

// Features returns what the files of the module use that is not in every
// release: see [File.Features].
func (m *Module) Features() Features {
	if m == nil {
		return nil
	}
	var out Features
	for _, f := range slices.Concat(m.Files, m.Tests) {
		out = append(out, f.Features()...)
	}
	return out
}

type featureCollector struct {
	f   *File
	out Features
}

func (c *featureCollector) add(at textspan.Span, name string, s hcllang.Support) {
	c.out = append(c.out, Feature{Name: name, Support: Support(s), Range: c.f.rangeOf(at)})
}

func (c *featureCollector) body(b *Body, in string) {
	for i := range b.Arguments {
		c.argument(&b.Arguments[i], b.spec, in)
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		if n.spec.Since != hcllang.Everywhere && n.spec.Since != (hcllang.Support{}) {
			name := n.Type + " block"
			if in != "" {
				name += " in " + in
			}
			c.add(n.typeAt, name, n.spec.Since)
		}
		c.body(&n.Body, n.Type)
	}
}

func (c *featureCollector) argument(a *Argument, spec *hcllang.Block, in string) {
	m := spec.Lookup(a.Name)
	if m.Arg != nil && m.Arg.Since != hcllang.Everywhere {
		c.add(a.nameAt, fmt.Sprintf("argument %s of %s", a.Name, in), m.Arg.Since)
	}
	switch {
	case isStatic(m, spec) && a.needs():
		c.add(a.at, fmt.Sprintf("argument %s of %s with references", a.Name, in), m.StaticSupport())
	case a.kind == hcllang.KindReference && m.Arg != nil:
		if _, ok := a.wildcards(); ok {
			c.add(a.at, fmt.Sprintf("argument %s of %s with a wildcard", a.Name, in), m.Arg.Wildcards)
		}
	case a.kind == hcllang.KindKeyword && m.Arg != nil:
		for _, w := range m.Arg.Values {
			if w.Text == a.Keyword() && w.Since != hcllang.Everywhere {
				c.add(a.at, fmt.Sprintf("%s = %s of %s", a.Name, w.Text, in), w.Since)
			}
		}
	case a.kind == hcllang.KindProviderReference:
		c.providerKey(a.Expression)
	case a.kind == hcllang.KindProviderMap:
		members, _ := a.Members()
		for _, m := range members {
			c.providerKey(m.Value)
		}
	case in == "lifecycle" && a.Name == "prevent_destroy" && a.native != nil && a.needs():
		c.add(a.at, "argument prevent_destroy of lifecycle with references", hcllang.Support{OpenTofu: "1.12"})
	}
	for _, call := range a.functionsNeedingSupport() {
		c.add(call.at, "provider function "+call.Name, hcllang.Support{OpenTofu: "1.7", Terraform: "1.8"})
	}
}

// isStatic reports whether m, in a body that spec describes, is an argument that some
// release evaluates early.
func isStatic(m hcllang.Member, spec *hcllang.Block) bool {
	if m.Arg != nil {
		return m.Arg.Kind == hcllang.KindStatic && m.Arg.Since == hcllang.Everywhere
	}
	return m.Block == nil && spec.Rest == hcllang.RestStatic
}

// providerKey notes a reference to one instance of a provider configuration.
func (c *featureCollector) providerKey(e Expression) {
	if newProviderRef(e).Key == "" {
		return
	}
	since := "1.9"
	if c.f.syntax == JSONSyntax {
		since = "1.11"
	}
	c.add(e.at, "provider reference with an instance key", hcllang.Support{OpenTofu: since})
}

// functionsNeedingSupport returns the calls of functions of providers.
func (e Expression) functionsNeedingSupport() []Call {
	return slices.DeleteFunc(e.Functions(), func(c Call) bool { return len(c.Name) < 10 || c.Name[:10] != "provider::" })
}
