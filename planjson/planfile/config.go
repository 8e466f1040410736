// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/planjson"
)

// A configTree is the configuration, with what evaluates the little that is evaluated before a plan.
type configTree struct {
	tree   *hclnames.Tree
	module *hclconfig.Module   // the root
	values *hclnames.Evaluator // with the plan's variables
	loops  *hclnames.Evaluator // tells which loops are too much work
}

func (f *File) config(m *message, r release) (*configTree, error) {
	t, err := f.tree(r, m.release)
	if err != nil {
		return nil, err
	}
	t.Workspace = m.backend.Workspace
	variables := make(map[string]cty.Value)
	for name, d := range m.variables {
		if v, err := d.value(cty.DynamicPseudoType); err == nil {
			variables[name] = v
		}
	}
	return &configTree{tree: t, module: t.Module, values: hclnames.NewEvaluator(variables), loops: hclnames.NewEvaluator(nil)}, nil
}

// dialect returns the language that the release reads.
func (r release) dialect(version string) hclconfig.Dialect {
	d := hclconfig.OpenTofu
	if r.terraform() {
		d = hclconfig.Terraform
	}
	if v, err := addrs.ParseVersion(version); err == nil {
		return d.At(v)
	}
	return d
}

// A configWriter writes the configuration.
type configWriter struct {
	*shower
	config    *configTree
	providers *providerKeys
}

// configuration writes the configuration of all modules.
func (s *shower) configuration(config *configTree) error {
	w := configWriter{shower: s, config: config}
	w.providers = newProviderKeys(s.release, config.tree)
	s.name("configuration")
	s.open('{')
	if err := w.providerConfigs(); err != nil {
		return err
	}
	s.name("root_module")
	if err := w.moduleConfig(config.tree); err != nil {
		return err
	}
	s.close('}')
	return nil
}

func (w *configWriter) providerConfigs() error {
	list := w.providers.shown()
	if len(list) == 0 {
		return nil
	}
	w.name("provider_config")
	w.open('{')
	for _, key := range list {
		p := w.providers.configs[key]
		w.name(key)
		w.open('{')
		w.member("name", p.name)
		if !w.release.before(2) {
			w.member("full_name", p.provider.String())
		}
		w.optional("alias", p.alias)
		w.optional("version_constraint", p.constraints)
		w.optional("module_address", p.module)
		if p.block != nil {
			of, err := w.schemas.of(typeKey{provider: p.provider})
			if err != nil {
				return err
			}
			w.expressions(p.block.Config(), of.block)
		}
		w.close('}')
	}
	w.close('}')
	return nil
}

func (w *configWriter) moduleConfig(t *hclnames.Tree) error {
	m := t.Module
	w.open('{')
	w.outputConfigs(m)
	resources, err := w.resourceList(m)
	if err != nil {
		return err
	}
	if len(resources) > 0 {
		w.name("resources")
		w.open('[')
		for _, r := range resources {
			w.element()
			if err := w.resourceConfig(t, r); err != nil {
				return err
			}
		}
		w.close(']')
	}
	if len(t.Children) > 0 {
		w.name("module_calls")
		w.open('{')
		for _, child := range slices.SortedFunc(slices.Values(t.Children), func(a, b *hclnames.Tree) int { return cmp.Compare(a.Call.Name, b.Call.Name) }) {
			w.name(child.Call.Name)
			if err := w.moduleCall(child); err != nil {
				return err
			}
		}
		w.close('}')
	}
	w.variableConfigs(m)
	w.close('}')
	return nil
}

// byName returns the blocks of a kind sorted by name, of those with a name the first.
func byName[B any](list []B, name func(B) string) []B {
	sorted := slices.SortedStableFunc(slices.Values(list), func(a, b B) int { return cmp.Compare(name(a), name(b)) })
	return slices.CompactFunc(sorted, func(a, b B) bool { return name(a) == name(b) })
}

func (w *configWriter) outputConfigs(m *hclconfig.Module) {
	if len(m.Outputs) == 0 {
		return
	}
	w.name("outputs")
	w.open('{')
	for _, o := range byName(m.Outputs, func(o *hclconfig.Output) string { return o.Name }) {
		w.name(o.Name)
		w.open('{')
		w.flag("sensitive", o.Sensitive.Value)
		w.flag("ephemeral", o.Ephemeral.Value && w.release.tofu(11))
		if w.release.tofu(10) {
			w.optional("deprecated", o.Deprecated.Value)
		}
		w.name("expression")
		w.expression(o.Value, true)
		w.dependsOn(o.DependsOn)
		w.optional("description", o.Description.Value)
		w.close('}')
	}
	w.close('}')
}

func (w *configWriter) variableConfigs(m *hclconfig.Module) {
	if len(m.Variables) == 0 {
		return
	}
	w.name("variables")
	w.open('{')
	for _, v := range byName(m.Variables, func(v *hclconfig.Variable) string { return v.Name }) {
		w.name(v.Name)
		w.open('{')
		t, _, err := v.TypeConstraint()
		if err == nil && t != cty.DynamicPseudoType && w.release.tofu(11) {
			if text, err := t.MarshalJSON(); err == nil {
				w.raw("type", text)
			}
		}
		if v.Default.IsSet() {
			if value, err := v.TypedDefault(); err == nil {
				w.name("default")
				w.text = w.known.append(w.text, value)
			}
		}
		w.optional("description", v.Description.Value)
		w.flag("required", !v.Default.IsSet() && w.release.tofu(11))
		w.flag("sensitive", v.Sensitive.Value)
		w.flag("ephemeral", v.Ephemeral.Value && w.release.tofu(11))
		if w.release.tofu(10) {
			w.optional("deprecated", v.Deprecated.Value)
		}
		w.close('}')
	}
	w.close('}')
}

// resourceList returns the resources of a module in order: managed ones, data sources with those in
// check blocks, and in OpenTofu 1.11 ephemeral ones, each by address.
func (w *configWriter) resourceList(m *hclconfig.Module) ([]*hclconfig.Resource, error) {
	data := slices.Clone(m.Data)
	for _, c := range m.Checks {
		if c.Data != nil {
			data = append(data, c.Data)
		}
	}
	lists := [][]*hclconfig.Resource{m.Resources, data}
	if w.release.tofu(11) {
		lists = append(lists, m.Ephemeral)
	}
	var all []*hclconfig.Resource
	for _, list := range lists {
		all = append(all, byName(list, func(r *hclconfig.Resource) string { return r.Addr().String() })...)
	}
	return all, nil
}

func (w *configWriter) resourceConfig(t *hclnames.Tree, r *hclconfig.Resource) error {
	provider, err := w.providers.providerOf(t.Module, r.ProviderName())
	if err != nil {
		return invalid("%w", err)
	}
	of, err := w.schemas.of(typeKey{provider, r.Mode, r.Type})
	if err != nil {
		return err
	}
	w.open('{')
	w.member("address", r.Addr().String())
	w.member("mode", string(r.Mode))
	w.member("type", r.Type)
	w.member("name", r.Name)
	w.member("provider_config_key", w.providers.keyOf(t, r))
	if len(r.Provisioners) > 0 {
		w.provisioners(r.Provisioners)
	}
	w.expressions(r.Config(), of.block)
	if of.block != nil {
		w.uint("schema_version", of.version)
	}
	w.repetition(r.Count, r.ForEach)
	w.dependsOn(r.DependsOn)
	w.close('}')
	return nil
}

func (w *configWriter) provisioners(list []*hclconfig.Provisioner) {
	w.name("provisioners")
	w.open('[')
	for _, p := range list {
		w.element()
		w.open('{')
		w.member("type", p.Type)
		if w.file.archive.entries[entrySchemas] == nil { // the schemas in a plan have none of provisioners, and the tool uses only those
			w.expressions(p.Block.Body.Own(), provisionerSchemas()[p.Type])
		}
		w.close('}')
	}
	w.close(']')
}

// repetition writes count, or for_each if that is not shown. One that is neither constant nor refers
// to something is left out.
func (w *configWriter) repetition(count, forEach hclconfig.Expression) {
	for i, e := range []hclconfig.Expression{count, forEach} {
		at, first := len(w.text), w.first
		w.name([...]string{"count_expression", "for_each_expression"}[i])
		start := len(w.text)
		if w.expression(e, true); string(w.text[start:]) != "{}" {
			return
		}
		w.text, w.first = w.text[:at], first
	}
}

func (w *configWriter) moduleCall(t *hclnames.Tree) error {
	c := t.Call
	w.open('{')
	w.optional("source", w.source(t))
	inputs := &planjson.Block{Attributes: make(map[string]*planjson.Attribute)}
	for _, v := range t.Module.Variables {
		inputs.Attributes[v.Name] = &planjson.Attribute{Type: planjson.Literal("dynamic"), Required: !v.Default.IsSet()}
	}
	w.expressions(c.Inputs(), inputs)
	w.repetition(c.Count, c.ForEach)
	w.name("module")
	if err := w.moduleConfig(t); err != nil {
		return err
	}
	w.optional("version_constraint", c.Version.Value)
	w.dependsOn(c.DependsOn)
	w.close('}')
	return nil
}

// source returns the source of a module call, which OpenTofu 1.8 evaluates early.
func (w *configWriter) source(t *hclnames.Tree) string {
	c := t.Call
	if c.Source.Value != "" || c.Source.Argument == nil {
		return c.Source.Value
	}
	v, _ := w.config.values.Evaluate(t.Parent, c.Source.Argument.Expression).Value.UnmarkDeep()
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

func (w *configWriter) dependsOn(e hclconfig.Expression) {
	var list []string
	for _, r := range e.References() {
		if r.Addr.IsValid() {
			list = append(list, r.Addr.Subject().PlanString())
		} else {
			list = append(list, "")
		}
	}
	w.strings("depends_on", list)
}

// expressions writes the member with the arguments and nested blocks of a body, if there are any.
func (w *configWriter) expressions(b *hclconfig.Body, schema *planjson.Block) {
	at, first := len(w.text), w.first
	w.name("expressions")
	start := len(w.text)
	if w.body(b, schema); string(w.text[start:]) == "{}" {
		w.text, w.first = w.text[:at], first
	}
}

// body writes the arguments and nested blocks of a body. Dynamic blocks leave no trace. If there is no
// schema, nothing tells which arguments are sensitive, so that no constant is written.
func (w *configWriter) body(b *hclconfig.Body, schema *planjson.Block) {
	if schema == nil {
		w.bodyWithoutSchema(b)
		return
	}
	members := make(map[string]func())
	content := b.Content(bodySchema(schema))
	for _, a := range content.Arguments {
		members[a.Name] = func() { w.expression(a.Expression, true) }
	}
	for name, a := range asBlocks(schema) {
		if blocks := blocksFor(content, name); members[name] == nil && len(blocks) > 0 {
			members[name] = func() { w.attributeBlocks(blocks, a) }
		}
	}
	for name, nested := range schema.BlockTypes {
		if blocks := slices.Collect(content.BlocksOfType(name)); len(blocks) > 0 && nested != nil {
			members[name] = func() { w.nested(blocks, nested) }
		}
	}
	w.open('{')
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w.name(name)
		members[name]()
	}
	w.close('}')
}

func (w *configWriter) nested(blocks []*hclconfig.Block, nested *planjson.BlockType) {
	switch nested.NestingMode {
	case planjson.NestingSingle, planjson.NestingGroup:
		w.body(&blocks[len(blocks)-1].Body, nested.Block)
	case planjson.NestingMap:
		byLabel := make(map[string]*hclconfig.Block)
		for _, b := range blocks {
			if len(b.Labels) > 0 {
				byLabel[b.Labels[0]] = b
			}
		}
		w.open('{')
		for _, label := range slices.Sorted(maps.Keys(byLabel)) {
			w.name(label)
			w.body(&byLabel[label].Body, nested.Block)
		}
		w.close('}')
	default:
		w.open('[')
		for _, b := range blocks {
			w.element()
			w.body(&b.Body, nested.Block)
		}
		w.close(']')
	}
}

// bodyWithoutSchema writes the references of a body of a type that is not known.
func (w *configWriter) bodyWithoutSchema(b *hclconfig.Body) {
	members := make(map[string][]func())
	blocks := make(map[string]bool)
	for a := range slices.Values(b.Arguments) {
		members[a.Name] = []func(){func() { w.expression(a.Expression, false) }}
	}
	for block := range slices.Values(b.Blocks) {
		if block.Type != "dynamic" {
			blocks[block.Type] = true
			members[block.Type] = append(members[block.Type], func() { w.bodyWithoutSchema(&block.Body) })
		}
	}
	w.open('{')
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w.name(name)
		if !blocks[name] {
			members[name][0]()
			continue
		}
		w.open('[')
		for _, write := range members[name] {
			w.element()
			write()
		}
		w.close(']')
	}
	w.close('}')
}

// bodySchema returns a schema in the form that splits a body.
func bodySchema(b *planjson.Block) *hcl.BodySchema {
	out := new(hcl.BodySchema)
	for _, name := range slices.Sorted(maps.Keys(b.Attributes)) {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: name})
	}
	for _, name := range slices.Sorted(maps.Keys(b.BlockTypes)) {
		h := hcl.BlockHeaderSchema{Type: name}
		if n := b.BlockTypes[name]; n != nil && n.NestingMode == planjson.NestingMap {
			h.LabelNames = []string{"key"}
		}
		out.Blocks = append(out.Blocks, h)
	}
	return out
}
