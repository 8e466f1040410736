// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/lockfile"
)

// A diag is the compared part of a diagnostic: what it is about, and which part
// of the text it points at.
type diag struct{ summary, at, subject string }

// diagnosticTests has, for every text, what tofu and terraform 1.11.4 report
// when they load it. The summaries and their number were compared with those
// of the real terraform.
var diagnosticTests = []struct {
	name string
	src  string
	want []diag
}{
	{"valid", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n", nil},
	{"no label", "provider {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Missing source_addr for provider", "1,10", "{"},
	}},
	{"two labels", "provider \"a\" \"b\" {\n}\n", []diag{
		{"Extraneous label for provider", "1,14", "\"b\""},
	}},
	{"module without label", "module {\n}\n", []diag{
		{"Missing path for module", "1,8", "{"},
	}},
	{"modules warn once", "module \"a\" {\n x = 1\n}\nmodule \"b\" {}\n", []diag{
		{"Dependency locks for modules are not yet supported", "1,1", "module"},
	}},
	{"module with two labels", "module \"a\" \"b\" {}\n", []diag{
		{"Extraneous label for module", "1,12", "\"b\""},
	}},
	{"other block", "foo \"x\" {}\n", []diag{
		{"Unsupported block type", "1,1", "foo"},
	}},
	{"argument at top level", "foo = 1\n", []diag{
		{"Unsupported argument", "1,1", "foo"},
	}},
	{"version at top level", "version = \"1.0.0\"\n", []diag{
		{"Unsupported argument", "1,1", "version"},
	}},
	{"nested block", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  foo {}\n\n}\n", []diag{
		{"Unsupported block type", "3,3", "foo"},
	}},
	{"other arguments", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  foo = 1\n  bar = 2\n\n}\n", []diag{
		{"Unsupported argument", "3,3", "foo"},
		{"Unsupported argument", "4,3", "bar"},
	}},
	{"argument twice", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  version = \"1.0.0\"\n\n}\n", []diag{
		{"Attribute redefined", "3,3", "version"},
	}},
	{"no version", "provider \"ex.com/a/b\" {\n\n}\n", []diag{
		{"Missing required argument", "1,23", ""},
	}},
	{"version is null", "provider \"ex.com/a/b\" {\n  version = null\n}\n", []diag{
		{"Missing required argument", "2,13", "null"},
	}},
	{"version is a number", "provider \"ex.com/a/b\" {\n  version = 1\n}\n", []diag{
		{"Invalid provider version number", "2,13", "1"},
	}},
	{"version is a bool", "provider \"ex.com/a/b\" {\n  version = true\n}\n", []diag{
		{"Invalid provider version number", "2,13", "true"},
		{"Invalid provider version number", "2,13", "true"},
	}},
	{"version is a list", "provider \"ex.com/a/b\" {\n  version = [\"1.0.0\"]\n}\n", []diag{
		{"Unsuitable value type", "2,13", "["},
	}},
	{"version is a variable", "provider \"ex.com/a/b\" {\n  version = foo\n}\n", []diag{
		{"Variables not allowed", "2,13", "foo"},
	}},
	{"version is a function call", "provider \"ex.com/a/b\" {\n  version = foo(\"x\")\n}\n", []diag{
		{"Function calls not allowed", "2,13", "foo(\"x\")"},
	}},
	{"version is a template", "provider \"ex.com/a/b\" {\n  version = \"1.${\"0\"}.0\"\n}\n", nil},
	{"version in parentheses", "provider \"ex.com/a/b\" {\n  version = (\"1.0.0\")\n}\n", nil},
	{"version is a conditional", "provider \"ex.com/a/b\" {\n  version = true ? \"1.0.0\" : \"2.0.0\"\n}\n", nil},
	{"version is a wrapped string", "provider \"ex.com/a/b\" {\n  version = \"${\"1.0.0\"}\"\n}\n", nil},
	{"version is a heredoc", "provider \"ex.com/a/b\" {\n  version = <<E\n1.0.0\nE\n}\n", []diag{
		{"Invalid provider version number", "2,13", "<<E\n1.0.0\nE"},
		{"Invalid provider version number", "2,13", "<<E\n1.0.0\nE"},
	}},
	{"version with v", "provider \"ex.com/a/b\" {\n  version = \"v1.0.0\"\n}\n", []diag{
		{"Invalid provider version number", "2,13", "\"v1.0.0\""},
		{"Invalid provider version number", "2,13", "\"v1.0.0\""},
	}},
	{"version is short", "provider \"ex.com/a/b\" {\n  version = \"1.0\"\n}\n", []diag{
		{"Invalid provider version number", "2,13", "\"1.0\""},
	}},
	{"version is empty", "provider \"ex.com/a/b\" {\n  version = \"\"\n}\n", []diag{
		{"Invalid provider version number", "2,13", "\"\""},
		{"Invalid provider version number", "2,13", "\"\""},
	}},
	{"version 0.0.0", "provider \"ex.com/a/b\" {\n  version = \"0.0.0\"\n}\n", nil},
	{"version with leading zero", "provider \"ex.com/a/b\" {\n  version = \"01.2.3\"\n}\n", []diag{
		{"Invalid provider version number", "2,13", "\"01.2.3\""},
	}},
	{"prerelease", "provider \"ex.com/a/b\" {\n  version = \"1.0.0-beta1\"\n}\n", nil},
	{"build metadata", "provider \"ex.com/a/b\" {\n  version = \"1.0.0+x\"\n}\n", nil},
	{"largest number", "provider \"ex.com/a/b\" {\n  version = \"18446744073709551615.0.0\"\n}\n", nil},
	{"constraints do not parse", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  constraints = \"=> 1\"\n}\n", []diag{
		{"Invalid provider version constraints", "3,17", "\"=> 1\""},
		{"Invalid provider version constraints", "3,17", "\"=> 1\""},
	}},
	{"constraints not normal", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  constraints = \">=1.0\"\n}\n", []diag{
		{"Invalid provider version constraints", "3,17", "\">=1.0\""},
	}},
	{"constraints are null", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  constraints = null\n}\n", []diag{
		{"Unsuitable value type", "3,17", "null"},
	}},
	{"constraints are empty", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  constraints = \"\"\n}\n", nil},
	{"constraints are a variable", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  constraints = var.x\n}\n", []diag{
		{"Variables not allowed", "3,17", "var"},
	}},
	{"hashes are empty", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = []\n}\n", []diag{
		{"Invalid provider hash set", "3,12", "[]"},
	}},
	{"hashes are a string", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = \"h1:x\"\n}\n", []diag{
		{"Invalid expression", "3,13", "h1:x"},
	}},
	{"hashes are null", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = null\n}\n", []diag{
		{"Invalid expression", "3,12", "null"},
	}},
	{"hashes in parentheses", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = ([\"h1:x\"])\n}\n", []diag{
		{"Invalid expression", "3,13", "["},
	}},
	{"hashes are a for expression", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [for x in [\"h1:x\"]: x]\n}\n", []diag{
		{"Invalid expression", "3,12", "["},
	}},
	{"hashes are an object", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = {a=\"h1:x\"}\n}\n", []diag{
		{"Invalid expression", "3,12", "{"},
	}},
	{"hash without scheme", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n \"x\",\n \"h1:a\",\n \":y\"\n]\n}\n", []diag{
		{"Invalid provider hash string", "3,12", "[\n \"x\",\n \"h1:a\",\n \":y\"\n]"},
		{"Invalid provider hash string", "3,12", "[\n \"x\",\n \"h1:a\",\n \":y\"\n]"},
	}},
	{"hashes of other types", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [5, null, true]\n}\n", []diag{
		{"Invalid provider hash string", "3,12", "[5, null, true]"},
		{"Invalid provider hash string", "3,12", "[5, null, true]"},
		{"Unsuitable value type", "3,16", "null"},
	}},
	{"hashes of variables", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n\"h1:x\",\n foo,\n bar(\"x\")\n]\n}\n", []diag{
		{"Variables not allowed", "5,2", "foo"},
		{"Function calls not allowed", "6,2", "bar(\"x\")"},
	}},
	{"odd hashes", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:\", \"zh:ZZ\", \"q9:x\", \"h1:\", \"h1:a\"]\n}\n", nil},
	{"hash in parentheses", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [(\"h1:x\")]\n}\n", nil},
	{"label has one part", "provider \"aws\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"aws\""},
	}},
	{"label has two parts", "provider \"hashicorp/aws\" {\n foo = 1\n  version = \"1.0.0\"\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"hashicorp/aws\""},
	}},
	{"bare label", "provider aws {\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "aws"},
	}},
	{"label in upper case", "provider \"Ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"Ex.com/a/b\""},
	}},
	{"label has four parts", "provider \"a.b/c/d/e\" {\n  version = \"1.0.0\"\n version = \"2.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"a.b/c/d/e\""},
		{"Attribute redefined", "3,2", "version"},
	}},
	{"built-in provider", "provider \"terraform.io/builtin/x\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"terraform.io/builtin/x\""},
	}},
	{"legacy provider", "provider \"registry.terraform.io/-/x\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"registry.terraform.io/-/x\""},
	}},
	{"legacy provider of another host", "provider \"ex.com/-/x\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"ex.com/-/x\""},
	}},
	{"label is a template", "provider \"ex.com/a/${\"b\"}\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"ex.com/a/${\"b\"}\""},
		{"Invalid string literal", "1,20", "${"},
	}},
	{"label with escape", "provider \"ex.com/\\u0061/b\" {\n  version = \"1.0.0\"\n}\n", nil},
	{"label with a space", "provider \"a b/c/d\" {\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"a b/c/d\""},
	}},
	{"label with default port", "provider \"ex.com:443/a/b\" {\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"ex.com:443/a/b\""},
	}},
	{"label in Unicode", "provider \"café.fr/a/b\" {\n  version = \"1.0.0\"\n foo=1\n}\n", []diag{
		{"Unsupported argument", "3,2", "foo"},
	}},
	{"label is decomposed", "provider \"ex.com/café/b\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"ex.com/café/b\""},
	}},
	{"label in punycode", "provider \"xn--caf-dma.fr/a/b\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"xn--caf-dma.fr/a/b\""},
	}},
	{"label in upper-case punycode", "provider \"XN--caf-dma.fr/a/b\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"XN--caf-dma.fr/a/b\""},
	}},
	{"host ends in a dot", "provider \"ex.com./a/b\" {\n  version = \"1.0.0\"\n}\n", nil},
	{"type with a prefix", "provider \"ex.com/a/terraform-b\" {\n  version = \"1.0.0\"\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"ex.com/a/terraform-b\""},
	}},
	{"label is empty", "provider \"\" {\n}\n", []diag{
		{"Invalid provider source address", "1,10", "\"\""},
	}},
	{"duplicates", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\nprovider \"ex.com/a/b\" {\n  version = \"1\"\n}\nprovider \"ex.com/a/b\" {\n\n}\n", []diag{
		{"Duplicate provider lock", "5,1", "provider"},
		{"Invalid provider version number", "6,13", "\"1\""},
		{"Duplicate provider lock", "8,1", "provider"},
		{"Missing required argument", "8,23", ""},
	}},
	{"duplicate of an invalid block", "provider \"ex.com/a/b\" {\n  version = \"x\"\n}\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n", []diag{
		{"Invalid provider version number", "2,13", "\"x\""},
		{"Invalid provider version number", "2,13", "\"x\""},
		{"Duplicate provider lock", "4,1", "provider"},
	}},
	{"same invalid label twice", "provider \"aws\" {}\nprovider \"aws\" {}\n", []diag{
		{"Non-normalized provider source address", "1,10", "\"aws\""},
		{"Non-normalized provider source address", "2,10", "\"aws\""},
	}},
	{"conflict markers", "<<<<<<< HEAD\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n=======\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n>>>>>>> x\n", []diag{
		{"Argument or block definition required", "1,1", "<"},
	}},
	{"block not closed", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n", []diag{
		{"Unclosed configuration block", "1,23", "{"},
	}},
	{"list not closed", "provider \"ex.com/a/b\" {\n  hashes = [\n \"h1:x\"\n\n}\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n", []diag{
		{"Missing required argument", "1,23", ""},
		{"Missing item separator", "5,1", "}"},
	}},
	{"single quotes", "provider \"ex.com/a/b\" {\n version = '1.0.0'\n}\n", []diag{
		{"Invalid character", "2,12", "'"},
		{"Invalid expression", "2,12", "'"},
		{"Unsuitable value type", "2,12", "'"},
	}},
	{"two arguments on one line", "provider \"ex.com/a/b\" { version = \"1.0.0\" constraints = \"1.0.0\" }\n", []diag{
		{"Invalid single-argument block definition", "1,43", "constraints"},
	}},
	{"one line", "provider \"ex.com/a/b\" { version = \"1.0.0\" }", nil},
	{"byte order mark", "\ufeffprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n", nil},
	{"byte order mark inside", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n\ufeffprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\n}\n", []diag{
		{"Invalid character", "5,1", "\ufeff"},
		{"Argument or block definition required", "5,1", "\ufeff"},
	}},
	{"NUL byte", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n\x00\n}\n", []diag{
		{"Invalid character", "3,1", "\x00"},
		{"Argument or block definition required", "3,1", "\x00"},
	}},
	{"bad UTF-8 in a comment", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n# \xe9\n}\n", nil},
	{"bad UTF-8 in a string", "provider \"ex.com/a/b\" {\n  version = \"\xe9\"\n}\n", []diag{
		{"Invalid provider version number", "2,13", "\"\xe9\""},
		{"Invalid provider version number", "2,13", "\"\xe9\""},
		{"Invalid character encoding", "2,14", "\xe9"},
		{"Unterminated template string", "2,14", "\xe9"},
	}},
	{"CRLF", "provider \"ex.com/a/b\" {\r\n  version = \"1.0.0\"\r\n  constraints = \"1\"\r\n}\r\n", []diag{
		{"Invalid provider version constraints", "3,17", "\"1\""},
	}},
	{"CR alone", "provider \"ex.com/a/b\" {\r version = \"1.0.0\"\r}", []diag{
		{"Missing required argument", "1,23", ""},
		{"Invalid character", "1,24", "\r"},
		{"Argument or block definition required", "1,24", "\r"},
		{"Invalid character", "1,43", "\r"},
	}},
	{"semicolon", "provider \"ex.com/a/b\" { version = \"1.0.0\"; }\n", []diag{
		{"Invalid character", "1,42", ";"},
		{"Invalid single-argument block definition", "1,42", ";"},
	}},
	{"JSON", "{\"provider\":{}}", []diag{
		{"Argument or block definition required", "1,1", "{"},
	}},
	{"garbage", "%%%\n", []diag{
		{"Argument or block definition required", "1,1", "%"},
	}},
	{"splat of hashes", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:a\"][*]\n}\n", []diag{
		{"Invalid expression", "3,20", "[*]"},
	}},
	{"version with exponent", "provider \"ex.com/a/b\" {\n  version = 1e5\n}\n", []diag{
		{"Invalid provider version number", "2,13", "1e5"},
	}},
	{"negative version", "provider \"ex.com/a/b\" {\n  version = -1\n}\n", []diag{
		{"Invalid provider version number", "2,13", "-1"},
		{"Invalid provider version number", "2,13", "-1"},
	}},
	{"version is a product", "provider \"ex.com/a/b\" {\n  version = 2*3\n}\n", []diag{
		{"Invalid provider version number", "2,13", "2*3"},
	}},
}

func TestDiagnostics(t *testing.T) {
	for _, test := range diagnosticTests {
		t.Run(test.name, func(t *testing.T) {
			f, err := lockfile.Parse("x.hcl", []byte(test.src))
			var got []diag
			errs := 0
			for _, d := range f.Diagnostics() {
				if d.Detail == "" || d.Subject.Filename != "x.hcl" {
					t.Errorf("incomplete diagnostic %v", d)
				}
				if d.Severity == lockfile.SeverityError {
					errs++
				}
				s := d.Subject
				got = append(got, diag{d.Summary, fmt.Sprintf("%d,%d", s.Start.Line, s.Start.Column), test.src[s.Start.Offset:s.End.Offset]})
			}
			if d := cmp.Diff(test.want, got, cmp.AllowUnexported(diag{})); d != "" {
				t.Error(d)
			}
			var e *lockfile.Error
			if (errs > 0) != errors.As(err, &e) {
				t.Errorf("%d errors, but Parse says %v", errs, err)
			}
			// The error is the first one, or the first of syntax.
			if e != nil && !errors.Is(err, lockfile.ErrSyntax) && !strings.HasPrefix(e.Error(), fmt.Sprintf("lockfile: x.hcl:%s: ", got[0].at)) {
				t.Errorf("the error %q does not name the first place %s", e, got[0].at)
			}
			if string(f.Bytes()) != test.src {
				t.Errorf("Bytes = %q", f.Bytes())
			}
		})
	}
}

// TestDiagnosticsBeyondTofu has the texts on which tofu crashes, takes for ever
// or needs all memory, and which are diagnostics here.
func TestDiagnosticsBeyondTofu(t *testing.T) {
	block := func(body string) string { return "provider \"ex.com/a/b\" {\n" + body + "\n}\n" }
	tests := []struct {
		name, src, summary string
	}{
		{"version beyond 64 bits", block("version = \"18446744073709551616.0.0\""), "Invalid provider version number"},
		{"minor version beyond 64 bits", block("version = \"1.99999999999999999999.0-beta\""), "Invalid provider version number"},
		{"constraint beyond 64 bits", block("version = \"1.0.0\"\nconstraints = \">= 1.0.0, < 18446744073709551616.0.0\""), "Invalid provider version constraints"},
		{"huge number", block("version = 1e999999999"), "Number out of range"},
		{"for expression", block("version = [for x in [1, 2]: [for y in [1, 2]: x]][0]"), "Unsuitable value type"},
		{"splat expression", block("version = [1][*][0]"), "Unsuitable value type"},
		{"huge number among hashes", block("version = \"1.0.0\"\nhashes = [\"h1:${1e999999999}\"]"), "Number out of range"},
		{"deep brackets", block("version = " + strings.Repeat("[", 100000)), "Nesting too deep"},
		{"deep parentheses", block("version = " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000)), "Nesting too deep"},
		{"deep templates", block("version = " + strings.Repeat("\"${", 100000)), "Nesting too deep"},
		{"deep blocks", strings.Repeat("a {\n", 100000), "Nesting too deep"},
		{"deep negation", block("version = " + strings.Repeat("!", 100000) + "true"), "Nesting too deep"},
		{"long sum", block("version = 1" + strings.Repeat("+1", 100000)), "Nesting too deep"},
		{"long conditional", block("version = " + strings.Repeat("true?1:", 50000) + "1"), "Nesting too deep"},
		{"long index", block("version = x" + strings.Repeat("[0]", 100000)), "Nesting too deep"},
		{"long traversal", block("version = x" + strings.Repeat(".a", 100000)), "Nesting too deep"},
		{"deep objects", block("version = " + strings.Repeat("{a=", 100000)), "Nesting too deep"},
		{"mixed brackets", block("version = " + strings.Repeat("[({", 100000)), "Nesting too deep"},
		{"deep calls", block("version = " + strings.Repeat("f(", 100000)), "Nesting too deep"},
		{"deep for", block("version = " + strings.Repeat("[for x in ", 50000)), "Nesting too deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := lockfile.Parse("x.hcl", []byte(test.src))
			if err == nil {
				t.Fatal("no error")
			}
			if got := f.Diagnostics()[0].Summary; got != test.summary {
				t.Errorf("got %q, want %q (%v)", got, test.summary, err)
			}
		})
	}
}

// TestNestingAllowed parses and evaluates texts just below the limit, to show
// that the stack bears it.
func TestNestingAllowed(t *testing.T) {
	n := 3900
	if runtime.GOARCH == "wasm" {
		n = 24 // the stack is the host's
	}
	for _, value := range []string{
		strings.Repeat("(", n) + "\"1.0.0\"" + strings.Repeat(")", n),
		strings.Repeat("!", n) + "true",
		"1" + strings.Repeat("+1", n),
		strings.Repeat("true?", n/2) + "1" + strings.Repeat(":1", n/2),
		strings.Repeat("\"${", n) + "1" + strings.Repeat("}\"", n),
		strings.Repeat("[", n) + strings.Repeat("]", n),
		strings.Repeat("[", n),
		"x" + strings.Repeat("[0]", n-10),
	} {
		f, err := lockfile.Parse("x", []byte("provider \"ex.com/a/b\" {\n  version = "+value+"\n}\n"))
		if f.Diagnostics() != nil && f.Diagnostics()[0].Summary == "Nesting too deep" {
			t.Errorf("%.20s...: %v", value, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	f, err := lockfile.Parse("x", make([]byte, lockfile.MaxSize+1))
	if !errors.Is(err, lockfile.ErrLimit) || !errors.Is(err, lockfile.ErrSyntax) {
		t.Errorf("got %v", err)
	}
	if len(f.Bytes()) != lockfile.MaxSize+1 || len(f.Blocks()) != 0 {
		t.Error("the text was not kept, or looked at")
	}
	if _, err := lockfile.Parse("x", []byte(strings.Repeat("\n", lockfile.MaxSize))); err != nil {
		t.Error(err)
	}
}
