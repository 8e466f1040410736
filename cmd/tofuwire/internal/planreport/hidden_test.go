// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// A change of a secret is shown as one, in all recordings: what is hidden takes no lines away.
func TestHiddenChanges(t *testing.T) {
	names, err := filepath.Glob("../../../../planjson/testdata/*/*/plan*.json")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	for _, name := range append(names, "../../../../planjson/redact/testdata/secrets.json") {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := planjson.DecodePlan(src)
		if err != nil {
			continue // another kind of document
		}
		want := plandiff.Plan(p, plandiff.Options{})
		if _, err := hide(p); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := plandiff.Plan(p, plandiff.Options{})
		if got.Headline() != want.Headline() {
			t.Errorf("%s: %s, not %s", name, got.Headline(), want.Headline())
		}
		for i, r := range want.Resources {
			if was, is := changed(r), changed(got.Resources[i]); was != is {
				t.Errorf("%s: %s: %s changes, not %s\n%s\n%s", name, r.Address, is, was, r.Text(), got.Resources[i].Text())
			}
		}
	}
}

// changed returns which attributes of an object differ.
func changed(r *plandiff.Resource) string {
	s := ""
	for _, c := range r.Object.Children {
		s += " " + c.Name + ":" + c.Status.String()
		if c.ForcesReplacement {
			s += "!"
		}
	}
	return s
}

// Secrets that change, in places that nothing marks, are shown as changes; of a value that
// stays, and of one that is public, nothing is said.
func TestHiddenForms(t *testing.T) {
	const marked = `"secret":"swordfish-%d"`
	for _, row := range []struct{ name, before, after, want string }{
		{"text", `"copy":"swordfish-1"`, `"copy":"swordfish-2"`, "~ copy   = (sensitive value)"},
		{"part", `"copy":"a swordfish-1"`, `"copy":"b swordfish-2"`, `~ copy   = "a (sensitive value)" -> "b (sensitive value)"`},
		{"part that alone differs", `"copy":"a swordfish-1"`, `"copy":"a swordfish-2"`, "~ copy   = (sensitive value)"},
		{"member", `"copy":{"a":"swordfish-1","b":1}`, `"copy":{"a":"swordfish-2","b":1}`, "~ a = (sensitive value)"},
		{"element", `"copy":["x",["swordfish-1"]]`, `"copy":["x",["swordfish-2"]]`, "+ (sensitive value)"},
		{"same", `"copy":"swordfish-1"`, `"copy":"swordfish-1"`, "(1 unchanged attribute hidden)"},
		{"number", `"number":1,"copy":"-"`, `"number":2,"copy":"-"`, "~ number = 1 -> 2"},
	} {
		src := `{"format_version":"1.2","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","change":{"actions":["update"],"before":{` + row.before + `,` + strings.ReplaceAll(marked, "%d", "1") +
			`},"after":{` + row.after + `,` + strings.ReplaceAll(marked, "%d", "2") + `},"before_sensitive":{"secret":true},"after_sensitive":{"secret":true}}}]}`
		out := reported(t, src)
		if !strings.Contains(out, row.want) || !strings.Contains(out, "~ secret = (sensitive value)") || strings.Contains(out, "swordfish") {
			t.Errorf("%s: there is no %q\n%s", row.name, row.want, out)
		}
		if out := reported(t, src, "-reveal"); !strings.Contains(out, `~ secret = "swordfish-1" -> "swordfish-2"`) || !strings.Contains(out, "Sensitive values are shown.") {
			t.Errorf("%s: it is not revealed\n%s", row.name, out)
		}
	}
}

// A sensitive output that has a whole resource hides what the resource marks, not its id and name.
func TestHide_wholeResource(t *testing.T) {
	const values = `{"id":"i-0123456789","name":"web-server-%s","password":"correct horse"}`
	plan := func(mark string) string {
		before, after := strings.ReplaceAll(values, "%s", "7"), strings.ReplaceAll(values, "%s", "8")
		return `{"format_version":"1.2","planned_values":{"outputs":{"all":{"sensitive":true,"value":[` + after + `]}}},"prior_state":{"format_version":"1.0","values":{"outputs":{"all":{"sensitive":true,"value":[` + before + `]}}}},
"resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],"before":` + before + `,"after":` + after + `,"before_sensitive":` + mark + `,"after_sensitive":` + mark + `}}],
"output_changes":{"all":{"actions":["update"],"before":[` + before + `],"after":[` + after + `],"before_sensitive":true,"after_sensitive":true}}}`
	}
	shown := func(mark string) string {
		p, err := planjson.DecodePlan([]byte(plan(mark)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hide(p); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := plandiff.Plan(p, plandiff.Options{}).WriteText(&b, plandiff.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	out := shown(`{"password":true}`)
	for _, want := range []string{`"i-0123456789"`, `"web-server-7" -> "web-server-8"`, "~ all = (sensitive value)"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing:\n%s", want, out)
		}
	}
	if strings.Contains(out, "correct horse") {
		t.Errorf("the password is shown:\n%s", out)
	}
	for mark, hidden := range map[string]string{`{"password":true,"name":true}`: "web-server", `{"password":true,"id":true}`: "i-0123", "true": "web-server"} {
		if out := shown(mark); strings.Contains(out, hidden) {
			t.Errorf("marked %s, %s is shown:\n%s", mark, hidden, out)
		}
	}
}

// TestHide_lists: the elements of lists in which secrets and copies of them are, marked or not, pair as they do when
// everything is shown.
func TestHide_lists(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	type item struct {
		text string
		mark bool
	}
	items := []item{{"public", false}, {"other", false}, {"swordfish-1", false}, {"swordfish-1", true}, {"swordfish-2", true}, {"x-swordfish-1", true}, {"swordfish-2", false}}
	text := func(list []item) (string, string) {
		values, marks := []string{}, []bool{}
		for _, x := range list {
			values, marks = append(values, x.text), append(marks, x.mark)
		}
		v, _ := json.Marshal(values)
		m, _ := json.Marshal(marks)
		return string(v), string(m)
	}
	shape := func(p *planjson.Plan) string {
		s := ""
		for _, c := range plandiff.Plan(p, plandiff.Options{Unchanged: true}).Resources[0].Object.Children[0].Children {
			s += fmt.Sprintf(" %d<%d:%s", c.Index, c.From, c.Status)
		}
		return s
	}
	for range 2000 {
		var before []item
		for range 1 + random.IntN(5) {
			before = append(before, items[random.IntN(len(items))])
		}
		if random.IntN(8) == 0 {
			before = []item{{"public", false}, {"swordfish-1", true}, {"other", false}, {"swordfish-1", true}, {"x-swordfish-1", true}}
		}
		after := slices.Clone(before)
		for range 1 + random.IntN(2) {
			if i := random.IntN(len(after) + 1); i < len(after) && random.IntN(2) == 0 {
				after = slices.Delete(after, i, i+1)
			} else {
				after = slices.Insert(after, i, items[random.IntN(len(items))])
			}
		}
		b, bm := text(before)
		a, am := text(after)
		src := `{"format_version":"1.2","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","change":{"actions":["update"],"before":{"l":` + b + `},"after":{"l":` + a +
			`},"before_sensitive":{"l":` + bm + `},"after_sensitive":{"l":` + am + `}}},{"address":"a_b.d","mode":"managed","type":"a_b","name":"d","change":{"actions":["create"],"before":null,"after":{"one":"swordfish-1","two":"swordfish-2"},"before_sensitive":false,"after_sensitive":{"one":true,"two":true}}}]}`
		p, err := planjson.DecodePlan([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if b == a && bm == am {
			continue
		}
		want := shape(p)
		if _, err := hide(p); err != nil {
			t.Fatal(err)
		}
		if got := shape(p); got != want {
			t.Fatalf("%s %s -> %s %s:\n%s\n%s", b, bm, a, am, got, want)
		}
	}
}

// A number that is a copy of a secret is not shown as another number.
func TestHide_numbers(t *testing.T) {
	const text = `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],` +
		`"before":{"pin":8172635401,"copy":{"h":8172635401,"zero":0},"l":[1]},"after":{"pin":8172635402,"copy":{"h":8172635402,"zero":0},"l":[1,8172635402,7]},` +
		`"after_unknown":{},"before_sensitive":{"pin":true},"after_sensitive":{"pin":true}}}]}`
	p, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hide(p); err != nil {
		t.Fatal(err)
	}
	c := p.ResourceChanges[0].Change
	if got, want := string(c.After), `"copy":{"h":"(sensitive value) ","zero":0},"l":[1,"(sensitive value)",7]`; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := string(c.Before), `"copy":{"h":"(sensitive value)","zero":0},"l":[1]`; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	if shown := plandiff.Plan(p, plandiff.Options{}).Resources[0].Text(); strings.Contains(shown, "81726354") || strings.Contains(shown, "= 0") || !strings.Contains(shown, "h    = (sensitive value)") {
		t.Errorf("%s", shown)
	}
}

func TestWithoutStandIns(t *testing.T) {
	for _, c := range []struct{ was, now, want string }{
		{`{"n":7,"b":true,"o":{"x":1},"l":[1],"s":"t"}`, `{"n":0,"b":false,"o":{},"l":[],"s":"***"}`,
			`{"b":"(sensitive value)","l":"(sensitive value)","n":"(sensitive value)","o":"(sensitive value)","s":"***"}`},
		{`[{"n":7},[0,2],{},[],null]`, `[{"n":7},[0,0],{},[],null]`, `[{"n":7},[0,"(sensitive value)"],{},[],null]`},
	} {
		var x [2]any
		for i, text := range []string{c.was, c.now} {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			if err := d.Decode(&x[i]); err != nil {
				t.Fatal(err)
			}
		}
		v, found := withoutStandIns(x[0], x[1])
		if got, err := json.Marshal(v); err != nil || string(got) != c.want || !found {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
}
