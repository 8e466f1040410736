// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// An Output is an output value inside the module that declares it, such as
// output.vpc_id. The zero Output is not valid.
type Output struct{ s string }

// An AbsOutput is an output value of a module instance, such as
// module.net["eu"].output.vpc_id. The zero AbsOutput is not valid.
type AbsOutput struct {
	s   string
	mod int32
}

const (
	kindOutput    = "output value"
	kindAbsOutput = "absolute output value"

	outputPrefix = "output."
)

// NewOutput returns the output with the given name, which must be an
// identifier. Otherwise the error is an [*Error].
func NewOutput(name string) (Output, error) {
	if !isIdent(name) {
		return Output{}, notIdent(name)
	}
	return Output{outputPrefix + name}, nil
}

// ParseOutput parses the address of an output value inside its module, which
// begins with "output.".
func ParseOutput(s string) (Output, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = cmp.Or(l.needNoModule(), l.needBlock("output"))
	}
	if f != nil {
		return Output{}, f.as(kindOutput, s)
	}
	return Output{l.text}, nil
}

// MustParseOutput is like [ParseOutput] but panics on errors.
func MustParseOutput(s string) Output { return must(ParseOutput(s)) }

// ParseAbsOutput parses the address of an output value of a module instance.
func ParseAbsOutput(s string) (AbsOutput, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = cmp.Or(l.needResource(), l.needBlock("output"))
	}
	if f != nil {
		return AbsOutput{}, f.as(kindAbsOutput, s)
	}
	return AbsOutput{l.text, int32(l.mod)}, nil
}

// MustParseAbsOutput is like [ParseAbsOutput] but panics on errors.
func MustParseAbsOutput(s string) AbsOutput { return must(ParseAbsOutput(s)) }

// needBlock checks that what the layout took for a resource has the form
// BLOCK.NAME, without a key.
func (l *layout) needBlock(block string) *fault {
	rest, ok := strings.CutPrefix(afterModule(l.text[:l.res], int32(l.mod)), block+".")
	if !ok || strings.Contains(rest, ".") {
		return faultf(l.resourceAt, "%s.NAME is expected", block)
	}
	return l.needNoKey()
}

// IsValid reports whether o is not the zero Output.
func (o Output) IsValid() bool { return o.s != "" }

// IsValid reports whether o is not the zero AbsOutput.
func (o AbsOutput) IsValid() bool { return o.s != "" }

// Name returns the name of the output value.
func (o Output) Name() string { return strings.TrimPrefix(o.s, outputPrefix) }

// In returns the output o of the module instance m.
// If o is not valid, the result is not valid either.
func (o Output) In(m ModuleInstance) AbsOutput {
	if o.s == "" {
		return AbsOutput{}
	}
	return AbsOutput{join(m.s, o.s), int32(len(m.s))}
}

// Module returns the module instance that o belongs to.
func (o AbsOutput) Module() ModuleInstance { return ModuleInstance{o.s[:o.mod]} }

// Output returns o inside its module.
func (o AbsOutput) Output() Output { return Output{afterModule(o.s, o.mod)} }

// String returns the normal text of o, which is empty if o is not valid.
func (o Output) String() string { return o.s }

// String returns the normal text of o, which is empty if o is not valid.
func (o AbsOutput) String() string { return o.s }

// Compare returns -1, 0 or +1 by name.
func (o Output) Compare(other Output) int { return strings.Compare(o.s, other.s) }

// Compare returns -1, 0 or +1: by module instance, then by name.
func (o AbsOutput) Compare(other AbsOutput) int {
	return cmp.Or(o.Module().Compare(other.Module()), o.Output().Compare(other.Output()))
}

// AppendText appends the text of [Output.String] to b. The error is always nil.
func (o Output) AppendText(b []byte) ([]byte, error) { return append(b, o.s...), nil }

// AppendText appends the text of [AbsOutput.String] to b.
// The error is always nil.
func (o AbsOutput) AppendText(b []byte) ([]byte, error) { return append(b, o.s...), nil }

// MarshalText returns the text of [Output.String]. The error is always nil.
func (o Output) MarshalText() ([]byte, error) { return []byte(o.s), nil }

// MarshalText returns the text of [AbsOutput.String]. The error is always nil.
func (o AbsOutput) MarshalText() ([]byte, error) { return []byte(o.s), nil }

// UnmarshalText sets o to the output that [ParseOutput] makes of text.
// An empty text gives the zero Output.
func (o *Output) UnmarshalText(text []byte) error { return unmarshal(o, text, ParseOutput) }

// UnmarshalText sets o to the output that [ParseAbsOutput] makes of text.
// An empty text gives the zero AbsOutput.
func (o *AbsOutput) UnmarshalText(text []byte) error { return unmarshal(o, text, ParseAbsOutput) }
