// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// A Resource is the address of a resource inside its module: mode, type and
// name, such as aws_instance.web or data.aws_ami.base. The zero Resource is
// not valid.
type Resource struct{ s string }

// A ConfigResource is a resource block in the configuration: a resource in a
// module path without instance keys, such as module.net.aws_subnet.a.
// The zero ConfigResource is not valid.
type ConfigResource struct {
	s   string
	mod int32
}

// An AbsResource is a resource in a module instance, with all its instances,
// such as module.net["eu"].aws_subnet.a. [Resource.In] makes one. The zero
// AbsResource is not valid.
type AbsResource struct {
	s   string
	mod int32
}

const (
	kindResource       = "resource"
	kindConfigResource = "configuration resource"
	kindAbsResource    = "absolute resource"
)

// NewResource returns the resource of the given mode, type and name. The mode
// must be a known one. The type and the name must be identifiers. A managed
// type cannot be called data, ephemeral or module, because its address would
// mean something else. Otherwise the error is an [*Error].
func NewResource(mode Mode, typ, name string) (Resource, error) {
	switch {
	case mode.rank() == 0:
		return Resource{}, faultf(0, "the mode is not managed, data or ephemeral").as("mode", string(mode))
	case !isIdent(typ):
		return Resource{}, notIdent(typ)
	case !isIdent(name):
		return Resource{}, notIdent(name)
	case mode == Managed && (typ == "data" || typ == "ephemeral" || typ == "module"):
		return Resource{}, faultf(0, "a managed resource cannot have the type %s", typ).as(kindResource, typ+"."+name)
	}
	return Resource{mode.prefix() + typ + "." + name}, nil
}

// ParseResource parses the address of a resource inside its module.
func ParseResource(s string) (Resource, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = cmp.Or(l.needNoModule(), l.needNoKey())
	}
	if f != nil {
		return Resource{}, f.as(kindResource, s)
	}
	return Resource{l.text}, nil
}

// ParseConfigResource parses the address of a resource without any instance
// keys.
func ParseConfigResource(s string) (ConfigResource, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = cmp.Or(l.needResource(), l.needNoModuleKey(), l.needNoKey())
	}
	if f != nil {
		return ConfigResource{}, f.as(kindConfigResource, s)
	}
	return ConfigResource{l.text, int32(l.mod)}, nil
}

// ParseAbsResource parses the address of a resource. Module steps may have
// instance keys, the resource has none.
func ParseAbsResource(s string) (AbsResource, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = cmp.Or(l.needResource(), l.needNoKey())
	}
	if f != nil {
		return AbsResource{}, f.as(kindAbsResource, s)
	}
	return AbsResource{l.text, int32(l.mod)}, nil
}

// IsValid reports whether r is not the zero Resource.
func (r Resource) IsValid() bool { return r.s != "" }

// IsValid reports whether r is not the zero ConfigResource.
func (r ConfigResource) IsValid() bool { return r.s != "" }

// IsValid reports whether r is not the zero AbsResource.
func (r AbsResource) IsValid() bool { return r.s != "" }

// split returns the parts of r.
func (r Resource) split() (mode Mode, typ, name string) {
	if r.s == "" {
		return "", "", ""
	}
	mode, typ = Managed, r.s
	if rest, ok := strings.CutPrefix(typ, "data."); ok {
		mode, typ = Data, rest
	} else if rest, ok := strings.CutPrefix(typ, "ephemeral."); ok {
		mode, typ = Ephemeral, rest
	}
	typ, name, _ = strings.Cut(typ, ".")
	return mode, typ, name
}

// Mode returns the mode of r, or "" if r is not valid.
func (r Resource) Mode() Mode {
	mode, _, _ := r.split()
	return mode
}

// Type returns the resource type of r, or "" if r is not valid.
func (r Resource) Type() string {
	_, typ, _ := r.split()
	return typ
}

// Name returns the name of r, or "" if r is not valid.
func (r Resource) Name() string {
	_, _, name := r.split()
	return name
}

// ImpliedProvider returns the local name of the provider that r belongs to if
// its block does not name one: the part of the type before the first
// underscore.
func (r Resource) ImpliedProvider() string {
	name, _, _ := strings.Cut(r.Type(), "_")
	return name
}

// In returns the resource r in the module instance m.
// If r is not valid, the result is not valid either.
func (r Resource) In(m ModuleInstance) AbsResource {
	if r.s == "" {
		return AbsResource{}
	}
	return AbsResource{join(m.s, r.s), int32(len(m.s))}
}

// InConfig returns the resource r in the module m, as the configuration declares it.
// If r is not valid, the result is not valid either.
func (r Resource) InConfig(m Module) ConfigResource {
	if r.s == "" {
		return ConfigResource{}
	}
	return ConfigResource{join(m.s, r.s), int32(len(m.s))}
}

// Module returns the module that r is in.
func (r ConfigResource) Module() Module { return Module{r.s[:r.mod]} }

// Resource returns r inside its module.
func (r ConfigResource) Resource() Resource { return Resource{afterModule(r.s, r.mod)} }

// Module returns the module instance that r is in.
func (r AbsResource) Module() ModuleInstance { return ModuleInstance{r.s[:r.mod]} }

// Resource returns r inside its module.
func (r AbsResource) Resource() Resource { return Resource{afterModule(r.s, r.mod)} }

// Config returns the block that declares r: r without instance keys.
func (r AbsResource) Config() ConfigResource { return r.Resource().InConfig(r.Module().Module()) }

// Instance returns the instance of r with the given key.
// If r or key is not valid, the result is not valid either.
func (r AbsResource) Instance(key InstanceKey) AbsResourceInstance {
	if r.s == "" || !key.IsValid() {
		return AbsResourceInstance{}
	}
	return AbsResourceInstance{r.s + key.String(), r.mod, int32(len(r.s))}
}

// String returns the normal text of r, which is empty if r is not valid.
func (r Resource) String() string { return r.s }

// String returns the normal text of r, which is empty if r is not valid.
func (r ConfigResource) String() string { return r.s }

// String returns the normal text of r, which is empty if r is not valid.
func (r AbsResource) String() string { return r.s }

// Compare returns -1, 0 or +1 in the order of OpenTofu: by mode (ephemeral,
// data, managed), then type, then name.
func (r Resource) Compare(other Resource) int {
	if r.s == other.s {
		return 0
	}
	mode, typ, name := r.split()
	otherMode, otherType, otherName := other.split()
	return cmp.Or(
		mode.compare(otherMode),
		strings.Compare(typ, otherType),
		strings.Compare(name, otherName),
	)
}

// Compare returns -1, 0 or +1: by module, then by resource.
func (r ConfigResource) Compare(other ConfigResource) int {
	return cmp.Or(r.Module().Compare(other.Module()), r.Resource().Compare(other.Resource()))
}

// Compare returns -1, 0 or +1 in the order of OpenTofu: by module instance,
// then by resource.
func (r AbsResource) Compare(other AbsResource) int {
	return cmp.Or(r.Module().Compare(other.Module()), r.Resource().Compare(other.Resource()))
}

// MarshalText returns the text of [Resource.String]. The error is always nil.
func (r Resource) MarshalText() ([]byte, error) { return []byte(r.s), nil }

// MarshalText returns the text of [ConfigResource.String].
// The error is always nil.
func (r ConfigResource) MarshalText() ([]byte, error) { return []byte(r.s), nil }

// MarshalText returns the text of [AbsResource.String].
// The error is always nil.
func (r AbsResource) MarshalText() ([]byte, error) { return []byte(r.s), nil }

// UnmarshalText sets r to the resource that [ParseResource] returns for text.
// An empty text gives the zero Resource.
func (r *Resource) UnmarshalText(text []byte) error { return unmarshal(r, text, ParseResource) }

// UnmarshalText sets r to the resource that [ParseConfigResource] returns for
// text. An empty text gives the zero ConfigResource.
func (r *ConfigResource) UnmarshalText(text []byte) error {
	return unmarshal(r, text, ParseConfigResource)
}

// UnmarshalText sets r to the resource that [ParseAbsResource] returns for text.
// An empty text gives the zero AbsResource.
func (r *AbsResource) UnmarshalText(text []byte) error { return unmarshal(r, text, ParseAbsResource) }
