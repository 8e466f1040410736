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
	s.refresh("mv", to)
	found, err := s.find("mv", from)
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
		return s.moveItem(t, from, to)
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
	if s.bodyOf(t.in).Argument(name) != nil {
		return errors.New("there is already something at the new address")
	}
	s.e.Rename(t.in, t.arg.Name, name)
	s.change(t)
	s.in(t).changed[name] = true
	return nil
}

// moveTop gives a block that is in no other another type and other labels.
func (s *session) moveTop(t *target, to address) error {
	names, ok := to.names()
	if !ok {
		return errors.New("a block cannot move into another block")
	}
	if names[0] == t.block.Type && slices.Equal(names[1:], t.block.Labels) {
		return nil
	}
	if len(names) > 1 && s.has(s.body, names, t.block) || s.body.Argument(names[0]) != nil {
		return errors.New("there is already something at the new address")
	}
	s.e.SetHeader(t.block, names[0], names[1:]...)
	s.gone[t.block] = true
	s.heads = append(s.heads, head{names: names})
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
	body := s.bodyOf(t.in)
	if len(names) > 1 && s.has(body, names, t.block) || body.Argument(names[0]) != nil {
		return errors.New("there is already something at the new address")
	}
	s.e.SetHeader(t.block, names[0], names[1:]...)
	s.in(t).changed[names[0]] = true
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
		found, err := s.find("mv", to[:last])
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
	old, body := t.arg.Name, s.bodyOf(into.block)
	switch {
	case into.block == t.in && name == old:
		return nil
	case body.Argument(name) != nil:
		return errors.New("there is already something at the new address")
	}
	s.in(into).changed[name] = true
	// The name decides on the place, so it comes first.
	free := name
	if from := s.bodyOf(t.in); name != old && from.Argument(name) != nil {
		for free = old; body.Argument(free) != nil || from.Argument(free) != nil; {
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
	found, err := s.find("mv", a[:len(a)-1])
	if err != nil {
		return nil, err
	}
	if len(found) != 1 || found[0].block != nil {
		return nil, errors.New("an item or element cannot leave its list or object")
	}
	return &found[0], nil
}

// moveItem gives an item another key.
func (s *session) moveItem(t *target, from, to address) error {
	if to[len(to)-1].kind != isKey {
		return errors.New("an item can only become an item of the same object")
	}
	p, err := s.parent(to)
	if err != nil {
		return err
	}
	if p.x.Range() != t.list.Range() {
		return errors.New("an item cannot move to another object")
	}
	key := to[len(to)-1].name
	if key == t.item.Name {
		return nil
	}
	if _, taken := pathStep(p.x, to[len(to)-1]); taken {
		return errors.New("there is already something at the new address")
	}
	s.e.Replace(t.item.Key, hcledit.String(key))
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
	parts := p.x.Parts()
	switch {
	case end.index < 0 || end.index >= len(parts):
		return nowhere("the index is beyond the end")
	case end.index == t.at:
	case end.index > t.at:
		s.e.Move(parts[t.at], hcledit.After(parts[end.index]))
	default:
		s.e.Move(parts[t.at], hcledit.Before(parts[end.index]))
	}
	return nil
}
