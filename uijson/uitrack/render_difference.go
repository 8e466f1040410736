// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/uijson"
)

// difference writes both sides of a comparison that failed, attribute by
// attribute. The form is close to, but not the same as, that of the CLI.
func (r Renderer) difference(b *bytes.Buffer, d *uijson.Difference) {
	if d == nil {
		return
	}
	t := diffText{r: r}
	t.value("", " ", side{d.Before, d.BeforeSensitive, nil}, side{d.After, d.AfterSensitive, d.AfterUnknown}, 0)
	r.separator(b)
	r.bar(b)
	r.esc(b, escBold)
	b.WriteString("Diff: ")
	r.esc(b, escReset)
	b.WriteByte('\n')
	for line := range strings.SplitSeq(strings.TrimRight(t.b.String(), "\n"), "\n") {
		r.bar(b)
		b.WriteString("  " + line + "\n")
	}
}

// A side is one side of a comparison: a value with the marks of its sensitive
// and unknown parts.
type side struct{ value, sensitive, unknown uijson.Value }

// text returns the value in one line.
func (s side) text(show bool) string {
	switch {
	case holdsTrue(s.sensitive) && !show:
		return uijson.Redacted
	case string(s.unknown) == "true":
		return "(known after apply)"
	case s.value == nil:
		return "null"
	}
	// A value is JSON, so a control character in it is an escape already.
	return uijson.Sanitize(string(compact(s.value)))
}

// member returns the side that belongs to one attribute.
func (s side) member(name string) side {
	return side{memberOf(s.value, name), memberOrTrue(s.sensitive, name), memberOrTrue(s.unknown, name)}
}

// A diffText collects the lines of a difference.
type diffText struct {
	r Renderer
	b bytes.Buffer
}

// maxDiffDepth is the depth below which a difference shows whole values.
const maxDiffDepth = 16

// value writes the lines for one attribute.
func (t *diffText) value(label, mark string, before, after side, depth int) {
	whole := !t.r.ShowSensitive && (string(before.sensitive) == "true" || string(after.sensitive) == "true")
	old, now := object(before.value), object(after.value)
	if whole || old == nil || now == nil || depth == maxDiffDepth {
		a, z := before.text(t.r.ShowSensitive), after.text(t.r.ShowSensitive)
		if a != z {
			a += " -> " + z
		}
		t.line(label+a, mark, depth)
		return
	}
	t.line(label+"{", mark, depth)
	names := map[string]bool{}
	for _, d := range [][]byte{old, now} {
		for name := range jsonscan.Members(d) {
			names[string(jsonscan.AppendUnquote(nil, name))] = true
		}
	}
	same := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		o, n := before.member(name), after.member(name)
		label := uijson.Sanitize(name) + " = "
		switch {
		case o.value == nil && string(n.unknown) != "true" || o.value == nil && n.value == nil:
			t.line(label+n.text(t.r.ShowSensitive), "+", depth+1)
		case n.value == nil && string(n.unknown) != "true":
			t.line(label+o.text(t.r.ShowSensitive), "-", depth+1)
		case bytes.Equal(compact(o.value), compact(n.value)):
			same++
		default:
			t.value(label, "~", o, n, depth+1)
		}
	}
	if same > 0 {
		t.line("# (the same in "+plural(same, "attribute")+")", " ", depth+1)
	}
	t.line("}", " ", depth)
}

// line writes one line with its mark.
func (t *diffText) line(text, mark string, depth int) {
	color := map[string]string{"+": escGreen, "-": escRed, "~": escYellow}[mark]
	t.b.WriteString(strings.Repeat("    ", depth))
	if color != "" {
		t.r.esc(&t.b, color)
	}
	t.b.WriteString(mark)
	if color != "" {
		t.r.esc(&t.b, escReset)
	}
	t.b.WriteString(" " + text + "\n")
}

// memberOrTrue does the same for a map of marks, where true means the whole
// value.
func memberOrTrue(v uijson.Value, name string) uijson.Value {
	if string(v) == "true" {
		return v
	}
	return memberOf(v, name)
}

// holdsTrue reports whether there is a true anywhere in a map of marks.
func holdsTrue(v uijson.Value) bool {
	return bytes.Contains(v, []byte("true"))
}

// object returns the text of v without white space around it if it is a valid
// object, or else nil.
func object(v uijson.Value) []byte {
	d := bytes.TrimSpace(v)
	if len(d) == 0 || d[0] != '{' || !jsonscan.Valid(d) {
		return nil
	}
	return d
}

// memberOf returns the last member of an object with this name, or nil.
func memberOf(v uijson.Value, name string) (found uijson.Value) {
	d := object(v)
	if d == nil {
		return nil
	}
	for tok, value := range jsonscan.Members(d) {
		if string(jsonscan.AppendUnquote(nil, tok)) == name {
			found = value
		}
	}
	return found
}

// compact returns v without white space between its tokens, or v if it is not
// valid JSON.
func compact(v uijson.Value) []byte {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return v
	}
	return b.Bytes()
}
