// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/addrtext"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// instance parses the address of a resource instance. If the text is ambiguous,
// the member index decides: Terraform up to 1.2 quoted string keys as Go does,
// without doubling the dollar of "${".
func instance(src *wire.Source, pointer, address string, index Value) (addrs.AbsResourceInstance, error) {
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return a, placed(src, pointer, err)
	}
	if !strings.Contains(address, "${") && !strings.Contains(address, "%{") {
		return a, nil
	}
	if s, ok := index.Text(); ok && strings.HasSuffix(address, "["+strconv.Quote(s)+"]") {
		return a.AbsResource().Instance(addrs.StringKey(s)), nil
	}
	return a, nil
}

// instanceKey turns an index into a key. An absent one is [addrs.NoKey].
func instanceKey(src *wire.Source, pointer string, v Value) (addrs.InstanceKey, error) {
	if v == nil {
		return addrs.NoKey, nil
	}
	if s, ok := v.Text(); ok {
		return addrs.StringKey(s), nil
	}
	if n, ok := v.Int64(); ok && n >= 0 && n == int64(int(n)) {
		return addrs.IntKey(int(n)), nil
	}
	return addrs.NoKey, placed(src, pointer, errIndex)
}

var errIndex = errors.New("an instance key must be a string or an integer from 0 up")

func provider(src *wire.Source, pointer, name string) (addrs.Provider, error) {
	p, err := addrs.ParseProvider(name)
	if err != nil {
		return p, placed(src, pointer, err)
	}
	return p, nil
}

// Addr returns the address of the resource instance. A deferred change can have
// a placeholder, see [addrs.AbsResourceInstance.IsPlaceholder]. The error is an
// [*Error] with the place of rc.
func (rc *ResourceChange) Addr() (addrs.AbsResourceInstance, error) {
	if rc == nil {
		return addrs.AbsResourceInstance{}, nil
	}
	return instance(&rc.src, "/address", rc.Address, rc.Index)
}

// PreviousAddr returns the address before the move, or the zero address if the
// instance was not moved.
func (rc *ResourceChange) PreviousAddr() (addrs.AbsResourceInstance, error) {
	if rc == nil {
		return addrs.AbsResourceInstance{}, nil
	}
	if rc.PreviousAddress == "" {
		return addrs.AbsResourceInstance{}, nil
	}
	return instance(&rc.src, "/previous_address", rc.PreviousAddress, nil)
}

// IndexKey returns the instance key, [addrs.NoKey] if there is none, and
// [addrs.WildcardKey] if it is not known. Without a member "index", which
// Terraform 1.0 did not write in drift, it is the key in the address.
func (rc *ResourceChange) IndexKey() (addrs.InstanceKey, error) {
	if rc == nil {
		return addrs.InstanceKey{}, nil
	}
	if rc.Index == nil && rc.IndexUnknown {
		return addrs.WildcardKey(), nil
	}
	if rc.Index == nil && strings.HasSuffix(rc.Address, "]") {
		a, err := rc.Addr()
		return a.Key(), err
	}
	return instanceKey(&rc.src, "/index", rc.Index)
}

// Provider returns the source address of the provider.
func (rc *ResourceChange) Provider() (addrs.Provider, error) {
	if rc == nil {
		return addrs.Provider{}, nil
	}
	return provider(&rc.src, "/provider_name", rc.ProviderName)
}

// Addr returns the address of the resource instance. The error is an [*Error]
// with the place of r. In a state that Terraform 0.12 printed it is the address
// inside the module; see [Resource.Address].
func (r *Resource) Addr() (addrs.AbsResourceInstance, error) {
	if r == nil {
		return addrs.AbsResourceInstance{}, nil
	}
	return instance(&r.src, "/address", addrtext.Absolute("", r.Address, r.Index), r.Index)
}

// IndexKey returns the instance key, [addrs.NoKey] if there is none.
func (r *Resource) IndexKey() (addrs.InstanceKey, error) {
	if r == nil {
		return addrs.InstanceKey{}, nil
	}
	return instanceKey(&r.src, "/index", r.Index)
}

// Provider returns the source address of the provider.
func (r *Resource) Provider() (addrs.Provider, error) {
	if r == nil {
		return addrs.Provider{}, nil
	}
	return provider(&r.src, "/provider_name", r.ProviderName)
}

// Addr returns the address of the module instance, the root's if it is not
// given.
func (m *Module) Addr() (addrs.ModuleInstance, error) {
	if m == nil {
		return addrs.ModuleInstance{}, nil
	}
	a, err := addrs.ParseModuleInstance(m.Address)
	if err != nil {
		return a, placed(&m.src, "/address", err)
	}
	return a, nil
}

// Addr returns the address of the resource in its own module.
func (r *ResourceConfig) Addr() (addrs.Resource, error) {
	if r == nil {
		return addrs.Resource{}, nil
	}
	a, err := addrs.ParseResource(r.Address)
	if err != nil {
		return a, placed(&r.src, "/address", err)
	}
	return a, nil
}

// Provider returns the source address of the provider. It is the zero Provider
// if the tool is older than Terraform 1.2 and does not say.
func (p *ProviderConfig) Provider() (addrs.Provider, error) {
	if p == nil {
		return addrs.Provider{}, nil
	}
	if p.FullName == "" {
		return addrs.Provider{}, nil
	}
	return provider(&p.src, "/full_name", p.FullName)
}

// Addr returns the parsed address of the object that is checked.
func (a *CheckAddress) Addr() (addrs.Checkable, error) {
	if a == nil {
		return addrs.Checkable{}, nil
	}
	c, err := addrs.ParseCheckable(a.Kind, a.ToDisplay)
	if err != nil {
		return c, placed(&a.src, "/to_display", err)
	}
	return c, nil
}

// Key returns the instance key, [addrs.NoKey] if there is none.
func (a *CheckInstanceAddress) Key() (addrs.InstanceKey, error) {
	if a == nil {
		return addrs.InstanceKey{}, nil
	}
	return instanceKey(&a.src, "/instance_key", a.InstanceKey)
}
