// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/configshow"
)

// seed adds the fixtures of one syntax, and the texts of the edit tests.
func seed(f *testing.F, syntax hclconfig.Syntax) {
	for _, fx := range configshow.Fixtures(f, "testdata", "hclconvert/testdata") {
		if name, _ := hclconfig.ParseFilename(fx.Name); name.Syntax == syntax && len(fx.Src) < 4096 {
			f.Add(fx.Src, uint8(0), uint16(1))
		}
	}
	cases := nativeEdits
	if syntax == hclconfig.JSONSyntax {
		cases = jsonEdits
	}
	for i, c := range cases {
		f.Add([]byte(c.before), uint8(i), uint16(i))
		f.Add([]byte(c.after), uint8(i+1), uint16(i/2))
	}
}

func FuzzNative(f *testing.F) {
	seed(f, hclconfig.NativeSyntax)
	f.Fuzz(func(t *testing.T, src []byte, op uint8, at uint16) { checkLaws(t, "x.tf", src, op, at) })
}

func FuzzJSON(f *testing.F) {
	seed(f, hclconfig.JSONSyntax)
	f.Fuzz(func(t *testing.T, src []byte, op uint8, at uint16) { checkLaws(t, "x.tf.json", src, op, at) })
}

// checkLaws requires of any text that it comes back as it was, that nothing
// that can be asked of it panics, that places agree with HCL's, and that one
// edit, chosen by op and at, changes nothing but what it is about.
func checkLaws(t *testing.T, name string, src []byte, op uint8, at uint16) {
	if len(src) > 1<<14 {
		t.Skip()
	}
	f, err := hclconfig.Parse(name, src)
	if !bytes.Equal(f.Bytes(), src) {
		t.Fatal("the bytes are not those that were parsed")
	}
	if (err != nil) != f.Diagnostics().HasErrors() && err != nil {
		t.Fatalf("%v is not among the diagnostics", err)
	}
	for _, d := range f.Diagnostics() {
		if d.Subject.Start.Offset > d.Subject.End.Offset || d.Subject.End.Offset > int64(len(src)) {
			t.Errorf("a diagnostic is nowhere: %v", d)
		}
	}
	askEverything(t, f)
	if err != nil {
		return
	}
	if name == "x.tf" && utf8.Valid(src) {
		tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
		for _, tok := range tokens {
			if p := f.Position(int64(tok.Range.Start.Byte)); p.Line != tok.Range.Start.Line {
				t.Errorf("offset %d is at %v, HCL says %v", tok.Range.Start.Byte, p, tok.Range.Start)
			}
		}
	}
	editSomething(t, f, op, at)
}

func askEverything(t *testing.T, f *hclconfig.File) {
	for _, r := range f.Body().References() {
		if rng := r.Range(); rng.End.Offset > int64(len(f.Bytes())) || rng.Start.Offset > rng.End.Offset {
			t.Errorf("%s is nowhere: %v", r, rng)
		}
	}
	for a := range f.Body().AllArguments() {
		a.Value(nil)
		a.Keyword()
		_, _ = a.Address()
		_, _, _ = a.TypeConstraint()
		if m, ok := a.Members(); ok {
			for _, m := range m {
				m.Value.References()
			}
		}
	}
	f.Config()
	for b := range f.Body().All() {
		b.Body.Own()
	}
}

// editSomething makes one edit and compares the listings.
func editSomething(t *testing.T, f *hclconfig.File, op uint8, at uint16) {
	var blocks []*hclconfig.Block
	for b := range f.Body().All() {
		blocks = append(blocks, b)
	}
	if len(blocks) == 0 {
		return
	}
	before := listing(f)
	b := blocks[int(at)%len(blocks)]
	e := f.Edit()
	var want func(after []line) bool
	args := b.Body.Arguments
	switch {
	case op%4 == 0 && len(args) > 0:
		a := &args[int(at/7)%len(args)]
		if b.Argument(a.Name) != a {
			return
		}
		e.Replace(a.Expression, valueFor(a))
		want = func(after []line) bool {
			changed := 0
			for i := range before {
				if len(after) != len(before) || after[i].path != before[i].path || after[i].name != before[i].name {
					return false
				}
				if after[i].raw != before[i].raw {
					changed++
				}
			}
			return changed <= 1
		}
	case op%4 == 1 && len(args) > 0:
		a := &args[int(at/7)%len(args)]
		e.Remove(b, a.Name)
		want = func(after []line) bool { return len(after) == len(before)-1 }
	case op%4 == 2:
		name := fresh(b)
		if name == "" || b.Argument(name) != nil {
			return
		}
		e.Set(b, name, 1)
		want = func(after []line) bool { return len(after) == len(before)+1 }
	default:
		e.Delete(b)
		n := 1
		for range b.Body.All() {
			n++
		}
		for range b.Body.AllArguments() {
			n++
		}
		want = func(after []line) bool { return len(after) == len(before)-n }
	}
	if e.Err() != nil {
		return
	}
	g, err := e.Apply()
	if err != nil {
		t.Fatalf("%q, edit %d at %d: %v", f.Bytes(), op%4, at, err)
	}
	if after := listing(g); !want(after) {
		t.Errorf("%q, edit %d at %d of %s:\n%q\nbefore %v\nafter  %v", f.Bytes(), op%4, at, b.Type, g.Bytes(), before, after)
	}
}
