// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A session makes the steps in a file.
type session struct {
	e       *hcledit.Editor
	json    bool
	printed bytes.Buffer
	// body is the content of the file when it was last read. Since then, steps have
	// changed something in the blocks that are touched, and something else if moved is set.
	// A step about other things needs no new reading.
	body    *hclconfig.Body
	touched map[*hclconfig.Block]*touch
	heads   [][]string // the types and labels of blocks that came since, or got other ones
	moved   bool
}

// A touch is what has changed in a block since the file was read.
type touch struct {
	whole bool                         // anything
	set   map[string]bool              // the names of arguments that have another value
	grown map[*hclconfig.Argument]bool // whose values got more elements
	added map[string]bool              // the names of arguments that were added
}

// read reads the file as it is now.
func (s *session) read() {
	s.body, s.touched, s.heads, s.moved = s.e.Body(nil), map[*hclconfig.Block]*touch{}, nil, false
}

// isOld reports whether the file has changed since it was read.
func (s *session) isOld() bool { return s.moved || len(s.touched) > 0 || len(s.heads) > 0 }

// refresh reads the file again, if something has changed that makes a difference to a step about
// an address.
func (s *session) refresh(verb string, a address) {
	if s.body == nil || s.moved || s.touches(verb, a) {
		s.read()
	}
}

// touches reports whether a change may have made a difference to what an address leads to.
func (s *session) touches(verb string, a address) bool {
	for _, names := range s.heads {
		if names[0] == a[0].name && matchesNames(names[1:], a[1:]) {
			return true
		}
	}
	if len(s.touched) == 0 {
		return false
	}
	for b := range s.body.BlocksOfType(a[0].name) {
		if t := s.touched[b]; t != nil && matches(b, a[1:]) && t.isAbout(verb, a) {
			return true
		}
	}
	return false
}

// isAbout reports whether a step about an address has to know what has changed.
func (t *touch) isAbout(verb string, a address) bool {
	if t.whole || verb == "get" {
		return true
	}
	path := false
	for _, w := range a {
		path = path || !w.isWord()
	}
	for _, w := range a {
		if t.added[w.name] || t.set[w.name] && (path || verb != "set") || w.kind == isAny {
			return true
		}
		for arg := range t.grown {
			if arg.Name == w.name && verb != "insert" && verb != "sort" {
				return true
			}
		}
	}
	return false
}

// in returns what has changed in the block that a target is in. If that is none, the file is
// read again before the next step.
func (s *session) in(t *target) *touch {
	if t.top == nil {
		s.moved = true
		return newTouch()
	}
	if s.touched[t.top] == nil {
		s.touched[t.top] = newTouch()
	}
	return s.touched[t.top]
}

func newTouch() *touch {
	return &touch{set: map[string]bool{}, grown: map[*hclconfig.Argument]bool{}, added: map[string]bool{}}
}

// do makes a step.
func (s *session) do(st *step) error {
	switch st.verb {
	case "append":
		return s.append(st)
	case "insert":
		return s.insert(st)
	case "mv":
		return s.move(st.from, st.to)
	case "ref":
		defer func() { s.moved = true }()
		return s.references(st.value)
	case "new":
		return s.add(st)
	}
	found, err := s.find(st.verb, st.from)
	if err == nil && st.verb == "get" && s.isOld() && slices.ContainsFunc(found, mayHaveComments) {
		s.read() // the comments of two blocks may be aligned
		found, err = s.find(st.verb, st.from)
	}
	if err != nil {
		return err
	}
	for i := range found {
		t := &found[i]
		switch st.verb {
		case "get":
			s.printed.Write(s.source(t))
			s.printed.WriteByte('\n')
		case "set":
			err = s.set(t, st.value)
		case "rm":
			s.e.Delete(t.part())
		case "sort":
			err = s.sort(t)
		case "wrap":
			if t.block != nil {
				return errors.New("wrap needs an expression, not a block")
			}
			s.e.Wrap(t.x, st.value)
		}
		if err != nil {
			return err
		}
		switch {
		case st.verb == "get":
		case st.verb == "rm" && t.block != nil && t.block == t.top:
			s.moved = true
		case st.verb == "set" && !t.list.IsSet():
			s.in(t).set[t.arg.Name] = true
		default:
			s.in(t).whole = true
		}
	}
	return nil
}

// mayHaveComments reports whether there are comments in the block that a target is in.
func mayHaveComments(t target) bool {
	if t.top == nil {
		return true
	}
	f, start, end := t.top.Place()
	text := f.Bytes()[start:end]
	return bytes.ContainsAny(text, "#") || bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
}

// source returns the text of a target.
func (s *session) source(t *target) []byte {
	if t.block != nil {
		f := t.block.File()
		r := t.block.Range()
		if s.json {
			r = t.block.Body.Range()
		}
		return f.Bytes()[r.Start.Offset:r.End.Offset]
	}
	text := t.x.Raw()
	if t.code {
		text = t.x.Source() // and not its spelling in JSON
	}
	return []byte(strings.TrimRight(text, "\r\n"))
}

func (s *session) set(t *target, value string) error {
	if t.block != nil {
		return errors.New("set needs an argument, not a block; append and new add to a block")
	}
	s.e.Replace(t.x, hcledit.Source(value))
	return nil
}

func (s *session) sort(t *target) error {
	if t.block != nil {
		return errors.New("sort needs a list or an object, not a block")
	}
	switch t.x.Form() {
	case hclconfig.FormList:
		s.e.Sort(t.x, func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) })
	case hclconfig.FormObject:
		members := membersOf(t.x)
		if slices.ContainsFunc(members, func(m hclconfig.Member) bool { return m.Computed }) {
			return errors.New("the object has a key that is not constant")
		}
		s.e.Sort(t.x, func(a, b hclconfig.Expression) int { return strings.Compare(keyOf(a), keyOf(b)) })
	default:
		return errors.New("the value is not written as a list or an object")
	}
	return nil
}

func keyOf(x hclconfig.Expression) string {
	text, err := x.Text()
	if err != nil {
		return x.Raw()
	}
	return text
}

// append adds an argument to each block that matches.
func (s *session) append(st *step) error {
	last := len(st.from) - 1
	if st.from[last].kind != isName {
		return errors.New("append needs an address that ends in the name of an argument")
	}
	name := st.from[last].name
	if last == 0 {
		defer func() { s.moved = true }()
		return s.appendTo(nil, name, st.value)
	}
	s.refresh("append", st.from)
	found, err := s.find("append", st.from[:last])
	if err != nil {
		return err
	}
	for _, t := range found {
		if t.block == nil {
			return errors.New("only a block can have arguments")
		}
		if err := s.appendTo(t.block, name, st.value); err != nil {
			return err
		}
		s.in(&t).added[name] = true
	}
	return nil
}

func (s *session) appendTo(b *hclconfig.Block, name, value string) error {
	var now *hclconfig.Body
	if b == nil {
		now = s.e.Body(nil)
	} else {
		now = &b.Body // it has just been found
	}
	if now.Argument(name) != nil {
		return fmt.Errorf("there is already an argument %q", name)
	}
	s.e.Set(b, name, hcledit.Source(value))
	return nil
}

// insert adds an element, an item or an argument of a call.
func (s *session) insert(st *step) error {
	last := len(st.from) - 1
	p := st.from[last]
	if p.isWord() {
		return errors.New("insert needs an address that ends in [N], [], [\"KEY\"], (N) or ()")
	}
	verb := "insert"
	if p.index >= 0 || p.kind == isKey {
		verb = "insert there"
	}
	found, err := s.find(verb, st.from[:last])
	if err != nil {
		return err
	}
	for _, t := range found {
		if t.block != nil {
			return errors.New("insert needs a list, an object or a call, not a block; append adds an argument to a block")
		}
		if err := s.insertInto(t.x, p, st.value); err != nil {
			return err
		}
		if verb == "insert" && !t.list.IsSet() {
			s.in(&t).grown[t.arg] = true
		} else {
			s.in(&t).whole = true
		}
	}
	return nil
}

func (s *session) insertInto(x hclconfig.Expression, p token, value string) error {
	want := map[tokenKind]hclconfig.Form{isIndex: hclconfig.FormList, isArg: hclconfig.FormCall, isKey: hclconfig.FormObject}[p.kind]
	if x.Form() != want {
		return fmt.Errorf("the value is not written as a %s", want)
	}
	if p.kind == isKey {
		members := membersOf(x)
		for _, m := range members {
			if !m.Computed && m.Name == p.name {
				return fmt.Errorf("there is already a key %q", p.name)
			}
		}
		s.e.Insert(x, hcledit.Entry{Key: p.name, Value: hcledit.Source(value)})
		return nil
	}
	parts := x.Parts()
	switch n := len(parts); {
	case p.index > n:
		return nowhere("the index %d is beyond the end", p.index)
	case p.index < 0 || p.index == n:
		s.e.Insert(x, hcledit.Source(value))
	default:
		s.e.Insert(x, hcledit.Source(value), hcledit.Before(parts[p.index]))
	}
	return nil
}

// references changes references.
func (s *session) references(text string) error {
	words := strings.Fields(text)
	if len(words) != 2 {
		return errors.New("ref takes two references")
	}
	n := s.e.ReplaceReferences(words[0], words[1])
	if s.e.Err() == nil && n == 0 {
		return nowhere("nothing refers to %s", words[0])
	}
	return nil
}

// add adds an empty block.
func (s *session) add(st *step) error {
	parents := []target{{}}
	block := st.from
	if st.to != nil {
		block = st.to
		var err error
		if parents, err = s.find("new", st.from); err != nil {
			return err
		}
	} else {
		s.refresh("new", block)
	}
	names, ok := block.names()
	if !ok {
		return errors.New("new needs a block as TYPE.LABEL.LABEL")
	}
	for _, t := range parents {
		if st.to != nil && t.block == nil {
			return errors.New("only a block can have blocks")
		}
		body := s.body
		if t.block != nil {
			body = &t.block.Body // it has just been found
		}
		if len(names) > 1 && has(body, names, nil) {
			return errors.New("there is already such a block")
		}
		s.e.Add(t.block, hcledit.NewBlock(names[0], names[1:]...).Lines(), hcledit.Last())
		if t.block == nil {
			s.heads = append(s.heads, names)
		} else {
			s.in(&t).whole = true
		}
	}
	return nil
}

// has reports whether a body has a block with that type and those labels, other than
// but.
func has(body *hclconfig.Body, names []string, but *hclconfig.Block) bool {
	for b := range body.BlocksOfType(names[0]) {
		if slices.Equal(b.Labels, names[1:]) && (but == nil || b.Range() != but.Range()) {
			return true
		}
	}
	return false
}
