// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Plan returns the document that "show -json" prints for the plan. See [File.JSON] for the schemas
// and the errors.
func (f *File) Plan(schemas *planjson.Schemas) (*planjson.Plan, error) {
	text, err := f.JSON(schemas)
	if err != nil {
		return nil, err
	}
	return planjson.DecodePlan(text)
}

// JSON returns the text that "show -json" of the release that wrote the plan prints, with its final
// line feed. Where the tool prints one of several orders at random, it is one of these.
//
// The schemas are those of the plan's providers, as "providers schema -json" prints them; other
// providers are ignored. [JoinSchemas] joins documents. They may be nil if the plan contains
// schemas (OpenTofu 1.13), or needs none. Without them, a value that the schema marks as sensitive
// would not be marked, so missing schemas are an error: its cause is a [*MissingError] with the
// providers and their versions. Schemas of another version than the objects in the plan are an
// error that wraps [ErrSchemas]. The error is an [*Error].
func (f *File) JSON(schemas *planjson.Schemas) ([]byte, error) {
	text, missing, err := f.Partial(schemas)
	if err == nil && len(missing) > 0 {
		err = &Error{Offset: -1, Err: &MissingError{missing}}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// Partial is like [File.JSON], but missing schemas are not an error: it returns their types.
// Actions, addresses, reasons, replace paths, unknown parts, checks and outputs of the document are
// exact. For a resource without a schema, the values are those that can be read without it, they
// are marked as sensitive as a whole, and schema_version is absent; its configuration contains
// references but no constants. If no schema is missing, the list is empty.
func (f *File) Partial(schemas *planjson.Schemas) ([]byte, []Type, error) {
	m, err := f.plan()
	if err != nil {
		return nil, nil, err
	}
	s := &shower{file: f, plan: m}
	if s.release, err = f.release(); err != nil {
		return nil, nil, err
	}
	own, err := f.ownSchemas()
	if err != nil {
		return nil, nil, err
	}
	s.schemas = newSchemaSet(schemas, own)
	s.known = known{dropsElements: s.release.before(3)}
	if err := s.document(); err != nil {
		return nil, nil, err
	}
	if len(s.schemas.missing) > 0 {
		lock, err := f.lock()
		if err != nil {
			return nil, nil, err
		}
		s.schemas.versions = make(map[addrs.Provider]addrs.Version)
		for _, l := range lock.Locks() {
			s.schemas.versions[l.Provider] = l.Version
		}
	}
	return append(s.text, '\n'), s.schemas.list(), nil
}

// A shower writes the document.
type shower struct {
	writer
	file    *File
	plan    *message
	release release
	schemas *schemaSet
	known   known
}

// document writes all of it.
func (s *shower) document() error {
	s.text = make([]byte, 0, 4096)
	s.open('{')
	s.member("format_version", s.release.formatVersion())
	s.member("terraform_version", s.plan.release)
	config, err := s.file.config(s.plan, s.release)
	if err != nil {
		return err
	}
	for _, part := range []func() error{
		func() error { return s.variables(config) },
		s.plannedValues,
		s.resourceDrift,
		func() error { return s.resourceChanges("resource_changes", s.plan.changes) },
		s.outputChanges,
		s.priorState,
		func() error { return s.configuration(config) },
		s.relevantAttributes,
		s.checks,
	} {
		if err := part(); err != nil {
			return inEntry(entryPlan, err)
		}
	}
	if !s.release.before(5) {
		s.optional("timestamp", s.plan.timestamp)
	}
	if s.release.terraform() && !s.release.before(8) {
		s.bool("applyable", s.plan.applyable != nil && *s.plan.applyable)
		s.bool("complete", s.plan.complete != nil && *s.plan.complete)
	}
	if !s.release.before(6) {
		s.bool("errored", s.plan.errored)
	}
	s.close('}')
	return nil
}

// variables writes the values that the caller has set, and the defaults of other variables that
// the root module declares.
func (s *shower) variables(config *configTree) error {
	values := make(map[string][]byte)
	for name, d := range s.plan.variables {
		v, err := s.variable(name, d)
		if err != nil {
			return err
		}
		values[name] = s.known.append(nil, v)
	}
	if !s.release.before(2) {
		for _, v := range config.module.Variables {
			if _, ok := values[v.Name]; ok || !v.Default.IsSet() {
				continue
			}
			value, err := v.TypedDefault()
			if err != nil {
				continue // the tool has refused it, or cannot tell it either
			}
			values[v.Name] = s.known.append(nil, value)
		}
	}
	if len(values) == 0 {
		return nil
	}
	s.name("variables")
	s.open('{')
	for _, name := range slices.Sorted(maps.Keys(values)) {
		s.name(name)
		s.open('{')
		s.raw("value", values[name])
		s.close('}')
	}
	s.close('}')
	return nil
}

func (s *shower) variable(name string, d dynamic) (cty.Value, error) {
	v, err := d.value(cty.DynamicPseudoType)
	if err == nil && !v.IsWhollyKnown() {
		err = invalid("the value of a variable is unknown")
	}
	if err != nil {
		return v, inField("variables", err)
	}
	return v, nil
}

// outputsInOrder returns the changes of outputs by name.
func (s *shower) outputsInOrder() []*outputChange {
	return slices.SortedFunc(slices.Values(s.plan.outputs), func(a, b *outputChange) int { return strings.Compare(a.name, b.name) })
}

// decoded returns a value of an output, null if there is none.
func (o *outputChange) decoded(d dynamic) (cty.Value, error) {
	if !d.isSet {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	v, err := d.value(cty.DynamicPseudoType)
	if err != nil {
		return v, inField("output_changes.change.values", err)
	}
	return v, nil
}

func (s *shower) outputChanges() error {
	if len(s.plan.outputs) == 0 {
		return nil
	}
	s.name("output_changes")
	s.open('{')
	for _, o := range s.outputsInOrder() {
		before, err := o.decoded(o.change.before)
		if err != nil {
			return err
		}
		after, err := o.decoded(o.change.after)
		if err != nil {
			return err
		}
		s.name(o.name)
		s.open('{')
		if err := s.actions(&o.change); err != nil {
			return err
		}
		s.name("before")
		s.text = s.known.append(s.text, before)
		partly := !s.release.before(3) || after.IsWhollyKnown()
		if partly && after.IsKnown() {
			s.name("after")
			s.text = s.known.append(s.text, after)
		}
		s.name("after_unknown")
		switch {
		case after.IsWhollyKnown():
			s.text = append(s.text, "false"...)
		case !partly:
			s.text = append(s.text, "true"...)
		default:
			s.text = appendUnknown(s.text, after)
		}
		s.bool("before_sensitive", o.sensitive)
		s.bool("after_sensitive", o.sensitive)
		s.close('}')
	}
	s.close('}')
	return nil
}

// actions writes what a change does.
func (s *shower) actions(c *change) error {
	a := actions[c.action]
	if c.action == numberNine && s.release.terraform() {
		if a = actionCreateForget; len(c.values) < 2 {
			return inField("change.values", invalid("an action %q needs 2", a.names[0]))
		}
	}
	s.name("actions")
	s.open('[')
	for _, name := range a.names {
		s.element()
		s.string(string(name))
	}
	s.close(']')
	return nil
}

// relevantAttributes writes what has contributed to changes. The orders are those of the tools.
func (s *shower) relevantAttributes() error {
	if len(s.plan.relevant) == 0 || s.release.before(2) {
		return nil
	}
	list, err := s.relevantInOrder()
	if err != nil {
		return err
	}
	s.name("relevant_attributes")
	s.open('[')
	for _, r := range list {
		s.element()
		s.open('{')
		s.member("resource", r.resource)
		s.raw("attribute", r.text)
		s.close('}')
	}
	s.close(']')
	return nil
}

// appendPath appends the steps of a path as JSON.
func appendPath(dst []byte, p steps) ([]byte, error) {
	w := writer{text: dst}
	w.open('[')
	for i, step := range p {
		w.element()
		if !step.isKey {
			w.string(step.name)
			continue
		}
		key, err := step.key.value(cty.NilType)
		if err != nil {
			return nil, inElement("steps", i, err)
		}
		if !key.IsWhollyKnown() {
			return nil, inElement("steps", i, invalid("a key is unknown"))
		}
		w.text = known{}.append(w.text, key)
	}
	w.close(']')
	return w.text, nil
}
