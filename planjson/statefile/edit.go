// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// refuse returns the error for an edit that the tools refuse.
func refuse(format string, args ...any) error {
	return &Error{Err: fmt.Errorf("%w: %w", ErrRefused, fmt.Errorf(format, args...))}
}

// changed raises the serial after an edit.
func (f *File) changed() {
	f.Serial++
	if f.older != nil {
		f.quoteProviders("")
	}
}

// ready returns an error if f cannot be edited.
func (f *File) ready() error {
	switch {
	case f == nil:
		return &Error{Err: ErrAbsent}
	case f.Serial == math.MaxUint64:
		return refuse("the serial cannot become larger")
	}
	for _, r := range f.Resources {
		if r == nil || slices.Contains(r.Instances, nil) {
			return &Error{Err: ErrAbsent}
		}
	}
	return nil
}

// Remove forgets objects, as "state rm" does: those of a resource instance, of all
// instances of a resource, or of all resources in and below a module instance.
// Targets that the state does not have are skipped if it has at least one of them;
// otherwise the error wraps [ErrRefused]. The serial rises by one.
func (f *File) Remove(targets ...addrs.Target) error {
	if err := f.ready(); err != nil {
		return err
	}
	gone := make(map[*InstanceObject]bool)
	touched := make(map[*Resource]bool)
	for _, r := range f.Resources {
		address, err := r.address()
		if err != nil {
			continue
		}
		for _, o := range r.Instances {
			instance := address.Instance(o.Key())
			if slices.ContainsFunc(targets, func(t addrs.Target) bool { return matches(t, instance) }) {
				gone[o], touched[r] = true, true
			}
		}
	}
	if len(gone) == 0 {
		return refuse("no object of the state has one of these addresses")
	}
	for r := range touched {
		r.Instances = slices.DeleteFunc(slices.Clone(r.Instances), func(o *InstanceObject) bool { return gone[o] })
		r.settleProviders()
	}
	f.Resources = slices.DeleteFunc(slices.Clone(f.Resources), func(r *Resource) bool { return touched[r] && len(r.Instances) == 0 })
	f.changed()
	return nil
}

// matches reports whether t stands for an instance.
func matches(t addrs.Target, instance addrs.AbsResourceInstance) bool {
	if r, ok := t.AbsResource(); ok {
		return instance.AbsResource() == r
	}
	return t.Contains(instance.Target())
}

// SetTainted marks the object of a resource instance for replacement, as "taint" does, or
// removes the mark, as "untaint" does. The serial rises by one, unless the object to be marked
// already has the mark. The error wraps [ErrRefused] if there is no such current object, if the
// object is that of a data source, or if there is no mark to remove.
func (f *File) SetTainted(address addrs.AbsResourceInstance, tainted bool) error {
	status := StatusReady
	if tainted {
		status = StatusTainted
	}
	if err := f.ready(); err != nil {
		return err
	}
	if address.Resource().Mode() != addrs.Managed {
		return refuse("%s is not the address of a managed resource", address)
	}
	found, deposed := f.find(address)
	switch {
	case found == nil && deposed:
		return refuse("%s is in the middle of a replacement: it has only a deposed object", address)
	case found == nil:
		return refuse("the state has no resource instance %s", address)
	case found.Status == status && status == StatusReady:
		return refuse("%s is not tainted", address)
	case found.Status == status:
		return nil
	}
	found.Status = status
	f.changed()
	return nil
}

// find returns the current object of an instance, or whether it has a deposed one.
func (f *File) find(address addrs.AbsResourceInstance) (current *InstanceObject, deposed bool) {
	for _, r := range f.Resources {
		if a, err := r.address(); err != nil || a != address.AbsResource() {
			continue
		}
		for _, o := range r.Instances {
			if o.Key() == address.Key() {
				if o.Deposed == "" {
					return o, false
				}
				deposed = true
			}
		}
	}
	return nil, deposed
}

// ReplaceProvider assigns all resources of one provider to another one, as "state replace-provider"
// does, and returns how many there were. The serial rises by one if anything changes. Aliases, keys
// and modules of the provider's configurations stay. A state of Terraform 0.12 names a provider
// only by its type, as in provider.aws; as from, both registry.terraform.io/-/aws and
// registry.opentofu.org/-/aws match it. A state upgraded by Terraform 0.13 has
// registry.terraform.io/-/aws. hashicorp/aws as from matches neither.
func (f *File) ReplaceProvider(from, to addrs.Provider) (resources int, err error) {
	if err := f.ready(); err != nil {
		return 0, err
	}
	type edit struct {
		field *string
		text  string
	}
	var edits []edit
	for _, r := range f.Resources {
		fields := []*string{&r.Provider}
		for _, o := range r.Instances {
			fields = append(fields, &o.Provider)
		}
		found := false
		for _, field := range fields {
			c, err := addrs.ParseRecordedProvider(*field)
			if err != nil || c.Provider() != from && !(from.IsLegacy() && c.Provider().Type() == from.Type() && ofType(*field)) {
				continue
			}
			replaced, err := addrs.NewAbsProviderConfig(c.Module(), to, c.Alias(), c.Key())
			if err != nil {
				return 0, refuse("%w", err)
			}
			edits = append(edits, edit{field, replaced.String()})
			found = true
		}
		if found {
			resources++
		}
	}
	if resources == 0 || from == to {
		return resources, nil
	}
	for _, e := range edits {
		*e.field = e.text
	}
	f.changed()
	return resources, nil
}

// SetOutput sets an output value of the root module, or removes it if value is
// cty.NilVal. Marks of value are dropped; sensitive says whether the output is
// sensitive. The serial rises by one if anything changes. The error is that of
// [planjson.ValueOf] if the value is not wholly known.
func (f *File) SetOutput(name string, value cty.Value, sensitive bool) error {
	if err := f.ready(); err != nil {
		return err
	}
	old := f.Outputs[name]
	if value == cty.NilVal {
		if old != nil {
			delete(f.Outputs, name)
			f.changed()
		}
		return nil
	}
	value, _ = value.UnmarkDeep()
	text, err := planjson.ValueOf(value)
	if err != nil {
		return &Error{Err: causeOf(err)}
	}
	typ, err := planjson.ValueOf(value.Type())
	if err != nil {
		return &Error{Err: causeOf(err)}
	}
	if old == nil {
		old = new(Output)
	}
	if old.Value.Equal(text) && old.Type.Equal(typ) && old.Sensitive == sensitive {
		return nil
	}
	if !old.Value.Equal(text) {
		old.Value = text
	}
	if !old.Type.Equal(typ) {
		old.Type = typ
	}
	old.Sensitive = sensitive
	if f.Outputs == nil {
		f.Outputs = make(map[string]*Output)
	}
	f.Outputs[name] = old
	f.changed()
	return nil
}

// ofType reports whether a state's address of a provider has only its type.
func ofType(config string) bool {
	_, err := addrs.ParseAbsProviderConfig(config)
	return err != nil
}

// settleProviders puts the addresses of provider configurations where the tools
// have them: at the resource, or at its instances if one of them has a key.
func (r *Resource) settleProviders() {
	config := func(o *InstanceObject) (addrs.AbsProviderConfig, bool) {
		c, err := addrs.ParseAbsProviderConfig(cmp.Or(o.Provider, r.Provider))
		return c, err == nil
	}
	keyed, own := false, false
	for _, o := range r.Instances {
		own = own || o.Provider != ""
		c, ok := config(o)
		keyed = keyed || ok && !c.Key().IsNone()
	}
	switch {
	case !own:
	case keyed:
		for _, o := range r.Instances {
			o.Provider = cmp.Or(o.Provider, r.Provider)
		}
		r.Provider = ""
	default:
		for _, o := range r.Instances {
			r.Provider, o.Provider = cmp.Or(r.Provider, o.Provider), ""
		}
	}
}

// compareText compares resources as the tools sort them in a state: by texts.
func compareText(a, b *Resource) int {
	return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
}

// compareObjects compares objects of one resource as the tools sort them.
func compareObjects(a, b *InstanceObject) int {
	return cmp.Or(a.Key().Compare(b.Key()), cmp.Compare(a.Deposed, b.Deposed))
}

// insert returns list with v before the first element that is greater.
func insert[T any](list []T, v T, compare func(a, b T) int) []T {
	i := slices.IndexFunc(list, func(w T) bool { return compare(w, v) > 0 })
	if i < 0 {
		i = len(list)
	}
	return slices.Insert(slices.Clone(list), i, v)
}
