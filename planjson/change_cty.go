// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/planmask"
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

// NewChange returns the change of a resource from one value to another, with
// the companions after_unknown, before_sensitive and after_sensitive in the
// shapes that OpenTofu gives them. It is the inverse of [Change.BeforeCty] and
// [Change.AfterCty]. Unknown values may be anywhere in after. Marks of any kind
// count as sensitive. A null value means that there is no object.
//
// The error is an [*Error] if a part of before is unknown, or if a value has no
// JSON form, as infinity. Refinements of unknown values, such as not null, are
// lost.
func NewChange(actions Actions, before, after cty.Value) (*Change, error) {
	c := &Change{Actions: actions}
	var err error
	if c.Before, c.BeforeSensitive, err = knownCompanions(before); err != nil {
		return nil, err
	}
	known, _ := after.UnmarkDeep()
	switch {
	case known.IsWhollyKnown():
		// A known object has no structure in after_unknown, only this.
		c.AfterUnknown = Value("{}")
		c.After, c.AfterSensitive, err = knownCompanions(after)
		return c, err
	case known.IsKnown():
		if c.After, err = appendKnown(nil, known); err != nil {
			return nil, &Error{Line: 1, Column: 1, Pointer: "/after", Err: err}
		}
	}
	c.AfterUnknown, _ = appendUnknown(nil, known)
	c.AfterSensitive, _ = appendSensitive(nil, after)
	return c, nil
}

// NewOutputChange returns the change of an output from one value to another. It
// differs from [NewChange] in the shapes: the value of an output is sensitive
// as a whole or not at all, and after_unknown is false if all is known.
func NewOutputChange(actions Actions, before, after cty.Value) (*Change, error) {
	sensitive := Value("false")
	if before.ContainsMarked() || after.ContainsMarked() {
		sensitive = Value("true")
	}
	before, _ = before.UnmarkDeep()
	after, _ = after.UnmarkDeep()
	c, err := NewChange(actions, before, after)
	if err != nil {
		return nil, err
	}
	if after.IsWhollyKnown() {
		c.AfterUnknown = Value("false")
	}
	c.BeforeSensitive, c.AfterSensitive = sensitive, sensitive
	return c, nil
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

// knownCompanions returns a known value and its sensitive parts.
func knownCompanions(v cty.Value) (value, sensitive Value, err error) {
	known, _ := v.UnmarkDeep()
	if value, err = CtyValue(known); err != nil {
		return nil, nil, err
	}
	sensitive, _ = appendSensitive(nil, v)
	return value, sensitive, nil
}

// appendKnown writes the known parts of v, which has no marks: unknown members
// of objects and maps are left out, unknown elements are null.
func appendKnown(dst Value, v cty.Value) (Value, error) {
	switch t := v.Type(); {
	case !v.IsKnown():
		return append(dst, "null"...), nil
	case v.IsNull() || v.IsWhollyKnown():
		text, err := CtyValue(v)
		return append(dst, text...), err
	case t.IsMapType() || t.IsObjectType():
		dst = append(dst, '{')
		for it, sep := v.ElementIterator(), false; it.Next(); {
			name, e := it.Element()
			if !e.IsKnown() {
				continue
			}
			if sep {
				dst = append(dst, ',')
			}
			sep = true
			dst = append(jsonscan.AppendQuote(dst, name.AsString(), true), ':')
			var err error
			if dst, err = appendKnown(dst, e); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	dst = append(dst, '[')
	for it, sep := v.ElementIterator(), false; it.Next(); sep = true {
		if sep {
			dst = append(dst, ',')
		}
		_, e := it.Element()
		var err error
		if dst, err = appendKnown(dst, e); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

// appendUnknown writes which parts of v are unknown. It reports whether there
// is anything to say: a member of an object for which there is not is left out.
func appendUnknown(dst Value, v cty.Value) (Value, bool) {
	switch {
	case !v.IsKnown():
		return append(dst, "true"...), true
	case v.IsNull() || v.Type().IsPrimitiveType() || v.Type().IsCapsuleType():
		return append(dst, "false"...), false
	}
	return appendCompanion(dst, v, appendUnknown), true
}

// appendSensitive writes which parts of v are marked. It reports what
// appendUnknown reports.
func appendSensitive(dst Value, v cty.Value) (Value, bool) {
	if v.IsMarked() {
		return append(dst, "true"...), true
	}
	switch t := v.Type(); {
	case v.IsNull() || t.IsPrimitiveType() || t.IsCapsuleType() || t == cty.DynamicPseudoType:
		return append(dst, "false"...), false
	case !v.IsKnown() && (t.IsMapType() || t.IsObjectType()):
		return append(dst, "{}"...), true
	case !v.IsKnown():
		return append(dst, "[]"...), true
	}
	return appendCompanion(dst, v, appendSensitive), true
}

// appendCompanion writes the companion of a known container: containers in it
// keep their empty skeleton, scalars in objects and maps are left out.
func appendCompanion(dst Value, v cty.Value, part func(Value, cty.Value) (Value, bool)) Value {
	t := v.Type()
	if !t.IsMapType() && !t.IsObjectType() {
		dst = append(dst, '[')
		for it, sep := v.ElementIterator(), false; it.Next(); sep = true {
			if sep {
				dst = append(dst, ',')
			}
			_, e := it.Element()
			dst, _ = part(dst, e)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	sep := false
	for it := v.ElementIterator(); it.Next(); {
		name, e := it.Element()
		start := len(dst)
		if sep {
			dst = append(dst, ',')
		}
		dst = append(jsonscan.AppendQuote(dst, name.AsString(), true), ':')
		var said bool
		if dst, said = part(dst, e); !said {
			dst = dst[:start]
			continue
		}
		sep = true
	}
	return append(dst, '}')
}
