// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A surface counts the exported names of a package. Fields do not count, nor do
// the methods of interfaces and of types that are not exported. A name that has
// a declaration for each system counts once.
type surface struct{ types, functions, methods, constants, variables int }

func (s surface) all() int { return s.types + s.functions + s.methods + s.constants + s.variables }

func surfaceOf(files []*ast.File) surface {
	var s surface
	seen := map[string]bool{}
	count := func(n *int, name string, id *ast.Ident) {
		if id.IsExported() && !seen[name] {
			seen[name] = true
			*n++
		}
	}
	for _, f := range files {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					count(&s.functions, d.Name.Name, d.Name)
				} else if recv := receiver(d); ast.IsExported(recv) {
					count(&s.methods, recv+"."+d.Name.Name, d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						count(&s.types, spec.Name.Name, spec.Name)
					case *ast.ValueSpec:
						for _, n := range spec.Names {
							if d.Tok == token.CONST {
								count(&s.constants, n.Name, n)
							} else {
								count(&s.variables, n.Name, n)
							}
						}
					}
				}
			}
		}
	}
	return s
}

// TestSurface prints how many names each public package exports, and fails if
// there are more than the table in CONTRIBUTING.md allows. Every exported name is
// one that a user would miss.
func TestSurface(t *testing.T) {
	_, table, ok := strings.Cut(string(read(t, "CONTRIBUTING.md")), "\n## The surface\n")
	if !ok {
		t.Fatal("CONTRIBUTING.md has no section about the surface")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	atMost := map[string]int{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| (\\d+) \\|$").FindAllStringSubmatch(table, -1) {
		if _, ok := mayImport[m[1]]; !ok {
			t.Errorf("CONTRIBUTING.md has a surface of %s, which there is not", m[1])
		}
		atMost[m[1]], _ = strconv.Atoi(m[2])
	}
	pkgs := public(t)
	text := fmt.Sprintf("%-24s %5s %5s %7s %6s %4s %6s %8s\n", "", "types", "funcs", "methods", "consts", "vars", "all", "at most")
	total := surface{}
	for _, pkg := range slices.Sorted(maps.Keys(pkgs)) {
		s := surfaceOf(pkgs[pkg])
		most, ok := atMost[pkg]
		text += fmt.Sprintf("%-24s %5d %5d %7d %6d %4d %6d %8d\n", pkg, s.types, s.functions, s.methods, s.constants, s.variables, s.all(), most)
		total = surface{total.types + s.types, total.functions + s.functions, total.methods + s.methods, total.constants + s.constants, total.variables + s.variables}
		switch {
		case !ok:
			t.Errorf("the table in CONTRIBUTING.md lacks %s, which exports %d names", pkg, s.all())
		case s.all() > most:
			t.Errorf("%s exports %d names, more than %d: which of them would no user miss?", pkg, s.all(), most)
		}
	}
	t.Logf("exported names\n%s%-24s %5d %5d %7d %6d %4d %6d\n", text, "", total.types, total.functions, total.methods, total.constants, total.variables, total.all())
}
