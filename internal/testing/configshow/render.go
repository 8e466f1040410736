// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package configshow

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// A Renderer renders a module as the recording's tool does.
type Renderer struct {
	T         *testing.T
	Recording Recording
	Files     fs.FS
	Schemas   map[string]*ProviderSchemas
	Bare      bool // without expressions
	providers map[string]any
}

// An Object is a JSON object.
type Object = map[string]any

// A scope is a module at its place in the tree of calls.
type scope struct {
	m      *hclconfig.Module
	path   string // such as module.a.module.b
	parent *scope
	// configs has the key of each provider configuration that the module
	// can use, by its name there.
	configs map[string]string
}

// Show returns the "configuration" object of the module.
func (s *Renderer) Show(m *hclconfig.Module) Object {
	s.providers = Object{}
	want, _ := s.Recording.Want["root_module"].(Object)
	out := Object{"root_module": s.module(s.scope(m, nil, nil), want)}
	if v, ok := s.Recording.Want["format_version"]; ok {
		out["format_version"] = v
	}
	set(out, "provider_config", s.providers)
	return out
}

// scope finds the provider configurations of a module, and adds those that are
// its own to the list.
func (s *Renderer) scope(m *hclconfig.Module, parent *scope, call *hclconfig.ModuleCall) *scope {
	sc := &scope{m: m, parent: parent, configs: map[string]string{}}
	if parent != nil {
		sc.path = strings.TrimPrefix(parent.path+".module."+call.Name, ".")
		for _, p := range call.ProviderMappings() {
			outer, _, _ := strings.Cut(p.Outer.String(), "[") // the key of an instance is not told
			sc.configs[p.Inner.String()] = parent.configs[outer]
		}
	}
	for _, p := range m.Providers {
		e := s.ownConfig(sc, p.Name, p.Address())
		if p.Alias.IsSet() {
			e["alias"] = p.Alias.Value
		}
		if schemas := s.schemasOf(sc, p.Name); schemas != nil && !s.Bare {
			set(e, "expressions", s.body(p.Config(), schemas.Provider.Block.Schema()))
		}
	}
	for _, r := range m.RequiredProviders() {
		if r.Requirement != nil {
			for _, a := range r.Requirement.ConfigurationAliases {
				if sc.configs[a.String()] == "" {
					s.ownConfig(sc, r.Name, a.String())
				}
			}
		}
		if sc.configs[r.Name] != "" {
			continue
		}
		if parent != nil && parent.configs[r.Name] != "" {
			if p, err := parent.m.ProviderOf(r.Name); err == nil && p == r.Provider {
				sc.configs[r.Name] = parent.configs[r.Name]
				continue
			}
		}
		s.ownConfig(sc, r.Name, r.Name)
	}
	return sc
}

// ownConfig adds a provider configuration that is the module's own.
func (s *Renderer) ownConfig(sc *scope, provider, address string) Object {
	key := address
	if sc.path != "" {
		key = sc.path + ":" + address
	}
	sc.configs[address] = key
	full, err := sc.m.ProviderOf(provider)
	if err != nil {
		s.T.Error(err)
	}
	e := Object{"name": provider, "full_name": s.hosted(full)}
	set(e, "module_address", sc.path)
	set(e, "version_constraint", s.constraints(sc, full))
	s.providers[key] = e
	return e
}

// hosted returns the address of the provider. OpenTofu before 1.8 is read as
// Terraform, for its choice of files, but has its own registry.
func (s *Renderer) hosted(p addrs.Provider) string {
	if s.Recording.Program == "tofu" && p.Host() == addrs.TerraformHost {
		p, _ = p.WithHost(addrs.DefaultHost)
	}
	return p.String()
}

// constraints returns those of all names that the module has for the provider.
func (s *Renderer) constraints(sc *scope, p addrs.Provider) string {
	var all []addrs.Constraints
	for _, r := range sc.m.RequiredProviders() {
		if r.Provider == p {
			all = append(all, r.Constraints)
		}
	}
	return addrs.JoinConstraints(all...).String()
}

func (s *Renderer) schemasOf(sc *scope, provider string) *ProviderSchemas {
	p, err := sc.m.ProviderOf(provider)
	if err != nil {
		s.T.Error(err)
		return nil
	}
	out := s.Schemas[p.Namespace()+"/"+p.Type()]
	if out == nil {
		s.T.Errorf("no schema of %s", p)
	}
	return out
}

// module renders a module. want is only looked at for modules that the
// recording has and testdata has not.
func (s *Renderer) module(sc *scope, want Object) Object {
	out, outputs, variables, calls := Object{}, Object{}, Object{}, Object{}
	for _, o := range sc.m.Outputs {
		e := Object{}
		if !s.Bare {
			e["expression"] = s.expression(o.Value)
		}
		set(e, "sensitive", o.Sensitive.Value)
		set(e, "ephemeral", o.Ephemeral.Value && s.Recording.has("1.11"))
		set(e, "description", o.Description.Value)
		set(e, "deprecated", o.Deprecated.Value)
		set(e, "depends_on", references(o.DependsOn))
		outputs[o.Name] = e
	}
	for _, v := range sc.m.Variables {
		variables[v.Name] = s.variable(v)
	}
	var resources []any
	for _, list := range [][]*hclconfig.Resource{sc.m.Resources, sc.m.Data, sc.m.Ephemeral} {
		for _, r := range list {
			// Terraform leaves ephemeral resources out.
			if r.Mode != addrs.Ephemeral || s.Recording.Program == "tofu" {
				resources = append(resources, s.resource(sc, r))
			}
		}
	}
	for _, c := range sc.m.Checks {
		if c.Data != nil {
			resources = append(resources, s.resource(sc, c.Data))
		}
	}
	for _, c := range sc.m.Calls {
		inner, _ := want["module_calls"].(Object)
		w, _ := inner[c.Name].(Object)
		calls[c.Name] = s.call(sc, c, w)
	}
	set(out, "outputs", outputs)
	set(out, "variables", variables)
	set(out, "resources", resources)
	set(out, "module_calls", calls)
	SortResources(out)
	return out
}

func (s *Renderer) variable(v *hclconfig.Variable) Object {
	e := Object{}
	set(e, "description", v.Description.Value)
	set(e, "sensitive", v.Sensitive.Value)
	set(e, "ephemeral", v.Ephemeral.Value && s.Recording.has("1.11"))
	set(e, "deprecated", v.Deprecated.Value)
	typ, _, err := v.TypeConstraint()
	if err != nil {
		s.T.Errorf("variable %s: %v", v.Name, err)
	}
	if s.Recording.has("1.12") {
		set(e, "required", v.Required())
		if typ != cty.DynamicPseudoType {
			src, err := ctyjson.MarshalType(typ)
			if err != nil {
				s.T.Errorf("variable %s: %v", v.Name, err)
			}
			e["type"] = json.RawMessage(src)
		}
	}
	if v.Default.IsSet() {
		value, err := v.TypedDefault()
		if err != nil {
			s.T.Fatalf("variable %s: %v", v.Name, err)
		}
		e["default"] = s.value(value)
	}
	return e
}

func (s *Renderer) resource(sc *scope, r *hclconfig.Resource) Object {
	e := Object{"address": r.Addr().String(), "mode": string(r.Mode), "type": r.Type, "name": r.Name}
	name := r.ProviderName()
	schemas := s.schemasOf(sc, name)
	if r.Provider.Alias != "" {
		name += "." + r.Provider.Alias
	}
	e["provider_config_key"] = sc.configs[name]
	set(e, "depends_on", references(r.DependsOn))
	var provisioners []any
	for _, p := range r.Provisioners {
		x := Object{"type": p.Type}
		if !s.Bare {
			set(x, "expressions", s.body(p.Block.Body.Own(), s.Schemas["builtin/terraform"].Provisioners[p.Type].Block.Schema()))
		}
		provisioners = append(provisioners, x)
	}
	set(e, "provisioners", provisioners)
	if s.Bare || schemas == nil {
		return e
	}
	schema := map[addrs.Mode]map[string]*ObjectSchema{
		addrs.Managed: schemas.Resources, addrs.Data: schemas.Data, addrs.Ephemeral: schemas.Ephemeral,
	}[r.Mode][r.Type]
	if schema == nil {
		s.T.Errorf("no schema of %s", r.Addr())
		return e
	}
	e["schema_version"] = schema.Version
	set(e, "expressions", s.body(r.Config(), schema.Block.Schema()))
	s.repetition(e, r.Count, r.ForEach)
	return e
}

func (s *Renderer) repetition(e Object, count, forEach hclconfig.Expression) {
	// One that is neither constant nor refers to something is left out.
	set(e, "count_expression", s.expression(count))
	set(e, "for_each_expression", s.expression(forEach))
}

func (s *Renderer) call(sc *scope, c *hclconfig.ModuleCall, want Object) Object {
	e := Object{}
	source := c.Source.Value
	if source == "" {
		source = s.computed(sc, c.Source.Argument.Expression)
	}
	var child *hclconfig.Module
	err := fs.ErrNotExist
	if strings.HasPrefix(source, ".") {
		child, err = hclconfig.LoadModule(s.Files, path.Join(sc.m.Dir, source), sc.m.Dialect())
	}
	e["source"] = source
	set(e, "version_constraint", c.Version.Value)
	if _, err := c.Constraints(); err != nil {
		s.T.Error(err)
	}
	set(e, "depends_on", references(c.DependsOn))
	var inputs Object
	switch {
	case err == nil:
		inputs = s.inputs(c, child)
		if inner, ok := want["module"].(Object); ok || !s.Bare {
			e["module"] = s.module(s.scope(child, sc, c), inner)
		}
	case strings.HasPrefix(source, "."):
		s.T.Error(err)
	default:
		// The source of a registry module is not in testdata: what is inside
		// is taken from the recording, and only the call is compared.
		if inner, ok := want["module"]; ok {
			e["module"] = inner
		}
		inner := strings.TrimPrefix(sc.path+".module."+c.Name, ".")
		configs, _ := s.Recording.Want["provider_config"].(Object)
		for key, p := range configs {
			if strings.HasPrefix(key, inner+":") || strings.HasPrefix(key, inner+".") {
				s.providers[key] = p
			}
		}
		inputs = s.inputs(c, nil)
	}
	if !s.Bare {
		set(e, "expressions", inputs)
		s.repetition(e, c.Count, c.ForEach)
	}
	return e
}

// inputs renders the arguments of a call. The called module says which there
// are, if it is known.
func (s *Renderer) inputs(c *hclconfig.ModuleCall, child *hclconfig.Module) Object {
	out := Object{}
	for i := range c.Inputs().Arguments {
		a := &c.Inputs().Arguments[i]
		if child != nil && !slices.ContainsFunc(child.Variables, func(v *hclconfig.Variable) bool { return v.Name == a.Name }) {
			s.T.Errorf("module %s has no variable %q", c.Name, a.Name)
		}
		out[a.Name] = s.expression(a.Expression)
	}
	return out
}

// computed evaluates the source of a module with the defaults of variables and
// the local values, as OpenTofu 1.8 and later do.
func (s *Renderer) computed(sc *scope, e hclconfig.Expression) string {
	vars, locals := map[string]cty.Value{}, map[string]cty.Value{}
	for _, v := range sc.m.Variables {
		if v.Default.IsSet() {
			vars[v.Name], _ = v.DefaultValue()
		}
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(vars)}}
	for _, l := range sc.m.Locals {
		if v, diags := l.Argument.Value(ctx); !diags.HasErrors() {
			locals[l.Name] = v
		}
	}
	ctx.Variables["local"] = cty.ObjectVal(locals)
	v, diags := e.Value(ctx)
	if diags.HasErrors() {
		s.T.Fatal(diags)
	}
	return v.AsString()
}

// body renders what belongs to a provider's schema. Dynamic blocks are not in
// the recordings.
func (s *Renderer) body(b *hclconfig.Body, schema *hclconfig.BlockSchema) Object {
	content := b.Content(Body(schema))
	for d := range content.Diagnostics.Errors() {
		s.T.Error(d)
	}
	for _, a := range content.Extra {
		s.T.Errorf("%s: the schema has no %s", a.Range(), a.Name)
	}
	for _, b := range content.ExtraBlocks {
		s.T.Errorf("%s: the schema has no %s", b.Range(), b.Type)
	}
	out := Object{}
	for _, a := range content.Arguments {
		out[a.Name] = s.expression(a.Expression)
	}
	for name, nested := range schema.Blocks {
		var list []any
		byKey := Object{}
		for n := range content.BlocksOfType(name) {
			x := s.body(&n.Body, nested)
			switch nested.Nesting {
			case "map":
				byKey[n.Labels[0]] = x
			case "single", "group":
				out[name] = x
			default:
				list = append(list, x)
			}
		}
		set(out, name, list)
		set(out, name, byKey)
	}
	return out
}

// expression renders an expression: its value, if it is constant, and what it
// refers to. In JSON syntax the value is the text as written.
func (s *Renderer) expression(e hclconfig.Expression) Object {
	out := Object{}
	if !e.IsSet() {
		return out
	}
	if e.File().Syntax() == hclconfig.JSONSyntax {
		raw := []byte(e.Raw())
		typ, err := ctyjson.ImpliedType(raw)
		if err != nil {
			s.T.Fatal(err)
		}
		v, err := ctyjson.Unmarshal(raw, typ)
		if err != nil {
			s.T.Fatal(err)
		}
		out["constant_value"] = s.value(v)
	} else if v, err := e.Constant(); err == nil {
		out["constant_value"] = s.value(v)
	}
	var refs []string
	for _, r := range e.References() {
		if !r.Addr.IsValid() {
			s.T.Errorf("%s: %q is not a reference", r.Range(), r.Text)
		}
		refs = slices.AppendSeq(refs, r.Addr.PlanReferences())
	}
	for x := range e.All() {
		// Since OpenTofu 1.7 functions of providers are among the references.
		if r, err := addrs.ParseReference(x.Name()); err == nil && x.Form() == hclconfig.FormCall && strings.Contains(x.Name(), "::") && s.Recording.has("1.7") {
			refs = append(refs, r.PlanString())
		}
	}
	set(out, "references", refs)
	return out
}

// value renders a constant.
func (s *Renderer) value(v cty.Value) json.RawMessage {
	src, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		s.T.Fatal(err)
	}
	return src
}

// references returns the elements of a list of references.
func references(e hclconfig.Expression) []string {
	var out []string
	for _, r := range e.References() {
		out = append(out, r.Text)
	}
	return out
}

// set sets a member that the tools leave out if it is empty.
func set[V any](o Object, name string, v V) {
	switch v := any(v).(type) {
	case string:
		if v == "" {
			return
		}
	case bool:
		if !v {
			return
		}
	case Object:
		if len(v) == 0 {
			return
		}
	case []any:
		if len(v) == 0 {
			return
		}
	case []string:
		if len(v) == 0 {
			return
		}
	}
	o[name] = v
}

// SortResources sorts the resources of all modules by address: the typed view
// has them in the order of the text, and the tools in their own.
func SortResources(v any) {
	o, ok := v.(Object)
	if !ok {
		return
	}
	if list, ok := o["resources"].([]any); ok {
		slices.SortFunc(list, func(a, b any) int {
			return strings.Compare(fmt.Sprint(a.(Object)["address"]), fmt.Sprint(b.(Object)["address"]))
		})
	}
	for _, m := range o {
		SortResources(m)
	}
}
