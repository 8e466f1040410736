// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
)

// A PlanIndex finds the parts of a plan by address. Each of its tables is built
// when it is first used, in one pass over that part; afterwards a lookup takes
// constant time.
//
// The index describes the plan as it was when the index was built. The objects
// it returns are the plan's own, so edits of their values are visible. After
// adding, removing or renaming resources, make a new index with [NewPlanIndex].
// An index may be used by several goroutines at once, as long as none of them
// changes the plan.
//
// It is separate from [Plan] for that reason: a plan stays a plain struct that
// can be copied, without stale entries.
//
// Addresses are texts as in the plan. Use the String method of an address from
// package addrs to look one up.
type PlanIndex struct {
	plan    *Plan
	changes lazy[map[objectKey]*ResourceChange]
	planned lazy[map[objectKey]*Resource]
	prior   lazy[map[objectKey]*Resource]
	config  lazy[*ConfigIndex]
}

// objectKey identifies an object in a list.
type objectKey struct{ address, deposed string }

// A lazy is a value that is computed once.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(compute func() T) T {
	l.once.Do(func() { l.value = compute() })
	return l.value
}

// NewPlanIndex returns an index of p. It costs nothing until it is used. For a
// nil p, the index is empty.
func NewPlanIndex(p *Plan) *PlanIndex {
	if p == nil {
		p = new(Plan)
	}
	return &PlanIndex{plan: p}
}

// Change returns the planned change of the current object at this address, or
// nil if there is none.
func (x *PlanIndex) Change(address string) *ResourceChange {
	if x == nil || x.plan == nil {
		return nil
	}
	return x.changes.get(func() map[objectKey]*ResourceChange {
		return indexChanges(x.plan.ResourceChanges)
	})[objectKey{address, ""}]
}

// Values returns the known values that the current object at this address has after
// the plan, and the marks of its sensitive parts. It looks in the changes, the
// planned values and the prior state. Only the prior state has the data sources
// that were read for the plan. Both results are nil if there is no such object.
func (x *PlanIndex) Values(address string) (values, sensitive Value) {
	if x == nil || x.plan == nil {
		return nil, nil
	}
	if c := x.Change(address); c != nil {
		return c.Change.After, c.Change.AfterSensitive
	}
	r := x.planned.get(func() map[objectKey]*Resource { return indexResources(&x.plan.PlannedValues) })[objectKey{address, ""}]
	if r == nil {
		r = x.prior.get(func() map[objectKey]*Resource {
			if x.plan.PriorState == nil {
				return nil
			}
			return indexResources(x.plan.PriorState.Values)
		})[objectKey{address, ""}]
	}
	if r == nil {
		return nil, nil
	}
	return r.Values, r.SensitiveValues
}

// Config returns the index of the plan's configuration.
func (x *PlanIndex) Config() *ConfigIndex {
	if x == nil || x.plan == nil {
		return nil
	}
	return x.config.get(func() *ConfigIndex { return NewConfigIndex(x.plan.Config()) })
}

// indexChanges makes the table of a list. No tool writes two changes with the
// same key. If there are several, the first one counts, as for a reader of the
// list.
func indexChanges(list []*ResourceChange) map[objectKey]*ResourceChange {
	m := make(map[objectKey]*ResourceChange, len(list))
	for _, rc := range list {
		if rc == nil {
			continue
		}
		k := objectKey{rc.Address, rc.Deposed}
		if _, ok := m[k]; !ok {
			m[k] = rc
		}
	}
	return m
}

func indexResources(v *Values) map[objectKey]*Resource {
	m := make(map[objectKey]*Resource)
	for module := range v.AllModules() {
		for _, r := range module.Resources {
			if r == nil {
				continue
			}
			k := objectKey{plantext.Absolute(module.Address, r.Address, r.Index), r.DeposedKey}
			if _, ok := m[k]; !ok {
				m[k] = r
			}
		}
	}
	return m
}

// A ConfigIndex finds the parts of a configuration by address. See [PlanIndex]
// for when its tables are built and how long they remain valid.
type ConfigIndex struct {
	config    *Config
	resources lazy[map[string]*ResourceConfig]
}

// NewConfigIndex returns an index of c, which can be nil.
func NewConfigIndex(c *Config) *ConfigIndex { return &ConfigIndex{config: c} }

// Resource returns the block with this address, such as module.a.aws_instance.web,
// without instance keys, or nil if there is none.
func (x *ConfigIndex) Resource(address string) *ResourceConfig {
	if x == nil {
		return nil
	}
	return x.resources.get(func() map[string]*ResourceConfig {
		m := make(map[string]*ResourceConfig)
		for address, r := range x.config.AllResources() {
			if _, ok := m[address]; !ok {
				m[address] = r
			}
		}
		return m
	})[address]
}

// OfInstance returns the block of the resource instance with this address, such
// as module.a["k"].aws_instance.web[0]. It returns nil if there is no such
// block or the text is not the address of an instance.
func (x *ConfigIndex) OfInstance(address string) *ResourceConfig {
	if x == nil {
		return nil
	}
	// Most addresses have no key at all, and need no parsing.
	if !strings.Contains(address, "[") {
		return x.Resource(address)
	}
	a, err := addrs.ParseRecordedResourceInstance(address)
	if err != nil {
		return nil
	}
	return x.Resource(a.Config().String())
}

// Resource returns the schema of a resource type: that of a managed resource, a
// data source or an ephemeral resource, by its mode. The provider is a source
// address, as in [ResourceChange.ProviderName]. It returns nil if s does not
// have it.
func (s *Schemas) Resource(provider string, mode addrs.Mode, typ string) *Schema {
	if s == nil {
		return nil
	}
	p := s.ProviderSchemas[provider]
	if p == nil {
		return nil
	}
	switch mode {
	case addrs.Managed:
		return p.ResourceSchemas[typ]
	case addrs.Data:
		return p.DataSourceSchemas[typ]
	case addrs.Ephemeral:
		return p.EphemeralResourceSchemas[typ]
	}
	return nil
}
