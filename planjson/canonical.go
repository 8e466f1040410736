// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Release is a release of OpenTofu or Terraform, for [CanonicalFor]. The zero
// Release is the newest OpenTofu that is known here.
type Release struct {
	Tool    addrs.Tool    // "" is OpenTofu
	Version addrs.Version // the zero Version is the newest that is known here
}

// Canonical returns the JSON text of doc as the tool that wrote it prints such
// a document: members in its order, values compact with sorted names and numbers
// in plain decimal, HTML characters escaped, one line (or indented by two
// spaces, where the tools do that) and a final line feed. Extra members come
// last in their objects.
//
// The canonical form of a document that a tool has printed is its text. A
// member that the text lacks is not added: older releases did not write it. The
// tool is recognized by members that only one of the tools writes, by the order
// of members in the text, and last by the registry's host in the addresses of
// providers. A document made by the caller is written as the newest OpenTofu
// does; [CanonicalFor] takes another release.
func Canonical[D Document](doc D) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	return canonical(doc, wireForm(releaseOf(doc), false))
}

// CanonicalFor is like [Canonical], but writes the form of the given release.
// Members that the release always writes are added. Members that the release does
// not know are kept: the caller decides on the content of a document.
func CanonicalFor[D Document](doc D, release Release) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	return canonical(doc, wireForm(release, true))
}

func canonical[D Document](doc D, form wire.Form) ([]byte, error) {
	var e wire.Encoder
	e.SetForm(form)
	text, err := e.Canonical(nil, doc.wire(), doc)
	if err != nil {
		return nil, wireError(err)
	}
	return finish(doc, text, wire.None), nil
}

func wireForm(r Release, asked bool) wire.Form {
	f := wire.Form{Terraform: r.Tool == addrs.Terraform, Asked: asked}
	if r.Version.IsValid() {
		f.Version = minorVersion(r.Version)
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

// releaseOf returns which release has written a document, as far as it can be told.
func releaseOf(doc any) Release {
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
	default:
		kind, _ := kindOf(doc)
		c.terraform(kind.row().terraform)
	}
	return c.release()
}

// clues gather the signs of the tool that wrote a document.
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

func (c *clues) release() Release {
	r := Release{Tool: addrs.OpenTofu}
	if c.known && c.isTerraform || !c.known && c.terraformHosts > c.opentofuHosts {
		r.Tool = addrs.Terraform
	}
	r.Version, _ = addrs.ParseVersion(c.version)
	return r
}
