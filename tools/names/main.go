// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Names prints how many names each public package exports, in the tree BEFORE and in the tree NOW.
// Fields do not count, nor do the methods of interfaces and of types that are not exported.
//
//	names BEFORE NOW
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: names BEFORE NOW")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func run(before, now string) error {
	old, err := count(before)
	if err != nil {
		return err
	}
	fresh, err := count(now)
	if err != nil {
		return err
	}
	was, is := 0, 0
	for _, n := range old {
		was += n
	}
	fmt.Printf("%-32s %6s %6s\n", "exported names", "before", "now")
	for _, pkg := range slices.Sorted(maps.Keys(fresh)) {
		is += fresh[pkg]
		fmt.Printf("%-32s %6d %6d\n", pkg, old[pkg], fresh[pkg])
	}
	for _, pkg := range slices.Sorted(maps.Keys(old)) {
		if _, ok := fresh[pkg]; !ok {
			fmt.Printf("%-32s %6d %6s\n", pkg, old[pkg], "gone")
		}
	}
	fmt.Printf("%-32s %6d %6d\n", "", was, is)
	return nil
}

// count counts the exported names of the public packages of a module.
func count(root string) (map[string]int, error) {
	names := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir():
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && (err == nil || strings.HasPrefix(name, ".") || slices.Contains([]string{"internal", "testdata", "examples", "docs", "cmd"}, name)) {
				return fs.SkipDir
			}
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			pkg, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			pkg = filepath.ToSlash(pkg)
			if names[pkg] == nil {
				names[pkg] = map[string]bool{}
			}
			for _, decl := range file.Decls {
				exported(decl, names[pkg]) // a name with a declaration for each system counts once
			}
		}
		return nil
	})
	counts := map[string]int{}
	for pkg, all := range names {
		if len(all) > 0 {
			counts[pkg] = len(all)
		}
	}
	return counts, err
}

// exported adds the exported names of a declaration.
func exported(decl ast.Decl, names map[string]bool) {
	add := func(id *ast.Ident, prefix string) {
		if id.IsExported() {
			names[prefix+id.Name] = true
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name, "")
		} else if of := receiver(d.Recv.List[0].Type); ast.IsExported(of) {
			add(d.Name, of+".")
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name, "")
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					add(id, "")
				}
			}
		}
	}
}

// receiver returns the name of the type that a method is of.
func receiver(typ ast.Expr) string {
	switch t := typ.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
