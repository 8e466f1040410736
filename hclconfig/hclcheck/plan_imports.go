// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

const (
	absentTarget = "Configuration for import target does not exist"
	badTarget    = "Invalid import 'to' expression"
)

// descend returns the scope of the module at a path below s. It reports false if
// that cannot be known, because a module is not installed.
func (s *moduleScope) descend(path addrs.ModuleInstance) (*moduleScope, bool) {
	for name := range path.Steps() {
		child := s.children[name]
		if child == nil {
			_, called := s.calls[name]
			return nil, !called
		}
		s = child
	}
	return s, true
}

// target returns the address that an import is into, without the keys that are
// expressions, and the resource that is there. It reports false if that cannot be
// known.
func (s *moduleScope) target(i *hclconfig.Import) (addrs.AbsResourceInstance, *hclconfig.Resource, bool) {
	a, ok := hclsource.ImportAddress(i, s.check.dialect)
	if !ok {
		return addrs.AbsResourceInstance{}, nil, false
	}
	at, known := s.descend(a.Module())
	if at == nil {
		return a, nil, known
	}
	r := at.resources[a.Resource().String()]
	if r != nil && r.Mode != addrs.Managed {
		r = nil
	}
	return a, r, true
}

// parseTarget parses the address of an instance as the program of s does.
func (s *moduleScope) parseTarget(text string) (addrs.AbsResourceInstance, error) {
	text, _ = hclsource.WithoutWord(text, s.check.dialect)
	return addrs.ParseAbsResourceInstance(text)
}

// absentTargets reports imports into resources that the configuration does not have:
// early before anything is planned, late while it is.
func (s *moduleScope) absentTargets() (early, late hclconfig.Diagnostics) {
	tofu := s.check.dialect == hcllang.OpenTofu
	s.absent = map[*hclconfig.Import]bool{}
	for _, i := range s.m.Imports {
		a, r, known := s.target(i)
		if !known || r != nil {
			continue
		}
		s.absent[i] = true
		fail := func(list *hclconfig.Diagnostics, at addrs.Range, summary string) {
			*list = append(*list, hclsource.ErrorAt(at, summary, "The configuration for the given import %s does not exist. All target instances must have an associated configuration to be imported.", a))
		}
		switch {
		case tofu:
			fail(&early, hclsource.DefRange(i.Block), absentTarget)
		case i.ForEach.IsSet():
			fail(&late, i.To.Range(), badTarget)
		default:
			fail(&late, i.To.Range(), absentTarget)
		}
	}
	return early, late
}

// rightKey reports whether the instances of r have keys of the kind of key.
func rightKey(r *hclconfig.Resource, key addrs.InstanceKey) bool {
	_, number := key.Int()
	_, text := key.Str()
	switch {
	case r.Count.IsSet():
		return number
	case r.ForEach.IsSet():
		return text
	}
	return key.IsNone()
}

// A plannedImport is one import of an import block.
type plannedImport struct {
	*hclconfig.Import
	to addrs.AbsResourceInstance
	id cty.Value // or cty.NilVal
}

// expandImports returns the imports of the import blocks, as far as they are known.
func (s *moduleScope) expandImports() []plannedImport {
	var out []plannedImport
	for _, i := range s.m.Imports {
		one := func(at setting, each map[string]cty.Value) {
			evaluate := func(e hclconfig.Expression) (cty.Value, bool) {
				subjects, diags := at.subjects(e)
				ctx, more := at.references(subjects)
				if diags.HasErrors() || more.HasErrors() {
					return cty.NilVal, false
				}
				if each != nil {
					ctx = ctx.NewChild()
					ctx.Variables = map[string]cty.Value{"each": cty.ObjectVal(each)}
				}
				v, diags := at.valueIn(e, ctx)
				return v, !diags.HasErrors()
			}
			p := plannedImport{Import: i}
			if i.ID.IsSet() {
				if v, ok := evaluate(i.ID); ok {
					p.id = v
				}
			}
			x, ok := hclsource.NativeForm(i.To)
			if !ok {
				return
			}
			text, ok := targetText(x, func(key hclsyntax.Expression) (addrs.InstanceKey, bool) {
				e, err := hclconfig.ParseExpression(i.To.File().Filename(), []byte(keySource(i.To, key)), hclconfig.NativeSyntax, hclconfig.KindExpression)
				if err != nil {
					return addrs.NoKey, false
				}
				v, ok := evaluate(e)
				if !ok {
					return addrs.NoKey, false
				}
				k := hclsource.InstanceKey(v)
				return k, !k.IsNone()
			})
			if ok {
				p.to, _ = s.parseTarget(text)
			}
			out = append(out, p)
		}
		if !i.ForEach.IsSet() {
			one(setting{m: s}, nil)
			continue
		}
		outside := setting{m: s}
		v, diags := outside.evaluate(i.ForEach, false)
		if v, _ = v.UnmarkDeep(); diags.HasErrors() || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.LengthInt() > maxInstances {
			continue
		}
		for it := v.ElementIterator(); it.Next(); {
			key, value := it.Element()
			one(setting{m: s, rep: byEach}, map[string]cty.Value{"key": key, "value": value})
		}
	}
	return out
}

// keySource returns the text of a key in an address.
func keySource(e hclconfig.Expression, key hclsyntax.Expression) string {
	p := hclsource.PieceOf(e)
	if p.Str != nil {
		r := key.Range()
		text := hclsource.JsonText(e)
		start := min(r.Start.Byte, len(text))
		return text[start:max(start, min(r.End.Byte, len(text)))]
	}
	at := p.Span(key.Range())
	return string(p.File.Bytes()[at.Start:at.End])
}

// targetText spells an address whose keys may be expressions.
func targetText(x hclsyntax.Expression, key func(hclsyntax.Expression) (addrs.InstanceKey, bool)) (string, bool) {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return hcllex.AddressText(x.Traversal), true
	case *hclsyntax.RelativeTraversalExpr:
		text, ok := targetText(x.Source, key)
		rest := append(hcl.Traversal{hcl.TraverseRoot{}}, x.Traversal...)
		return text + hcllex.AddressText(rest), ok
	case *hclsyntax.IndexExpr:
		text, ok := targetText(x.Collection, key)
		k, known := key(x.Key)
		return text + k.String(), ok && known
	}
	return "", false
}

// plannedImports reports what the programs say of each import when the plan comes to
// it: of identifiers that are known only then, and, in OpenTofu, of a second import
// into the same instance.
func (s *moduleScope) plannedImports() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	tofu := s.check.dialect == hcllang.OpenTofu
	seen := map[addrs.AbsResourceInstance]*hclconfig.Import{}
	for _, i := range s.m.Imports {
		if tofu {
			out = append(out, s.targetKeys(i)...)
		}
	}
	for _, p := range s.expandImports() {
		fail := func(text string) {
			out = append(out, hclsource.ErrorAt(p.ID.Range(), "Invalid import id argument", "%s", text))
		}
		if p.id != cty.NilVal {
			plain, _ := p.id.UnmarkDeep()
			text, err := hcleval.TextOf(plain)
			switch {
			case tofu && langfuncs.Has(p.id, langfuncs.Sensitive):
				fail("The import ID cannot be sensitive.")
			case plain.IsKnown() && plain.IsNull():
				fail("The import ID cannot be null.")
			case !tofu && err == nil && text == "":
				fail("The import ID value evaluates to an empty string, please provide a non-empty value.")
			}
		}
		if !tofu || !p.to.IsValid() {
			continue
		}
		if first := seen[p.to]; first != nil {
			out = append(out, hclsource.ErrorAt(hclsource.DefRange(first.Block), fmt.Sprintf("Duplicate import configuration for %q", p.to),
				"An import block for the resource %q was already declared at %s. A resource can have only one import block.", p.to, hclsource.DefRange(first.Block)))
			continue
		}
		seen[p.to] = p.Import
	}
	return out
}

// targetKeys checks the references in the keys of a target.
func (s *moduleScope) targetKeys(i *hclconfig.Import) hclconfig.Diagnostics {
	at := setting{m: s}
	if i.ForEach.IsSet() {
		v, _ := at.evaluate(i.ForEach, false) // its faults are reported elsewhere
		if v, _ = v.Unmark(); v.IsKnown() && !v.IsNull() && v.CanIterateElements() && v.LengthInt() == 0 {
			return nil // there is no import
		}
		at.rep = byEach
	}
	subjects, _ := at.subjects(i.To)
	keys := slices.DeleteFunc(subjects, func(x hclsource.Subject) bool {
		return x.Kind == hclsource.ToResource || x.Kind == hclsource.ToModule || x.Kind == hclsource.ToOutput
	})
	_, diags := at.references(keys)
	return diags
}

// absentInstances reports imports into instances that their resources do not have. The
// programs have no place for it.
func (s *moduleScope) absentInstances() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, p := range s.expandImports() {
		if !p.to.IsValid() || s.absent[p.Import] {
			continue
		}
		if has, known := s.hasInstance(p.to); known && !has {
			out = append(out, hclsource.ErrorAt(p.To.Range(), absentTarget, "The configuration for the given import %s does not exist. All target instances must have an associated configuration to be imported.", p.to))
		}
	}
	return out
}

// hasInstance reports whether there is an instance at the address, and whether that
// is known.
func (s *moduleScope) hasInstance(a addrs.AbsResourceInstance) (has, known bool) {
	at, has, known := s.moduleInstance(a.Module())
	if at == nil {
		return has, known
	}
	r := at.resources[a.Resource().String()]
	if r == nil {
		return false, true
	}
	i := at.resourceInstances(r)
	return i.has(a.Key()), i.known
}

// moduleInstance returns the scope of a module instance. If it is nil, there is no such
// instance, or that is not known.
func (s *moduleScope) moduleInstance(path addrs.ModuleInstance) (at *moduleScope, has, known bool) {
	at = s
	for name, key := range path.Steps() {
		call := at.calls[name]
		if call == nil {
			return nil, false, true
		}
		i := at.callInstances(call)
		if !i.known {
			return nil, false, false
		}
		if !i.has(key) {
			return nil, false, true
		}
		if at = at.children[name]; at == nil {
			return nil, false, false
		}
	}
	return at, true, true
}
