// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// A Moved is a moved block.
type Moved struct {
	Block    *Block
	From, To Expression
}

// An Import is an import block.
type Import struct {
	Block    *Block
	To       Expression
	ID       Expression
	Identity Expression
	ForEach  Expression
	Provider ProviderRef
}

func newImport(b *Block) *Import {
	return &Import{
		Block: b, To: b.expr("to"), ID: b.expr("id"), Identity: b.expr("identity"), ForEach: b.expr("for_each"),
		Provider: newProviderRef(b.expr("provider")),
	}
}

// A Removed is a removed block.
type Removed struct {
	Block *Block
	From  Expression
	// Destroy is false if absent in OpenTofu, and true if absent in Terraform.
	Destroy      Flag
	Provisioners []*Provisioner
}

func newRemoved(b *Block) *Removed {
	r := &Removed{Block: b, From: b.expr("from"), Destroy: b.Block("lifecycle").flagArg("destroy")}
	for p := range b.Body.BlocksOfType("provisioner") {
		r.Provisioners = append(r.Provisioners, newProvisioner(p))
	}
	return r
}

// A Check is a check block.
type Check struct {
	Block   *Block
	Name    string
	Data    *Resource // nil if there is none
	Asserts []*CheckRule
}

func newCheck(b *Block) *Check {
	c := &Check{Block: b, Name: b.label(0), Asserts: b.rules("assert")}
	if d := b.Block("data"); d != nil {
		c.Data = newResource(d)
	}
	return c
}

// An Action is an action block of Terraform.
type Action struct {
	Block          *Block
	Type, Name     string
	Count, ForEach Expression
	Provider       ProviderRef
	Config         *Block // nil if there is none
}

func newAction(b *Block) *Action {
	return &Action{
		Block: b, Type: b.label(0), Name: b.label(1), Count: b.expr("count"), ForEach: b.expr("for_each"),
		Provider: newProviderRef(b.expr("provider")), Config: b.Block("config"),
	}
}

// A QueryList is a list block of one of Terraform's query files.
type QueryList struct {
	Block           *Block
	Type, Name      string
	Provider        ProviderRef
	Count, ForEach  Expression
	IncludeResource Expression
	Limit           Expression
	Config          *Block // nil if there is none
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
		return "", &Error{Offset: -1, Err: fmt.Errorf("%w: there is no expression", ErrKind)}
	}
	x, err := e.nativeForm()
	if err != nil {
		return "", err
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		return "", e.file.faultf(int(e.at.start), ErrKind, "a reference is required, such as aws_instance.example[0]")
	}
	return traversalText(t), nil
}

// relativePath returns an element of ignore_changes in the normal spelling.
func (e Expression) relativePath() (string, error) {
	x, err := e.nativeForm()
	if err != nil {
		return "", err
	}
	t, diags := hcl.RelTraversalForExpr(x)
	if diags.HasErrors() {
		return "", e.file.faultf(int(e.at.start), ErrKind, "the name of an attribute is required")
	}
	if len(t) == 0 {
		return "", nil
	}
	// A relative traversal begins with an attribute, which is spelled as
	// the root of an absolute one.
	if a, ok := t[0].(hcl.TraverseAttr); ok {
		t = append(hcl.Traversal{hcl.TraverseRoot{Name: a.Name}}, t[1:]...)
	}
	return traversalText(t), nil
}
