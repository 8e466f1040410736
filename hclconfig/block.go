// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Text is a literal string argument. It is absent if Argument is nil.
type Text struct {
	// Value is the text, or empty if it is absent or not a constant.
	Value string
	// Argument is the argument, with its expression and place, or nil. Where the text is a
	// member of an object, as the source of a required provider, it stands for the member.
	Argument *Argument
}

// IsSet reports whether the argument is present.
func (t Text) IsSet() bool { return t.Argument != nil }

// A Flag is a literal boolean argument. It is absent if Argument is nil.
type Flag struct {
	// Value is the boolean. It is false if the argument is absent or not a
	// constant.
	Value bool
	// Argument is the argument, with its expression and place, or nil.
	Argument *Argument
}

// IsSet reports whether the argument is present.
func (f Flag) IsSet() bool { return f.Argument != nil }

// Or returns the value, or otherwise if the argument is absent. The meaning of
// absence differs between arguments.
func (f Flag) Or(otherwise bool) bool {
	if f.IsSet() {
		return f.Value
	}
	return otherwise
}

// expr returns the expression of an argument, or the zero Expression.
func (b *Block) expr(name string) Expression {
	if b == nil {
		return Expression{}
	}
	if a := b.Argument(name); a != nil {
		return a.Expression
	}
	return Expression{}
}

func (b *Block) textArg(name string) Text {
	if b == nil {
		return Text{}
	}
	a := b.Argument(name)
	if a == nil {
		return Text{}
	}
	s, _ := a.Text() // Validate reports anything that is not constant text
	return Text{Value: s, Argument: a}
}

func (b *Block) flagArg(name string) Flag {
	if b == nil {
		return Flag{}
	}
	a := b.Argument(name)
	if a == nil {
		return Flag{}
	}
	v, _ := a.Bool()
	return Flag{Value: v, Argument: a}
}

// label returns label i, or "" where a broken block lacks it.
func (b *Block) label(i int) string {
	if i < len(b.Labels) {
		return b.Labels[i]
	}
	return ""
}

// A CheckRule is a block with a condition and a message: a validation, a
// precondition, a postcondition or an assertion.
type CheckRule struct {
	// Block is the block: its Type says which of these it is.
	Block *Block
	// Condition must be true, and ErrorMessage is the text to show if it is
	// not. Both may be any expression. A valid block has both.
	Condition, ErrorMessage Expression
}

// rules returns the nested blocks of that type.
func (b *Block) rules(typ string) []*CheckRule {
	if b == nil {
		return nil
	}
	var out []*CheckRule
	for r := range b.Body.BlocksOfType(typ) {
		out = append(out, &CheckRule{Block: r, Condition: r.expr("condition"), ErrorMessage: r.expr("error_message")})
	}
	return out
}

// Own returns the part of the body that the language does not define: the
// arguments and blocks that belong to the schema of a provider, provisioner or
// backend, or that set a module's input variables. They include those in the
// escape block "_".
func (b *Body) Own() *Body {
	if b == nil {
		return nil
	}
	own := &Body{file: b.file, spec: hcllang.Open, at: b.at, from: []*Body{b}}
	own.addOwn(b)
	return own
}

// From returns the bodies that b was made from by [Body.Own] or [Resource.Config], each
// as it is in its file: that of the block first, then those of override files. It
// returns nil for a body that was not made from others.
func (b *Body) From() []*Body {
	if b == nil {
		return nil
	}
	return slices.Clone(b.from)
}

func (b *Body) addOwn(from *Body) {
	spec := from.spec
	if spec == nil {
		spec = hcllang.Open
	}
	n := 0
	for i := range from.Arguments {
		if spec.Lookup(from.Arguments[i].Name).Arg == nil {
			n++
		}
	}
	if b.Arguments == nil && n > 0 {
		b.Arguments = make([]Argument, 0, n)
	}
	for i := range from.Arguments {
		if spec.Lookup(from.Arguments[i].Name).Arg == nil {
			b.Arguments = append(b.Arguments, from.Arguments[i])
		}
	}
	for i := range from.Blocks {
		block := &from.Blocks[i]
		switch {
		case block.Type == "_" && block.spec != hcllang.Open:
			b.addOwn(&block.Body)
		case spec.Lookup(block.Type).Block == nil || block.spec == hcllang.Dynamic:
			b.Blocks = append(b.Blocks, *block)
		}
	}
}

// constraints parses the text as version constraints. They are the zero Constraints
// if the text is absent or null; a text that is no constant is an error.
func (t Text) constraints(parse func(string) (addrs.Constraints, error)) (addrs.Constraints, error) {
	if t.Value == "" {
		if !t.IsSet() {
			return addrs.Constraints{}, nil
		}
		v, err := t.Argument.Constant()
		if err == nil && v.IsNull() {
			return addrs.Constraints{}, nil
		}
		if err == nil {
			_, err = t.Argument.Text()
		}
		if err != nil {
			return addrs.Constraints{}, err
		}
	}
	c, err := parse(t.Value)
	if err != nil {
		return c, t.Argument.file.fault(int(t.Argument.at.Start), err)
	}
	return c, nil
}
