// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestConstantsInComments wants the comment of a type of constants to name some of them: go doc
// shows only the first of a group, and people guess the rest.
func TestConstantsInComments(t *testing.T) {
	for _, pkg := range sortedPackages() {
		dir := filepath.Join("..", "..", filepath.FromSlash(pkg))
		comments, constants := map[string]string{}, map[string][]string{}
		set := token.NewFileSet()
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				last := ""
				for _, s := range g.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						comments[s.Name.Name] = g.Doc.Text() + s.Doc.Text()
					case *ast.ValueSpec:
						if g.Tok != token.CONST {
							continue
						}
						if id, ok := s.Type.(*ast.Ident); ok {
							last = id.Name
						} else if call, ok := first(s.Values).(*ast.CallExpr); ok {
							if id, ok := call.Fun.(*ast.Ident); ok {
								last = id.Name
							}
						} else if len(s.Values) > 0 {
							last = ""
						}
						for _, n := range s.Names {
							if n.IsExported() && last != "" {
								constants[last] = append(constants[last], n.Name)
							}
						}
					}
				}
			}
		}
		for typ, names := range constants {
			comment, ok := comments[typ]
			if !ok || !ast.IsExported(typ) || len(names) < 2 {
				continue
			}
			n := 0
			for _, name := range names {
				if strings.Contains(comment, name) {
					n++
				}
			}
			if n < 2 {
				t.Errorf("%s: the comment of %s names none or one of its constants, such as %s", pkg, typ, strings.Join(names, ", "))
			}
		}
	}
}

func first(list []ast.Expr) ast.Expr {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
