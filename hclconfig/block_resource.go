// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Resource is a resource, data or ephemeral block.
type Resource struct {
	Block      *Block
	Mode       addrs.Mode
	Type, Name string

	Count, ForEach Expression
	Provider       ProviderRef
	DependsOn      Expression
	Lifecycle      *Lifecycle // nil if there is none
	Connection     *Block     // nil if there is none
	Provisioners   []*Provisioner
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
		if b.spec.lookup(n.Type).block == nil {
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

// Address returns the resource's address inside its module. It is the zero
// Resource if the type or the name is not valid.
func (r *Resource) Address() addrs.Resource {
	a, err := addrs.NewResource(r.Mode, r.Type, r.Name)
	if err != nil {
		return addrs.Resource{}
	}
	return a
}

// ProviderName returns the local name of the provider that the resource
// belongs to: the one it names, or the first word of its type.
func (r *Resource) ProviderName() string {
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

// Config returns the arguments and blocks that belong to the provider.
func (r *Resource) Config() *Body { return mergedOwn(r.Block, r.OverriddenBy) }

// A Lifecycle is the lifecycle block of a resource.
type Lifecycle struct {
	Block               *Block
	CreateBeforeDestroy Flag
	// PreventDestroy may be any expression in OpenTofu 1.12, in native syntax.
	PreventDestroy     Expression
	Destroy            Flag
	Enabled            Expression
	IgnoreChanges      Expression
	ReplaceTriggeredBy Expression
	Preconditions      []*CheckRule
	Postconditions     []*CheckRule
	ActionTriggers     []*ActionTrigger // Terraform only
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

// Ignored returns the attributes that ignore_changes names, as they are
// written without spaces, and whether it is the keyword all instead.
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

// An ActionTrigger is an action_trigger block of Terraform.
type ActionTrigger struct {
	Block           *Block
	Events, Actions Expression
	Condition       Expression
	OnFailure       Expression
}

// A Provisioner is a provisioner block.
type Provisioner struct {
	Block      *Block
	Type       string
	When       string // "create", "destroy", or "" for create
	OnFailure  string // "continue", "fail", or "" for fail
	Connection *Block // nil if there is none
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
	out := base.Body.Own()
	for _, o := range overrides {
		out.override(o.Body.Own())
	}
	return out
}

func (b *Body) override(by *Body) {
	gone := map[string]bool{}
	for i := range by.Blocks {
		gone[by.Blocks[i].blockType()] = true
	}
	by.Arguments = slices.DeleteFunc(by.Arguments, func(a Argument) bool { return b.replacesNothing(&a) })
	for i := range by.Arguments {
		gone[by.Arguments[i].Name] = true
	}
	b.Blocks = slices.DeleteFunc(b.Blocks, func(n Block) bool { return gone[n.blockType()] })
	b.Arguments = slices.DeleteFunc(b.Arguments, func(a Argument) bool { return gone[a.Name] })
	b.Blocks = append(b.Blocks, by.Blocks...)
	b.Arguments = append(b.Arguments, by.Arguments...)
	b.from = append(b.from, by.from...)
}

// replacesNothing reports whether a property of an overriding JSON body stands
// for no block at all, where b has blocks of that name: none of them goes.
func (b *Body) replacesNothing(a *Argument) bool {
	if !a.Undecided {
		return false
	}
	if elements, ok := a.Elements(); !a.IsNull() && (!ok || len(elements) > 0) {
		return false
	}
	return slices.ContainsFunc(b.Blocks, func(n Block) bool { return n.blockType() == a.Name })
}

// blockType returns the type of the block, or of the blocks that a dynamic
// block makes.
func (b *Block) blockType() string {
	if b.spec == dynamicSpec {
		return b.label(0)
	}
	return b.Type
}
