// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package filecheck

import (
	"bytes"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// meanings reports uses of an argument that the release does not have, as the file alone
// tells: see the table in package hclsource.
func (c *checker) meanings(a *hclconfig.Argument, b hclsource.Block) {
	if c.release == 0 || b.Plain == nil {
		return
	}
	text := hcllang.Member{Arg: &hcllang.Argument{Name: a.Name, Lit: hcllang.StringLiteral}}
	native := c.f.Syntax() == hclconfig.NativeSyntax // JSON is text where no references are read
	for _, m := range hclsource.OfArgument(a, b.Type) {
		if m.Support.In(c.dialect, c.release) {
			continue
		}
		switch m.Support {
		case hclsource.OptionalAttributes:
			if b.Spec == hcllang.VariableBlock {
				c.report(hclsource.DefRange(b.Plain), "Optional object type attributes are experimental",
					"%s does not have optional attributes in types but as an experiment.", c.f.Dialect())
			}
		case hclsource.MessageTemplate, hclsource.ImportID:
			if native {
				c.literal(a, hclsource.Body{Body: &b.Body, Spec: b.Spec}, text)
			}
		case hclsource.ImportKey, hclsource.ImportEach:
			if !hclsource.ImportEach.In(c.dialect, c.release) {
				c.report(a.Expression.Range(), "Invalid expression",
					"A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.")
			}
		case hclsource.ProviderFunctions, hclsource.BuiltInFunctions:
			if !hclsource.ProviderFunctions.In(c.dialect, c.release) {
				c.namespace(m.At, b)
			}
		}
	}
}

// namespace reports a function of a provider to a release whose grammar has no namespaces: what
// it finds wrong is the first colon, and why depends on what is around.
func (c *checker) namespace(at addrs.Range, b hclsource.Block) {
	before := bytes.TrimRight(c.f.Bytes()[:at.Start.Offset], " \t\r\n")
	summary := "Missing newline after argument"
	switch {
	case bytes.HasSuffix(before, []byte("${")), bytes.HasSuffix(before, []byte("${~")), c.f.Syntax() == hclconfig.JSONSyntax:
		summary = "Extra characters after interpolation expression"
	case bytes.HasSuffix(before, []byte("[")):
		summary = "Missing item separator"
	case bytes.HasSuffix(before, []byte("(")):
		summary = "Unbalanced parentheses"
		if before = before[:len(before)-1]; len(before) > 0 && (before[len(before)-1] == '_' || isLetterOrDigit(before[len(before)-1])) {
			summary = "Missing argument separator"
		}
	}
	if r := b.Range(); summary == "Missing newline after argument" && r.Start.Line == r.End.Line {
		summary = "Invalid single-argument block definition"
	}
	colon := at
	colon.Start.Offset += int64(len("provider"))
	colon.Start.Column += len("provider")
	colon.End = colon.Start
	colon.End.Offset++
	colon.End.Column++
	c.report(colon, summary, "%s has no functions in namespaces.", strings.TrimSpace(c.f.Dialect().String()))
}

func isLetterOrDigit(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
