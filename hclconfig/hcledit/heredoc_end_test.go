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
