// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
)

// BeforeCty returns the object as it is, as a value of type t, with [Sensitive]
// marks on its sensitive parts. It is null if there is none. The type is that
// of the schema of the same version of the provider: [Block.ImpliedType] for a
// resource, [ParseType] of the output's type for an output. See [Value.Cty] for
// errors.
func (c *Change) BeforeCty(t cty.Type) (cty.Value, error) {
	if c == nil {
		return cty.Value{}, nil
	}
	return ctyValue(c.Before, nil, c.BeforeSensitive, t)
}

// AfterCty returns the object as it will be, as a value of type t, with unknown
// values where it is not yet known and [Sensitive] marks on its sensitive parts.
// It is null if there will be no object, and unknown if nothing about it is
// known. See [Change.BeforeCty].
//
// The format does not keep everything: refinements of unknown values (not null,
// a prefix, a length) are lost. Plans of Terraform before 1.3 leave out unknown
// elements of tuples and sets, which is an error here. So is an object that is
// absent without being unknown.
func (c *Change) AfterCty(t cty.Type) (cty.Value, error) {
	if c == nil {
		return cty.Value{}, nil
	}
	if c.After == nil && !plantext.HasTrue(c.AfterUnknown) {
		return cty.NilVal, placed(&c.src, "/after", ErrAbsent)
	}
	return ctyValue(c.After, c.AfterUnknown, c.AfterSensitive, t)
}

// Cty returns the attributes as a value of type t, with [Sensitive] marks on the
// sensitive ones. It is null if there are none. See [Change.BeforeCty]. In the
// planned values of a plan an unknown attribute is missing, and therefore null
// here: use [Change.AfterCty] for those.
func (r *Resource) Cty(t cty.Type) (cty.Value, error) {
	if r == nil {
		return cty.Value{}, nil
	}
	return ctyValue(r.Values, nil, r.SensitiveValues, t)
}

// Cty returns the value of the output with the type stated in the document and the [Sensitive] mark if
// it is sensitive. If the document states no type, the type is that of [Value.Cty] with
// cty.DynamicPseudoType. It is unknown if the value is absent, as planned outputs are.
func (o *Output) Cty() (cty.Value, error) {
	if o == nil {
		return cty.Value{}, nil
	}
	t := cty.DynamicPseudoType
	if o.Type != nil {
		var err error
		if t, err = ParseType(o.Type); err != nil {
			return cty.NilVal, err
		}
	}
	v := cty.UnknownVal(t)
	if o.Value != nil {
		var err error
		if v, err = o.Value.Cty(t); err != nil {
			return cty.NilVal, err
		}
	}
	if o.Sensitive {
		v = v.Mark(Sensitive)
	}
	return v, nil
}

// ImpliedType returns the type of the identity, an object. It is the type for
// [Value.Cty] of [Change.AfterIdentity] and [Resource.Identity].
func (s *IdentitySchema) ImpliedType() (cty.Type, error) {
	if s == nil {
		return cty.Type{}, nil
	}
	types := make(map[string]cty.Type, len(s.Attributes))
	for name, a := range s.Attributes {
		at := "/attributes/" + jsonscan.EscapePointer(name)
		if a == nil {
			return cty.NilType, &Error{Pointer: at, Err: ErrAbsent}
		}
		t, err := ParseType(a.Type)
		if err != nil {
			return cty.NilType, placed(&a.src, at+"/type", err)
		}
		types[cty.NormalizeString(name)] = t.WithoutOptionalAttributesDeep()
	}
	return cty.Object(types), nil
}
