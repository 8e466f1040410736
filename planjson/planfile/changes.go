// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
)

// resourceDrift writes the changes made outside of the tool. Objects that only moved are among the
// planned changes, unless the plan only refreshes.
func (s *shower) resourceDrift() error {
	var list []*resourceChange
	for _, r := range s.plan.drift {
		if r.change.action != numberNoOp || s.plan.mode == modeRefreshed {
			list = append(list, r)
		}
	}
	return s.resourceChanges("resource_drift", list)
}

// resourceChanges writes a list of changes. Data sources are never shown as deleted.
func (s *shower) resourceChanges(name string, changes []*resourceChange) error {
	begun := false
	for _, r := range s.inOrder(changes) {
		if r.addr.Resource().Mode() == addrs.Data && r.change.action == numberDelete {
			continue
		}
		if !begun {
			s.name(name)
			s.open('[')
			begun = true
		}
		s.element()
		if err := s.resourceChange(r); err != nil {
			return inElement(name, r.index, err)
		}
	}
	if begun {
		s.close(']')
	}
	return nil
}

func (r *resourceChange) typeKey() typeKey {
	resource := r.addr.Resource()
	return typeKey{r.provider, resource.Mode(), resource.Type()}
}

func (s *shower) resourceChange(r *resourceChange) error {
	s.open('{')
	s.member("address", r.address)
	s.optional("previous_address", r.previous)
	s.optional("module_address", r.addr.Module().String())
	s.resourceNames(r.addr)
	s.member("provider_name", r.provider.String())
	s.optional("deposed", r.deposed)
	s.name("change")
	if err := s.change(r); err != nil {
		return err
	}
	s.optional("action_reason", string(reasons[r.reason]))
	s.close('}')
	return nil
}

// resourceNames writes the mode, the type, the name and the key.
func (s *shower) resourceNames(a addrs.AbsResourceInstance) {
	r := a.Resource()
	s.member("mode", string(r.Mode()))
	s.member("type", r.Type())
	s.member("name", r.Name())
	s.index("index", a.Key())
}

func (s *shower) index(name string, key addrs.InstanceKey) {
	if n, ok := key.Int(); ok {
		s.name(name)
		s.text = strconv.AppendInt(s.text, n, 10)
	} else if text, ok := key.Str(); ok {
		s.member(name, text)
	}
}

// values returns the values before and after, and the schema of their type.
func (s *shower) values(r *resourceChange) (before, after cty.Value, of *schema, err error) {
	k := r.typeKey()
	if of, err = s.schemas.of(k); err != nil {
		return
	}
	if before, err = s.value(k, of, r, r.change.before); err == nil {
		after, err = s.value(k, of, r, r.change.after)
	}
	if err != nil {
		err = inField("change.values", err)
	}
	return
}

func (s *shower) value(k typeKey, of *schema, r *resourceChange, d dynamic) (cty.Value, error) {
	if r.addr.Resource().Mode() == addrs.Ephemeral || !d.isSet { // the values of ephemeral resources are never shown
		return cty.NullVal(cty.EmptyObject), nil
	}
	v, err := d.value(of.implied)
	switch {
	case err != nil && of.block != nil:
		return v, k.misfit(err)
	case err != nil:
		return v, err
	case !v.IsNull() && v.IsKnown() && !v.Type().IsObjectType():
		return v, invalid("the value of a resource is not an object")
	}
	return v, nil
}

// change writes the change of a resource.
func (s *shower) change(r *resourceChange) error {
	before, after, of, err := s.values(r)
	if err != nil {
		return err
	}
	if !before.IsWhollyKnown() {
		return inField("change.values[0]", invalid("the value before is not wholly known"))
	}
	c := &r.change
	s.open('{')
	if err := s.actions(c); err != nil {
		return err
	}
	s.name("before")
	s.text = s.known.append(s.text, before)
	if after.IsKnown() {
		s.name("after")
		s.text = s.known.append(s.text, after)
	}
	s.name("after_unknown")
	if after.IsWhollyKnown() {
		s.text = append(s.text, "{}"...)
	} else {
		s.text = appendUnknown(s.text, after)
	}
	for i, v := range []cty.Value{before, after} {
		name := [...]string{"before_sensitive", "after_sensitive"}[i]
		if err := s.sensitive(name, v, of, c.sensitive[i], true); err != nil {
			return inField("change", err)
		}
	}
	if err := s.replacePaths(r.replace); err != nil {
		return err
	}
	return s.imported(r, of)
}

// sensitive writes which parts of a value are sensitive. Changes are shown with the marks of the
// schema; planned values have only those that the plan stores. Values without a schema are sensitive
// as a whole.
func (s *shower) sensitive(name string, v cty.Value, of *schema, paths []steps, ofChange bool) error {
	list, err := pathMarks(paths)
	if err != nil {
		return inField(name[:len(name)-len("sensitive")]+"sensitive_paths", err)
	}
	w := marker{wholeSets: true}
	if ofChange {
		w.wholeSets = s.release.wholeSets()
		if of.marks != nil {
			list = append(list, of.marks)
		}
	}
	if of.block == nil && !v.IsNull() {
		list = allMarks
	}
	s.name(name)
	s.text = w.append(s.text, v, list)
	return nil
}

func (s *shower) replacePaths(paths []steps) (err error) {
	if len(paths) == 0 {
		return nil
	}
	s.name("replace_paths")
	s.open('[')
	for i, p := range paths {
		s.element()
		if s.text, err = appendPath(s.text, p); err != nil {
			return inElement("required_replace", i, err)
		}
		s.first = false
	}
	s.close(']')
	return nil
}

// imported writes what is told of an import, and the identities. It ends the change.
func (s *shower) imported(r *resourceChange, of *schema) error {
	c := &r.change
	if c.importing && !s.release.before(5) {
		s.name("importing")
		s.open('{')
		s.optional("id", c.importID)
		if c.importID == "" && c.importIdentity.isSet {
			if err := s.identity("identity", r, c.importIdentity, of); err != nil {
				return err
			}
		}
		s.close('}')
	}
	if !s.release.before(5) {
		s.optional("generated_config", c.generatedConfig)
	}
	for i, name := range []string{"before_identity", "after_identity"} {
		if err := s.identity(name, r, c.identities[i], of); err != nil {
			return err
		}
	}
	s.close('}')
	return nil
}

// identity writes an identity, if the type has any.
func (s *shower) identity(name string, r *resourceChange, d dynamic, of *schema) error {
	v, err := identityOf(r, d, of)
	if err != nil {
		return inField("change", inField(name, err))
	}
	if v.IsNull() {
		return nil
	}
	s.name(name)
	s.text = s.known.append(s.text, v)
	return nil
}

func identityOf(r *resourceChange, d dynamic, of *schema) (cty.Value, error) {
	if !d.isSet || of.block != nil && of.identity == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	t := of.idType
	if of.block == nil {
		t = cty.NilType
	}
	v, err := d.value(t)
	if err != nil && of.block != nil {
		return v, r.typeKey().misfit(err)
	}
	if err == nil && !v.IsKnown() {
		v = cty.NullVal(v.Type())
	}
	return v, err
}
