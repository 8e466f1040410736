// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/planjson"
)

// expression writes an expression: its value if it is constant, and what it refers to. The constant
// is left out if constants is false.
func (w *configWriter) expression(e hclconfig.Expression, constants bool) {
	w.open('{')
	if v, ok := w.constant(e); ok && constants && e.IsSet() {
		w.name("constant_value")
		w.text = w.known.append(w.text, v)
	}
	w.references([]hclconfig.Expression{e})
	w.close('}')
}

// references writes the references of expressions, if there are any.
func (w *configWriter) references(list []hclconfig.Expression) {
	var texts []string
	for _, e := range list {
		for _, r := range e.References() {
			if r.Addr.IsValid() {
				texts = slices.AppendSeq(texts, r.Addr.PlanReferences())
			}
		}
		if w.release.tofu(7) {
			texts = append(texts, providerFunctions(e)...)
		}
	}
	w.strings("references", texts)
}

// providerFunctions returns the functions of providers that an expression calls. In OpenTofu they are
// among the references.
func providerFunctions(e hclconfig.Expression) (list []string) {
	if !strings.Contains(e.Raw(), "::") {
		return nil
	}
	for x := range e.All() {
		if x.Form() != hclconfig.FormCall || !strings.Contains(x.Name(), "::") {
			continue
		}
		if r, err := addrs.ParseReference(x.Name()); err == nil {
			list = append(list, r.PlanString())
		}
	}
	return list
}

// constant returns the value that an expression has without variables and functions. OpenTofu since
// 1.11 shows it if there is no error, the others if it is wholly known in spite of one.
func (w *configWriter) constant(e hclconfig.Expression) (cty.Value, bool) {
	if !e.IsSet() {
		return cty.NilVal, false
	}
	if f := e.File(); f != nil && f.Syntax() == hclconfig.JSONSyntax {
		return jsonConstant(e.Raw())
	}
	if w.isTooMuch(e) {
		return cty.NilVal, false
	}
	v, diags := e.Value(nil)
	if diags.HasErrors() && w.release.tofu(11) || !v.IsWhollyKnown() || v.ContainsMarked() {
		return cty.NilVal, false
	}
	if !w.release.tofu(10) && hasBrokenLogic(e) {
		return cty.NilVal, false
	}
	return v, true
}

// jsonConstant returns the value that a JSON text stands for: strings are no templates there.
func jsonConstant(raw string) (cty.Value, bool) {
	t, err := ctyjson.ImpliedType([]byte(raw))
	if err != nil {
		return cty.NilVal, false
	}
	v, err := ctyjson.Unmarshal([]byte(raw), t)
	return v, err == nil
}

// isTooMuch reports whether the loops of an expression are more work than its length allows.
func (w *configWriter) isTooMuch(e hclconfig.Expression) bool {
	if text := e.Raw(); !strings.Contains(text, "for") && !strings.Contains(text, "*") {
		return false
	}
	nothing := &hclnames.Tree{Module: new(hclconfig.Module)}
	for _, u := range w.config.loops.Evaluate(nothing, e).Unknown {
		if u.Reason == hclnames.NotComputed && u.Address == "" {
			return true
		}
	}
	return false
}

// hasBrokenLogic reports whether an operand of && or || has an error. Newer releases do not evaluate
// the right one if the left one decides.
func hasBrokenLogic(e hclconfig.Expression) bool {
	if text := e.Raw(); !strings.Contains(text, "&&") && !strings.Contains(text, "||") {
		return false
	}
	tree, _ := e.HCL()
	if tree == nil {
		return false
	}
	broken := false
	_ = hclsyntax.VisitAll(tree, func(n hclsyntax.Node) hcl.Diagnostics {
		if x, ok := n.(*hclsyntax.BinaryOpExpr); ok && (x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr) {
			broken = broken || len(hclsyntax.Variables(x.RHS)) > 0 || len(hclsyntax.Variables(x.LHS)) > 0
		}
		return nil
	})
	return broken
}

// asBlocks returns the attributes of a schema that may be written as blocks: lists and sets of objects
// without a schema of their own, as the oldest kit for providers made them.
func asBlocks(schema *planjson.Block) map[string]cty.Type {
	out := make(map[string]cty.Type)
	for name, a := range schema.Attributes {
		if a == nil || a.NestedType != nil || !strings.HasPrefix(string(a.Type), `["list",["object"`) && !strings.HasPrefix(string(a.Type), `["set",["object"`) {
			continue
		}
		if t, err := planjson.ParseType(a.Type); err == nil {
			out[name] = t.WithoutOptionalAttributesDeep()
		}
	}
	return out
}

// blocksFor returns the blocks that a body has in the place of an attribute.
func blocksFor(c *hclconfig.Content, name string) (list []*hclconfig.Block) {
	for _, b := range c.ExtraBlocks {
		if b.Type == name {
			list = append(list, b)
		}
	}
	return list
}

// attributeBlocks writes blocks that stand for an attribute of type t as one expression.
func (w *configWriter) attributeBlocks(blocks []*hclconfig.Block, t cty.Type) {
	var references []hclconfig.Expression
	v, ok := w.blocksValue(blocks, t, &references)
	w.open('{')
	if ok {
		w.name("constant_value")
		w.text = w.known.append(w.text, v)
	}
	w.references(references)
	w.close('}')
}

// blocksValue returns the list or set of objects that blocks stand for, if it is constant. What the
// blocks do not set is null.
func (w *configWriter) blocksValue(blocks []*hclconfig.Block, t cty.Type, references *[]hclconfig.Expression) (cty.Value, bool) {
	var elements []cty.Value
	constant := true
	types := t.ElementType().AttributeTypes()
	for _, b := range blocks {
		members := make(map[string]cty.Value, len(types))
		for _, name := range slices.Sorted(maps.Keys(types)) {
			of := types[name]
			members[name] = cty.NullVal(of)
			var ok bool
			if a := b.Argument(name); a != nil {
				*references = append(*references, a.Expression)
				members[name], ok = w.converted(a.Expression, of)
			} else if inner := slices.Collect(b.Body.BlocksOfType(name)); len(inner) > 0 && (of.IsListType() || of.IsSetType()) && of.ElementType().IsObjectType() {
				members[name], ok = w.blocksValue(inner, of, references)
			} else {
				ok = true
			}
			constant = constant && ok
		}
		if constant {
			elements = append(elements, cty.ObjectVal(members))
		}
	}
	switch {
	case !constant:
		return cty.NilVal, false
	case t.IsSetType():
		return cty.SetVal(elements), true
	}
	return cty.ListVal(elements), true
}

func (w *configWriter) converted(e hclconfig.Expression, t cty.Type) (cty.Value, bool) {
	v, ok := w.constant(e)
	if !ok {
		return cty.NilVal, false
	}
	v, err := convert.Convert(v, t)
	return v, err == nil
}
