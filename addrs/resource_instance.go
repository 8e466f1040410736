// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

// An AbsResourceInstance is an instance of a resource in a module instance,
// such as module.net["eu"].aws_subnet.a[0]. It is the address of everything
// that plans and states list. The zero AbsResourceInstance is not valid.
//
// The only instance of a resource without count and for_each has the same text
// as the [AbsResource] itself. The text alone does not show which one is meant.
type AbsResourceInstance struct {
	s        string
	mod, res int32 // the module path is s[:mod], the key is s[res:]
}

const kindAbsResourceInstance = "absolute resource instance"

// ParseAbsResourceInstance parses the address of a resource instance. A
// resource without key denotes its only instance.
//
// If s is in normal form, as in documents that OpenTofu wrote, nothing is
// allocated and the result refers to s. If s is a small part of a large text
// that need not stay in memory, parse strings.Clone(s) instead.
func ParseAbsResourceInstance(s string) (AbsResourceInstance, error) {
	return parseInstance(s, false)
}

// ParseRecordedResourceInstance parses the address of a resource instance in any spelling that
// a document of any release has: as [ParseAbsResourceInstance], and with keys such as ["${x}"],
// which Terraform up to 1.2 wrote for the key ${x}.
func ParseRecordedResourceInstance(s string) (AbsResourceInstance, error) {
	return parseInstance(s, true)
}

func parseInstance(s string, recorded bool) (AbsResourceInstance, error) {
	l, f := parseLayoutOf(s, recorded)
	if f == nil {
		f = l.needResource()
	}
	if f != nil {
		return AbsResourceInstance{}, f.as(kindAbsResourceInstance, s)
	}
	return AbsResourceInstance{l.text, int32(l.mod), int32(l.res)}, nil
}

// MustParseAbsResourceInstance is like [ParseAbsResourceInstance] but panics
// on errors.
func MustParseAbsResourceInstance(s string) AbsResourceInstance {
	return must(ParseAbsResourceInstance(s))
}

// IsValid reports whether r is not the zero AbsResourceInstance.
func (r AbsResourceInstance) IsValid() bool { return r.s != "" }

// Module returns the module instance that r is in.
func (r AbsResourceInstance) Module() ModuleInstance { return ModuleInstance{r.s[:r.mod]} }

// Resource returns the resource that r is an instance of, inside its module.
func (r AbsResourceInstance) Resource() Resource {
	return Resource{afterModule(r.s[:r.res], r.mod)}
}

// AbsResource returns the resource that r is an instance of.
func (r AbsResourceInstance) AbsResource() AbsResource { return AbsResource{r.s[:r.res], r.mod} }

// Config returns the block that declares r: r without any instance keys.
func (r AbsResourceInstance) Config() ConfigResource { return r.AbsResource().Config() }

// Key returns the key of r, which is [NoKey] for a resource without count and
// for_each.
func (r AbsResourceInstance) Key() InstanceKey { return keyOf(r.s[r.res:]) }

// IsPlaceholder reports whether a key in r is [WildcardKey]. Such an r represents
// instances that are not known yet.
func (r AbsResourceInstance) IsPlaceholder() bool { return isPlaceholder(r.s) }

// String returns the normal text of r, which is empty if r is not valid.
func (r AbsResourceInstance) String() string { return r.s }

// Compare returns -1, 0 or +1 in the order of OpenTofu, which is the order of
// "resource_changes" in a plan: by module instance, then mode, type, name and
// key.
func (r AbsResourceInstance) Compare(other AbsResourceInstance) int {
	if r.s == other.s {
		return 0
	}
	if c := compareModules(r.s[:r.mod], other.s[:other.mod]); c != 0 {
		return c
	}
	if c := r.Resource().Compare(other.Resource()); c != 0 {
		return c
	}
	return r.Key().Compare(other.Key())
}

// MarshalText returns the text of [AbsResourceInstance.String].
// The error is always nil.
func (r AbsResourceInstance) MarshalText() ([]byte, error) { return []byte(r.s), nil }

// UnmarshalText sets r to the instance that [ParseAbsResourceInstance] returns
// for text. An empty text gives the zero AbsResourceInstance.
func (r *AbsResourceInstance) UnmarshalText(text []byte) error {
	return unmarshal(r, text, ParseAbsResourceInstance)
}
