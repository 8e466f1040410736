// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty/function"
)

// A Feature is a use of a language feature that not every release of OpenTofu and
// Terraform supports.
type Feature struct {
	// Name is the name of the feature, such as "ephemeral block" or "argument
	// for_each of provider".
	Name string
	// Support lists the releases that support it.
	Support Support
	// Range is where it is used.
	Range addrs.Range
}

// String returns the feature with the releases it needs, such as "ephemeral
// block: OpenTofu >= 1.11; Terraform >= 1.10".
func (f Feature) String() string { return f.Name + ": " + f.Support.String() }

// A Support holds the releases of each program that support a feature.
type Support struct {
	// OpenTofu and Terraform are the first releases that have it, such as "1.9", or "1.7.2" if
	// it came with a patch release. Empty means that no release of the program has it; "0"
	// means that every release known to this package has it (from OpenTofu 1.6 and Terraform
	// 1.0 on).
	OpenTofu, Terraform string
	// OpenTofuUntil and TerraformUntil are the first releases that no longer have
	// it, or empty.
	OpenTofuUntil, TerraformUntil string
}

// Since returns the first release of d's program that has the feature, or "" if
// none has it.
func (s Support) Since(d hclconfig.Dialect) string {
	return hcllang.Support(s).Since(hclsource.Program(d))
}

// In reports whether release v of d's program has the feature. The release of d
// itself is ignored. A prerelease counts as the release that it precedes.
func (s Support) In(d hclconfig.Dialect, v addrs.Version) bool {
	since := s.Since(d)
	if first, err := addrs.ParseVersion(since); err == nil && v.Core().Compare(first) < 0 {
		return false // of the patch releases, not all have it
	}
	return hcllang.Support(s).In(hclsource.Program(d), hclsource.Release(d.At(v)))
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

// Features lists the features of a configuration that not every release supports,
// in the order of the text.
type Features []Feature

// In reports whether release v of d's program has all of them.
func (f Features) In(d hclconfig.Dialect, v addrs.Version) bool {
	return !slices.ContainsFunc(f, func(x Feature) bool { return !x.Support.In(d, v) })
}

// Lowest returns the feature that needs the newest release of d's program: its
// Support.Since(d) is the lowest release that can read the configuration. If no
// release has one of the features, Lowest returns that feature, and
// Support.Since(d) is empty. Lowest reports false if every known release has all
// of them.
func (f Features) Lowest(d hclconfig.Dialect) (Feature, bool) {
	var out Feature
	found := false
	for _, x := range f {
		since := x.Support.Since(d)
		switch {
		case since == "":
			return x, true
		case since != "0" && (!found || hcllang.CompareSince(since, out.Support.Since(d)) > 0):
			out, found = x, true
		}
	}
	return out, found
}

// FeaturesOf returns the features in files that not every release supports, in the
// order of the files and of their text. For a module, pass its Files and its Tests.
// A linter compares each with the releases that the module must work with: see
// [Support.In].
func FeaturesOf(files ...*hclconfig.File) Features {
	modules := map[string]*declarations{} // by directory
	for _, f := range files {
		if f == nil {
			continue
		}
		dir := path.Dir(f.Filename())
		if modules[dir] == nil {
			modules[dir] = newDeclarations()
		}
		modules[dir].add(f)
	}
	var out Features
	for _, f := range files {
		if f == nil {
			continue
		}
		c := featureCollector{f: f, out: out, module: modules[path.Dir(f.Filename())]}
		c.file()
		out = c.out
	}
	return out
}

func (c *featureCollector) file() {
	f := c.f
	name, _ := hclconfig.ParseFilename(f.Filename())
	if s := hcllang.FileKind(f.Kind()).Support(name.Tofu); s != hcllang.Everywhere {
		what := f.Kind().String() + " file"
		if name.Tofu {
			base := path.Base(f.Filename())
			what = "file with the extension " + base[strings.LastIndex(base, ".tofu"):]
		}
		c.add(hclsource.RangeIn(f, textspan.Of(0, 0)), what, s)
	}
	c.body(f.Body(), hcllang.FileKind(f.Kind()).Root(), "")
}

type featureCollector struct {
	f        *hclconfig.File
	out      Features
	variable string // the name of the variable block around
	module   *declarations
}

func (c *featureCollector) add(at addrs.Range, name string, s hcllang.Support) {
	c.out = append(c.out, Feature{Name: name, Support: Support(s), Range: at})
}

func (c *featureCollector) body(b *hclconfig.Body, spec *hcllang.Block, in string) {
	for i := range b.Arguments {
		c.argument(&b.Arguments[i], spec, in)
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		inner := spec.Inner(n.Type)
		if inner.Since != hcllang.Everywhere && inner.Since != (hcllang.Support{}) {
			name := n.Type + " block"
			if in != "" {
				name += " in " + in
			}
			c.add(n.TypeRange(), name, inner.Since)
		}
		c.meanings(hclsource.OfBlock(n, in, c.module.providers))
		if inner == hcllang.VariableBlock && len(n.Labels) > 0 {
			c.variable = n.Labels[0]
		}
		c.body(&n.Body, inner, n.Type)
	}
}

func (c *featureCollector) argument(a *hclconfig.Argument, spec *hcllang.Block, in string) {
	m := spec.Lookup(a.Name)
	if m.Arg != nil && m.Arg.Since != hcllang.Everywhere {
		c.add(a.NameRange(), fmt.Sprintf("argument %s of %s", a.Name, in), m.Arg.Since)
	}
	switch {
	case isStatic(m, spec) && hclsource.NeedsEarly(a.Expression):
		s, name := m.StaticSupport(), fmt.Sprintf("argument %s of %s with references", a.Name, in)
		if s.Terraform != "" && !c.module.isConstant(a.Expression) {
			s.Terraform, name = "", name+" to what is not constant"
		}
		c.add(a.Expression.Range(), name, s)
	case a.Kind() == hclconfig.KindReference && m.Arg != nil:
		x, _ := hclsource.NativeForm(a.Expression)
		if _, ok := hclsource.Wildcards(a.Expression); ok {
			c.add(a.Expression.Range(), fmt.Sprintf("argument %s of %s with a wildcard", a.Name, in), m.Arg.Wildcards)
		} else if m.Arg.Wildcards != (hcllang.Support{}) && slices.ContainsFunc(hclsource.Pattern(x), hclsource.IsInstanceKey) {
			keys := m.Arg.Wildcards
			keys.Terraform = "1.7" // the first release with such blocks
			c.add(a.Expression.Range(), fmt.Sprintf("argument %s of %s with a key", a.Name, in), keys)
		}
	case a.Kind() == hclconfig.KindKeyword && m.Arg != nil:
		for _, w := range m.Arg.Values {
			if w.Text == a.Keyword() && w.Since != hcllang.Everywhere {
				c.add(a.Expression.Range(), fmt.Sprintf("%s = %s of %s", a.Name, w.Text, in), w.Since)
			}
		}
	case a.Kind() == hclconfig.KindProviderReference:
		c.providerKey(a.Expression)
	case a.Kind() == hclconfig.KindProviderMap:
		members, _ := a.Members()
		for _, m := range members {
			c.providerKey(m.Value)
		}
	}
	for _, m := range hclsource.OfArgument(a, in, c.module.providers) {
		if m.Support == hclsource.OptionalAttributes && c.module.experiment && !hclsource.HasOptionalDefault(a.Expression) {
			continue // as the experiment, before
		}
		c.add(m.At, m.Name, m.Support)
	}
	if in == "validation" {
		c.validation(a)
	}
	for _, call := range hclsource.Calls(a.Expression) {
		tofu, ok := langfuncs.Since(langfuncs.OpenTofu, call.Name)
		terraform, _ := langfuncs.Since(langfuncs.Terraform, call.Name)
		if call.Name == "defaults" {
			c.add(call.At, "function defaults", hclsource.Defaults)
		}
		if s := (hcllang.Support{OpenTofu: tofu, Terraform: terraform}); ok && s != hcllang.Everywhere {
			c.add(call.At, "function "+call.Name, s)
		}
		if s := argumentsSince(call.Expr); s != hcllang.Everywhere {
			c.add(call.At, "function "+call.Name+" with these arguments", s)
		}
	}
}

// maxConstant is how many bytes the arguments of a call may have whose releases are asked for: such calls can be nested, and
// each is evaluated.
const maxConstant = 4096

// argumentsSince returns the releases that take the arguments of a call, if these are constants. Few functions take other
// arguments in some releases, so the arguments of most calls are not looked at.
func argumentsSince(x *hclsyntax.FunctionCallExpr) hcllang.Support {
	constant := sync.OnceValue(func() bool {
		return !x.ExpandFinal && x.CloseParenRange.End.Byte-x.OpenParenRange.Start.Byte <= maxConstant && len(x.Variables()) == 0
	})
	takes := func(functions map[string]function.Function) bool {
		if !constant() {
			return true
		}
		_, diags := hclbound.Bounded(x).Value(&hcl.EvalContext{Functions: functions})
		return !diags.HasErrors()
	}
	s := hcllang.Support{OpenTofu: langfuncs.SinceOf(langfuncs.OpenTofu, x.Name, takes), Terraform: langfuncs.SinceOf(langfuncs.Terraform, x.Name, takes)}
	if s == (hcllang.Support{}) { // a fault
		return hcllang.Everywhere
	}
	return s
}

func (c *featureCollector) meanings(found []hclsource.Meaning) {
	for _, m := range found {
		c.add(m.At, m.Name, m.Support)
	}
}

// validation finds what a validation block of a variable refers to: older releases
// allow the variable alone.
func (c *featureCollector) validation(a *hclconfig.Argument) {
	for _, ref := range a.Expression.References() {
		if ref.Root() != "var" || ref.Addr.Name() != c.variable {
			c.add(ref.Range(), fmt.Sprintf("argument %s of validation with a reference to %s", a.Name, ref.Text), hclsource.ValidationOfOthers)
			return
		}
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
func (c *featureCollector) providerKey(e hclconfig.Expression) {
	p := hclsource.ProviderRef(e)
	if p.Key == "" {
		return
	}
	c.add(e.Range(), "provider reference with an instance key", hclsource.ProviderKeys(p))
}
