// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A Variable is a variable block: an input variable of the module.
type Variable struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Type is the type constraint: [Variable.TypeConstraint] reads it. If
	// absent, any value will do.
	Type Expression
	// Default is the default value, which may be null: see
	// [Variable.DefaultValue]. It is absent if the caller must give a value.
	Default     Expression
	Description Text // for people; may be absent
	// Sensitive says whether the value is hidden in output. It is false if
	// absent.
	Sensitive Flag
	// Nullable says whether a caller may set null; if not, null means the
	// default. It is true if absent: use Nullable.Or(true).
	Nullable Flag
	// Ephemeral says whether the value is kept out of states and plans (since
	// OpenTofu 1.11). It is false if absent.
	Ephemeral Flag
	// Const says whether the value must be known without the state, so that
	// arguments of [KindStatic] may use it, or must not be used so (since
	// OpenTofu 1.12). If absent, OpenTofu finds out: that is not the same as
	// false.
	Const Flag
	// Deprecated is a message for callers that set the variable (since
	// OpenTofu 1.10). If absent, it is not deprecated.
	Deprecated Text
	// Validations are the validation blocks in order.
	Validations []*CheckRule
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newVariable(b *Block) *Variable {
	return &Variable{
		Block: b, Name: b.label(0), Type: b.expr("type"), Default: b.expr("default"),
		Description: b.textArg("description"), Sensitive: b.flagArg("sensitive"), Nullable: b.flagArg("nullable"),
		Ephemeral: b.flagArg("ephemeral"), Const: b.flagArg("const"), Deprecated: b.textArg("deprecated"),
		Validations: b.rules("validation"),
	}
}

// Required reports whether a caller of the module must set the variable.
func (v *Variable) Required() bool { return !v.Default.IsSet() }

// DefaultValue returns the default as written, before it is converted to the
// variable's type. It is cty.NilVal if there is none. The error is that of
// [Expression.Constant].
func (v *Variable) DefaultValue() (cty.Value, error) {
	if !v.Default.IsSet() {
		return cty.NilVal, nil
	}
	return v.Default.Constant()
}

// TypeConstraint returns the variable's type, and the defaults of its optional
// attributes, or nil if it has none: cty.DynamicPseudoType if any value will
// do. Where an override file replaces the type, the defaults are still those of
// Block, as in OpenTofu. The error is that of [Expression.TypeConstraint].
func (v *Variable) TypeConstraint() (cty.Type, *typeexpr.Defaults, error) {
	typ, defaults, err := v.Type.TypeConstraint()
	if err != nil || len(v.OverriddenBy) == 0 {
		return typ, defaults, err
	}
	_, defaults, err = v.Block.expr("type").TypeConstraint()
	return typ, defaults, err
}

// TypedDefault returns the default after conversion to the variable's type, as
// plans have it. Attributes that it leaves out have the defaults that the type
// gives them in the block where the default is written. It is cty.NilVal if
// there is none. The error is an [*Error]; it wraps [ErrKind] if the default is
// not of the type.
func (v *Variable) TypedDefault() (cty.Value, error) {
	value, err := v.DefaultValue()
	if err != nil || value == cty.NilVal {
		return value, err
	}
	typ, _, err := v.TypeConstraint()
	if err != nil {
		return cty.NilVal, err
	}
	from := v.Block
	for _, o := range v.OverriddenBy {
		if o.Argument("default") != nil {
			from = o
		}
	}
	if _, defaults, err := from.expr("type").TypeConstraint(); err == nil && defaults != nil && !value.IsNull() {
		value = defaults.Apply(value)
	}
	value, err = convert.Convert(value, typ)
	if err != nil {
		return cty.NilVal, v.Default.file.faultf(int(v.Default.at.Start), ErrKind, "the default of var.%s is not of its type: %s", v.Name, err)
	}
	return value, nil
}

// A Local is one local value: an argument of a locals block.
type Local struct {
	Block    *Block    // the locals block that declares it first
	Argument *Argument // its value, which may be in an override file
	Name     string    // the name, as in local.NAME
	// OverriddenBy has the arguments of override files that replaced this
	// one, the last of which is Argument.
	OverriddenBy []*Argument
}

// An Output is an output block: an output value of the module.
type Output struct {
	// Block is the block, and Name its label.
	Block *Block
	Name  string
	// Value is the value. It may be absent from a broken block, and from one in
	// an override file.
	Value Expression
	// Type is the type constraint of Terraform 1.15. OpenTofu has none.
	Type        Expression
	Description Text // for people; may be absent
	// Sensitive says whether the value is hidden in output, Ephemeral whether
	// it is kept out of states and plans (since OpenTofu 1.11). Both are false
	// if absent.
	Sensitive, Ephemeral Flag
	// Deprecated is a message for those that refer to the output (since
	// OpenTofu 1.10). If absent, it is not deprecated.
	Deprecated Text
	// DependsOn is a list of references to what must be done before the value
	// is used.
	DependsOn Expression
	// Preconditions are the precondition blocks in order, which are checked
	// before the value is.
	Preconditions []*CheckRule
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newOutput(b *Block) *Output {
	return &Output{
		Block: b, Name: b.label(0), Value: b.expr("value"), Type: b.expr("type"),
		Description: b.textArg("description"), Sensitive: b.flagArg("sensitive"), Ephemeral: b.flagArg("ephemeral"),
		Deprecated: b.textArg("deprecated"), DependsOn: b.expr("depends_on"), Preconditions: b.rules("precondition"),
	}
}
