// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"errors"
	"io"
	"iter"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Listed is one object of a resource instance as [List] finds it.
type Listed struct {
	Address  addrs.AbsResourceInstance // of the resource instance
	Provider string                    // the address of its provider configuration
	Status   Status                    // StatusTainted or StatusReady
	Deposed  string                    // the key of a deposed object, or empty

	object *InstanceObject // if it has been decoded
	from   *lister
	number int // of the object
}

// List is like [Instances], but decodes an object only if the loop asks for it by
// [Listed.Object]. Skipping an object takes little more time than validating it, and keeps no
// memory. It refuses what Instances refuses, including members that come too late.
func List(r io.Reader) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		l := &lister{d: reader{s: wire.NewStream(plainReader(r))}, yield: yield}
		l.d.skim = l.skim
		l.d.yield = func(a addrs.AbsResource, r *Resource, o *InstanceObject) bool {
			i := newInstance(a.Instance(o.Key()), r, o)
			l.number++
			return yield(Listed{Address: i.Address, Provider: i.Provider, Status: o.Status, Deposed: o.Deposed, object: o, number: l.number}, nil)
		}
		if err := l.d.read(); err != nil && err != errStop {
			yield(Listed{}, err)
		}
		l.number++
	}
}

// errPassed is the error for an object that is asked for too late.
var errPassed = errors.New("the loop has already moved on to another object")

// Object decodes the object. It must be called before the loop goes on to the next
// one. The result owns its text and may be kept.
func (l Listed) Object() (*InstanceObject, error) {
	switch {
	case l.object != nil:
		return l.object, nil
	case l.from == nil:
		return nil, &Error{Err: ErrAbsent}
	case l.from.number != l.number:
		return nil, &Error{Err: errPassed}
	}
	o := new(InstanceObject)
	if err := o.UnmarshalJSON(l.from.object); err != nil {
		return nil, err
	}
	return o, nil
}

// A lister reads a state for List.
type lister struct {
	d      reader
	yield  func(Listed, error) bool
	number int            // of the object at hand
	object []byte         // the text of that
	before InstanceObject // what is known of the one before
	parts
}

// skim passes on the next object if it is written as the tools write most of them, so
// that nothing in it needs a closer look.
func (l *lister) skim(address addrs.AbsResource, r *Resource) (done bool, err error) {
	plain := l.d.s.Scan(func(text []byte, depth int) (int, jsonscan.Fault) {
		end, fault := l.parts.read(text, depth-1)
		if fault == jsonscan.OK && !l.isPlain(r) {
			fault = jsonscan.FaultValue
		}
		l.object = text[:end:end]
		return end, fault
	})
	if !plain {
		return false, nil
	}
	i := Listed{Provider: r.Provider, from: l}
	key := addrs.NoKey
	if l.key != nil {
		if key, err = keyOf(l.key); err != nil {
			return false, err
		}
	}
	i.Address = address.Instance(key)
	if l.status != nil {
		i.Status = StatusTainted
	}
	l.before.IndexKey = append(l.before.IndexKey[:0], l.key...)
	l.d.before = &l.before
	l.number++
	i.number = l.number
	if !l.yield(i, nil) {
		return true, errStop
	}
	return true, nil
}

// isPlain reports whether the parts are those of an object that the tools read, as
// far as that is seen at a glance.
func (l *lister) isPlain(r *Resource) bool {
	key := planjson.Value(l.key)
	if b := l.d.before; b != nil && (b.Deposed != "" || len(b.IndexKey) > 0 && !plainIndex(b.IndexKey) || string(b.IndexKey) == string(key)) {
		return false
	}
	if r.Provider == "" || key != nil && !plainIndex(key) || l.status != nil && string(l.status) != `"tainted"` {
		return false
	}
	return l.d.check.private(l.private) && l.d.check.sensitive(l.sensitive) && l.d.check.dependencies(l.dependencies)
}

// plainIndex reports whether an instance key is a number or a string in one of the
// spellings that need no closer look.
func plainIndex(v planjson.Value) bool { return len(v) < 19 && plainNumber(v) || plainText(v) }

// parts are the texts of the members of an object that are looked at, nil if absent.
type parts struct {
	key, status, private, sensitive, dependencies []byte
}

// read reads the object that text begins with, and returns its end. The fault is
// [jsonscan.FaultValue] also for an object with a member that needs a closer look.
func (p *parts) read(text []byte, depth int) (end int, fault jsonscan.Fault) {
	*p = parts{}
	if len(text) == 0 || text[0] != '{' {
		return 0, jsonscan.FaultValue
	}
	for i := 1; ; {
		i = jsonscan.Space(text, i)
		nameEnd, fault := jsonscan.String(text, i)
		if fault != jsonscan.OK {
			return 0, fault
		}
		name := text[i+1 : nameEnd-1]
		if i = jsonscan.Space(text, nameEnd); i >= len(text) {
			return 0, jsonscan.FaultEnd
		}
		if text[i] != ':' {
			return 0, jsonscan.FaultColon
		}
		start := jsonscan.Space(text, i+1)
		if i, fault = jsonscan.Value(text, start, depth); fault != jsonscan.OK {
			return 0, fault
		}
		if !p.member(name, text[start:i:i]) {
			return 0, jsonscan.FaultValue
		}
		if i = jsonscan.Space(text, i); i >= len(text) {
			return 0, jsonscan.FaultEnd // perhaps of a number
		}
		switch text[i] {
		case '}':
			return i + 1, jsonscan.OK
		case ',':
			i++
		default:
			return 0, jsonscan.FaultObject
		}
	}
}

// member takes a member, and reports false if it needs a closer look.
func (p *parts) member(name []byte, value []byte) bool {
	switch string(name) {
	case "index_key":
		p.key = value
	case "status":
		p.status = value
	case "private":
		p.private = value
	case "sensitive_attributes":
		p.sensitive = value
	case "dependencies":
		p.dependencies = value
	case "schema_version":
		return len(value) < 19 && plainNumber(value)
	case "attributes":
		return value[0] == '{'
	case "create_before_destroy":
		return value[0] == 't'
	case "identity", "identity_schema_version", "deposed", "provider", "attributes_flat", "depends_on", "skip_destroy":
		return false
	default:
		return jsonscan.IndexByte(name, '\\') < 0
	}
	return true
}
