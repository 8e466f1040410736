// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// MarshalJSON returns the changes as the members of one plan in the document of "tofuwire report
// -format json": resources, deferred, drift, outputs, invocations, checks and against, with each
// change attribute by attribute. Nothing is grouped or cut off, and no hidden value is in it.
// docs/schemas/report.schema.json describes it.
//
// Of each attribute the innermost parts that differ have an element: before and after are
// scalars, null or empty containers, spelled as in the plan. Positions in path are those after
// the change, or before it for what was removed; before_path is there if they were others.
func (d *Diff) MarshalJSON() ([]byte, error) {
	if d == nil {
		return []byte("null"), nil
	}
	doc := document{
		Resources: changesOf(d.Resources), Deferred: changesOf(d.Deferred), Drift: changesOf(d.Drift),
		Outputs: []outputDocument{}, Invocations: []invocationDocument{}, Checks: []checkDocument{},
	}
	for _, o := range d.Outputs {
		x := outputDocument{Name: o.Name, Actions: o.Actions, Attributes: []attributeDocument{}}
		for _, v := range o.Values {
			x.Attributes = appendAttributes(x.Attributes, v, position{}, nil)
		}
		doc.Outputs = append(doc.Outputs, x)
	}
	for _, i := range d.Invocations {
		doc.Invocations = append(doc.Invocations, invocationDocument{i.Address, i.Type, i.Name, i.ProviderName, i.Resource, i.Event, i.Requested})
	}
	for _, c := range d.State.Checks {
		doc.Checks = append(doc.Checks, checkDocument{c.Address, c.Status, append([]string{}, c.Messages...)})
	}
	if d.Against != nil {
		list := []differenceDocument{}
		for _, x := range d.Against.Differences {
			list = append(list, differenceDocument{x.Address, x.What, x.First, x.Second})
		}
		doc.Against = &list
	}
	return marshal(doc)
}

// marshal returns the text of a value without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// A document is the part of a plan.
type document struct {
	Resources   []changeDocument      `json:"resources"`
	Deferred    []changeDocument      `json:"deferred"`
	Drift       []changeDocument      `json:"drift"`
	Outputs     []outputDocument      `json:"outputs"`
	Invocations []invocationDocument  `json:"invocations"`
	Checks      []checkDocument       `json:"checks"`
	Against     *[]differenceDocument `json:"against"`
}

type changeDocument struct {
	Address         string                  `json:"address"`
	ModuleAddress   string                  `json:"module_address,omitempty"`
	Mode            addrs.Mode              `json:"mode"`
	Type            string                  `json:"type"`
	Name            string                  `json:"name"`
	Index           json.RawMessage         `json:"index,omitempty"`
	Deposed         string                  `json:"deposed,omitempty"`
	ProviderName    string                  `json:"provider_name,omitempty"`
	PreviousAddress string                  `json:"previous_address,omitempty"`
	Class           string                  `json:"class"`
	Actions         planjson.Actions        `json:"actions"`
	ActionReason    planjson.ActionReason   `json:"action_reason,omitempty"`
	DeferredReason  planjson.DeferredReason `json:"deferred_reason,omitempty"`
	Explanation     string                  `json:"explanation,omitempty"`
	Importing       json.RawMessage         `json:"importing,omitempty"`
	GeneratesConfig bool                    `json:"generates_config,omitempty"`
	ReplacePaths    []json.RawMessage       `json:"replace_paths,omitempty"`
	Attributes      []attributeDocument     `json:"attributes"`
}

type outputDocument struct {
	Name       string              `json:"name"`
	Actions    planjson.Actions    `json:"actions"`
	Attributes []attributeDocument `json:"attributes"`
}

type invocationDocument struct {
	Address      string                      `json:"address"`
	Type         string                      `json:"type"`
	Name         string                      `json:"name"`
	ProviderName string                      `json:"provider_name"`
	Resource     string                      `json:"resource"`
	Event        planjson.ActionTriggerEvent `json:"event"`
	Requested    bool                        `json:"requested"`
}

type checkDocument struct {
	Address  string               `json:"address"`
	Status   planjson.CheckStatus `json:"status"`
	Messages []string             `json:"messages"`
}

type differenceDocument struct {
	Address  string `json:"address"`
	What     string `json:"what"`
	Approved string `json:"approved"`
	Planned  string `json:"planned"`
}

type attributeDocument struct {
	Path              []any           `json:"path"`
	BeforePath        []any           `json:"before_path,omitempty"`
	Change            string          `json:"change"`
	Before            json.RawMessage `json:"before"`
	After             json.RawMessage `json:"after"`
	BeforeSensitive   bool            `json:"before_sensitive,omitempty"`
	AfterSensitive    bool            `json:"after_sensitive,omitempty"`
	AfterUnknown      bool            `json:"after_unknown,omitempty"`
	ForcesReplacement bool            `json:"forces_replacement,omitempty"`
}

func changesOf(list []*Resource) []changeDocument {
	docs := make([]changeDocument, 0, len(list))
	for _, r := range list {
		if r != nil {
			docs = append(docs, r.document())
		}
	}
	return docs
}

func (r *Resource) document() changeDocument {
	doc := changeDocument{
		Address: r.Address, ModuleAddress: r.ModuleAddress, Mode: r.Mode, Type: r.Type, Name: r.Name, Index: json.RawMessage(r.index), Deposed: r.Deposed,
		ProviderName: r.ProviderName, PreviousAddress: r.PreviousAddress, Class: r.Class(), Actions: r.Actions, ActionReason: r.ActionReason,
		DeferredReason: r.Reason, Explanation: r.Explain(), GeneratesConfig: r.GeneratesConfig, Attributes: []attributeDocument{},
	}
	if r.Importing {
		id := any(nil)
		if r.ImportID != "" {
			id = r.ImportID
		}
		importing := map[string]any{"id": id}
		if r.ImportIdentity != nil && !r.ImportIdentity.IsNull() {
			importing = map[string]any{"identity": json.RawMessage(r.ImportIdentity)}
		}
		doc.Importing, _ = marshal(importing)
	}
	for _, p := range r.replacePaths {
		doc.ReplacePaths = append(doc.ReplacePaths, json.RawMessage(p))
	}
	for _, c := range r.Object.Children {
		doc.Attributes = appendAttributes(doc.Attributes, c, position{}.of(c), r.ReplacedBy())
	}
	if r.Object.Sensitive && r.Object.Status != Unchanged { // as a whole
		doc.Attributes = appendAttributes(doc.Attributes, &r.Object, position{}, r.ReplacedBy())
	}
	return doc
}

// ReplacedBy returns the paths of the attributes that force a replacement, as
// [planjson.Value.Get] takes them: names as strings and positions as ints. A path ends
// where a step is neither, such as an element of a set. [planjson.FormatPath] writes them. There are none
// if a taint, the option -replace or replace_triggered_by is the reason: see Resource.Explain.
func (r *Resource) ReplacedBy() [][]any {
	if r == nil {
		return nil
	}
	var paths [][]any
	for _, p := range r.replacePaths {
		path := []any{}
		for _, step := range p.Elements() {
			name, isName := step.Text()
			index, isIndex := step.Int64()
			if !isName && !isIndex {
				break
			}
			if isName {
				path = append(path, name)
			} else {
				path = append(path, int(index))
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// A position has the steps to an attribute after a change and before it.
type position struct{ after, before []any }

// of returns the position of a child.
func (p position) of(c *Attribute) position {
	after, before := any(c.Index), any(c.From)
	if c.Index < 0 {
		after, before = c.Name, c.Name
	}
	return position{append(slices.Clip(p.after), after), append(slices.Clip(p.before), before)}
}

// innermost returns the first part of v that has no parts, and its position.
func (p position) innermost(v planjson.Value) (position, planjson.Value) {
	for v.Len() > 0 {
		for name, part := range v.Members() {
			p, v = p.of(&Attribute{Name: name, Index: -1}), part
			break
		}
		for _, part := range v.Elements() {
			p, v = p.of(new(Attribute)), part
			break
		}
	}
	return p, v
}

// appendAttributes appends the innermost parts of a that differ.
func appendAttributes(list []attributeDocument, a *Attribute, at position, causes [][]any) []attributeDocument {
	if a.Status == Unchanged && !a.Unknown {
		return list
	}
	if a.Status != Moved && !a.Unknown && !a.Sensitive && !a.JSON && len(a.Children) > 0 {
		for _, c := range a.Children {
			list = appendAttributes(list, c, at.of(c), causes)
		}
		return list
	}
	before, after := a.Before, a.After
	if a.bare.Len() > 0 && !a.Sensitive && !a.Unknown { // its first part is the element
		var v planjson.Value
		at, v = at.innermost(a.bare)
		if a.Status == Added {
			after = v
		} else {
			before = v
		}
	}
	x := attributeDocument{
		Path: append([]any{}, at.after...), Change: a.Status.String(), Before: scalarText(before), After: scalarText(after),
		BeforeSensitive: a.SensitiveBefore, AfterSensitive: a.SensitiveAfter, AfterUnknown: a.Unknown, ForcesReplacement: isCause(at.after, causes),
	}
	if a.Status == Unchanged { // it is unknown on both sides
		x.Change = Changed.String()
	}
	switch {
	case a.Sensitive:
		x.Before, x.After = scalarText(nil), scalarText(nil)
	case a.Unknown:
		x.After = scalarText(nil)
	case plantext.IsNone(a.Before) && plantext.IsNone(a.After) && a.Index < 0 && !a.UnknownBefore:
		return list // null and absent are the same
	}
	if a.Status != Added && !slices.Equal(at.before, at.after) {
		x.BeforePath = at.before
	}
	// A value that is replaced by one of another kind is one element, not two.
	if n := len(list) - 1; n >= 0 && a.Status == Added && list[n].Change == Removed.String() && slices.Equal(list[n].Path, x.Path) && len(list[n].BeforePath) == 0 && a.parent != nil && a.parent.Container == planjson.KindObject {
		x.Change, x.Before, x.BeforeSensitive = Changed.String(), list[n].Before, list[n].BeforeSensitive
		list = list[:n]
	}
	return append(list, x)
}

// scalarText returns a value without parts, null for all others.
func scalarText(v planjson.Value) json.RawMessage {
	if k := v.Kind(); k == planjson.KindAbsent || (k == planjson.KindObject || k == planjson.KindArray) && v.Len() > 0 {
		return json.RawMessage("null")
	}
	return json.RawMessage(v)
}

// isCause reports whether a path that forces a replacement leads to a place, to something
// around it, or in it.
func isCause(path []any, causes [][]any) bool {
	return slices.ContainsFunc(causes, func(cause []any) bool {
		n := min(len(cause), len(path))
		return slices.Equal(cause[:n], path[:n])
	})
}
