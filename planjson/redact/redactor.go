// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"fmt"

	"github.com/tofuwire/tofuwire/planjson"
)

// A Redactor replaces secrets in documents, so that they can be stored and
// shown. The zero Redactor replaces
//
//   - what a document marks as sensitive: in the values of resources, in
//     changes, drift and deferred changes, action configurations, outputs, and
//     the elements of sets in replace paths;
//   - the old values of attributes and outputs that a plan makes sensitive, also
//     in the prior state and the drift, because they are most likely the same;
//   - the values of input variables that the configuration calls sensitive or
//     ephemeral, or does not have, and of those that end up in something that
//     is replaced here;
//   - in the configuration the defaults of such variables, the constants that
//     become their values or those of sensitive outputs, and the constants of
//     arguments whose values are sensitive in any instance;
//   - what the format cannot mark; see [Unmarked].
//
// What is replaced keeps its kind: a string becomes [Redactor.Text], a number 0,
// a bool false, and null stays. Arrays keep their length. Objects keep their
// members' names if those are the names of attributes; the keys of a sensitive
// map are secrets, too, so an object that could be one becomes empty. All other
// bytes of the document stay as they are.
//
// A document with duplicate members is refused with [planjson.ErrDuplicate], because a
// reader may see any of them. Whether text that is not sensitive contains the
// same secret is not found out, but for the texts in Secrets.
//
// A Redactor may be used by several goroutines at once.
type Redactor struct {
	// Rules say what is sensitive in addition.
	Rules []Rule

	// Secrets are texts that must not occur anywhere. A string that contains
	// one is replaced, also if it is spelled with escapes of JSON in it, and so
	// is a number. An object with such a name becomes empty. In addresses, names
	// and keys of the format, what is the secret is replaced. Empty ones are
	// ignored. The names that the format itself gives to members stay.
	Secrets []string

	// Schemas gives attributes that are sensitive by their schema although the
	// document does not mark them, as in documents of old tools; it tells maps
	// from objects, so that more structure stays; and it tells which constants
	// in provider configurations are not sensitive.
	Schemas *planjson.Schemas

	// Keep says which parts that cannot be marked stay.
	Keep Unmarked

	// Text stands for strings. If empty, it is "(sensitive value)".
	Text string
}

// Unmarked is a set of the parts of documents that can hold secrets, but that
// the format does not mark as sensitive: of what a [Redactor] keeps. The method
// Redact of messages in package uijson takes a Secret, the set of what goes.
type Unmarked uint

// The parts.
const (
	Identities      Unmarked = 1 << iota // identities of resources, and the identifiers of imports
	GeneratedConfig                      // the configuration text made for imports
	Messages                             // the messages of checks, conditions and diagnostics, with their source text and values
	ProviderConfig                       // constants in provider blocks, unless Schemas calls them not sensitive
	Provisioners                         // constants in provisioner blocks
	Extra                                // members that this package does not know, which can hold anything
	All             Unmarked = 1<<iota - 1
)

// A Rule says what is sensitive in addition to what a document marks. A
// value is, if all conditions hold that are set. A rule without any condition
// covers everything.
type Rule struct {
	// Address is that of a resource instance, a resource with all its
	// instances, output.NAME or var.NAME. If empty, it is any.
	Address string

	// Type is a resource type. If empty, it is any.
	Type string

	// Path is the way from the object to the value: names of attributes and
	// keys. The positions of elements are left out. "*" stands for any one
	// name and "**" for any number of them. All that is below is covered, too.
	// If nil, it is any.
	Path []string

	// Match is asked about each string, number and bool. If nil, all match.
	Match func(at Place, v planjson.Value) bool
}

// A Place is where a value is.
type Place struct {
	Address string   // of the resource instance or the resource, or output.NAME or var.NAME
	Type    string   // of the resource
	Path    []string // as in [Rule]; valid during the call only
}

// Plan replaces the secrets in p and returns the number of values replaced. On
// errors p is not changed. A nil p, as all documents of these methods can be, has
// no secrets.
func (r Redactor) Plan(p *planjson.Plan) (int, error) {
	if p == nil {
		return 0, nil
	}
	if err := unique(p); err != nil {
		return 0, err
	}
	d := r.run()
	d.config = &p.Configuration
	d.plan(p)
	return d.n, nil
}

// State replaces the secrets in s. See [Redactor.Plan].
func (r Redactor) State(s *planjson.State) (int, error) {
	if s == nil {
		return 0, nil
	}
	if err := unique(s); err != nil {
		return 0, err
	}
	d := r.run()
	d.state(s)
	return d.n, nil
}

// Config replaces the secrets in c, as far as they can be told without a plan.
// See [Redactor.Plan].
func (r Redactor) Config(c *planjson.Config) (int, error) {
	if c == nil {
		return 0, nil
	}
	if err := unique(c); err != nil {
		return 0, err
	}
	d := r.run()
	d.configuration(c)
	return d.n, nil
}

// Outputs replaces the secrets in o. See [Redactor.Plan].
func (r Redactor) Outputs(o *planjson.Outputs) (int, error) {
	if o == nil {
		return 0, nil
	}
	if err := unique(o); err != nil {
		return 0, err
	}
	d := r.run()
	d.extra(o)
	for name, output := range o.Outputs {
		d.output(name, output, false)
	}
	return d.n, nil
}

// RendererPlan replaces the secrets in p. See [Redactor.Plan].
func (r Redactor) RendererPlan(p *planjson.RendererPlan) (int, error) {
	if p == nil {
		return 0, nil
	}
	if err := unique(p); err != nil {
		return 0, err
	}
	d := r.run()
	d.extra(p)
	d.learn(&planjson.Plan{ResourceChanges: p.ResourceChanges, ResourceDrift: p.ResourceDrift, DeferredChanges: p.DeferredChanges, OutputChanges: p.OutputChanges})
	d.changes(p.ResourceChanges)
	for _, rc := range p.ResourceDrift {
		d.drift(rc)
	}
	d.outputChanges(p.OutputChanges)
	d.deferred(p.DeferredChanges)
	for _, a := range p.RelevantAttributes {
		d.relevant(a)
	}
	for _, a := range p.ActionInvocations {
		d.action(a)
	}
	return d.n, nil
}

// Validate replaces the secrets in the diagnostics of v. See [Redactor.Plan].
func (r Redactor) Validate(v *planjson.Validate) (int, error) {
	if v == nil {
		return 0, nil
	}
	if err := unique(v); err != nil {
		return 0, err
	}
	d := r.run()
	d.extra(v)
	d.diagnostics(v.Diagnostics)
	return d.n, nil
}

// StateShow replaces the secrets in s. See [Redactor.Plan].
func (r Redactor) StateShow(s *planjson.StateShow) (int, error) {
	if s == nil {
		return 0, nil
	}
	if err := unique(s); err != nil {
		return 0, err
	}
	d := r.run()
	d.extra(s)
	if s.Resource != nil {
		d.resource(s.Resource, true)
	}
	d.diagnostics(s.Diagnostics)
	return d.n, nil
}

// Change replaces the secrets in one change of a resource, wherever it comes
// from.
func (r Redactor) Change(rc *planjson.ResourceChange) int {
	if rc == nil {
		return 0
	}
	d := r.run()
	d.extra(rc)
	d.flows.change(rc)
	d.resourceChange(rc)
	return d.n
}

// Value returns v with the parts replaced that sensitive marks in the manner of
// [planjson.Change.AfterSensitive], and those that contain one of the Secrets. Rules do
// not count. A nil v stays nil.
func (r Redactor) Value(v, sensitive planjson.Value) planjson.Value {
	d := r.run()
	d.rules = nil
	return d.value(v, sensitive, nil, place{})
}

// unique refuses a document with duplicate members.
func unique[D planjson.Document](doc D) error {
	for dup := range planjson.Duplicates(doc) {
		return &planjson.Error{Offset: dup.Offset, Line: dup.Line, Column: dup.Column, Pointer: dup.Pointer,
			Err: fmt.Errorf("%w: a redacted document must not have any", planjson.ErrDuplicate)}
	}
	return nil
}
