// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// hostileDiff returns the differences of a plan whose names and values are as
// long and as full of characters to escape as can be, with one object that is
// destroyed among many that are not.
func hostileDiff(random *rand.Rand, n int) *plandiff.Diff {
	parts := []string{"`", "```", "*", "_", "<b>", "</details>", "&amp;", "\n", "\x1b[31m", "\u202e", "é", "🙂", "@everyone", "#1", "|", "\"", "'", "[x](http://y)", "a"}
	text := func(max int) string {
		var b strings.Builder
		for range random.IntN(max + 1) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	actions := []planjson.Actions{{planjson.ActionCreate}, {planjson.ActionUpdate}, {planjson.ActionRead}, {planjson.ActionDelete, planjson.ActionCreate}, {planjson.ActionForget}}
	p := new(planjson.Plan)
	p.OutputChanges = make(map[string]*planjson.Change)
	value := func() planjson.Value {
		v, err := planjson.ValueOf(map[string]any{text(40): text(500), "l": []string{text(9), text(9)}, "json": "[" + strings.Repeat("1,", random.IntN(50)) + "2]"})
		if err != nil {
			panic(err)
		}
		return v
	}
	for i := range n {
		a := actions[random.IntN(len(actions))]
		address := fmt.Sprintf("t.n[%q]", text(200))
		switch i {
		case max(0, n-2):
			a, address = planjson.Actions{planjson.ActionDelete}, "t.doomed"
		case n - 1: // an unknown action
			a = planjson.Actions{"evil\n" + planjson.Action(text(9))}
		}
		rc := &planjson.ResourceChange{Address: address, PreviousAddress: text(50), Type: text(20), Name: text(20), Mode: "managed", Deposed: text(3), ActionReason: planjson.ActionReason(text(30)),
			Change: planjson.Change{Actions: a, Before: value(), After: value(), Importing: &planjson.Importing{ID: text(99)}}}
		switch i % 7 {
		case 5:
			p.ResourceDrift = append(p.ResourceDrift, rc)
		case 6:
			p.DeferredChanges = append(p.DeferredChanges, &planjson.DeferredChange{Reason: planjson.DeferredReason(text(9)), ResourceChange: *rc})
		}
		p.ResourceChanges = append(p.ResourceChanges, rc)
		p.OutputChanges[text(99)] = &planjson.Change{Actions: planjson.Actions{planjson.ActionCreate}, After: value()}
		p.ActionInvocations = append(p.ActionInvocations, &planjson.ActionInvocation{Address: text(99), Type: text(9), Name: text(9), ConfigValues: value()})
	}
	return plandiff.Plan(p, plandiff.Options{})
}

// Markdown keeps to its limit for any plan, lists destroyed objects first,
// and stays whole: what begins ends, and nothing breaks out of its place.
func TestMarkdownLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	row := regexp.MustCompile("(?m)^(`{3,})(diff)?$")
	for _, n := range []int{1, 2, 30, 150} {
		d := hostileDiff(random, n)
		for _, limit := range []int{0, 1000, 1001, 1500, 3000, 20_000, 65_536} {
			for _, title := range []string{"", strings.Repeat("*", 500), "é🙂<script>`\n" + strings.Repeat("é", 99)} {
				if limit == 0 && n > 30 || title != "" && n > 30 {
					continue
				}
				var b strings.Builder
				if err := d.WriteMarkdown(&b, plandiff.MarkdownOptions{MaxBytes: limit, Title: title}); err != nil {
					t.Fatal(err)
				}
				text := b.String()
				if limit > 0 && len(text) > limit {
					t.Errorf("%d objects, limit %d: %d bytes", n, limit, len(text))
				}
				if !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "<script") {
					t.Errorf("%d objects, limit %d: not escaped: %q", n, limit, text)
				}
				var fence string
				outside := 0 // open elements outside of fences
				for line := range strings.Lines(text) {
					switch m := row.FindStringSubmatch(strings.TrimSuffix(line, "\n")); {
					case m != nil && fence == "" && m[2] == "diff":
						fence = m[1]
					case fence != "" && m != nil && m[1] == fence:
						fence = ""
					case fence == "":
						outside += strings.Count(line, "<details>") - strings.Count(line, "</details>")
						if outside < 0 || outside > 1 {
							t.Fatalf("%d objects, limit %d: details are not even at %q", n, limit, line)
						}
					}
				}
				if fence != "" || outside != 0 {
					t.Errorf("%d objects, limit %d: something does not end", n, limit)
				}
				// There are at least the sums, and the first object to go unless the
				// limit is tiny.
				if !strings.Contains(text, "to destroy") {
					t.Errorf("%d objects, limit %d: there are no sums: %s", n, limit, text)
				}
				if limit == 0 || limit >= 3000 {
					list := strings.Index(text, "t.doomed")
					if first := regexp.MustCompile(`(?m)<code>t\.n|^[-!+ ] .*t\.n\[`).FindStringIndex(text); list < 0 || first != nil && first[0] < list {
						t.Errorf("%d objects, limit %d: destroyed objects are not first", n, limit)
					}
				}
			}
		}
	}
}

// Every object is named, in the shortest form that fits, and the longest details
// are shortened first.
func TestMarkdownNames(t *testing.T) {
	update := planjson.Actions{planjson.ActionUpdate}
	plan := func(n, lines int) *plandiff.Diff {
		p := new(planjson.Plan)
		for i := range n {
			text := strings.Repeat("a line of a text\n", lines) + strconv.Itoa(i) // no two are alike
			before, _ := planjson.ValueOf(map[string]any{"id": "i", "text": text})
			after, _ := planjson.ValueOf(map[string]any{"id": "i", "text": strings.ReplaceAll(text, "line", "row")})
			p.ResourceChanges = append(p.ResourceChanges, &planjson.ResourceChange{Address: fmt.Sprintf("module.network_of_some_team.aws_instance.worker_node[%d]", i), Type: "t", Name: "n", Change: planjson.Change{Actions: update, Before: before, After: after}})
		}
		small, _ := planjson.ValueOf(map[string]any{"size": 1})
		p.ResourceChanges = append(p.ResourceChanges, &planjson.ResourceChange{Address: "t.small", Type: "t", Name: "small", Change: planjson.Change{Actions: planjson.Actions{"evil*`x`"}, Before: small, After: planjson.Value(`{"size":2}`)}})
		return plandiff.Plan(p, plandiff.Options{})
	}
	for _, test := range []struct {
		n, lines, max int
		details, all  bool // of each object; names of all
	}{{3, 4000, 65536, true, true}, {100, 100, 65536, true, true}, {600, 3, 65536, false, true}, {600, 3, 0, true, true}, {600, 3, 20_000, false, false}, {5, 1000, 3000, true, true}} {
		var b strings.Builder
		if err := plan(test.n, test.lines).WriteMarkdown(&b, plandiff.MarkdownOptions{MaxBytes: test.max}); err != nil {
			t.Fatal(err)
		}
		text := html.UnescapeString(b.String())
		name := fmt.Sprintf("%d objects of %d lines in %d", test.n, test.lines, test.max)
		if test.max > 0 && (b.Len() > test.max || test.all && b.Len() < test.max/2) {
			t.Errorf("%s: %d bytes", name, b.Len())
		}
		left := 0
		for i := range test.n {
			if !strings.Contains(text, fmt.Sprintf("worker_node[%d]", i)) {
				left++
			}
		}
		if test.all != (left == 0) || strings.Contains(text, "Not shown: ") == test.all || !test.all && !strings.Contains(text, fmt.Sprintf("_Not shown: %d update", left)) {
			t.Errorf("%s: %d are not named: %.300s", name, left, text[max(0, len(text)-300):])
		}
		if test.details != (strings.Count(text, "<details>") == test.n+1) || test.details && !strings.Contains(text, "!   size = 1 -> 2") {
			t.Errorf("%s: %d details", name, strings.Count(text, "<details>"))
		}
		if !strings.Contains(text, "will be changed by <code>evil*`x`</code>") {
			t.Errorf("%s: the action is not in code marks", name)
		}
	}
}

// Escapes mean what was escaped, once.
func TestMarkdownEscapes(t *testing.T) {
	const address = `a_b.c["k&\"<x>*"]`
	p := &planjson.Plan{ResourceChanges: []*planjson.ResourceChange{{Address: address, Change: planjson.Change{Actions: planjson.Actions{planjson.ActionDelete}, Before: planjson.Value("{}")}}}}
	var b strings.Builder
	if err := plandiff.Plan(p, plandiff.Options{}).WriteMarkdown(&b, plandiff.MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`<code>([^/]*)</code> will be destroyed`).FindStringSubmatch(b.String())
	if m == nil || html.UnescapeString(m[1]) != address || strings.ContainsAny(m[1], `*"<>[`) {
		t.Errorf("got %q in %s", m, b.String())
	}
}
