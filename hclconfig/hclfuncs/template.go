// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// templates are the functions that evaluate templates.
type templates struct {
	files     *files
	program   langfuncs.Program
	functions map[string]function.Function // all, once they are made
}

func (t *templates) add(made map[string]func(function.Function) function.Function) {
	made["templatefile"] = replaced(function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "vars", Type: cty.DynamicPseudoType}},
		Type:   typeOfResult(t.file),
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return t.file(args) },
	}))
	made["templatestring"] = func(f function.Function) function.Function {
		params := f.Params()
		if t.program == langfuncs.Terraform {
			return function.New(&function.Spec{Params: params,
				Type: function.StaticReturnType(cty.String),
				Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
					if _, err := f.Call(args); err != nil {
						return cty.UnknownVal(cty.String), err
					}
					return t.referred(args)
				},
			})
		}
		return function.New(&function.Spec{Params: params, Type: typeOfResult(t.text), Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return t.text(args) }})
	}
}

// typeOfResult returns the type of what a function of known arguments returns.
func typeOfResult(call func(args []cty.Value) (cty.Value, error)) function.TypeFunc {
	return func(args []cty.Value) (cty.Type, error) {
		for _, a := range args {
			if !a.IsKnown() {
				return cty.DynamicPseudoType, nil
			}
		}
		v, err := call(args)
		return v.Type(), err
	}
}

func (t *templates) file(args []cty.Value) (cty.Value, error) {
	path, _ := args[0].Unmark()
	text, err := t.files.text(path.AsString())
	if err != nil {
		return cty.DynamicVal, function.NewArgError(0, err)
	}
	return t.render(path.AsString(), text, args[1])
}

func (t *templates) text(args []cty.Value) (cty.Value, error) {
	text, marks := args[0].Unmark()
	v, err := t.render("<templatestring argument>", text.AsString(), args[1])
	return v.WithMarks(marks), err
}

// referred is templatestring of Terraform, whose template is a reference.
func (t *templates) referred(args []cty.Value) (cty.Value, error) {
	v, diags := customdecode.ExpressionClosureFromVal(args[0]).Value()
	if diags.HasErrors() {
		return cty.UnknownVal(cty.String), diags
	}
	text, marks := v.Unmark()
	if !text.IsKnown() {
		return cty.UnknownVal(cty.String).WithMarks(marks), nil
	}
	out, err := t.render("<templatestring argument>", text.AsString(), args[1])
	if err != nil {
		return cty.UnknownVal(cty.String), err
	}
	plain, more := out.Unmark()
	if plain.Type() != cty.String {
		return cty.UnknownVal(cty.String), errors.New("the template does not make a string")
	}
	return plain.WithMarks(marks, more), nil
}

// render evaluates a template with variables.
func (t *templates) render(name, text string, vars cty.Value) (cty.Value, error) {
	vars, marks := vars.Unmark()
	if vt := vars.Type(); vars.IsNull() || !vt.IsObjectType() && !vt.IsMapType() {
		return cty.DynamicVal, function.NewArgErrorf(1, "invalid vars value: must be a map")
	}
	if !vars.IsKnown() {
		return cty.DynamicVal.WithMarks(marks), nil
	}
	variables := vars.AsValueMap()
	for key := range variables {
		if !hclsyntax.ValidIdentifier(key) {
			return cty.DynamicVal, function.NewArgErrorf(1, "invalid template variable name %q: must start with a letter, followed by zero or more letters, digits, and underscores", key)
		}
	}
	// A string of JSON syntax is a template: it is evaluated within the limits of expressions.
	quoted, err := json.Marshal(text)
	if err != nil {
		return cty.DynamicVal, err
	}
	x, err := hclconfig.ParseExpression(name, quoted, hclconfig.JSONSyntax, hclconfig.KindExpression)
	if err != nil {
		return cty.DynamicVal, err
	}
	tree, diags := x.HCL()
	if diags.HasErrors() {
		return cty.DynamicVal, errors.New(firstError(diags))
	}
	if tree != nil {
		for _, v := range tree.Variables() {
			if _, ok := variables[v.RootName()]; !ok {
				return cty.DynamicVal, function.NewArgErrorf(1, "vars map does not contain key %q, referenced at %s", v.RootName(), v.SourceRange())
			}
		}
	}
	value, diags := x.Value(&hcl.EvalContext{Variables: variables, Functions: t.inner()})
	if diags.HasErrors() {
		return cty.DynamicVal, errors.New(firstError(diags))
	}
	return value.WithMarks(marks), nil
}

// firstError returns the text of the first error.
func firstError(diags hclconfig.Diagnostics) string {
	for d := range diags.Errors() {
		return strings.TrimSuffix(fmt.Sprintf("%s; %s", d.Summary, d.Detail), "; ")
	}
	return ""
}

// inner returns the functions that a template may call: those of templates call none.
func (t *templates) inner() map[string]function.Function {
	out := maps.Clone(t.functions)
	for _, name := range []string{"templatefile", "core::templatefile", "templatestring", "core::templatestring"} {
		f, ok := out[name]
		if !ok {
			continue
		}
		out[name] = function.New(&function.Spec{Params: f.Params(),
			Type: func([]cty.Value) (cty.Type, error) {
				return cty.DynamicPseudoType, fmt.Errorf("cannot recursively call %s from inside a template", name)
			},
			Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, nil },
		})
	}
	return out
}
