// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// wishes are the lines of the index: what one wants to do, and the symbol that does it.
var wishes = []struct{ to, symbol, pkg string }{
	{"read a plan", "DecodePlan", "planjson"},
	{"know whether a plan can be judged at all", "Judgeable", "planjson"},
	{"find the plan in the log of a pipeline", "Find", "planjson"},
	{"see what a plan changes, attribute by attribute", "Plan", "planjson/plandiff"},
	{"write a comment on a pull request", "WriteMarkdown", "planjson/plandiff"},
	{"compare two plans or states", "ComparePlans", "planjson/plandiff"},
	{"know why an object is replaced", "Resource.ReplacedBy", "planjson/plandiff"},
	{"read a plan of any size in flat memory", "ReadPlan", "planjson"},
	{"look up an object by its address", "NewPlanIndex", "planjson"},
	{"look into a value by a path", "Value.Get", "planjson"},
	{"turn a value into a cty value", "Change.AfterCty", "planjson"},
	{"read the schemas of providers", "DecodeSchemas", "planjson"},
	{"remove the secrets of a document", "Redactor", "planjson/redact"},
	{"know what depends on what in a plan", "NewInstances", "planjson/plangraph"},
	{"read a saved plan without the tool", "Open", "planjson/planfile"},
	{"read a state file", "Decode", "planjson/statefile"},
	{"decrypt a state", "Decrypt", "planjson/statefile"},
	{"write a state safely", "Save", "planjson/statefile"},
	{"take an address apart", "ParseAbsResourceInstance", "addrs"},
	{"parse versions and constraints", "ParseConstraints", "addrs"},
	{"run a tool and have its documents", "Tool", "uijson/uirun"},
	{"follow a run on its -json stream", "Attach", "uijson/uitrack"},
	{"read the messages of a stream", "NewReader", "uijson"},
	{"remove secrets from a log", "RemoveSecretsFromText", "uijson"},
	{"find the modules of a repository", "Modules", "hclconfig"},
	{"read a module", "LoadModule", "hclconfig"},
	{"read a file in either syntax", "Parse", "hclconfig"},
	{"read a body with a schema of one's own", "Body.Content", "hclconfig"},
	{"read a module with all that it calls", "LoadTree", "hclconfig/hclnames"},
	{"find the callers of a module", "Callers", "hclconfig/hclnames"},
	{"find all calls of modules in a repository", "Calls", "hclconfig/hclnames"},
	{"find the outputs of modules that no caller uses", "CalledOutputs", "hclconfig/hclnames"},
	{"find the uses of a name, and what nothing uses", "NamesOf", "hclconfig/hclnames"},
	{"evaluate an expression as far as it is known", "NewEvaluator", "hclconfig/hclnames"},
	{"list the instances that a configuration declares", "Evaluator.Expand", "hclconfig/hclnames"},
	{"know which releases a module needs", "NeedOf", "hclconfig/hclnames"},
	{"say what validate says", "Validate", "hclconfig/hclcheck"},
	{"change a file and keep its comments", "Edit", "hclconfig/hcledit"},
	{"write changed files, all or none", "Save", "hclconfig/hcledit"},
	{"format as fmt does", "Format", "hclconfig/hcledit"},
	{"rename something everywhere", "Rename", "hclconfig/hclrename"},
	{"change the source of a provider everywhere", "ReplaceProvider", "hclconfig/hclrename"},
	{"write rules for a linter", "Analyzer", "hclconfig/hcllint"},
	{"test a rule", "Run", "hclconfig/hcllint/hcllinttest"},
	{"convert between native syntax and JSON", "ToJSON", "hclconfig/hclconvert"},
	{"use code that takes hcl.Body", "Body", "hclconfig/hclbridge"},
	{"edit a lock file", "Parse", "lockfile"},
	{"lock and install providers", "Locker", "registry/install"},
	{"compute the hashes of a package", "HashZip", "checksum"},
	{"ask a registry", "Client", "registry"},
	{"have a registry in a test", "Server", "registry/registrytest"},
}

// index returns the table of wishes.
func index() string {
	var b strings.Builder
	b.WriteString("| I want to ... | symbol | package |\n|---|---|---|\n")
	for _, w := range wishes {
		fmt.Fprintf(&b, "| %s | [`%s.%s`](https://pkg.go.dev/github.com/tofuwire/tofuwire/%s#%s) | `%s` |\n", w.to, path.Base(w.pkg), w.symbol, w.pkg, w.symbol, w.pkg)
	}
	return b.String()
}

// TestIndex looks for each symbol of the index in its package.
func TestIndex(t *testing.T) {
	symbols := map[string]map[string]bool{}
	for _, w := range wishes {
		if symbols[w.pkg] == nil {
			symbols[w.pkg] = exported(t, filepath.Join("..", "..", "..", filepath.FromSlash(w.pkg)))
		}
		if !symbols[w.pkg][w.symbol] {
			t.Errorf("%s has no %s", w.pkg, w.symbol)
		}
	}
	if len(wishes) < 40 {
		t.Errorf("%d lines", len(wishes))
	}
}

// exported returns the functions, types and methods of a package.
func exported(t *testing.T, dir string) map[string]bool {
	out := map[string]bool{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					typ := d.Recv.List[0].Type
					if star, ok := typ.(*ast.StarExpr); ok {
						typ = star.X
					}
					if id, ok := typ.(*ast.Ident); ok {
						name = id.Name + "." + name
					}
				}
				out[name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						out[s.Name.Name] = true
					}
				}
			}
		}
	}
	return out
}
