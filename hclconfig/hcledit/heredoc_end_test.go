// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestHeredocKeepsItsEnd replaces the text that a heredoc ends with: its marker keeps a line of its own,
// also if another heredoc with the same marker follows, which would make the result valid.
func TestHeredocKeepsItsEnd(t *testing.T) {
	const src = "a = <<EOT\ntext ${var.x} end\nEOT\nb = <<EOT\nother\nEOT\n"
	f, err := hclconfig.ParseNative("x.tfvars", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	parts := f.Body().Argument("a").Expression.Parts()
	last := parts[len(parts)-1]
	if err := Edit(f).Replace(last, "new").Err(); !errors.Is(err, ErrEdit) {
		t.Errorf("a text without a line break: %v", err)
	}
	out, err := Edit(f).Replace(last, " new\n").Apply()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(src, " end", " new", 1); string(out.Bytes()) != want {
		t.Errorf("got\n%swant\n%s", out.Bytes(), want)
	}
}

// TestWrapPiece wraps pieces of the text of a template, in both syntaxes.
func TestWrapPiece(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"x.tf":      {"locals {\n  a = \"p \\\"q\\\" ${var.x}\"\n}\n", "locals {\n  a = \"${f(\"p \\\"q\\\" \")}${var.x}\"\n}\n"},
		"y.tf":      {"locals {\n  a = <<EOT\np ${var.x}\nEOT\n}\n", "locals {\n  a = <<EOT\n${f(\"p \")}${var.x}\nEOT\n}\n"},
		"x.tf.json": {`{"locals": {"a": "p ${var.x}"}}`, `{"locals": {"a": "${f(\"p \")}${var.x}"}}`},
	} {
		f, err := hclconfig.Parse(name, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		body := &f.Body().Blocks[0].Body
		out, err := Edit(f).Wrap(body.Argument("a").Expression.Parts()[0], "f(_)").Apply()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if string(out.Bytes()) != c.want {
			t.Errorf("%s: got %s, want %s", name, out.Bytes(), c.want)
		}
		// The piece stands for the code from then on.
		out, err = Edit(f).Wrap(body.Argument("a").Expression.Parts()[0], "f(_)").Replace(body.Argument("a").Expression.Parts()[0], Source("g()")).Apply()
		if err != nil || !strings.Contains(string(out.Bytes()), "${g()}${var.x}") {
			t.Errorf("%s: replaced after that: %v", name, err)
		}
	}
}
