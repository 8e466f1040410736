// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// instance parses the address of a resource instance. If the text is ambiguous,
// the member index decides: Terraform up to 1.2 quoted string keys as Go does,
// without doubling the dollar of "${".
func instance(src *wire.Source, pointer, address string, index Value) (addrs.AbsResourceInstance, error) {
	a, err := addrs.ParseRecordedResourceInstance(address)
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

// Addr returns the address of the resource instance. A deferred change can have
// a placeholder, see [addrs.AbsResourceInstance.IsPlaceholder]. The error is an
// [*Error] with the place of rc.
func (rc *ResourceChange) Addr() (addrs.AbsResourceInstance, error) {
	if rc == nil {
		return addrs.AbsResourceInstance{}, nil
	}
	return instance(&rc.src, "/address", rc.Address, rc.Index)
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

// Addr returns the address of the resource instance. The error is an [*Error]
// with the place of r. In a state that Terraform 0.12 printed it is the address
// inside the module; see [Resource.Address].
func (r *Resource) Addr() (addrs.AbsResourceInstance, error) {
	if r == nil {
		return addrs.AbsResourceInstance{}, nil
	}
	return instance(&r.src, "/address", plantext.Absolute("", r.Address, r.Index), r.Index)
}

// IndexKey returns the instance key, [addrs.NoKey] if there is none.
func (r *Resource) IndexKey() (addrs.InstanceKey, error) {
	if r == nil {
		return addrs.InstanceKey{}, nil
	}
	return instanceKey(&r.src, "/index", r.Index)
}
