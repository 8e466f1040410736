// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"maps"
	"math/big"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// MaxInstances is how many instances of an object are told apart.
const MaxInstances = 1000

// Instances has the keys of the instances of an object, as far as the configuration
// alone says them.
type Instances struct {
	Known bool
	// Repeated reports that the instances have keys: numbers below a count, or those of
	// each.
	Repeated bool

	count int64
	each  map[string]bool
}

// Single returns the instances of an object that is not repeated.
func Single(exists bool) *Instances {
	i := &Instances{Known: true}
	if exists {
		i.count = 1
	}
	return i
}

// Counted returns the instances for a value of count, which has no marks.
func Counted(count cty.Value) *Instances {
	i := &Instances{Repeated: true}
	v, err := convert.Convert(count, cty.Number)
	if err != nil || !v.IsKnown() || v.IsNull() {
		return i
	}
	n, accuracy := v.AsBigFloat().Int64()
	if accuracy != big.Exact || n < 0 {
		return i
	}
	i.Known, i.count = true, n
	return i
}

// Each returns the instances for a value of for_each, which has no marks.
func Each(v cty.Value) *Instances {
	i := &Instances{Repeated: true, each: map[string]bool{}}
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() || v.Type().IsSetType() && !v.IsWhollyKnown() {
		return i
	}
	for it := v.ElementIterator(); it.Next(); {
		k, _ := it.Element()
		if k.Type() != cty.String || k.IsNull() {
			return i
		}
		i.each[k.AsString()] = true
	}
	i.Known = true
	return i
}

// Len returns how many instances there are.
func (i *Instances) Len() int64 {
	if i.each != nil {
		return int64(len(i.each))
	}
	return i.count
}

// Has reports whether there is an instance with a key.
func (i *Instances) Has(key addrs.InstanceKey) bool {
	if !i.Repeated {
		return key.IsNone() && i.count > 0
	}
	if n, ok := key.Int(); ok && i.each == nil {
		return n >= 0 && n < i.count
	}
	text, ok := key.Str()
	return ok && i.each[text]
}

// Keys returns the keys of the instances in their order, of many the first MaxInstances.
func (i *Instances) Keys() []addrs.InstanceKey {
	var out []addrs.InstanceKey
	switch {
	case i.each != nil:
		keys := slices.Sorted(maps.Keys(i.each))
		for _, k := range keys[:min(len(keys), MaxInstances)] {
			out = append(out, addrs.StringKey(k))
		}
	case i.Repeated:
		for n := range min(i.count, MaxInstances) {
			out = append(out, addrs.IntKey(n))
		}
	case i.count > 0:
		out = append(out, addrs.NoKey)
	}
	return out
}

// Value returns the value of all instances of an object from that of one of them, or
// cty.NilVal if the instances are not known.
func (i *Instances) Value(one cty.Value) cty.Value {
	if !i.Known || !i.Repeated || i.Len() > MaxInstances {
		return cty.NilVal
	}
	if i.each != nil {
		all := make(map[string]cty.Value, len(i.each))
		for k := range i.each {
			all[k] = one
		}
		return cty.ObjectVal(all)
	}
	return cty.TupleVal(slices.Repeat([]cty.Value{one}, int(i.count)))
}

// An Element is one element of a collection that a for_each goes through.
type Element struct{ Key, Value cty.Value }

// Object returns the object that each, or the iterator of a dynamic block, stands for.
func (e Element) Object() cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"key": e.Key, "value": e.Value})
}

// Elements returns the elements of a collection, and reports whether these are known to be all:
// those of a set are if it is wholly known. The elements of a set are their own keys. The marks
// of the collection are on the keys and values.
func Elements(v cty.Value) (list []Element, complete bool) {
	v, marks := v.Unmark()
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return nil, false
	}
	isSet := v.Type().IsSetType()
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		if isSet {
			key = e
		}
		list = append(list, Element{key.WithMarks(marks), e.WithMarks(marks)})
	}
	return list, !isSet || v.IsWhollyKnown()
}

// Iterator returns the name of the iterator of a dynamic block.
func Iterator(dynamic *hclconfig.Block) string {
	if a := dynamic.Argument("iterator"); a != nil && a.Keyword() != "" {
		return a.Keyword()
	}
	if len(dynamic.Labels) == 0 {
		return ""
	}
	return dynamic.Labels[0]
}
