// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/zclconf/go-cty/cty"
)

// within returns the setting inside of a dynamic block.
func (at *setting) within(dynamic *hclconfig.Block) *setting {
	inner := *at
	name := hclsource.Label(dynamic, 0)
	if word := hclsource.Expr(dynamic, "iterator").Keyword(); word != "" {
		name = word
	}
	inner.iterators = append(slices.Clone(at.iterators), name)
	return &inner
}

// maxMade is how many of the blocks are looked at that a dynamic block makes, and those
// around it.
const maxMade = 100

// expand returns the settings inside of the blocks that a dynamic block makes: one for
// each element of its for_each, or one for all if that is not known. It also returns how
// many more blocks there are, which are not looked at.
func (at *setting) expand(dynamic *hclconfig.Block) ([]*setting, int, hclconfig.Diagnostics) {
	made, others, out := at.making(dynamic)
	for _, inner := range made {
		inner.static = at.static
	}
	return made, others, out
}

func (at *setting) making(dynamic *hclconfig.Block) ([]*setting, int, hclconfig.Diagnostics) {
	e := hclsource.Expr(dynamic, "for_each")
	whole := *at
	whole.static = false
	at = &whole
	v, out := at.evaluate(e, false) // unknown if it is wrong
	inner := at.within(dynamic)
	v, _ = v.UnmarkDeep()
	fail := func(format string, args ...any) ([]*setting, int, hclconfig.Diagnostics) {
		return nil, 0, append(out, hclsource.ErrorAt(e.Range(), "Invalid dynamic for_each value", format, args...))
	}
	switch {
	case v.IsKnown() && v.IsNull():
		return fail("Cannot use a null value in for_each.")
	case v.Type() != cty.DynamicPseudoType && !v.Type().IsCollectionType() && !v.Type().IsObjectType() && !v.Type().IsTupleType():
		return fail("Cannot use a %s value in for_each. An iterable collection is required.", v.Type().FriendlyName())
	case !v.IsKnown() || at.structure:
		faults := inner.labels(dynamic)
		if faults.HasErrors() {
			return nil, 0, append(out, faults...)
		}
		inner.structure = true
		return []*setting{inner}, 0, out
	}
	var made []*setting
	name := inner.iterators[len(inner.iterators)-1]
	limit := max(maxMade/max(at.others, 1), 1)
	inner.others = max(at.others, 1) * min(v.LengthInt(), limit)
	seen := 0
	for it := v.ElementIterator(); len(made) < limit && it.Next(); seen++ {
		key, value := it.Element()
		if v.Type().IsSetType() {
			key = value
		}
		one := *inner
		one.each = maps.Clone(at.each)
		if one.each == nil {
			one.each = map[string]cty.Value{}
		}
		one.each[name] = cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})
		faults := one.labels(dynamic)
		if out = append(out, faults...); !faults.HasErrors() {
			made = append(made, &one)
		}
	}
	return made, v.LengthInt() - seen, out
}

// labels checks the labels of a block that a dynamic block makes.
func (at *setting) labels(dynamic *hclconfig.Block) hclconfig.Diagnostics {
	e := hclsource.Expr(dynamic, "labels")
	elements, ok := e.Elements()
	if !e.IsSet() || !ok {
		return nil
	}
	var out hclconfig.Diagnostics
	for _, x := range elements {
		v, diags := at.evaluate(x, false)
		if out = append(out, diags...); diags.HasErrors() {
			continue
		}
		text, err := hcleval.TextOf(v)
		if at.label = text; err != nil || v.IsMarked() {
			out = append(out, hclsource.ErrorAt(x.Range(), "Invalid dynamic block label", "The labels of a dynamic block must be texts that are known."))
		}
	}
	return out
}
