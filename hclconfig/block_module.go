// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
)

// A ModuleCall is a module block.
type ModuleCall struct {
	Block *Block
	Name  string
	// Source and Version are constants in most configurations. In OpenTofu
	// they may use variables and local values; Value is empty then.
	Source, Version Text
	Count, ForEach  Expression
	Enabled         Expression // lifecycle.enabled
	Providers       Expression
	DependsOn       Expression
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

// Inputs returns the arguments that set the module's variables.
func (c *ModuleCall) Inputs() *Body { return mergedOwn(c.Block, c.OverriddenBy) }

// IsLocal reports whether the source is a path, relative to the module that
// calls.
func (c *ModuleCall) IsLocal() bool {
	s := c.Source.Value
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, `.\`) || strings.HasPrefix(s, `..\`)
}

// LocalDir returns the folder of the called module, where the calling one is
// in dir. It is only meaningful if IsLocal.
func (c *ModuleCall) LocalDir(dir string) string {
	return path.Join(dir, strings.ReplaceAll(c.Source.Value, `\`, "/"))
}

// SourceAddress returns the source as an address. It is an error if the source
// is no constant.
func (c *ModuleCall) SourceAddress() (addrs.ModuleSource, error) {
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
		return s, c.Block.file.fault(int(at.start), err)
	}
	return s, nil
}

// Constraints returns the constraints on the module's version.
func (c *ModuleCall) Constraints() (addrs.Constraints, error) { return c.Version.constraints() }

// A ProviderMapping is one entry of the providers argument of a module call.
type ProviderMapping struct {
	Inner ProviderRef // the name inside the called module
	Outer ProviderRef // the configuration of the calling module
}

// ProviderMappings returns the entries of the providers argument, in order.
func (c *ModuleCall) ProviderMappings() []ProviderMapping {
	members, _ := c.Providers.Members()
	out := make([]ProviderMapping, 0, len(members))
	for _, m := range members {
		out = append(out, ProviderMapping{Inner: newProviderRef(m.Key), Outer: newProviderRef(m.Value)})
	}
	return out
}

// A ProviderRef names a provider configuration.
type ProviderRef struct {
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
	switch x := x.(type) {
	case *hclsyntax.ObjectConsKeyExpr:
		p.setNames(x.Wrapped)
	case *hclsyntax.IndexExpr:
		p.setNames(x.Collection)
		p.Key = sourceText(src, x.Key.Range())
	case *hclsyntax.TemplateExpr:
		// The legacy quoted form.
		if v, diags := x.Value(nil); !diags.HasErrors() && x.IsStringLiteral() {
			if t, diags := hclsyntax.ParseTraversalAbs([]byte(v.AsString()), e.file.name, hcl.InitialPos); !diags.HasErrors() {
				p.setTraversal(t, nil)
			}
		}
	default:
		p.setNames(x)
	}
	return p
}

func (p *ProviderRef) setNames(x hclsyntax.Expression) {
	if t, diags := hcl.AbsTraversalForExpr(x); !diags.HasErrors() {
		p.setTraversal(t, x)
	}
}

func (p *ProviderRef) setTraversal(t hcl.Traversal, _ hclsyntax.Expression) {
	p.Name = t.RootName()
	if len(t) > 1 {
		if a, ok := t[1].(hcl.TraverseAttr); ok {
			p.Alias = a.Name
		}
	}
	if len(t) > 2 {
		if i, ok := t[2].(hcl.TraverseIndex); ok {
			p.Key = strings.TrimSuffix(strings.TrimPrefix(traversalText(hcl.Traversal{hcl.TraverseRoot{}, i}), "["), "]")
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
