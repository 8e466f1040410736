// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/planmask"
	"github.com/tofuwire/tofuwire/internal/planshape"
	"github.com/tofuwire/tofuwire/planjson"
)

// plan replaces the secrets of a plan. The variables come after the
// configuration, which tells what becomes of them.
func (d *redaction) plan(p *planjson.Plan) {
	d.extra(p) // first, while all objects have the text that they were decoded from
	d.learn(p)
	d.values(&p.PlannedValues, false)
	for _, rc := range p.ResourceDrift {
		d.drift(rc)
	}
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
		d.conditionResult(c)
	}
	d.checks(p.Checks)
	for name, v := range p.Variables {
		d.variable(name, v)
	}
}

func (d *redaction) conditionResult(c *planjson.ConditionResult) {
	if c != nil {
		d.string(&c.ErrorMessage, Messages, place{address: c.Address})
	}
}

func (d *redaction) state(s *planjson.State) {
	d.extra(s)
	d.inState(s)
}

func (d *redaction) inState(s *planjson.State) {
	if s.Values != nil {
		d.values(s.Values, true)
	}
	d.checks(s.Checks)
}

// values redacts planned values, or those of a state, prior to the changes.
func (d *redaction) values(v *planjson.Values, prior bool) {
	for name, o := range v.Outputs {
		d.output(name, o, prior)
	}
	for r := range v.AllResources() {
		d.resource(r, prior)
	}
}

func (d *redaction) output(name string, o *planjson.Output, prior bool) {
	if o == nil {
		return
	}
	var s *planshape.Shape
	if t, err := planjson.ParseType(o.Type); o.Type != nil && err == nil {
		s = planshape.OfType(t)
	}
	sensitive := planjson.Value("false")
	if o.Sensitive || prior && d.flows.outputs[name] {
		sensitive = planjson.Value("true")
	}
	o.Value = d.value(o.Value, sensitive, s, place{address: "output." + name})
}

func (d *redaction) resource(r *planjson.Resource, prior bool) {
	s := d.schemas.Resource(r.ProviderName, r.Mode, r.Type)
	p := place{address: r.Address, typ: r.Type, root: true}
	if prior {
		p.also = d.flows.elsewhere(r.Address)
	}
	marks := r.SensitiveValues
	r.Values = d.value(r.Values, marks, s, p)
	r.SensitiveValues = d.companion(redactSensitive, marks, marks, s, p)
	d.identity(&r.Identity, p)
}

func (d *redaction) changes(list []*planjson.ResourceChange) {
	for _, rc := range list {
		if rc != nil {
			d.resourceChange(rc)
		}
	}
}

func (d *redaction) deferred(list []*planjson.DeferredChange) {
	for _, c := range list {
		if c != nil {
			d.resourceChange(&c.ResourceChange)
		}
	}
}

func (d *redaction) resourceChange(rc *planjson.ResourceChange) {
	after := place{address: rc.Address, typ: rc.Type, root: true}
	before := after
	before.also = d.flows.elsewhere(rc.Address)
	d.change(&rc.Change, d.schemas.Resource(rc.ProviderName, rc.Mode, rc.Type), before, after)
}

// drift redacts a change that has happened: both of its objects are prior to
// those that are planned.
func (d *redaction) drift(rc *planjson.ResourceChange) {
	if rc == nil {
		return
	}
	p := place{address: rc.Address, typ: rc.Type, root: true, also: d.flows.elsewhere(rc.Address)}
	d.change(&rc.Change, d.schemas.Resource(rc.ProviderName, rc.Mode, rc.Type), p, p)
}

func (d *redaction) outputChanges(changes map[string]*planjson.Change) {
	for name, c := range changes {
		if c != nil {
			d.outputChange(name, c)
		}
	}
}

func (d *redaction) outputChange(name string, c *planjson.Change) {
	p := place{address: "output." + name}
	d.change(c, nil, p, p)
}

func (d *redaction) change(c *planjson.Change, s *planshape.Shape, b, a place) {
	before, after := c.BeforeSensitive, c.AfterSensitive
	for i, path := range c.ReplacePaths {
		c.ReplacePaths[i] = d.steps(path, c, s, b)
	}
	// Most objects do not change.
	same := len(d.Rules) == 0 && b.also == a.also && bytes.Equal(c.Before, c.After) && bytes.Equal(before, after)
	n := d.n
	c.Before = d.value(c.Before, before, s, b)
	switch {
	case !same:
		c.After = d.value(c.After, after, s, a)
	case d.n > n:
		c.After = c.Before
		d.n += d.n - n
	}
	c.AfterUnknown = d.companion(redactUnknown, c.AfterUnknown, after, s, a)
	c.BeforeSensitive = d.companion(redactSensitive, before, before, s, b)
	c.AfterSensitive = d.companion(redactSensitive, after, after, s, a)
	d.identity(&c.BeforeIdentity, b)
	d.identity(&c.AfterIdentity, a)
	d.string(&c.GeneratedConfig, GeneratedConfig, a)
	if i := c.Importing; i != nil {
		d.string(&i.ID, Identities, a)
		d.identity(&i.Identity, a)
	}
}

func (d *redaction) identity(v *planjson.Value, p place) {
	if d.Keep&Identities == 0 {
		*v = d.all(*v, true)
	} else {
		*v = d.value(*v, nil, nil, place{address: p.address, typ: p.typ, root: true})
	}
}

// steps hides those steps of a replace path that say what is in something
// sensitive: keys of a map, and elements of a set, which stand for themselves.
func (d *redaction) steps(path planjson.Value, c *planjson.Change, s *planshape.Shape, p place) planjson.Value {
	if len(d.Rules) == 0 && len(d.Secrets) == 0 && p.also == nil && !planmask.HasTrue(c.BeforeSensitive) && !planmask.HasTrue(c.AfterSensitive) && !s.HidesInside() {
		return path
	}
	if path.Check() != nil {
		return planjson.Value(d.token)
	}
	d.rules = d.rulesFor(p)
	before, after, bs, as := c.Before, c.After, c.BeforeSensitive, c.AfterSensitive
	var out planjson.Value
	last, inside := 0, false
	r := jsonscan.Items{Text: path, Valid: true}
	first := true
	for ok := r.Open('[') && r.Element(); ok; ok = r.Element() {
		step := planjson.Value(r.Value())
		inside = inside || planmask.IsTrue(bs) || planmask.IsTrue(as) || s.IsSensitive() || p.also.isAll() || len(d.rules) > 0 && d.covers(p)
		element := before.Kind() == planjson.KindArray || after.Kind() == planjson.KindArray
		_, position := step.Int64()
		container := step.Kind() == planjson.KindObject || step.Kind() == planjson.KindArray
		out = append(out, path[last:r.Start]...)
		if !first && (inside || container ||
			element && !position && (planmask.HasTrue(bs) || planmask.HasTrue(as) || p.also != nil || len(d.Rules) > 0)) || d.isSecret(step) {
			out = d.hide(out, step, nil, false)
		} else {
			out = append(out, step...)
		}
		last, first = r.End, false
		before, after, bs, as = before.Get(step), after.Get(step), bs.Get(step), as.Get(step)
		if name, ok := step.Text(); ok && !element {
			s, p = s.Member([]byte(name)), p.in(name)
		} else {
			s = s.Element(0)
		}
	}
	return append(out, path[last:]...)
}

func (d *redaction) action(a *planjson.ActionInvocation) {
	if a == nil {
		return
	}
	p := place{address: a.Address, typ: a.Type, root: true}
	marks := a.ConfigSensitive
	s := d.schemas.Action(a.ProviderName, a.Type)
	a.ConfigValues = d.value(a.ConfigValues, marks, s, p)
	a.ConfigUnknown = d.companion(redactUnknown, a.ConfigUnknown, marks, s, p)
	a.ConfigSensitive = d.companion(redactSensitive, marks, marks, s, p)
}

// relevant hides the keys of sensitive maps in a path.
func (d *redaction) relevant(a *planjson.RelevantAttribute) {
	if a == nil {
		return
	}
	at := configAddress(a.Resource)
	t := d.flows.arguments[at]
	p := place{address: at, block: true}
	if len(d.Rules) > 0 {
		p.typ = resourceType(at)
	}
	d.rules = d.rulesFor(p)
	for i, step := range a.Attribute {
		inside := i > 0 && (t.isAll() || d.partial || len(d.rules) > 0 && d.covers(p))
		if inside || d.isSecret(step) {
			a.Attribute[i] = d.all(step, false)
		}
		if name, ok := step.Text(); ok {
			t, p = t.member(name), p.in(name)
		}
	}
}

// resourceType returns the type of the resource that has this address in the
// configuration.
func resourceType(address string) string {
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return ""
	}
	return a.Resource().Type()
}

func (d *redaction) checks(list []*planjson.Check) {
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
					d.string(&p.Message, Messages, place{address: i.Address.ToDisplay})
				}
			}
		}
	}
}

func (d *redaction) diagnostics(list []*planjson.Diagnostic) {
	for _, g := range list {
		if g == nil {
			continue
		}
		p := place{address: g.Address}
		d.string(&g.Summary, Messages, p)
		d.string(&g.Detail, Messages, p)
		d.string(&g.DeprecationOriginDescription, Messages, p)
		d.snippet(g.Snippet, p)
		d.snippet(g.PolicySnippet, p)
		if g.Difference != nil {
			p.also = allIf(d.Keep&Messages == 0)
			d.change(g.Difference, nil, p, p)
		}
	}
}

func (d *redaction) snippet(s *planjson.Snippet, p place) {
	if s == nil {
		return
	}
	d.string(&s.Code, Messages, p)
	if d.Keep&Messages == 0 {
		s.Context = d.all(s.Context, false)
	} else {
		s.Context = d.value(s.Context, nil, nil, p)
	}
	for _, v := range s.Values {
		if v != nil {
			if strings.Contains(v.Traversal, "[") {
				d.string(&v.Traversal, Messages, p) // a key can be that of a sensitive map
			}
			d.string(&v.Statement, Messages, p)
		}
	}
	if e := s.TestAssertionExpr; e != nil {
		d.string(&e.LHS, Messages, p)
		d.string(&e.RHS, Messages, p)
		d.string(&e.Warning, Messages, p)
	}
}
