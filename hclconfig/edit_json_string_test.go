// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
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
	entry := hclconfig.Entry{Key: "new key", Value: hclconfig.String(`"q" ${x}`)}
	for _, c := range []struct {
		name, in, want string
		edit           func(*hclconfig.Editor, func(hclconfig.Form) hclconfig.Expression)
	}{
		{"insert an argument", `${merge(local.a, # é\n  { b = \"\u0063\" })}`, `${merge(local.a, # é\n  { b = \"\u0063\" }, local.d)}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Insert(part(hclconfig.FormCall), hclconfig.Source("local.d"))
		}},
		{"insert an item", `${merge(local.a, { b = \"\u0063\" })}`, `${merge(local.a, { b = \"\u0063\", \"new key\" = \"\\\"q\\\" $${x}\" })}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Insert(part(hclconfig.FormObject), entry)
		}},
		{"replace an item", `${{ b = \"\u0063\", \"new key\" = 1, d = 2 }}`, `${{ b = \"\u0063\", \"new key\" = \"\\\"q\\\" $${x}\", d = 2 }}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Insert(part(hclconfig.FormObject), entry)
		}},
		{"insert before an element", `a ${join(\"-\", [ü, c])} d`, `a ${join(\"-\", [ü, \"x\", c])} d`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			list := part(hclconfig.FormList)
			e.Insert(list, "x", hclconfig.Before(list.Parts()[1]))
		}},
		{"delete an element", `\u0061 ${join(\"-\", [b, c])} d`, `\u0061 ${join(\"-\", [c])} d`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Delete(part(hclconfig.FormList).Parts()[0])
		}},
		{"delete an item", `${~ f({b = 1, c = 2}) ~}`, `${~ f({c = 2}) ~}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			members, _ := part(hclconfig.FormObject).Members()
			e.Delete(members[0])
		}},
		{"move an element", `${[b, c, d]}`, `${[d, b, c]}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Move(part(hclconfig.FormList).Parts()[2], hclconfig.First())
		}},
		{"sort", `${(f([d, c, b]))}`, `${(f([b, c, d]))}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			e.Sort(part(hclconfig.FormList), func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) })
		}},
		{"more than one edit", `${f([b], {c = 1})} and ${g()}`, `${f([b, \"x\"], {})} and ${g()}`, func(e *hclconfig.Editor, part func(hclconfig.Form) hclconfig.Expression) {
			members, _ := part(hclconfig.FormObject).Members()
			e.Insert(part(hclconfig.FormList), "x").Delete(members[0])
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, "x.tf.json", `{"locals": {"x": "`+c.in+`"}}`)
			e := f.Edit()
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
	if _, err := f.Edit().Insert(partOf(t, f, hclconfig.FormList), 1).Apply(); !errors.Is(err, hclconfig.ErrEdit) {
		t.Errorf("got %v", err)
	}
}
