// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// readTree reads JSON text with the order of its members: objects are nodes, arrays []any.
func readTree(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readValue(d)
}

func readValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	delim, ok := t.(json.Delim)
	if err != nil || !ok {
		return t, err
	}
	n, list := node{}, []any{}
	for d.More() {
		name := ""
		if delim == '{' {
			t, err := d.Token()
			if err != nil {
				return nil, err
			}
			name = t.(string)
		}
		v, err := readValue(d)
		if err != nil {
			return nil, err
		}
		n, list = append(n, nodeMember{name, v}), append(list, v)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if delim == '{' {
		return n, nil
	}
	return list, nil
}

// get returns a member, or nil.
func (n node) get(name string) any {
	if i := slices.IndexFunc(n, func(e nodeMember) bool { return e.name == name }); i >= 0 {
		return n[i].value
	}
	return nil
}

// text returns a member that is a string, or "".
func (n node) text(name string) string {
	s, _ := n.get(name).(string)
	return s
}

// sameWord reduces a title or a name to what generators of code tell apart.
func sameWord(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// distinguish gives schemas of one title different ones: generators of code name types after
// titles, and some take two of one title for the same type. A property gets the title
// of what is around it in front, a definition that of its name.
func distinguish(root node) {
	count := map[string]int{}
	walkSchemas(root, "", func(n node, _ string) string {
		count[sameWord(n.text("title"))]++
		return ""
	})
	used := map[string]bool{sameWord(root.text("title")): true}
	defs, _ := root.get("$defs").(node)
	for _, d := range defs {
		n := d.value.(node)
		title := n.text("title")
		if used[sameWord(title)] {
			title = words(strings.Join(strings.FieldsFunc(d.name, func(r rune) bool { return r == '-' || r == '_' }), "_"))
		}
		n.retitle(title, used)
	}
	named := map[*nodeMember]bool{&root[0]: true} // the root and the definitions, which have their titles
	for _, d := range defs {
		named[&d.value.(node)[0]] = true
	}
	walkSchemas(root, "", func(n node, around string) string {
		title := n.text("title")
		if named[&n[0]] {
			return title
		}
		if count[sameWord(title)] > 1 {
			first := strings.ToLower(title[:1])
			if len(title) > 1 && unicode.IsUpper(rune(title[1])) {
				first = title[:1]
			}
			title = around + " " + first + title[1:]
		}
		return n.retitle(title, used)
	})
}

// retitle sets the title, with a number if it is used, and returns it.
func (n node) retitle(title string, used map[string]bool) string {
	name := title
	for i := 2; used[sameWord(name)]; i++ {
		name = title + " " + strconv.Itoa(i)
	}
	used[sameWord(name)] = true
	for i := range n {
		if n[i].name == "title" {
			n[i].value = name
		}
	}
	return name
}

// walkSchemas calls do for a schema and all schemas in it, with what do returned for the
// nearest titled one around.
func walkSchemas(n node, around string, do func(n node, around string) string) {
	if n.text("title") != "" {
		around = do(n, around)
	}
	for _, e := range n {
		switch e.name {
		case "properties", "$defs", "patternProperties":
			for _, p := range e.value.(node) {
				walkSchemas(p.value.(node), around, do)
			}
		default:
			if inner, ok := e.value.(node); ok {
				walkSchemas(inner, around, do)
			}
			list, _ := e.value.([]any)
			for _, v := range list {
				if inner, ok := v.(node); ok {
					walkSchemas(inner, around, do)
				}
			}
		}
	}
}
