// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// output is the command output.
func output(c *call) error {
	f, err := c.document(c.args[0])
	if err != nil {
		return err
	}
	if c.json {
		s, err := statefile.ShowExactly(&statefile.File{Outputs: f.Outputs}, nil)
		if err != nil {
			return unreadable(err)
		}
		doc := &planjson.Outputs{Outputs: map[string]*planjson.Output{}}
		if s.Values != nil {
			doc.Outputs = s.Values.Outputs
		}
		text, err := planjson.Canonical(doc)
		if err == nil {
			_, err = c.stdout.Write(text)
		}
		return err
	}
	if len(f.Outputs) == 0 {
		fmt.Fprintln(c.stderr, "No outputs found.")
	}
	for _, name := range slices.Sorted(maps.Keys(f.Outputs)) {
		o := f.Outputs[name]
		if o.Sensitive {
			fmt.Fprintf(c.stdout, "%s = <sensitive>\n", name)
			continue
		}
		v, err := o.Cty()
		if err != nil {
			return unreadable(fmt.Errorf("%s: output %s: %w", c.args[0], name, err))
		}
		fmt.Fprintf(c.stdout, "%s = %s\n", name, literal(v, 0))
	}
	return nil
}

// literal returns a value in the language, as both tools print outputs.
//
// Source: OpenTofu internal/repl/format.go.
func literal(v cty.Value, indent int) string {
	t := v.Type()
	switch {
	case v.IsNull():
		return null(t)
	case t == cty.String:
		return text(v.AsString(), indent)
	case t == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case t == cty.Bool:
		return strconv.FormatBool(v.True())
	case t.IsListType():
		return "tolist(" + sequence(v, indent) + ")"
	case t.IsSetType():
		return "toset(" + sequence(v, indent) + ")"
	case t.IsTupleType():
		return sequence(v, indent)
	case t.IsMapType():
		return "tomap(" + mapping(v, indent) + ")"
	}
	return mapping(v, indent)
}

func null(t cty.Type) string {
	switch {
	case t == cty.DynamicPseudoType:
		return "null"
	case t.IsPrimitiveType():
		return "to" + t.FriendlyName() + "(null)"
	case t.IsListType():
		return "tolist(null) /* of " + t.ElementType().FriendlyName() + " */"
	case t.IsSetType():
		return "toset(null) /* of " + t.ElementType().FriendlyName() + " */"
	case t.IsMapType():
		return "tomap(null) /* of " + t.ElementType().FriendlyName() + " */"
	}
	return "null /* " + t.FriendlyName() + " */"
}

// text returns a string: in quotes, or as a heredoc if it has several lines.
func text(s string, indent int) string {
	lines := strings.Split(s, "\n")
	if len(lines) < 2 {
		return strconv.Quote(s)
	}
	end := "EOT"
	for slices.ContainsFunc(lines, func(line string) bool { return strings.TrimSpace(line) == end }) {
		end += "_"
	}
	operator := "<<"
	if indent > 0 {
		operator = "<<-"
	}
	margin := "\n" + strings.Repeat(" ", indent)
	return operator + end + margin + strings.Join(lines, margin) + margin + end
}

func sequence(v cty.Value, indent int) string {
	var b strings.Builder
	b.WriteByte('[')
	margin := "\n" + strings.Repeat(" ", indent)
	for _, e := range v.Elements() {
		b.WriteString(margin + "  " + literal(e, indent+2) + ",")
	}
	if b.Len() > 1 {
		b.WriteString(margin)
	}
	return b.String() + "]"
}

func mapping(v cty.Value, indent int) string {
	var b strings.Builder
	b.WriteByte('{')
	margin := "\n" + strings.Repeat(" ", indent)
	for k, e := range v.Elements() {
		b.WriteString(margin + "  " + literal(k, indent+2) + " = " + literal(e, indent+2))
	}
	if b.Len() > 1 {
		b.WriteString(margin)
	}
	return b.String() + "}"
}
