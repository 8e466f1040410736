// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// A change is what the document has of a resource, read without this library.
type change struct {
	Address    string
	Actions    []string
	Class      string
	Attributes []attribute
}

type attribute struct {
	Path              []any
	BeforePath        []any `json:"before_path"`
	Change            string
	Before, After     any
	BeforeSensitive   bool `json:"before_sensitive"`
	AfterSensitive    bool `json:"after_sensitive"`
	AfterUnknown      bool `json:"after_unknown"`
	ForcesReplacement bool `json:"forces_replacement"`
}

func decodeAny(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// at returns the value that a path leads to, nil if there is none.
func at(v any, path []any) any {
	for _, step := range path {
		switch x := v.(type) {
		case map[string]any:
			name, _ := step.(string)
			v = x[name]
		case []any:
			var i int
			if n, err := fmt.Sscan(fmt.Sprint(step), &i); n != 1 || err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// same compares by value: null is like absent, and numbers count as numbers.
func same(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		p, _, err := big.ParseFloat(string(x), 10, 2000, big.ToNearestEven)
		q, _, err2 := big.ParseFloat(string(y), 10, 2000, big.ToNearestEven)
		return err == nil && err2 == nil && p.Cmp(q) == 0
	case map[string]any:
		y, ok := b.(map[string]any)
		for name := range y {
			ok = ok && same(x[name], y[name])
		}
		for name := range x {
			ok = ok && same(x[name], y[name])
		}
		return ok
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	}
	return reflect.DeepEqual(a, b)
}

// scalars adds the places of the scalars that differ where no list is on the way.
func scalars(before, after any, path []any, into map[string]bool) {
	b, bMap := before.(map[string]any)
	a, aMap := after.(map[string]any)
	if bMap && len(b) > 0 || aMap && len(a) > 0 {
		if before != nil && !bMap || after != nil && !aMap {
			return // of another kind
		}
		names := map[string]bool{}
		for name := range b {
			names[name] = true
		}
		for name := range a {
			names[name] = true
		}
		for name := range names {
			scalars(b[name], a[name], append(slices.Clip(path), name), into)
		}
		return
	}
	_, bList := before.([]any)
	_, aList := after.([]any)
	if !bList && !aList && !same(before, after) {
		into[fmt.Sprint(path...)] = true
	}
}

// The rules that a reader of the document may rely on hold for every recorded plan.
func TestDocument_Laws(t *testing.T) {
	looked := 0
	for _, r := range plantest.Recordings(t, "../testdata", "plan") {
		p, err := planjson.DecodePlan(r.Text)
		if err != nil {
			continue
		}
		text, err := plandiff.Plan(p, plandiff.Options{}).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var doc struct{ Resources, Drift []change }
		decodeAny(t, text, &doc)
		changes := map[string]*planjson.ResourceChange{}
		for _, rc := range p.ResourceChanges {
			if rc.Deposed == "" {
				changes[rc.Address] = rc
			}
		}
		for _, c := range doc.Resources {
			if c.Attributes == nil {
				t.Errorf("%s: %s: no list of attributes", r.Name, c.Address)
			}
			for _, a := range c.Attributes {
				for _, v := range []any{a.Before, a.After} {
					switch v := v.(type) {
					case map[string]any:
						if len(v) > 0 {
							t.Errorf("%s: %s: %v has parts", r.Name, c.Address, v)
						}
					case []any:
						if len(v) > 0 {
							t.Errorf("%s: %s: %v has parts", r.Name, c.Address, v)
						}
					}
				}
			}
			rc := changes[c.Address]
			if rc == nil || rc.Change.Actions.IsForget() || bytes.Contains(rc.Change.BeforeSensitive, []byte("true")) || bytes.Contains(rc.Change.AfterSensitive, []byte("true")) || bytes.Contains(rc.Change.AfterUnknown, []byte("true")) {
				continue
			}
			looked++
			checkChange(t, r.Name, rc, c)
		}
	}
	if looked < 40 {
		t.Errorf("only %d changes were looked at", looked)
	}
}

// checkChange checks the rules for a change of which nothing is hidden or unknown.
func checkChange(t *testing.T, name0 string, rc *planjson.ResourceChange, c change) {
	t.Helper()
	var before, after any
	if rc.Change.Before != nil {
		decodeAny(t, rc.Change.Before, &before)
	}
	if rc.Change.After != nil {
		decodeAny(t, rc.Change.After, &after)
	}
	b, _ := before.(map[string]any)
	a, _ := after.(map[string]any)
	want, got := map[string]bool{}, map[string]bool{}
	for name := range b {
		want[name] = !same(b[name], a[name])
	}
	for name := range a {
		want[name] = !same(b[name], a[name])
	}
	leaves, told := map[string]bool{}, map[string]bool{}
	scalars(before, after, nil, leaves)
	for _, x := range c.Attributes {
		got[fmt.Sprint(x.Path[0])] = true
		isList := slices.ContainsFunc(x.Path, func(step any) bool { _, ok := step.(json.Number); return ok })
		if !isList {
			told[fmt.Sprint(x.Path...)] = true
		}
		from := x.Path
		if x.BeforePath != nil {
			from = x.BeforePath
		}
		if v := at(after, x.Path); x.Change != "removed" && x.After != nil && !same(v, x.After) {
			t.Errorf("%s: %s: %v has %v after, not %v", name0, c.Address, x.Path, v, x.After)
		}
		if v := at(before, from); x.Change != "added" && x.Before != nil && !same(v, x.Before) {
			t.Errorf("%s: %s: %v had %v before, not %v", name0, c.Address, from, v, x.Before)
		}
	}
	for name, differs := range want {
		onlyNulls := reflect.DeepEqual(leavesOf(b[name]), leavesOf(a[name])) // needs no element
		if differs != got[name] && !(differs && onlyNulls) {
			t.Errorf("%s: %s: %s differs: %v, told: %v", name0, c.Address, name, differs, got[name])
		}
	}
	for path := range leaves {
		if !told[path] {
			t.Errorf("%s: %s: %s differs and has no element", name0, c.Address, path)
		}
	}
}

// The rules hold for lists in which elements come, go, move and change.
func TestDocument_RandomLists(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	element := func(i int) string {
		switch random.IntN(4) {
		case 0:
			return fmt.Sprint(i)
		case 1:
			return fmt.Sprintf(`{"name":"n%d","port":%d,"tags":["a","t%d"]}`, i, random.IntN(3), random.IntN(3))
		}
		return fmt.Sprintf(`{"name":"n%d","port":%d}`, i, random.IntN(3))
	}
	list := func() string {
		var elements []string
		for _, i := range random.Perm(6)[:random.IntN(6)] {
			elements = append(elements, element(i))
		}
		return "[" + strings.Join(elements, ",") + "]"
	}
	for range 2000 {
		before, after := `{"l":`+list()+`,"m":{"k":`+list()+`}}`, `{"l":`+list()+`,"m":{"k":`+list()+`}}`
		rc := &planjson.ResourceChange{Address: "t.a", Change: planjson.Change{Actions: planjson.Actions{planjson.ActionUpdate}, Before: planjson.Value(before), After: planjson.Value(after)}}
		text, err := plandiff.Plan(&planjson.Plan{ResourceChanges: []*planjson.ResourceChange{rc}}, plandiff.Options{}).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var doc struct{ Resources []change }
		decodeAny(t, text, &doc)
		checkChange(t, before+" -> "+after, rc, doc.Resources[0])
		if t.Failed() {
			t.FailNow()
		}
	}
}

// leavesOf returns what of a value is not null.
func leavesOf(v any) (list []any) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for _, e := range v {
			list = append(list, leavesOf(e)...)
		}
	case []any:
		for _, e := range v {
			list = append(list, leavesOf(e)...)
		}
	default:
		return []any{v}
	}
	return list
}

// documentOf returns the attributes of one change.
func documentOf(t *testing.T, members string) []attribute {
	t.Helper()
	text := `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],` + members + `}}]}`
	p, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(plandiff.Plan(p, plandiff.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Resources []change }
	decodeAny(t, out, &doc)
	return doc.Resources[0].Attributes
}

func TestDocument_Attributes(t *testing.T) {
	for _, c := range []struct{ members, want string }{
		{`"before":{"n":1.50,"t":{"Owner":"ann"}},"after":{"n":1.5,"t":{}}`, `[t Owner] removed ann <nil>`},
		// An element whose parts are all null has the first of them in its place.
		{`"before":{"r":[]},"after":{"r":[{"v":null,"w":null}]}`, `[r 0 v] added <nil> <nil>`},
		{`"before":{"r":[{"v":1},{"v":{"w":[null]}}]},"after":{"r":[{"v":1}]}`, `[r 1 v w 0] removed <nil> <nil>`},
		{`"before":null,"after":{"r":[{"s":[{"v":null},{"v":"x"},null]}]}`, `[r 0 s 0 v] added <nil> <nil>; [r 0 s 1 v] added <nil> x; [r 0 s 2] added <nil> <nil>`},
		{`"before":{"r":[{"name":"a","p":1},{"name":"b","p":2},{"name":"c","p":3}]},"after":{"r":[{"name":"b","p":2},{"name":"c","p":4}]}`, `[r 0 name] removed a <nil>; [r 0 p] removed 1 <nil>; [r 1 p] from [r 2 p] changed 3 4`},
		{`"before":{"x":null},"after":{"x":"v"}`, `[x] added <nil> v`},
		{`"before":{"p":"old"},"after":{"p":"new"},"before_sensitive":{"p":true},"after_sensitive":{"p":true}`, `[p] changed <nil> <nil> sensitive`},
		{`"before":{"a":"b"},"after":{},"after_unknown":{"a":true}`, `[a] changed b <nil> unknown`},
		{`"before":{"d":{"z":[{"s":10}]}},"after":{"d":{"z":[{"s":20}]}},"replace_paths":[["d","z"]]`, `[d z 0 s] changed 10 20 forces`},
		{`"before":{"d":"1"},"after":{"d":1}`, `[d] changed 1 1`},
		{`"before":{"d":[]},"after":{"d":{}}`, `[d] changed [] map[]`},
	} {
		var got []string
		for _, a := range documentOf(t, c.members) {
			s := fmt.Sprint(a.Path)
			if a.BeforePath != nil {
				s += " from " + fmt.Sprint(a.BeforePath)
			}
			s += fmt.Sprint(" ", a.Change, " ", a.Before, " ", a.After)
			if a.BeforeSensitive && a.AfterSensitive {
				s += " sensitive"
			}
			if a.AfterUnknown {
				s += " unknown"
			}
			if a.ForcesReplacement {
				s += " forces"
			}
			got = append(got, s)
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s: got %s, want %s", c.members, g, c.want)
		}
	}
}

func TestReplacedBy(t *testing.T) {
	r := plandiff.Change(&planjson.ResourceChange{Change: planjson.Change{ReplacePaths: []planjson.Value{planjson.Value(`["a",0,"b"]`), planjson.Value(`["s",{"x":1},"y"]`)}}}, plandiff.Options{})
	if got, want := r.ReplacedBy(), [][]any{{"a", 0, "b"}, {"s"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

// Alike drift is one row behind what is planned.
func TestDrift_Alike(t *testing.T) {
	object := func(i int) string {
		return fmt.Sprintf(`{"address":"t.d[%d]","mode":"managed","type":"t","name":"d","index":%d,"provider_name":"p","change":{"actions":["update"],"before":{"size":1,"x":%d},"after":{"size":2,"x":%d}}}`, i, i, i, i)
	}
	var drift, before, after []string
	for i := range 400 {
		drift = append(drift, object(i))
	}
	for i := range 30 {
		before, after = append(before, fmt.Sprintf(`"attribute_%02d":"before-%d"`, i, i)), append(after, fmt.Sprintf(`"attribute_%02d":"after-%d"`, i, i))
	}
	text := `{"format_version":"1.2","resource_drift":[` + strings.Join(drift, ",") + `],"resource_changes":[{"address":"u.a","mode":"managed","type":"u","name":"a","provider_name":"p","change":{"actions":["update"],"before":{` +
		strings.Join(before, ",") + `},"after":{` + strings.Join(after, ",") + `}}}]}`
	p, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var md, plain bytes.Buffer
	d := plandiff.Plan(p, plandiff.Options{})
	if err := d.WriteMarkdown(&md, plandiff.MarkdownOptions{MaxBytes: 8000}); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteText(&plain, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{md.String(), plain.String()} {
		if n := strings.Count(out, "after-"); n != 30 || !strings.Contains(out, "400 objects of type t changed outside: size") {
			t.Errorf("%d of 30 attributes in %s", n, out)
		}
		if strings.Index(out, "u.a") > strings.Index(out, "changed outside: size") {
			t.Errorf("drift comes first: %s", out)
		}
	}
	if !strings.Contains(plain.String(), "t.d[399]") {
		t.Error("the addresses are missing")
	}
}

// Revealed values keep their marks.
func TestDocument_Reveal(t *testing.T) {
	const text = `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],
"before":{"pw":"hunter22","l":[{"x":1,"s":"aa"},{"x":2,"s":"bb"}],"m":{"k":"v"},"j":"{\"a\":1}","open":1},"after":{"pw":"hunter23","l":[{"x":2,"s":"bc"}],"m":{"k":"w","n":"o"},"j":"{\"a\":2}","open":2},
"before_sensitive":{"pw":true,"l":[{"s":true},{"s":true}],"m":true,"j":true},"after_sensitive":{"l":[{"s":true}],"m":true,"j":true}}}],
"output_changes":{"o":{"actions":["update"],"before":{"a":1},"after":{"a":2},"before_sensitive":true,"after_sensitive":true}}}`
	p, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := plandiff.Plan(p, plandiff.Options{Reveal: true}).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"path":["pw"],"change":"changed","before":"hunter22","after":"hunter23","before_sensitive":true}`,
		`{"path":["l",0,"s"],"change":"removed","before":"aa","after":null,"before_sensitive":true},{"path":["l",0,"x"],"change":"removed","before":1,"after":null}`,
		`{"path":["l",0,"s"],"before_path":["l",1,"s"],"change":"changed","before":"bb","after":"bc","before_sensitive":true,"after_sensitive":true}`,
		`{"path":["m","n"],"change":"added","before":null,"after":"o","after_sensitive":true}`,
		`{"path":["j"],"change":"changed","before":"{\"a\":1}","after":"{\"a\":2}","before_sensitive":true,"after_sensitive":true}`,
		`{"path":["open"],"change":"changed","before":1,"after":2}`,
		`{"name":"o","actions":["update"],"attributes":[{"path":["a"],"change":"changed","before":1,"after":2,"before_sensitive":true,"after_sensitive":true}]}`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is missing in %s", want, out)
		}
	}
	if again, _ := plandiff.Plan(p, plandiff.Options{}).MarshalJSON(); strings.Contains(string(again), "hunter") {
		t.Errorf("a value is shown: %s", again)
	}
}

// Alike changes are one row with the list of addresses; what is destroyed, imported or moved, and what
// differs in a value, has its own.
func TestChanges_Alike(t *testing.T) {
	var list []string
	add := func(i int, before, after, more string) {
		list = append(list, fmt.Sprintf(`{"address":"t.d[%d]","mode":"managed","type":"t","name":"d","index":%d,"provider_name":"p",%s"change":{"actions":["update"],"before":{"id":"i%d",%s},"after":{"id":"i%d",%s}}}`, i, i, more, i, before, i, after))
	}
	for i := range 160 {
		add(i, fmt.Sprintf(`"size":1,"x":%d`, i), fmt.Sprintf(`"size":2,"x":%d`, i), "")
	}
	add(160, `"size":1`, `"size":3`, "")
	add(161, `"size":1`, `"size":2`, `"previous_address":"t.old",`)
	for i := range 3 {
		list = append(list, fmt.Sprintf(`{"address":"t.gone[%d]","mode":"managed","type":"t","name":"gone","index":%d,"provider_name":"p","change":{"actions":["delete"],"before":{"size":1},"after":null}}`, i, i))
	}
	p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","resource_changes":[` + strings.Join(list, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	d := plandiff.Plan(p, plandiff.Options{})
	var md, limited, plain, page bytes.Buffer
	for _, err := range []error{
		d.WriteMarkdown(&md, plandiff.MarkdownOptions{}), d.WriteMarkdown(&limited, plandiff.MarkdownOptions{MaxBytes: 20_000}),
		d.WriteText(&plain, plandiff.TextOptions{}), d.WriteHTML(&page, plandiff.TextOptions{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for form, out := range map[string]string{"markdown": md.String(), "limited": limited.String(), "text": plain.String(), "html": page.String()} {
		if !strings.Contains(out, "160 objects of type ") || strings.Count(out, "1 -&gt; 2")+strings.Count(out, "1 -> 2") != 2 || strings.Count(out, "i7") > 0 {
			t.Errorf("%s: %s", form, out)
		}
		for i := range 162 {
			if !strings.Contains(out, fmt.Sprintf("t.d[%d]", i)) {
				t.Errorf("%s: the address %d is missing", form, i)
			}
		}
		for i := range 3 {
			if !strings.Contains(out, fmt.Sprintf("t.gone[%d]", i)) {
				t.Errorf("%s: the destroyed object %d is missing", form, i)
			}
		}
	}
	if n := strings.Count(page.String(), "<details "); n != 6 {
		t.Errorf("%d parts of the page", n)
	}
	if n := strings.Count(md.String(), "<details>"); n != 6 {
		t.Errorf("%d parts in Markdown", n)
	}
	// A group that takes more than its share of the room is named as its objects are.
	limited.Reset()
	if err := d.WriteMarkdown(&limited, plandiff.MarkdownOptions{MaxBytes: 5000}); err != nil {
		t.Fatal(err)
	}
	if out := limited.String(); !strings.Contains(out, "t.d[159]") || len(out) > 5000 {
		t.Errorf("%d: %s", len(out), out)
	}
}

// The table counts an object that is imported or moved and also changes in both columns.
func TestTable_Imports(t *testing.T) {
	const text = `{"format_version":"1.2","resource_changes":[` +
		`{"address":"t.a","previous_address":"t.old","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],"before":{"x":1},"after":{"x":2}}},` +
		`{"address":"u.b","mode":"managed","type":"u","name":"b","provider_name":"p","change":{"actions":["update"],"before":{"x":1},"after":{"x":2},"importing":{"id":"i"}}}]}`
	p, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := plandiff.Plan(p, plandiff.Options{}).WriteMarkdown(&b, plandiff.MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	if out := b.String(); !strings.Contains(out, "| Update | Move | Import |") || !strings.Contains(out, "| 1 |  | 1 |") || !strings.Contains(out, "| 1 | 1 |  |") {
		t.Error(out)
	}
}
