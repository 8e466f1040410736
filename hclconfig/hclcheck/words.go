// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// maxBrokenJSON is the size of the largest broken file that HCL is asked about: its
// reader does not limit how deep values may be.
const maxBrokenJSON = 1 << 16

// programWords returns the diagnostics of a module in the words of the programs, where
// those of package hclconfig are others: JSON that cannot be read, and arguments in the
// lifecycle block of an ephemeral resource.
func programWords(m *hclconfig.Module, in hclconfig.Diagnostics) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	broken, overrides := map[string]bool{}, map[string]bool{}
	for _, f := range slices.Concat(m.Files, m.Tests) {
		overrides[f.Filename()] = f.IsOverride()
		if !errors.Is(f.Err(), hclconfig.ErrSyntax) || f.Syntax() != hclconfig.JSONSyntax || len(f.Bytes()) > maxBrokenJSON {
			continue
		}
		if _, diags := json.Parse(f.Bytes(), f.Filename()); diags.HasErrors() {
			broken[f.Filename()] = true
			out = append(out, piece{file: f}.diagnostics(diags)...)
		}
	}
	minor := terraformMinor(m.Dialect())
	hidden, ignored := unread(m, in), merged(m, in)
	for _, d := range in {
		if isUnsupported(d) && ignored[d.Subject] {
			continue
		}
		if isStructure(d) && slices.ContainsFunc(hidden, func(r addrs.Range) bool { return contains(r, d.Subject) && r.Start != d.Subject.Start }) {
			continue
		}
		if words, ok := terraformWords[d.Summary]; ok && minor >= words.since && !(words.base && overrides[d.Subject.Filename]) {
			d.Summary = words.text
		}
		if d.Summary == "Duplicate provider configuration" && hasNoName(m, d.Subject) || minor >= 0 && inCallLifecycle(m, d.Subject) {
			continue
		}
		if broken[d.Subject.Filename] || d.Summary == "Unsupported block type" && inCall(m, d.Subject) {
			continue
		}
		if d.Summary == "Invalid ephemeral resource lifecycle argument" && program(m.Dialect()) == hcllang.OpenTofu {
			d.Summary = "Invalid lifecycle configuration for ephemeral resource"
			for _, r := range m.Ephemeral {
				if l := r.Block.Block("lifecycle"); l != nil && contains(l.Range(), d.Subject) {
					d.Subject = defRange(l)
				}
			}
		}
		out = append(out, d)
	}
	return out
}

func isLabel(d hclconfig.Diagnostic) bool {
	return strings.HasPrefix(d.Summary, "Extraneous label for ") || strings.HasPrefix(d.Summary, "Missing ")
}

// isStructure reports whether a fault is not one of the syntax.
func isStructure(d hclconfig.Diagnostic) bool {
	return isLabel(d) || isUnsupported(d) || strings.HasPrefix(d.Summary, "Reserved ") || strings.HasPrefix(d.Summary, "Unexpected ")
}

func isUnsupported(d hclconfig.Diagnostic) bool {
	return d.Summary == "Unsupported argument" || d.Summary == "Unsupported block type"
}

// unread returns the places of what is in blocks with wrong labels.
func unread(m *hclconfig.Module, in hclconfig.Diagnostics) []addrs.Range {
	if !slices.ContainsFunc(in, isLabel) {
		return nil
	}
	var out []addrs.Range
	var look func(b body)
	look = func(b body) {
		if b.spec == nil {
			return
		}
		for i := range b.Blocks {
			n := b.block(i)
			switch {
			case !n.mislabelled():
				look(n.inner())
			case n.File().Syntax() == hclconfig.NativeSyntax && n.Body.Range().Start.Offset > n.TypeRange().End.Offset:
				out = append(out, n.Body.Range())
			}
		}
	}
	for _, f := range slices.Concat(m.Files, m.Tests) {
		look(rootOf(f))
	}
	return out
}

// inCall reports whether a place is in a module block: which blocks it has is checked
// with its inputs.
func inCall(m *hclconfig.Module, at addrs.Range) bool {
	return slices.ContainsFunc(m.Calls, func(c *hclconfig.ModuleCall) bool {
		return contains(c.Block.Range(), at) || slices.ContainsFunc(c.OverriddenBy, func(b *hclconfig.Block) bool { return contains(b.Range(), at) })
	})
}

// contains reports whether a place is in another.
func contains(outer, inner addrs.Range) bool {
	return outer.Filename == inner.Filename && outer.Start.Offset <= inner.Start.Offset && inner.End.Offset <= outer.End.Offset
}

// terraformWords has summaries for which Terraform has other words, since a minor
// release: some of them only outside of override files.
var terraformWords = map[string]struct {
	text  string
	since int
	base  bool
}{
	"Duplicate cloud configurations":                     {"Duplicate HCP Terraform configurations", 10, false},
	"Duplicate backend configuration":                    {"Duplicate 'backend' configuration block", 13, true},
	"Both a backend and cloud configuration are present": {"Conflicting 'cloud' and 'backend' configuration blocks are present", 13, true},
}

// terraformMinor returns the minor release of a dialect of Terraform, or -1 for OpenTofu.
func terraformMinor(d hclconfig.Dialect) int {
	if program(d) != hcllang.Terraform {
		return -1
	}
	r := release(d)
	if r == 0 {
		r = hcllang.NewestTerraform
	}
	return int(r % 1000)
}

// hasNoName reports whether a place is that of a provider block with a name that
// is none: the programs do not remember it.
func hasNoName(m *hclconfig.Module, at addrs.Range) bool {
	return slices.ContainsFunc(m.Providers, func(p *hclconfig.Provider) bool {
		return contains(p.Block.Range(), at) && !hcllex.PlainName(p.Name)
	})
}

// inCallLifecycle reports whether a place is in the lifecycle block of a module call,
// into which Terraform does not look.
func inCallLifecycle(m *hclconfig.Module, at addrs.Range) bool {
	return slices.ContainsFunc(m.Calls, func(c *hclconfig.ModuleCall) bool {
		b := c.Block.Block("lifecycle")
		return b != nil && contains(b.Body.Range(), at)
	})
}
