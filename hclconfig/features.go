// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"slices"
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

// Features returns what the file uses that is not in every release, in the
// order of the text. A linter compares it with the releases that the module
// must work with: see [Support.In].
func (f *File) Features() []Feature {
	c := featureCollector{f: f}
	if f.tofu {
		c.add(span{0, 0}, "file with the extension .tofu", tofu18)
	}
	c.body(&f.body, "")
	return c.out
}

// Features returns what the files of the module use that is not in every
// release: see [File.Features].
func (m *Module) Features() []Feature {
	var out []Feature
	for _, f := range slices.Concat(m.Files, m.Tests) {
		out = append(out, f.Features()...)
	}
	return out
}

type featureCollector struct {
	f   *File
	out []Feature
}

func (c *featureCollector) add(at span, name string, s Support) {
	c.out = append(c.out, Feature{Name: name, Support: s, Range: c.f.rangeOf(at)})
}

func (c *featureCollector) body(b *Body, in string) {
	for i := range b.Arguments {
		c.argument(&b.Arguments[i], b.spec, in)
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		if n.spec.since != everywhere && n.spec.since != (Support{}) {
			name := n.Type + " block"
			if in != "" {
				name += " in " + in
			}
			c.add(n.typeAt, name, n.spec.since)
		}
		c.body(&n.Body, n.Type)
	}
}

func (c *featureCollector) argument(a *Argument, spec *blockSpec, in string) {
	m := spec.lookup(a.Name)
	if m.arg != nil && m.arg.since != everywhere {
		c.add(a.nameAt, fmt.Sprintf("argument %s of %s", a.Name, in), m.arg.since)
	}
	switch {
	case a.kind == KindStatic && (m.arg == nil || m.arg.since == everywhere) && a.needs():
		s := tofu18
		if in == "module" {
			s.Terraform = "1.15"
		}
		c.add(a.at, fmt.Sprintf("argument %s of %s with references", a.Name, in), s)
	case a.kind == KindProviderReference:
		c.providerKey(a.Expression)
	case a.kind == KindProviderMap:
		members, _ := a.Members()
		for _, m := range members {
			c.providerKey(m.Value)
		}
	case in == "lifecycle" && a.Name == "prevent_destroy" && a.native != nil && a.needs():
		c.add(a.at, "argument prevent_destroy of lifecycle with references", Support{"1.12", ""})
	}
	for _, call := range a.functionsNeedingSupport() {
		c.add(call.at, "provider function "+call.Name, Support{"1.7", "1.8"})
	}
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
	c.add(e.at, "provider reference with an instance key", Support{since, ""})
}

// functionsNeedingSupport returns the calls of functions of providers.
func (e Expression) functionsNeedingSupport() []Call {
	return slices.DeleteFunc(e.Functions(), func(c Call) bool { return len(c.Name) < 10 || c.Name[:10] != "provider::" })
}
