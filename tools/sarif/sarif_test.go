// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
)

// TestSchema validates logs with findings, fixes, related places and faults, and those of
// nothing.
func TestSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/x":           "",
		"a b/é.tf":         "variable \"a\" {}\nlocals {\n  x = \"${var.b}\"\n  y = lookup(local.x, \"é\")\n}\noutput \"o\" {\n  x = 1\n}\n// c\n",
		"a b/x.tf.json":    `{"locals": {"a": 1}}`,
		"a b/broken.tf":    "locals {",
		"good/main.tf":     "terraform {\n  required_version = \">= 1.6\"\n}\n",
		"good/sub/main.tf": "# x\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	schema := official(t)
	if _, err := tofuwire.Build(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tofuwire.Remove)
	t.Chdir(dir)
	for _, args := range [][]string{{"a b"}, {"good"}, {"good/..."}, {"none"}, {"-only", "terraform_comment_syntax", "a b"}} {
		var out, errs bytes.Buffer
		tofuwire.Run(append([]string{"lint", "-format", "sarif"}, args...), nil, &out, &errs)
		valid(t, schema, fmt.Sprint("lint ", args), out.Bytes())
	}
	for _, d := range []string{"a b", "good"} {
		var out, errs bytes.Buffer
		tofuwire.Run([]string{"validate", "-format", "sarif", d}, nil, &out, &errs)
		valid(t, schema, "validate "+d, out.Bytes())
	}
}

// valid wants a log that the schema accepts.
func valid(t *testing.T, schema *jsonschema.Schema, name string, src []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, src)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s: %v\n%s", name, err, src)
	}
	complete(t, name, src)
	if dir := os.Getenv("SARIF_LOGS"); dir != "" { // for the nightly check by other programs
		if err := os.WriteFile(filepath.Join(dir, ids.ReplaceAllString(name, "-")+".sarif"), src, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var ids = regexp.MustCompile(`[^a-z]+`)

// complete wants what GitHub and Azure DevOps ask for of a log: help of each rule, the program with its
// version, and the kind of run.
func complete(t *testing.T, name string, src []byte) {
	t.Helper()
	var log struct {
		Runs []struct {
			AutomationDetails struct{ ID string }
			Tool              struct {
				Driver struct {
					Name, FullName, Version, SemanticVersion string
					Rules                                    []struct {
						ID, Name, HelpURI string
						Help              struct{ Text, Markdown string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(src, &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if d := run.Tool.Driver; d.Name != "tofuwire" || d.Version == "" || d.SemanticVersion != d.Version || !strings.HasPrefix(d.FullName, "tofuwire "+d.Version) || !strings.HasPrefix(run.AutomationDetails.ID, "tofuwire/") {
		t.Errorf("%s: the driver is %+v, the run %q", name, d, run.AutomationDetails.ID)
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.Help.Text == "" || r.Help.Markdown == "" || len(r.Help.Markdown) > 600 || r.HelpURI == "" || r.Name == "" || strings.EqualFold(r.Name, r.ID) {
			t.Errorf("%s: rule %+v", name, r)
		}
	}
}

// official returns the schema, which is a constant in the source of go-sarif.
func official(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && text == "" {
			text, err = strconv.Unquote(l.Value)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	// It refuses what is wrong.
	for _, wrong := range []string{`{}`, `{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`, `{"version": "2.1.0", "runs": [], "x": 1}`} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if err != nil || schema.Validate(doc) == nil {
			t.Fatalf("the schema accepts %s, %v", wrong, err)
		}
	}
	return schema
}
