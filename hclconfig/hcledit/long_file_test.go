// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// randomFile returns a file with arguments of its own, and perhaps blocks.
func randomFile(t *testing.T, r *rand.Rand) string {
	_, text, _ := strings.Cut(randomBlock(r), "resource \"x\" \"y\" {")
	text = strings.TrimPrefix(strings.TrimSuffix(text, "}\n\nlocals {}\n"), "\n")
	out, err := Format([]byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	text = string(out)
	switch r.IntN(4) {
	case 0:
		text = otherLayout(r, text)
	case 1:
		if end := strings.TrimRight(text, "\n"); !strings.HasSuffix(end, "EOT") {
			text = end
		}
	}
	return text
}

// randomTopEdit makes an edit of an argument of the file f, as it was read.
func randomTopEdit(r *rand.Rand, e *Editor, f *hclconfig.File, opts ...option) string {
	body := f.Body()
	values := []Value{Source("1"), Source("var.a_long_name"), List(Int(1), Int(2)), Source("[\n  1, # one\n  2,\n]"), Source("<<EOT\n  heredoc\nEOT\n"), Object(Entry{Key: "k", Value: Bool(true)})}
	v := values[r.IntN(len(values))]
	name := [...]string{"z", "added", "a_rather_long_name"}[r.IntN(3)]
	var parts []Part
	for i := range body.Arguments {
		parts = append(parts, &body.Arguments[i])
	}
	for i := range body.Blocks {
		parts = append(parts, &body.Blocks[i])
	}
	where := optionsOf[Placement](opts...)
	switch n := r.IntN(6); {
	case n == 0:
		where = append(where, First())
	case n == 1:
		where = append(where, Last())
	case n < 4 && len(parts) > 0:
		where = append(where, [...]func(Part) Placement{Before, After}[n-2](parts[r.IntN(len(parts))]))
	}
	if len(body.Arguments) == 0 {
		e.Set(nil, name, v, optionsOf[SetOption](where...)...)
		return "set " + name
	}
	a := &body.Arguments[r.IntN(len(body.Arguments))]
	kind := r.IntN(12)
	switch kind {
	case 0, 1:
		e.Set(nil, name, v, optionsOf[SetOption](where...)...)
	case 2:
		e.Set(nil, a.Name, v, optionsOf[SetOption](opts...)...)
	case 3:
		e.Remove(nil, a.Name, optionsOf[RemoveOption](opts...)...)
	case 4:
		e.Delete(a, append(optionsOf[DeleteOption](opts...), [][]DeleteOption{nil, {KeepComments()}}[r.IntN(2)]...)...)
	case 5:
		e.Rename(nil, a.Name, name)
	case 6:
		e.SetComments(a, Comments{Above: []string{"above"}, Behind: "behind"})
	case 7:
		e.Wrap(a.Expression, "f(_)")
	case 8:
		e.Replace(a.Expression, v)
	case 9:
		if parts := a.Parts(); a.Form() == hclconfig.FormList && len(parts) > 0 {
			e.Move(parts[r.IntN(len(parts))], append(optionsOf[MoveOption](opts...), First())...)
		} else {
			e.Remove(nil, name)
		}
	default:
		e.Move(a, optionsOf[MoveOption](where...)...)
	}
	return fmt.Sprint(kind, " ", a.Name, " ", name, " ", len(where))
}

// TestLongFiles wants the same of edits of arguments of a file that read the lines around them as
// of those that read all of it.
func TestLongFiles(t *testing.T) {
	seed := depth.Seed(t)
	windows, done := 0, 0
	for trial := range depth.Of(50, 400, 20000) {
		src := randomFile(t, rand.New(rand.NewPCG(seed, uint64(trial))))
		name, opts := "x.tfvars", []EditOption{}
		if trial%3 > 0 {
			r := rand.New(rand.NewPCG(seed, uint64(trial)))
			if src = otherBytes(r, src); r.IntN(5) == 0 {
				opts = append(opts, KeepLayout())
			}
		}
		if trial%5 == 0 {
			name = "x.tf"
		}
		f, err := hclconfig.ParseNative(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		editors := [2]*Editor{Edit(f, opts...), Edit(f, opts...)}
		editors[1].whole = nil
		var log []string
		for i := range 2 + trial%9 {
			for k, e := range editors {
				made := randomTopEdit(rand.New(rand.NewPCG(uint64(trial), uint64(i))), e, f, keptIn(trial, i)...)
				if k == 0 {
					log = append(log, made)
				}
				if e.window != nil {
					windows++
				}
			}
			a, b := editors[0].Err(), editors[1].Err()
			if (a == nil) != (b == nil) {
				t.Fatalf("trial %d: %s\n%q: read in parts: %v; as a whole: %v", trial, src, log, a, b)
			}
		}
		if editors[0].Err() != nil {
			continue
		}
		a, err1 := editors[0].Apply()
		b, err2 := editors[1].Apply()
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("trial %d: %s\n%q: read in parts: %v; as a whole: %v", trial, src, log, err1, err2)
		}
		if err1 == nil && string(a.Bytes()) != string(b.Bytes()) && !heredocInTemplate.Match(b.Bytes()) {
			t.Fatalf("trial %d:\n%s\n%q: read in parts:\n%s\nas a whole:\n%s", trial, src, log, a.Bytes(), b.Bytes())
		}
		done++
	}
	t.Logf("%d sequences without an error, %d edits read a part of a file", done, windows)
	if windows < done {
		t.Errorf("only %d edits read a part", windows)
	}
}
