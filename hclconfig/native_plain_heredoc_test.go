// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
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

// What a template has most of is not gone through again for each line: HCL's parser
// would take minutes.
func TestParse_longTemplates(t *testing.T) {
	n := depth.Of(1000, 8000, 8000)
	for line, references := range map[string]int{
		"  x\n": 0, "  x $y %z\n": 0, "  x ${y} z\n": 1, "  ${y}\n": 1, "$": 0, "$${y}\n": 0, "${y /* c */}\n": 1,
		"%{ if y ~}\n x $ z\n%{ endif ~}\n": 1, "%{ for x in y }x%{ endfor }": 1,
	} {
		text := strings.Repeat(line, n)
		quoted := strings.ReplaceAll(text, "\n", `\n`)
		for name, src := range map[string]string{
			"heredoc.tf": "locals {\na = <<EOT\n" + text + "\nEOT\n}\n", "flush.tf": "locals {\na = <<-EOT\n" + text + "\nEOT\n}\n",
			"argument.tf": "locals {\na = f(<<-EOT\n" + text + "\nEOT\n)\n}\n", "quoted.tf": "locals {\na = \"" + quoted + "\"\n}\n",
			"x.tf.json": `{"locals": {"a": "` + quoted + `"}}`,
		} {
			f, err := Parse(name, []byte(src))
			if err != nil {
				t.Fatal(name, err)
			}
			if got := len(f.Body().Blocks[0].Body.Argument("a").Expression.References()); got != n*references {
				t.Errorf("%s, %q: %d references, want %d", name, line, got, n*references)
			}
		}
	}
}
