// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// largeModule is a module of about n times 20 lines.
func largeModule(n int) string {
	var out strings.Builder
	out.WriteString("terraform {\n  required_version = \">= 1.6\"\n}\n")
	for i := range n {
		fmt.Fprintf(&out, "\nvariable \"v%[1]d\" {\n  type        = string\n  description = \"x\"\n  default     = \"a\"\n}\n\nlocals {\n  l%[1]d = \"${var.v%[1]d}-x\"\n}\n\n"+
			"resource \"terraform_data\" \"r%[1]d\" {\n  for_each = toset([\"a\", \"b\"])\n  input    = \"${local.l%[1]d}-${each.key}\"\n}\n\noutput \"o%[1]d\" {\n  description = \"x\"\n  value       = terraform_data.r%[1]d[\"a\"].output\n}\n", i)
	}
	return out.String()
}

// BenchmarkKey changes one character of a module of 2,000 lines and checks it.
func BenchmarkKey(b *testing.B) {
	dir := realPath(b.TempDir())
	text := largeModule(100)
	path := filepath.Join(dir, "main.tf")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	s := newServer(b.Context(), newConn(nil, &bytes.Buffer{}), Options{Analyzers: append(rules.All(), hcllint.Checker())})
	defer s.close()
	s.folders = []string{dir}
	i := 0
	for b.Loop() {
		i++
		changed := strings.Replace(text, "local.l50}-", fmt.Sprintf("local.l50}-%d", i%10), 1)
		s.docs = map[string]*document{path: {parsedFile: &parsedFile{path: nameOf(path), text: []byte(changed)}, uri: uriOf(path), at: path}}
		s.check(s.view(), dir)
	}
}
