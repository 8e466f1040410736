// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/agreement"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/uijson"
)

// A codec reads a text and gives it back.
type codec struct {
	name, text string
	decode     func(src []byte) (encode func() ([]byte, error), clone func() func() ([]byte, error), err error)
}

// document makes the codec of a function that decodes a document of planjson.
func document[D planjson.Document](name, text string, decode func([]byte) (D, error)) codec {
	encoder := func(d D) func() ([]byte, error) {
		return func() ([]byte, error) { return planjson.Encode(d) }
	}
	return codec{name, text, func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		d, err := decode(src)
		return encoder(d), func() func() ([]byte, error) { return encoder(planjson.Clone(d)) }, err
	}}
}

// around makes the codec of a function that decodes a document of statefile.
func around[D statefile.Document](name, text string, decode func([]byte) (D, error)) codec {
	encoder := func(d D) func() ([]byte, error) {
		return func() ([]byte, error) { return statefile.Encode(d) }
	}
	return codec{name, text, func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		d, err := decode(src)
		return encoder(d), func() func() ([]byte, error) { return encoder(statefile.Clone(d)) }, err
	}}
}

// codecs has every function of the public packages that reads a text which can
// be written again. Those that have no clone copy what they read.
var codecs = []codec{
	document("planjson.DecodePlan", `{"format_version": "1.2", "x":1}`+"\n", planjson.DecodePlan),
	document("planjson.DecodeState", `{"format_version": "1.0","values":{"root_module":{"resources":[{"address":"a.b", "values":{"c":[1.0]}}]}}}`, planjson.DecodeState),
	document("planjson.DecodeConfig", `{"root_module": {}, "x":1}`, planjson.DecodeConfig),
	document("planjson.DecodeSchemas", `{"format_version": "1.0", "x":1}`, planjson.DecodeSchemas),
	document("planjson.DecodeFunctions", `{"format_version": "1.0", "x":1}`, planjson.DecodeFunctions),
	document("planjson.DecodeValidate", `{"format_version": "1.0", "valid":true}`, planjson.DecodeValidate),
	document("planjson.DecodeVersion", `{"terraform_version": "1.12.0" }`, planjson.DecodeVersion),
	document("planjson.DecodeOutputs", `{"o": {"value":[1.50]} }`, planjson.DecodeOutputs),
	document("planjson.DecodeModules", `{"format_version": "1.0", "x":1}`, planjson.DecodeModules),
	document("planjson.DecodeWorkspaces", `{"format_version": "1.0", "x":1}`, planjson.DecodeWorkspaces),
	document("planjson.DecodeStateShow", `{"format_version": "1.0", "x":1}`, planjson.DecodeStateShow),
	document("planjson.DecodeRendererPlan", `{"plan_format_version": "1.2", "x":1}`, planjson.DecodeRendererPlan),
	{"statefile.Decode", `{"version": 4, "x":[1.0],"serial":1}`, func(text []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		f, err := statefile.Decode(text)
		encoder := func(f *statefile.File) func() ([]byte, error) {
			return func() ([]byte, error) { return statefile.Encode(f) }
		}
		return encoder(f), func() func() ([]byte, error) { return encoder(statefile.Clone(f)) }, err
	}},
	around("statefile.DecodeLockInfo", `{"ID":"1", "Operation":"x","Who":"y"}`, statefile.DecodeLockInfo),
	around("statefile.DecodeBackend", `{"version":3, "backend":{"type":"local","config":{"a":1.0},"hash":1}}`, statefile.DecodeBackend),
	around("statefile.DecodeInstalledModules", `{"Modules":[ {"Key":"","x":1}]}`, statefile.DecodeInstalledModules),
	around("statefile.DecodeEnvelope", `{"meta":{}, "encrypted_data":"AA==","encryption_version":"v0","x":1}`, statefile.DecodeEnvelope),
	{"statefile.DecodeEnvironment", " prod1\n", func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		e, err := statefile.DecodeEnvironment(src)
		return func() ([]byte, error) { return e.Bytes(), nil }, nil, err
	}},
	document("planjson.DecodeRendererState", `{"state_format_version": "1.0", "x":1}`, planjson.DecodeRendererState),
	{"uijson.Decode", `{"@level":"info", "@message":"m","x":[1.0]}`, func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		m, err := uijson.Decode(src)
		encoder := func(m *uijson.Message) func() ([]byte, error) {
			return func() ([]byte, error) { return uijson.Encode(m) }
		}
		return encoder(m), func() func() ([]byte, error) { return encoder(uijson.Clone(m)) }, err
	}},
	{"hclconfig.Parse", "# comment\nlocals {\n  a   = 1\n}\n", parsing("main.tf", hclconfig.Parse)},
	{"hclconfig.Parse of JSON", `{"locals": {"a":1.0} }`, parsing("main.tf.json", hclconfig.Parse)},
	{"hclconfig.ParseNative", "# comment\nlocals {\n  a   = 1\n}\n", parsing("main.tf", hclconfig.ParseNative)},
	{"hclconfig.ParseJSON", `{"locals": {"a":1.0} }`, parsing("main.json", hclconfig.ParseJSON)},
	{"lockfile.Parse", "# comment\nprovider \"registry.opentofu.org/a/b\" {\n  version   = \"1.0.0\"\n}\n", func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		f, err := lockfile.Parse("x.hcl", src)
		return func() ([]byte, error) { return f.Bytes(), nil }, nil, err
	}},
	{"checksum.ParseSums", strings.Repeat("0a", 32) + "  x_1.0.0_linux_amd64.zip\n", func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		s, err := checksum.ParseSums("SHA256SUMS", src)
		return func() ([]byte, error) { return s.Bytes(), nil }, nil, err
	}},
}

// unwritten are the functions that read a text and whose result is not a text again.
var unwritten = []string{
	"planjson.Decode", // calls the others
	"planfile.Open", "hclconfig.ParseExpression", "hclconfig.DecodeSchemas", "hclnames.ParseValues",
	"cliconfig.Parse", "checksum.ParseSumsLax", "registry.ParseNetrc", "hclnames.ParseValues",
}

// parsing makes the codec of a function that parses a file of configuration.
func parsing(filename string, parse func(string, []byte, ...hclconfig.Option) (*hclconfig.File, error)) func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
	return func(src []byte) (func() ([]byte, error), func() func() ([]byte, error), error) {
		f, err := parse(filename, src)
		return func() ([]byte, error) { return f.Bytes(), nil },
			func() func() ([]byte, error) {
				c := f.Clone()
				return func() ([]byte, error) { return c.Bytes(), nil }
			}, err
	}
}

// TestOwnership checks the rule about the text that is given to a decoder:
// where there is a Clone, the value owns the text and the clone does
// not; where there is no source, the text was copied. It also checks that no
// decoder writes to what it is given.
func TestOwnership(t *testing.T) {
	for _, c := range codecs {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.text)
			encode, clone, err := c.decode(src)
			if err != nil {
				t.Fatal(err)
			}
			if clone != nil {
				encode = clone()
			}
			if string(src) != c.text {
				t.Error("the text was written to")
			}
			for i := range src {
				src[i] = '?'
			}
			if out, err := encode(); err != nil || string(out) != c.text {
				t.Errorf("after the text was used for something else: %q, %v", out, err)
			}
		})
	}
	pkgs := public(t)
	for _, pkg := range []string{"planjson", "uijson", "hclconfig"} {
		found := false
		for _, f := range pkgs[pkg] {
			text := strings.Join(strings.Fields(f.Doc.Text()), " ")
			found = found || strings.Contains(text, "owns") && strings.Contains(text, "must not be changed") && strings.Contains(text, "Clone")
		}
		if !found {
			t.Errorf("the first page of %s does not say that a value owns its text, and that Clone detaches it", pkg)
		}
	}
}

// TestConcurrentReads encodes each value from many goroutines, and looks into parts of it that are
// read on demand. The race detector sees more of it than the results show.
func TestConcurrentReads(t *testing.T) {
	for _, c := range codecs {
		encode, clone, err := c.decode([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		agreement.Concurrently(t, func() string {
			out, err := encode()
			if clone != nil {
				again, err2 := clone()()
				out, err = append(out, again...), errors.Join(err, err2)
			}
			return fmt.Sprintf("%s %v", out, err)
		})
	}
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":"a.b"}]}},"configuration":{"root_module":{"resources":[{"address":"a.b","expressions":{"x":{"constant_value":[1]}}}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	agreement.Concurrently(t, func() string {
		text := ""
		for _, r := range plan.Config().RootModule.Resources {
			text += fmt.Sprintln(r.Address, r.Expressions)
		}
		return text
	})
	file, err := hclconfig.Parse("main.tf", []byte("locals {\n  a = [for x in [1, 2] : x + local.b]\n  b = \"${1 + 1}\"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	agreement.Concurrently(t, func() string {
		text := ""
		for _, l := range file.Config().Locals {
			text += fmt.Sprintln(l.Name, l.Argument.Expression, l.Argument.Expression.References())
		}
		return text
	})
}

// TestErrorTexts checks that errors begin with their package and end with
// their cause, in lower case and without a full stop, and can be unwrapped.
func TestErrorTexts(t *testing.T) {
	cause := errors.New("the cause")
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&addrs.Error{Kind: "provider", Input: "a//b", Offset: 2, Err: cause}, `addrs: provider "a//b": offset 2: the cause`},
		{&planjson.Error{Offset: 51, Line: 1, Column: 52, Pointer: "/a/3", Err: cause}, "planjson: line 1, column 52 (/a/3): the cause"},
		{&statefile.Error{Offset: 51, Line: 1, Column: 52, Pointer: "/a/3", Err: cause}, "statefile: line 1, column 52 (/a/3): the cause"},
		{&uijson.Error{Offset: 51, Line: 1, Column: 52, Err: cause}, "uijson: line 1, column 52: the cause"},
		{&lockfile.Error{Filename: "x/.terraform.lock.hcl", Line: 3, Column: 12, Err: cause}, "lockfile: x/.terraform.lock.hcl:3,12: the cause"},
		{&hclconfig.Error{Filename: "main.tf", Line: 3, Column: 12, Err: cause}, "hclconfig: main.tf:3,12: the cause"},
		{&hclconfig.Error{Line: 3, Column: 12, Err: cause}, "hclconfig: line 3, column 12: the cause"},
		{&checksum.Error{Filename: "SHA256SUMS", Line: 3, Column: 12, Err: cause}, "checksum: SHA256SUMS:3,12: the cause"},
		{&checksum.Error{Filename: "p.zip", Entry: "a\nb", Err: cause}, `checksum: p.zip: entry "a\nb": the cause`},
		{&cliconfig.Error{Filename: "x.tfrc", Line: 3, Column: 12, Err: cause}, "cliconfig: x.tfrc:3,12: the cause"},
		{&registry.Error{Op: "versions", Method: "GET", URL: "https://r.test/v1", Status: 404, Err: cause}, "registry: versions: GET https://r.test/v1: 404 Not Found: the cause"},
	} {
		if tt.err.Error() != tt.want {
			t.Errorf("got  %s\nwant %s", tt.err, tt.want)
		}
		if !errors.Is(tt.err, cause) {
			t.Errorf("%s: the cause cannot be found", tt.want)
		}
	}
}

// TestBadInput gives something wrong to every function that reads text, and
// requires the package's own Error, with its place.
func TestBadInput(t *testing.T) {
	known := map[string]bool{}
	for _, c := range codecs {
		known[c.name] = true
	}
	for _, f := range functions(t) {
		name := path.Base(f.pkg) + "." + f.name
		if _, readsText := f.takes("[]byte"); f.recv == "" && readsText && (strings.HasPrefix(f.name, "Decode") || strings.HasPrefix(f.name, "Parse")) && !known[name] &&
			!slices.Contains(unwritten, name) {
			t.Errorf("%s is not in the table of codecs", name)
		}
	}
	for _, c := range codecs {
		text := strings.Replace(c.text, "1", "\x01", 1) // not what it was in any format
		if strings.HasPrefix(c.name, "checksum") {
			text = c.text + "short line\n"
		}
		_, _, err := c.decode([]byte(text))
		var (
			p *planjson.Error
			f *statefile.Error
			u *uijson.Error
			h *hclconfig.Error
			l *lockfile.Error
			s *checksum.Error
		)
		switch {
		case errors.As(err, &p) && p.Offset > 0 && p.Line == 1 && p.Column > 1:
		case errors.As(err, &f) && f.Offset > 0 && f.Line == 1 && f.Column > 1:
		case errors.As(err, &u) && u.Offset > 0 && u.Line == 1 && u.Column > 1:
		case errors.As(err, &h) && h.Filename != "" && h.Offset > 0 && h.Line > 0 && h.Column > 1:
		case errors.As(err, &l) && l.Filename == "x.hcl" && l.Offset > 0 && l.Line > 1 && l.Column > 1:
		case errors.As(err, &s) && s.Filename == "SHA256SUMS" && s.Line == 2:
		default:
			t.Errorf("%s of %q: %v", c.name, text, err)
			continue
		}
		pkg, _, _ := strings.Cut(c.name, ".")
		if !strings.HasPrefix(err.Error(), pkg+": ") || strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%s: %s", c.name, err)
		}
	}
	var a *addrs.Error
	if _, err := addrs.ParseAbsResource("a b"); !errors.As(err, &a) || a.Input != "a b" {
		t.Errorf("addrs: %v", err)
	}
	var c *cliconfig.Error
	if _, err := cliconfig.Parse("x.tfrc", []byte("{{")); !errors.As(err, &c) || c.Line != 1 {
		t.Errorf("cliconfig: %v", err)
	}
}

// TestNoOutput checks that no public package, and no internal package that it compiles, writes
// anything of its own. The function hcllint.Main is a program.
func TestNoOutput(t *testing.T) {
	words := []string{"os.Stdout", "os.Stderr", "fmt.Print", "log.Print", "slog.Default", "slog.Info", "slog.Warn", "slog.Error", "log.Fatal", "log.Default", "\tprintln(", "\tprint("}
	compiled := internals(t)
	for _, name := range goFiles(t) {
		dir := filepath.ToSlash(filepath.Dir(name))
		if _, ok := mayImport[dir]; !ok && !compiled[dir] || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(filepath.ToSlash(name), "hclconfig/hcllint/main.go") {
			continue
		}
		for line := range bytes.Lines(read(t, name)) {
			code, _, _ := bytes.Cut(line, []byte("//"))
			for _, word := range words {
				if bytes.Contains(code, []byte(word)) {
					t.Errorf("%s: %s", name, bytes.TrimSpace(line))
				}
			}
		}
	}
}
