// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// object returns a change of an object in a module.
func object(module, typ, name string, actions ...planjson.Action) *planjson.ResourceChange {
	address := typ + "." + name
	if module != "" {
		address = module + "." + address
	}
	return &planjson.ResourceChange{Address: address, ModuleAddress: module, Mode: "managed", Type: typ, Name: name,
		Change: planjson.Change{Actions: actions, Before: planjson.Value(`{"a":1,"b":1}`), After: planjson.Value(`{"a":2,"b":1}`)}}
}

func markdownOf(t *testing.T, o plandiff.MarkdownOptions, diffs ...*plandiff.Diff) string {
	t.Helper()
	var b strings.Builder
	if err := plandiff.WriteMarkdown(&b, diffs, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Destroyed objects are first and listed once; the others are grouped; lines say why; a table
// counts by module and type. Forgotten and moved objects are called so.
func TestMarkdownGroups(t *testing.T) {
	replaced := object("", "t_x", "replaced", planjson.ActionDelete, planjson.ActionCreate)
	replaced.Change.ReplacePaths = []planjson.Value{planjson.Value(`["a"]`)}
	gone := object("module.m", "t_y", "gone", planjson.ActionDelete)
	gone.ActionReason = planjson.DeleteBecauseNoResourceConfig
	moved := object("", "t_x", "moved", planjson.ActionNoOp)
	moved.PreviousAddress = "t_x.old"
	p := &planjson.Plan{ResourceChanges: []*planjson.ResourceChange{
		object("module.m", "t_y", "new", planjson.ActionCreate), object("module.m", "t_x", "new", planjson.ActionCreate), replaced, gone, moved,
		object("", "t_x", "forgotten", planjson.ActionForget), object("", "t_y", "changed", planjson.ActionUpdate), object("", "t_x", "changed", planjson.ActionUpdate),
	}}
	d := plandiff.Plan(p, plandiff.Options{})
	for n := range 4 {
		plain := n%2 == 1
		text := markdownOf(t, plandiff.MarkdownOptions{Plain: plain, MaxBytes: n / 2 * 20_000}, d)
		unescaped := regexp.MustCompile(`</?(code|b|details|summary)>|`+"`").ReplaceAllString(strings.NewReplacer("&#95;", "_", "&#8203;", "").Replace(text), "")
		at := 0
		for _, want := range []string{
			"3 to add, 2 to change, 2 to destroy, 1 to forget, 1 to move",
			"### Destroyed or replaced (2)", "- module.m.t_y.gone will be destroyed because t_y.gone is not in the configuration", "-/+ t_x.replaced must be replaced, forced by a",
			"| Module | Type | Destroy | Replace | Forget | Update | Create | Move |",
			"| root | t_x |  | 1 | 1 | 1 |  | 1 |", "|  | t_y |  |  |  | 1 |  |  |", "| module.m | t_x |  |  |  |  | 1 |  |", "|  | t_y | 1 |  |  |  | 1 |  |",
			"### Changes (6)", "**Root module, t_x (3)**", "forget t_x.forgotten will be removed from the state, but not destroyed", "~ t_x.changed", "move t_x.moved has moved to this address, moved from t_x.old",
			"**Root module, t_y (1)**", "**module.m, t_x (1)**", "+ module.m.t_x.new", "**module.m, t_y (1)**", "+ module.m.t_y.new",
		} {
			i := strings.Index(unescaped[at:], want)
			if i < 0 {
				t.Fatalf("plain %t: there is no %q after %.100q in\n%s", plain, want, unescaped[at:], unescaped)
			}
			at += i
		}
		if n := strings.Count(unescaped, "t_y.gone will be destroyed"); n != 2 { // the line, and the first of its lines
			t.Errorf("plain %t: what is destroyed is there %d times", plain, n)
		}
		if plain == strings.Contains(text, "<") {
			t.Errorf("plain %t: %s", plain, text)
		}
	}
}

// Several plans: within any limit, each destroyed object is named, or its block, or counted; the
// failed plan is first. Nothing breaks out of its place in either form.
func TestMarkdownPlans(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	diffs := []*plandiff.Diff{plandiff.Plan(&planjson.Plan{}, plandiff.Options{})}
	for i := range 9 {
		d := hostileDiff(random, 1+i)
		d.State.Errored = i == 7
		d.State.Checks = []plandiff.FailedCheck{{Address: "`</details>`|\\", Status: "fail", Messages: []string{"@x <!-- www.example.com"}}}
		diffs = append(diffs, d)
	}
	for i, d := range diffs {
		d.Name = fmt.Sprintf("`|</details>%d\\", i)
	}
	for _, limit := range []int{0, 1000, 5000, 65_536} {
		for _, plain := range []bool{false, true} {
			text := markdownOf(t, plandiff.MarkdownOptions{MaxBytes: limit, Plain: plain, Title: "@all", RunURL: "https://ci.example/a)b<c>"}, diffs...)
			if limit > 0 && len(text) > limit {
				t.Errorf("limit %d: %d bytes", limit, len(text))
			}
			if !strings.Contains(text, "[Run](https://ci.example/a%29b%3Cc%3E)") || !strings.Contains(text, "failed 1, ") {
				t.Errorf("limit %d: %.300s", limit, text)
			}
			failed, others := strings.Index(text, "**failed**"), strings.Index(text, "**check failed**")
			if failed < 0 && limit != 1000 || others >= 0 && others < failed {
				t.Errorf("limit %d: the failed plan is not first", limit)
			}
			// Without what is in fences and in code there is nothing of the plans.
			rest := regexp.MustCompile("(?ms)^(`{3,})diff\n.*?^`{3,}$").ReplaceAllString(text, "")
			if plain {
				rest = withoutSpans(rest)
			} else {
				rest = regexp.MustCompile(`<code>[^<]*</code>`).ReplaceAllString(rest, "")
				if n, m := strings.Count(rest, "<details"), strings.Count(rest, "</details>"); n != m {
					t.Errorf("limit %d: %d details begin and %d end", limit, n, m)
				}
				rest = regexp.MustCompile(`</?details( open)?>|</?summary>|</?b>`).ReplaceAllString(rest, "")
			}
			if strings.ContainsAny(rest, "<") || strings.Contains(rest, "@") || strings.Contains(rest, "www.") || strings.Contains(rest, "http://") {
				t.Errorf("limit %d, plain %t: something is outside of code: %s", limit, plain, rest[max(0, strings.IndexAny(rest, "<@")-50):])
			}
		}
	}
}

// withoutSpans removes the code spans of Markdown: from a row of backticks to the next one of
// the same length.
func withoutSpans(s string) string {
	var b strings.Builder
	row := regexp.MustCompile("`+")
	for {
		open := row.FindStringIndex(s)
		if open == nil {
			return b.String() + s
		}
		b.WriteString(s[:open[0]])
		at, closed := open[1], false
		for !closed {
			next := row.FindStringIndex(s[at:])
			if next == nil {
				return b.String() + s[open[0]:] // it is text
			}
			closed = next[1]-next[0] == open[1]-open[0]
			at += next[1]
		}
		s = s[at:]
	}
}

// Thousands of destroyed objects that cannot be named one by one are named by block.
func TestMarkdownManyDestroyed(t *testing.T) {
	p := &planjson.Plan{}
	for i := range 8000 {
		rc := object("module.a_module_with_a_long_name", "t_x", fmt.Sprintf("many_%d", i/1000), planjson.ActionDelete)
		rc.Address += fmt.Sprintf("[%q]", fmt.Sprint("]key ", i))
		p.ResourceChanges = append(p.ResourceChanges, rc, object("", "t_y", fmt.Sprint("n", i), planjson.ActionCreate))
	}
	for _, plain := range []bool{false, true} {
		text := markdownOf(t, plandiff.MarkdownOptions{MaxBytes: 65_536, Plain: plain}, plandiff.Plan(p, plandiff.Options{}))
		for i := range 8 {
			if want := fmt.Sprintf("- delete module.a_module_with_a_long_name.t_x.many_%d, 1000 instances\n", i); !strings.Contains(text, want) {
				t.Errorf("there is no %q", want)
			}
		}
		if !strings.Contains(text, "_Not shown: 8000 create._") || !strings.Contains(text, "8000 to destroy") {
			t.Errorf("nothing says what is left out: %s", text)
		}
	}
}

func TestVerdict(t *testing.T) {
	no := false
	for _, row := range []struct {
		plan planjson.Plan
		want string
	}{
		{planjson.Plan{}, "no changes"},
		{planjson.Plan{ResourceDrift: []*planjson.ResourceChange{object("", "a", "b", planjson.ActionUpdate)}}, "refresh only"},
		{planjson.Plan{ResourceChanges: []*planjson.ResourceChange{object("", "a", "b", planjson.ActionUpdate)}}, "changes"},
		{planjson.Plan{ResourceChanges: []*planjson.ResourceChange{object("", "a", "b", planjson.ActionForget, planjson.ActionCreate)}}, "changes"},
		{planjson.Plan{ResourceChanges: []*planjson.ResourceChange{object("", "a", "b", planjson.ActionCreate, planjson.ActionDelete)}}, "destroys"},
		{planjson.Plan{Checks: []*planjson.Check{{Status: planjson.CheckFail}}}, "check failed"},
		{planjson.Plan{Complete: &no}, "incomplete"},
		{planjson.Plan{Complete: &no, DeferredChanges: []*planjson.DeferredChange{{}}}, "partial"},
		{planjson.Plan{FormatVersion: "9.0"}, "unsupported"},
		{planjson.Plan{FormatVersion: "9.0", Errored: true}, "failed"},
	} {
		d := plandiff.Plan(&row.plan, plandiff.Options{})
		if got := d.Verdict(); got != row.want {
			t.Errorf("%s, not %s", got, row.want)
		}
		if d.Headline() == "No changes" && row.want != "no changes" && row.want != "incomplete" && row.want != "check failed" {
			t.Errorf("%s: %s", row.want, d.Headline())
		}
	}
}

// A comment about no plan at all says so: it must not look as if nothing changed.
func TestMarkdownOfNoPlan(t *testing.T) {
	if text := markdownOf(t, plandiff.MarkdownOptions{}); !strings.Contains(text, "**There is no plan.**") || strings.Contains(text, "No changes") {
		t.Error(text)
	}
}
