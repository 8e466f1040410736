// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// provisionerSchema returns the schema of a provisioner, or of a connection, without the
// arguments that only other releases have. It is nil if there is none.
func (c *treeChecker) provisionerSchema(kind string) *provschema.Block {
	schema := hclschema.Provisioners()[kind]
	if schema == nil {
		return nil
	}
	out := *schema
	out.Attributes = map[string]*provschema.Attribute{}
	for name, a := range schema.Attributes {
		// See the table of package hclsource, which says the releases of each.
		if c.has(hclsource.ProvisionerArgument(name)) {
			out.Attributes[name] = a
		}
	}
	return &out
}

// provisionerPlugins reports provisioners that are no part of the programs. They look for programs of that name in some
// folders, where there have been none since the last of them was removed.
//
// OpenTofu 1.12.6, internal/tofu/context.go: Context.checkConfigDependencies.
func (c *treeChecker) provisionerPlugins() {
	for t := range c.root.All() {
		for _, r := range t.Module.Resources {
			for _, p := range r.Provisioners {
				if len(p.Block.Labels) == 1 && (hclschema.Provisioners()[p.Type] == nil || p.Type == "connection") {
					c.out = append(c.out, hclsource.ErrorAt(p.Block.LabelRange(0), "Missing required provisioner plugin", "There is no provisioner %q.", p.Type))
				}
			}
		}
	}
}

// provisioner checks a provisioner block and the connections that it uses. The plugin checks its own
// arguments after those of the schema.
//
// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateProvisioner.
func (at *setting) provisioner(r *hclconfig.Resource, p *hclconfig.Provisioner) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	at.transient = true
	body := p.Block.Body.Own()
	if schema := at.m.check.provisionerSchema(p.Type); schema != nil && p.Type != "connection" {
		out = append(out, at.bodyOf(schema, body)...)
		if _, wrong := at.bodyReferences(schema, body); !wrong.HasErrors() {
			out = append(out, at.provisionerChecks(p)...)
		}
	} else {
		out = append(out, at.body(body)...)
	}
	return append(out, at.connection(r.Connection, p.Connection)...)
}

// connection checks the connection of a resource, which is that of all its provisioners and looked at with each, with
// what that of a provisioner changes in it. Each may be nil.
func (at *setting) connection(of, own *hclconfig.Block) hclconfig.Diagnostics {
	inner := *at
	var body *hclconfig.Body
	switch {
	case of == nil && own == nil:
		return nil
	case of == nil:
		body = &own.Body
	case own == nil:
		body = &of.Body
	default:
		changes := []*hclconfig.Block{own}
		body = (&hclconfig.Resource{Block: of, OverriddenBy: changes}).Config()
		inner.merge(body, of, changes)
	}
	out := inner.bodyOf(at.m.check.provisionerSchema("connection"), body)
	if !out.HasErrors() {
		out = append(out, at.winRM(body)...)
	}
	return out
}

// deprecatesWinRM is the release that warns of connections with WinRM; the one after it has none.
var deprecatesWinRM = hcllang.Support{OpenTofu: "1.12"}

// winRM warns of connections by WinRM, if the type of a connection is known to be that.
func (at *setting) winRM(connection *hclconfig.Body) hclconfig.Diagnostics {
	a := connection.Argument("type")
	if a == nil || !at.m.check.has(deprecatesWinRM) {
		return nil
	}
	e := a.Expression
	v, _ := at.evaluate(e, false)
	v, _ = v.Unmark()
	if text, err := hcleval.TextOf(v); err != nil || text != "winrm" {
		return nil
	}
	// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateProvisioner.
	return hclconfig.Diagnostics{{Severity: hclconfig.SeverityWarning, Summary: "WinRM connection type is deprecated", Subject: e.Range(),
		Detail: "The connection type winrm is deprecated, and OpenTofu 1.13 does not have it. Windows has a server for SSH, which can be used instead."}}
}

// nonEmpty is the release whose provisioners check that some texts are not empty.
var nonEmpty = hcllang.Support{OpenTofu: "1.12"}

// provisionerChecks makes the checks of a provisioner itself: what it says has no place.
// It sees the arguments if their references are right, whatever else is wrong.
func (at *setting) provisionerChecks(p *hclconfig.Provisioner) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	fail := func(summary, detail string) {
		out = append(out, hclsource.ErrorAt(hclsource.DefRange(p.Block), summary, "%s", detail))
	}
	value := func(name string) cty.Value {
		e := hclsource.Expr(p.Block, name)
		if !e.IsSet() {
			return cty.NullVal(cty.String)
		}
		v, _ := at.evaluate(e, false)
		v, _ = v.Unmark()
		return v
	}
	given := func(names ...string) (n int) {
		for _, name := range names {
			if !value(name).IsNull() {
				n++
			}
		}
		return n
	}
	text := func(name, summary string) {
		v := value(name)
		if at.m.check.has(nonEmpty) && v.IsKnown() && (v.IsNull() || v.Type() == cty.String && v.AsString() == "") {
			fail(summary, "The "+strings.ReplaceAll(name, "_", " ")+" must be a non-empty string.")
		}
	}
	switch p.Type {
	// OpenTofu 1.12.6, internal/builtin/provisioners/local-exec/resource_provisioner.go:
	// provisioner.ValidateProvisionerConfig.
	case "local-exec":
		text("command", "Invalid local-exec provisioner command")
	case "remote-exec":
		if given("inline", "script", "scripts") != 1 {
			// OpenTofu 1.12.6, internal/builtin/provisioners/remote-exec/resource_provisioner.go: provisioner.ValidateProvisionerConfig.
			fail("Invalid remote-exec provisioner configuration", `Only one of "inline", "script", or "scripts" must be set`)
		}
	case "file":
		text("destination", "Invalid file provisioner configuration")
		switch given("source", "content") {
		case 0:
			// OpenTofu 1.12.6, internal/builtin/provisioners/file/resource_provisioner.go: provisioner.ValidateProvisionerConfig.
			fail("Must provide one of 'source' or 'content'", "")
		case 2:
			fail("Cannot set both 'source' and 'content'", "")
		}
	}
	return out
}
