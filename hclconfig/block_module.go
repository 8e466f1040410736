// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

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
	// Count and ForEach are what makes several instances of the module; at
	// most one of them is there.
	Count, ForEach Expression
	// Enabled is the argument enabled of the nested lifecycle block: whether
	// there is an instance. OpenTofu has it since 1.11, Terraform has not.
	Enabled Expression
	// Providers says which provider configurations the module gets:
	// [ModuleCall.ProviderMappings] reads it. If absent, it gets the default
	// ones of its caller.
	Providers Expression
	// DependsOn is a list of references to what must be done before the module.
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
func (c *ModuleCall) Inputs() *Body { return mergedOwn(c.Block, c.OverriddenBy) }

// IsLocal reports whether the source is a path, relative to the module that
// calls.
func (c *ModuleCall) IsLocal() bool {
	s := c.Source.Value
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, `.\`) || strings.HasPrefix(s, `..\`)
}

// LocalDir returns the directory of the called module, where the calling one is
// in dir. It is made of slashes, and may lead out of dir with "..". It is only
// meaningful if IsLocal.
func (c *ModuleCall) LocalDir(dir string) string {
	return path.Join(dir, strings.ReplaceAll(c.Source.Value, `\`, "/"))
}

// SourceAddr returns the source as an address. With a version it must be one
// of a registry. The error is an [*Error] at the source's place, which wraps the
// *addrs.Error; a source that is absent or no constant is an error too.
func (c *ModuleCall) SourceAddr() (addrs.ModuleSource, error) {
	parse := addrs.ParseModuleSource
	if c.Version.IsSet() {
		parse = addrs.ParseModuleRegistrySource
	}
	s, err := parse(c.Source.Value)
	if err != nil {
		at := c.Block.defAt()
		if c.Source.IsSet() {
			at = c.Source.Argument.at
		}
		return s, c.Block.file.fault(int(at.Start), err)
	}
	return s, nil
}

// Constraints returns the constraints on the module's version. Without a
// version they are the zero Constraints, which allow every release. The error is
// an [*Error] that wraps the *addrs.Error. A version of more than three numbers
// is such an error, though OpenTofu can compare with one here.
func (c *ModuleCall) Constraints() (addrs.Constraints, error) {
	return c.Version.constraints(looseConstraints)
}

// A ProviderMapping is one entry of the providers argument of a module call.
type ProviderMapping struct {
	Inner ProviderRef // the key: the name inside the called module
	Outer ProviderRef // the value: the configuration of the calling module
}

// ProviderMappings returns the entries of the providers argument, in order. It
// is empty if the argument is absent, or is not written as an object.
func (c *ModuleCall) ProviderMappings() []ProviderMapping {
	members, _ := c.Providers.Members()
	out := make([]ProviderMapping, 0, len(members))
	for _, m := range members {
		out = append(out, ProviderMapping{Inner: newProviderRef(m.Key), Outer: newProviderRef(m.Value)})
	}
	return out
}

// A ProviderRef names a provider configuration, as the argument provider of a
// resource does. Its parts are taken as far as they can be understood, also in
// quotes, the old form; [File.Validate] reports those that are wrong.
type ProviderRef struct {
	// Expression is the reference as it is written. It is not set if there is
	// none: the default configuration is used then.
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
			p.Key = strings.TrimSuffix(strings.TrimPrefix(hcllex.TraversalText(hcl.Traversal{hcl.TraverseRoot{}, i}), "["), "]")
		}
	}
}

// source returns the text that the ranges of e's native form count in.
func (e Expression) source() []byte {
	if e.native != nil {
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
