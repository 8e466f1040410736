// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// A Moved is a moved block: a resource or module that has a new address.
type Moved struct {
	Block *Block // the block as it is written
	// From and To are the old and the new address, relative to the module:
	// [Expression.Address] reads them.
	From, To Expression
}

// An Import is an import block: an object that exists is to become the object
// of a resource.
type Import struct {
	Block *Block // the block as it is written
	// To is the address of the resource instance. Its keys may be expressions,
	// as in aws_instance.web[each.key]; [Expression.Address] reads it if they
	// are not.
	To Expression
	// ID and Identity say which object it is: by a string, or by an object
	// (since OpenTofu 1.12). One of them is there.
	ID, Identity Expression
	// ForEach makes one import of each element (since OpenTofu 1.7).
	ForEach Expression
	// Provider is the configuration to import with. If absent, it is the
	// resource's.
	Provider ProviderRef
}

func newImport(b *Block) *Import {
	return &Import{
		Block: b, To: b.expr("to"), ID: b.expr("id"), Identity: b.expr("identity"), ForEach: b.expr("for_each"),
		Provider: newProviderRef(b.expr("provider")),
	}
}

// A Removed is a removed block: a resource or module that is no longer in the
// configuration.
type Removed struct {
	Block *Block // the block as it is written
	// From is the address, without instance keys, relative to the module:
	// [Expression.Address] reads it.
	From Expression
	// Destroy says whether the objects are destroyed, and not only forgotten:
	// the argument destroy of the nested lifecycle block. If absent, they are
	// forgotten by OpenTofu, and destroyed by Terraform.
	Destroy Flag
	// Provisioners are run before objects are destroyed (since OpenTofu 1.10).
	Provisioners []*Provisioner
}

func newRemoved(b *Block) *Removed {
	r := &Removed{Block: b, From: b.expr("from"), Destroy: b.Block("lifecycle").flagArg("destroy")}
	for p := range b.Body.BlocksOfType("provisioner") {
		r.Provisioners = append(r.Provisioners, newProvisioner(p))
	}
	return r
}

// A Check is a check block: assertions about the infrastructure that stop
// nothing if they fail.
type Check struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Data is the data block inside, or nil if there is none. It has neither
	// Count nor ForEach nor Lifecycle.
	Data *Resource
	// Asserts are the assert blocks, of which there is at least one in a
	// valid check.
	Asserts []*CheckRule
}

func newCheck(b *Block) *Check {
	c := &Check{Block: b, Name: b.label(0), Asserts: b.rules("assert")}
	if d := b.Block("data"); d != nil {
		c.Data = newResource(d)
	}
	return c
}

// An Action is an action block of Terraform 1.14: something that a provider
// can do. OpenTofu has none.
type Action struct {
	// Block is the block; Type and Name are its labels, as in action.TYPE.NAME.
	Block      *Block
	Type, Name string
	// Count and ForEach are as in a [Resource].
	Count, ForEach Expression
	// Provider is the configuration that does it. If absent, it is the
	// default one of the provider that the type names.
	Provider ProviderRef
	// Config is the block with what belongs to the provider's schema, or nil
	// if there is none.
	Config *Block
}

func newAction(b *Block) *Action {
	return &Action{
		Block: b, Type: b.label(0), Name: b.label(1), Count: b.expr("count"), ForEach: b.expr("for_each"),
		Provider: newProviderRef(b.expr("provider")), Config: b.Block("config"),
	}
}

// A QueryList is a list block of one of Terraform's query files (since 1.14):
// a question for all objects of a resource type. OpenTofu has none.
type QueryList struct {
	// Block is the block; Type, a resource type, and Name are its labels.
	Block      *Block
	Type, Name string
	// Provider is the configuration that is asked. Terraform requires it.
	Provider ProviderRef
	// Count and ForEach are as in a [Resource].
	Count, ForEach Expression
	// IncludeResource says whether the answer has the whole objects and not
	// only their identities, and Limit how many objects it may have.
	IncludeResource, Limit Expression
	// Config is the block with what belongs to the provider's schema, or nil
	// if there is none.
	Config *Block
}

func newQueryList(b *Block) *QueryList {
	return &QueryList{
		Block: b, Type: b.label(0), Name: b.label(1), Provider: newProviderRef(b.expr("provider")),
		Count: b.expr("count"), ForEach: b.expr("for_each"), IncludeResource: b.expr("include_resource"), Limit: b.expr("limit"),
		Config: b.Block("config"),
	}
}

// Address returns the address that an expression of kind [KindReference] or
// [KindSource] names, in the normal spelling: the from and to of moved, the
// target of an override. Package addrs parses it. The error is an [*Error]; it
// wraps [ErrKind] if the expression is no address, or if a key in it is not
// constant.
func (e Expression) Address() (string, error) {
	if e.file == nil {
		return "", &Error{Err: fmt.Errorf("%w: there is no expression", ErrKind)}
	}
	x, err := e.nativeForm()
	if err != nil {
		return "", err
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		return "", e.file.faultf(int(e.at.Start), ErrKind, "a reference is required, such as aws_instance.example[0]")
	}
	return hcllex.TraversalText(t), nil
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
