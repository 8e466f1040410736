// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
)

func expression(t *testing.T, text string) *planjson.Expression {
	t.Helper()
	e := new(planjson.Expression)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestExpressionShape(t *testing.T) {
	for text, want := range map[string]struct {
		shape    string
		constant bool
	}{
		`{}`:                                                    {"expression", false},
		`{"constant_value":null}`:                               {"expression", true},
		`{"constant_value":1}`:                                  {"expression", true},
		`{"constant_value":1,"references":[]}`:                  {"expression", true},
		`{"references":["var.a"]}`:                              {"expression", false},
		`{"constant_value":1,"references":["a.b"]}`:             {"expression", false},
		`{"a":{}}`:                                              {"block", false},
		`{"references":{"constant_value":1}}`:                   {"block", false},
		`{"references":[{"a":{}}]}`:                             {"block", false},
		`{"constant_value":{},"references":{}}`:                 {"block", false},
		`{"constant_value":{},"references":[{}]}`:               {"block", false},
		`{ "constant_value" : [ 1 ] , "references" : [ "a" ] }`: {"expression", false},
		`{"constant_value":1,"references":null}`:                {"expression", true},
		`{"constant_value":1,"newer":{}}`:                       {"expression", true},
		`[]`:                                                    {"blocks", false},
		`[{}]`:                                                  {"blocks", false},
		`"text"`:                                                {"raw", false},
		`7`:                                                     {"raw", false},
	} {
		e := expression(t, text)
		if shapeOf(e) != want.shape || e.IsConstant() != want.constant {
			t.Errorf("%s: shape %v, constant %v", text, shapeOf(e), e.IsConstant())
		}
		if back, err := e.MarshalJSON(); err != nil || string(back) != text {
			t.Errorf("%s became %s, %v", text, back, err)
		}
	}
	mixed := &planjson.Expression{Raw: planjson.Value("1"), References: []string{"var.a"}}
	if shapeOf(mixed) != "mixed" {
		t.Error("mixed")
	}
	if _, err := json.Marshal(mixed); err == nil {
		t.Error("an expression with two shapes was encoded")
	}
}

func TestExpressionRefs(t *testing.T) {
	for _, row := range []struct {
		name string
		refs []string
		want []string
	}{
		{"none", nil, nil},
		{"variable", []string{"var.a"}, []string{"var.a"}},
		{"attribute", []string{"t.n.id", "t.n"}, []string{"t.n.id"}},
		{"twice", []string{"t.n.id", "t.n", "t.n.id", "t.n"}, []string{"t.n.id", "t.n.id"}},
		{"attribute and whole", []string{"t.n.id", "t.n", "t.n"}, []string{"t.n.id", "t.n"}},
		{"instance", []string{"a.b[0].id", "a.b[0]", "a.b", "a.b[0].id", "a.b[0]", "a.b"}, []string{"a.b[0].id", "a.b[0].id"}},
		{"whole instance", []string{"a.b[0]", "a.b"}, []string{"a.b[0]"}},
		{"module output", []string{"module.m.out.x", "module.m.out", "module.m"}, []string{"module.m.out.x"}},
		{"module instance output", []string{`module.m["k"].out`, `module.m["k"]`}, []string{`module.m["k"].out`}},
		{"each", []string{"each.value.note", "each.value"}, []string{"each.value.note"}},
		{"cut short", []string{"t.n.id"}, []string{"t.n.id"}},
		{"another list", []string{"t.n.id", "t.m"}, []string{"t.n.id", "t.m"}},
		{"not a reference", []string{"var.a", "!", "var.b"}, []string{"var.a", "planjson: (/references/1)", "var.b"}},
	} {
		e := &planjson.Expression{References: row.refs}
		var got []string
		for ref, err := range e.Refs() {
			if err != nil {
				text, _, _ := strings.Cut(err.Error(), "): ")
				got = append(got, text+")")
				continue
			}
			got = append(got, ref.String())
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
		for range e.Refs() {
			break
		}
	}
}

// All references in the recordings are understood.
func TestRecordingsRefs(t *testing.T) {
	n := 0
	for _, r := range recordings(t, "plan", "config") {
		doc, err := decodeAs(r.kind, r.text)
		if err != nil {
			t.Fatal(err)
		}
		config, ok := doc.value.(*planjson.Config)
		if !ok {
			config = doc.value.(*planjson.Plan).Config()
		}
		each := func(at string, exprs map[string]*planjson.Expression) {
			for name, e := range planjson.AllExpressions(exprs) {
				listed := len(e.References)
				for ref, err := range e.Refs() {
					if err != nil {
						t.Errorf("%s: %s.%s: %v", r.name, at, name, err)
						continue
					}
					for range ref.PlanReferences() {
						listed--
					}
					n++
				}
				if listed != 0 {
					t.Errorf("%s: %s.%s: %q is not made of these references", r.name, at, name, e.References)
				}
			}
		}
		for address, res := range config.AllResources() {
			each(address, res.Expressions)
		}
		for address, m := range config.AllModules() {
			for name, call := range m.ModuleCalls {
				each(address+"."+name, call.Expressions)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d references", n)
	}
}

// Places have a limit: each of many arguments in nested blocks has one.
func TestPlacesOfDeepBlocks(t *testing.T) {
	const levels = 2000
	e := expression(t, strings.Repeat(`[{"y":{"references":["var.v"]},"block":`, levels)+"{}"+strings.Repeat("}]", levels))
	total, last := 0, ""
	for at := range planjson.AllExpressions(map[string]*planjson.Expression{"x": e}) {
		total += len(at)
		if len(at) > len(last) {
			last = at
		}
	}
	if total == 0 || total > levels*1100 {
		t.Errorf("the places of %d arguments have %d bytes", levels, total)
	}
	if want := "...block[0]."; !strings.HasPrefix(last, want) && !strings.HasPrefix(last, "x[0].block[0]") || len(last) > 1100 {
		t.Errorf("the longest place is %s", last)
	}
}

func TestAllExpressions(t *testing.T) {
	exprs := map[string]*planjson.Expression{
		"z":    expression(t, `{"constant_value":1}`),
		"one":  expression(t, `{"b":{},"a":{"references":["var.a"]}}`),
		"many": expression(t, `[{"x":{}},{},{"y":{"deep":[{"v":{}}]}}]`),
		"raw":  expression(t, `5`),
		"nil":  nil,
	}
	var got []string
	for at, e := range planjson.AllExpressions(exprs) {
		got = append(got, at+" "+shapeOf(e))
	}
	want := []string{
		"many[0].x expression", "many[2].y.deep[0].v expression", "one.a expression", "one.b expression", "raw raw", "z expression",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for range planjson.AllExpressions(exprs) {
		break
	}
	loop := new(planjson.Expression)
	loop.Block = map[string]*planjson.Expression{"l": loop, "e": {}}
	n := 0
	for range planjson.AllExpressions(loop.Block) {
		if n++; n == 50 {
			break
		}
	}
	if n != 50 {
		t.Error("nothing in a loop")
	}
}

func TestBlockTyped(t *testing.T) {
	attribute := &planjson.Attribute{Type: planjson.Value(`"string"`)}
	inner := &planjson.Block{
		Attributes: map[string]*planjson.Attribute{"constant_value": attribute, "references": attribute, "x": attribute},
		BlockTypes: map[string]*planjson.BlockType{},
	}
	nested := func(mode planjson.NestingMode) *planjson.BlockType {
		return &planjson.BlockType{NestingMode: mode, Block: inner}
	}
	schema := &planjson.Block{
		Attributes: map[string]*planjson.Attribute{"a": attribute, "b": attribute},
		BlockTypes: map[string]*planjson.BlockType{
			"single": nested("single"), "group": nested("group"), "list": nested("list"), "set": nested("set"), "map": nested("map"),
			"odd": nested("odd"),
		},
	}
	for _, row := range []struct{ name, text, want string }{
		{"right guesses", `{"a":{"constant_value":1},"single":{"x":{}},"list":[{"x":{}}],"map":{"k":{"x":{}}}}`,
			`a:expression single:block[x:expression] list:blocks[0:block[x:expression]] map:block[k:block[x:expression]]`},
		{"empty blocks", `{"single":{},"group":{},"list":[{},{}],"set":[],"map":{}}`,
			`group:block[] list:blocks[0:block[] 1:block[]] map:block[] set:blocks[] single:block[]`},
		{"empty blocks by label", `{"map":{"k":{},"constant_value":{}}}`, `map:block[constant_value:block[] k:block[]]`},
		{"a block that looks like an expression", `{"single":{"constant_value":{"constant_value":1},"x":{"references":["var.a"]}}}`,
			`single:block[constant_value:expression x:expression]`},
		{"blocks that look like expressions", `{"list":[{"constant_value":{}},{"references":{"references":[]}}]}`,
			`list:blocks[0:block[constant_value:expression] 1:block[references:expression]]`},
		{"a block with both", `{"single":{"constant_value":{"constant_value":1},"references":{"references":["var.a"]}}}`,
			`single:block[constant_value:expression references:expression]`},
		{"labels with both", `{"map":{"constant_value":{"x":{}},"references":{"references":{}}}}`,
			`map:block[constant_value:block[x:expression] references:block[references:expression]]`},
		{"a label that looks like an expression", `{"map":{"constant_value":{"x":{}},"z":{"references":{}}}}`,
			`map:block[constant_value:block[x:expression] z:block[references:expression]]`},
		{"names of a newer provider", `{"new":{"x":{}},"odd":{"constant_value":1}}`, `new:block[x:expression] odd:expression`},
	} {
		var exprs map[string]*planjson.Expression
		if err := json.Unmarshal([]byte(row.text), &exprs); err != nil {
			t.Fatal(err)
		}
		got, err := schema.Typed(exprs)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if s := shapes(got); s != sortWords(row.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, s, sortWords(row.want))
		}
		var before, after any
		text, err := json.Marshal(got)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if json.Unmarshal(text, &after) != nil || json.Unmarshal([]byte(row.text), &before) != nil || !cmp.Equal(before, after) {
			t.Errorf("%s: %s became %s", row.name, row.text, text)
		}
	}
	for want, text := range map[string]string{
		"planjson: (/a): unexpected kind of value: array instead of expression":                             `{"a":[]}`,
		"planjson: (/single): unexpected kind of value: array instead of block":                             `{"single":[{}]}`,
		"planjson: (/list): unexpected kind of value: object instead of blocks":                             `{"list":{"x":{}}}`,
		"planjson: (/list/1): unexpected kind of value: number instead of block":                            `{"list":[{},1]}`,
		"planjson: (/map/a~1b): unexpected kind of value: string instead of block":                          `{"map":{"a/b":"x"}}`,
		"planjson: (/single/x): unexpected kind of value: number instead of expression":                     `{"single":{"x":1}}`,
		"planjson: (/a/references): unexpected kind of value: expected an array of strings, found a number": `{"a":{"y":1,"references":1}}`,
		"planjson: (/a): unexpected kind of value":                                                          `null`,
	} {
		var exprs map[string]*planjson.Expression
		if text == "null" {
			exprs = map[string]*planjson.Expression{"a": nil}
		} else if err := json.Unmarshal([]byte(text), &exprs); err != nil {
			t.Fatal(err)
		}
		var e *planjson.Error
		if _, err := schema.Typed(exprs); !errors.As(err, &e) || !errors.Is(err, planjson.ErrKind) || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
	// A member that a newer tool puts before the references.
	newer := map[string]*planjson.Expression{"a": expression(t, `{"new_member":1,"references":["var.a"]}`)}
	got, err := schema.Typed(newer)
	if err != nil || shapeOf(got["a"]) != "expression" || got["a"].References[0] != "var.a" {
		t.Errorf("an expression that looks like a block: %v", err)
	}
	for name, v := range planjson.Extra(got["a"]) {
		if name != "new_member" || string(v) != "1" {
			t.Errorf("extra member %s: %s", name, v)
		}
	}
	exprs := map[string]*planjson.Expression{"a": {}}
	if got, err := (*planjson.Block)(nil).Typed(exprs); err != nil || got["a"] != exprs["a"] {
		t.Error("a nil block")
	}
	if got, err := schema.Typed(nil); err != nil || got != nil {
		t.Error("nil expressions")
	}
}

// shapes describes the shapes of expressions, sorted by name.
func shapes(exprs map[string]*planjson.Expression) string {
	var words []string
	for name, e := range exprs {
		words = append(words, name+":"+shape(e))
	}
	return sortWords(strings.Join(words, " "))
}

func shape(e *planjson.Expression) string {
	switch shapeOf(e) {
	case "block":
		return "block[" + shapes(e.Block) + "]"
	case "blocks":
		var words []string
		for i, b := range e.Blocks {
			words = append(words, string(rune('0'+i))+":"+shape(b))
		}
		return "blocks[" + strings.Join(words, " ") + "]"
	}
	return shapeOf(e)
}

// shapeOf names the shape of e, as its fields tell it.
func shapeOf(e *planjson.Expression) string {
	names := []string{"expression"}
	if e.ConstantValue == nil && e.References == nil {
		names = nil
	}
	for name, set := range map[string]bool{"block": e.Block != nil, "blocks": e.Blocks != nil, "raw": e.Raw != nil} {
		if set {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		return "expression"
	case 1:
		return names[0]
	}
	return "mixed"
}

// sortWords sorts the words of s that are not in brackets.
func sortWords(s string) string {
	var words []string
	depth, start := 0, 0
	for i, r := range s + " " {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case ' ':
			if depth == 0 {
				if i > start {
					words = append(words, s[start:i])
				}
				start = i + 1
			}
		}
	}
	for i := range words {
		for j := i; j > 0 && words[j] < words[j-1]; j-- {
			words[j], words[j-1] = words[j-1], words[j]
		}
	}
	return strings.Join(words, " ")
}

// With the schemas, every expression of the recordings is in its shape, the
// guesses that were right are shared, and nothing is lost.
func TestRecordingsTyped(t *testing.T) {
	all := schemas(t)
	n, blocks := 0, 0
	for _, r := range recordings(t, "plan") {
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			t.Fatal(err)
		}
		for address, res := range plan.Config().AllResources() {
			schema := schemaOf(plan, res, all)
			if schema == nil {
				continue
			}
			typed, err := schema.Block.Typed(res.Expressions)
			if err != nil {
				t.Errorf("%s: %s: %v", r.name, address, err)
				continue
			}
			for name, e := range typed {
				n++
				if e != res.Expressions[name] && shapeOf(e) == "expression" {
					t.Errorf("%s: %s.%s was guessed wrong", r.name, address, name)
				}
				nested := schema.Block.BlockTypes[name]
				if nested == nil {
					continue
				}
				blocks++
				want := "block"
				if nested.NestingMode == planjson.NestingList || nested.NestingMode == planjson.NestingSet {
					want = "blocks"
				}
				if shapeOf(e) != want {
					t.Errorf("%s: %s.%s is %v", r.name, address, name, shapeOf(e))
				}
			}
		}
	}
	if n < 500 || blocks < 50 {
		t.Errorf("only %d expressions, %d nested blocks", n, blocks)
	}
}
