// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Tool is a release of OpenTofu or Terraform, for [CanonicalFor]. The zero
// Tool is the newest OpenTofu that is known here.
type Tool struct {
	// Terraform means Terraform and not OpenTofu.
	Terraform bool

	// Version is the version. The zero Version is the newest that is known here.
	Version addrs.Version
}

// Canonical returns the JSON text of doc as the tool that wrote it prints such
// a document: members in its order, values compact with sorted names and numbers
// in plain decimal, HTML characters escaped, one line (or indented by two
// spaces, where the tools do that) and a final line feed. Extra members come
// last in their objects.
//
// The canonical form of a document that a tool has printed is its text. A
// member that the text lacks is not added: older releases did not write it.
// Which tool it was is told by members that only one of the tools writes, by
// the order of members in the text, and last by the registry's host in the
// addresses of providers. A document made by the caller is written as the
// newest OpenTofu does; [CanonicalFor] takes another tool.
func Canonical[D Document](doc D) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	return canonical(doc, wireForm(toolOf(doc), false))
}

// CanonicalFor is like [Canonical] for the form of a tool that the caller names.
// The members that the tool always writes are added. Members that it does not
// know are kept: what a document says is the caller's choice, not the tool's.
func CanonicalFor[D Document](doc D, tool Tool) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	return canonical(doc, wireForm(tool, true))
}

func canonical[D Document](doc D, form wire.Form) ([]byte, error) {
	var x wire.Codec
	x.SetForm(form)
	text, err := wire.Canonical(&x, nil, &doc, wireDocument[D])
	if err != nil {
		return nil, wireError(err)
	}
	return finish(doc, text, wire.None), nil
}

func wireForm(t Tool, asked bool) wire.Form {
	f := wire.Form{Terraform: t.Terraform, Asked: asked}
	if t.Version.IsValid() {
		f.Version = minorVersion(t.Version)
	}
	return f
}

// minorVersion returns a version as [wire.Form] has it.
func minorVersion(v addrs.Version) int {
	major, minor, _, ok := v.Numbers()
	if !ok {
		return 0 // above all that there will be
	}
	return int(min(major, 1000)*1000 + min(minor, 999))
}

// toolOf returns which tool has written a document, as far as it can be told.
func toolOf(doc any) Tool {
	var c clues
	switch doc := doc.(type) {
	case *Plan:
		c.version = doc.TerraformVersion
		c.terraform(doc.Applyable != nil || doc.Complete != nil || len(doc.DeferredChanges)+len(doc.ActionInvocations) > 0)
		c.values(&doc.PlannedValues)
		if doc.PriorState != nil {
			c.values(doc.PriorState.Values)
		}
		for _, rc := range doc.ResourceChanges {
			if rc != nil {
				c.provider(rc.ProviderName)
			}
		}
	case *State:
		c.version = doc.TerraformVersion
		c.values(doc.Values)
	case *Schemas:
		c.schemas(doc.ProviderSchemas)
	case *Version:
		c.version = doc.TerraformVersion
		c.terraform(doc.TerraformOutdated != nil)
	case *Modules, *StateShow, *Workspaces, *RendererPlan, *RendererState:
		c.terraform(true)
	}
	return c.tool()
}

// clues gather what tells which tool has written a document.
type clues struct {
	version                       string
	known, isTerraform            bool
	opentofuHosts, terraformHosts int // addresses with the host of a registry
}

// terraform notes something that only Terraform writes.
func (c *clues) terraform(yes bool) {
	if yes {
		c.known, c.isTerraform = true, true
	}
}

// order notes the order of members in the text of an object.
func (c *clues) order(src *wire.Source, t *wire.Table) {
	if c.known {
		return
	}
	c.isTerraform, c.known = src.TerraformOrder(t)
}

func (c *clues) provider(address string) {
	switch host, _, _ := strings.Cut(address, "/"); host {
	case "registry.opentofu.org":
		c.opentofuHosts++
	case "registry.terraform.io":
		c.terraformHosts++
	}
}

func (c *clues) values(v *Values) {
	for r := range v.AllResources() {
		if r.Identity != nil {
			c.order(&r.src, resourceTable)
		}
		c.provider(r.ProviderName)
	}
}

func (c *clues) schemas(providers map[string]*ProviderSchema) {
	for address, p := range providers {
		c.provider(address)
		if p == nil {
			continue
		}
		for _, f := range p.Functions {
			if f == nil {
				continue
			}
			for _, param := range append(f.Parameters[:len(f.Parameters):len(f.Parameters)], f.VariadicParameter) {
				if param != nil && param.IsNullable {
					c.order(&param.src, providerFunctionParameterTable)
				}
			}
		}
	}
}

func (c *clues) tool() Tool {
	t := Tool{Terraform: c.isTerraform}
	if !c.known {
		t.Terraform = c.terraformHosts > c.opentofuHosts
	}
	t.Version, _ = addrs.ParseVersion(c.version)
	return t
}
