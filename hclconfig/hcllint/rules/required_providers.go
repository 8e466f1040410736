// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// providerOptions are the options of terraform_required_providers.
type providerOptions struct {
	Source  *bool `hcl:"source,optional"`
	Version *bool `hcl:"version,optional"`
}

var requiredProviders = &hcllint.Analyzer{
	Name: "terraform_required_providers",
	Doc: `Each provider that a module uses should be in required_providers.

The entry says where the provider comes from and which versions the module works with.

	terraform {
	  required_providers {
	    aws = {
	      source  = "hashicorp/aws"
	      version = "~> 5.0"
	    }
	  }
	}

The rule also finds entries that are only a version, entries without source or version, and
the version argument of provider blocks. A provider is used by resources, provider blocks,
module calls that pass its configuration, and calls of its functions.

Options: source and version, by default true, determine whether an entry must have them. The fix
adds a source in the namespace hashicorp.`,
	URL:      page("terraform_required_providers"),
	Severity: hcllint.Warning,
	Options:  providerOptions{},
	Requires: []*hcllint.Analyzer{expressions, providerUses},
	Run: func(p *hcllint.Pass) (any, error) {
		for b := range p.Blocks("provider") {
			if b.Argument("version") != nil {
				p.Reportf(b, "provider version constraint should be specified via `required_providers`")
			}
		}
		entries := map[string]*hclconfig.ProviderRequirement{}
		for _, s := range p.Module.Settings {
			for _, r := range s.RequiredProviders {
				entries[r.Name] = r
			}
		}
		broken := brokenHas(p, "required_providers")
		uses := hcllint.ResultOf[*providerUse](p, providerUses)
		for _, name := range uses.names {
			switch r := entries[name]; {
			case name == "terraform":
			case r != nil:
				checkRequirement(p, r)
			case !broken:
				p.Report(hcllint.Diagnostic{
					Range:   uses.at[name],
					Message: fmt.Sprintf("Missing version constraint for provider %q in `required_providers`", name),
				})
			}
		}
		return nil, nil
	},
}

// checkRequirement checks the entry of a provider that is used.
func checkRequirement(p *hcllint.Pass, r *hclconfig.ProviderRequirement) {
	opts := hcllint.Options[providerOptions](p)
	x := r.Argument.Expression
	report := func(fixes []hcllint.Fix, format string) {
		p.Report(hcllint.Diagnostic{Range: x.Range(), Message: fmt.Sprintf(format, r.Name), Fixes: fixes})
	}
	source := "hashicorp/" + r.Name
	if _, object := x.Members(); !object {
		if _, err := x.Text(); err == nil {
			report(editing("Make it an object", func(e *hcllint.Edits) {
				old, _ := hcledit.ValueOf(x)
				e.In(x).Replace(x, hcledit.Object(hcledit.Entry{Key: "source", Value: hcledit.String(source)}, hcledit.Entry{Key: "version", Value: old}))
			}), "Legacy version constraint for provider %q in `required_providers`")
		}
		return
	}
	switch {
	case r.Source.IsSet():
		if a, err := r.Provider(); err == nil && a.IsBuiltIn() {
			return
		}
	case opts.Source == nil || *opts.Source:
		report(editing("Add the source", func(e *hcllint.Edits) {
			e.In(x).Insert(x, hcledit.Entry{Key: "source", Value: hcledit.String(source)}, hcledit.First())
		}), "Missing `source` for provider %q in `required_providers`")
	}
	if !r.Version.IsSet() && (opts.Version == nil || *opts.Version) {
		report(nil, "Missing version constraint for provider %q in `required_providers`")
	}
}

// providerUses finds which providers a module uses. Its result is a *providerUse.
var providerUses = &hcllint.Analyzer{
	Name:     "providers",
	Doc:      "Providers finds the providers that a module uses.",
	Requires: []*hcllint.Analyzer{expressions},
	Run:      func(p *hcllint.Pass) (any, error) { return usedProviders(p), nil },
}

// providerUse has the local names of the providers that a module uses, in the order in which
// they come first, and the place of one use: the last one of the first file that has any,
// where a call of a function counts more than a block.
type providerUse struct {
	names []string
	at    map[string]addrs.Range
	rank  map[string]int // the file, and whether it is a block
}

func usedProviders(p *hcllint.Pass) *providerUse {
	u := &providerUse{at: map[string]addrs.Range{}, rank: map[string]int{}}
	byFile := map[*hclconfig.File]int{}
	for i, f := range partsOf(p) {
		byFile[f.file] = i
		for _, c := range f.functions {
			u.add(c.provider, i, func() addrs.Range { return f.place(c.at) })
		}
	}
	for _, b := range providerBlocks(p.Module) {
		rank := len(byFile) + byFile[b.block.File()]
		for _, name := range b.providers {
			u.add(name, rank, func() addrs.Range { return hclsource.DefRange(b.block) })
		}
	}
	return u
}

// add adds a use, unless there is one with a lower rank.
func (u *providerUse) add(name string, rank int, at func() addrs.Range) {
	known, ok := u.rank[name]
	if name == "" { // of a block without its labels
		return
	}
	if !ok {
		u.names = append(u.names, name)
	}
	if !ok || rank <= known {
		u.rank[name], u.at[name] = rank, at()
	}
}
