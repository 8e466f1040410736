// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// partOf returns the first part of that form in the argument x of the locals.
func partOf(t *testing.T, f *hclconfig.File, form hclconfig.Form) hclconfig.Expression {
	t.Helper()
	for x := range f.Body().Block("locals").Argument("x").All() {
		if x.Form() == form {
			return x
		}
	}
	t.Fatalf("no %s", form)
	return hclconfig.Expression{}
}

// TestEditInsideStrings edits lists, objects and calls that are in JSON strings.
func TestEditInsideStrings(t *testing.T) {
	entry := hcledit.Entry{Key: "new key", Value: hcledit.String(`"q" ${x}`)}
	for _, c := range []struct {
		name, in, want string
		edit           func(*hcledit.Editor, func(hclconfig.Form) hclconfig.Expression)
	}{
		{"insert an argument", `${merge(local.a, # é\n  { b = \"\u0063\" })}`, `${merge(local.a, # é\n  { b = \"\u0063\" },\n  local.d)}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Insert(part(hclconfig.FormCall), hcledit.Source("local.d"))
		}},
		{"insert an item", `${merge(local.a, { b = \"\u0063\" })}`, `${merge(local.a, { b = \"\u0063\", \"new key\" = \"\\\"q\\\" $${x}\" })}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Insert(part(hclconfig.FormObject), entry)
		}},
		{"replace an item", `${{ b = \"\u0063\", \"new key\" = 1, d = 2 }}`, `${{ b = \"\u0063\", \"new key\" = \"\\\"q\\\" $${x}\", d = 2 }}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Insert(part(hclconfig.FormObject), entry)
		}},
		{"insert before an element", `a ${join(\"-\", [ü, c])} d`, `a ${join(\"-\", [ü, \"x\", c])} d`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			list := part(hclconfig.FormList)
			e.Insert(list, "x", hcledit.Before(list.Parts()[1]))
		}},
		{"delete an element", `\u0061 ${join(\"-\", [b, c])} d`, `\u0061 ${join(\"-\", [c])} d`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Delete(part(hclconfig.FormList).Parts()[0])
		}},
		{"delete an item", `${~ f({b = 1, c = 2}) ~}`, `${~ f({c = 2}) ~}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			members, _ := part(hclconfig.FormObject).Members()
			e.Delete(members[0])
		}},
		{"move an element", `${[b, c, d]}`, `${[d, b, c]}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Move(part(hclconfig.FormList).Parts()[2], hcledit.First())
		}},
		{"sort", `${(f([d, c, b]))}`, `${(f([b, c, d]))}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Sort(part(hclconfig.FormList), func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) })
		}},
		{"more than one edit", `${f([b], {c = 1})} and ${g()}`, `${f([b, \"x\"], {})} and ${g()}`, func(e *hcledit.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			members, _ := part(hclconfig.FormObject).Members()
			e.Insert(part(hclconfig.FormList), "x").Delete(members[0])
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, "x.tf.json", `{"locals": {"x": "`+c.in+`"}}`)
			e := hcledit.Edit(f)
			c.edit(e, func(form hclconfig.Form) hclconfig.Expression { return partOf(t, f, form) })
			g, err := e.Apply()
			if err != nil {
				t.Fatal(err)
			}
			if want := `{"locals": {"x": "` + c.want + `"}}`; string(g.Bytes()) != want {
				t.Errorf("got\n%s\nwant\n%s", g.Bytes(), want)
			}
		})
	}
	// What cannot be done says so.
	f := mustParse(t, "x.tf.json", `{"locals": {"x": "%{ if a }${[b]}%{ endif }"}}`)
	if _, err := hcledit.Edit(f).Insert(partOf(t, f, hclconfig.FormList), 1).Apply(); !errors.Is(err, hcledit.ErrEdit) {
		t.Errorf("got %v", err)
	}
}

// What goes into a JSON file gets the layout that the file has.
func TestJSONLayout(t *testing.T) {
	const (
		flat  = `{"variable":{"v":{"type":"string"}}}`
		wide  = "{\n    \"variable\": {\n        \"v\": {\n            \"a\": [\n                1\n            ]\n        }\n    }\n}\n"
		tabs  = "{\n\t\"output\": {\n\t\t\"o\": {\n\t\t\t\"value\": [\"x\", {\"y\": [1]}, []],\n\n\t\t\t\"description\": \"a: [b, {c}]\"\n\t\t}\n\t}\n}\n"
		small = `{"output":{"o":{"value":["x",{"y":[1]},[],{}],"sensitive":true}}}`
	)
	move := func(from, to string) string {
		t.Helper()
		f, g := mustParse(t, "a.tf.json", from), mustParse(t, "b.tf.json", to)
		e := hcledit.Edit(g)
		if _, err := hcledit.Edit(f).Move(f.Body().Block("output"), hcledit.Into(e, nil)).Apply(); err != nil {
			t.Fatal(err)
		}
		out, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		return string(out.Bytes())
	}
	for _, c := range []struct{ name, got, want string }{
		{"of several lines to one", move(tabs, flat), `{"variable":{"v":{"type":"string"}},"output":{"o":{"value":["x",{"y":[1]},[]],"description":"a: [b, {c}]"}}}`},
		{"of one line to several", move(small, wide), strings.TrimSuffix(wide, "\n}\n") + ",\n    \"output\": {\n        \"o\": {\n            \"value\": [\n                \"x\",\n                {\n                    \"y\": [\n                        1\n                    ]\n                },\n                [],\n                {}\n            ],\n            \"sensitive\": true\n        }\n    }\n}\n"},
		{"of several lines to others", move(tabs, wide), strings.TrimSuffix(wide, "\n}\n") + ",\n    \"output\": {\n        \"o\": {\n            \"value\": [\"x\", {\"y\": [1]}, []],\n\n            \"description\": \"a: [b, {c}]\"\n        }\n    }\n}\n"},
		{"on one line of several", move("{\n  \"output\": {\n    \"o\": {\"value\": [1]}\n  }\n}\n", wide), strings.TrimSuffix(wide, "\n}\n") + ",\n    \"output\": {\n        \"o\": {\"value\": [1]}\n    }\n}\n"},
		{"of one line to the same", move(small, flat), `{"variable":{"v":{"type":"string"}},"output":{"o":{"value":["x",{"y":[1]},[],{}],"sensitive":true}}}`},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// A body in pieces stays one block.
	pieces := `{"output":{"o":[[{"value":1},{"sensitive":true}]]}}`
	for to, want := range map[string]string{
		`{}`:                             `{"output": {"o": [[{"value": 1}, {"sensitive": true}]]}}`,
		`{"output":{}}`:                  `{"output":{"o":[[{"value":1},{"sensitive":true}]]}}`,
		`{"output":{"p":{}}}`:            `{"output":{"p":{},"o":[[{"value":1},{"sensitive":true}]]}}`,
		`{"output":[]}`:                  `{"output":[{"o":[[{"value":1},{"sensitive":true}]]}]}`,
		`{"output":null}`:                `{"output":{"o":[[{"value":1},{"sensitive":true}]]}}`,
		`{"output":{"o":[{"value":2}]}}`: `{"output":{"o":[{"value":2},[{"value":1},{"sensitive":true}]]}}`,
		`{"output":{"o":{"value":2}}}`:   `{"output":{"o":[{"value":2},[{"value":1},{"sensitive":true}]]}}`,
	} {
		if diff := cmp.Diff(want, move(pieces, to)); diff != "" {
			t.Errorf("to %s (-want +got):\n%s", to, diff)
		}
	}
	set := func(src string, value any) string {
		t.Helper()
		f := mustParse(t, "a.tf.json", src)
		out, err := hcledit.Edit(f).Set(&f.Body().Blocks[0], "default", value).Apply()
		if err != nil {
			t.Fatal(err)
		}
		return string(out.Bytes())
	}
	// The default places are those of native syntax.
	f := mustParse(t, "a.tf.json", `{"resource":{"a":{"b":{"//":"c","x":1,"lifecycle":{},"depends_on":[]}}}}`)
	b := f.Body().Block("resource")
	out, err := hcledit.Edit(f).Set(b, "y", 2).Set(b, "provider", hcledit.Source("p.q")).Set(b, "count", 3).
		Add(b, hcledit.NewBlock("provisioner", "local-exec").Set("command", "z")).Apply()
	if want := `{"resource":{"a":{"b":{"//":"c","count":3,"provider":"p.q","x":1,"y":2,"provisioner":[{"local-exec":{"command":"z"}}],"lifecycle":{},"depends_on":[]}}}}`; err != nil || string(out.Bytes()) != want {
		t.Errorf("%v, %s", err, out.Bytes())
	}
	tags := hcledit.Object(hcledit.Entry{Key: "a", Value: hcledit.String("x")}, hcledit.Entry{Key: "b", Value: hcledit.List(hcledit.Int(1))})
	for _, c := range []struct{ name, got, want string }{
		{"lists have lines", set(wide, hcledit.List(hcledit.Int(1), hcledit.Int(2))), strings.Replace(wide, "            ]\n", "            ],\n            \"default\": [\n                1,\n                2\n            ]\n", 1)},
		{"lists have none", set(strings.Replace(wide, "[\n                1\n            ]", "[\"\\\"[\\n\"]", 1), hcledit.List(hcledit.Int(1), hcledit.Int(2))),
			"{\n    \"variable\": {\n        \"v\": {\n            \"a\": [\"\\\"[\\n\"],\n            \"default\": [1, 2]\n        }\n    }\n}\n"},
		{"objects in strings", set(`{"locals":{"v":{"type":"string"}}}`, hcledit.Function("merge", hcledit.Source("local.tags"), tags)),
			`{"locals":{"v":{"type":"string"},"default":"${merge(local.tags, {a = \"x\", b = [1]})}"}}`},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
