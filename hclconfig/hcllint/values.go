// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"slices"
	"sync"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Values finds what is known about the expressions at one place of a module, without
// running anything: through local values, variables with their defaults and files of
// values, module calls, functions, conditionals and loops. All other values are unknown.
//
// A [Pass] has the Values of the module, and a [Block] those at the block. In a block with
// count or for_each, the values of count and each are unknown: [Block.Instances] returns the
// block once for each instance, with the values in it. [Block.Nested] does the same for the
// iterators of dynamic blocks. With the zero Values, everything is unknown.
type Values struct {
	evaluator *evaluator
	tree      *hclnames.Tree
	names     map[string]cty.Value
}

// An evaluator is that of a tree, with what it needs to find local values by name.
type evaluator struct {
	*hclnames.Evaluator
	given  bool // variables have values that are not of the files of the module
	mu     sync.Mutex
	locals map[*hclconfig.Module]map[string]*hclconfig.Local
}

func newEvaluator(variables map[string]cty.Value) *evaluator {
	e := hclnames.NewEvaluator(variables)
	e.Instances = true
	return &evaluator{Evaluator: e, locals: map[*hclconfig.Module]map[string]*hclconfig.Local{}}
}

// Evaluate returns the value of an expression and the reasons why parts of it are
// unknown.
func (v Values) Evaluate(x hclconfig.Expression) hclnames.Evaluation {
	e := v.evaluator
	if e == nil {
		e = newEvaluator(nil)
	}
	return e.EvaluateIn(v.tree, x, v.names)
}

// value returns the value of an expression without marks.
func (v Values) value(x hclconfig.Expression) cty.Value {
	value, _ := v.Evaluate(x).Value.UnmarkDeep()
	return value
}

// Strings returns the known strings of an expression: its value or, for a list, set,
// tuple, map or object, its elements. Numbers and booleans are converted to strings; null
// has none. Strings reports whether these are all. For a conditional with an unknown
// condition it returns the strings of both results, and for functions such as concat those
// of the known arguments.
func (v Values) Strings(x hclconfig.Expression) (texts []string, complete bool) {
	return (&search{}).strings(v, x, 0)
}

// A search has what one question has found in local values whose value is not known. Each is looked into once, because a
// chain of calls can name each twice.
type search struct {
	found map[string]answer
	texts int
}

type answer struct {
	texts         []string
	has, complete bool
}

const (
	maxKeyDepth = 20    // how deep a question looks into an expression whose value is not known
	maxLocals   = 256   // how many local values it looks into
	maxTexts    = 65536 // how many strings it puts together
)

// into asks about the expression of a local value.
func (s *search) into(v Values, address string, ask func(v Values, x hclconfig.Expression) answer) answer {
	if a, ok := s.found[address]; ok {
		return a
	}
	local := v.local(address)
	if local == nil || len(s.found) == maxLocals {
		return answer{}
	}
	if s.found == nil {
		s.found = map[string]answer{}
	}
	s.found[address] = answer{} // a cycle
	a := ask(Values{evaluator: v.evaluator, tree: v.tree}, local.Argument.Expression)
	s.found[address] = a
	return a
}

// joining are functions whose result has the elements of their arguments.
var joining = []string{"concat", "flatten", "distinct", "compact", "toset", "tolist", "tomap", "sort", "reverse", "merge", "values", "setunion"}

// strings looks first at the value and then, if it is unknown, at what it is made of.
func (s *search) strings(v Values, x hclconfig.Expression, depth int) (texts []string, complete bool) {
	value := v.value(x)
	if texts, complete = stringsIn(value); complete || value.IsKnown() && !value.CanIterateElements() || depth > maxKeyDepth {
		return texts, complete
	}
	parts := x.Parts()
	switch x.Form() {
	case hclconfig.FormParentheses, hclconfig.FormList:
	case hclconfig.FormConditional:
		parts = v.results(parts)
	case hclconfig.FormCall:
		if !slices.Contains(joining, x.Name()) {
			return texts, false
		}
	case hclconfig.FormReference:
		a := s.into(v, x.Name(), func(v Values, x hclconfig.Expression) (a answer) {
			a.texts, a.complete = s.strings(v, x, depth+1)
			return a
		})
		if a.texts != nil {
			texts = a.texts
		}
		return texts, false
	default:
		return texts, false
	}
	texts = nil
	complete = x.Form() == hclconfig.FormConditional && len(parts) == 1
	for _, p := range parts {
		more, all := s.strings(v, p, depth+1)
		if s.texts += len(more); s.texts > maxTexts {
			return texts, false
		}
		texts, complete = append(texts, more...), complete && all
	}
	return texts, complete
}

func stringsIn(v cty.Value) (texts []string, complete bool) {
	switch {
	case v.IsNull():
		return nil, true
	case !v.IsKnown():
		return nil, false
	case v.CanIterateElements():
		complete = true
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			more, all := stringsIn(e)
			texts, complete = append(texts, more...), complete && all
		}
		return texts, complete
	}
	if s, err := convert.Convert(v, cty.String); err == nil && s.IsKnown() && !s.IsNull() {
		return []string{s.AsString()}, true
	}
	return nil, false
}

// HasKey reports whether an expression, an object or a map, has a key, and whether that is
// certain; has is true only if it is. The value of the key need not be known, and a key with
// the value null counts. The zero Expression and null have no keys. It also looks into partly
// known conditionals and calls of merge.
func (v Values) HasKey(x hclconfig.Expression, key string) (has, complete bool) {
	if !x.IsSet() || x.IsNull() {
		return false, true
	}
	return (&search{}).hasKey(v, x, key, 0)
}

// hasKey looks first at the value and then, if it is unknown, at what it is made of.
func (s *search) hasKey(v Values, x hclconfig.Expression, key string, depth int) (has, complete bool) {
	value := v.value(x)
	switch t := value.Type(); {
	case value.IsNull():
		return false, true
	case t.IsObjectType():
		return t.HasAttribute(key), true
	case t.IsMapType() && value.IsKnown():
		return value.HasIndex(cty.StringVal(key)).True(), true
	case t != cty.DynamicPseudoType && !t.IsMapType():
		return false, true
	case depth > maxKeyDepth:
		return false, false
	}
	parts := x.Parts()
	switch x.Form() {
	case hclconfig.FormParentheses:
		return s.hasKey(v, parts[0], key, depth+1)
	case hclconfig.FormConditional:
		results := v.results(parts)
		has, complete = s.hasKey(v, results[0], key, depth+1)
		for _, r := range results[1:] {
			h, sure := s.hasKey(v, r, key, depth+1)
			complete = complete && sure && h == has
		}
		return has && complete, complete
	case hclconfig.FormCall:
		if x.Name() != "merge" {
			break
		}
		complete = true
		for _, p := range parts {
			h, sure := s.hasKey(v, p, key, depth+1)
			if h {
				return true, true
			}
			complete = complete && sure
		}
		return false, complete
	case hclconfig.FormObject:
		complete = true
		for i := 0; i+1 < len(parts); i += 2 { // keys and values in turn
			name := v.value(parts[i])
			if s, err := convert.Convert(name, cty.String); err != nil || !s.IsKnown() || s.IsNull() {
				complete = false
			} else if s.AsString() == key {
				return true, true
			}
		}
		return false, complete
	case hclconfig.FormReference:
		a := s.into(v, x.Name(), func(v Values, x hclconfig.Expression) (a answer) {
			a.has, a.complete = s.hasKey(v, x, key, depth+1)
			return a
		})
		return a.has, a.complete
	}
	return false, false
}

// results returns the results of a conditional that it may have.
func (v Values) results(parts []hclconfig.Expression) []hclconfig.Expression {
	c := v.value(parts[0])
	switch {
	case !c.IsKnown() || c.IsNull() || c.Type() != cty.Bool:
		return parts[1:]
	case c.True():
		return parts[1:2]
	}
	return parts[2:]
}

// local returns the local value with the address, or nil.
func (v Values) local(address string) *hclconfig.Local {
	if v.tree == nil || v.evaluator == nil {
		return nil
	}
	e, m := v.evaluator, v.tree.Module
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.locals[m] == nil {
		e.locals[m] = map[string]*hclconfig.Local{}
		for _, l := range m.Locals {
			e.locals[m]["local."+l.Name] = l
		}
	}
	return e.locals[m][address]
}

// Is reports whether an expression is known to have a value: a string, boolean or number,
// after the conversions that the language makes, or nil for null. It reports false if the
// value is not known.
func (v Values) Is(x hclconfig.Expression, want any) bool {
	value := v.value(x)
	if !value.IsKnown() {
		return false
	}
	if want == nil || value.IsNull() {
		return want == nil && value.IsNull()
	}
	w, ok := ctyOf(want)
	if !ok {
		return false
	}
	value, err := convert.Convert(value, w.Type())
	return err == nil && value.IsKnown() && !value.IsNull() && value.RawEquals(w)
}

func ctyOf(v any) (cty.Value, bool) {
	switch v := v.(type) {
	case cty.Value:
		return v, v != cty.NilVal && v.IsWhollyKnown() && !v.IsNull()
	case string:
		return cty.StringVal(v), true
	case bool:
		return cty.BoolVal(v), true
	case int:
		return cty.NumberIntVal(int64(v)), true
	case int64:
		return cty.NumberIntVal(v), true
	case float64:
		return cty.NumberFloatVal(v), true
	}
	return cty.NilVal, false
}
