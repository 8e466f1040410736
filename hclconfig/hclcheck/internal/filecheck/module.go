// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package filecheck

import (
	"errors"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// A source is what is checked together: a module, or one of its files.
type source struct {
	files   []*hclconfig.File
	dialect hclconfig.Dialect
	*hclconfig.Config
	// loading leaves out what the programs find only when they evaluate: see [Loading].
	loading bool
}

// Module returns the faults in the files of a module, each by itself, in the words of the program.
func Module(m *hclconfig.Module) hclconfig.Diagnostics {
	s := source{files: slices.Concat(m.Files, m.Tests), dialect: m.Dialect(), Config: &m.Config}
	return s.faults(m.Diagnostics())
}

// Loading is Module without what the programs do not find before they evaluate a block: what a dynamic block is made of
// and its labels, and prevent_destroy where that is an expression.
func Loading(m *hclconfig.Module) hclconfig.Diagnostics {
	s := source{slices.Concat(m.Files, m.Tests), m.Dialect(), &m.Config, true}
	return slices.DeleteFunc(s.faults(m.Diagnostics()), IsDynamicLabel)
}

// IsDynamicLabel reports whether reading a file has found a fault in the labels of a dynamic block, or in what stands in
// their place in JSON. The words are those of package hclconfig.
func IsDynamicLabel(d hclconfig.Diagnostic) bool {
	switch d.Summary {
	case "Missing type for dynamic", "Extraneous label for dynamic":
		return true
	case "Missing block label", "Incorrect JSON value type":
		return strings.Contains(d.Detail, "this dynamic block") || strings.Contains(d.Detail, "the dynamic block's") || strings.Contains(d.Detail, `"dynamic" blocks`)
	}
	return false
}

// Alone is Module for one file.
func Alone(f *hclconfig.File) hclconfig.Diagnostics {
	s := source{files: []*hclconfig.File{f}, dialect: f.Dialect(), Config: f.Config()}
	return s.faults(f.Diagnostics())
}

// faults returns what reading the files has found, and their other faults.
func (s source) faults(read hclconfig.Diagnostics) hclconfig.Diagnostics {
	// What the library says of the structure of a file comes first, as the programs decode a file before they look at its
	// blocks.
	out := s.inProgramWords(read)
	for _, f := range s.files {
		out = append(out, check(f, s.loading)...)
	}
	// What the release lacks is reported as that, in place of what the rules of a newer release say there.
	if lacking := s.lacking(); len(lacking) > 0 {
		said := map[addrs.Range]bool{}
		for _, d := range lacking {
			said[d.Subject] = true
		}
		out = append(lacking, slices.DeleteFunc(out, func(d hclconfig.Diagnostic) bool { return said[d.Subject] })...)
	}
	return out
}

// lacking reports the features that a release has not which is too old for its own rules to be known: see
// [hclsource.OldestRules].
func (s source) lacking() hclconfig.Diagnostics {
	release := hclsource.Release(s.dialect)
	if release == hclsource.Rules(s.dialect) {
		return nil
	}
	var out hclconfig.Diagnostics
	for _, f := range hclnames.FeaturesOf(s.files...) {
		// The table of features has for each the releases that have it: package hclnames, testdata/releases.txt.
		if since := hcllang.Support(f.Support); !since.In(hclsource.Program(s.dialect), release) {
			out = append(out, hclsource.ErrorAt(f.Range, "Unsupported language feature", "%s does not have it: %s.", s.dialect, f))
		}
	}
	return out
}

// merged returns the names of the arguments and blocks in blocks that override files
// change, and in those that change them. The programs accept any there.
func (s source) merged(in hclconfig.Diagnostics) map[addrs.Range]bool {
	// Only for such faults do the places matter.
	if !slices.ContainsFunc(in, isUnsupported) {
		return nil
	}
	out := map[addrs.Range]bool{}
	// OpenTofu 1.12.6, internal/configs/hcl2shim/merge_body.go: mergeBody.Content asks for what the schema has in the
	// bodies together, and never whether there is more in them.
	add := func(base *hclconfig.Block, overrides []*hclconfig.Block) {
		if len(overrides) == 0 {
			return
		}
		for _, b := range append([]*hclconfig.Block{base}, overrides...) {
			for i := range b.Body.Arguments {
				out[b.Body.Arguments[i].NameRange()] = true
			}
			for i := range b.Body.Blocks {
				out[b.Body.Blocks[i].TypeRange()] = true
			}
		}
	}
	for _, c := range s.Calls {
		add(c.Block, c.OverriddenBy)
	}
	for _, r := range slices.Concat(s.Resources, s.Data, s.Ephemeral) {
		add(r.Block, r.OverriddenBy)
	}
	for _, p := range s.Providers {
		add(p.Block, p.OverriddenBy)
	}
	return out
}

// addDynamic adds the names of what is in the dynamic blocks of a body.
func addDynamic(to map[addrs.Range]bool, b hclsource.Body) {
	if b.Spec == nil {
		return
	}
	// A dynamic block may be in any block of a provider, at any depth.
	for i := range b.Arguments {
		if b.Spec == hcllang.Dynamic {
			to[b.Arguments[i].NameRange()] = true
		}
	}
	for i := range b.Blocks {
		n := b.Block(i)
		if b.Spec == hcllang.Dynamic {
			to[n.TypeRange()] = true
		}
		addDynamic(to, n.Inner())
	}
}

// inProgramWords returns what reading the files has found in the words of the programs, where
// those of package hclconfig are others: JSON that cannot be read, and arguments in the
// lifecycle block of an ephemeral resource.
func (s source) inProgramWords(in hclconfig.Diagnostics) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	broken, overrides, syntax := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range s.files {
		overrides[f.Filename()] = f.IsOverride()
		syntax[f.Filename()] = errors.Is(f.Err(), hclconfig.ErrSyntax)
		if !syntax[f.Filename()] || f.Syntax() != hclconfig.JSONSyntax || len(f.Bytes()) > hclsource.MaxBrokenJSON {
			continue
		}
		if diags := hclsource.BrokenJSON(f); diags.HasErrors() {
			broken[f.Filename()] = true
			out = append(out, diags...)
		}
	}
	if len(in) == 0 {
		return out
	}
	terraform := hclsource.Program(s.dialect) == hcllang.Terraform
	inside, blocks := s.unread()
	hidden, lacking, ignored := hclsource.RangeSetOf(inside), hclsource.RangeSetOf(blocks), s.merged(in)
	dynamic := map[addrs.Range]bool{}
	if s.loading && slices.ContainsFunc(in, isExtra) {
		for _, f := range s.files {
			addDynamic(dynamic, hclsource.RootOf(f))
		}
	}
	noNames, calls, lifecycles := s.elsewhere()
	// Each case is something that a program does not come to, or that it says elsewhere.
	for _, d := range in {
		switch {
		case isUnsupported(d) && ignored[d.Subject], isExtra(d) && dynamic[d.Subject],
			(isStructure(d) || isExtra(d)) && hidden.CoversOffsets(d.Subject.Filename, d.Subject.Start.Offset-1, d.Subject.End.Offset),
			(isStructure(d) || isDuplicate(d) || !syntax[d.Subject.Filename]) && lacking.Covers(d.Subject),
			terraform && slices.Contains(terraformSilent, d.Summary),
			d.Summary == "Duplicate provider configuration" && noNames.Covers(d.Subject),
			terraform && lifecycles.Covers(d.Subject), broken[d.Subject.Filename],
			d.Summary == "Unsupported block type" && calls.Covers(d.Subject):
			continue
		}
		if words, ok := terraformWords[d.Summary]; ok && hclsource.Has(s.dialect, words.since) && !(words.base && overrides[d.Subject.Filename]) {
			d.Summary = words.text
		} else if ok && terraform && !hclsource.Has(s.dialect, hclsource.HCPTerraform) && words.older != "" {
			d.Summary = words.older
		}
		if d.Summary == "Invalid ephemeral resource lifecycle argument" && !terraform {
			// OpenTofu says it of the whole block.
			// OpenTofu 1.12.6, internal/configs/resource.go: decodeEphemeralBlock.
			d.Summary = "Invalid lifecycle configuration for ephemeral resource"
			for _, r := range s.Ephemeral {
				if l := r.Block.Block("lifecycle"); l != nil && hclsource.Contains(l.Range(), d.Subject) {
					d.Subject = hclsource.DefRange(l)
				}
			}
		}
		out = append(out, d)
	}
	return out
}

// isLabel reports whether a fault is one of the labels of a block.
func isLabel(d hclconfig.Diagnostic) bool {
	return strings.HasPrefix(d.Summary, "Extraneous label for ") || strings.HasPrefix(d.Summary, "Missing ")
}

// isStructure reports whether a fault is not one of the syntax.
func isStructure(d hclconfig.Diagnostic) bool {
	return isLabel(d) || isUnsupported(d) || strings.HasPrefix(d.Summary, "Reserved ") || strings.HasPrefix(d.Summary, "Unexpected ") || strings.HasSuffix(d.Summary, " lifecycle argument")
}

// isUnsupported reports whether a fault is an argument or a block that should not be there.
func isUnsupported(d hclconfig.Diagnostic) bool {
	return d.Summary == "Unsupported argument" || d.Summary == "Unsupported block type"
}

// isExtra is isUnsupported in both syntaxes.
func isExtra(d hclconfig.Diagnostic) bool {
	return isUnsupported(d) || d.Summary == "Extraneous JSON object property"
}

// isDuplicate reports whether a fault is one of blocks that are there twice, or override others.
func isDuplicate(d hclconfig.Diagnostic) bool {
	return strings.HasPrefix(d.Summary, "Duplicate ") || strings.HasPrefix(d.Summary, "Can't override ")
}

// readOnce reports whether the programs read no second block of the type of b in a resource.
//
// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock.
func readOnce(in *hcllang.Block, b hclsource.Block, d hclconfig.Dialect) bool {
	if in == hcllang.RemovedBlock && hclsource.Program(d) == hcllang.Terraform {
		return false
	}
	return b.Type == "lifecycle" || b.Type == "connection"
}

// unread returns the places of what is in blocks with wrong labels, in second ones where there may be one, and in blocks
// that override files must not have; and those of blocks that the release lacks.
func (s source) unread() (out, lacking []addrs.Range) {
	var visit func(b hclsource.Body)
	visit = func(b hclsource.Body) {
		if b.Spec == nil {
			return
		}
		counts := map[*hcllang.Block]int{}
		for i := range b.Blocks {
			n := b.Block(i)
			counts[n.Spec]++
			switch {
			// The second block of a type is not decoded.
			case n.Spec.AtMost > 0 && counts[n.Spec] > n.Spec.AtMost && readOnce(b.Spec, n, s.dialect):
				out = append(out, n.Body.Range())
			case n.Spec.Since != (hcllang.Support{}) && !hclsource.Has(s.dialect, n.Spec.Since):
				lacking = append(lacking, n.Plain.Range())
				if at := hclsource.DefRange(n.Plain); n.File().Syntax() == hclconfig.JSONSyntax && !hclsource.Contains(n.Plain.Range(), at) {
					lacking = append(lacking, at)
				}
			// OpenTofu 1.12.6, internal/configs/checks.go: decodeCheckRuleBlock refuses one in an override file, and reads
			// nothing of it.
			case n.File().IsOverride() && n.NotOverriding() && !n.Mislabelled():
				out = append(out, n.Body.Range())
			case !n.Mislabelled():
				visit(n.Inner())
			// HCL, hclsyntax/structure.go: Body.Content leaves out blocks with wrong labels.
			case n.File().Syntax() == hclconfig.NativeSyntax && n.Body.Range().Start.Offset > n.TypeRange().End.Offset:
				out = append(out, n.Body.Range())
			}
		}
	}
	for _, f := range s.files {
		visit(hclsource.RootOf(f))
	}
	return out, lacking
}

// elsewhere returns the places of what the programs check elsewhere or not at all: provider blocks with an invalid name, which
// they do not remember; module blocks, whose blocks are checked with their inputs; and the lifecycle blocks of these, into which
// Terraform does not look.
func (s source) elsewhere() (nameless, calls, lifecycles hclsource.RangeSet) {
	var names, blocks, inside []addrs.Range
	for _, p := range s.Providers {
		if !hcllex.PlainName(p.Name) {
			names = append(names, p.Block.Range())
		}
	}
	for _, f := range s.files {
		for b := range f.Body().BlocksOfType("module") {
			blocks = append(blocks, b.Range())
		}
	}
	for _, c := range s.Calls {
		if b := c.Block.Block("lifecycle"); b != nil {
			inside = append(inside, b.Body.Range())
		}
	}
	return hclsource.RangeSetOf(names), hclsource.RangeSetOf(blocks), hclsource.RangeSetOf(inside)
}

// terraformWords has summaries for which Terraform has other words since some release: some of
// them only outside of override files.
var terraformWords = map[string]struct {
	since hcllang.Support
	text  string
	base  bool
	older string // what releases without the name HCP Terraform say, if it is something else again
}{
	"Duplicate cloud configurations":                     {hclsource.HCPTerraform, "Duplicate HCP Terraform configurations", false, "Duplicate Terraform Cloud configurations"},
	"Duplicate backend configuration":                    {hclsource.StateStores, "Duplicate 'backend' configuration block", true, ""},
	"Both a backend and cloud configuration are present": {hclsource.StateStores, "Conflicting 'cloud' and 'backend' configuration blocks are present", true, "Both a backend and Terraform Cloud configuration are present"},
}

// terraformSilent has the summaries of what Terraform does not report: overrides of
// ephemeral resources that are not there, and of blocks that it does not have.
var terraformSilent = []string{"Missing ephemeral resource to override", "Cannot override 'language' blocks"}
