// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const page = "../../../docs/cookbook.md"

// parts are those of the page, each with the file of its recipes.
var parts = []struct{ title, file string }{
	{"Plans, states and schemas", "plans_test.go"},
	{"States as the tools save them", "states_test.go"},
	{"Configurations", "configs_test.go"},
	{"Lock files and registries", "locks_test.go"},
	{"Runs", "runs_test.go"},
}

// TestPage checks that docs/cookbook.md has the recipes. With the environment
// variable UPDATE_DOCS set, it writes the page.
func TestPage(t *testing.T) {
	want := renderPage(t)
	got, err := os.ReadFile(page)
	if err == nil && bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("%s does not have the recipes as they are; UPDATE_DOCS=1 go test ./internal/testing/cookbook writes it (%v)", page, err)
	}
	if err := os.WriteFile(page, want, 0o644); err != nil {
		t.Fatal(err)
	}
}

// renderPage returns the page that the examples make.
func renderPage(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(`# Cookbook

For Go programmers: short programs for common tasks with plans, configurations, lock files and registries. Each one is a list of imports and the body of a function.
The tests of ` + "[`internal/testing/cookbook`](../internal/testing/cookbook)" + ` compile and run them. The text below a program is its output.

## I want to ...

` + index() + `
## Inputs

The recipes share these names, which your program must define:

| name | meaning |
|---|---|
| ` + "`planFile`, `planText`" + ` | the name of a file with the output of ` + "`show -json PLANFILE`" + `, and its text, from ` + "`os.ReadFile`" + ` |
| ` + "`stateText`" + ` | the text of ` + "`terraform.tfstate`" + `, or of ` + "`state pull`" + ` |
| ` + "`kubernetesSecrets()`" + ` | the output of ` + "`kubectl get secret -A -l tfstate=true -o json`" + ` |
| ` + "`lockText`" + ` | the text of ` + "`.terraform.lock.hcl`" + ` |
| ` + "`streamFile`, `unitStreams()`" + ` | the name of a file with the output of ` + "`apply -json`" + `, and an ` + "`io.Reader`" + ` with the output of several units |
| ` + "`moduleDir`, `vpcModule`, `demoConfiguration()`, `demoRepository()`" + ` | the name of a directory with a configuration, and such directories as an ` + "`fs.FS`" + `: ` + "`os.DirFS(dir)`" + ` |
| ` + "`stateNames()`" + ` | the names of files with states, one of which is encrypted |
| ` + "`toolCommand()`, `demoClient()`, `lockFileName()`" + ` | see the comment on their line |
`)
	for _, name := range inputsOf(t) {
		if !strings.Contains(b.String(), "`"+name) {
			t.Errorf("the recipes use %s, and the page does not say what it is", name)
		}
	}
	recipes := 0
	for _, part := range parts {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, part.file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n\nPackages:", part.title)
		for _, imported := range f.Imports {
			if name := strings.Trim(imported.Path.Value, `"`); strings.Contains(name, "tofuwire") {
				fmt.Fprintf(&b, " `%s`", strings.TrimPrefix(name, "github.com/tofuwire/tofuwire/"))
			}
		}
		b.WriteString("\n")
		examples := doc.Examples(f)
		slices.SortFunc(examples, func(x, y *doc.Example) int { return int(x.Code.Pos() - y.Code.Pos()) })
		for _, e := range examples {
			recipes++
			fmt.Fprintf(&b, "\n### %s\n\n```go\n%s\n%s```\n", strings.TrimSuffix(strings.Join(strings.Fields(e.Doc), " "), "."), importsOf(f, e), source(t, set, part.file, e))
			if e.Output != "" {
				fmt.Fprintf(&b, "\n```\n%s```\n", e.Output)
			}
		}
	}
	if recipes < 20 {
		t.Errorf("the cookbook has %d recipes", recipes)
	}
	return b.Bytes()
}

// importsOf returns the import declaration that an example needs: the packages of its file that
// it names.
func importsOf(f *ast.File, e *doc.Example) string {
	used := map[string]bool{}
	ast.Inspect(e.Code, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Obj == nil { // not a variable
				used[id.Name] = true
			}
		}
		return true
	})
	var own, others []string
	for _, i := range f.Imports {
		name := strings.Trim(i.Path.Value, `"`)
		switch {
		case !used[path.Base(name)] && (i.Name == nil || !used[i.Name.Name]):
		case strings.Contains(name, "."):
			others = append(others, "\t"+i.Path.Value+"\n")
		default:
			own = append(own, "\t"+i.Path.Value+"\n")
		}
	}
	if len(own) > 0 && len(others) > 0 {
		own = append(own, "\n")
	}
	return "import (\n" + strings.Join(own, "") + strings.Join(others, "") + ")\n"
}

// inputsOf returns the names of inputs_test.go that recipes use.
func inputsOf(t *testing.T) []string {
	f, err := parser.ParseFile(token.NewFileSet(), "inputs_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, n := range v.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	used := map[string]bool{}
	for _, part := range parts {
		f, err := parser.ParseFile(token.NewFileSet(), part.file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	return slices.DeleteFunc(names, func(name string) bool { return !used[name] })
}

// source returns the body of an example as it is in the file, without its output.
func source(t *testing.T, set *token.FileSet, name string, e *doc.Example) string {
	text, err := os.ReadFile(path.Clean(name))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	body, ok := e.Code.(*ast.BlockStmt)
	if !ok {
		t.Fatalf("%s has no body", e.Name)
	}
	code := string(text[set.Position(body.Lbrace).Offset+1 : set.Position(body.Rbrace).Offset])
	if i := strings.LastIndex(code, "\n\t// Output:"); i >= 0 {
		code = code[:i]
	}
	formatted, err := format.Source([]byte(strings.TrimSpace(code)))
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	if lines := bytes.Count(formatted, []byte("\n")); lines > 36 {
		t.Errorf("%s has %d lines", e.Name, lines)
	}
	return string(formatted) + "\n"
}
