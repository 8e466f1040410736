// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// A Resource is a resource, data or ephemeral block. Its fields are the parts
// that the language defines; [Resource.Config] has those that the provider's
// schema defines.
type Resource struct {
	// Block is the block. Its Body has everything, in the order of the text.
	Block *Block
	// Mode says which of the three it is: addrs.Managed for a resource block.
	Mode addrs.Mode
	// Type and Name are the labels: the resource type, and the name.
	Type, Name string

	// Count and ForEach make several instances of the resource. At most one of
	// them is set. If both are absent, there is one instance.
	Count, ForEach Expression
	// Provider is the provider configuration. If absent, it is the default one
	// of the provider that the type names: see [Resource.ProviderName].
	Provider ProviderRef
	// DependsOn is a list of references to objects that must be complete before the
	// resource.
	DependsOn  Expression
	Lifecycle  *Lifecycle // nil if there is none
	Connection *Block     // how provisioners connect; nil if there is none
	// Provisioners are in the order in which they run. Only resource blocks may
	// have them, and a Connection.
	Provisioners []*Provisioner
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newResource(b *Block) *Resource {
	r := &Resource{
		Block: b, Mode: addrs.Managed, Type: b.label(0), Name: b.label(1),
		Count: b.expr("count"), ForEach: b.expr("for_each"), DependsOn: b.expr("depends_on"),
		Provider: newProviderRef(b.expr("provider")),
	}
	switch b.Type {
	case "data":
		r.Mode = addrs.Data
	case "ephemeral":
		r.Mode = addrs.Ephemeral
	}
	for i := range b.Body.Blocks {
		n := &b.Body.Blocks[i]
		if b.spec.Lookup(n.Type).Block == nil {
			continue // the provider's
		}
		switch n.Type {
		case "lifecycle":
			if r.Lifecycle == nil {
				r.Lifecycle = newLifecycle(n)
			}
		case "connection":
			r.Connection = n
		case "provisioner":
			r.Provisioners = append(r.Provisioners, newProvisioner(n))
		}
	}
	return r
}

// Addr returns the resource's address inside its module. It is the zero
// Resource if the type or the name is not valid.
func (r *Resource) Addr() addrs.Resource {
	if r == nil {
		return addrs.Resource{}
	}
	a, err := addrs.NewResource(r.Mode, r.Type, r.Name)
	if err != nil {
		return addrs.Resource{}
	}
	return a
}

// Enabled returns the argument enabled of the lifecycle block (since OpenTofu 1.11), or the
// zero Expression if there is none.
func (r *Resource) Enabled() Expression {
	if r == nil || r.Lifecycle == nil {
		return Expression{}
	}
	return r.Lifecycle.Enabled
}

// ProviderName returns the local name of the provider that the resource
// belongs to: the one it names, or the first word of its type.
func (r *Resource) ProviderName() string {
	if r == nil {
		return ""
	}
	if r.Provider.Name != "" {
		return r.Provider.Name
	}
	return impliedProviderName(r.Type)
}

func impliedProviderName(typ string) string {
	for i := range len(typ) {
		if typ[i] == '_' {
			return typ[:i]
		}
	}
	return typ
}

// Config returns the arguments and blocks that belong to the provider's schema,
// merged with those of override files. In JSON syntax [Body.Content] separates
// the arguments from the blocks.
func (r *Resource) Config() *Body {
	if r == nil {
		return nil
	}
	return mergedOwn(r.Block, r.OverriddenBy)
}

// A Lifecycle is the lifecycle block of a resource. In data and ephemeral
// blocks it has only Enabled, Preconditions and Postconditions.
type Lifecycle struct {
	// Block is the block. If only an override file has one, it is that.
	Block *Block
	// CreateBeforeDestroy says whether a replacement is created before the old
	// object is destroyed. It is false if absent, unless a resource that depends
	// on this one sets it.
	CreateBeforeDestroy Flag
	// PreventDestroy says whether a plan that destroys the object is an error.
	// It is a constant boolean; since OpenTofu 1.12, in native syntax, it may
	// be any expression.
	PreventDestroy Expression
	// Destroy says whether the object is destroyed, not only forgotten, when
	// the resource is removed (since OpenTofu 1.12). If absent, it is
	// destroyed.
	Destroy Flag
	// Enabled says whether the resource has its one instance (since OpenTofu
	// 1.11). It excludes count and for_each.
	Enabled Expression
	// IgnoreChanges are the attributes whose changes in the configuration are
	// ignored, or the keyword all: see [Lifecycle.Ignored].
	IgnoreChanges Expression
	// ReplaceTriggeredBy is a list of references to resources of the same
	// module, or attributes of them, whose changes replace the object.
	ReplaceTriggeredBy Expression
	// Preconditions are checked before the object is planned or read, and
	// Postconditions after that.
	Preconditions, Postconditions []*CheckRule
	// ActionTriggers are the action_trigger blocks, of Terraform only.
	ActionTriggers []*ActionTrigger
}

func newLifecycle(b *Block) *Lifecycle {
	l := &Lifecycle{
		Block: b, CreateBeforeDestroy: b.flagArg("create_before_destroy"), PreventDestroy: b.expr("prevent_destroy"),
		Destroy: b.flagArg("destroy"), Enabled: b.expr("enabled"), IgnoreChanges: b.expr("ignore_changes"),
		ReplaceTriggeredBy: b.expr("replace_triggered_by"),
		Preconditions:      b.rules("precondition"), Postconditions: b.rules("postcondition"),
	}
	for t := range b.Body.BlocksOfType("action_trigger") {
		l.ActionTriggers = append(l.ActionTriggers, &ActionTrigger{
			Block: t, Events: t.expr("events"), Actions: t.expr("actions"), Condition: t.expr("condition"), OnFailure: t.expr("on_failure"),
		})
	}
	return l
}

// Ignored returns the attributes that ignore_changes names, such as tags["Name"], in
// normal spelling, and whether it is the keyword all instead. Invalid elements are
// left out; package hclcheck reports them. A nil Lifecycle ignores nothing.
func (l *Lifecycle) Ignored() (attributes []string, all bool) {
	if l == nil || !l.IgnoreChanges.IsSet() {
		return nil, false
	}
	elements, ok := l.IgnoreChanges.Elements()
	if !ok {
		return nil, l.IgnoreChanges.Keyword() == "all"
	}
	for _, e := range elements {
		if text, err := e.relativePath(); err == nil {
			attributes = append(attributes, text)
		}
	}
	return attributes, false
}

// An ActionTrigger is an action_trigger block of Terraform 1.14: which actions
// run at which events of the resource.
type ActionTrigger struct {
	Block *Block // the block as it is written
	// Events is a list of keywords that say when they run, such as
	// after_create, and Actions a list of references to action blocks, in
	// order.
	Events, Actions Expression
	// Condition says whether they run. If absent, they do.
	Condition Expression
	// OnFailure is a keyword for the effect of a failed action (since Terraform
	// 1.15).
	OnFailure Expression
}

// A Provisioner is a provisioner block: an operation that runs after an object
// is created or before it is destroyed.
type Provisioner struct {
	// Block is the block. Block.Body.Own has the arguments that belong to the
	// provisioner's schema.
	Block     *Block
	Type      string // the label, such as "local-exec"
	When      string // "create", "destroy", or "" if absent, which means create
	OnFailure string // "continue", "fail", or "" if absent, which means fail
	// Connection is the nested connection block, or nil if there is none. If
	// nil, the connection of the resource, if any, is used.
	Connection *Block
}

func newProvisioner(b *Block) *Provisioner {
	return &Provisioner{
		Block: b, Type: b.label(0), When: b.expr("when").Keyword(), OnFailure: b.expr("on_failure").Keyword(),
		Connection: b.Block("connection"),
	}
}

// mergedOwn returns the own content of a block and of those that override it,
// merged by the rules of opentofu: internal/configs/hcl2shim/merge_body.go: an
// argument replaces the one of its name; if an overriding block has at least
// one nested block of a type, all earlier ones of that type are gone.
func mergedOwn(base *Block, overrides []*Block) *Body {
	if base == nil {
		return nil
	}
	out := base.Body.Own()
	if len(overrides) == 0 {
		return out
	}
	// What comes before an override that has the same name is gone: by name, how many
	// arguments and blocks came before the last one that has it.
	type mark struct{ arguments, blocks int }
	gone := map[string]mark{}
	types := map[string]bool{} // of the blocks that are left
	for i := range out.Blocks {
		types[out.Blocks[i].blockType()] = true
	}
	for _, o := range overrides {
		by := o.Body.Own()
		by.Arguments = slices.DeleteFunc(by.Arguments, func(a Argument) bool { return a.representsNoBlock() && types[a.Name] })
		before := mark{len(out.Arguments), len(out.Blocks)}
		for i := range by.Arguments {
			gone[by.Arguments[i].Name] = before
			delete(types, by.Arguments[i].Name)
		}
		for i := range by.Blocks {
			typ := by.Blocks[i].blockType()
			gone[typ] = before
			types[typ] = true
		}
		out.Arguments = append(out.Arguments, by.Arguments...)
		out.Blocks = append(out.Blocks, by.Blocks...)
		out.from = append(out.from, by.from...)
	}
	i := -1
	out.Arguments = slices.DeleteFunc(out.Arguments, func(a Argument) bool {
		i++
		return i < gone[a.Name].arguments
	})
	i = -1
	out.Blocks = slices.DeleteFunc(out.Blocks, func(n Block) bool {
		i++
		return i < gone[n.blockType()].blocks
	})
	return out
}

// representsNoBlock reports whether a property of a JSON body represents no block at
// all if it is for blocks. In an overriding body the blocks of that name then all stay.
func (a *Argument) representsNoBlock() bool {
	if !a.Undecided {
		return false
	}
	elements, ok := a.Elements()
	return a.IsNull() || ok && len(elements) == 0
}

// blockType returns the type of the block, or of the blocks that a dynamic
// block makes.
func (b *Block) blockType() string {
	if b.spec == hcllang.Dynamic {
		return b.label(0)
	}
	return b.Type
}

// A ModuleCall is a module block: a call of another module.
type ModuleCall struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Source is where the module comes from: see [ModuleCall.SourceAddr].
	// Version is a version constraint, for modules of a registry only; it may
	// be absent. Both are constants in most configurations. Since OpenTofu 1.8
	// they may use variables and local values: then IsSet is true and Value is
	// empty.
	Source, Version Text
	// Count and ForEach make several instances of the module. At most one of
	// them is set.
	Count, ForEach Expression
	// Enabled is the argument enabled of the nested lifecycle block: whether
	// there is an instance. OpenTofu 1.11; not in Terraform.
	Enabled Expression
	// Providers says which provider configurations the module gets:
	// [ModuleCall.ProviderMappings] reads it. If absent, it gets the default
	// ones of its caller.
	Providers Expression
	// DependsOn is a list of references to objects that must be complete before the
	// module.
	DependsOn Expression
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newModuleCall(b *Block) *ModuleCall {
	return &ModuleCall{
		Block: b, Name: b.label(0), Source: b.textArg("source"), Version: b.textArg("version"),
		Count: b.expr("count"), ForEach: b.expr("for_each"), Enabled: b.Block("lifecycle").expr("enabled"),
		Providers: b.expr("providers"), DependsOn: b.expr("depends_on"),
	}
}

// Inputs returns the arguments that set the module's input variables, with
// those that override files set.
func (c *ModuleCall) Inputs() *Body {
	if c == nil {
		return nil
	}
	return mergedOwn(c.Block, c.OverriddenBy)
}

// IsLocal reports whether the source is a path, relative to the module that
// calls.
func (c *ModuleCall) IsLocal() bool {
	if c == nil {
		return false
	}
	s := c.Source.Value
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, `.\`) || strings.HasPrefix(s, `..\`)
}

// LocalDir returns the directory of the called module, where the calling one is
// in dir. It uses slashes, and may lead out of dir with "..". It is only
// meaningful if IsLocal.
func (c *ModuleCall) LocalDir(dir string) string {
	if c == nil {
		return ""
	}
	return path.Join(dir, strings.ReplaceAll(c.Source.Value, `\`, "/"))
}

// SourceAddr returns the source as an address. With a version it must be one of a registry. If a
// registry source has no host, it is the default host of the dialect, which for Terraform is
// [addrs.TerraformHost]. The error is an [*Error] at the source's place. It wraps [ErrNotConstant]
// if the source is not a constant, and otherwise the *addrs.Error, even if the source is absent.
func (c *ModuleCall) SourceAddr() (addrs.ModuleSource, error) {
	if c == nil || c.Block == nil {
		return addrs.ModuleSource{}, nil
	}
	if c.Source.IsSet() && c.Source.Value == "" {
		if _, err := c.Source.Argument.Constant(); err != nil {
			return addrs.ModuleSource{}, err
		}
	}
	parse := addrs.ParseModuleSource
	if c.Version.IsSet() {
		parse = addrs.ParseModuleRegistrySource
	}
	s, err := parse(c.Source.Value)
	if _, _, _, _, ok := s.Registry(); ok && c.Block.file != nil && c.Block.file.dialect == hcllang.Terraform && !namesHost(c.Source.Value) {
		s, err = parse(addrs.TerraformHost + "/" + c.Source.Value)
	}
	if err != nil {
		at := c.Block.defAt()
		if c.Source.IsSet() {
			at = c.Source.Argument.at
		}
		return s, c.Block.file.fault(int(at.Start), err)
	}
	return s, nil
}

// namesHost reports whether a registry source has a host before its three parts.
func namesHost(source string) bool {
	source, _, _ = strings.Cut(source, "//") // what follows is a directory of the module
	return strings.Count(source, "/") > 2
}

// Constraints returns the constraints on the module's version. Without a
// version they are the zero Constraints, which allow every release. The text is
// parsed by [addrs.ParseModuleConstraints]. The error is an [*Error] that wraps the
// *addrs.Error. A version of more than three numbers is such an error, though OpenTofu
// can compare with one here. A version that is null counts as none. If it is not a
// constant, the error wraps [ErrNotConstant].
func (c *ModuleCall) Constraints() (addrs.Constraints, error) {
	if c == nil {
		return addrs.Constraints{}, nil
	}
	return c.Version.constraints(addrs.ParseModuleConstraints)
}

// A ProviderMapping is one entry of the providers argument of a module call.
type ProviderMapping struct {
	Inner ProviderRef // the key: the name inside the called module
	Outer ProviderRef // the value: the configuration of the calling module
}

// ProviderMappings returns the entries of the providers argument, in order. It
// is empty if the argument is absent, or is not written as an object.
func (c *ModuleCall) ProviderMappings() []ProviderMapping {
	if c == nil {
		return nil
	}
	members, _ := c.Providers.Members()
	out := make([]ProviderMapping, 0, len(members))
	for _, m := range members {
		out = append(out, ProviderMapping{Inner: newProviderRef(m.Key), Outer: newProviderRef(m.Value)})
	}
	return out
}

// A ProviderRef names a provider configuration, as the argument provider of a resource does. It
// has the parts that could be read, even if they are in quotes, which is the old form. Package
// hclcheck reports wrong ones.
type ProviderRef struct {
	// Expression is the reference as it is written. If it is not set, the
	// default configuration is used.
	Expression Expression
	Name       string // the local name of the provider; empty if absent
	Alias      string // empty for the default configuration
	// Key is the source of the instance key in aws.by_region[each.key],
	// without the brackets; empty if there is none.
	Key string
}

// IsSet reports whether there is a reference at all.
func (p ProviderRef) IsSet() bool { return p.Expression.IsSet() }

// String returns the reference in the normal spelling.
func (p ProviderRef) String() string {
	s := p.Name
	if p.Alias != "" {
		s += "." + p.Alias
	}
	if p.Key != "" {
		s += "[" + p.Key + "]"
	}
	return s
}

// newProviderRef understands e as far as it can be understood.
func newProviderRef(e Expression) ProviderRef {
	p := ProviderRef{Expression: e}
	if !e.IsSet() {
		return p
	}
	x, err := e.nativeForm()
	if err != nil {
		return p
	}
	src := e.source()
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	switch x := x.(type) {
	case *hclsyntax.IndexExpr:
		p.setNames(x.Collection)
		p.Key = sourceText(src, x.Key.Range())
	case *hclsyntax.TemplateExpr:
		// The legacy quoted form.
		v, diags := x.Value(nil)
		if s, ok := hcllex.LiteralString(v); ok && !diags.HasErrors() && x.IsStringLiteral() {
			if t, diags := hclsyntax.ParseTraversalAbs([]byte(s), e.file.name, hcl.InitialPos); !diags.HasErrors() {
				p.setTraversal(t)
			}
		}
	default:
		p.setNames(x)
	}
	return p
}

func (p *ProviderRef) setNames(x hclsyntax.Expression) {
	if t, diags := hcl.AbsTraversalForExpr(x); !diags.HasErrors() {
		p.setTraversal(t)
	}
}

func (p *ProviderRef) setTraversal(t hcl.Traversal) {
	p.Name = t.RootName()
	if len(t) > 1 {
		if a, ok := t[1].(hcl.TraverseAttr); ok {
			p.Alias = a.Name
		}
	}
	if len(t) > 2 {
		if i, ok := t[2].(hcl.TraverseIndex); ok {
			p.Key = strings.TrimSuffix(strings.TrimPrefix(hcllex.AddressText(hcl.Traversal{hcl.TraverseRoot{}, i}), "["), "]")
		}
	}
}

// source returns the text that the ranges of e's native form count in.
func (e Expression) source() []byte {
	if e.isNative() {
		return e.file.src
	}
	return []byte(e.file.jsonText(e.at))
}

func sourceText(src []byte, r hcl.Range) string {
	if r.Start.Byte < 0 || r.End.Byte > len(src) || r.Start.Byte > r.End.Byte {
		return ""
	}
	return string(src[r.Start.Byte:r.End.Byte])
}

// relativePath returns an element of ignore_changes in the normal spelling.
func (e Expression) relativePath() (string, error) {
	x, err := e.nativeForm()
	if err != nil {
		return "", err
	}
	t, diags := hcl.RelTraversalForExpr(x)
	if diags.HasErrors() {
		return "", e.file.faultf(int(e.at.Start), ErrKind, "the name of an attribute is required")
	}
	// A relative traversal begins with an attribute, which is spelled as
	// the root of an absolute one.
	if a, ok := t[0].(hcl.TraverseAttr); ok {
		t = append(hcl.Traversal{hcl.TraverseRoot{Name: a.Name}}, t[1:]...)
	}
	return hcllex.TraversalText(t), nil
}
