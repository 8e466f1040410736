// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/planmask"
	"github.com/tofuwire/tofuwire/internal/planshape"
	"github.com/tofuwire/tofuwire/planjson"
)

// A redaction is one use of a [Redactor].
type redaction struct {
	*Redactor
	n       int               // values replaced
	text    string            // stands for strings
	token   []byte            // its JSON form
	rules   []Rule            // those that can apply to the value at hand
	mode    redactMode        // what is being redacted
	schemas planshape.Schemas // has the shapes of types
	flows   flows             // what sensitive arguments are made of
	config  *planjson.Config  // tells which variables are sensitive; nil if not known
	names   map[string]bool   // of variables that are sensitive by their use
	partial bool              // flows and config do not have all of the document yet
	decoded bool              // all values come from a decoder, and so are valid
}

// A redactMode says whether a value or one of its companions is redacted: a
// companion has the same keys, but no secrets otherwise.
type redactMode uint8

const (
	redactValue redactMode = iota
	redactUnknown
	redactSensitive
)

// A place is where a value is.
type place struct {
	address, typ string
	path         []string
	root         bool      // the value is the object of a resource, whose members are attributes
	block        bool      // the address is that of a block of the configuration, which stands for all its instances
	also         *nameTree // what is sensitive besides what the document marks here
}

func (p place) in(name string) place {
	return place{address: p.address, typ: p.typ, path: append(p.path[:len(p.path):len(p.path)], name), block: p.block, also: p.also.member(name)}
}

// element returns the place of an element of the array at p.
func (p place) element() place {
	p.root = false
	return p
}

func (r Redactor) run() *redaction {
	d := &redaction{Redactor: &r, text: r.Text}
	if d.text == "" {
		d.text = "(sensitive value)"
	}
	if d.hasSecret(d.text) {
		d.text = "***"
	}
	d.token = jsonscan.AppendQuote(nil, d.text, true)
	d.schemas.From = r.Schemas
	return d
}

// value returns v with its secrets replaced.
func (d *redaction) value(v, sensitive planjson.Value, s *planshape.Shape, p place) planjson.Value {
	if v == nil {
		return nil
	}
	d.rules = d.rulesFor(p)
	if !planmask.HasTrue(sensitive) && p.also == nil && len(d.rules) == 0 && len(d.Secrets) == 0 && !s.IsSensitive() && !s.HidesInside() {
		return v
	}
	if !d.decoded && v.Check() != nil {
		d.n++ // nobody knows what it is
		return planjson.Value(d.token)
	}
	if !d.decoded && sensitive != nil && sensitive.Check() != nil {
		sensitive = planjson.Value("true") // nobody knows what it says
	}
	out := d.append(make(planjson.Value, 0, len(v)+len(d.token)), v, sensitive, s, p)
	if bytes.Equal(out, v) {
		return v
	}
	return out
}

// companion returns what is unknown or sensitive of a value without the keys
// of those of its maps that are secret.
func (d *redaction) companion(mode redactMode, v, sensitive planjson.Value, s *planshape.Shape, p place) planjson.Value {
	if mode == redactSensitive && len(d.Rules) == 0 && len(d.Secrets) == 0 && s == nil && p.also == nil {
		return v // its marks are the same as those of the value
	}
	d.mode = mode
	n := d.n
	v = d.value(v, sensitive, s, p)
	d.mode, d.n = redactValue, n
	return v
}

// rulesFor returns the rules that can apply in an object.
func (d *redaction) rulesFor(p place) []Rule {
	if len(d.Rules) == 0 {
		return nil
	}
	var rules []Rule
	for _, rule := range d.Rules {
		if (rule.Type == "" || rule.Type == p.typ) && (rule.Address == "" || p.isOf(rule.Address)) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// isOf reports whether p is in what has this address: an instance, a resource
// with all its instances, or for a block any of its instances.
func (p place) isOf(address string) bool {
	return address == p.address || address == withoutKey(p.address) || p.block && configAddress(address) == p.address
}

// withoutKey returns the address of the resource of an instance.
func withoutKey(address string) string {
	if !strings.HasSuffix(address, "]") {
		return address
	}
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return address
	}
	return a.AbsResource().String()
}

// covers reports whether a rule makes all of the value at p sensitive.
func (d *redaction) covers(p place) bool {
	return slices.ContainsFunc(d.rules, func(rule Rule) bool {
		return rule.Match == nil && (rule.Path == nil || pathMatches(rule.Path, p.path))
	})
}

// finds reports whether a rule or a secret makes the scalar v sensitive.
func (d *redaction) finds(v planjson.Value, p place) bool {
	if d.mode != redactValue {
		return false
	}
	for _, rule := range d.rules {
		if rule.Match == nil {
			continue
		}
		covered := rule.Path == nil
		for n := 0; n <= len(p.path) && !covered; n++ {
			covered = pathMatches(rule.Path, p.path[:n])
		}
		if covered && rule.Match(Place{Address: p.address, Type: p.typ, Path: p.path}, v) {
			return true
		}
	}
	return len(d.Secrets) > 0 && d.isSecret(v)
}

// pathMatches reports whether a path is one that a pattern describes. It takes
// time in proportion to the product of their lengths.
func pathMatches(pattern, path []string) bool {
	star, at := -1, 0 // the last "**" and where it was met
	i, j := 0, 0
	for j < len(path) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			star, at = i, j
			i++
		case i < len(pattern) && (pattern[i] == "*" || pattern[i] == path[j]):
			i, j = i+1, j+1
		case star >= 0:
			at++
			i, j = star+1, at
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == "**" {
		i++
	}
	return i == len(pattern)
}

// append writes v with its secrets replaced.
func (d *redaction) append(dst, v, sensitive planjson.Value, s *planshape.Shape, p place) planjson.Value {
	marked := planmask.HasTrue(sensitive)
	if marked && planmask.IsTrue(sensitive) || s.IsSensitive() || p.also.isAll() || len(d.rules) > 0 && d.covers(p) {
		return d.hide(dst, v, s, p.root)
	}
	kind := v.Kind()
	switch kind {
	case planjson.KindObject, planjson.KindArray:
		if marked && sensitive.Kind() != kind {
			return d.hide(dst, v, s, p.root)
		}
	default:
		if marked || p.also != nil || d.finds(v, p) {
			return d.hide(dst, v, s, false)
		}
		return append(dst, v...)
	}
	if len(d.Secrets) > 0 && kind == planjson.KindObject && d.hasSecretName(v) {
		return d.hide(dst, v, nil, false)
	}
	r := jsonscan.Items{Text: v, Valid: true}
	last := 0
	if kind == planjson.KindArray {
		var marks []planjson.Value
		if marked {
			if marks = elements(sensitive); len(marks) != v.Len() {
				return d.hide(dst, v, s, false)
			}
		}
		i := 0
		for ok := r.Open('[') && r.Element(); ok; ok = r.Element() {
			var mark planjson.Value
			if marks != nil {
				mark = marks[i]
			}
			dst = append(dst, v[last:r.Start]...)
			dst = d.append(dst, r.Value(), mark, s.Element(i), p.element())
			last = r.End
			i++
		}
		return append(dst, v[last:]...)
	}
	var marks marksOf
	if marked {
		marks = marksIn(sensitive)
	}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		part := place{address: p.address, typ: p.typ}
		var inner *planshape.Shape
		if len(d.rules) > 0 || s != nil || p.also != nil {
			name := jsonscan.Unquote(r.Name)
			part, inner = p.in(name), s.Member([]byte(name))
		}
		mark := marks.of(r.Name)
		if mark == nil && inner == nil && part.also == nil && len(d.rules) == 0 && len(d.Secrets) == 0 {
			continue // stays as it is, with what is before it
		}
		dst = append(dst, v[last:r.Start]...)
		dst = d.append(dst, r.Value(), mark, inner, part)
		last = r.End
	}
	return append(dst, v[last:]...)
}

// elements returns the elements of an array.
func elements(v planjson.Value) (list []planjson.Value) {
	for _, e := range v.Elements() {
		list = append(list, e)
	}
	return list
}

// marksOf has the members of a companion that have a true in them. Most objects
// have few, so that they are looked for one by one.
type marksOf struct {
	few  []mark
	many map[string]planjson.Value
}

// A mark is what a companion says of one member, whose name is what it means.
type mark struct {
	name  []byte
	value planjson.Value
}

func marksIn(sensitive planjson.Value) marksOf {
	var m marksOf
	r := jsonscan.Items{Text: sensitive, Valid: true}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		if v := r.Value(); planmask.HasTrue(v) {
			m.few = append(m.few, mark{jsonscan.UnquoteBytes(r.Name), v})
		}
	}
	if len(m.few) > 8 {
		m.many = make(map[string]planjson.Value, len(m.few))
		for _, x := range m.few {
			m.many[string(x.name)] = x.value
		}
	}
	return m
}

// of returns the marks of the member whose name has this token, or nil.
func (m marksOf) of(token []byte) planjson.Value {
	if len(m.few) == 0 {
		return nil
	}
	name := jsonscan.UnquoteBytes(token)
	if m.many != nil {
		return m.many[string(name)]
	}
	for _, x := range m.few {
		if bytes.Equal(x.name, name) {
			return x.value
		}
	}
	return nil
}

// hide writes v without anything that it says but its kind. Names stay if they
// are those of attributes, as those of a root are.
func (d *redaction) hide(dst, v planjson.Value, s *planshape.Shape, root bool) planjson.Value {
	kind := v.Kind()
	if d.mode != redactValue && kind != planjson.KindObject && kind != planjson.KindArray {
		return append(dst, v...)
	}
	switch kind {
	case planjson.KindString:
		if bytes.Equal(bytes.TrimSpace(v), d.token) {
			return append(dst, v...)
		}
		d.n++
		return append(dst, d.token...)
	case planjson.KindNumber:
		if string(v) != "0" {
			d.n++
		}
		return append(dst, '0')
	case planjson.KindBool:
		if string(v) != "false" {
			d.n++
		}
		return append(dst, "false"...)
	case planjson.KindArray:
		return d.hideParts(dst, v, s, '[')
	case planjson.KindObject:
		if root || s.IsObject() {
			return d.hideParts(dst, v, s, '{')
		}
		switch {
		case v.Len() == 0:
			return append(dst, v...)
		case d.mode == redactSensitive && planmask.HasTrue(v):
			return append(dst, "true"...)
		}
		d.n++
		return append(dst, "{}"...)
	}
	return append(dst, v...)
}

func (d *redaction) hideParts(dst, v planjson.Value, s *planshape.Shape, c byte) planjson.Value {
	r := jsonscan.Items{Text: v, Valid: true}
	last, i := 0, 0
	next := r.Element
	if c == '{' {
		next = r.Member
	}
	for ok := r.Open(c) && next(); ok; ok = next() {
		part := s.Element(i)
		if c == '{' {
			part = s.Member([]byte(jsonscan.Unquote(r.Name)))
		}
		dst = d.hide(append(dst, v[last:r.Start]...), r.Value(), part, false)
		last = r.End
		i++
	}
	return append(dst, v[last:]...)
}

// all hides v as a whole.
func (d *redaction) all(v planjson.Value, root bool) planjson.Value {
	if v == nil {
		return nil
	}
	if v.Check() != nil {
		d.n++
		return planjson.Value(d.token)
	}
	out := d.hide(make(planjson.Value, 0, len(v)), v, nil, root)
	if bytes.Equal(out, v) {
		return v
	}
	return out
}

// string replaces a text that can hold secrets: all of it, unless it is to be
// kept and neither a rule nor a known secret says otherwise.
func (d *redaction) string(text *string, kind Unmarked, p place) {
	if *text == "" || *text == d.text {
		return
	}
	if d.Keep&kind != 0 && !d.hasSecret(*text) {
		if d.rules = d.rulesFor(p); len(d.rules) == 0 {
			return
		}
		if !d.covers(p) && !d.finds(jsonscan.AppendQuote(nil, *text, true), p) {
			return
		}
	}
	*text = d.text
	d.n++
}
