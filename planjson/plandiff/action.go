// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// An Invocation is an action that a plan runs in addition to the changes of
// resources. It holds no value that the plan marks as sensitive.
type Invocation struct {
	// Address is the address of the action instance, and Type, Name and
	// ProviderName are those of the [planjson.ActionInvocation].
	Address      string
	Type         string
	Name         string
	ProviderName string

	// Resource is the address of the resource instance whose change runs the
	// action, or for which the caller requested it. If a change runs it, Event
	// says when.
	Resource string
	Event    planjson.ActionTriggerEvent

	// Requested reports whether the caller requested the action.
	Requested bool

	// Reason says why the action is deferred, if it is.
	Reason planjson.DeferredReason

	// Config is the configuration of the action. Everything in it has the status
	// [Added].
	Config Attribute
}

// invocations returns the actions of a plan, those that are deferred last.
func (d *differ) invocations(p *planjson.Plan) []*Invocation {
	var list []*Invocation
	for _, a := range p.ActionInvocations {
		if a != nil {
			list = append(list, d.invocation(a))
		}
	}
	for _, a := range p.DeferredActionInvocations {
		if a != nil {
			i := d.invocation(&a.ActionInvocation)
			i.Reason = a.Reason
			list = append(list, i)
		}
	}
	return list
}

func (d *differ) invocation(a *planjson.ActionInvocation) *Invocation {
	i := &Invocation{Address: a.Address, Type: a.Type, Name: a.Name, ProviderName: a.ProviderName}
	if t := a.LifecycleActionTrigger; t != nil {
		i.Resource, i.Event = t.TriggeringResourceAddress, t.ActionTriggerEvent
	}
	if t := a.InvokeActionTrigger; t != nil {
		i.Requested, i.Resource = true, t.CallingResourceAddress
	}
	after := side{a.ConfigValues, a.ConfigUnknown, a.ConfigSensitive}
	if d.options.Reveal {
		after.sensitive = nil
	}
	d.object(&i.Config, side{}, after, d.shapes.Action(a.ProviderName, a.Type), nil)
	return i
}

// Headline says in a few words when the action runs, such as "will be invoked before
// create of aws_instance.web".
func (i *Invocation) Headline() string {
	if i == nil {
		return ""
	}
	return i.headline(printable.Text)
}

// headline is Headline with the texts of the plan written by code.
func (i *Invocation) headline(code func(string) string) string {
	s := "will be invoked"
	if i.Reason != "" {
		s = "will be invoked by a later plan"
	}
	switch i.Event {
	case "":
	case planjson.EventBeforeCreate:
		s += " before create"
	case planjson.EventAfterCreate:
		s += " after create"
	case planjson.EventBeforeUpdate:
		s += " before update"
	case planjson.EventAfterUpdate:
		s += " after update"
	default:
		s += " on " + code(string(i.Event))
	}
	switch {
	case i.Resource == "":
	case i.Event == "":
		s += " for " + code(i.Resource)
	default:
		s += " of " + code(i.Resource)
	}
	if i.Requested {
		s += ", as requested"
	}
	return s
}

// invocation renders an action, with its headline. Nothing in it changes, so
// its lines have no signs.
func (r *renderer) invocation(i *Invocation) {
	r.line("#", 0, append(append(append(r.text[:0], printable.Text(i.Address)...), ' '), i.Headline()...), "")
	if why := explainDeferred(i.Reason, printable.Text); why != "" {
		r.line("#", 0, append(append(append(r.text[:0], '('), why...), ')'), "")
	}
	text := appendQuoted(append(r.text[:0], "action "...), i.Type)
	r.text = append(appendQuoted(append(text, ' '), i.Name), " {"...)
	r.line(" ", 0, r.text, "")
	to := r.to
	r.to = plainSink{to}
	if i.Config.Sensitive {
		r.line(" ", 1, []byte("# (all of it is sensitive)"), "")
	}
	r.children(&i.Config, 1)
	r.to = to
	r.line(" ", 0, []byte("}"), "")
}

// A plainSink leaves out the signs of lines.
type plainSink struct{ to sink }

func (p plainSink) full() bool { return p.to.full() }
func (p plainSink) blank()     { p.to.blank() }

func (p plainSink) begin(_ string, depth int) { p.to.begin(" ", depth) }
func (p plainSink) add(text []byte)           { p.to.add(text) }
func (p plainSink) end(note string)           { p.to.end(note) }
