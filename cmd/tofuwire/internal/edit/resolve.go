// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A target is what an address leads to: a block, an argument, or a part of an
// expression.
type target struct {
	top   *hclconfig.Block // the block in no other that it is, or is in; nil without one
	in    *hclconfig.Block // what it is in; nil for the file
	block *hclconfig.Block
	arg   *hclconfig.Argument
	x     hclconfig.Expression // the expression of the argument, or the part of it
	list  hclconfig.Expression // what x is an element, an item or an argument of
	item  *hclconfig.Member    // if x is the value of an item
	at    int                  // which part of list it is
	depth int                  // how many tokens lead to in
	code  bool                 // x is in the code of a JSON string
}

// part returns what can be removed and moved.
func (t *target) part() hcledit.Part {
	switch {
	case t.block != nil:
		return t.block
	case t.item != nil:
		return *t.item
	case t.list.IsSet():
		return t.x
	}
	return t.arg
}

// unquoteKey returns the text of a quoted key.
func unquoteKey(s string) (string, error) {
	x, err := hclconfig.ParseExpression("", []byte(s), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		return "", fmt.Errorf("the key is not a string")
	}
	return x.Text()
}

// find returns what an address leads to, in the order of the text, for a step. It is an error if
// that is nothing.
func (s *session) find(verb string, a address) ([]target, error) {
	s.refresh(verb, a)
	out := s.walk(nil, s.body, a, 0, nil)
	if len(out) == 0 && s.isOld() {
		s.read()
		out = s.walk(nil, s.body, a, 0, nil)
	}
	if len(out) == 0 {
		if other := s.items(a); other != nil {
			return nil, nowhere("the address leads nowhere, but there is %s", other)
		}
		if hint := s.adds(verb, a); hint != "" {
			return nil, nowhere("the address leads nowhere; %s", hint)
		}
		return nil, nowhere("the address leads nowhere")
	}
	return out, nil
}

// items returns an address of items of an object that has the same names as a, if it leads to
// something: inputs["vpc_id"] for inputs.vpc_id.
func (s *session) items(a address) address {
	for i := len(a) - 1; i > 0 && a[i].kind != isAny; i-- {
		other := slices.Clone(a)
		for j := i; j < len(a); j++ {
			if other[j].kind == isName {
				other[j].kind = isKey
			}
		}
		if a[i].kind == isName && len(s.walk(nil, s.body, other, 0, nil)) > 0 {
			return other
		}
	}
	return nil
}

// adds says which step adds what a step "set" does not find, if the block or the value that it is
// to be in is there.
func (s *session) adds(verb string, a address) string {
	last := len(a) - 1
	if verb != "set" || last < 1 {
		return ""
	}
	within := slices.ContainsFunc(s.walk(nil, s.body, a[:last], 0, nil), func(t target) bool {
		return (t.block != nil) == (a[last].kind == isName)
	})
	switch {
	case !within:
		return ""
	case a[last].kind == isName:
		return fmt.Sprintf("append %s adds this argument", a)
	case a[last].kind == isKey:
		return fmt.Sprintf("insert %s adds this item", a)
	}
	return ""
}

// walk adds what the tokens of a from i on lead to in a body.
func (s *session) walk(in *hclconfig.Block, body *hclconfig.Body, a address, i int, out []target) []target {
	if body == nil || i >= len(a) || a[i].kind != isName {
		return out
	}
	if arg := body.Argument(a[i].name); arg != nil {
		if x, ok := stepInto(target{in: in, arg: arg, x: arg.Expression, depth: i}, a[i+1:]); ok {
			out = append(out, x)
		}
	}
	// Blocks of a type that the language does not know may have different numbers of labels.
	byLabels := map[int][]*hclconfig.Block{}
	for b := range s.blocks(body, a[i].name) {
		if matches(b, a[i+1:]) {
			byLabels[len(b.Labels)] = append(byLabels[len(b.Labels)], b)
		}
	}
	for _, labels := range slices.Sorted(maps.Keys(byLabels)) {
		found, next := byLabels[labels], i+1+labels
		if next < len(a) && a[next].kind == isIndex {
			if a[next].index < 0 || a[next].index >= len(found) {
				continue
			}
			found = found[a[next].index : a[next].index+1]
			next++
		}
		for _, b := range found {
			n := len(out)
			if next == len(a) {
				out = append(out, target{in: in, block: b, depth: i})
			} else {
				out = s.walk(b, s.bodyOf(b), a, next, out)
			}
			for k := n; in == nil && k < len(out); k++ {
				out[k].top = b
			}
		}
	}
	return out
}

// matches reports whether the first tokens are the labels of b.
func matches(b *hclconfig.Block, a address) bool { return matchesNames(b.Labels, a) }

// matchesNames reports whether the first tokens are these labels.
func matchesNames(labels []string, a address) bool {
	if len(a) < len(labels) {
		return false
	}
	for i, label := range labels {
		if a[i].kind != isAny && (a[i].kind != isName || a[i].name != label) {
			return false
		}
	}
	return true
}

// stepInto follows a path into an expression.
func stepInto(t target, path address) (target, bool) {
	for _, p := range path {
		next, ok := pathStep(t.x, p)
		if !ok {
			return target{}, false
		}
		f := t.x.File()
		t.code = t.code || f.Syntax() == hclconfig.JSONSyntax && strings.HasPrefix(t.x.Raw(), `"`)
		t.x, t.list, t.item, t.at = next.x, t.x, next.item, next.at
	}
	return t, true
}

// pathStep follows one step of a path.
func pathStep(x hclconfig.Expression, p token) (target, bool) {
	switch p.kind {
	case isIndex, isArg:
		want := hclconfig.FormList
		if p.kind == isArg {
			want = hclconfig.FormCall
		}
		parts := x.Parts()
		if x.Form() != want || p.index < 0 || p.index >= len(parts) {
			return target{}, false
		}
		return target{x: parts[p.index], at: p.index}, true
	case isKey:
		members := membersOf(x)
		for i, m := range members {
			if !m.Computed && m.Name == p.name {
				return target{x: m.Value, item: &members[i], at: i}, true
			}
		}
	}
	return target{}, false
}

// membersOf returns the items of an object. In JSON it may also be in a string.
func membersOf(x hclconfig.Expression) []hclconfig.Member {
	members, ok := x.Members()
	if ok || x.Form() != hclconfig.FormObject {
		return members
	}
	parts := x.Parts()
	for i := 0; i+1 < len(parts); i += 2 {
		m := hclconfig.Member{Key: parts[i], Value: parts[i+1]}
		name, err := m.Key.Text()
		m.Name, m.Computed = name, err != nil
		members = append(members, m)
	}
	return members
}
