// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// WithProviderFunctions adds the functions of providers that e calls to ctx. Those of the
// built-in provider are known, and the signatures of those that signature returns; nothing is
// known of others. signature may be nil.
func WithProviderFunctions(e hclconfig.Expression, ctx *hcl.EvalContext, builtIn func(localName string) bool, signature func(localName, name string) *provschema.Function) *hcl.EvalContext {
	if !strings.Contains(e.Raw(), "provider::") {
		return ctx
	}
	functions := map[string]function.Function{}
	for _, call := range hclsource.Calls(e) {
		parts := strings.Split(call.Name, "::")
		if parts[0] != "provider" {
			continue
		}
		functions[call.Name] = anyFunction
		if len(parts) != 3 {
			continue
		}
		if f, ok := builtInFunctions[parts[2]]; ok && builtIn(parts[1]) {
			functions[call.Name] = f
		} else if signature != nil {
			if s := signature(parts[1], parts[2]); s != nil {
				functions[call.Name] = functionOf(s)
			}
		}
	}
	child := ctx.NewChild()
	child.Functions = functions
	return child
}

// functionOf returns a function that checks its arguments, and whose result is not known.
func functionOf(s *provschema.Function) function.Function {
	parameter := func(p *provschema.Parameter) function.Parameter {
		return function.Parameter{Name: p.Name, Type: p.Type(), AllowNull: p.Nullable, AllowUnknown: true, AllowDynamicType: true}
	}
	spec := &function.Spec{
		Type: function.StaticReturnType(s.Result()),
		Impl: func(_ []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), nil },
	}
	for _, p := range s.Parameters {
		if p != nil {
			spec.Params = append(spec.Params, parameter(p))
		}
	}
	if s.Variadic != nil {
		p := parameter(s.Variadic)
		spec.VarParam = &p
	}
	return function.New(spec)
}

var anyFunction = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true},
	Type:     function.StaticReturnType(cty.DynamicPseudoType),
	Impl:     func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, nil },
})

// builtInFunctions are those of the built-in provider. What they encode stays unknown.
var builtInFunctions = map[string]function.Function{
	"encode_expr": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "expr", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true}},
		Type:   function.StaticReturnType(cty.String),
		Impl:   func([]cty.Value, cty.Type) (cty.Value, error) { return cty.UnknownVal(cty.String), nil },
	}),
	"encode_tfvars": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "input", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.UnknownVal(cty.String), encodable(args[0])
		},
	}),
	"decode_tfvars": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "src", Type: cty.String}},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return decodeVariables(args[0].AsString()) },
	}),
}

// IsBuiltInFunction reports whether the built-in provider has a function.
func IsBuiltInFunction(name string) bool {
	_, ok := builtInFunctions[name]
	return ok
}

// encodable returns an error if a value cannot be the content of a file with values
// of variables.
func encodable(v cty.Value) error {
	t := v.Type()
	switch {
	case t == cty.DynamicPseudoType:
		return nil
	case !t.IsObjectType() && !t.IsMapType():
		return errors.New("an object or a map is required")
	case !v.IsKnown():
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		if name, _ := it.Element(); !hclsyntax.ValidIdentifier(name.AsString()) {
			return fmt.Errorf("%q is not the name of a variable", name.AsString())
		}
	}
	return nil
}

// maxVariablesText is the length of the longest content of such a file that is read.
const maxVariablesText = 1 << 12

// decodeVariables reads the content of a file with values of variables. Loops are not
// evaluated, and long texts not read.
func decodeVariables(src string) (cty.Value, error) {
	if len(src) > maxVariablesText || strings.Contains(src, "for") || strings.Contains(src, "*") || hcllex.TooDeep([]byte(src), false) >= 0 {
		return cty.DynamicVal, nil
	}
	f, diags := hcllex.ParseConfig([]byte(src), "", hcl.InitialPos)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	attributes, diags := f.Body.JustAttributes()
	values := map[string]cty.Value{}
	for name, a := range attributes {
		x, ok := a.Expr.(hclsyntax.Expression)
		if !ok {
			return cty.DynamicVal, nil
		}
		v, more := hclbound.Bounded(x).Value(nil)
		values[name], diags = v, append(diags, more...)
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return cty.ObjectVal(values), nil
}
