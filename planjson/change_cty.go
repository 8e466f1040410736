// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/planmask"
)

// BeforeCty returns the object as it is, as a value of type t, with [Sensitive]
// marks on its sensitive parts. It is null if there is none. The type is that
// of the schema of the same version of the provider: [Block.ImpliedType] for a
// resource, [ParseType] of the output's type for an output. See [Value.Cty] for
// errors.
func (c *Change) BeforeCty(t cty.Type) (cty.Value, error) {
	return ctyValue(c.Before, nil, c.BeforeSensitive, t)
}

// AfterCty returns the object as it will be, as a value of type t, with unknown
// values where it is not yet known and [Sensitive] marks on its sensitive parts.
// It is null if there will be none, and unknown if nothing is known of it. See
// [Change.BeforeCty].
//
// The format does not keep everything: what is known about unknown values (that
// they are not null, their prefix, their length) is lost. Plans of Terraform
// before 1.3 leave unknown elements of tuples and sets out; they give an error,
// as does a change whose object is absent without being unknown.
func (c *Change) AfterCty(t cty.Type) (cty.Value, error) {
	if c.After == nil && !planmask.HasTrue(c.AfterUnknown) {
		return cty.NilVal, placed(&c.src, "/after", ErrAbsent)
	}
	return ctyValue(c.After, c.AfterUnknown, c.AfterSensitive, t)
}

// Cty returns the attributes as a value of type t, with [Sensitive] marks on the
// sensitive ones. It is null if there are none. See [Change.BeforeCty]. In the
// planned values of a plan an unknown attribute is missing, and therefore null
// here: use [Change.AfterCty] for those.
func (r *Resource) Cty(t cty.Type) (cty.Value, error) {
	return ctyValue(r.Values, nil, r.SensitiveValues, t)
}

// Cty returns the value of the output with the type that the document says, or
// [Value.ImpliedType] if it says none, and with the [Sensitive] mark if it is
// sensitive. It is unknown if the value is absent, as planned outputs are.
func (o *Output) Cty() (cty.Value, error) {
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
