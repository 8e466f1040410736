// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Random heredocs have the trees that HCL makes of them.
func TestPlainReader_heredocs(t *testing.T) {
	pieces := []string{
		"\n", "\n", "\n", "  ", "    ", "\t", " ", "x", "y z", "$", "%", "$ {", "${a}", "${b.c[0]}", "${f(\"}\", 1)}", "${\n  a\n}", "${\"x${y}\"}", "$${a}", "%%{a}",
		"%{ if a }x%{ endif }", "${~ a ~}", "EOT", "EOT\n", " EOT x\n", "\r\n", "\\n", "\"", "#", "// x\n", "\u00e9", "e\u0301", "\u00a0", "\v", "${a # c\n}", "${a / 2}", "}", "{",
	}
	r := rand.New(rand.NewPCG(7, 7))
	read := 0
	for range 4000 {
		var b strings.Builder
		b.WriteString([]string{"a = <<EOT\n", "a = <<-EOT\n", "a = f(<<-EOT\n", "a = [<<EOT\n", "a {\n  b = <<-EOT\n", "a = <<EOT\r\n"}[r.IntN(6)])
		open := b.String()
		// A few pieces each time, so that not every heredoc has one of all.
		some := pieces[:3+r.IntN(len(pieces)-2)]
		for range r.IntN(14) {
			b.WriteString(some[r.IntN(len(some))])
		}
		b.WriteString([]string{"\n", "\n", ""}[r.IntN(3)] + []string{"", "  ", "\t"}[r.IntN(3)] + "EOT" + []string{"\n", "\n", " \n", "\r\n", ""}[r.IntN(5)])
		switch {
		case strings.Contains(open, "f("):
			b.WriteString(")\n")
		case strings.Contains(open, "["):
			b.WriteString(", 1]\n")
		case strings.Contains(open, "{"):
			b.WriteString("}\n")
		}
		if checkPlain(t, []byte(b.String())) {
			read++
		}
		if t.Failed() {
			return
		}
	}
	if read < 1000 {
		t.Errorf("only %d of 4000 heredocs were read", read)
	}
}

// What a heredoc has most of is not gone through again for each line.
func TestPlainReader_longHeredocs(t *testing.T) {
	for _, line := range []string{"  x\n", "  x $y %z\n", "  x ${y} z\n", "  ${y}\n"} {
		for _, open := range []string{"a = <<EOT\n", "a = <<-EOT\n"} {
			src := []byte(open + strings.Repeat(line, 20_000) + "EOT\n")
			f, err := ParseNative("x.tf", src)
			if err != nil {
				t.Fatal(err)
			}
			// HCL's parser would take minutes.
			if n, want := len(f.Body().Argument("a").Expression.References()), 20_000*strings.Count(line, "${"); n != want {
				t.Errorf("%q: %d references, want %d", line, n, want)
			}
		}
	}
}
