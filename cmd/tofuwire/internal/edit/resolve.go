// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"fmt"
	"maps"
	"slices"

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
	other bool                 // x has another value than it was read with
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

// find returns what an address leads to, in the order of the text. It is an error if that is nothing.
func (s *session) find(a address) ([]target, error) {
	s.refresh(a)
	out := s.look(a)
	if len(out) == 0 && s.isOld {
		s.read()
		out = s.look(a)
	}
	if len(out) == 0 {
		if other := s.items(a); other != nil {
			return nil, nowhere("the address leads nowhere, but there is %s", other)
		}
		if hint := s.adds(a); hint != "" {
			return nil, nowhere("the address leads nowhere; %s", hint)
		}
		return nil, nowhere("the address leads nowhere")
	}
	return out, nil
}

// look is walk that reads what it has to know.
func (s *session) look(a address) []target {
	if s.verb == "get" && s.changed[nil] {
		s.read()
	}
	for {
		s.missing = nil
		out := s.walk(nil, s.body, a, 0, nil)
		for _, t := range out {
			if (s.verb == "insert" || s.verb == "sort") && t.x.IsSet() && (t.other || s.contentOf(t.x).lost) {
				s.missing = append(s.missing, t.in)
			}
		}
		if !s.readMissing() {
			return out
		}
	}
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
func (s *session) adds(a address) string {
	last := len(a) - 1
	if s.verb != "set" || last < 1 {
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

// walk adds what the tokens of a from i on lead to in a body. What it would have to read goes to missing.
func (s *session) walk(in *hclconfig.Block, body *hclconfig.Body, a address, i int, out []target) []target {
	if body == nil || i >= len(a) || a[i].kind != isName {
		return out
	}
	if slices.ContainsFunc(s.came[in], func(n newcomer) bool { return n.names[0] == a[i].name }) {
		s.missing = append(s.missing, in)
	}
	if arg := s.argument(in, a[i].name); arg != nil {
		if t, ok := s.stepInto(target{in: in, arg: arg, x: arg.Expression, depth: i, other: s.other[arg]}, a[i+1:]); ok {
			out = append(out, t)
		}
	}
	// Blocks of a type that the language does not know may have different numbers of labels.
	byLabels := s.blocks(body, a[i:])
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
			// What another type of block has in it may be of other kinds.
			if s.verb == "get" && s.changed[b] || s.renamed[b] != nil && s.now[b] == nil {
				delete(s.changed, b)
				s.missing = append(s.missing, b)
			}
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
func (s *session) stepInto(t target, path address) (target, bool) {
	for _, p := range path {
		if t.other || s.contentOf(t.x).lost {
			s.missing = append(s.missing, t.in)
			return target{}, false
		}
		i := s.contentOf(t.x).find(t.x, p)
		if i < 0 {
			return target{}, false
		}
		next := s.contentOf(t.x).items[i]
		if next.came {
			s.missing = append(s.missing, t.in)
			return target{}, false
		}
		t.code = t.code || isString(t.x)
		t.x, t.list, t.item, t.at, t.other = next.x, t.x, next.member, i, next.other
	}
	return t, true
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
