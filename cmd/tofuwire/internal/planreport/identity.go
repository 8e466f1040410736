// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/tofuwire/tofuwire/planjson"
)

// An output that has a whole resource, or parts of one, is sensitive as a whole if one of its parts is.
// The id and the name of the resource are no secrets then, unless the resource itself marks them.

// identities are the names of resources by their id, as far as no mark hides them.
type identities map[string]map[string]bool

// identitiesOf returns those of the resources that a plan changes.
func identitiesOf(p *planjson.Plan) identities {
	ids := make(identities)
	for _, list := range [][]*planjson.ResourceChange{p.ResourceChanges, p.ResourceDrift} {
		for _, rc := range list {
			if rc != nil {
				ids.add(rc.Change.Before, rc.Change.BeforeSensitive)
				ids.add(rc.Change.After, rc.Change.AfterSensitive)
			}
		}
	}
	return ids
}

func (ids identities) add(v, marks planjson.Value) {
	open := func(name string) string {
		if text, ok := v.Get(name).Text(); ok && string(marks) != "true" && string(marks.Get(name)) != "true" {
			return text
		}
		return ""
	}
	id := open("id")
	if id == "" {
		return
	}
	if ids[id] == nil {
		ids[id] = make(map[string]bool)
	}
	if name := open("name"); name != "" {
		ids[id][name] = true
	}
}

// without returns a value without the ids and names of resources.
func (ids identities) without(v planjson.Value) planjson.Value {
	if k := v.Kind(); k != planjson.KindObject && k != planjson.KindArray {
		return v
	}
	var x any
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	if d.Decode(&x) != nil || !ids.clear(x) {
		return v
	}
	if out, err := planjson.ValueOf(x); err == nil {
		return out
	}
	return v
}

// clear removes them in place, and reports whether there were any.
func (ids identities) clear(x any) (found bool) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			found = ids.clear(e) || found
		}
	case map[string]any:
		for _, e := range x {
			found = ids.clear(e) || found
		}
		id, _ := x["id"].(string)
		names, ok := ids[id]
		if name, _ := x["name"].(string); ok && names[name] {
			x["name"] = nil
		}
		if ok {
			x["id"], found = nil, true
		}
	}
	return found
}

// withoutIdentities returns a plan in whose sensitive outputs ids and names of resources are null, so
// that they are not taken for secrets. The given plan stays as it is.
func withoutIdentities(p *planjson.Plan) *planjson.Plan {
	ids := identitiesOf(p)
	if len(ids) == 0 || len(p.OutputChanges) == 0 {
		return p
	}
	out := *p
	out.OutputChanges = maps.Clone(p.OutputChanges)
	for name, c := range p.OutputChanges {
		if c == nil || string(c.BeforeSensitive) != "true" && string(c.AfterSensitive) != "true" {
			continue
		}
		change := *c
		change.Before, change.After = ids.without(c.Before), ids.without(c.After)
		out.OutputChanges[name] = &change
	}
	out.PlannedValues.Outputs = ids.outputs(p.PlannedValues.Outputs)
	if s := p.PriorState; s != nil && s.Values != nil {
		state, values := *s, *s.Values
		values.Outputs = ids.outputs(values.Outputs)
		state.Values, out.PriorState = &values, &state
	}
	return &out
}

func (ids identities) outputs(list map[string]*planjson.Output) map[string]*planjson.Output {
	out := maps.Clone(list)
	for name, o := range list {
		if o != nil && o.Sensitive {
			without := *o
			without.Value = ids.without(o.Value)
			out[name] = &without
		}
	}
	return out
}
