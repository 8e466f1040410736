// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// plan replaces the secrets of a plan. The configuration comes last but one,
// because the changes tell which of its constants are sensitive, and the
// variables last, because the configuration tells that of them.
func (d *redaction) plan(p *Plan) {
	d.extra(p) // first, while all objects have the text that they were decoded from
	d.values(&p.PlannedValues)
	d.changes(p.ResourceDrift)
	d.changes(p.ResourceChanges)
	d.deferred(p.DeferredChanges)
	for _, a := range p.DeferredActionInvocations {
		if a != nil {
			d.action(&a.ActionInvocation)
		}
	}
	d.outputChanges(p.OutputChanges)
	for _, a := range p.ActionInvocations {
		d.action(a)
	}
	if p.PriorState != nil {
		d.inState(p.PriorState)
	}
	d.inConfiguration(&p.Configuration)
	for _, a := range p.RelevantAttributes {
		d.relevant(a)
	}
	for _, c := range p.ConditionResults {
		if c != nil {
			d.string(&c.ErrorMessage, UnmarkedMessages)
		}
	}
	d.checks(p.Checks)
	for name, v := range p.Variables {
		d.variable(name, v)
	}
}

func (d *redaction) state(s *State) {
	d.extra(s)
	d.inState(s)
}

func (d *redaction) inState(s *State) {
	if s.Values != nil {
		d.values(s.Values)
	}
	d.checks(s.Checks)
}

func (d *redaction) values(v *Values) {
	for name, o := range v.Outputs {
		d.output(name, o)
	}
	for r := range v.AllResources() {
		d.resource(r)
	}
}

func (d *redaction) output(name string, o *Output) {
	if o == nil {
		return
	}
	var s *shape
	if t, err := ParseType(o.Type); o.Type != nil && err == nil {
		s = typeShape(t)
	}
	sensitive := Value("false")
	if o.Sensitive {
		sensitive = Value("true")
	}
	o.Value = d.value(o.Value, sensitive, s, place{address: "output." + name})
}

func (d *redaction) resource(r *Resource) {
	s := d.schemas.schema(r.ProviderName, r.Mode, r.Type)
	p := place{address: r.Address, typ: r.Type, root: true}
	d.flows.sensitive(r.Address, r.SensitiveValues)
	marks := r.SensitiveValues
	r.Values = d.value(r.Values, marks, s, p)
	r.SensitiveValues = d.companion(redactSensitive, marks, marks, s, p)
	d.identity(&r.Identity)
}

func (d *redaction) changes(list []*ResourceChange) {
	for _, rc := range list {
		if rc != nil {
			d.resourceChange(rc)
		}
	}
}

func (d *redaction) deferred(list []*DeferredChange) {
	for _, c := range list {
		if c != nil {
			d.resourceChange(&c.ResourceChange)
		}
	}
}

func (d *redaction) resourceChange(rc *ResourceChange) {
	d.flows.sensitive(rc.Address, rc.Change.BeforeSensitive)
	d.flows.sensitive(rc.Address, rc.Change.AfterSensitive)
	d.change(&rc.Change, d.schemas.schema(rc.ProviderName, rc.Mode, rc.Type), place{address: rc.Address, typ: rc.Type, root: true})
}

func (d *redaction) outputChanges(changes map[string]*Change) {
	for name, c := range changes {
		if c != nil {
			d.change(c, nil, place{address: "output." + name})
		}
	}
}

func (d *redaction) change(c *Change, s *shape, p place) {
	before, after := c.BeforeSensitive, c.AfterSensitive
	for i, path := range c.ReplacePaths {
		c.ReplacePaths[i] = d.steps(path, c, s)
	}
	c.Before = d.value(c.Before, before, s, p)
	c.After = d.value(c.After, after, s, p)
	c.AfterUnknown = d.companion(redactUnknown, c.AfterUnknown, after, s, p)
	c.BeforeSensitive = d.companion(redactSensitive, before, before, s, p)
	c.AfterSensitive = d.companion(redactSensitive, after, after, s, p)
	d.identity(&c.BeforeIdentity)
	d.identity(&c.AfterIdentity)
	d.string(&c.GeneratedConfig, UnmarkedGeneratedConfig)
	if i := c.Importing; i != nil {
		d.string(&i.ID, UnmarkedIdentities)
		d.identity(&i.Identity)
	}
}

func (d *redaction) identity(v *Value) {
	if d.Keep&UnmarkedIdentities == 0 {
		*v = d.all(*v, true)
	} else {
		*v = d.value(*v, nil, nil, place{root: true})
	}
}

// steps hides those steps of a replace path that say what is in something
// sensitive: keys of a map, and elements of a set, which stand for themselves.
func (d *redaction) steps(path Value, c *Change, s *shape) Value {
	if len(d.Rules) == 0 && len(d.Secrets) == 0 && !hasTrueQuick(c.BeforeSensitive) && !hasTrueQuick(c.AfterSensitive) && !s.hidesInside() {
		return path
	}
	before, after, bs, as := c.Before, c.After, c.BeforeSensitive, c.AfterSensitive
	var out Value
	last, inside := 0, false
	r := reader{text: path}
	first := true
	for ok := r.open('[') && r.element(); ok; ok = r.element() {
		step := r.value()
		inside = inside || isTrue(bs) || isTrue(as) || s.isSensitive()
		element := before.Kind() == KindArray || after.Kind() == KindArray
		_, position := step.Int64()
		container := step.Kind() == KindObject || step.Kind() == KindArray
		out = append(out, path[last:r.start]...)
		if !first && (inside || container ||
			element && !position && (hasTrueQuick(bs) || hasTrueQuick(as) || len(d.Rules) > 0) || d.hasSecret(string(step))) {
			out = d.hide(out, step, nil, false)
		} else {
			out = append(out, step...)
		}
		last, first = r.end, false
		before, after, bs, as = before.step(step), after.step(step), bs.step(step), as.step(step)
		if name, ok := step.Text(); ok {
			s = s.member([]byte(name))
		} else {
			s = s.element(0)
		}
	}
	return append(out, path[last:]...)
}

func (d *redaction) action(a *ActionInvocation) {
	if a == nil {
		return
	}
	p := place{address: a.Address, typ: a.Type, root: true}
	marks := a.ConfigSensitive
	a.ConfigValues = d.value(a.ConfigValues, marks, nil, p)
	a.ConfigUnknown = d.companion(redactUnknown, a.ConfigUnknown, marks, nil, p)
	a.ConfigSensitive = d.companion(redactSensitive, marks, marks, nil, p)
}

// relevant hides the keys of sensitive maps in a path.
func (d *redaction) relevant(a *RelevantAttribute) {
	if a == nil {
		return
	}
	t := d.flows.arguments[configAddress(a.Resource)]
	for i, step := range a.Attribute {
		name, ok := step.Text()
		if i > 0 && (t.isAll() || ok && d.hasSecret(name)) {
			a.Attribute[i] = d.all(step, false)
		}
		if ok {
			t = t.member(name)
		}
	}
}

func (d *redaction) checks(list []*Check) {
	for _, c := range list {
		if c == nil {
			continue
		}
		for _, i := range c.Instances {
			if i == nil {
				continue
			}
			for _, p := range i.Problems {
				if p != nil {
					d.string(&p.Message, UnmarkedMessages)
				}
			}
		}
	}
}

func (d *redaction) diagnostics(list []*Diagnostic) {
	for _, g := range list {
		if g == nil {
			continue
		}
		d.string(&g.Summary, UnmarkedMessages)
		d.string(&g.Detail, UnmarkedMessages)
		d.snippet(g.Snippet)
		d.snippet(g.PolicySnippet)
		if g.Difference != nil {
			d.change(g.Difference, nil, place{address: g.Address})
			if d.Keep&UnmarkedMessages == 0 {
				g.Difference.Before, g.Difference.After = d.all(g.Difference.Before, false), d.all(g.Difference.After, false)
			}
		}
	}
}

func (d *redaction) snippet(s *Snippet) {
	if s == nil {
		return
	}
	d.string(&s.Code, UnmarkedMessages)
	if d.Keep&UnmarkedMessages == 0 {
		s.Context = d.all(s.Context, false)
	} else {
		s.Context = d.value(s.Context, nil, nil, place{})
	}
	for _, v := range s.Values {
		if v != nil {
			d.string(&v.Statement, UnmarkedMessages)
		}
	}
}

// extra hides the members that no type here knows, in all objects of doc, a
// pointer to a struct of the format.
func (d *redaction) extra(doc any) {
	d.extraOf(reflect.ValueOf(doc), 0)
}

type extraEditor interface {
	Extra() iter.Seq2[string, Value]
	SetExtra(name string, value Value) error
}

// extraOf visits v, a pointer to a struct, and everything in it. Reflection
// follows the structs, so that no type can be forgotten.
func (d *redaction) extraOf(v reflect.Value, depth int) {
	if v.IsNil() || depth > maxNesting {
		return
	}
	if o, ok := v.Interface().(extraEditor); ok {
		d.extraMembers(o)
	}
	switch o := v.Interface().(type) {
	case *Expression:
		d.extraIn(reflect.ValueOf(o.Block), depth)
		d.extraIn(reflect.ValueOf(o.Blocks), depth)
		return
	case *Outputs:
		d.extraIn(reflect.ValueOf(o.Outputs), depth)
		return
	}
	v = v.Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && strings.Contains(string(f.Tag), "json:") {
			d.extraIn(v.Field(i), depth)
		}
	}
}

func (d *redaction) extraMembers(o extraEditor) {
	var found map[string]Value
	for name, x := range o.Extra() {
		if found == nil {
			found = make(map[string]Value)
		}
		found[name] = x
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		old := found[name]
		now := d.value(old, nil, nil, place{})
		if d.Keep&UnmarkedExtra == 0 {
			now = d.all(old, false)
		}
		if string(now) != string(old) {
			o.SetExtra(name, now) // it is valid, and extra
		}
	}
}

func (d *redaction) extraIn(f reflect.Value, depth int) {
	switch f.Kind() {
	case reflect.Struct:
		d.extraOf(f.Addr(), depth+1)
	case reflect.Pointer:
		if f.Type().Elem().Kind() == reflect.Struct {
			d.extraOf(f, depth+1)
		}
	case reflect.Slice, reflect.Map:
		if f.Type().Elem().Kind() != reflect.Pointer {
			return
		}
		if f.Kind() == reflect.Slice {
			for i := range f.Len() {
				d.extraOf(f.Index(i), depth+1)
			}
			return
		}
		for it := f.MapRange(); it.Next(); {
			d.extraOf(it.Value(), depth+1)
		}
	}
}
