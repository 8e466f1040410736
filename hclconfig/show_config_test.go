// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// TestShowConfig compares the typed view of whole modules with what OpenTofu
// itself says of them: names, references with their order, constants,
// providers and module calls.
func TestShowConfig(t *testing.T) {
	for _, name := range []string{"expressions", "json-syntax", "tofu-files", "registry-modules"} {
		t.Run(name, func(t *testing.T) {
			dir := "testdata/modules/" + name
			src, err := os.ReadFile(dir + "/show-config.json")
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			d := json.NewDecoder(strings.NewReader(string(src)))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			m, err := hclconfig.LoadModule(os.DirFS(dir), ".")
			if err != nil {
				t.Fatal(err)
			}
			if diags := m.Check(); diags.HasErrors() {
				t.Errorf("%v", diags)
			}
			s := shower{t: t, local: map[string]bool{}}
			for path := range m.Tree() {
				s.local[path] = true
			}
			wantRoot := member(want, "root_module")
			if diff := cmp.Diff(s.pruned(wantRoot), s.module(m, wantRoot, "")); diff != "" {
				t.Errorf("root module (-tofu +ours):\n%s", diff)
			}
			if diff := cmp.Diff(s.wantProviders(want), s.providers(m)); diff != "" {
				t.Errorf("providers (-tofu +ours):\n%s", diff)
			}
		})
	}
}

func member(o map[string]any, name string) map[string]any {
	m, _ := o[name].(map[string]any)
	return m
}

// A shower renders a module as "show -json" does. What only a provider's
// schema could tell, such as whether a property of a JSON file is a block, it
// looks up in what is wanted.
type shower struct {
	t     *testing.T
	local map[string]bool // the modules that have local sources
}

// pruned drops what our typed view does not have: schema versions.
func (s *shower) pruned(module map[string]any) map[string]any {
	out := maps.Clone(module)
	if list, ok := out["resources"].([]any); ok {
		var resources []any
		for _, r := range list {
			r := maps.Clone(r.(map[string]any))
			delete(r, "schema_version")
			delete(r, "provider_config_key")
			if e, ok := r["expressions"]; ok {
				r["expressions"] = s.normal(e)
			}
			for _, k := range []string{"count_expression", "for_each_expression"} {
				if e, ok := r[k]; ok {
					r[k] = s.normal(e)
				}
			}
			if list, ok := r["provisioners"].([]any); ok {
				for i := range list {
					list[i] = s.normal(list[i])
				}
			}
			resources = append(resources, r)
		}
		slices.SortFunc(resources, func(a, b any) int { return strings.Compare(sortKey(a), sortKey(b)) })
		out["resources"] = resources
	}
	for _, kind := range []string{"outputs", "module_calls"} {
		if objects, ok := out[kind].(map[string]any); ok {
			objects = maps.Clone(objects)
			for name, o := range objects {
				o := maps.Clone(o.(map[string]any))
				for _, k := range []string{"expression", "expressions", "count_expression", "for_each_expression"} {
					if e, ok := o[k]; ok {
						o[k] = s.normal(e)
					}
				}
				if m, ok := o["module"].(map[string]any); ok {
					o["module"] = s.pruned(m)
				}
				objects[name] = o
			}
			out[kind] = objects
		}
	}
	return out
}

// normal drops the constant that OpenTofu gives beside references for JSON
// sources: it is the raw text.
func (s *shower) normal(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = s.normal(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		_, refs := v["references"]
		for k, e := range v {
			if k == "constant_value" {
				if !refs {
					out[k] = e
				}
				continue
			}
			out[k] = s.normal(e)
		}
		return out
	}
	return v
}

func (s *shower) module(m *hclconfig.Module, want map[string]any, path string) map[string]any {
	out := map[string]any{}
	outputs := map[string]any{}
	for _, o := range m.Outputs {
		e := map[string]any{"expression": s.expression(o.Value)}
		if o.Sensitive.Value {
			e["sensitive"] = true
		}
		if o.Ephemeral.Value {
			e["ephemeral"] = true
		}
		setText(e, "description", o.Description)
		setText(e, "deprecated", o.Deprecated)
		setRefs(e, "depends_on", o.DependsOn)
		outputs[o.Name] = e
	}
	setObject(out, "outputs", outputs)
	variables := map[string]any{}
	for _, v := range m.Variables {
		e := map[string]any{}
		if v.Default.IsSet() {
			e["default"] = s.value(v.Default)
		}
		if v.Sensitive.Value {
			e["sensitive"] = true
		}
		if v.Ephemeral.Value {
			e["ephemeral"] = true
		}
		setText(e, "description", v.Description)
		setText(e, "deprecated", v.Deprecated)
		// The type, and the default after conversion to it, are OpenTofu's.
		w := member(member(want, "variables"), v.Name)
		for _, k := range []string{"type", "required", "default", "const"} {
			if x, ok := w[k]; ok {
				e[k] = x
			}
		}
		if _, ok := w["default"]; ok != v.Default.IsSet() && !v.Default.IsNull() {
			s.t.Errorf("variable %s: default %v, wanted %v", v.Name, v.Default.IsSet(), ok)
		}
		variables[v.Name] = e
	}
	setObject(out, "variables", variables)
	var resources []any
	for _, list := range [][]*hclconfig.Resource{m.Resources, m.Data} {
		for _, r := range list {
			resources = append(resources, s.resource(r, find(want, r.Address().String()), path == ""))
		}
	}
	for _, c := range m.Checks {
		if c.Data != nil {
			resources = append(resources, s.resource(c.Data, find(want, c.Data.Address().String()), path == ""))
		}
	}
	slices.SortFunc(resources, func(a, b any) int {
		return strings.Compare(sortKey(a), sortKey(b))
	})
	if resources != nil {
		out["resources"] = resources
	}
	calls := map[string]any{}
	for _, c := range m.Calls {
		calls[c.Name] = s.call(m, c, member(member(want, "module_calls"), c.Name), path)
	}
	setObject(out, "module_calls", calls)
	return out
}

func sortKey(r any) string { return fmt.Sprint(r.(map[string]any)["address"]) }

func find(module map[string]any, address string) map[string]any {
	list, _ := module["resources"].([]any)
	for _, r := range list {
		if r := r.(map[string]any); r["address"] == address {
			return r
		}
	}
	return nil
}

func (s *shower) resource(r *hclconfig.Resource, want map[string]any, isRoot bool) map[string]any {
	e := map[string]any{
		"address": r.Address().String(), "mode": string(r.Mode), "type": r.Type, "name": r.Name,
	}
	if x := s.body(r.Config(), member(want, "expressions")); len(x) > 0 {
		e["expressions"] = x
	}
	s.setRepetition(e, r.Count, r.ForEach, want)
	setRefs(e, "depends_on", r.DependsOn)
	var provisioners []any
	for i, p := range r.Provisioners {
		w, _ := want["provisioners"].([]any)
		var wanted map[string]any
		if i < len(w) {
			wanted = member(w[i].(map[string]any), "expressions")
		}
		x := map[string]any{"type": p.Type}
		if y := s.body(p.Block.Body.Own(), wanted); len(y) > 0 {
			x["expressions"] = y
		}
		provisioners = append(provisioners, x)
	}
	if provisioners != nil {
		e["provisioners"] = provisioners
	}
	// In the root module the key is the local name and alias. Below, it is
	// where the configuration comes from, which takes more than one module.
	if key, _ := want["provider_config_key"].(string); key != "" && isRoot {
		ours := r.ProviderName()
		if r.Provider.Alias != "" {
			ours += "." + r.Provider.Alias
		}
		if ours != key {
			s.t.Errorf("%s: provider %q, wanted %q", r.Address(), ours, key)
		}
	}
	return e
}

func (s *shower) setRepetition(e map[string]any, count, forEach hclconfig.Expression, want map[string]any) {
	if count.IsSet() {
		e["count_expression"] = s.expression(count)
	}
	// OpenTofu leaves out a native for_each that is neither constant nor
	// has references.
	if _, ok := want["for_each_expression"]; forEach.IsSet() && (ok || forEach.File().Syntax() == hclconfig.JSONSyntax || len(forEach.References()) > 0) {
		e["for_each_expression"] = s.expression(forEach)
	}
}

func (s *shower) call(m *hclconfig.Module, c *hclconfig.ModuleCall, want map[string]any, path string) map[string]any {
	e := map[string]any{"source": c.Source.Value}
	if !c.Source.Argument.IsSet() || c.Source.Value == "" {
		e["source"] = want["source"] // computed
	}
	if c.Version.IsSet() {
		if _, err := c.Constraints(); err != nil {
			s.t.Error(err)
		}
		e["version_constraint"] = c.Version.Value
	}
	if x := s.body(c.Inputs(), member(want, "expressions")); len(x) > 0 {
		e["expressions"] = x
	}
	s.setRepetition(e, c.Count, c.ForEach, want)
	setRefs(e, "depends_on", c.DependsOn)
	inner := strings.TrimPrefix(path+".module."+c.Name, ".")
	if child, err := m.Child(c); err == nil {
		e["module"] = s.module(child, member(want, "module"), inner)
	} else if w, ok := want["module"]; ok {
		e["module"] = s.pruned(w.(map[string]any)) // from a registry
	}
	return e
}

// body renders what belongs to a provider's schema.
func (s *shower) body(b *hclconfig.Body, want map[string]any) map[string]any {
	out := map[string]any{}
	for i := range b.Arguments {
		a := &b.Arguments[i]
		w, ok := want[a.Name]
		if a.Undecided && ok && isBlocks(w) {
			continue
		}
		if a.Undecided && !ok && a.IsNull() {
			continue
		}
		out[a.Name] = s.expression(a.Expression)
	}
	for name, w := range want {
		if !isBlocks(w) {
			continue
		}
		labels := 0
		if labelled(w) {
			labels = 1
		}
		blocks := b.BlocksOf(name, labels)
		switch w := w.(type) {
		case []any:
			var list []any
			for i, n := range blocks {
				var inner map[string]any
				if i < len(w) {
					inner, _ = w[i].(map[string]any)
				}
				list = append(list, s.body(&n.Body, inner))
			}
			out[name] = list
		case map[string]any:
			if labels == 0 {
				if len(blocks) == 1 {
					out[name] = s.body(&blocks[0].Body, w)
				}
				continue
			}
			byLabel := map[string]any{}
			for _, n := range blocks {
				byLabel[n.Labels[0]] = s.body(&n.Body, member(w, n.Labels[0]))
			}
			out[name] = byLabel
		}
	}
	return out
}

// isBlocks reports whether a member of "expressions" is about blocks and not
// about an expression.
func isBlocks(w any) bool {
	switch w := w.(type) {
	case []any:
		return true
	case map[string]any:
		_, constant := w["constant_value"]
		_, refs := w["references"]
		return !constant && !refs && len(w) > 0
	}
	return false
}

// labelled reports whether the blocks are keyed by a label: each member is an
// object of expressions.
func labelled(w any) bool {
	m, ok := w.(map[string]any)
	if !ok {
		return false
	}
	for _, v := range m {
		if !isBlocks(v) {
			return false
		}
	}
	return true
}

// expression renders one expression: its references, or else its value.
func (s *shower) expression(e hclconfig.Expression) map[string]any {
	var refs []any
	for _, r := range e.References() {
		if !r.Addr.IsValid() {
			s.t.Errorf("%s: %q is no reference", r.Range(), r.Text)
		}
		for text := range r.Addr.PlanReferences() {
			refs = append(refs, text)
		}
	}
	for _, c := range e.Functions() {
		if r, err := addrs.ParseReference(c.Name); err == nil && strings.Contains(c.Name, "::") {
			refs = append(refs, r.PlanString())
		}
	}
	if refs != nil {
		return map[string]any{"references": refs}
	}
	if e.File().Syntax() == hclconfig.JSONSyntax && strings.Contains(e.Raw(), "${") {
		// The raw text again.
		var raw any
		d := json.NewDecoder(strings.NewReader(e.Raw()))
		d.UseNumber()
		if err := d.Decode(&raw); err != nil {
			s.t.Fatal(err)
		}
		return map[string]any{"constant_value": raw}
	}
	if _, err := e.Constant(); err != nil {
		return map[string]any{}
	}
	return map[string]any{"constant_value": s.value(e)}
}

// value renders a constant.
func (s *shower) value(e hclconfig.Expression) any {
	v, err := e.Constant()
	if err != nil {
		s.t.Errorf("%s: %v", e.Range(), err)
		return nil
	}
	src, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		s.t.Fatal(err)
	}
	var out any
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

func setText(e map[string]any, name string, t hclconfig.Text) {
	if t.Value != "" {
		e[name] = t.Value
	}
}

func setObject(e map[string]any, name string, o map[string]any) {
	if len(o) > 0 {
		e[name] = o
	}
}

func setRefs(e map[string]any, name string, x hclconfig.Expression) {
	var out []any
	for _, r := range x.References() {
		out = append(out, r.Text)
	}
	if out != nil {
		e[name] = out
	}
}

// wantProviders returns the provider configurations of the root module.
func (s *shower) wantProviders(want map[string]any) map[string]any {
	out := map[string]any{}
	for key, p := range member(want, "provider_config") {
		p := p.(map[string]any)
		if p["module_address"] != nil {
			continue
		}
		p = maps.Clone(p)
		if e, ok := p["expressions"]; ok {
			p["expressions"] = s.normal(e)
		}
		out[key] = p
	}
	return out
}

func (s *shower) providers(m *hclconfig.Module) map[string]any {
	out := map[string]any{}
	want := map[string]any{}
	src, _ := os.ReadFile("testdata/modules/" + strings.TrimPrefix(s.t.Name(), "TestShowConfig/") + "/show-config.json")
	_ = json.Unmarshal(src, &want)
	required := map[string]hclconfig.RequiredProvider{}
	for _, r := range m.RequiredProviders() {
		required[r.Name] = r
		e := map[string]any{"name": r.Name, "full_name": r.Provider.String()}
		if c := r.Constraints.String(); c != "" {
			e["version_constraint"] = c
		}
		out[r.Name] = e
	}
	for _, p := range m.Providers {
		r := required[p.Name]
		e := map[string]any{"name": r.Name, "full_name": r.Provider.String()}
		if c := r.Constraints.String(); c != "" {
			e["version_constraint"] = c
		}
		if p.Alias.IsSet() {
			e["alias"] = p.Alias.Value
		}
		w := member(member(want, "provider_config"), p.Address())
		if x := s.body(p.Config(), member(w, "expressions")); len(x) > 0 {
			e["expressions"] = x
		}
		out[p.Address()] = e
	}
	return out
}
