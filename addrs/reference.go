// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
)

// A ReferenceKind says what the subject of a [Reference] is.
// Its values include [InvalidReference], [VariableReference] and [LocalReference].
type ReferenceKind uint8

// The kinds of references, with the form of their subject.
const (
	InvalidReference      ReferenceKind = iota // of the zero Reference
	VariableReference                          // var.NAME
	LocalReference                             // local.NAME
	EachReference                              // each.key, each.value
	CountReference                             // count.index
	PathReference                              // path.module, path.root, path.cwd
	TerraformReference                         // terraform.NAME and tofu.NAME, as in terraform.workspace
	SelfReference                              // self
	ResourceReference                          // [data.|ephemeral.]TYPE.NAME, with or without key
	ModuleReference                            // module.NAME, with or without key
	ModuleOutputReference                      // module.NAME.OUTPUT, with or without key after the module
	FunctionReference                          // provider::NAME::FUNCTION
)

// String returns the name of k for messages.
func (k ReferenceKind) String() string {
	names := [...]string{
		"invalid", "variable", "local", "each", "count", "path", "terraform",
		"self", "resource", "module", "module output", "function",
	}
	if int(k) >= len(names) {
		return fmt.Sprintf("ReferenceKind(%d)", uint8(k))
	}
	return names[k]
}

// A Reference is what an expression refers to: a subject that OpenTofu knows,
// such as a variable or a resource instance, and the steps that lead from it
// to a part of its value. In aws_instance.web[0].tags["env"] the subject is
// aws_instance.web[0], and two steps remain.
//
// References are inside one module. If a resource or module has no key, the
// text alone does not show whether it means the only instance or all of them.
// The zero Reference is not valid.
type Reference struct {
	s    string
	subj int32 // the subject is s[:subj]
	key  int32 // the instance key of a resource or module begins here
	kind ReferenceKind
}

const kindReference = "reference"

// ParseReference parses a reference as written in expressions, with literal
// indexes. It accepts the form resource.TYPE.NAME for managed resources. The
// normal form omits the first word, unless TYPE has a meaning of its own.
//
// Symbols that only test files know are not special: output.x is a resource of
// the type "output" here. For the members "references" of plan JSON, use
// [ParsePlanReference].
func ParseReference(s string) (Reference, error) {
	r, f := parseReference(s, false)
	return r, f.as(kindReference, s)
}

// MustParseReference is like [ParseReference] but panics on errors.
func MustParseReference(s string) Reference { return must(ParseReference(s)) }

// ParsePlanReference parses a member of "references" in the configuration of
// plan JSON. It differs from [ParseReference] in string indexes after the
// subject. The tools print these as Go strings: "${" is not doubled, and control
// characters may be escaped as \x01. The key of the subject may have the form of
// Terraform up to 1.2. The tools round large numbers to ten digits, so these do
// not identify an element.
func ParsePlanReference(s string) (Reference, error) {
	r, f := parseReference(s, true)
	return r, f.as(kindReference, s)
}

func parseReference(in string, plan bool) (Reference, *fault) {
	s, f := startScan(in)
	if f != nil {
		return Reference{}, f
	}
	s.goKeys, s.inPlan = plan, plan
	var r Reference
	if f = r.scanSubject(&s); f != nil {
		return Reference{}, f
	}
	r.subj = int32(s.len())
	mode := readStep
	if plan {
		mode = readGoKey
	}
	for r.kind != FunctionReference {
		b, f := s.peek()
		switch {
		case f != nil:
			return Reference{}, f
		case b == '.':
			_, f = s.dotted("an attribute")
		case b == '[':
			_, f = s.index(mode)
		default:
			b = 0
		}
		if f != nil {
			return Reference{}, f
		}
		if b == 0 {
			break
		}
	}
	if f = s.end(); f != nil {
		return Reference{}, f
	}
	r.s = s.text()
	return r, nil
}

// scanSubject reads the subject of a reference. It sets everything in r except
// the text.
func (r *Reference) scanSubject(s *scanner) *fault {
	at := s.pos
	root, f := s.ident("a name")
	if f != nil {
		return f
	}
	if root == "provider" && strings.HasPrefix(s.in[s.pos:], "::") {
		r.kind = FunctionReference
		return s.function()
	}
	kind, special := rootKind(root)
	r.kind = kind
	if !special {
		return r.scanResource(s)
	}
	switch kind {
	case InvalidReference:
		return faultf(at, "the symbol %s is reserved; write resource.%s for a resource type", root, root)
	case SelfReference:
		return nil
	case ModuleReference:
		return r.scanModule(s)
	case ResourceReference: // data, ephemeral, resource
		typ, f := s.dotted("a resource type")
		if f != nil {
			return f
		}
		if root == "resource" {
			if _, special := rootKind(typ); !special {
				s.restart(typ)
			} else if typ == "data" || typ == "ephemeral" || typ == "module" {
				return faultf(s.pos-len(typ), "a managed resource cannot have the type %s", typ)
			}
		}
		return r.scanResource(s)
	default:
		_, f := s.dotted("a name")
		return f
	}
}

// rootKind returns the kind of a reference that begins with the symbol root. It
// reports false for the type of a managed resource. Symbols that OpenTofu has
// reserved give InvalidReference.
func rootKind(root string) (kind ReferenceKind, special bool) {
	switch root {
	case "var":
		return VariableReference, true
	case "local":
		return LocalReference, true
	case "each":
		return EachReference, true
	case "count":
		return CountReference, true
	case "path":
		return PathReference, true
	case "terraform", "tofu":
		return TerraformReference, true
	case "self":
		return SelfReference, true
	case "module":
		return ModuleReference, true
	case "data", "ephemeral", "resource":
		return ResourceReference, true
	case "template", "lazy", "arg":
		return InvalidReference, true
	default:
		return ResourceReference, false
	}
}

// restart replaces the normal text so far by text.
func (s *scanner) restart(text string) {
	s.rewrite()
	s.out = append(s.out[:0], text...)
}

// scanResource reads the part after the type of a resource.
func (r *Reference) scanResource(s *scanner) *fault {
	if _, f := s.dotted("a resource name"); f != nil {
		return f
	}
	r.key = int32(s.len())
	b, f := s.peek()
	if f == nil && b == '[' {
		_, f = s.index(checkKey)
	}
	return f
}

// scanModule reads the part after the word "module".
func (r *Reference) scanModule(s *scanner) *fault {
	if _, f := s.dotted("the name of a module call"); f != nil {
		return f
	}
	r.key = int32(s.len())
	b, f := s.peek()
	if f == nil && b == '[' {
		if _, f = s.index(checkKey); f == nil {
			b, f = s.peek()
		}
	}
	if f != nil {
		return f
	}
	switch b {
	case '.':
		r.kind = ModuleOutputReference
		_, f = s.dotted("an output value")
	case '[':
		f = s.unexpected("an output value")
	}
	return f
}

// function reads the part after the word "provider" in the name of a function.
func (s *scanner) function() *fault {
	for n := 0; ; n++ {
		if !strings.HasPrefix(s.in[s.pos:], "::") {
			if n < 2 {
				return s.unexpected("two colons and the name of a function")
			}
			return nil
		}
		if n == 3 {
			return s.unexpected("the end of provider::NAME::FUNCTION")
		}
		end := s.pos + 2 + identLen(s.in[s.pos+2:])
		if end == s.pos+2 {
			s.pos = end
			return s.unexpected("a name")
		}
		s.copy(s.pos, end)
		s.pos = end
	}
}

// IsValid reports whether r is not the zero Reference.
func (r Reference) IsValid() bool { return r.kind != InvalidReference }

// Kind returns the kind of the subject of r.
func (r Reference) Kind() ReferenceKind { return r.kind }

// Subject returns r without the remaining steps.
func (r Reference) Subject() Reference {
	r.s = r.s[:r.subj]
	return r
}

// HasRemaining reports whether steps follow the subject.
func (r Reference) HasRemaining() bool { return int(r.subj) < len(r.s) }

// Remaining returns an iterator over the steps that follow the subject.
func (r Reference) Remaining() iter.Seq[Step] { return steps(r.s[r.subj:]) }

// Name returns the last name in the subject: the name of the variable, local
// value, resource, module call, output value or function, or the attribute of
// each, count, path and terraform. For self it is empty.
func (r Reference) Name() string {
	end := r.subj
	switch r.kind {
	case InvalidReference, SelfReference:
		return ""
	case ResourceReference, ModuleReference:
		end = r.key
	case FunctionReference:
		return r.s[strings.LastIndexByte(r.s, ':')+1:]
	}
	text := r.s[:end]
	return text[strings.LastIndexByte(text, '.')+1:]
}

// Resource returns the resource in the subject of r, without an instance key.
// It reports whether r is a ResourceReference.
func (r Reference) Resource() (res Resource, ok bool) {
	if r.kind != ResourceReference {
		return Resource{}, false
	}
	return Resource{strings.TrimPrefix(r.s[:r.key], "resource.")}, true
}

// Key returns the instance key in the subject of a ResourceReference,
// ModuleReference or ModuleOutputReference, and [NoKey] if there is none.
func (r Reference) Key() InstanceKey {
	switch r.kind {
	case ResourceReference, ModuleReference, ModuleOutputReference:
		rest := r.s[r.key:r.subj]
		return keyOf(rest[:keyLen(rest)])
	default:
		return NoKey
	}
}

// ModuleCall returns the name of the module call that r goes through, and
// reports whether r is a ModuleReference or ModuleOutputReference. The key of
// the instance is [Reference.Key].
func (r Reference) ModuleCall() (name string, ok bool) {
	if r.kind != ModuleReference && r.kind != ModuleOutputReference {
		return "", false
	}
	return strings.TrimPrefix(r.s[:r.key], "module."), true
}

// Function returns the parts of the name of a provider-defined function: the
// provider's local name, the alias of its configuration (or ""), and the
// function. It reports whether r is a FunctionReference.
func (r Reference) Function() (provider, alias, name string, ok bool) {
	if r.kind != FunctionReference {
		return "", "", "", false
	}
	rest := strings.TrimPrefix(r.s, "provider::")
	provider, rest, _ = strings.Cut(rest, "::")
	if alias, name, ok = strings.Cut(rest, "::"); !ok {
		alias, name = "", rest
	}
	return provider, alias, name, true
}

// String returns the normal text of r as it is written in expressions.
// The zero Reference gives the empty string.
func (r Reference) String() string { return r.s }

// PlanString returns r in the form of "references" in plan JSON: with Go
// quoting in the remaining steps, and without the word "resource".
func (r Reference) PlanString() string {
	text := r.s
	if r.kind == ResourceReference {
		text = strings.TrimPrefix(text, "resource.")
	}
	rest := text[len(text)-(len(r.s)-int(r.subj)):]
	if strings.IndexByte(rest, '[') < 0 {
		return text
	}
	b := append(make([]byte, 0, len(text)+8), text[:len(text)-len(rest)]...)
	for step := range steps(rest) {
		b = step.appendPlan(b)
	}
	return string(b)
}

// PlanReferences returns an iterator over the texts that plan JSON lists in
// "references" for r. The whole reference comes first. Each of the following
// texts omits one more step, down to the subject. The object that the subject
// belongs to comes last. For module.m["k"].out that is module.m["k"]; module.m
// is not listed.
func (r Reference) PlanReferences() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !r.IsValid() {
			return
		}
		ends := []int{int(r.subj)}
		at := int(r.subj)
		for step := range r.Remaining() {
			at += len(step.s)
			ends = append(ends, at)
		}
		for i := len(ends) - 1; i >= 0; i-- {
			part := r
			part.s = r.s[:ends[i]]
			if !yield(part.PlanString()) {
				return
			}
		}
		subject := strings.TrimPrefix(r.s[:r.subj], "resource.")
		switch r.kind {
		case ResourceReference, ModuleReference:
			if n := int(r.subj - r.key); n > 0 {
				yield(subject[:len(subject)-n])
			}
		case ModuleOutputReference:
			yield(subject[:strings.LastIndexByte(subject, '.')])
		}
	}
}

// Compare returns -1, 0 or +1 by the text of the subject and then by the steps.
// The order has no meaning, but is always the same.
func (r Reference) Compare(other Reference) int {
	return cmp.Or(
		strings.Compare(r.s[:r.subj], other.s[:other.subj]),
		strings.Compare(r.s, other.s),
	)
}

// MarshalText returns the text of [Reference.String]. The error is always nil.
func (r Reference) MarshalText() ([]byte, error) { return []byte(r.s), nil }

// UnmarshalText sets r to the reference that [ParseReference] returns for text.
// An empty text gives the zero Reference.
func (r *Reference) UnmarshalText(text []byte) error { return unmarshal(r, text, ParseReference) }
