// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"github.com/zclconf/go-cty/cty"
)

// A Variable is a variable block: an input of the module.
type Variable struct {
	Block *Block
	Name  string
	// Type is the type constraint; without one, any value will do.
	Type Expression
	// Default is absent if the caller must give a value.
	Default     Expression
	Description Text
	Sensitive   Flag
	Nullable    Flag // true if absent
	Ephemeral   Flag
	Const       Flag
	Deprecated  Text
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
// variable's type. It is cty.NilVal if there is none.
func (v *Variable) DefaultValue() (cty.Value, error) {
	if !v.Default.IsSet() {
		return cty.NilVal, nil
	}
	return v.Default.Constant()
}

// A Local is one local value.
type Local struct {
	Block    *Block // the locals block that it is in
	Argument *Argument
	Name     string
	// OverriddenBy has the arguments of override files that replaced this
	// one, the last of which is Argument.
	OverriddenBy []*Argument
}

// An Output is an output block.
type Output struct {
	Block         *Block
	Name          string
	Value         Expression
	Type          Expression // Terraform only
	Description   Text
	Sensitive     Flag
	Ephemeral     Flag
	Deprecated    Text
	DependsOn     Expression
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
