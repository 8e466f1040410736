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
	if b.Plain == nil {
		return
	}
	text := hcllang.Member{Arg: &hcllang.Argument{Name: a.Name, Lit: hcllang.StringLiteral}}
	native := c.f.Syntax() == hclconfig.NativeSyntax // JSON is text where no references are read
	for _, m := range hclsource.OfArgument(a, b.Type, nil) {
		if c.has(m.Support) || b.Type == "provisioner" || b.Type == "connection" {
			continue
		}
		switch m.Support {
		case hclsource.ImportKey, hclsource.ImportEach:
			if !c.has(hclsource.ImportEach) {
				c.unreadableTarget(b)
				// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
				c.report(a.Expression.Range(), "Invalid expression",
					"A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.")
			}
		case hclsource.RemoteTestModule:
			// OpenTofu 1.12.6, internal/configs/module_call.go: decodeModuleBlock.
			c.report(a.NameRange(), "Invalid module source address", "The module of a run can only be a local one or one of a registry.")
		}
	}
	// The id is a text in that release, decoded as other literals are.
	if b.Spec == hcllang.ImportBlock && a.Name == "id" && !c.has(hclsource.ImportID) && (native || !hclsource.Needs(a.Expression)) {
		c.literal(a, hclsource.Body{Body: &b.Body, Spec: b.Spec}, text)
	}
	if !c.has(hclsource.ProviderFunctions) && strings.Contains(a.Expression.Raw(), "::") {
		for _, call := range hclsource.Calls(a.Expression) {
			if i := strings.Index(call.Name, "::"); i >= 0 && !native { // or else see firstNamespace
				c.namespace(call.At, i, b.Range())
			}
		}
	}
}

// namespace reports a function in a namespace to a release whose grammar has none: what it finds
// wrong is the first colon, after length bytes, and why depends on what is around.
func (c *checker) namespace(at addrs.Range, length int, block addrs.Range) {
	before := bytes.TrimRight(c.f.Bytes()[:at.Start.Offset], " \t\r\n")
	// HCL, hclsyntax/parser.go: parser.finishParsingBodyAttribute.
	summary := "Missing newline after argument"
	switch {
	case bytes.HasSuffix(before, []byte("${")), bytes.HasSuffix(before, []byte("${~")), c.f.Syntax() == hclconfig.JSONSyntax:
		// HCL, hclsyntax/parser_template.go: parser.parseTemplateParts.
		summary = "Extra characters after interpolation expression"
	case bytes.HasSuffix(before, []byte("[")):
		// HCL, hclsyntax/parser.go: parser.parseTupleCons.
		summary = "Missing item separator"
	case bytes.HasSuffix(before, []byte("(")):
		// HCL, hclsyntax/parser.go: parser.parseExpressionTerm.
		summary = "Unbalanced parentheses"
		if before = before[:len(before)-1]; len(before) > 0 && (before[len(before)-1] == '_' || isLetterOrDigit(before[len(before)-1])) {
			// HCL, hclsyntax/parser.go: parser.finishParsingFunctionCall.
			summary = "Missing argument separator"
		}
	}
	// A block on one line ends at its brace, not at a newline.
	if summary == "Missing newline after argument" && block.Start.Line == block.End.Line {
		// HCL, hclsyntax/parser.go: parser.finishParsingBodyBlock.
		summary = "Invalid single-argument block definition"
	}
	colon := at
	colon.Start.Offset += int64(length)
	colon.Start.Column += length
	colon.End = colon.Start
	colon.End.Offset++
	colon.End.Column++
	c.report(colon, summary, "%s has no functions in namespaces.", strings.TrimSpace(c.f.Dialect().String()))
}

// firstNamespace reports the first function in a namespace of a native file, in whatever block,
// to a release whose parser does not find the others after it.
func (c *checker) firstNamespace() {
	if c.f.Syntax() != hclconfig.NativeSyntax || c.has(hclsource.ProviderFunctions) || !bytes.Contains(c.f.Bytes(), []byte("::")) {
		return
	}
	var first, around addrs.Range
	length := 0
	var visit func(b *hclconfig.Body, block addrs.Range)
	visit = func(b *hclconfig.Body, block addrs.Range) {
		for i := range b.Arguments {
			e := b.Arguments[i].Expression
			if !strings.Contains(e.Raw(), "::") {
				continue
			}
			for _, call := range hclsource.Calls(e) {
				if n := strings.Index(call.Name, "::"); n >= 0 && (length == 0 || call.At.Start.Offset < first.Start.Offset) {
					first, around, length = call.At, block, n
				}
			}
		}
		for i := range b.Blocks {
			visit(&b.Blocks[i].Body, b.Blocks[i].Range())
		}
	}
	// The file itself is no block on one line.
	visit(c.f.Body(), addrs.Range{End: addrs.Pos{Line: 1}})
	if length > 0 {
		c.namespace(first, length, around)
	}
}

// isLetterOrDigit reports whether b can be a part of the name of a function.
func isLetterOrDigit(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
