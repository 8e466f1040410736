// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// errPlaces means that the redacted text has other objects than the document.
var errPlaces = errors.New("the redacted document does not have the same objects")

// documents is what plans and states have in common.
type documents struct {
	*maker
	lists     [numLists]cursor
	resource  resource
	last      splitter
	providers map[string]*provider
}

// A resource is the resource whose instances are being read. Those of one
// resource follow each other.
type resource struct {
	at        int64
	key       string
	module    any // its module
	cells     []any
	instances int64
}

// A provider has the uses of a provider that were read so far.
type provider struct{ at, instances, changes int64 }

func (m *maker) documents() *documents {
	d := &documents{maker: m, providers: make(map[string]*provider)}
	for i := range d.lists {
		d.lists[i].deltas = m.doc.index.lists[i].deltas
	}
	return d
}

// at returns the offset of the next object of a list.
func (d *documents) at(list int) (int64, error) {
	at, ok := d.lists[list].next()
	if !ok {
		return 0, errPlaces
	}
	return at, nil
}

func (m *maker) plan(src io.ReadSeeker) error {
	d := m.documents()
	p := planjson.PlanReader{
		FormatVersion: func(version string) error {
			m.info.formatVersion = version
			return planjson.CheckVersion(&planjson.Plan{FormatVersion: version})
		},
		PlannedOutput:   d.output,
		PlannedResource: d.instance,
		ResourceChange:  func(rc *planjson.ResourceChange) error { return d.change(listChanges, rc, "") },
		ResourceDrift:   d.drift,
		Members: map[string]func(planjson.Value) error{
			"terraform_version": m.text(&m.info.toolVersion),
			"timestamp":         m.text(&m.info.made),
			"errored":           boolean(&m.info.errored),
			"applyable":         boolean(&m.info.applyable),
			"deferred_changes":  d.deferred,
			"checks":            d.checks,
			"configuration":     d.configuration,
		},
	}
	m.placed(p.Members)
	return d.read(src, m.options.redactor().WritePlan, func(r io.Reader) error { return planjson.ReadPlan(r, p) })
}

func (m *maker) state(src io.ReadSeeker) error { return m.documents().readState(src) }

// readState reads a state, redacted on the way.
func (d *documents) readState(src io.ReadSeeker) error {
	s := planjson.StateReader{
		FormatVersion: func(version string) error {
			d.info.formatVersion = version
			return planjson.CheckVersion(&planjson.State{FormatVersion: version})
		},
		Output:   d.output,
		Resource: d.instance,
		Members: map[string]func(planjson.Value) error{
			"terraform_version": d.text(&d.info.toolVersion),
			"checks":            d.checks,
		},
	}
	d.placed(s.Members)
	return d.read(src, d.options.redactor().WriteState, func(r io.Reader) error { return planjson.ReadState(r, s) })
}

// read reads the document, redacted on the way. A document with a fault has
// none of its rows made then, because the redactor writes nothing of it.
func (d *documents) read(src io.ReadSeeker, redact func(io.Writer, io.Reader) (int, error), read func(io.Reader) error) error {
	var err error
	if d.options.Reveal {
		err = read(src)
	} else {
		r, w := io.Pipe()
		done := make(chan error, 1)
		go func() {
			_, err := redact(w, src)
			w.CloseWithError(err) // nil is the end of the text
			done <- err
		}()
		err = read(r)
		r.CloseWithError(err)
		if cause := <-done; cause != nil && (err == nil || !errors.Is(cause, err)) {
			err = cause
		}
	}
	if err != nil {
		return err
	}
	if m := d.maker; m.info.made != "" {
		made, err := time.Parse(time.RFC3339, m.info.made)
		if m.info.made = ""; err == nil {
			m.info.made, _ = Stamp(made).(string)
		}
	}
	return d.end()
}

// end passes on the facts that are known only at the end of the document.
func (d *documents) end() error {
	if err := d.flush(); err != nil {
		return err
	}
	for list := range d.lists {
		if _, more := d.lists[list].next(); more && (list == listChanges || list == listDrift || list == listValues || list == listOutputs) {
			return errPlaces
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.providers)) {
		p := d.providers[name]
		if err := d.row(Providers, p.at, name, p.instances, p.changes); err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) provider(name string, at int64) *provider {
	if name == "" {
		return new(provider)
	}
	p := d.providers[name]
	if p == nil {
		p = &provider{at: at}
		d.providers[name] = p
	}
	return p
}

// instance takes an object of a state or of planned values.
func (d *documents) instance(r *planjson.Resource) error {
	at, err := d.at(listValues)
	if err != nil {
		return err
	}
	if r == nil {
		return nil
	}
	module, address := d.last.split(r)
	mode, typ, name := d.word(wordMode, string(r.Mode), false), d.word(wordType, r.Type, false), d.word(wordName, r.Name, false)
	provider := d.word(wordProvider, r.ProviderName, true)
	if address != d.resource.key || module != d.resource.module {
		if err := d.flush(); err != nil {
			return err
		}
		d.resource = resource{at: at, key: address, module: module, cells: []any{address, module, mode, typ, name, provider}}
	}
	d.resource.instances++
	d.provider(r.ProviderName, at).instances++
	return d.row(Instances, at, r.Address, module, mode, typ, name, d.raw(r.Index), provider, null(r.DeposedKey),
		r.Tainted, int64(r.SchemaVersion), d.raw(r.Values))
}

// output takes an output of a state or of planned values.
func (d *documents) output(name string, o *planjson.Output) error {
	at, err := d.at(listOutputs)
	if err != nil || o == nil {
		return err
	}
	return d.row(Outputs, at, name, d.raw(o.Type), d.raw(o.Value), o.Sensitive)
}

// flush passes on the resource whose instances have been read.
func (d *documents) flush() error {
	r := d.resource
	d.resource = resource{}
	if r.instances == 0 {
		return nil
	}
	return d.row(Resources, r.at, append(r.cells, r.instances)...)
}

// A splitter splits addresses of instances. Those of one resource follow each
// other, so it remembers the last one.
type splitter struct {
	prefix   string // the address without its number
	module   any
	resource string
}

// split returns the module of an instance, nil for the root module, and the
// address of its resource.
func (s *splitter) split(r *planjson.Resource) (module any, resource string) {
	prefix := numbered(r.Address)
	if prefix != "" && prefix == s.prefix {
		return s.module, s.resource
	}
	s.prefix = ""
	if a, err := addrs.ParseRecordedResourceInstance(r.Address); err == nil {
		*s = splitter{prefix, null(a.Module().String()), a.Resource().String()}
		return s.module, s.resource
	}
	// An address that redaction has changed, or of another mode.
	resource = r.Type + "." + r.Name
	if r.Mode != addrs.Managed {
		resource = string(r.Mode) + "." + resource
	}
	return nil, resource
}

// numbered returns an address without the number at its end, or "" if it has none.
// Addresses that differ in the number only are of one resource.
func numbered(address string) string {
	text, ok := strings.CutSuffix(address, "]")
	prefix := strings.TrimRight(text, "0123456789")
	digits := text[len(prefix):]
	if !ok || !strings.HasSuffix(prefix, "[") || digits == "" || len(digits) > 9 || digits[0] == '0' && digits != "0" {
		return ""
	}
	return prefix
}

// action returns one word for actions.
func action(a planjson.Actions) string {
	switch {
	case a.IsReplace() && !a.Destroys():
		return "replace-forget"
	case a.IsReplace():
		return "replace"
	case len(a) == 1:
		return string(a[0])
	}
	return a.String()
}

// change takes a planned change.
func (d *documents) change(list int, rc *planjson.ResourceChange, deferred planjson.DeferredReason) error {
	at, err := d.at(list)
	if err != nil || rc == nil {
		return err
	}
	p := d.provider(rc.ProviderName, at)
	actions := rc.Change.Actions
	if actions.IsNoOp() && rc.PreviousAddress == "" && rc.Change.Importing == nil && deferred == "" {
		return nil
	}
	if !actions.IsNoOp() {
		p.changes++
	}
	err = d.row(Changes, at, rc.Address, null(rc.PreviousAddress), null(rc.ModuleAddress), string(rc.Mode), rc.Type, rc.Name, d.raw(rc.Index), null(rc.ProviderName),
		null(rc.Deposed), action(actions), actions.Destroys(), null(rc.ActionReason), rc.Change.Importing != nil, null(deferred))
	if err != nil || !actions.IsUpdate() && !actions.IsReplace() {
		return err
	}
	return d.attributes(at, rc, false)
}

// drift takes a change outside of the tool.
func (d *documents) drift(rc *planjson.ResourceChange) error {
	at, err := d.at(listDrift)
	if err != nil || rc == nil {
		return err
	}
	err = d.row(Drift, at, rc.Address, null(rc.ModuleAddress), string(rc.Mode), rc.Type, rc.Name, d.raw(rc.Index), null(rc.ProviderName), null(rc.Deposed),
		action(rc.Change.Actions))
	if err != nil || !rc.Change.Actions.IsUpdate() {
		return err
	}
	return d.attributes(at, rc, true)
}

// attributes passes on the attributes in which an object differs.
func (d *documents) attributes(at int64, rc *planjson.ResourceChange, drift bool) error {
	difference := plandiff.Change(rc, plandiff.Options{})
	if difference == nil {
		return nil
	}
	for a := range difference.Object.Leaves() {
		before, after := d.raw(a.Before), d.raw(a.After)
		err := d.row(ChangedAttributes, at, rc.Address, null(rc.Deposed), drift, a.String(), before, after, a.Unknown, a.Sensitive, a.ForcesReplacement)
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) configuration(v planjson.Value) error {
	c, err := planjson.DecodeConfig(v)
	if err != nil {
		return err
	}
	return d.config(c)
}

// placed makes the errors of functions for members say where in the document the
// fault is. A redacted document has no such faults: it was checked whole before.
func (m *maker) placed(members map[string]func(planjson.Value) error) {
	for name, f := range members {
		members[name] = func(v planjson.Value) error {
			err := f(v)
			var inner *planjson.Error
			fault := &Fault{Offset: m.doc.index.start(name), Pointer: "/" + name, Err: err}
			switch {
			case errors.As(err, &inner):
				fault.Offset, fault.Pointer, fault.Err = fault.Offset+inner.Offset, fault.Pointer+inner.Pointer, inner.Err
			case err == nil || !errors.Is(err, planjson.ErrKind):
				return err
			}
			return m.doc.locate(fault)
		}
	}
}

// isList refuses everything but a list or null.
func isList(v planjson.Value) error {
	if v.Kind() != planjson.KindArray && !v.IsNull() {
		return fmt.Errorf("%w: expected an array", planjson.ErrKind)
	}
	return nil
}

// element makes the error of an element of a member one of the member.
func (m *maker) element(name string, i int, at int64, err error) error {
	var e *planjson.Error
	if !errors.As(err, &e) {
		return err
	}
	return &planjson.Error{Offset: at - m.doc.index.start(name) + e.Offset, Pointer: fmt.Sprintf("/%d%s", i, e.Pointer), Err: e.Err}
}

func (d *documents) deferred(v planjson.Value) error {
	if err := isList(v); err != nil {
		return err
	}
	places := d.lists[listDeferred]
	for i, element := range v.Elements() {
		var c planjson.DeferredChange
		at, _ := places.next()
		if err := d.element("deferred_changes", i, at, c.UnmarshalJSON(element)); err != nil {
			return err
		}
		if err := d.change(listDeferred, &c.ResourceChange, c.Reason); err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) checks(v planjson.Value) error {
	if err := isList(v); err != nil {
		return err
	}
	for i, element := range v.Elements() {
		at, err := d.at(listChecks)
		if err != nil {
			return err
		}
		var c planjson.Check
		if err := d.element("checks", i, at, c.UnmarshalJSON(element)); err != nil {
			return err
		}
		if err := d.check(at, &c); err != nil {
			return err
		}
	}
	return nil
}

// check passes on the rows of a check.
func (d *documents) check(at int64, c *planjson.Check) error {
	row := func(cells ...any) error {
		return d.row(Checks, at, append([]any{c.Address.ToDisplay, string(c.Address.Kind), string(c.Status)}, cells...)...)
	}
	if len(c.Instances) == 0 {
		return row(nil, nil, nil)
	}
	for _, i := range c.Instances {
		if i == nil {
			continue
		}
		problems := []any{}
		for _, p := range i.Problems {
			if p != nil {
				problems = append(problems, p.Message)
			}
		}
		if len(problems) == 0 {
			problems = append(problems, nil)
		}
		for _, p := range problems {
			if err := row(i.Address.ToDisplay, string(i.Status), p); err != nil {
				return err
			}
		}
	}
	return nil
}

// text returns a function that keeps a string.
func (m *maker) text(s *string) func(planjson.Value) error {
	return func(v planjson.Value) error {
		text, ok := v.Text()
		if !ok && !v.IsNull() {
			return fmt.Errorf("%w: expected a string", planjson.ErrKind)
		}
		*s = text
		return nil
	}
}

func boolean(b *any) func(planjson.Value) error {
	return func(v planjson.Value) error {
		value, ok := v.Bool()
		if !ok && !v.IsNull() {
			return fmt.Errorf("%w: expected a bool", planjson.ErrKind)
		}
		if ok {
			*b = value
		}
		return nil
	}
}
