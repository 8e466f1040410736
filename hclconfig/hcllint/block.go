// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/zclconf/go-cty/cty"
)

// A Block is a block for analyzers: it is the same in both syntaxes, has override files
// applied, and has the values at its place.
type Block struct {
	// Block is the block in the file. Override files may replace its arguments;
	// see Argument.
	*hclconfig.Block
	// Values are the values at the block.
	Values
	// Key is the key of the instance that the block represents: see [Block.Instances].
	Key addrs.InstanceKey

	pass      *Pass
	overrides []*hclconfig.Block // the last one wins
}

// Argument returns the argument of that name, from an override file if one sets it, or nil.
func (b Block) Argument(name string) *hclconfig.Argument {
	for _, o := range slices.Backward(b.overrides) {
		if a := o.Argument(name); a != nil {
			return a
		}
	}
	if b.Block == nil {
		return nil
	}
	return b.Block.Argument(name)
}

// Expression returns the value of the argument of that name, or the zero Expression.
func (b Block) Expression(name string) hclconfig.Expression {
	if a := b.Argument(name); a != nil {
		return a.Expression
	}
	return hclconfig.Expression{}
}

// maxInstances is how many instances and elements of dynamic blocks are told apart.
const maxInstances = 1000

// Nested returns the blocks of a type in the block, in the order of the text, and reports
// whether these are all. A dynamic block with a known collection is replaced by one block
// per element. If the collection is unknown, or has more than 1,000 elements, the result
// has one block in which the iterator is unknown, and there may be more, or none.
func (b Block) Nested(typ string) (blocks []Block, complete bool) {
	from := b.Block
	for _, o := range slices.Backward(b.overrides) {
		if len(o.Body.Nested(typ, 0)) > 0 {
			from = o
			break
		}
	}
	if from == nil {
		return nil, true
	}
	complete = true
	for _, n := range from.Body.Nested(typ, 0) {
		if n.Type != "dynamic" || typ == "dynamic" {
			blocks = append(blocks, Block{Block: n, Values: b.Values, pass: b.pass})
			continue
		}
		more, all := b.expand(n)
		blocks, complete = append(blocks, more...), complete && all
	}
	return blocks, complete
}

// expand returns the blocks that a dynamic block stands for.
func (b Block) expand(dynamic *hclconfig.Block) (blocks []Block, complete bool) {
	d := Block{Block: dynamic, Values: b.Values, pass: b.pass}
	iterator := hcleval.Iterator(dynamic)
	elements, known := d.elements(d.Expression("for_each"))
	for _, content := range dynamic.Body.Nested("content", 0) {
		for _, e := range elements {
			n := Block{Block: content, Values: b.Values, pass: b.pass}
			n.Values = n.with(iterator, e.Object())
			blocks = append(blocks, n)
		}
	}
	return blocks, known
}

// with returns the values in a place where one more name has a value.
func (v Values) with(name string, value cty.Value) Values {
	names := make(map[string]cty.Value, len(v.names)+1)
	for k, old := range v.names {
		names[k] = old
	}
	names[name] = value
	v.names = names
	return v
}

// elements returns those of a collection, or one that is unknown.
func (v Values) elements(x hclconfig.Expression) (list []hcleval.Element, complete bool) {
	value := v.value(x)
	if value.IsNull() {
		return nil, true
	}
	if !value.IsKnown() || !value.CanIterateElements() || value.LengthInt() > maxInstances {
		return []hcleval.Element{{Key: cty.DynamicVal, Value: cty.DynamicVal}}, false
	}
	return hcleval.Elements(value)
}

// Instances returns the block once for each of its instances, with the values of each or count
// in it, and reports whether these are all. There are none if lifecycle has enabled = false. If the
// keys are unknown, or there are more than 1,000, one block represents all of them, in which each
// and count are unknown.
func (b Block) Instances() (instances []Block, complete bool) {
	switch {
	case b.Block == nil:
		return nil, true
	case b.Expression("count").IsSet():
		if n := hcleval.Counted(b.value(b.Expression("count"))); n.Known && n.Len() <= maxInstances {
			for i := range n.Len() {
				one := b
				one.Key = addrs.IntKey(i)
				one.Values = b.with("count", cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(i)}))
				instances = append(instances, one)
			}
			return instances, true
		}
		b.Values = b.with("count", cty.ObjectVal(map[string]cty.Value{"index": cty.UnknownVal(cty.Number)}))
		return []Block{b}, false
	case b.Expression("for_each").IsSet():
		elements, known := b.elements(b.Expression("for_each"))
		for _, e := range elements {
			one := b
			if e.Key.IsKnown() && !e.Key.IsNull() && e.Key.Type() == cty.String {
				one.Key = addrs.StringKey(e.Key.AsString())
			}
			one.Values = b.with("each", e.Object())
			instances = append(instances, one)
		}
		return instances, known
	}
	if l, _ := b.Nested("lifecycle"); len(l) == 1 {
		if x := l[0].Expression("enabled"); x.IsSet() {
			switch {
			case b.Is(x, false):
				return nil, true
			case !b.Is(x, true):
				return []Block{b}, false
			}
		}
	}
	return []Block{b}, true
}
