// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// A line of a listing is one argument of a file: where it is and its text.
type line struct{ path, name, raw string }

// listing returns all arguments of a file, in order.
func listing(f *hclconfig.File) []line {
	var out []line
	listBody(f.Body(), "", &out)
	return out
}

func listBody(b *hclconfig.Body, path string, out *[]line) {
	for i := range b.Arguments {
		*out = append(*out, line{path, b.Arguments[i].Name, b.Arguments[i].Raw()})
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		inner := fmt.Sprintf("%s/%s%q", path, n.Type, n.Labels)
		*out = append(*out, line{path: inner})
		listBody(&n.Body, inner, out)
	}
}

// comments returns the comments of a file; in JSON, the comment properties.
func comments(f *hclconfig.File) []string {
	var out []string
	if f.Syntax() == hclconfig.JSONSyntax {
		for range bytes.Count(f.Bytes(), []byte(`"//"`)) {
			out = append(out, "//")
		}
		return out
	}
	tokens, _ := hclsyntax.LexConfig(f.Bytes(), "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			out = append(out, strings.TrimSpace(string(t.Bytes)))
		}
	}
	return out
}

// changed returns how long the textPiece is that was replaced, and by how much.
func changed(before, after []byte) (from, to int) {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	before, after = before[n:], after[n:]
	m := 0
	for m < len(before) && m < len(after) && before[len(before)-1-m] == after[len(after)-1-m] {
		m++
	}
	return len(before) - m, len(after) - m
}

func apply(t *testing.T, e *hcledit.Editor) *hclconfig.File {
	t.Helper()
	f, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestEditLocality makes one edit of every kind at every place of every second
// fixture, and requires that nothing else changes.
func TestEditLocality(t *testing.T) {
	for i, fx := range configshow.Fixtures(t, "../testdata", "../hclconvert/testdata") {
		f, err := hclconfig.Parse(fx.Name, fx.Src)
		if err != nil || i%depth.Of(10, 2, 1) > 0 {
			continue
		}
		t.Run(strings.TrimPrefix(fx.Name, "../"), func(t *testing.T) { editEverything(t, f) })
	}
}

func editEverything(t *testing.T, f *hclconfig.File) {
	before := listing(f)
	notes := comments(f)
	// at is the place of the block's first argument in the listing.
	at := len(f.Body().Arguments)
	for b := range f.Body().All() {
		at++
		for i := range b.Body.Arguments {
			a := &b.Body.Arguments[i]
			if b.Body.Argument(a.Name) != a {
				continue // set twice, an error of the fixture
			}
			where := fmt.Sprintf("%s %s", a.Range(), a.Name)

			// Replace.
			g := apply(t, hcledit.Edit(f, hcledit.KeepLayout()).Replace(a.Expression, valueFor(a)).Replace(a.Expression, valueFor(a)))
			want := append([]line(nil), before...)
			want[at+i].raw = listing(g)[at+i].raw
			sameListing(t, where+": replace", want, listing(g))
			if from, to := changed(f.Bytes(), g.Bytes()); from > len(a.Raw()) || to > 40 {
				t.Errorf("%s: replacing it changed %d bytes into %d", where, from, to)
			}
			if !strings.Contains(a.Raw(), `"//"`) && !strings.ContainsAny(a.Raw(), "#/") && !cmp.Equal(notes, comments(g)) {
				t.Errorf("%s: replacing it changed the comments", where)
			}

			// Remove.
			g = apply(t, hcledit.Edit(f, hcledit.KeepLayout()).Remove(b, a.Name))
			want = append(append([]line(nil), before[:at+i]...), before[at+i+1:]...)
			sameListing(t, where+": remove", want, listing(g))

			// Rename to something of the same kind, and back.
			to := renamed(b, a)
			if to == "" {
				continue
			}
			g = apply(t, hcledit.Edit(f, hcledit.KeepLayout()).Rename(b, a.Name, to))
			want = append([]line(nil), before...)
			want[at+i].name = to
			sameListing(t, where+": rename", want, listing(g))
			if from, n := changed(f.Bytes(), g.Bytes()); from > len(a.Name)+30 || n > len(to)+30 {
				t.Errorf("%s: renaming it changed %d bytes into %d", where, from, n)
			}
			if !cmp.Equal(notes, comments(g)) {
				t.Errorf("%s: renaming it changed the comments", where)
			}
		}
		if name := fresh(b); name != "" {
			where := fmt.Sprintf("%s %s: add %s", b.DefRange(), b.Type, name)
			g := apply(t, hcledit.Edit(f, hcledit.KeepLayout()).Set(b, name, hcledit.Int(12345)))
			n := at + len(b.Body.Arguments)
			if n > at && before[n-1].name == "depends_on" {
				n--
			}
			want := append([]line(nil), before[:n]...)
			want = append(want, line{before[at-1].path, name, "12345"})
			want = append(want, before[n:]...)
			sameListing(t, where, want, listing(g))
			if !cmp.Equal(notes, comments(g)) {
				t.Errorf("%s: the comments changed", where)
			}
			if from, _ := changed(f.Bytes(), g.Bytes()); from > 4 && b.Range().Start.Line < b.Range().End.Line {
				t.Errorf("%s: %d bytes of the original changed", where, from)
			}
		}
		// Remove the block.
		where := fmt.Sprintf("%s %s: remove block", b.DefRange(), b.Type)
		g := apply(t, hcledit.Edit(f, hcledit.KeepLayout()).Delete(b))
		inner := 0
		for range b.Body.All() {
			inner++
		}
		for range b.Body.AllArguments() {
			inner++
		}
		want := append(append([]line(nil), before[:at-1]...), before[at+inner:]...)
		sameListing(t, where, want, listing(g))
		at += len(b.Body.Arguments)
	}
	// Add a block to the file.
	if f.Kind() == hclconfig.ConfigFile {
		g := apply(t, hcledit.Edit(f).Add(nil, hcledit.NewBlock("output", "brand_new").Set("value", 1)))
		found := false
		for _, o := range g.Config().Outputs {
			found = found || o.Name == "brand_new"
		}
		if !found || len(listing(g)) != len(before)+2 || !cmp.Equal(notes, comments(g)) {
			t.Errorf("the new block is missing, or something else: %s", g.Bytes())
		}
	}
}

// valueFor returns a value that fits the kind of an argument.
func valueFor(a *hclconfig.Argument) hcledit.Value {
	switch a.Kind() {
	case hclconfig.KindType, hclconfig.KindKeyword, hclconfig.KindReference, hclconfig.KindSource, hclconfig.KindProviderReference:
		return hcledit.Source("a.b")
	case hclconfig.KindReferenceList, hclconfig.KindSourceList, hclconfig.KindAttributeList, hclconfig.KindKeywordList:
		return hcledit.List(hcledit.Source("a.b"))
	case hclconfig.KindProviderMap, hclconfig.KindProviderRequirement:
		return hcledit.Object()
	}
	return hcledit.String("edited ${x}")
}

// renamed returns another name that an argument can have in its block.
func renamed(b *hclconfig.Block, a *hclconfig.Argument) string {
	for name, other := range map[string]string{
		"description": "deprecated", "sensitive": "nullable", "condition": "error_message", "from": "to",
		"count": "for_each", "required_version": "experiments",
	} {
		if a.Name == name && b.Argument(other) == nil && b.Type != "output" && b.Type != "removed" && b.Type != "provider" && b.Type != "module" {
			return other
		}
	}
	if fresh(b) != "" && a.Kind() == hclconfig.KindExpression && a.Name != "count" && a.Name != "for_each" && a.Name != "labels" {
		return "brand_new_name"
	}
	return ""
}

// fresh returns a name for a new argument, or "" if the block takes none.
func fresh(b *hclconfig.Block) string {
	switch b.Type {
	case "resource", "data", "ephemeral", "module", "locals", "provider", "provisioner", "connection", "backend":
		if len(b.Labels) == 2 || b.Type != "data" && b.Type != "module" || b.Type == "module" && len(b.Labels) == 1 {
			return "zzz"
		}
	case "required_providers":
		return "zzz"
	}
	return ""
}

func sameListing(t *testing.T, what string, want, got []line) {
	t.Helper()
	if len(want) == len(got) {
		same := true
		for i := range want {
			same = same && want[i] == got[i]
		}
		if same {
			return
		}
	}
	t.Errorf("%s (-want +got):\n%s", what, cmp.Diff(want, got, cmp.AllowUnexported(line{})))
}
