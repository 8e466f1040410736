// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// A subjectKind is the kind of object that a reference names.
type subjectKind uint8

const (
	toVariable subjectKind = iota + 1
	toLocal
	toResource
	toModule
	toOutput // of a called module
	toCount
	toEach
	toPath
	toProgram // terraform or tofu
	toSelf
)

// A subject is the target of a reference in an expression: the part that names
// an object, and the steps after it.
type subject struct {
	kind subjectKind
	mode addrs.Mode
	typ  string // of a resource; for toProgram the word that is used
	name string
	out  string // the output, for toOutput
	// indexed reports that the object is followed by an instance key, bare
	// that nothing follows its name.
	indexed, bare bool
	key           addrs.InstanceKey // of a resource
	remain        hcl.Traversal
	at            textspan.Span // of the part that names the object
	all           textspan.Span
	p             piece
}

// address is that of the object, as in a Declaration.
func (s *subject) address() string {
	switch s.kind {
	case toVariable:
		return "var." + s.name
	case toLocal:
		return "local." + s.name
	case toModule, toOutput:
		return "module." + s.name
	case toResource:
		switch s.mode {
		case addrs.Data:
			return "data." + s.typ + "." + s.name
		case addrs.Ephemeral:
			return "ephemeral." + s.typ + "." + s.name
		}
		return s.typ + "." + s.name
	}
	return ""
}

// A subjectError says why a reference has no subject.
func (p piece) subjectError(t hcl.Traverser, summary, format string, args ...any) *hclconfig.Diagnostic {
	d := p.errorAt(p.span(t.SourceRange()), summary, format, args...)
	return &d
}

// between is the place from the beginning of one step to the end of another.
func (p piece) between(a, b hcl.Traverser) textspan.Span {
	return textspan.Of(p.span(a.SourceRange()).Start, p.span(b.SourceRange()).End)
}

// subjectOf finds the target of a reference, by the rules of opentofu:
// internal/addrs/parse_ref.go.
func subjectOf(p piece, t hcl.Traversal, d hcllang.Dialect) (subject, *hclconfig.Diagnostic) {
	s := subject{p: p, all: p.span(t.SourceRange())}
	root := t.RootName()
	single := func(kind subjectKind) (subject, *hclconfig.Diagnostic) {
		if len(t) < 2 {
			return s, p.subjectError(t[0], "Invalid reference", "The %q object cannot be accessed directly. Instead, access one of its attributes.", root)
		}
		a, ok := t[1].(hcl.TraverseAttr)
		if !ok {
			return s, p.subjectError(t[1], "Invalid reference", "The %q object does not support this operation.", root)
		}
		s.kind, s.name, s.typ, s.remain, s.at = kind, a.Name, root, t[2:], p.between(t[0], t[1])
		return s, nil
	}
	switch root {
	case "count":
		return single(toCount)
	case "each":
		return single(toEach)
	case "local":
		return single(toLocal)
	case "path":
		return single(toPath)
	case "var":
		return single(toVariable)
	case "terraform":
		return single(toProgram)
	case "tofu":
		if d == hcllang.OpenTofu {
			return single(toProgram)
		}
	case "self":
		s.kind, s.remain, s.at = toSelf, t[1:], p.span(t[0].SourceRange())
		return s, nil
	case "data", "ephemeral", "resource":
		what := map[string]string{
			"data": "data source type and the resource name", "ephemeral": "ephemeral resource type and its name", "resource": "resource type and the resource name",
		}[root]
		s.mode = map[string]addrs.Mode{"data": addrs.Data, "ephemeral": addrs.Ephemeral, "resource": addrs.Managed}[root]
		if len(t) < 3 {
			d := s.p.errorAt(s.all, "Invalid reference", "The %q object must be followed by two attribute names: the %s.", root, what)
			return s, &d
		}
		return s.resource(t[0], t[1:])
	case "module":
		return s.module(t)
	case "template", "lazy", "arg":
		return s, p.subjectError(t[0], "Reserved symbol name",
			"The symbol name %q is reserved for use in a future %s version. If you are using a provider that already uses this as a resource type name, add the prefix \"resource.\" to force interpretation as a resource type name.", root, d)
	}
	s.mode = addrs.Managed
	return s.resource(t[0], t)
}

func (s subject) resource(first hcl.Traverser, t hcl.Traversal) (subject, *hclconfig.Diagnostic) {
	if len(t) < 2 {
		d := s.p.errorAt(s.p.span(t.SourceRange()), "Invalid reference", "A reference to a resource type must be followed by at least one attribute access, specifying the resource name.")
		return s, &d
	}
	switch x := t[0].(type) {
	case hcl.TraverseRoot:
		s.typ = x.Name
	case hcl.TraverseAttr:
		s.typ = x.Name
	default:
		return s, s.p.subjectError(t[0], "Invalid reference", "The %q object does not support this operation.", "data")
	}
	a, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		what := "a resource type"
		switch s.mode {
		case addrs.Data:
			what = "a data source"
		case addrs.Ephemeral:
			what = "an ephemeral resource"
		}
		return s, s.p.subjectError(t[1], "Invalid reference", "A reference to %s must be followed by at least one attribute access, specifying the resource name.", what)
	}
	s.kind, s.name, s.at, s.remain = toResource, a.Name, s.p.between(first, t[1]), t[2:]
	s.bare = len(s.remain) == 0
	if !s.bare {
		if i, ok := s.remain[0].(hcl.TraverseIndex); ok {
			if instanceKey(i.Key) == addrs.NoKey {
				return s, s.p.subjectError(i, "Invalid index key", "Invalid index for resource instance: must be either a string or an integer.")
			}
			s.indexed, s.at, s.remain = true, s.p.between(first, i), s.remain[1:]
			s.key = instanceKey(i.Key)
		}
	}
	return s, nil
}

// instanceKey returns v as an instance key, or none if it is no such key.
func instanceKey(v cty.Value) addrs.InstanceKey {
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

func (s subject) module(t hcl.Traversal) (subject, *hclconfig.Diagnostic) {
	if len(t) < 2 {
		return s, s.p.subjectError(t[0], "Invalid reference", "The %q object cannot be accessed directly. Instead, access one of its attributes.", "module")
	}
	a, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		return s, s.p.subjectError(t[1], "Invalid reference", "The %q object does not support this operation.", "module")
	}
	s.kind, s.name, s.at, s.remain = toModule, a.Name, s.p.between(t[0], t[1]), t[2:]
	if len(s.remain) == 0 {
		s.bare = true
		return s, nil
	}
	if i, ok := s.remain[0].(hcl.TraverseIndex); ok {
		if instanceKey(i.Key) == addrs.NoKey {
			return s, s.p.subjectError(i, "Invalid index key", "Invalid index for module instance: must be either a string or an integer.")
		}
		s.indexed, s.at, s.remain = true, s.p.between(t[0], i), s.remain[1:]
		if len(s.remain) == 0 {
			return s, nil
		}
	}
	out, ok := s.remain[0].(hcl.TraverseAttr)
	if !ok {
		return s, s.p.subjectError(s.remain[0], "Invalid reference", "Module instance objects do not support this operation.")
	}
	s.kind, s.out, s.at, s.remain = toOutput, out.Name, s.p.between(t[0], out), s.remain[1:]
	return s, nil
}

// maxSuggested is how many names there may be for one of them to be suggested: there may be
// as many faults.
const maxSuggested = 1000

// didYouMean returns a sentence with the first of names that is close to name,
// or "".
func didYouMean(name string, names []string) string {
	if len(names) > maxSuggested {
		return ""
	}
	for _, n := range names {
		if hcllang.EditDistance(name, n) < 3 {
			return fmt.Sprintf(" Did you mean %q?", n)
		}
	}
	return ""
}

// didYouMeanKey is didYouMean for the keys of m, in alphabetical order.
func didYouMeanKey[V any](name string, m map[string]V) string {
	if len(m) > maxSuggested {
		return ""
	}
	return didYouMean(name, slices.Sorted(maps.Keys(m)))
}

// static checks a reference against the declarations alone. in is the check
// block that the reference is in, if any.
func (s *subject) static(m *moduleScope, in string) hclconfig.Diagnostics {
	switch s.kind {
	case toModule, toOutput:
		if _, ok := m.calls[s.name]; !ok {
			return hclconfig.Diagnostics{s.p.errorAt(s.at, "Reference to undeclared module", "No module call named %q is declared in %s.%s", s.name, m.title(), didYouMeanKey(s.name, m.calls))}
		}
	case toResource:
		return s.staticResource(m, in)
	}
	return nil
}

func (s *subject) staticResource(m *moduleScope, in string) hclconfig.Diagnostics {
	adjective := "managed"
	switch s.mode {
	case addrs.Data:
		adjective = "data"
	case addrs.Ephemeral:
		adjective = "ephemeral"
	}
	address := s.address()
	r, ok := m.resources[address]
	if !ok {
		hint := ""
		for _, other := range []string{"data." + s.typ + "." + s.name, s.typ + "." + s.name, "ephemeral." + s.typ + "." + s.name} {
			if o, ok := m.resources[other]; ok && hint == "" && (m.check.dialect == hcllang.OpenTofu || o.Mode == addrs.Data && s.mode == addrs.Managed) {
				hint = fmt.Sprintf("\n\nDid you mean the %s resource %s?", o.Block.Type, other)
			}
		}
		return hclconfig.Diagnostics{s.p.errorAt(s.at, "Reference to undeclared resource", "A %s resource %q %q has not been declared in %s.%s", adjective, s.typ, s.name, m.title(), hint)}
	}
	var out hclconfig.Diagnostics
	switch repeated := r.Count.IsSet() || r.ForEach.IsSet(); {
	case s.indexed && !repeated:
		out = append(out, s.p.errorAt(s.at, "Unexpected resource instance key",
			"Because %s does not have \"count\" or \"for_each\" set, references to it must not include an index key. Remove the bracketed index to refer to the single instance of this resource.", address))
	case !s.indexed && repeated && len(s.remain) > 0:
		argument, key := "count", "count.index"
		if r.ForEach.IsSet() {
			argument, key = "for_each", "each.key"
		}
		out = append(out, s.p.errorAt(s.at, "Missing resource instance key",
			"Because %s has %q set, its attributes must be accessed on specific instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    %[1]s[%[3]s]", address, argument, key))
	}
	if check, ok := m.scoped[address]; ok && check != in {
		out = append(out, s.p.errorAt(s.at, "Reference to scoped resource", "The referenced %s resource %q %q is not available from this context.", adjective, s.typ, s.name))
	}
	if schema := m.schemaOf(r); schema != nil {
		if len(s.remain) > 0 {
			if a, ok := s.remain[0].(hcl.TraverseAttr); ok && a.Name == "count" {
				return append(out, s.p.errorAt(s.at, "Invalid resource count attribute",
					"The special \"count\" attribute is no longer supported. Instead, use length(%s) to count resource instances.", address))
			}
		}
		out = append(out, schema.traversal(m.check, s.p, s.remain)...)
	}
	return out
}
