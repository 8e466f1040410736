// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

var unusedDeclarations = &hcllint.Analyzer{
	Name: "terraform_unused_declarations",
	Doc: `Declarations should be used.

The rule looks at variables, local values, data sources and provider configurations with an
alias. Every reference is a use, except those in a variable's own validations.

	variable "zone" {    # finding, if no expression has var.zone
	  type = string
	}

The fix removes the block or the local value, with its comments; whatever only it used is found
and removed next.`,
	URL:      page("terraform_unused_declarations"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		u := usesOf(p)
		unused := declarations{}
		m := p.Module
		for _, v := range m.Variables {
			if !u.names["var."+v.Name] && v.Name != "" {
				unused.add("var."+v.Name, v.Block, fmt.Sprintf(`variable "%s" is declared but not used`, v.Name))
			}
		}
		data := func(r *hclconfig.Resource) {
			if name := "data." + r.Type + "." + r.Name; !u.names[name] && r.Name != "" {
				unused.add(name, r.Block, fmt.Sprintf(`data "%s" "%s" is declared but not used`, r.Type, r.Name))
			}
		}
		for _, r := range m.Data {
			data(r)
		}
		for _, c := range m.Checks {
			if c.Data != nil {
				data(c.Data)
			}
		}
		for _, a := range localsOf(m) {
			if !u.names["local."+a.Name] {
				unused.add("local."+a.Name, a, fmt.Sprintf(`local.%s is declared but not used`, a.Name))
			}
		}
		for _, c := range m.Providers {
			if c.Alias.Value != "" && !u.whole[c.Address()] {
				unused.add("provider."+c.Address(), c.Block, fmt.Sprintf(`provider "%s" with alias "%s" is declared but not used`, c.Name, c.Alias.Value))
			}
		}
		unused.report(p)
		return nil, nil
	},
}

// declarations are those of a module by their address; of two with one address the last.
type declarations struct {
	order []string
	at    map[string]hcledit.Part
	texts map[string]string
}

func (d *declarations) add(address string, at hcledit.Part, text string) {
	if d.at == nil {
		d.at, d.texts = map[string]hcledit.Part{}, map[string]string{}
	}
	if d.at[address] == nil {
		d.order = append(d.order, address)
	}
	d.at[address], d.texts[address] = at, text
}

func (d *declarations) report(p *hcllint.Pass) {
	for _, address := range d.order {
		at := d.at[address]
		p.Report(hcllint.Diagnostic{
			Range: rangeOf(at), Message: d.texts[address],
			Fixes: editing("Remove it", func(e *hcllint.Edits) { e.In(at).Delete(at) }),
		})
	}
}

// A useSet has the names that expressions of a module have.
type useSet struct {
	names map[string]bool // var.x, local.x, data.t.x
	whole map[string]bool // names of just two parts
}

func usesOf(p *hcllint.Pass) useSet {
	u := useSet{names: map[string]bool{}, whole: map[string]bool{}}
	own := validationsOf(p.Module)
	for _, f := range partsOf(p) {
		for _, r := range f.references {
			switch r.root {
			case "data":
				u.names["data."+r.typ+"."+r.name] = true
			case "var":
				if !own.hold(f.file, r) {
					u.names["var."+r.name] = true
				}
			case "local":
				u.names["local."+r.name] = true
			}
			if r.whole {
				u.whole[r.root+"."+r.name] = true
			}
		}
	}
	// In quotes a provider is no expression.
	m := p.Module
	for _, list := range [][]*hclconfig.Resource{m.Resources, m.Ephemeral, m.Data} {
		for _, r := range list {
			u.whole[r.Provider.Name+"."+r.Provider.Alias] = true
		}
	}
	for _, c := range m.Checks {
		if c.Data != nil {
			u.whole[c.Data.Provider.Name+"."+c.Data.Provider.Alias] = true
		}
	}
	for _, c := range m.Calls {
		for _, mapping := range c.ProviderMappings() {
			u.whole[mapping.Outer.Name+"."+mapping.Outer.Alias] = true
		}
	}
	return u
}

// validations has the places of the arguments of validation blocks: for each file and name of
// a variable, in the order of the text.
type validations map[validated][]textspan.Span

type validated struct {
	file *hclconfig.File
	name string
}

func validationsOf(m *hclconfig.Module) validations {
	out := validations{}
	for _, v := range m.Variables {
		for _, b := range append([]*hclconfig.Block{v.Block}, v.OverriddenBy...) {
			for n := range b.Body.BlocksOfType("validation") {
				for i := range n.Body.Arguments {
					f, start, end := n.Body.Arguments[i].Expression.Place()
					in := validated{f, v.Name}
					out[in] = append(out[in], textspan.Of(int32(start), int32(end)))
				}
			}
		}
	}
	for _, places := range out {
		slices.SortFunc(places, func(a, b textspan.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return out
}

// hold reports whether a reference is in a validation of the variable that it names.
func (v validations) hold(f *hclconfig.File, r reference) bool {
	places := v[validated{f, r.name}]
	after := sort.Search(len(places), func(i int) bool { return places[i].Start > r.at })
	return after > 0 && r.at < places[after-1].End
}

// editing returns the fix that makes an edit.
func editing(message string, edit func(*hcllint.Edits)) []hcllint.Fix {
	return []hcllint.Fix{{Message: message, Edit: edit}}
}
