// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// A Signature describes the parameters and the result of a function, as "metadata functions
// -json" prints them.
type Signature struct {
	// Description is one or two sentences.
	Description string
	// Result is the type of the result, cty.DynamicPseudoType if it depends on the arguments.
	Result cty.Type
	// Parameters are the required parameters. Variadic, if not nil, accepts any number of
	// further arguments.
	Parameters []Parameter
	Variadic   *Parameter
}

// A Parameter is one parameter of a function.
type Parameter struct {
	// Name is the name of the parameter. Type is the type to which an argument is converted,
	// cty.DynamicPseudoType for any type.
	Name string
	Type cty.Type
	// Nullable reports whether the argument may be null.
	Nullable bool
}

// String returns the signature of a function of that name, as in
// join(separator string, lists list(string)...) string.
func (s Signature) String(name string) string {
	var parts []string
	for _, p := range s.Parameters {
		parts = append(parts, p.Name+" "+typeText(p.Type))
	}
	if s.Variadic != nil {
		parts = append(parts, s.Variadic.Name+" "+typeText(s.Variadic.Type)+"...")
	}
	return name + "(" + strings.Join(parts, ", ") + ") " + typeText(s.Result)
}

func typeText(t cty.Type) string {
	switch {
	case t == cty.DynamicPseudoType, t == cty.NilType: // nothing is known of a zero Signature
		return "any"
	case t.IsListType():
		return "list(" + typeText(t.ElementType()) + ")"
	case t.IsSetType():
		return "set(" + typeText(t.ElementType()) + ")"
	case t.IsMapType():
		return "map(" + typeText(t.ElementType()) + ")"
	}
	return t.FriendlyName()
}

// Signatures returns the signatures of all functions of the release of a dialect by name, like
// [Functions]. The caller owns the map.
func Signatures(d hclconfig.Dialect) map[string]Signature {
	program, minor := releaseOf(d)
	out := map[string]Signature{}
	for name := range langfuncs.Table(program, minor) {
		if s, ok := known()[strings.TrimPrefix(name, "core::")]; ok {
			out[name] = s.in(program, minor, strings.TrimPrefix(name, "core::"))
		}
	}
	return out
}

// in returns a signature as a program prints it: they differ in three functions.
func (s Signature) in(p langfuncs.Program, _ int, name string) Signature {
	if p == langfuncs.OpenTofu {
		return s
	}
	switch name {
	case "format", "formatlist":
		s.Result = cty.DynamicPseudoType
	case "templatestring":
		s.Result = cty.String
		s.Parameters = []Parameter{{Name: "template", Type: cty.String}, s.Parameters[1]}
	}
	return s
}

// releaseOf returns the program and the minor release of a dialect; the newest one is negative.
func releaseOf(d hclconfig.Dialect) (langfuncs.Program, int) {
	program := langfuncs.OpenTofu
	if d.Program() == hclconfig.Terraform {
		program = langfuncs.Terraform
	}
	minor := -1
	if v, ok := strings.CutPrefix(d.String(), d.Program().String()+" 1."); ok {
		minor = 0
		for _, c := range v {
			minor = minor*10 + int(c-'0')
		}
	}
	return program, minor
}

//go:embed signatures.txt
var signatures string

// known has the signatures of OpenTofu by name. The text has a line for each:
//
//	NAME(PARAMETER TYPE, PARAMETER... TYPE) TYPE: DESCRIPTION
//
// where "..." marks the one that stands for any number, and "?" behind a type that null is allowed.
// Names and types are those that the programs print (metadata functions -json).
var known = sync.OnceValue(func() map[string]Signature {
	out := map[string]Signature{}
	for line := range strings.Lines(signatures) {
		head, description, _ := strings.Cut(strings.TrimSpace(line), ": ")
		name, rest, _ := strings.Cut(head, "(")
		end := strings.LastIndex(rest, ") ")
		s := Signature{Description: description, Result: typeOf(rest[end+2:])}
		for part := range strings.SplitSeq(rest[:end], ", ") {
			param, typ, ok := strings.Cut(part, " ")
			if !ok {
				continue
			}
			typ, nullable := strings.CutSuffix(typ, "?")
			p := Parameter{Type: typeOf(typ), Nullable: nullable}
			var variadic bool
			if p.Name, variadic = strings.CutSuffix(param, "..."); variadic {
				s.Variadic = &p
			} else {
				s.Parameters = append(s.Parameters, p)
			}
		}
		out[name] = s
	}
	return out
})

func typeOf(text string) cty.Type {
	outer, inner, ok := strings.Cut(text, "(")
	if ok {
		e := typeOf(strings.TrimSuffix(inner, ")"))
		switch outer {
		case "list":
			return cty.List(e)
		case "set":
			return cty.Set(e)
		}
		return cty.Map(e)
	}
	return map[string]cty.Type{"string": cty.String, "number": cty.Number, "bool": cty.Bool, "dynamic": cty.DynamicPseudoType}[text]
}
