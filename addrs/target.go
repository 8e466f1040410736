// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import "strings"

// A Target is an operand of the options -target and -exclude: a module
// instance, a resource, or an instance of a resource that has a key. The
// arguments "from" and "to" of moved, removed and import blocks have the same
// form, relative to the module of the block. The zero Target is not valid.
type Target struct {
	s        string
	mod, res int32 // as in AbsResourceInstance; res is mod for a module
}

const kindTarget = "target address"

// ParseTarget parses a target address. A resource without key means all its
// instances.
//
// As in OpenTofu, no type is special: var.x is a resource of the type "var".
// Terraform refuses such types, and allows the word "resource" before a type,
// which OpenTofu does not.
func ParseTarget(s string) (Target, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = l.needWritable()
	}
	if f != nil {
		return Target{}, f.as(kindTarget, s)
	}
	return Target{l.text, int32(l.mod), int32(l.res)}, nil
}

// MustParseTarget is like [ParseTarget] but panics on errors.
func MustParseTarget(s string) Target { return must(ParseTarget(s)) }

// Target returns m as a target. If m is the root module or a placeholder, the
// result is not valid.
func (m ModuleInstance) Target() Target {
	if m.IsPlaceholder() {
		return Target{}
	}
	return Target{m.s, int32(len(m.s)), int32(len(m.s))}
}

// Target returns r, with all its instances, as a target. If the module of r is
// a placeholder, the result is not valid.
func (r AbsResource) Target() Target {
	if isPlaceholder(r.s) {
		return Target{}
	}
	return Target{r.s, r.mod, int32(len(r.s))}
}

// Target returns r as a target. If r has no key, the result is the same target
// as that of its resource. If r is a placeholder, the result is not valid.
func (r AbsResourceInstance) Target() Target {
	if r.IsPlaceholder() {
		return Target{}
	}
	return Target(r)
}

// IsValid reports whether t is not the zero Target.
func (t Target) IsValid() bool { return t.s != "" }

// ModuleInstance returns t as a module instance, and reports whether it is one.
func (t Target) ModuleInstance() (m ModuleInstance, ok bool) {
	if t.s == "" || t.res != t.mod {
		return ModuleInstance{}, false
	}
	return ModuleInstance{t.s}, true
}

// AbsResource returns t as a resource, and reports whether it is one.
func (t Target) AbsResource() (r AbsResource, ok bool) {
	if t.res == t.mod || int(t.res) != len(t.s) {
		return AbsResource{}, false
	}
	return AbsResource{t.s, t.mod}, true
}

// AbsResourceInstance returns t as a resource instance. It reports whether t is
// one, which means that t has an instance key.
func (t Target) AbsResourceInstance() (r AbsResourceInstance, ok bool) {
	if t.res == t.mod || int(t.res) == len(t.s) {
		return AbsResourceInstance{}, false
	}
	return AbsResourceInstance(t), true
}

// Contains reports whether other is t or belongs to it. Targeting t then also
// targets other:
//
//   - A module instance contains everything inside it and below it. If its
//     last step has no key, it means all instances of that call.
//   - A resource contains its instances.
//   - A resource instance contains only itself.
func (t Target) Contains(other Target) bool {
	if t.s == "" || other.s == "" {
		return false
	}
	if t.res == t.mod {
		return containsModule(t.s, other.s[:other.mod])
	}
	if int(t.res) == len(t.s) { // a resource
		return t.s == other.s[:other.res] && other.res > other.mod
	}
	return t == other
}

// containsModule reports whether the module instance path begins with prefix.
// If the last step of prefix has no key, it matches all instances of that call.
func containsModule(prefix, path string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return false
	}
	return rest == "" || rest[0] == '.' || rest[0] == '[' && prefix[len(prefix)-1] != ']'
}

// String returns the normal text of t, which is empty if t is not valid.
func (t Target) String() string { return t.s }

// Compare returns -1, 0 or +1: by module instance, then the module instance
// itself before the resources in it, and these by mode, type, name and key.
func (t Target) Compare(other Target) int {
	if t.s == other.s {
		return 0
	}
	return AbsResourceInstance(t).Compare(AbsResourceInstance(other))
}

// MarshalText returns the text of [Target.String]. The error is always nil.
func (t Target) MarshalText() ([]byte, error) { return []byte(t.s), nil }

// UnmarshalText sets t to the target that [ParseTarget] returns for text.
// An empty text gives the zero Target.
func (t *Target) UnmarshalText(text []byte) error { return unmarshal(t, text, ParseTarget) }
