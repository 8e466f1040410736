// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A message is the entry tfplan: OpenTofu's internal/plans/internal/planproto/planfile.proto. The
// numbers of its fields are the same in all releases of both tools; what a number of an action
// or a reason means is told in tables.go.
type message struct {
	version     uint64
	mode        uint64
	variables   map[string]dynamic
	changes     []*resourceChange
	drift       []*resourceChange
	outputs     []*outputChange // one of a name
	targets     []string
	excludes    []string
	forced      []string // addresses to replace
	hasBackend  bool
	backend     Backend
	release     string
	relevant    []relevantAttribute
	results     []protoField // of checks, before they are read
	checks      []*checkResult
	conditions  map[string]*condition // of Terraform 1.2, by the address of the block
	timestamp   string
	hasIdentity bool // there is an identity of OpenTofu 1.12
	outcome
}

// An outcome is how planning ended.
type outcome struct {
	errored             bool
	applyable, complete *bool // of Terraform
}

// A resourceChange is the change of one object.
type resourceChange struct {
	addrText, prevText, providerText string
	addr                             addrs.AbsResourceInstance
	address                          string // addr as text
	previous                         string // the address before, if it is another
	provider                         addrs.Provider
	deposed                          string
	change                           change
	replace                          []steps
	reason                           uint64
	at                               int // the offset of the message
	index                            int // in its list
}

// A change is what happens to a value.
type change struct {
	action          uint64
	values          []dynamic
	sensitive       [2][]steps // before and after
	importing       bool
	importID        string
	importIdentity  dynamic
	generatedConfig string
	identities      [2]dynamic // before and after
	before, after   dynamic    // of the values
}

type outputChange struct {
	name      string
	change    change
	sensitive bool
}

// Steps lead to a part of a value.
type steps []step

// A step is the name of an attribute, or a key.
type step struct {
	name  string
	key   dynamic
	isKey bool
}

type relevantAttribute struct {
	resource string
	path     steps
}

type checkResult struct {
	kind, status uint64
	kindName     addrs.CheckableKind
	addrText     string
	addr         addrs.Checkable
	objects      []*checkObject
}

type checkObject struct {
	addrText string
	addr     addrs.Checkable
	status   uint64
	messages []string
}

// formatVersion is the version of the format that all releases write.
const formatVersion = 3

// readPlan reads the entry tfplan and checks what the tools check.
func readPlan(src []byte) (*message, error) {
	m := &message{variables: make(map[string]dynamic)}
	if err := readMessage(src, 0, m.field); err != nil {
		return nil, err
	}
	if m.version != formatVersion {
		return nil, inField("version", fmt.Errorf("%w: it is %d, and only version %d is known", ErrVersion, m.version, formatVersion))
	}
	if err := m.readResults(); err != nil {
		return nil, err
	}
	return m, m.check()
}

// writtenBy reports whether a patch release of a minor one, such as "1.2", wrote the plan.
func (m *message) writtenBy(minor string) bool {
	return strings.HasPrefix(m.release, minor+".")
}

func (m *message) field(f protoField) error {
	switch f.number {
	case 1:
		return f.into("version", &m.version)
	case 2:
		var name string
		var value dynamic
		err := f.message("variables", func(f protoField) error {
			if f.number == 1 {
				return f.into("key", &name)
			}
			if f.number == 2 {
				return f.into("value", &value)
			}
			return nil
		})
		if f.isText {
			m.variables[name] = value
		}
		return err
	case 3:
		return readChange(f, "resource_changes", &m.changes, m)
	case 4:
		return m.output(f)
	case 5:
		return f.into("target_addrs", &m.targets)
	case 6:
		return f.into("exclude_addrs", &m.excludes)
	case 13:
		m.hasBackend = m.hasBackend || f.isText
		return f.message("backend", m.backend.field)
	case 14:
		return f.into("terraform_version", &m.release)
	case 15:
		return m.relevantAttribute(f)
	case 16:
		return f.into("force_replace_addrs", &m.forced)
	case 17:
		return f.into("ui_mode", &m.mode)
	case 18:
		return readChange(f, "resource_drift", &m.drift, m)
	case 19:
		m.results = append(m.results, f)
	case 20:
		return f.into("errored", &m.errored)
	case 21:
		return f.into("timestamp", &m.timestamp)
	case 25:
		return optionalBool(f, &m.applyable)
	case 26:
		return optionalBool(f, &m.complete)
	}
	return nil
}

func optionalBool(f protoField, dst **bool) error {
	if f.isInt {
		*dst = new(bool)
	}
	return f.into("", *dst)
}

func (b *Backend) field(f protoField) error {
	switch f.number {
	case 1:
		return f.into("type", &b.Type)
	case 2:
		return f.into("config", &b.config)
	case 3:
		return f.into("workspace", &b.Workspace)
	}
	return nil
}

func readChange(f protoField, field string, list *[]*resourceChange, m *message) error {
	if !f.isText {
		return nil
	}
	r := &resourceChange{at: f.at, index: len(*list)}
	*list = append(*list, r)
	err := f.message("", func(f protoField) error {
		switch f.number {
		case 7:
			return f.into("deposed_key", &r.deposed)
		case 8:
			return f.into("provider", &r.providerText)
		case 9:
			return f.message("change", func(f protoField) error { return r.change.field(f, m) })
		case 11:
			return readPath(f, "required_replace", &r.replace)
		case 12:
			return f.into("action_reason", &r.reason)
		case 13:
			return f.into("addr", &r.addrText)
		case 14:
			return f.into("prev_run_addr", &r.prevText)
		}
		return nil
	})
	if err != nil {
		return inElement(field, r.index, err)
	}
	return nil
}

func (c *change) field(f protoField, m *message) error {
	switch f.number {
	case 1:
		return f.into("action", &c.action)
	case 2:
		if !f.isText {
			return nil
		}
		var v dynamic
		if err := f.into("", &v); err != nil {
			return inElement("values", len(c.values), err)
		}
		if !v.isSet {
			return inElement("values", len(c.values), atOffset(f.at, invalid("the value has no content")))
		}
		c.values = append(c.values, v)
	case 3:
		return readPath(f, "before_sensitive_paths", &c.sensitive[0])
	case 4:
		return readPath(f, "after_sensitive_paths", &c.sensitive[1])
	case 5:
		c.importing = c.importing || f.isText
		return f.message("importing", func(f protoField) error {
			if f.number == 1 {
				return f.into("id", &c.importID)
			}
			if f.number == 2 {
				return f.into("identity", &c.importIdentity)
			}
			return nil
		})
	case 6:
		return f.into("generated_config", &c.generatedConfig)
	case 7, 8:
		m.hasIdentity = m.hasIdentity || f.isText
		return f.into([]string{"before_identity", "after_identity"}[f.number-7], &c.identities[f.number-7])
	}
	return nil
}

// output reads an element of output_changes. Of two outputs with a name, the last one counts.
func (m *message) output(f protoField) error {
	if !f.isText {
		return nil
	}
	o := new(outputChange)
	err := f.message("", func(f protoField) error {
		switch f.number {
		case 1:
			return f.into("name", &o.name)
		case 2:
			return f.message("change", func(f protoField) error { return o.change.field(f, m) })
		case 3:
			return f.into("sensitive", &o.sensitive)
		}
		return nil
	})
	if err != nil {
		return inElement("output_changes", len(m.outputs), err)
	}
	m.outputs = append(m.outputs, o)
	return nil
}

func readPath(f protoField, field string, list *[]steps) error {
	if !f.isText {
		return nil
	}
	var p steps
	if err := p.read(f); err != nil {
		return inElement(field, len(*list), err)
	}
	*list = append(*list, p)
	return nil
}

// read reads the steps of a path.
func (p *steps) read(f protoField) error {
	return f.message("", func(f protoField) error {
		if f.number != 1 || !f.isText {
			return nil
		}
		var s step
		isSet := false
		err := f.message("", func(f protoField) error {
			switch {
			case !f.isText:
			case f.number == 1:
				isSet = true
				s = step{}
				return f.into("attribute_name", &s.name)
			case f.number == 2:
				isSet = true
				if !s.isKey {
					s = step{isKey: true}
				}
				return f.into("element_key", &s.key)
			}
			return nil
		})
		if err == nil && (!isSet || s.isKey && !s.key.isSet) {
			err = atOffset(f.at, invalid("the step has neither a name nor a key"))
		}
		if err != nil {
			return inElement("steps", len(*p), err)
		}
		*p = append(*p, s)
		return nil
	})
}

func (m *message) relevantAttribute(f protoField) error {
	if !f.isText {
		return nil
	}
	var r relevantAttribute
	err := f.message("", func(f protoField) error {
		if f.number == 1 {
			return f.into("resource", &r.resource)
		}
		if f.number == 2 && f.isText {
			return r.path.read(f)
		}
		return nil
	})
	if err == nil && !isResource(r.resource) {
		err = atOffset(f.at, invalid("%q is not the address of a resource", short(r.resource)))
	}
	if err != nil {
		return inElement("relevant_attributes", len(m.relevant), err)
	}
	m.relevant = append(m.relevant, r)
	return nil
}

func isResource(s string) bool {
	_, err := addrs.ParseAbsResourceInstance(s)
	return err == nil
}

func (m *message) checkResult(f protoField) error {
	c := new(checkResult)
	err := f.message("", func(f protoField) error {
		switch f.number {
		case 1:
			return f.into("kind", &c.kind)
		case 2:
			return f.into("config_addr", &c.addrText)
		case 3:
			return f.into("status", &c.status)
		case 4:
			if !f.isText {
				return nil
			}
			o := new(checkObject)
			c.objects = append(c.objects, o)
			return f.message(fmt.Sprintf("objects[%d]", len(c.objects)-1), o.field)
		}
		return nil
	})
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	m.checks = append(m.checks, c)
	return nil
}

func (o *checkObject) field(f protoField) error {
	switch f.number {
	case 1:
		return f.into("object_addr", &o.addrText)
	case 2:
		return f.into("status", &o.status)
	case 3:
		return f.into("failure_messages", &o.messages)
	}
	return nil
}

// check checks the addresses, the kind and the states of a check.
func (c *checkResult) check() (err error) {
	if c.kind >= uint64(len(checkKinds)) || checkKinds[c.kind] == "" {
		return inField("kind", invalid("there is no kind of check %d", c.kind))
	}
	c.kindName = checkKinds[c.kind]
	if c.status >= uint64(len(checkStatuses)) {
		return inField("status", invalid("there is no status %d", c.status))
	}
	if c.addr, err = addrs.ParseCheckable(c.kindName, c.addrText); err != nil {
		return inField("config_addr", invalid("%w", err))
	}
	for i, o := range c.objects {
		if o.addr, err = addrs.ParseCheckable(c.kindName, o.addrText); err != nil {
			return inField(fmt.Sprintf("objects[%d].object_addr", i), invalid("%w", err))
		}
		if o.addr.Config() != c.addr.Config() {
			return inField(fmt.Sprintf("objects[%d].object_addr", i), invalid("it is not an object of the check"))
		}
		if o.status >= uint64(len(checkStatuses)) {
			return inField(fmt.Sprintf("objects[%d].status", i), invalid("there is no status %d", o.status))
		}
	}
	return nil
}

// check checks what the tools check after reading, and parses the addresses.
func (m *message) check() error {
	if m.mode >= uint64(len(modes)) {
		return inField("ui_mode", invalid("there is no mode %d", m.mode))
	}
	if !m.hasBackend {
		return inField("backend", invalid("the plan has none"))
	}
	if m.timestamp != "" {
		if _, err := time.Parse(time.RFC3339, m.timestamp); err != nil {
			return inField("timestamp", invalid("%q is not a time", short(m.timestamp)))
		}
	}
	for _, list := range []struct {
		name    string
		changes []*resourceChange
	}{{"resource_changes", m.changes}, {"resource_drift", m.drift}} {
		for i, r := range list.changes {
			if err := r.check(); err != nil {
				return inElement(list.name, i, atOffset(r.at, err))
			}
		}
	}
	last := make(map[string]int)
	for i, o := range m.outputs {
		if o.name == "" {
			return inElement("output_changes", i, invalid("the output has no name"))
		}
		if err := o.change.check(); err != nil {
			return inElement("output_changes", i, inField("change", err))
		}
		last[o.name] = i
	}
	i := -1
	m.outputs = slices.DeleteFunc(m.outputs, func(o *outputChange) bool { i++; return last[o.name] != i })
	return m.checkTargets()
}

func (m *message) checkTargets() error {
	for _, list := range []struct {
		name  string
		texts []string
		parse func(string) error
	}{
		{"target_addrs", m.targets, parseTarget}, {"exclude_addrs", m.excludes, parseTarget},
		{"force_replace_addrs", m.forced, func(s string) error { _, err := addrs.ParseAbsResourceInstance(s); return err }},
	} {
		for i, s := range list.texts {
			if err := list.parse(s); err != nil {
				return inElement(list.name, i, invalid("%w", err))
			}
		}
	}
	return nil
}

func parseTarget(s string) error {
	_, err := addrs.ParseTarget(s)
	return err
}

// check parses the addresses of a change, and checks its numbers.
func (r *resourceChange) check() (err error) {
	if r.addr, err = addrs.ParseAbsResourceInstance(r.addrText); err != nil || r.addr.IsPlaceholder() {
		return inField("addr", invalid("%q is not the address of a resource instance", short(r.addrText)))
	}
	r.address = r.addr.String()
	if r.prevText != "" {
		previous, err := addrs.ParseAbsResourceInstance(r.prevText)
		if err != nil || previous.IsPlaceholder() {
			return inField("prev_run_addr", invalid("%q is not the address of a resource instance", short(r.prevText)))
		}
		if previous != r.addr {
			r.previous = previous.String()
		}
	}
	config, err := addrs.ParseAbsProviderConfig(r.providerText)
	if err != nil {
		return inField("provider", invalid("%q is not the address of a provider configuration", short(r.providerText)))
	}
	r.provider = config.Provider()
	if r.deposed != "" && len(r.deposed) != 8 {
		return inField("deposed_key", invalid("%q is not a deposed key", short(r.deposed)))
	}
	if r.reason >= uint64(len(reasons)) {
		return inField("action_reason", invalid("there is no reason %d", r.reason))
	}
	if err := r.change.check(); err != nil {
		return inField("change", err)
	}
	return nil
}

// check sets the values before and after.
func (c *change) check() error {
	a := actions[c.action]
	if a == nil {
		return inField("action", invalid("there is no action %d", c.action))
	}
	if c.action == numberNine {
		if len(c.values) >= 2 {
			c.before, c.after = c.values[0], c.values[1]
		}
		return nil
	}
	if n := a.before + a.after; len(c.values) < n {
		return inField("values", invalid("an action %q needs %d", a.names[0], n))
	}
	if a.before == 1 {
		c.before = c.values[0]
	}
	if a.after == 1 {
		c.after = c.values[a.before]
	}
	if a == actionNoOp {
		c.after = c.before
	}
	return nil
}
