// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"

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

// referencesIn adds the places of the steps in the references of text that begin with
// them. The text is the part of a file that begins at offset.
func referencesIn(text []byte, offset int, steps hcl.Traversal, elsewhere func(at int64, t hcl.Traversal) bool, found []textspan.Span) []textspan.Span {
	// The errors are of no interest: the file was parsed before, so the text of a block
	// in it parses as well.
	file, _ := hcllex.ParseConfig(text, "", hcl.InitialPos)
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return found
	}
	// hclsyntax.Variables leaves out names that a for expression binds, and looks into
	// templates.
	look := func(x hclsyntax.Expression) {
		for _, t := range hclsyntax.Variables(x) {
			at := offset + t[0].SourceRange().Start.Byte
			if beginsWith(t, steps) && !elsewhere(int64(at), t) {
				found = append(found, textspan.Of(int32(at), int32(offset+t[len(steps)-1].SourceRange().End.Byte)))
			}
		}
	}
	var walk func(b *hclsyntax.Body)
	walk = func(b *hclsyntax.Body) {
		for _, a := range b.Attributes {
			look(a.Expr)
		}
		for _, in := range b.Blocks {
			// A dynamic block binds a name, by default its label. Only if that is the
			// name looked for does it hide something.
			if b == body || in.Type != "dynamic" || len(in.Labels) != 1 || iterator(in) != steps.RootName() {
				walk(in.Body)
				continue
			}
			// The iterator is in scope in the labels and the content.
			for _, a := range in.Body.Attributes {
				if a.Name != "labels" && a.Name != "iterator" {
					look(a.Expr)
				}
			}
		}
	}
	walk(body)
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
