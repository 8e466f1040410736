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
	// A step about other blocks needs no new reading.
	body    *hclconfig.Body
	touched map[*hclconfig.Block]bool
	moved   bool
}

// read reads the file as it is now.
func (s *session) read() {
	s.body, s.touched, s.moved = s.e.Body(nil), map[*hclconfig.Block]bool{}, false
}

// isOld reports whether the file has changed since it was read.
func (s *session) isOld() bool { return s.moved || len(s.touched) > 0 }

// touches reports whether a change may have made a difference to what an address leads to.
func (s *session) touches(a address) bool {
	if s.moved || len(s.touched) == 0 {
		return s.moved
	}
	for b := range s.body.BlocksOfType(a[0].name) {
		if s.touched[b] && matches(b, a[1:]) {
			return true
		}
	}
	return false
}

// touch notes that a step has changed something in t.
func (s *session) touch(t *target) {
	if t.top == nil {
		s.moved = true
		return
	}
	s.touched[t.top] = true
}

// do makes a step.
func (s *session) do(st *step) error {
	switch st.verb {
	case "get", "sort", "mv", "ref", "new":
		// They are about the text, or about more than one place.
		if s.body == nil || s.isOld() {
			s.read()
		}
		defer func() { s.moved = s.moved || st.verb != "get" && st.verb != "sort" }()
	}
	switch st.verb {
	case "append":
		return s.append(st)
	case "insert":
		return s.insert(st)
	case "mv":
		return s.move(st.from, st.to)
	case "ref":
		return s.references(st.value)
	case "new":
		return s.add(st)
	}
	found, err := s.find(st.from)
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
		if st.verb == "rm" && t.block != nil && t.block == t.top {
			s.moved = true
		} else if st.verb != "get" {
			s.touch(t)
		}
	}
	return nil
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
	return []byte(strings.TrimRight(t.x.Raw(), "\r\n"))
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
		members, _ := t.x.Members()
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
		s.moved = true
		return s.appendTo(nil, name, st.value)
	}
	found, err := s.find(st.from[:last])
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
		s.touch(&t)
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
	found, err := s.find(st.from[:last])
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
		s.touch(&t)
	}
	return nil
}

func (s *session) insertInto(x hclconfig.Expression, p token, value string) error {
	want := map[tokenKind]hclconfig.Form{isIndex: hclconfig.FormList, isArg: hclconfig.FormCall, isKey: hclconfig.FormObject}[p.kind]
	if x.Form() != want {
		return fmt.Errorf("the value is not written as a %s", want)
	}
	if p.kind == isKey {
		members, _ := x.Members()
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
		if parents, err = s.find(st.from); err != nil {
			return err
		}
	}
	names, ok := block.names()
	if !ok {
		return errors.New("new needs a block as TYPE.LABEL.LABEL")
	}
	for _, t := range parents {
		if st.to != nil && t.block == nil {
			return errors.New("only a block can have blocks")
		}
		if len(names) > 1 && has(s.e.Body(t.block), names, nil) {
			return errors.New("there is already such a block")
		}
		s.e.Add(t.block, hcledit.NewBlock(names[0], names[1:]...).Lines(), hcledit.Last())
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
