// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"bytes"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var jsonSyntax = &hcllint.Analyzer{
	Name: "terraform_json_syntax",
	Doc: `A file in JSON syntax should be one object.

The parser also accepts an array of objects, which the documentation of the syntax does not
mention and other programs do not read.

	[{"variable": {"zone": {}}}, {"variable": {"name": {}}}]    finding
	{"variable": {"zone": {}, "name": {}}}                      no finding

The fix makes one object: values of the same property are merged if they are objects that do
not contradict each other, and otherwise become a list.`,
	URL:      page("terraform_json_syntax"),
	Severity: hcllint.Warning,
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range p.Module.Files {
			if f.Syntax() != hclconfig.JSONSyntax || f.Err() != nil {
				continue
			}
			src := f.Bytes()
			start := len(src) - len(bytes.TrimLeft(src, " \t\r\n"))
			if start >= len(src) || src[start] != '[' {
				continue
			}
			all := addrs.Range{Filename: f.Filename(), Start: f.Position(0), End: f.Position(int64(len(src)))}
			d := hcllint.Diagnostic{
				Range:   addrs.Range{Filename: f.Filename(), Start: f.Position(int64(start)), End: f.Position(int64(start) + 1)},
				Message: "JSON configuration uses array syntax at root, expected object",
			}
			if text, ok := oneObject(src); ok {
				d.Fixes = replacing("Make it one object", f, all, constant(text))
			}
			p.Report(d)
		}
		return nil, nil
	},
}

// A jsonValue is a JSON value whose objects can be merged: an object has members, any other
// value has its text.
type jsonValue struct {
	object  bool
	members []jsonMember
	items   []*jsonValue // of an array
	text    string       // of all else
}

func (v *jsonValue) isArray() bool { return !v.object && v.text == "" }

type jsonMember struct {
	name  string // as it is written, with quotes
	value *jsonValue
}

// oneObject returns the text of the object that an array of objects means.
func oneObject(src []byte) (string, bool) {
	root, ok := readJSONValue(src)
	if !ok {
		return "", false
	}
	var objects []*jsonValue
	for _, item := range root.items {
		if item.object {
			objects = append(objects, item)
		}
	}
	if len(objects) != len(root.items) {
		return "", false // something would be lost
	}
	var b strings.Builder
	mergeAll(objects).write(&b, "")
	b.WriteByte('\n')
	return b.String(), true
}

// mergeAll returns one object with the properties of all, in the order in which each comes
// first.
func mergeAll(objects []*jsonValue) *jsonValue {
	names, values := grouped(objects)
	out := &jsonValue{object: true}
	for _, name := range names {
		same := values[name]
		v := same[0]
		switch {
		case len(same) == 1:
		case canMerge(same):
			v = mergeAll(same)
		default:
			v = &jsonValue{}
			for _, x := range same {
				if x.isArray() {
					v.items = append(v.items, x.items...) // a list in a list is no block
				} else {
					v.items = append(v.items, x)
				}
			}
		}
		out.members = append(out.members, jsonMember{name, v})
	}
	return out
}

// grouped returns the names of the properties in order, and the values that each has.
func grouped(objects []*jsonValue) (names []string, values map[string][]*jsonValue) {
	values = map[string][]*jsonValue{}
	for _, o := range objects {
		for _, m := range o.members {
			if values[m.name] == nil {
				names = append(names, m.name)
			}
			values[m.name] = append(values[m.name], m.value)
		}
	}
	return names, values
}

// canMerge reports whether values are objects that do not contradict each other.
func canMerge(values []*jsonValue) bool {
	for _, v := range values {
		if !v.object {
			return false
		}
	}
	_, inner := grouped(values)
	for _, same := range inner {
		if len(same) > 1 && !canMerge(same) {
			return false
		}
	}
	return true
}
