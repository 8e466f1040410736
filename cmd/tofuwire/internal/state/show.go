// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"encoding/json"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// show is the command show.
func show(c *call) error {
	s, err := c.shown(statefile.Show)
	if err != nil {
		return err
	}
	address, err := addrs.ParseAbsResourceInstance(c.args[1])
	if err != nil {
		return no("%w", err)
	}
	text, err := planjson.Canonical(s) // which has the members in the tool's order
	if err == nil {
		s, err = planjson.DecodeState(text)
	}
	if err != nil {
		return err
	}
	var current, deposed []*planjson.Resource
	for r := range s.AllResources() {
		switch {
		case r.Address != address.String():
		case r.DeposedKey == "":
			current = append(current, r)
		default:
			deposed = append(deposed, r)
		}
	}
	if len(current) == 0 {
		current = deposed // all that is left of the instance
	}
	if len(current) == 0 {
		return no("there is no resource instance %s", address)
	}
	for _, r := range current {
		if err := c.print(r); err != nil {
			return err
		}
	}
	return nil
}

// print prints one object.
func (c *call) print(r *planjson.Resource) error {
	if !c.reveal {
		r.Values = masked(r.Values, r.SensitiveValues, 0)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = c.stdout.Write(b.Bytes())
	return err
}

// hidden stands for a sensitive value.
const hidden = `"(sensitive value)"`

// maxDepth is how deep parts of a value are hidden one by one. Below, all is hidden
// if anything is.
const maxDepth = 100

// masked returns a value without its sensitive parts.
func masked(v, sensitive planjson.Value, depth int) planjson.Value {
	if v == nil || !bytes.Contains(sensitive, []byte("true")) {
		return v
	}
	if depth > maxDepth || v.Kind() != sensitive.Kind() { // true for the whole
		return planjson.Value(hidden)
	}
	var b bytes.Buffer
	sep := func() {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
	}
	switch v.Kind() {
	case planjson.KindObject:
		marks := make(map[string]planjson.Value)
		for name, mark := range sensitive.Members() {
			marks[name] = mark
		}
		b.WriteByte('{')
		for name, value := range v.Members() {
			sep()
			b.Write(planjson.Literal(name))
			b.WriteByte(':')
			b.Write(masked(value, marks[name], depth+1))
		}
		b.WriteByte('}')
	case planjson.KindArray:
		var marks []planjson.Value
		for _, mark := range sensitive.Elements() {
			marks = append(marks, mark)
		}
		b.WriteByte('[')
		for i, value := range v.Elements() {
			sep()
			if i < len(marks) {
				value = masked(value, marks[i], depth+1)
			}
			b.Write(value)
		}
		b.WriteByte(']')
	default:
		return planjson.Value(hidden)
	}
	return b.Bytes()
}
