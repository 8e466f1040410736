// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	theirs = "github.com/hashicorp/terraform-json"
	ours   = "github.com/tofuwire/tofuwire/planjson"
)

// apply returns the text of a Go file with an edit made in it. It returns an error
// if the file has nothing of what a part of the edit looks for, as another release
// may.
func (e edit) apply(src []byte) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, e.file, src, parser.SkipObjectResolution) // without comments, whose places would be wrong
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !slices.Contains(e.drop, f.Name.Name) {
			return false
		}
		found[f.Name.Name] = true
		return true
	})
	json := importName(file, theirs)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of, _ := n.X.(*ast.Ident)
			if to := e.types[n.Sel.Name]; to != "" && of != nil && of.Name == json {
				found[n.Sel.Name] = true
				of.Name, n.Sel.Name = "planjson", to
			} else if to := e.methods[n.Sel.Name]; to != "" {
				found[n.Sel.Name] = true
				n.Sel.Name = to
			}
		case *ast.BinaryExpr:
			member, _ := n.X.(*ast.SelectorExpr)
			if null, _ := n.Y.(*ast.Ident); n.Op == token.EQL && member != nil && null != nil && null.Name == "nil" && slices.Contains(e.values, member.Sel.Name) {
				found[member.Sel.Name] = true
				n.X, n.Op, n.Y = ast.NewIdent("false"), token.LAND, ast.NewIdent("false")
			}
		}
		return true
	})
	for _, name := range slices.Concat(e.drop, keys(e.types), keys(e.methods), e.values) {
		if !found[name] {
			return nil, fmt.Errorf("%s: there is no %s", e.file, name)
		}
	}
	fixImports(file, len(e.types) > 0)
	var out bytes.Buffer
	err = format.Node(&out, set, file)
	return out.Bytes(), err
}

func keys(m map[string]string) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	return names
}

// importName returns the name by which a file uses a package.
func importName(file *ast.File, of string) string {
	for _, i := range file.Imports {
		if text, _ := strconv.Unquote(i.Path.Value); text == of {
			if i.Name != nil {
				return i.Name.Name
			}
			return path.Base(of)
		}
	}
	return ""
}

// fixImports takes out the imports that nothing uses any more, and adds planjson.
func fixImports(file *ast.File, add bool) {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok {
				used[of.Name] = true
			}
		}
		return true
	})
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			i := s.(*ast.ImportSpec)
			text, _ := strconv.Unquote(i.Path.Value)
			name := strings.TrimPrefix(path.Base(text), "go-") // as far as these programs go
			if i.Name != nil {
				name = i.Name.Name
			}
			if i.Name == nil && text != theirs && !token.IsIdentifier(name) {
				return false // its name is not that of its folder
			}
			return name != "_" && !used[name]
		})
		if add {
			g.Specs = append(g.Specs, &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(ours)}})
			add = false
		}
	}
}
