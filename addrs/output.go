// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// An AbsOutput is an output value of a module instance, such as
// module.net["eu"].output.vpc_id. The zero AbsOutput is not valid.
type AbsOutput struct {
	s   string
	mod int32
}

const (
	kindAbsOutput = "absolute output value"

	outputPrefix = "output."
)

// NewAbsOutput returns the output value with the given name of the module
// instance m. The name must be an identifier. Otherwise the error is an [*Error].
func NewAbsOutput(m ModuleInstance, name string) (AbsOutput, error) {
	if !isIdent(name) {
		return AbsOutput{}, notIdent(name)
	}
	return AbsOutput{join(m.s, outputPrefix+name), int32(len(m.s))}, nil
}

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

// needBlock requires that the resource in the layout has the form BLOCK.NAME,
// without a key.
func (l *layout) needBlock(block string) *fault {
	rest, ok := strings.CutPrefix(afterModule(l.text[:l.res], int32(l.mod)), block+".")
	if !ok || strings.Contains(rest, ".") {
		return faultf(l.resourceAt, "%s.NAME is expected", block)
	}
	return l.needNoKey()
}

// IsValid reports whether o is not the zero AbsOutput.
func (o AbsOutput) IsValid() bool { return o.s != "" }

// Module returns the module instance that o belongs to.
func (o AbsOutput) Module() ModuleInstance { return ModuleInstance{o.s[:o.mod]} }

// Name returns the name of the output value.
func (o AbsOutput) Name() string { return strings.TrimPrefix(afterModule(o.s, o.mod), outputPrefix) }

// String returns the normal text of o, which is empty if o is not valid.
func (o AbsOutput) String() string { return o.s }

// Compare returns -1, 0 or +1: by module instance, then by name.
func (o AbsOutput) Compare(other AbsOutput) int {
	return cmp.Or(o.Module().Compare(other.Module()), strings.Compare(o.Name(), other.Name()))
}

// MarshalText returns the text of [AbsOutput.String]. The error is always nil.
func (o AbsOutput) MarshalText() ([]byte, error) { return []byte(o.s), nil }

// UnmarshalText sets o to the output that [ParseAbsOutput] returns for text.
// An empty text gives the zero AbsOutput.
func (o *AbsOutput) UnmarshalText(text []byte) error { return unmarshal(o, text, ParseAbsOutput) }
