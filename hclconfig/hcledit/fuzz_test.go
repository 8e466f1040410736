// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

// seed adds the fixtures of one syntax, and the texts of the edit tests.
func seed(f *testing.F, syntax hclconfig.Syntax) {
	for _, fx := range configshow.Fixtures(f, "../testdata", "../hclconvert/testdata") {
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
	f.Fuzz(func(t *testing.T, src []byte, op uint8, at uint16) { checkEdit(t, "x.tf", src, op, at) })
}

func FuzzJSON(f *testing.F) {
	seed(f, hclconfig.JSONSyntax)
	f.Fuzz(func(t *testing.T, src []byte, op uint8, at uint16) { checkEdit(t, "x.tf.json", src, op, at) })
}

// checkEdit requires of any text that one edit, chosen by op and at, changes nothing but
// what it is about.
func checkEdit(t *testing.T, name string, src []byte, op uint8, at uint16) {
	if len(src) > 1<<14 {
		return // no longer than a fuzzer reads quickly
	}
	if f, err := hclconfig.Parse(name, src); err == nil {
		editSomething(t, f, op, at)
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
	e := hcledit.Edit(f)
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
