// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// hide replaces the secrets in p. A secret that changes has the same text on both sides then;
// hide marks it as sensitive, with values that differ, so that the report still shows that it
// changes. It returns p as it was.
func hide(p *planjson.Plan) (original *planjson.Plan, err error) {
	was := *p // the objects below it are replaced, not changed
	*p = *withoutIdentities(p)
	// Messages of checks are what a reader must see; the secrets in them are replaced.
	if _, err := (redact.Redactor{Keep: redact.Details}).Plan(p); err != nil {
		return nil, err
	}
	for i, rc := range p.ResourceChanges {
		keepDifference(&was.ResourceChanges[i].Change, &rc.Change)
	}
	for i, rc := range p.ResourceDrift {
		keepDifference(&was.ResourceDrift[i].Change, &rc.Change)
	}
	for i, d := range p.DeferredChanges {
		if d != nil {
			keepDifference(&was.DeferredChanges[i].ResourceChange.Change, &d.ResourceChange.Change)
		}
	}
	for name, c := range p.OutputChanges {
		if before := was.OutputChanges[name]; c != nil && before != nil {
			keepDifference(before, c)
		}
	}
	return &was, nil
}

// keepDifference marks in c, which has no secrets, what differs in was and does not in c.
func keepDifference(was, c *planjson.Change) {
	if was != nil && c != nil && (!bytes.Equal(was.Before, c.Before) || !bytes.Equal(was.After, c.After)) {
		keep([2]planjson.Value{was.Before, was.After}, [4]*planjson.Value{&c.Before, &c.After, &c.BeforeSensitive, &c.AfterSensitive})
	}
}

// keepDifferences marks in two plans without secrets in what they differ as they were.
func keepDifferences(approved, planned *source) {
	type key struct{ address, deposed string }
	index := make(map[key]int)
	for i, rc := range approved.plan.ResourceChanges {
		if rc != nil {
			index[key{rc.Address, rc.Deposed}] = i
		}
	}
	for i, rc := range planned.plan.ResourceChanges {
		if rc == nil {
			continue
		}
		n, ok := index[key{rc.Address, rc.Deposed}]
		if !ok {
			continue
		}
		first, second := &approved.was.ResourceChanges[n].Change, &planned.was.ResourceChanges[i].Change
		a, b := &approved.plan.ResourceChanges[n].Change, &rc.Change
		keep([2]planjson.Value{first.Before, second.Before}, [4]*planjson.Value{&a.Before, &b.Before, &a.BeforeSensitive, &b.BeforeSensitive})
		keep([2]planjson.Value{first.After, second.After}, [4]*planjson.Value{&a.After, &b.After, &a.AfterSensitive, &b.AfterSensitive})
	}
	for name, b := range planned.plan.OutputChanges {
		a, first, second := approved.plan.OutputChanges[name], approved.was.OutputChanges[name], planned.was.OutputChanges[name]
		if a != nil && b != nil && first != nil && second != nil {
			keep([2]planjson.Value{first.After, second.After}, [4]*planjson.Value{&a.After, &b.After, &a.AfterSensitive, &b.AfterSensitive})
		}
	}
}

// keep marks what differs in two values as they were and does not in those without secrets. The
// latter are first in now, and then their marks.
func keep(was [2]planjson.Value, now [4]*planjson.Value) {
	if bytes.Equal(was[0], was[1]) || bytes.Equal(was[0], *now[0]) && bytes.Equal(was[1], *now[1]) {
		return
	}
	var x [6]any
	for i, v := range []planjson.Value{was[0], was[1], *now[0], *now[1], *now[2], *now[3]} {
		if len(v) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(v))
		d.UseNumber()
		if d.Decode(&x[i]) != nil {
			return
		}
	}
	var replaced [2]bool
	x[2], replaced[0] = withoutStandIns(x[0], x[2])
	x[3], replaced[1] = withoutStandIns(x[1], x[3])
	e := sides{x[0], x[1], x[2], x[3], x[4], x[5]}
	told := e.tell()
	if _, _, marked := e.mark(); !marked && !told && replaced == [2]bool{} {
		return
	}
	for i, v := range []any{e.before, e.after, e.beforeMark, e.afterMark} {
		if text, err := planjson.ValueOf(v); err == nil && v != nil {
			*now[i] = text
		}
	}
}

// withoutStandIns replaces what redact has in the place of hidden numbers, booleans, objects
// and arrays, such as 0 and {}, because a reader would take it for the value. It reports
// whether there is any.
func withoutStandIns(was, now any) (_ any, found bool) {
	const hidden = "(sensitive value)"
	switch v := now.(type) {
	case json.Number:
		if n, ok := was.(json.Number); ok && n != v {
			return hidden, true
		}
	case bool:
		if b, ok := was.(bool); ok && b != v {
			return hidden, true
		}
	case map[string]any:
		was, _ := was.(map[string]any)
		if len(v) == 0 && len(was) > 0 {
			return hidden, true
		}
		for name, part := range v {
			if part, ok := withoutStandIns(was[name], part); ok {
				v[name], found = part, true
			}
		}
	case []any:
		was, _ := was.([]any)
		if len(v) == 0 && len(was) > 0 {
			return hidden, true
		}
		for i := range min(len(v), len(was)) {
			if part, ok := withoutStandIns(was[i], v[i]); ok {
				v[i], found = part, true
			}
		}
	}
	return now, found
}

// tell numbers the hidden texts in the lists of two values where different ones have become the same, as redact does with
// names: elements are paired by what they are, so that what differed must still differ and what was the same must be the
// same. It reports whether it has changed something.
func (s *sides) tell() (told bool) {
	b, ok1 := s.before.(map[string]any)
	a, ok2 := s.after.(map[string]any)
	if ok1 && ok2 {
		wb, _ := s.wasBefore.(map[string]any)
		wa, _ := s.wasAfter.(map[string]any)
		for name := range b {
			in := sides{wb[name], wa[name], b[name], a[name], member(s.beforeMark, name), member(s.afterMark, name)}
			if in.tell() {
				told, b[name], a[name] = true, in.before, in.after
				s.beforeMark, s.afterMark = withMember(s.beforeMark, name, in.beforeMark), withMember(s.afterMark, name, in.afterMark)
			}
		}
		return told
	}
	_, ok1 = s.before.([]any)
	_, ok2 = s.after.([]any)
	if !ok1 || !ok2 {
		return false
	}
	both := func(f leaf) {
		s.before, s.beforeMark = leaves(s.wasBefore, s.before, s.beforeMark, f)
		s.after, s.afterMark = leaves(s.wasAfter, s.after, s.afterMark, f)
	}
	marked := map[string]bool{}
	both(func(was, now string, mark bool) (string, bool) {
		marked[was] = marked[was] || mark
		return now, mark
	})
	numbers := map[string]map[string]int{}
	both(func(was, now string, mark bool) (string, bool) {
		if was == now {
			return now, mark
		}
		if numbers[now] == nil {
			numbers[now] = map[string]int{}
		}
		n := numbers[now][was]
		if n == 0 {
			n = len(numbers[now]) + 1
			numbers[now][was] = n
		}
		whole := now == "(sensitive value)" || now == "***"
		if n > 1 {
			now = fmt.Sprintf("%s (%d)", now, n)
		}
		told = true
		return now, mark || whole && !marked[was] // no number is shown then, and no mark that comes or goes
	})
	return told
}

// A leaf returns what becomes of a text, of which it gets what it was, and of its mark.
type leaf func(was, now string, mark bool) (string, bool)

// leaves calls f for the texts in a value.
func leaves(was, now, mark any, f leaf) (any, any) {
	switch now := now.(type) {
	case string:
		switch was := was.(type) {
		case string:
			return f(was, now, mark == true)
		case json.Number:
			return f(string(was), now, mark == true)
		}
	case map[string]any:
		was, _ := was.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(now)) {
			v, m := leaves(was[name], now[name], member(mark, name), f)
			if now[name] = v; m != nil && m != false {
				mark = withMember(mark, name, m)
			}
		}
	case []any:
		was, _ := was.([]any)
		for i := range min(len(now), len(was)) {
			v, m := leaves(was[i], now[i], element(mark, i), f)
			if now[i] = v; m != nil && m != false {
				mark = withElement(mark, i, len(now), m)
			}
		}
	}
	return now, mark
}

// Sides are the two sides of one value: as they were, without secrets, and the marks.
type sides struct{ wasBefore, wasAfter, before, after, beforeMark, afterMark any }

// mark reports whether the two sides differed, whether they do now, and whether it has marked
// something below.
func (s *sides) mark() (differed, differ, marked bool) {
	wb, ok1 := s.wasBefore.(map[string]any)
	wa, ok2 := s.wasAfter.(map[string]any)
	b, ok3 := s.before.(map[string]any)
	a, ok4 := s.after.(map[string]any)
	if ok1 && ok2 && ok3 && ok4 {
		differed, differ, marked = s.members(wb, wa, b, a)
	} else {
		wb, ok1 := s.wasBefore.([]any)
		wa, ok2 := s.wasAfter.([]any)
		b, ok3 := s.before.([]any)
		a, ok4 := s.after.([]any)
		if ok1 && ok2 && ok3 && ok4 && len(b) == len(a) && len(wb) == len(b) && len(wa) == len(a) {
			differed, differ, marked = s.elements(wb, wa, b, a)
		} else {
			differed, differ = !reflect.DeepEqual(s.wasBefore, s.wasAfter), !reflect.DeepEqual(s.before, s.after)
		}
	}
	if differed && !differ {
		s.after = another(s.after)
		if s.beforeMark != true && s.afterMark != true { // one mark hides both sides
			s.beforeMark, s.afterMark = true, true
		}
		differ, marked = true, true
	}
	return differed, differ, marked
}

// members looks at the members of objects.
func (s *sides) members(wb, wa, b, a map[string]any) (differed, differ, marked bool) {
	differed, differ = len(wb) != len(wa), len(b) != len(a)
	for name, v := range wb {
		w, ok := wa[name]
		_, ok1 := b[name]
		_, ok2 := a[name]
		if !ok || (!ok1 || !ok2) && !differed && !reflect.DeepEqual(v, w) { // it comes, goes, or has no name any more
			differed = true
		}
	}
	for name, v := range b {
		w, ok := a[name]
		wv, ok1 := wb[name]
		ww, ok2 := wa[name]
		if !ok || !ok1 || !ok2 {
			differ = differ || !ok
			continue
		}
		in := sides{wv, ww, v, w, member(s.beforeMark, name), member(s.afterMark, name)}
		x, y, z := in.mark()
		differed, differ = differed || x, differ || y
		if z {
			marked = true
			b[name], a[name] = in.before, in.after
			s.beforeMark, s.afterMark = withMember(s.beforeMark, name, in.beforeMark), withMember(s.afterMark, name, in.afterMark)
		}
	}
	return differed, differ, marked
}

// elements looks at the elements of arrays of one length.
func (s *sides) elements(wb, wa, b, a []any) (differed, differ, marked bool) {
	for i := range b {
		in := sides{wb[i], wa[i], b[i], a[i], element(s.beforeMark, i), element(s.afterMark, i)}
		x, y, z := in.mark()
		differed, differ = differed || x, differ || y
		if z {
			marked = true
			b[i], a[i] = in.before, in.after
			s.beforeMark, s.afterMark = withElement(s.beforeMark, i, len(b), in.beforeMark), withElement(s.afterMark, i, len(b), in.afterMark)
		}
	}
	return differed, differ, marked
}

// another returns a value of the same kind that differs. Nobody sees it.
func another(v any) any {
	switch v := v.(type) {
	case string:
		return v + " "
	case json.Number:
		if v == "0" {
			return json.Number("1")
		}
		return json.Number("0")
	case bool:
		return !v
	case map[string]any:
		return map[string]any{"(sensitive value)": true}
	case []any:
		return append([]any{nil}, v...)
	}
	return v
}

// member returns the mark of a member of an object.
func member(mark any, name string) any {
	if m, ok := mark.(map[string]any); ok {
		return m[name]
	}
	return mark == true
}

// element returns the mark of an element of an array.
func element(mark any, i int) any {
	if m, ok := mark.([]any); ok && i < len(m) {
		return m[i]
	}
	return mark == true
}

// withMember sets the mark of a member.
func withMember(mark any, name string, v any) any {
	if mark == true {
		return mark
	}
	m, ok := mark.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	m[name] = v
	return m
}

// withElement sets the mark of an element.
func withElement(mark any, i, n int, v any) any {
	if mark == true {
		return mark
	}
	m, ok := mark.([]any)
	if !ok {
		m = make([]any, n)
	}
	for len(m) < n {
		m = append(m, false)
	}
	for j := range m {
		if m[j] == nil {
			m[j] = false
		}
	}
	m[i] = v
	return m
}

// unmark removes the marks of sensitive values, so that the report shows them.
func unmark(p *planjson.Plan) {
	change := func(c *planjson.Change) {
		c.BeforeSensitive, c.AfterSensitive = nil, nil
	}
	for _, list := range [][]*planjson.ResourceChange{p.ResourceChanges, p.ResourceDrift} {
		for _, rc := range list {
			if rc != nil {
				change(&rc.Change)
			}
		}
	}
	for _, d := range p.DeferredChanges {
		if d != nil {
			change(&d.ResourceChange.Change)
		}
	}
	for name, c := range p.OutputChanges {
		if c != nil {
			change(c)
			c.BeforeSensitive, c.AfterSensitive = planjson.Literal(false), planjson.Literal(false)
		}
		if o := p.PlannedValues.Outputs[name]; o != nil {
			o.Sensitive = false
		}
	}
	for _, a := range p.ActionInvocations {
		if a != nil {
			a.ConfigSensitive = nil
		}
	}
	for _, a := range p.DeferredActionInvocations {
		if a != nil {
			a.ActionInvocation.ConfigSensitive = nil
		}
	}
}
