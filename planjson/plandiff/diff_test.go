// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

const diffSchema = `{"provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{
	"attributes":{
		"s":{"type":["set","string"]},
		"tup":{"type":["tuple",["string","number"]]},
		"pw":{"type":"string","sensitive":true},
		"nest":{"nested_type":{"nesting_mode":"set","attributes":{"k":{"type":"string"},"v":{"type":["set","number"]}}}}},
	"block_types":{
		"b":{"nesting_mode":"list","block":{"attributes":{"x":{"type":"number"}}}},
		"one":{"nesting_mode":"single","block":{"attributes":{"x":{"type":"number"}}}},
		"m":{"nesting_mode":"map","block":{"attributes":{"x":{"type":"number"}}}},
		"sb":{"nesting_mode":"set","block":{"attributes":{"x":{"type":"number"}}}}}}}}}}}`

// A table of differences. Each leaf is printed as its path, its kind, its
// values, and its special properties.
func TestDiffChange(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(diffSchema))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, change, want string }{
		{"create", `{"before":null,"after":{"a":1,"n":null,"e":{},"l":["x",null]}}`,
			`a added -> 1; e added -> {}; l[0] added -> "x"; l[1] added -> null`},
		{"delete", `{"before":{"a":1,"m":{"k":true}},"after":null}`, `a removed 1 ->; m.k removed true ->`},
		{"update", `{"before":{"a":1,"b":"x","c":null,"d":4},"after":{"a":2,"b":"x","c":3,"d":null}}`,
			`a changed 1 -> 2; c added -> 3; d removed 4 ->`},
		{"other spelling", `{"before":{"a":1.0,"b":"x<"},"after":{"a":1,"b":"x\u003c"}}`, ``},
		{"other order", `{"before":{"a":1,"b":2},"after":{"b":2,"a":1}}`, ``},
		{"unknown", `{"before":{"a":1,"b":{"c":2}},"after":{},"after_unknown":{"a":true,"b":true,"c":true}}`,
			`a changed 1 -> unknown; b changed -> unknown; c added -> unknown`},
		{"unknown elements", `{"before":{"l":["a","b"]},"after":{"l":["a",null,"c"]},"after_unknown":{"l":[false,true,false]}}`,
			`l[1] removed "b" ->; l[1] added -> unknown; l[2] added -> "c"`},
		{"one unknown element", `{"before":{"l":["a","b"]},"after":{"l":["a",null]},"after_unknown":{"l":[false,true]}}`,
			`l[1] changed "b" -> unknown`},
		{"unknown of another length", `{"before":{"l":["a","b"]},"after":{"l":["a"]},"after_unknown":{"l":[false,true]}}`,
			`l changed -> unknown`},
		{"all unknown", `{"before":null,"after_unknown":true}`, ``},
		{"sensitive", `{"before":{"a":"x","b":"y","c":"z"},"after":{"a":"X","b":"y","c":"z"},"before_sensitive":{"a":true,"b":true},"after_sensitive":{"a":true,"b":true,"c":true}}`,
			`a changed -> sensitive; c unchanged -> sensitive`},
		{"sensitive among unchanged", `{"before":{"a":null,"id":"s","z":1},"after":{"id":"s","z":2},"before_sensitive":{"a":true,"id":true},"after_sensitive":{"a":true,"id":true}}`,
			`z changed 1 -> 2`},
		{"sensitive inside", `{"before":{"o":{"a":"x","b":1}},"after":{"o":{"a":"y","b":2}},"before_sensitive":{"o":{"a":true}},"after_sensitive":{"o":{}}}`,
			`o.a changed -> sensitive; o.b changed 1 -> 2`},
		{"sensitive marks of another shape", `{"before":{"o":{"a":"x"}},"after":{"o":{"a":"y"}},"after_sensitive":{"o":[true]}}`, `o changed -> sensitive`},
		{"sensitive by schema", `{"before":{"pw":"x"},"after":{"pw":"y"}}`, `pw changed -> sensitive`},
		{"forces", `{"before":{"a":{"b":[1,2]},"c":1},"after":{"a":{"b":[1,3]},"c":2},"replace_paths":[["a","b",1],["c"]]}`,
			`a.b[1] removed 2 -> forces; a.b[1] added -> 3 forces; c changed 1 -> 2 forces`},
		{"unchanged forces", `{"before":{"a":1},"after":{"a":1},"replace_paths":[["a"]]}`, `a unchanged 1 -> 1 forces`},
		{"kinds", `{"before":{"a":1,"b":[1]},"after":{"a":{"x":1},"b":{"y":2}}}`,
			`a removed 1 ->; a.x added -> 1; b[0] removed 1 ->; b.y added -> 2`},
		{"list insert", `{"before":{"l":["a","b","c"]},"after":{"l":["a","x","b","c"]}}`, `l[1] added -> "x"`},
		{"list remove", `{"before":{"l":[{"a":1},{"a":2},{"a":3}]},"after":{"l":[{"a":1},{"a":3}]}}`, `l[1].a removed 2 ->`},
		{"list change", `{"before":{"l":[{"a":1},{"a":2,"b":0}]},"after":{"l":[{"a":1},{"a":5,"b":0}]}}`, `l[1].a changed 2 -> 5`},
		{"list move", `{"before":{"l":["a","b","c","d"]},"after":{"l":["d","a","b","c"]}}`, `l[0] moved from 3 "d" -> "d"`},
		{"list of one thing", `{"before":{"l":[` + strings.TrimSuffix(strings.Repeat("0,", 3000), ",") + `]},"after":{"l":[1,` + strings.TrimSuffix(strings.Repeat("0,", 2999), ",") + `]}}`,
			`l[0] added -> 1; l[2999] removed 0 ->`},
		{"set", `{"before":{"s":["a","b","c"]},"after":{"s":["c","a","d"]}}`, `s[1] removed "b" ->; s[2] added -> "d"`},
		{"set of objects", `{"before":{"nest":[{"k":"a","v":[1,2]},{"k":"b","v":[]}]},"after":{"nest":[{"k":"b","v":[]},{"k":"a","v":[1,3]}]}}`,
			`nest[0].k removed "a" ->; nest[0].v[0] removed 1 ->; nest[0].v[1] removed 2 ->; nest[1].k added -> "a"; nest[1].v[0] added -> 1; nest[1].v[1] added -> 3`},
		{"set path", `{"before":{"s":["a"]},"after":{"s":["b"]},"replace_paths":[["s","b"]]}`, `s[0] removed "a" ->; s[0] added -> "b" forces`},
		{"tuple", `{"before":{"tup":["a",1]},"after":{"tup":["b",1]}}`, `tup[0] changed "a" -> "b"`},
		{"blocks", `{"before":{"b":[{"x":1}],"one":null,"m":{},"sb":[]},"after":{"b":[{"x":2},{"x":3}],"one":{"x":1},"m":{"k":{"x":1}},"sb":[{"x":9}]}}`,
			`b[0].x changed 1 -> 2; b[1].x added -> 3; m.k.x added -> 1; one.x added -> 1; sb[0].x added -> 9`},
		{"no blocks", `{"before":null,"after":{"b":[],"s":[]}}`, `s added -> []`},
		{"json", `{"before":{"p":"{\"a\":[1,2],\"b\":\"x\"}"},"after":{"p":"{\"a\":[1,2,3],\"b\":\"x\"}"}}`, `p.a[2] added -> 3`},
		{"json layout", `{"before":{"p":"{\"a\":1}"},"after":{"p":"{ \"a\": 1 }"}}`, `p changed "{\"a\":1}" -> "{ \"a\": 1 }"`},
		{"json new", `{"before":null,"after":{"p":"[{\"a\":1}]"}}`, `p[0].a added -> 1`},
		{"json gone", `{"before":{"p":"[1]"},"after":{"p":"text"}}`, `p changed "[1]" -> "text"`},
		{"emptied", `{"before":{"o":{"a":1},"l":[1]},"after":{"o":{},"l":[]}}`, `l[0] removed 1 ->; o.a removed 1 ->`},
		{"odd names", `{"before":{"a b":{"\"":1}},"after":{"a b":{"\"":2}}}`, `["a b"]["\""] changed 1 -> 2`},
		{"duplicates", `{"before":{"a":1,"a":2},"after":{"a":2}}`, ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := new(planjson.Change)
			if err := c.UnmarshalJSON([]byte(row.change)); err != nil {
				t.Fatal(err)
			}
			d := plandiff.Change(&planjson.ResourceChange{Address: "t.x", Mode: "managed", Type: "t", ProviderName: "p", Change: *c},
				plandiff.Options{Schemas: schemas})
			var got []string
			for a := range d.Object.Leaves() {
				got = append(got, leaf(a))
			}
			if diff := cmp.Diff(row.want, strings.Join(got, "; ")); diff != "" {
				t.Error(diff)
			}
			if d.Text() == "" || strings.Contains(d.Text(), `"s"`) {
				t.Errorf("the text is %s", d.Text())
			}
		})
	}
}

func leaf(a *plandiff.Attribute) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", a, a.Status)
	if a.Status == plandiff.Moved {
		fmt.Fprintf(&b, " from %d", a.From)
	}
	if a.Before != nil {
		fmt.Fprintf(&b, " %s", a.Before)
	}
	b.WriteString(" ->")
	if a.After != nil {
		fmt.Fprintf(&b, " %s", a.After)
	}
	if a.Unknown {
		b.WriteString(" unknown")
	}
	if a.Sensitive {
		b.WriteString(" sensitive")
	}
	if a.ForcesReplacement {
		b.WriteString(" forces")
	}
	return b.String()
}

// Applying the difference of two random lists to the first gives the second.
func TestDiffListsRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	list := func() []string {
		l := make([]string, random.IntN(9))
		for i := range l {
			l[i] = strconv.Itoa(random.IntN(5))
		}
		return l
	}
	for range 3000 {
		before, after := list(), list()
		d := plandiff.Change(&planjson.ResourceChange{Change: planjson.Change{
			Before: planjson.Value(`{"l":[` + strings.Join(before, ",") + `]}`),
			After:  planjson.Value(`{"l":[` + strings.Join(after, ",") + `]}`),
		}}, plandiff.Options{})
		removed, added := make(map[int]bool), make(map[int]string)
		for a := range d.Object.Leaves() {
			switch a.Status {
			case plandiff.Added:
				added[a.Index] = a.After.String()
			case plandiff.Removed:
				removed[a.Index] = true
			case plandiff.Moved:
				removed[a.From] = true
				added[a.Index] = a.After.String()
			}
		}
		var kept []string
		for i, s := range before {
			if !removed[i] {
				kept = append(kept, s)
			}
		}
		var got []string
		for i := 0; len(kept) > 0 || added[i] != ""; i++ {
			if s, ok := added[i]; ok {
				got = append(got, s)
			} else {
				got, kept = append(got, kept[0]), kept[1:]
			}
		}
		if diff := cmp.Diff(after, append([]string{}, got...)); diff != "" {
			t.Fatalf("%v to %v: %s", before, after, diff)
		}
	}
}

func TestDiffLines(t *testing.T) {
	a := plandiff.Attribute{Before: planjson.Value(`"a\nb\nc\nd\n"`), After: planjson.Value(`"a\nc\nx\nd\n"`)}
	var got []string
	for _, l := range a.Lines() {
		got = append(got, l.Status.String()+" "+l.Text)
	}
	want := []string{"unchanged a", "removed b", "unchanged c", "added x", "unchanged d"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if l := (&plandiff.Attribute{Before: planjson.Value(`"a"`), After: planjson.Value(`1`)}).Lines(); l != nil {
		t.Errorf("got %v", l)
	}
}

// All recordings render in all forms, nothing sensitive is in any of them, and
// the summary agrees with the actions.
func TestDiffRecordings(t *testing.T) {
	for _, r := range plantest.Recordings(t, "../testdata", "plan") {
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []plandiff.Options{{}, {Unchanged: true}} {
			d := plandiff.Plan(plan, o)
			var b strings.Builder
			for _, write := range []func(io.Writer) error{
				func(w io.Writer) error { return d.WriteText(w, plandiff.TextOptions{Color: true}) },
				func(w io.Writer) error { return d.WriteMarkdown(w, plandiff.MarkdownOptions{}) },
				func(w io.Writer) error { return d.WriteHTML(w, plandiff.TextOptions{MaxValue: 20}) },
			} {
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
			}
			shown := b.String() + everything(d)
			if strings.Contains(shown, "(invalid)") || strings.Contains(shown, "(nothing)") {
				t.Errorf("%s: a value could not be shown", r.Name)
			}
			n := 0
			for _, rc := range plan.ResourceChanges {
				if !rc.Change.Actions.IsNoOp() {
					n++
				}
			}
			if n > len(d.Resources) {
				t.Errorf("%s: %d of %d changes", r.Name, len(d.Resources), n)
			}
			for _, rc := range d.Resources {
				for a := range rc.Object.All() {
					if a.Sensitive && (a.Before != nil || a.After != nil || a.Children != nil) {
						t.Errorf("%s: %s: %s has a value", r.Name, rc.Address, a)
					}
				}
			}
		}
	}
}

func TestWriteText(t *testing.T) {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[
{"address":"a.b","previous_address":"a.old","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["delete","create"],
"before":{"id":"i-1","big":"one\ntwo\nthree","tags":{"a b":"x"},"n":1,"same":true,"esc":"\u001b[31m"},
"after":{"big":"one\n2\nthree","tags":{"a b":"y"},"n":1,"same":true,"esc":"x\u202ey"},
"after_unknown":{"id":true},"before_sensitive":{},"after_sensitive":{},"replace_paths":[["tags"]],"importing":{"id":"i-1"}},"action_reason":"replace_because_cannot_update"},
{"address":"data.a.c","mode":"data","type":"a","name":"c","provider_name":"p","change":{"actions":["read"],"before":null,"after":{"l":[1],"pw":"x"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"pw":true}},"action_reason":"read_because_config_unknown"}],
"output_changes":{"o":{"actions":["create"],"before":null,"after":"v","after_unknown":false,"before_sensitive":false,"after_sensitive":false}},
"configuration":{"root_module":{}},"errored":false}`))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := plandiff.Plan(plan, plandiff.Options{}).WriteText(&b, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := `The following actions are planned:

  # a.b must be replaced
  # (moved from a.old)
  # (imported from "i-1")
  # Warning: this will destroy the imported resource
-/+ resource "a" "b" {
      ~ big  = <<-EOT
            one
          - two
          + 2
            three
        EOT
      ~ esc  = "\x1b[31m" -> "x\u202ey"
      ~ id   = "i-1" -> (known after apply)
        n    = 1
        same = true
      ~ tags = { # forces replacement
          ~ "a b" = "x" -> "y"
        }
    }

  # data.a.c will be read during apply
  # (config refers to values not yet known)
 <= data "a" "c" {
      + l  = [
          + 1,
        ]
      + pw = (sensitive value)
    }

Changes to outputs:
  + o = "v"

Plan: 1 to import, 1 to add, 0 to change, 1 to destroy, 1 to move.
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// A plan that tries to break out of its place stays in it, and the limit holds.
func TestWriteMarkdownAndHTML(t *testing.T) {
	evil := "</code></summary><script>alert(1)</script>\n```\n# x | `y` ![z](http://z)"
	plan := &planjson.Plan{OutputChanges: map[string]*planjson.Change{evil: {Actions: planjson.Actions{planjson.ActionCreate}, After: mustValue(t, evil)}}}
	for i := range 3000 {
		action := planjson.ActionCreate
		if i%100 == 99 {
			action = planjson.ActionDelete
		}
		plan.ResourceChanges = append(plan.ResourceChanges, &planjson.ResourceChange{
			Address: fmt.Sprintf("a.b[%q]", evil+strconv.Itoa(i)), Type: evil, Name: evil,
			Change: planjson.Change{Actions: planjson.Actions{action}, Before: planjson.Value("null"), After: mustValue(t, map[string]string{evil: evil, "long": strings.Repeat("é", 1000), "own": strconv.Itoa(i)})},
		})
	}
	d := plandiff.Plan(plan, plandiff.Options{})
	for _, limit := range []int{1000, 5000, 65536} {
		var b strings.Builder
		if err := d.WriteMarkdown(&b, plandiff.MarkdownOptions{MaxBytes: limit}); err != nil {
			t.Fatal(err)
		}
		s := b.String()
		if len(s) > limit || !strings.Contains(s, "2970 to add, 0 to change, 30 to destroy") || !strings.Contains(s, "more do not fit") {
			t.Errorf("limit %d: %d bytes: %.200s", limit, len(s), s)
		}
		if out := outsideFences(t, s); strings.Contains(out, "<script") || strings.Contains(out, "\n# ") || strings.Contains(out, "![z]") || strings.Contains(out, "`y`") {
			t.Errorf("limit %d: the plan broke out", limit)
		}
		if strings.Count(s, "<details>") != strings.Count(s, "</details>") {
			t.Errorf("limit %d: unbalanced", limit)
		}
	}
	var b strings.Builder
	if err := d.WriteHTML(&b, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") || strings.Count(b.String(), "<details") != 3001 {
		t.Error("the plan broke out of the page")
	}
	b.Reset()
	if err := (&plandiff.Diff{}).WriteMarkdown(&b, plandiff.MarkdownOptions{Title: "T"}); err != nil || !strings.Contains(b.String(), "No changes") {
		t.Errorf("%v, %s", err, b.String())
	}
}

// outsideFences returns the text outside fenced blocks of the language "diff".
func outsideFences(t *testing.T, s string) string {
	t.Helper()
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(s) {
		switch row, isFence := strings.CutSuffix(line, "diff\n"); {
		case fence == "" && isFence && strings.Trim(row, "`") == "" && len(row) >= 3:
			fence = row
		case fence != "" && strings.TrimSuffix(line, "\n") == fence:
			fence = ""
		case fence == "":
			out.WriteString(line)
		}
	}
	if fence != "" {
		t.Error("a fence is open at the end")
	}
	return out.String()
}

func mustValue(t testing.TB, x any) planjson.Value {
	t.Helper()
	v, err := planjson.ValueOf(x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Words for all that can happen.
func TestHeadlines(t *testing.T) {
	for _, row := range []struct {
		d                              plandiff.Resource
		symbol, class, headline, cause string
	}{
		{plandiff.Resource{Actions: planjson.Actions{"create"}}, "+", "create", "will be created", ""},
		{plandiff.Resource{Actions: planjson.Actions{"delete"}, ActionReason: planjson.DeleteBecauseEachKey}, "-", "delete", "will be destroyed", "because the key is not in the for_each map"},
		{plandiff.Resource{Actions: planjson.Actions{"delete"}, Deposed: "ab", ActionReason: planjson.DeleteBecauseNoResourceConfig, Type: "t", Name: "n"}, "-", "delete", "(deposed object ab) will be destroyed", "because t.n is not in the configuration"},
		{plandiff.Resource{Actions: planjson.Actions{"create", "delete"}, ActionReason: planjson.ReplaceBecauseTainted}, "+/-", "replace", "is tainted, so it must be replaced", ""},
		{plandiff.Resource{Actions: planjson.Actions{"forget", "create"}, ActionReason: planjson.ForgotBecauseLifecycleDestroyInState}, "./+", "replace-forget", "must be replaced, but the old object is not destroyed", "because destroy is false in its lifecycle"},
		{plandiff.Resource{Actions: planjson.Actions{"delete", "create"}, ActionReason: planjson.ReplaceByRequest}, "-/+", "replace", "will be replaced", "as requested"},
		{plandiff.Resource{Actions: planjson.Actions{"forget"}, ActionReason: "new_reason"}, ".", "forget", "will be removed from the state, but not destroyed", "the reason is new_reason"},
		{plandiff.Resource{Actions: planjson.Actions{"read"}, ActionReason: planjson.ReadBecauseCheckNested}, "<=", "read", "will be read during apply", "config will be reloaded to verify a check block"},
		{plandiff.Resource{Actions: planjson.Actions{"no-op"}, Importing: true}, " ", "import", "will be imported", ""},
		{plandiff.Resource{Actions: planjson.Actions{"no-op"}, Address: "a", PreviousAddress: "b"}, " ", "move", "has moved to this address", ""},
		{plandiff.Resource{Actions: planjson.Actions{"no-op"}}, " ", "other", "does not change", ""},
		{plandiff.Resource{Actions: planjson.Actions{"renew"}}, " ", "other", "will be changed by renew", ""},
		{plandiff.Resource{}, " ", "other", "differs", ""},
		{plandiff.Resource{Drift: true, Actions: planjson.Actions{"delete"}}, "-", "delete", "has been deleted", ""},
		{plandiff.Resource{Drift: true, Actions: planjson.Actions{"update"}}, "~", "update", "has changed", ""},
		{plandiff.Resource{Reason: planjson.DeferredPrerequisite}, " ", "other", "will be changed by a later plan", "something that it needs is deferred"},
	} {
		got := []string{row.d.Symbol(), row.d.Class(), row.d.Headline(), row.d.Explain()}
		if diff := cmp.Diff([]string{row.symbol, row.class, row.headline, row.cause}, got); diff != "" {
			t.Error(diff)
		}
	}
	for reason := range strings.FieldsSeq("replace_by_triggers delete_because_wrong_repetition delete_because_count_index delete_because_no_module " +
		"delete_because_no_move_target delete_because_enabled_false read_because_config_unknown read_because_dependency_pending") {
		if s := (&plandiff.Resource{ActionReason: planjson.ActionReason(reason)}).Explain(); s == "" || strings.Contains(s, reason) {
			t.Errorf("%s: %q", reason, s)
		}
	}
	for reason := range strings.FieldsSeq("unknown instance_count_unknown resource_config_unknown provider_config_unknown absent_prereq") {
		if s := (&plandiff.Resource{Reason: planjson.DeferredReason(reason)}).Explain(); s == "" {
			t.Errorf("%s is not explained", reason)
		}
	}
}

func TestStatusString(t *testing.T) {
	if s := plandiff.Moved.String() + plandiff.Status(99).String(); s != "movedStatus(99)" {
		t.Error(s)
	}
}

// Nothing that a plan marks is left in its difference, wherever it is planted.
func TestNoSecretIsLeft(t *testing.T) {
	text, err := os.ReadFile("../redact/testdata/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	src := regexp.MustCompile(`SECRET`).ReplaceAllStringFunc(string(text), func(string) string {
		n++
		return fmt.Sprintf("secret%03d", n)
	})
	if n < 60 {
		t.Fatalf("only %d secrets are planted", n)
	}
	plan, err := planjson.DecodePlan([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	d := plandiff.Plan(plan, plandiff.Options{Unchanged: true})
	if err := d.WriteText(&b, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprintf("%s %s", b.String(), everything(d)); regexp.MustCompile(`secret\d+-marked`).MatchString(s) {
		t.Errorf("left in the difference: %s", s)
	}
}

// everything prints all values that a difference holds.
func everything(d *plandiff.Diff) string {
	var b strings.Builder
	show := func(a *plandiff.Attribute) {
		for a := range a.All() {
			fmt.Fprintln(&b, a, a.Before, a.After)
		}
	}
	for _, list := range [][]*plandiff.Resource{d.Resources, d.Drift, d.Deferred} {
		for _, r := range list {
			show(&r.Object)
		}
	}
	for _, o := range d.Outputs {
		for _, v := range o.Values {
			show(v)
		}
	}
	return b.String()
}

func TestAttributeString_keys(t *testing.T) {
	p, err := planjson.DecodePlan([]byte(`{"resource_changes":[{"address":"t.a","change":{"actions":["create"],"before":null,
"after":{"m":{"${x}":1,"a.b":2,"\u001b[1m":3,"é":4}}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for a := range plandiff.Plan(p, plandiff.Options{}).Resources[0].Object.Leaves() {
		got = append(got, a.String())
		steps, err := planjson.ParsePath(a.String())
		if err != nil || !slices.Equal(steps, a.Path()) {
			t.Errorf("%s: %v, %v", a, steps, err)
		}
	}
	if diff := cmp.Diff([]string{`m["\u001b[1m"]`, `m["$${x}"]`, `m["a.b"]`, "m.é"}, got); diff != "" {
		t.Error(diff)
	}
}

// Plans of Terraform before 0.15 do not mark the changes of outputs.
func TestOldOutputs(t *testing.T) {
	p, err := planjson.DecodePlan([]byte(`{"format_version":"0.1","terraform_version":"0.14.11",
"planned_values":{"outputs":{"planned":{"sensitive":true,"value":"secret"},"open":{"sensitive":false,"value":"x"}},"root_module":{}},
"output_changes":{
"planned":{"actions":["create"],"before":null,"after":"secret","after_unknown":false},
"configured":{"actions":["update"],"before":"secret","after":["secret"],"after_unknown":false},
"gone":{"actions":["delete"],"before":"secret","after":null,"after_unknown":false},
"open":{"actions":["create"],"before":null,"after":"x","after_unknown":false},
"marked":{"actions":["create"],"before":null,"after":"y","after_unknown":false,"before_sensitive":false,"after_sensitive":false}},
"prior_state":{"format_version":"0.1","values":{"outputs":{"gone":{"sensitive":true,"value":"secret"}},"root_module":{}}},
"configuration":{"root_module":{"outputs":{"configured":{"sensitive":true,"expression":{}},"marked":{"sensitive":true,"expression":{}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	state, err := planjson.DecodeState([]byte(`{"format_version":"0.1","values":{"outputs":{"planned":{"sensitive":false,"value":"z"}},"root_module":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	d := plandiff.Plan(p, plandiff.Options{})
	for name, outputs := range map[string][]*plandiff.Output{
		"plan":    d.Outputs,
		"compare": plandiff.ComparePlans(nil, p, plandiff.Options{}).Outputs,
		"state":   plandiff.ComparePlanWithState(p, state, plandiff.Options{}).Outputs,
	} {
		shown := ""
		for _, o := range outputs {
			for _, v := range o.Values {
				for a := range v.All() {
					shown += fmt.Sprint(o.Name, " ", a.Before, a.After, "\n")
				}
			}
		}
		if strings.Contains(shown, "secret") || !strings.Contains(shown, "open") || !strings.Contains(shown, `"y"`) {
			t.Errorf("%s:\n%s", name, shown)
		}
	}
	var b strings.Builder
	if err := d.WriteText(&b, plandiff.TextOptions{}); err != nil || strings.Contains(b.String(), "secret\"") {
		t.Errorf("%v\n%s", err, &b)
	}
}
