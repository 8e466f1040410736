// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Resource is a resource, data or ephemeral block. Its fields are what the
// language defines; [Resource.Config] has what the provider's schema does.
type Resource struct {
	// Block is the block. Its Body has everything, in the order of the text.
	Block *Block
	// Mode says which of the three it is: addrs.Managed for a resource block.
	Mode addrs.Mode
	// Type and Name are the labels: the resource type, and the name.
	Type, Name string

	// Count and ForEach are what makes several instances of the resource; at
	// most one of them is there, and with neither there is one instance.
	Count, ForEach Expression
	// Provider is the provider configuration. If absent, it is the default one
	// of the provider that the type names: see [Resource.ProviderName].
	Provider ProviderRef
	// DependsOn is a list of references to what must be done before.
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

// Config returns the arguments and blocks that belong to the provider's schema,
// merged with those of override files. In JSON syntax [Body.Content] tells the
// arguments from the blocks.
func (r *Resource) Config() *Body { return mergedOwn(r.Block, r.OverriddenBy) }

// A Lifecycle is the lifecycle block of a resource. In data and ephemeral
// blocks it has Enabled, Preconditions and Postconditions only.
type Lifecycle struct {
	// Block is the block. If only an override file has one, it is that.
	Block *Block
	// CreateBeforeDestroy says whether a replacement is created before the old
	// object is destroyed. It is false if absent, unless a resource that depends
	// on this one has it.
	CreateBeforeDestroy Flag
	// PreventDestroy says whether a plan that destroys the object is an error.
	// It is a constant boolean; since OpenTofu 1.12, in native syntax, it may
	// be any expression.
	PreventDestroy Expression
	// Destroy says whether the object is destroyed when the resource goes, and
	// not only forgotten (since OpenTofu 1.12). If absent, it is destroyed.
	Destroy Flag
	// Enabled says whether the resource has its one instance (since OpenTofu
	// 1.11). It excludes count and for_each.
	Enabled Expression
	// IgnoreChanges are the attributes whose changes in the configuration do
	// not count, or the keyword all: see [Lifecycle.Ignored].
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

// Ignored returns the attributes that ignore_changes names, such as
// tags["Name"], in the normal spelling, and whether it is the keyword all
// instead. What cannot be understood is left out; [File.Validate] reports it. A nil
// Lifecycle ignores nothing.
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
// are done when something happens to the resource.
type ActionTrigger struct {
	Block *Block // the block as it is written
	// Events is a list of keywords that say when, such as after_create, and
	// Actions a list of references to action blocks, in their order.
	Events, Actions Expression
	// Condition says whether they are done. If absent, they are.
	Condition Expression
	// OnFailure is a keyword that says what follows if an action fails (since
	// Terraform 1.15).
	OnFailure Expression
}

// A Provisioner is a provisioner block: something to run when an object was
// created or before it is destroyed.
type Provisioner struct {
	// Block is the block. Block.Body.Own has the arguments that belong to the
	// provisioner's schema.
	Block     *Block
	Type      string // the label, such as "local-exec"
	When      string // "create", "destroy", or "" if absent, which means create
	OnFailure string // "continue", "fail", or "" if absent, which means fail
	// Connection is the nested connection block, or nil if there is none: that
	// of the resource, if there is one, is used then.
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
	if b.spec == hcllang.Dynamic {
		return b.label(0)
	}
	return b.Type
}
