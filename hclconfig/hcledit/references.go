// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// beginsWith reports whether a reference begins with the steps of another one.
func beginsWith(t, steps hcl.Traversal) bool {
	if len(t) < len(steps) || t.RootName() != steps.RootName() {
		return false
	}
	for i := 1; i < len(steps); i++ {
		a, ok1 := t[i].(hcl.TraverseAttr)
		b, ok2 := steps[i].(hcl.TraverseAttr)
		if !(ok1 && ok2 && a.Name == b.Name) && !sameIndex(t[i], steps[i]) {
			return false
		}
	}
	return true
}

// mayRefer reports whether a text has all names of a reference. Blocks that have not are not parsed: a
// rename is about a few blocks of a file, and parsing takes most of its time.
func mayRefer(text []byte, steps hcl.Traversal) bool {
	for _, s := range steps {
		name := steps.RootName()
		if a, ok := s.(hcl.TraverseAttr); ok {
			name = a.Name
		}
		if !bytes.Contains(text, []byte(name)) {
			return false
		}
	}
	return true
}

// knownReferences are references of a file. Renames in a row, each of another object, find what they change here
// and read the file once.
type knownReferences struct {
	file      *hclconfig.File
	all       bool                        // and not only those of blocks that may have the first one's
	left      map[string][]knownReference // by keyOf
	elsewhere func(at int64, t hcl.Traversal) bool
	written   []hcl.Traversal // what others are now
	changes   int             // how many there had been in the text after the last rename
}

// A knownReference is a reference in native syntax, or one in JSON.
type knownReference struct {
	t  hcl.Traversal
	at int
	r  hclconfig.Reference
}

// changes returns how many changes of the text there were.
func (e *Editor) changes() int {
	if e.doc != nil {
		return e.doc.changes
	}
	return e.d.changes
}

// knows reports whether the references are all that begin with these steps.
func (k *knownReferences) knows(steps hcl.Traversal) bool {
	return k.all && !slices.ContainsFunc(k.written, func(t hcl.Traversal) bool { return beginsWith(t, steps) || beginsWith(steps, t) })
}

// replaceKnown changes the references that begin with steps to begin with those of to, and returns how many. It
// finds all before the first one changes: one that begins with to may begin with steps as well.
func (e *Editor) replaceKnown(steps hcl.Traversal, to string, written hcl.Traversal) (n int) {
	k := e.refs
	again := k != nil && k.changes == e.changes()
	if !again || !k.knows(steps) {
		now := e.fileNow()
		if now == nil {
			return 0
		}
		k = e.readReferences(now, steps, again)
	}
	for _, r := range k.take(steps) {
		n++
		end := r.t[len(steps)-1].SourceRange().End.Byte
		if e.doc != nil {
			e.ReplaceReference(r.r, to+r.r.Text[end:])
		} else {
			e.native().replaceSteps(k.file, textspan.Of(int32(r.at), int32(r.at+end-r.t.SourceRange().Start.Byte)), to)
		}
	}
	k.written, k.changes = append(k.written, written), e.changes()
	e.refs = k
	return n
}

// take returns the references that begin with steps, in the order of the file. They are not known any more.
func (k *knownReferences) take(steps hcl.Traversal) (out []knownReference) {
	take := func(key string) {
		k.left[key] = slices.DeleteFunc(k.left[key], func(r knownReference) bool {
			is := beginsWith(r.t, steps) && !k.elsewhere(int64(r.at), r.t)
			if is {
				out = append(out, r)
			}
			return is
		})
	}
	if key := keyOf(steps); key != steps.RootName() {
		take(key)
	} else {
		for key := range k.left {
			take(key)
		}
	}
	slices.SortFunc(out, func(a, b knownReference) int { return a.at - b.at })
	return out
}

// keyOf returns the names that a reference begins with, at most two.
func keyOf(t hcl.Traversal) string {
	if len(t) > 1 {
		if a, ok := t[1].(hcl.TraverseAttr); ok {
			return t.RootName() + "." + a.Name
		}
	}
	return t.RootName()
}

// replaceSteps replaces the first steps of a reference.
func (e *nativeEditor) replaceSteps(f *hclconfig.File, s textspan.Span, to string) {
	e.long().prepareAt(f, s, e.opts)
	if start, end, _, ok := e.editor().find(f, s); ok {
		r := e.regionAt(f, int(s.Start), start, end)
		e.editor().rewrite(start, end, replaced(start, end, to))
		e.layoutAfter(r, e.opts)
	}
}

// readReferences finds the references of a file: all, or those of native blocks that may have such with these steps.
func (e *Editor) readReferences(f *hclconfig.File, steps hcl.Traversal, all bool) *knownReferences {
	k := &knownReferences{file: f, all: all || e.doc != nil, elsewhere: foreignNames(f), left: map[string][]knownReference{}}
	var found []knownReference
	switch src := f.Bytes(); {
	case e.doc != nil:
		for _, r := range f.Body().References() {
			if t, err := stepsOf(r.Text); err == nil {
				found = append(found, knownReference{t, int(r.Range().Start.Offset), r})
			}
		}
	case len(f.Body().Arguments) > 0:
		found = referencesIn(src, 0, nil)
	default:
		for i := range f.Body().Blocks {
			if start, end := offsets(entryOf(&f.Body().Blocks[i])); all || mayRefer(src[start:end], steps) {
				found = referencesIn(src[start:end], start, found)
			}
		}
	}
	for _, r := range found {
		k.left[keyOf(r.t)] = append(k.left[keyOf(r.t)], r)
	}
	return k
}

// referencesIn adds the references of text, which is the part of a file that begins at offset.
func referencesIn(text []byte, offset int, found []knownReference) []knownReference {
	// The errors are of no interest: the file was parsed before, so the text of a block
	// in it parses as well.
	file, _ := hcllex.ParseConfig(text, "", hcl.InitialPos)
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return found
	}
	// hclsyntax.Variables leaves out names that a for expression binds, and looks into
	// templates.
	look := func(x hclsyntax.Expression, bound []string) {
		for _, t := range hclsyntax.Variables(x) {
			if !slices.Contains(bound, t.RootName()) {
				found = append(found, knownReference{t: t, at: offset + t[0].SourceRange().Start.Byte})
			}
		}
	}
	var walk func(b *hclsyntax.Body, bound []string)
	walk = func(b *hclsyntax.Body, bound []string) {
		for _, a := range b.Attributes {
			look(a.Expr, bound)
		}
		for _, in := range b.Blocks {
			// A dynamic block binds a name, by default its label, in its labels and its content.
			if b == body || in.Type != "dynamic" || len(in.Labels) != 1 {
				walk(in.Body, bound)
				continue
			}
			inner := append(slices.Clip(bound), iterator(in))
			for _, a := range in.Body.Attributes {
				if a.Name != "labels" && a.Name != "iterator" {
					look(a.Expr, bound)
				} else {
					look(a.Expr, inner)
				}
			}
			for _, c := range in.Body.Blocks {
				walk(c.Body, inner)
			}
		}
	}
	walk(body, nil)
	return found
}

// iterator returns the name that a dynamic block binds.
func iterator(b *hclsyntax.Block) string {
	if a := b.Body.Attributes["iterator"]; a != nil {
		if word := hcl.ExprAsKeyword(a.Expr); word != "" {
			return word
		}
	}
	return b.Labels[0]
}

// foreignNames returns a function that reports whether a reference names an object of
// another module: that of a run block with its own module, in a test file. What the run
// passes to that module is still named in this one.
func foreignNames(f *hclconfig.File) func(at int64, t hcl.Traversal) bool {
	type run struct{ whole, passed addrs.Range }
	var runs []run
	given := map[string]bool{} // variables that the file gives values, for all its runs
	if f.Kind() == hclconfig.TestFile {
		for i := range f.Body().Blocks {
			switch b := &f.Body().Blocks[i]; {
			case b.Type == "variables":
				for j := range b.Body.Arguments {
					given[b.Body.Arguments[j].Name] = true
				}
			case b.Type == "run" && b.Block("module") != nil:
				r := run{whole: b.Body.Range()}
				if passed := b.Block("variables"); passed != nil {
					r.passed = passed.Body.Range()
				}
				runs = append(runs, r)
			}
		}
	}
	within := func(at int64, r addrs.Range) bool { return r.IsValid() && r.Start.Offset <= at && at < r.End.Offset }
	return func(at int64, t hcl.Traversal) bool {
		for _, r := range runs {
			if !within(at, r.whole) {
				continue
			}
			name := ""
			if len(t) > 1 {
				if step, ok := t[1].(hcl.TraverseAttr); ok {
					name = step.Name
				}
			}
			// Runs of the same file, what is passed to the module, and variables that
			// the file itself gives values are named in this module, also inside such a
			// run block.
			return t.RootName() != "run" && !within(at, r.passed) && (t.RootName() != "var" || !given[name])
		}
		return false
	}
}

// sameIndex reports whether two steps have the same key, however it is spelled:
// x.0 is x[0].
func sameIndex(a, b hcl.Traverser) bool {
	x, ok1 := a.(hcl.TraverseIndex)
	y, ok2 := b.(hcl.TraverseIndex)
	return ok1 && ok2 && x.Key.RawEquals(y.Key)
}
