// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// move gives what is at from the address to.
func (s *session) move(from, to address) error {
	s.refresh(to)
	found, err := s.find(from)
	if n := s.reads; err == nil {
		// What has to be read for the new place makes what was found an old reading.
		if s.look(to[:len(to)-1]); s.reads != n {
			found, err = s.find(from)
		}
	}
	if err != nil {
		return err
	}
	if len(found) > 1 {
		return fmt.Errorf("the address matches %d things, and mv moves one", len(found))
	}
	t := &found[0]
	if t.block != nil && t.block == t.top {
		return s.moveTop(t, to)
	}
	if last := len(to) - 1; t.arg != nil && !t.list.IsSet() && t.top != nil && to[last].kind == isName && slices.Equal(from[:len(from)-1], to[:last]) {
		return s.renameArgument(t, to[last].name)
	}
	defer s.change(t)
	switch {
	case t.block != nil:
		return s.moveBlock(t, to)
	case t.item != nil:
		return s.moveItem(t, to)
	case t.list.IsSet():
		return s.moveElement(t, from, to)
	}
	return s.moveArgument(t, to)
}

// renameArgument gives an argument of a block another name.
func (s *session) renameArgument(t *target, name string) error {
	if name == t.arg.Name {
		return nil
	}
	if s.hasArgument(t.in, name) {
		return errors.New("there is already something at the new address")
	}
	s.e.Rename(t.in, t.arg.Name, name)
	s.change(t)
	s.changeName(t, t.in, name)
	return nil
}

// changeName says that the argument of a target has another name, and is in a block.
func (s *session) changeName(t *target, in *hclconfig.Block, name string) {
	s.gone[t.arg] = true
	s.came[in] = append(s.came[in], newcomer{[]string{name}, true})
}

// moveTop gives a block that is in no other another type and other labels.
func (s *session) moveTop(t *target, to address) error {
	names, ok := to.names()
	if !ok {
		return errors.New("a block cannot move into another block")
	}
	old := s.renamed[t.block]
	if old == nil {
		old = append([]string{t.block.Type}, t.block.Labels...)
	}
	if slices.Equal(names, old) {
		return nil
	}
	if len(names) > 1 && s.hasBlock(nil, names, t.block) || s.hasArgument(nil, names[0]) {
		return errors.New("there is already something at the new address")
	}
	s.e.SetHeader(t.block, names[0], names[1:]...)
	was, key := keyOfNames(old...), keyOfNames(names...)
	s.heads[was] = slices.DeleteFunc(s.heads[was], func(b *hclconfig.Block) bool { return b == t.block })
	s.heads[key], s.isOld, s.renamed[t.block] = append(s.heads[key], t.block), true, names
	delete(s.now, t.block)
	s.came[t.block] = nil
	return nil
}

// moveBlock gives a block another type and other labels.
func (s *session) moveBlock(t *target, to address) error {
	names, ok := s.below(t.in, to)
	if !ok {
		return errors.New("a block cannot move into another block")
	}
	if names[0] == t.block.Type && slices.Equal(names[1:], t.block.Labels) {
		return nil
	}
	if len(names) > 1 && s.hasBlock(t.in, names, t.block) || s.hasArgument(t.in, names[0]) {
		return errors.New("there is already something at the new address")
	}
	s.e.SetHeader(t.block, names[0], names[1:]...)
	s.gone[t.block] = true
	s.came[t.in] = append(s.came[t.in], newcomer{names: names})
	return nil
}

// below returns the names that lead from a block, or from the file, to an address.
func (s *session) below(in *hclconfig.Block, to address) ([]string, bool) {
	if in == nil {
		return to.names()
	}
	for i := len(to) - 1; i > 0; i-- {
		names, ok := to[i:].names()
		if !ok {
			continue
		}
		for _, p := range s.walk(nil, s.body, to[:i], 0, nil) {
			if p.block == in {
				return names, true
			}
		}
	}
	return nil, false
}

// moveArgument renames an argument, or moves it to another block.
func (s *session) moveArgument(t *target, to address) error {
	last := len(to) - 1
	if to[last].kind != isName {
		return errors.New("an argument can only become an argument")
	}
	name := to[last].name
	into := &target{}
	if last > 0 {
		found, err := s.find(to[:last])
		switch {
		case err != nil:
			return err
		case len(found) > 1:
			return fmt.Errorf("the new address matches %d places", len(found))
		case found[0].block == nil:
			return errors.New("only a block can have arguments")
		}
		into = &found[0]
	}
	old := t.arg.Name
	switch {
	case into.block == t.in && name == old:
		return nil
	case s.hasArgument(into.block, name):
		return errors.New("there is already something at the new address")
	}
	s.change(into)
	defer s.changeName(t, into.block, name)
	// The name decides on the place, so it comes first.
	free := name
	if name != old && s.hasArgument(t.in, name) {
		for free = old; s.hasArgument(into.block, free) || s.hasArgument(t.in, free); {
			free += "_"
		}
	}
	if free != old {
		s.e.Rename(t.in, old, free)
	}
	if into.block != t.in {
		s.e.Move(t.arg, hcledit.Into(s.e, into.block))
	}
	if free != name {
		s.e.Rename(into.block, free, name)
	}
	return nil
}

// parent returns the target that the last step of an address leads into.
func (s *session) parent(a address) (*target, error) {
	found, err := s.find(a[:len(a)-1])
	if err != nil {
		return nil, err
	}
	if len(found) != 1 || found[0].block != nil {
		return nil, errors.New("an item or element cannot leave its list or object")
	}
	return &found[0], nil
}

// moveItem gives an item another key.
func (s *session) moveItem(t *target, to address) error {
	end := to[len(to)-1]
	if end.kind != isKey {
		return errors.New("an item can only become an item of the same object")
	}
	p, err := s.parent(to)
	if err != nil {
		return err
	}
	if p.x.Range() != t.list.Range() {
		return errors.New("an item cannot move to another object")
	}
	if end.name == t.item.Name {
		return nil
	}
	c := s.contentOf(t.list)
	if c.find(t.list, end) >= 0 {
		return errors.New("there is already something at the new address")
	}
	s.e.Replace(t.item.Key, hcledit.String(end.name))
	c.items[t.at].member.Name = end.name
	return nil
}

// moveElement moves an element within its list.
func (s *session) moveElement(t *target, from, to address) error {
	end := to[len(to)-1]
	if end.kind != isIndex && end.kind != isArg || end.kind != from[len(from)-1].kind {
		return errors.New("an element can only move within its list")
	}
	p, err := s.parent(to)
	if err != nil {
		return err
	}
	if p.x.Range() != t.list.Range() {
		return errors.New("an element cannot move to another list")
	}
	c, at := s.contentOf(t.list), end.index
	switch {
	case at < 0 || at >= len(c.items):
		return nowhere("the index is beyond the end")
	case at == t.at:
		return nil
	case at > t.at:
		at++
	}
	place, ok := c.before(at)
	if !ok {
		s.readBlock(t.in)
		return s.move(from, to)
	}
	s.e.Move(t.x, place)
	c.move(t.at, end.index)
	return nil
}
