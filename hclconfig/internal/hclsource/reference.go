// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// A subjectKind is the kind of object that a reference names.
type subjectKind uint8

const (
	ToVariable subjectKind = iota + 1
	ToLocal
	ToResource
	ToModule
	ToOutput // of a called module
	ToCount
	ToEach
	ToPath
	ToProgram // terraform or tofu
	ToSelf
)

// A Subject is the target of a reference in an expression: the part that names
// an object, and the steps after it.
type Subject struct {
	Kind   subjectKind
	Mode   addrs.Mode
	Type   string // of a resource; for toProgram the word that is used
	Name   string
	Output string // the output, for toOutput
	// indexed reports that the object is followed by an instance key, bare
	// that nothing follows its name.
	Indexed, bare bool
	Key           addrs.InstanceKey // of a resource
	Rest          hcl.Traversal
	At            textspan.Span // of the part that names the object
	All           textspan.Span
	Piece         Piece
}

// Address is that of the object, as in a Declaration.
func (s *Subject) Address() string {
	switch s.Kind {
	case ToVariable:
		return "var." + s.Name
	case ToLocal:
		return "local." + s.Name
	case ToModule, ToOutput:
		return "module." + s.Name
	case ToResource:
		switch s.Mode {
		case addrs.Data:
			return "data." + s.Type + "." + s.Name
		case addrs.Ephemeral:
			return "ephemeral." + s.Type + "." + s.Name
		}
		return s.Type + "." + s.Name
	}
	return ""
}

// A SubjectError says why a reference has no subject.
func (p Piece) SubjectError(t hcl.Traverser, summary, format string, args ...any) *hclconfig.Diagnostic {
	d := p.ErrorAt(p.Span(t.SourceRange()), summary, format, args...)
	return &d
}

// Functions returns the program and the minor release by which package langfuncs names the functions of dialect d.
func Functions(d hclconfig.Dialect) (langfuncs.Program, int) {
	program, r := langfuncs.OpenTofu, Rules(d)
	if Program(d) == hcllang.Terraform {
		program = langfuncs.Terraform
		if r == 0 {
			r = hcllang.NewestTerraform
		}
	}
	if r == 0 {
		return program, -1
	}
	return program, int(r % 1000)
}

// TypeNames returns a function that reports whether a reference is the name of a type, as
// an argument of convert has it.
func TypeNames(d hclconfig.Dialect) func(hcl.Traversal) bool {
	program, minor := Functions(d)
	return func(t hcl.Traversal) bool { return len(t) == 1 && langfuncs.IsTypeName(program, minor, t.RootName()) }
}

// between is the place from the beginning of one step to the end of another.
func (p Piece) between(a, b hcl.Traverser) textspan.Span {
	return textspan.Of(p.Span(a.SourceRange()).Start, p.Span(b.SourceRange()).End)
}

// SubjectOf finds the target of a reference, by the rules of opentofu:
// internal/addrs/parse_ref.go.
func SubjectOf(p Piece, t hcl.Traversal, d hcllang.Dialect) (Subject, *hclconfig.Diagnostic) {
	s := Subject{Piece: p, All: p.Span(t.SourceRange())}
	root := t.RootName()
	single := func(kind subjectKind) (Subject, *hclconfig.Diagnostic) {
		if len(t) < 2 {
			return s, p.SubjectError(t[0], "Invalid reference", "The %q object cannot be accessed directly. Instead, access one of its attributes.", root)
		}
		a, ok := t[1].(hcl.TraverseAttr)
		if !ok {
			return s, p.SubjectError(t[1], "Invalid reference", "The %q object does not support this operation.", root)
		}
		s.Kind, s.Name, s.Type, s.Rest, s.At = kind, a.Name, root, t[2:], p.between(t[0], t[1])
		return s, nil
	}
	switch root {
	case "count":
		return single(ToCount)
	case "each":
		return single(ToEach)
	case "local":
		return single(ToLocal)
	case "path":
		return single(ToPath)
	case "var":
		return single(ToVariable)
	case "terraform":
		return single(ToProgram)
	case "tofu":
		if d == hcllang.OpenTofu {
			return single(ToProgram)
		}
	case "self":
		s.Kind, s.Rest, s.At = ToSelf, t[1:], p.Span(t[0].SourceRange())
		return s, nil
	case "data", "ephemeral", "resource":
		what := map[string]string{
			"data": "data source type and the resource name", "ephemeral": "ephemeral resource type and its name", "resource": "resource type and the resource name",
		}[root]
		s.Mode = map[string]addrs.Mode{"data": addrs.Data, "ephemeral": addrs.Ephemeral, "resource": addrs.Managed}[root]
		if len(t) < 3 {
			d := s.Piece.ErrorAt(s.All, "Invalid reference", "The %q object must be followed by two attribute names: the %s.", root, what)
			return s, &d
		}
		return s.resource(t[0], t[1:])
	case "module":
		return s.module(t)
	case "template", "lazy", "arg":
		return s, p.SubjectError(t[0], "Reserved symbol name",
			"The symbol name %q is reserved for use in a future %s version. If you are using a provider that already uses this as a resource type name, add the prefix \"resource.\" to force interpretation as a resource type name.", root, d)
	}
	s.Mode = addrs.Managed
	return s.resource(t[0], t)
}

func (s Subject) resource(first hcl.Traverser, t hcl.Traversal) (Subject, *hclconfig.Diagnostic) {
	if len(t) < 2 {
		d := s.Piece.ErrorAt(s.Piece.Span(t.SourceRange()), "Invalid reference", "A reference to a resource type must be followed by at least one attribute access, specifying the resource name.")
		return s, &d
	}
	switch x := t[0].(type) {
	case hcl.TraverseRoot:
		s.Type = x.Name
	case hcl.TraverseAttr:
		s.Type = x.Name
	default:
		return s, s.Piece.SubjectError(t[0], "Invalid reference", "The %q object does not support this operation.", "data")
	}
	a, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		what := "a resource type"
		switch s.Mode {
		case addrs.Data:
			what = "a data source"
		case addrs.Ephemeral:
			what = "an ephemeral resource"
		}
		return s, s.Piece.SubjectError(t[1], "Invalid reference", "A reference to %s must be followed by at least one attribute access, specifying the resource name.", what)
	}
	s.Kind, s.Name, s.At, s.Rest = ToResource, a.Name, s.Piece.between(first, t[1]), t[2:]
	s.bare = len(s.Rest) == 0
	if !s.bare {
		if i, ok := s.Rest[0].(hcl.TraverseIndex); ok {
			if InstanceKey(i.Key) == addrs.NoKey {
				return s, s.Piece.SubjectError(i, "Invalid index key", "Invalid index for resource instance: must be either a string or an integer.")
			}
			s.Indexed, s.At, s.Rest = true, s.Piece.between(first, i), s.Rest[1:]
			s.Key = InstanceKey(i.Key)
		}
	}
	return s, nil
}

// InstanceKey returns v as an instance key, or none if it is no such key.
func InstanceKey(v cty.Value) addrs.InstanceKey {
	v, _ = v.UnmarkDeep()
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		return addrs.StringKey(v.AsString())
	case v.Type() == cty.Number:
		if n, accuracy := v.AsBigFloat().Int64(); accuracy == big.Exact {
			return addrs.IntKey(n)
		}
	}
	return addrs.NoKey
}

func (s Subject) module(t hcl.Traversal) (Subject, *hclconfig.Diagnostic) {
	if len(t) < 2 {
		return s, s.Piece.SubjectError(t[0], "Invalid reference", "The %q object cannot be accessed directly. Instead, access one of its attributes.", "module")
	}
	a, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		return s, s.Piece.SubjectError(t[1], "Invalid reference", "The %q object does not support this operation.", "module")
	}
	s.Kind, s.Name, s.At, s.Rest = ToModule, a.Name, s.Piece.between(t[0], t[1]), t[2:]
	if len(s.Rest) == 0 {
		s.bare = true
		return s, nil
	}
	if i, ok := s.Rest[0].(hcl.TraverseIndex); ok {
		if InstanceKey(i.Key) == addrs.NoKey {
			return s, s.Piece.SubjectError(i, "Invalid index key", "Invalid index for module instance: must be either a string or an integer.")
		}
		s.Indexed, s.At, s.Rest = true, s.Piece.between(t[0], i), s.Rest[1:]
		if len(s.Rest) == 0 {
			return s, nil
		}
	}
	out, ok := s.Rest[0].(hcl.TraverseAttr)
	if !ok {
		return s, s.Piece.SubjectError(s.Rest[0], "Invalid reference", "Module instance objects do not support this operation.")
	}
	s.Kind, s.Output, s.At, s.Rest = ToOutput, out.Name, s.Piece.between(t[0], out), s.Rest[1:]
	return s, nil
}
