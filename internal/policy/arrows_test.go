// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An arrow goes from a file to another one of its package that has a used
// definition: something at package level, a method or a field.
type arrow struct{ from, to string }

// mayHaveArrows says how many arrows there may be among the files of packages with
// more than twenty, and how many pairs of files may use each other. Meaning uses form:
// the blocks of a file use its bodies, and bodies no blocks. The numbers are what was
// reached, or hardly more; they only become smaller.
var mayHaveArrows = map[string]struct{ arrows, circles int }{
	"addrs":                                 {81, 4},
	"hclconfig":                             {87, 11},
	"hclconfig/hcledit":                     {102, 15},
	"hclconfig/hclcheck/internal/filecheck": {9, 3},
	"hclconfig/hclcheck/internal/treecheck": {78, 9},
	"hclconfig/hcllint/rules":               {82, 26},
	"internal/wire":                         {154, 16},
	"lockfile":                              {95, 6},
	"planjson":                              {157, 3},
	"planjson/plandiff":                     {110, 17},
	"planjson/redact":                       {223, 19},
	"planjson/statefile":                    {74, 5},
	"registry":                              {140, 16},
	"registry/install":                      {48, 6},
	"uijson":                                {135, 11},
}

// TestArrows counts the arrows of each package in the table, which has all packages
// of the root module with more than twenty files, and the two of hclcheck.
func TestArrows(t *testing.T) {
	fset := token.NewFileSet()
	number := make(map[string]int)
	for _, name := range goFiles(t) {
		if nested := regexp.MustCompile("^(benchmarks|cmd|examples|tools)/"); !strings.HasSuffix(name, "_test.go") && !nested.MatchString(name) {
			number[filepath.ToSlash(filepath.Dir(name))]++
		}
	}
	for pkg, n := range number {
		if _, ok := mayHaveArrows[pkg]; !ok && n > 20 {
			t.Errorf("%s has %d files, and no number of arrows in the table", pkg, n)
		}
	}
	files := make(map[string][]*ast.File)
	args := []string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for pkg := range mayHaveArrows {
		args = append(args, module+"/"+pkg)
	}
	for _, name := range goFiles(t) {
		pkg := filepath.ToSlash(filepath.Dir(name))
		if _, ok := mayHaveArrows[pkg]; !ok || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := build.Default.MatchFile(filepath.Join(root, filepath.Dir(name)), filepath.Base(name)); err != nil || !ok {
			continue // of another system
		}
		f, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[pkg] = append(files[pkg], f)
	}
	exports := make(map[string]string)
	for _, line := range list(t, args...) {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	gc := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for pkg, may := range mayHaveArrows {
		arrows := arrowsOf(t, fset, gc, pkg, files[pkg])
		text, circles := "", 0
		for _, a := range slices.SortedFunc(maps.Keys(arrows), func(a, b arrow) int { return strings.Compare(a.from+" "+a.to, b.from+" "+b.to) }) {
			mark := ""
			if _, back := arrows[arrow{a.to, a.from}]; back {
				mark = ", and back"
				circles++
			}
			text += fmt.Sprintf("%s -> %s (%s)%s\n", a.from, a.to, strings.Join(slices.Sorted(maps.Keys(arrows[a])), " "), mark)
		}
		circles /= 2
		if len(arrows) > may.arrows || circles > may.circles {
			t.Errorf("%s has %d arrows among its files, of at most %d, and %d pairs that use each other, of at most %d:\n%s", pkg, len(arrows), may.arrows, circles, may.circles, text)
		}
		t.Logf("%s: %d files, %d arrows, %d pairs that use each other", pkg, len(files[pkg]), len(arrows), circles)
	}
}

// arrowsOf returns the arrows among the files of a package, with the names used.
func arrowsOf(t *testing.T, fset *token.FileSet, imports types.Importer, pkg string, files []*ast.File) map[arrow]map[string]bool {
	t.Helper()
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: imports}
	if _, err := conf.Check(module+"/"+pkg, fset, files, info); err != nil {
		t.Fatal(err)
	}
	out := make(map[arrow]map[string]bool)
	for id, obj := range info.Uses {
		if obj.Pkg() == nil || obj.Pkg().Path() != module+"/"+pkg {
			continue
		}
		v, isVar := obj.(*types.Var)
		if isVar && !v.IsField() && obj.Parent() != obj.Pkg().Scope() || obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope() {
			continue // a local name
		}
		a := arrow{filepath.Base(fset.Position(id.Pos()).Filename), filepath.Base(fset.Position(obj.Pos()).Filename)}
		if a.from == a.to {
			continue
		}
		if out[a] == nil {
			out[a] = make(map[string]bool)
		}
		out[a][obj.Name()] = true
	}
	return out
}
