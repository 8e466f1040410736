// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/zclconf/go-cty/cty"
)

// declarations are what the files of a module declare and the features of others depend on.
type declarations struct {
	providers  hclsource.Locals
	variables  map[string]bool // whether each is constant
	locals     map[string]hclconfig.Expression
	constants  map[string]bool // whether a local value is constant, as far as that was asked for
	experiment bool            // optional in a type is one
}

func newDeclarations() *declarations {
	return &declarations{providers: hclsource.Locals{}, variables: map[string]bool{}, locals: map[string]hclconfig.Expression{}, constants: map[string]bool{}}
}

// add adds those of a file.
func (d *declarations) add(f *hclconfig.File) {
	d.providers.Add(f)
	for b := range f.Body().BlocksOfType("variable") {
		if len(b.Labels) > 0 {
			v, err := hclsource.Expr(b, "const").Constant()
			d.variables[b.Labels[0]] = err == nil && v.RawEquals(cty.True)
		}
	}
	for b := range f.Body().BlocksOfType("locals") {
		for i := range b.Body.Arguments {
			d.locals[b.Body.Arguments[i].Name] = b.Body.Arguments[i].Expression
		}
	}
	for b := range f.Body().BlocksOfType("terraform") {
		words, _ := hclsource.Expr(b, "experiments").Elements()
		for _, w := range words {
			d.experiment = d.experiment || w.Keyword() == hclsource.OptionalWord
		}
	}
}

// isConstant reports whether Terraform can evaluate an expression before everything else: it refers to
// constant variables, local values that are made of them, and paths. Variables that no file declares count
// as constant.
func (d *declarations) isConstant(e hclconfig.Expression) bool {
	for _, r := range e.References() {
		name := r.Addr.Name()
		switch r.Root() {
		case "path":
		case "var":
			if is, declared := d.variables[name]; declared && !is {
				return false
			}
		case "local":
			is, known := d.constants[name]
			if !known {
				d.constants[name] = true // if it refers to itself, which is an error of its own
				x, declared := d.locals[name]
				is = !declared || d.isConstant(x)
				d.constants[name] = is
			}
			if !is {
				return false
			}
		default:
			return false
		}
	}
	return true
}
