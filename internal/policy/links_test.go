// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"go/ast"
	"go/doc/comment"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// symbols returns what a doc link can refer to in a package: its exported names,
// and TYPE.NAME for methods and fields.
func symbols(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	members := func(typ string, list *ast.FieldList) {
		for _, f := range list.List {
			for _, n := range f.Names {
				names[typ+"."+n.Name] = true
			}
		}
	}
	for _, f := range files {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				} else {
					names[receiver(d)+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
						switch typ := s.Type.(type) {
						case *ast.StructType:
							members(s.Name.Name, typ.Fields)
						case *ast.InterfaceType:
							members(s.Name.Name, typ.Methods)
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

// docLinks returns the doc links in a comment, as (import path, name).
func docLinks(text string, imports map[string]string) (links [][2]string) {
	p := comment.Parser{
		LookupPackage: func(name string) (string, bool) {
			path, ok := imports[name]
			if !ok {
				return comment.DefaultLookupPackage(name)
			}
			return path, true
		},
		LookupSym: func(recv, name string) bool { return true },
	}
	var inline func([]comment.Text)
	inline = func(list []comment.Text) {
		for _, t := range list {
			switch t := t.(type) {
			case *comment.DocLink:
				name := t.Name
				if t.Recv != "" {
					name = t.Recv + "." + t.Name
				}
				links = append(links, [2]string{t.ImportPath, name})
			case *comment.Link:
				inline(t.Text)
			}
		}
	}
	var blocks func([]comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				inline(b.Text)
			case *comment.Heading:
				inline(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(p.Parse(text).Content)
	return links
}

// TestDocLinks checks that every doc link in a comment of a public package leads
// somewhere: [Name] and [Type.Name] in the package, [pkg.Name] in another one of
// this module.
func TestDocLinks(t *testing.T) {
	pkgs := public(t)
	known := map[string]map[string]bool{}
	for pkg, files := range pkgs {
		known[module+"/"+pkg] = symbols(files)
	}
	found := 0
	for _, pkg := range slices.Sorted(maps.Keys(pkgs)) {
		for _, f := range pkgs[pkg] {
			imports := map[string]string{}
			for other := range pkgs {
				imports[filepath.Base(other)] = module + "/" + other
			}
			for _, spec := range f.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				name := filepath.Base(path)
				if strings.HasPrefix(name, "v") && len(name) == 2 {
					name = filepath.Base(filepath.Dir(path))
				}
				if spec.Name != nil {
					name = spec.Name.Name
				}
				imports[name] = path
			}
			for _, group := range f.Comments {
				for _, link := range docLinks(group.Text(), imports) {
					path := link[0]
					if path == "" {
						path = module + "/" + pkg
					}
					names, ours := known[path]
					if !ours {
						continue // of another module or the standard library
					}
					found++
					if link[1] != "" && !names[link[1]] {
						t.Errorf("%s: [%s] in a comment leads nowhere", pkg, strings.TrimPrefix(link[0]+"."+link[1], "."))
					}
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d links were found", found)
	}
}
