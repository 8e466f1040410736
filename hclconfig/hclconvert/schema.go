// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
)

// A schemaView is the known part of the schema of a body while it is converted.
type schemaView struct {
	known  bool
	schema hclconfig.BlockSchema
	// owner is the block whose schema it is a part of.
	owner *hclconfig.Block
}

// decide returns the meaning of a name.
type decision uint8

const (
	undecided decision = iota
	isArgument
	isNestedBlock
)

func (s schemaView) decide(name string) decision {
	if !s.known {
		return undecided
	}
	if _, ok := s.schema.Attributes[name]; ok {
		return isArgument
	}
	if _, ok := s.schema.Blocks[name]; ok {
		return isNestedBlock
	}
	return undecided
}

// settles reports whether the schema decides the meaning of a name. A schema
// without a list of attributes takes all other names for attributes.
func (s schemaView) settles(name string) bool {
	return s.known && (s.schema.Attributes == nil || s.decide(name) != undecided)
}

// isAttribute reports whether blocks of that type are in truth an attribute.
func (s schemaView) isAttribute(name string) bool { return s.decide(name) == isArgument }

func (s schemaView) isBlock(name string) bool { return s.decide(name) == isNestedBlock }

// labels returns how many labels blocks of that type have.
func (s schemaView) labels(name string) int {
	if b := s.schema.Blocks[name]; s.known && b != nil && b.Nesting == "map" {
		return 1
	}
	return 0
}

// schemaSource finds the schemas of blocks.
type schemaSource interface {
	schemaOf(b *hclconfig.Block) (hclconfig.BlockSchema, bool)
}

// nested returns the view of the body of n, which is in a body that s is the
// view of.
func (s schemaView) nested(from schemaSource, n *block) schemaView {
	switch {
	case n.spec == hcllang.Dynamic && len(n.Labels) == 1:
		// The schema of the blocks that the dynamic block makes is for its
		// content.
		return s.step(n.Labels[0])
	case n.spec.Name == "content" && n.spec.Rest == hcllang.RestProvider:
		return s
	case n.spec.Name == "_":
		return s
	case n.isOpen():
		return s.step(n.Type)
	case n.Type == "config" && s.owner != nil:
		return s // of an action or a list
	case n.spec.Rest.Open():
		schema, ok := from.schemaOf(n.public)
		return schemaView{known: ok, schema: schema, owner: n.public}
	case n.Type == "action" || n.Type == "list":
		schema, ok := from.schemaOf(n.public)
		return schemaView{known: ok, schema: schema, owner: n.public}
	}
	return schemaView{owner: s.owner}
}

// step returns the view of the blocks of a type.
func (s schemaView) step(name string) schemaView {
	out := schemaView{owner: s.owner}
	if !s.known {
		return out
	}
	if b, ok := s.schema.Blocks[name]; ok {
		out.known, out.schema = true, *b
	} else if a, ok := s.schema.Attributes[name]; ok {
		out.schema, out.known = objectSchema(a.Type)
	}
	return out
}

// objectSchema returns the schema of an attribute's elements, for an attribute
// that is written as blocks.
func objectSchema(t cty.Type) (hclconfig.BlockSchema, bool) {
	if t == cty.NilType {
		return hclconfig.BlockSchema{}, false
	}
	if t.IsListType() || t.IsSetType() {
		t = t.ElementType()
	}
	if !t.IsObjectType() {
		return hclconfig.BlockSchema{}, false
	}
	out := hclconfig.BlockSchema{Attributes: map[string]hclconfig.AttributeSchema{}}
	for name, at := range t.AttributeTypes() {
		out.Attributes[name] = hclconfig.AttributeSchema{Type: at}
	}
	return out, true
}

// schemaOf returns the schema of the body of b: that of the caller, or a
// built-in one.
func (c *converter) schemaOf(b *hclconfig.Block) (hclconfig.BlockSchema, bool) {
	if c.opts.Schema != nil {
		if s := c.opts.Schema(b); s != nil {
			return *s, true
		}
	}
	return builtInSchema(b)
}

// attributes returns a schema with these attributes and no more.
func attributes(names ...string) hclconfig.BlockSchema {
	s := hclconfig.BlockSchema{Attributes: make(map[string]hclconfig.AttributeSchema, len(names))}
	for _, n := range names {
		s.Attributes[n] = hclconfig.AttributeSchema{Type: cty.DynamicPseudoType}
	}
	return s
}

// connectionArguments are those of a connection block: opentofu:
// internal/communicator/shared/shared.go.
var connectionArguments = []string{
	"type", "user", "password", "private_key", "certificate", "host", "host_key", "port", "agent", "agent_identity",
	"target_platform", "timeout", "script_path", "bastion_user", "bastion_password", "bastion_private_key", "bastion_certificate",
	"bastion_host", "bastion_host_key", "bastion_port", "proxy_scheme", "proxy_host", "proxy_port", "proxy_user_name",
	"proxy_user_password", "cacert", "use_ntlm", "insecure", "https",
}

// builtInSchema returns the schema of the parts of every OpenTofu and
// Terraform: the built-in provider, the provisioners, connections, and the
// nested blocks of backends.
func builtInSchema(b *hclconfig.Block) (hclconfig.BlockSchema, bool) {
	label := ""
	if len(b.Labels) > 0 {
		label = b.Labels[0]
	}
	switch b.Type {
	case "resource":
		if label == "terraform_data" {
			return attributes("id", "input", "output", "triggers_replace"), true
		}
	case "data":
		if label == "terraform_remote_state" {
			return attributes("backend", "config", "defaults", "outputs", "workspace"), true
		}
	case "provider":
		return hclconfig.BlockSchema{}, label == "terraform"
	case "connection":
		return attributes(connectionArguments...), true
	case "provisioner":
		switch label {
		case "local-exec":
			return attributes("command", "interpreter", "working_dir", "environment", "quiet"), true
		case "remote-exec":
			return attributes("inline", "script", "scripts"), true
		case "file":
			return attributes("source", "content", "destination"), true
		}
	case "cloud", "backend", "key_provider", "method", "state_store":
		return staticSchema(b.Type, label), true
	}
	return hclconfig.BlockSchema{}, false
}

// staticSchema returns the nested blocks of backends and of encryption.
// Unlisted names are attributes.
func staticSchema(typ, label string) hclconfig.BlockSchema {
	block := ""
	switch {
	case typ == "cloud", typ == "backend" && label == "remote":
		block = "workspaces"
	case typ == "backend" && label == "kubernetes":
		block = "exec"
	case typ == "backend" && (label == "oss" || label == "cos"):
		block = "assume_role"
	case typ == "key_provider" && label == "aws_kms":
		block = "endpoints"
	default:
		return hclconfig.BlockSchema{}
	}
	return hclconfig.BlockSchema{Blocks: map[string]*hclconfig.BlockSchema{block: {Nesting: "list"}}}
}
