// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A Fix is a change that fixes a finding.
//
// The fixes of different findings are changes to the same files, as the pass saw them. A
// program makes all fixes that touch different parts at once, and then runs the
// analyzers again.
type Fix struct {
	// Message says what the fix does, such as "Add sensitive". If empty, editors show the message
	// of the finding.
	Message string
	// Edit makes the change. It is called later than Run, perhaps more than once, and must
	// make the same edits each time.
	Edit func(*Edits)
}

// Edits makes the edits of a fix.
type Edits struct {
	editor  func(*hclconfig.File) *hcledit.Editor
	touch   func(f *hclconfig.File, start, end int)
	replace func(f *hclconfig.File, start, end int, text string)
	tagged  map[*hclconfig.Block]bool // by SetTag
}

// In returns the editor of the file that a part is in, for an edit of this part or within
// it: e.In(b).Set(b.Block, "sensitive", true), or e.In(a).Replace(a.Expression, 1) for the
// value of an argument. An edit of another part needs its own call of In, because two fixes
// that touch the same part are not applied together.
func (e *Edits) In(p hcledit.Part) *hcledit.Editor {
	f, start, end := p.Place()
	e.touch(f, start, end)
	return e.editor(f)
}

// Replace replaces the text of a place in a file. It is for changes that an editor cannot
// make, such as changing the marks of a comment. A fix that uses Replace must make these
// changes in the order of the text, and no other edits.
func (e *Edits) Replace(f *hclconfig.File, at addrs.Range, text string) {
	e.replace(f, int(at.Start.Offset), int(at.End.Offset), text)
}

// Fix applies the first fix of each finding and returns the changed files. Fixes that
// touch the same parts as another one, and those that fail, are left out: run the
// analyzers again on the result, until Fix returns nothing.
func (r *Report) Fix() []*hclconfig.File {
	if r == nil {
		return nil
	}
	var single []*plannedFix
	var several []*plannedFix
	for _, d := range r.Diagnostics {
		if len(d.Fixes) == 0 || d.Fixes[0].Edit == nil {
			continue
		}
		switch p := planFix(d.Fixes[0]); len(p.files) {
		case 0:
		case 1:
			single = append(single, p)
		default:
			several = append(several, p)
		}
	}
	b := newBatch()
	sortFixes(single)
	for _, p := range append(single, several...) {
		b.accept(p)
	}
	return b.apply()
}

// KeepVariables drops the fixes that remove a variable of some name, such as one that a caller of
// the module sets; the findings stay. It calls names at most once, and only if a fix changes the block
// of a variable. It changes the Report, so nothing else may use that meanwhile.
func (r *Report) KeepVariables(names func() map[string]bool) {
	if r == nil {
		return
	}
	names = sync.OnceValue(names)
	var touching []*plannedFix // blocks of variables that stay
	of := map[*plannedFix]*Diagnostic{}
	for i := range r.Diagnostics {
		d := &r.Diagnostics[i]
		if len(d.Fixes) == 0 || d.Fixes[0].Edit == nil {
			continue
		}
		p := planFix(d.Fixes[0])
		if p.variables = slices.DeleteFunc(p.touched(), func(name string) bool { return !names()[name] }); len(p.variables) > 0 {
			touching, of[p] = append(touching, p), d
		}
	}
	sortFixes(touching)
	for len(touching) > 0 {
		b := newBatch()
		var together, later []*plannedFix
		for _, p := range touching {
			if b.accept(p) {
				together = append(together, p)
			} else {
				later = append(later, p)
			}
		}
		if len(together) == 0 { // they cannot be made at all
			return
		}
		for _, p := range removing(together) {
			of[p].Fixes = nil
		}
		touching = later
	}
}

// removing returns those of some fixes, which do not touch each other, after which a file does not
// declare one of their variables any more. They are made together, because to make one takes as long as
// to read its files. One that fails then is made alone.
func removing(fixes []*plannedFix) (out []*plannedFix) {
	var files []*hclconfig.File
	for _, p := range fixes {
		files = append(files, p.files...)
	}
	texts, failed := tryFixes(files, fixes)
	for ; failed >= 0; texts, failed = tryFixes(files, fixes) {
		if len(fixes) == 1 {
			return out
		}
		out = append(out, removing(fixes[failed:failed+1])...)
		fixes = slices.Delete(slices.Clone(fixes), failed, failed+1)
	}
	gone := map[*hclconfig.File]map[string]bool{}
	for f, text := range texts {
		gone[f] = declared(f)
		if after, err := f.Reparse(text); err == nil {
			for name := range declared(after) {
				delete(gone[f], name)
			}
		}
	}
	for _, p := range fixes {
		if slices.ContainsFunc(p.files, func(f *hclconfig.File) bool {
			return slices.ContainsFunc(p.variables, func(name string) bool { return gone[f][name] })
		}) {
			out = append(out, p)
		}
	}
	return out
}

// touched returns the names of the variables whose blocks a fix touches.
func (p *plannedFix) touched() []string {
	var out []string
	for i, f := range p.files {
		for b := range f.Body().BlocksOfType("variable") {
			if _, start, end := b.Place(); len(b.Labels) == 1 && start <= p.spans[i].end && p.spans[i].start <= end {
				out = append(out, b.Labels[0])
			}
		}
	}
	return out
}

// declared returns the names of the variables that a file declares.
func declared(f *hclconfig.File) map[string]bool {
	out := map[string]bool{}
	for b := range f.Body().BlocksOfType("variable") {
		if len(b.Labels) == 1 {
			out[b.Labels[0]] = true
		}
	}
	return out
}

// A plannedFix is a fix with the parts of files that it touches: one extent for each file.
type plannedFix struct {
	fix   Fix
	files []*hclconfig.File
	spans []extent
	// raw reports that it replaces text, and edits that it uses an editor.
	raw, edits bool
	replaced   []replacement
	variables  []string // those that it touches and must not remove
}

// A replacement is a new text for a part of a file.
type replacement struct {
	start, end int
	text       string
}

type extent struct{ start, end int }

// planFix finds out what a fix touches.
func planFix(fix Fix) *plannedFix {
	p := &plannedFix{fix: fix}
	touch := func(f *hclconfig.File, start, end int) {
		i := slices.Index(p.files, f)
		switch {
		case f == nil || f.Err() != nil:
			p.files = append(p.files, nil)
			p.spans = append(p.spans, extent{})
		case i < 0:
			p.files = append(p.files, f)
			p.spans = append(p.spans, extent{start, end})
		default:
			p.spans[i] = extent{min(p.spans[i].start, start), max(p.spans[i].end, end)}
		}
	}
	ok := calmly(fix, &Edits{
		editor: func(f *hclconfig.File) *hcledit.Editor {
			p.edits = true
			return hcledit.Edit(broken()) // it has an error from the start, and does nothing
		},
		touch: touch,
		replace: func(f *hclconfig.File, start, end int, text string) {
			p.raw = true
			p.replaced = append(p.replaced, replacement{start, end, text})
			touch(f, start, end)
		},
	})
	if slices.Contains(p.files, nil) || !ok {
		p.files = nil // a file that cannot be edited
	}
	return p
}

// broken is a file that no editor changes.
var broken = sync.OnceValue(func() *hclconfig.File {
	f, _ := hclconfig.ParseNative("broken.tf", []byte("{"))
	return f
})

// calmly calls the function of a fix and reports whether it did not panic.
func calmly(fix Fix, e *Edits) (ok bool) {
	defer func() { ok = recover() == nil }()
	fix.Edit(e)
	return true
}

// A batch is a set of fixes that do not touch each other.
type batch struct {
	files map[*hclconfig.File]*fileFixes
	order []*hclconfig.File
}

func newBatch() *batch { return &batch{files: map[*hclconfig.File]*fileFixes{}} }

// sortFixes sorts fixes by their place, as a batch accepts them.
func sortFixes(fixes []*plannedFix) {
	slices.SortStableFunc(fixes, func(x, y *plannedFix) int {
		return cmp.Or(cmp.Compare(x.spans[0].start, y.spans[0].start), cmp.Compare(y.spans[0].end, x.spans[0].end))
	})
}

// fileFixes are the fixes of a batch that change one file.
type fileFixes struct {
	end   int // of the last part that is touched
	raw   bool
	whole bool // a fix of several files touches it
	fixes []*plannedFix
}

// accept takes a fix, and reports true, if it touches nothing that another one touches.
func (b *batch) accept(p *plannedFix) bool {
	if p.raw && p.edits {
		return false
	}
	for i, f := range p.files {
		if other := b.files[f]; other != nil && (len(p.files) > 1 || other.raw != p.raw || p.spans[i].start < other.end) {
			return false
		}
	}
	for i, f := range p.files {
		if b.files[f] == nil {
			b.files[f] = &fileFixes{raw: p.raw}
			b.order = append(b.order, f)
		}
		b.files[f].end = p.spans[i].end
		b.files[f].whole = len(p.files) > 1
		b.files[f].fixes = append(b.files[f].fixes, p)
	}
	return true
}

// apply makes the fixes and returns the files that changed.
func (b *batch) apply() []*hclconfig.File {
	var out []*hclconfig.File
	done := map[*hclconfig.File]bool{}
	for _, f := range b.order {
		if done[f] {
			continue
		}
		group := []*hclconfig.File{f}
		if ff := b.files[f]; ff.whole {
			group = ff.fixes[0].files
		}
		for _, g := range group {
			done[g] = true
		}
		changed := applyTo(group, b.files[f].fixes)
		for _, g := range group {
			if src := changed[g]; src != nil && !bytes.Equal(src, g.Bytes()) {
				if n, err := g.Reparse(src); err == nil {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// maxFailures is how many fixes of a file may fail in a batch before those after them are
// left for the next one.
const maxFailures = 10

// applyTo makes fixes of files and returns the new texts.
func applyTo(files []*hclconfig.File, fixes []*plannedFix) map[*hclconfig.File][]byte {
	for failures := 0; len(fixes) > 0; failures++ {
		texts, failed := tryFixes(files, fixes)
		if failed < 0 {
			return texts
		}
		if failures == maxFailures {
			fixes = fixes[:failed]
		} else {
			fixes = slices.Delete(slices.Clone(fixes), failed, failed+1)
		}
	}
	return nil
}

// tryFixes makes fixes. If one fails it returns its index, and otherwise -1.
func tryFixes(files []*hclconfig.File, fixes []*plannedFix) (map[*hclconfig.File][]byte, int) {
	editors := map[*hclconfig.File]*hcledit.Editor{}
	raw := map[*hclconfig.File]*splice{}
	for i, p := range fixes {
		ok := calmly(p.fix, &Edits{
			editor: func(f *hclconfig.File) *hcledit.Editor {
				if editors[f] == nil {
					editors[f] = hcledit.Edit(f)
				}
				return editors[f]
			},
			touch: func(*hclconfig.File, int, int) {},
			replace: func(f *hclconfig.File, start, end int, text string) {
				if raw[f] == nil {
					raw[f] = &splice{src: f.Bytes()}
				}
				raw[f].replace(start, end, text)
			},
		})
		for _, f := range files {
			if e := editors[f]; !ok || e != nil && e.Err() != nil || raw[f] != nil && raw[f].failed {
				return nil, i
			}
		}
	}
	out := map[*hclconfig.File][]byte{}
	for f, e := range editors {
		n, err := e.Apply()
		if err != nil {
			return nil, len(fixes) - 1
		}
		out[f] = n.Bytes()
	}
	for f, s := range raw {
		out[f] = append(s.out, s.src[s.at:]...)
	}
	return out, -1
}

// A splice replaces parts of a text, in order.
type splice struct {
	src, out []byte
	at       int
	failed   bool
}

func (s *splice) replace(start, end int, text string) {
	if start < s.at || end < start || end > len(s.src) {
		s.failed = true
		return
	}
	s.out = append(append(s.out, s.src[s.at:start]...), text...)
	s.at = end
}
