// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// goFiles returns the Go files of the module, as paths from its root.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || path != root && strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			rel, err := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d Go files: %v", len(files), err)
	}
	return files
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// TestFiles checks the size and the header of every file.
func TestFiles(t *testing.T) {
	const header = "// SPDX-FileCopyrightText: The tofuwire authors\n// SPDX-License-Identifier: Apache-2.0\n\n"
	for _, name := range goFiles(t) {
		text := read(t, name)
		if !bytes.HasPrefix(text, []byte(header)) {
			t.Errorf("%s: the header is missing", name)
		}
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_gen.go") {
			continue
		}
		if n := bytes.Count(text, []byte{'\n'}); n > 800 {
			t.Errorf("%s: %d lines, more than 800", name, n)
		}
		for _, word := range []string{"TO" + "DO", "FIX" + "ME"} {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("%s: contains %q", name, word)
			}
		}
	}
}

// TestSkips checks that each test that can be skipped says what it needs.
func TestSkips(t *testing.T) {
	skip := regexp.MustCompile(`\b(?:t|tb|b|f)\.(?:SkipNow\(|Skipf?\(("needs )?)`)
	found := 0
	for _, name := range goFiles(t) {
		for _, m := range skip.FindAllSubmatch(read(t, name), -1) {
			if found++; m[1] == nil {
				t.Errorf("%s: %s does not begin with \"needs \"", name, m[0])
			}
		}
	}
	if found < 20 {
		t.Errorf("found only %d", found)
	}
}

// public returns the files of the public packages by package. They are parsed once:
// tests must not change them.
func public(t *testing.T) map[string][]*ast.File {
	t.Helper()
	parseOnce.Do(func() {
		for _, name := range goFiles(t) {
			dir := filepath.ToSlash(filepath.Dir(name))
			if _, ok := mayImport[dir]; !ok || strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			parsed[dir] = append(parsed[dir], f)
		}
	})
	return parsed
}

var (
	parseOnce sync.Once
	parsed    = map[string][]*ast.File{}
)

// TestDocumented checks that every exported name of a public package has a
// comment: types, functions, methods, constants, variables and fields.
func TestDocumented(t *testing.T) {
	for pkg, files := range public(t) {
		hasDoc := false
		for _, f := range files {
			hasDoc = hasDoc || f.Doc != nil
			for _, decl := range f.Decls {
				for _, name := range undocumented(decl) {
					t.Errorf("%s.%s has no comment", pkg, name)
				}
			}
		}
		if !hasDoc {
			t.Errorf("package %s has no comment", pkg)
		}
	}
}

// undocumented returns the exported names of a declaration that lack comments.
func undocumented(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() || d.Doc != nil {
			return nil
		}
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		recv := receiver(d)
		if !ast.IsExported(recv) {
			return nil
		}
		return []string{recv + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, n.Name)
					}
				}
			case *ast.TypeSpec:
				if !s.Name.IsExported() {
					continue
				}
				if d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
				if st, ok := s.Type.(*ast.StructType); ok {
					names = append(names, undocumentedFields(s.Name.Name, st)...)
				}
			}
		}
	}
	return names
}

// undocumentedFields returns the exported fields without a comment. A comment
// above a field serves for those on the following lines as well, as in
//
//	// From and To are the ends.
//	From int
//	To   int
func undocumentedFields(typ string, st *ast.StructType) (names []string) {
	commented := false
	for _, f := range st.Fields.List {
		commented = commented || f.Doc != nil || f.Comment != nil
		for _, n := range f.Names {
			if n.IsExported() && !commented {
				names = append(names, typ+"."+n.Name)
			}
		}
	}
	return names
}

func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if index, ok := typ.(*ast.IndexExpr); ok {
		typ = index.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// decoders are the packages that read text, whose errors have a place in it.
// Those of addrs have the offset alone: what it parses is one line.
var decoders = []string{"planjson", "planjson/statefile", "uijson", "lockfile", "hclconfig"}

// TestErrors checks the shape of each package's Error: a struct with a field
// Err, used by pointer, with the methods Error and Unwrap; and for those that
// read text with the fields Offset, Line and Column.
func TestErrors(t *testing.T) {
	for pkg, files := range public(t) {
		if pkg == "registry/registrytest" {
			continue
		}
		fields := map[string]string{}
		methods := map[string]bool{}
		for _, f := range files {
			for _, decl := range f.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Recv != nil && receiver(d) == "Error" {
						_, byPointer := d.Recv.List[0].Type.(*ast.StarExpr)
						methods[d.Name.Name] = byPointer
					}
					if r := d.Type.Results; r != nil && d.Name.IsExported() {
						if p, ok := r.List[len(r.List)-1].Type.(*ast.StarExpr); ok {
							if id, ok := p.X.(*ast.Ident); ok && id.Name == "Error" {
								t.Errorf("%s.%s returns an *Error as its last result, not an error", pkg, d.Name.Name)
							}
						}
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						s, ok := spec.(*ast.TypeSpec)
						if !ok || s.Name.Name != "Error" {
							continue
						}
						if st, ok := s.Type.(*ast.StructType); ok {
							for _, f := range st.Fields.List {
								for _, n := range f.Names {
									if id, ok := f.Type.(*ast.Ident); ok {
										fields[n.Name] = id.Name
									}
								}
							}
						}
					}
				}
			}
		}
		if len(fields) == 0 && strings.Contains(pkg, "/") {
			continue // a wing may give its package's errors
		}
		want := map[string]string{"Err": "error"}
		if pkg == "addrs" {
			want["Input"], want["Offset"] = "string", "int64"
		}
		if slices.Contains(decoders, pkg) {
			want["Offset"], want["Line"], want["Column"] = "int64", "int", "int"
		}
		for name, typ := range want {
			if fields[name] != typ {
				t.Errorf("%s.Error needs a field %s %s", pkg, name, typ)
			}
		}
		for _, name := range []string{"Error", "Unwrap"} {
			if !methods[name] {
				t.Errorf("%s.Error needs a method %s with a pointer receiver", pkg, name)
			}
		}
	}
}

// TestCommands checks that the README has the two commands, which .ci/run takes from there.
func TestCommands(t *testing.T) {
	readme, ci := string(read(t, "README.md")), string(read(t, ".ci/run"))
	for _, command := range []string{"go run ./examples/quickstart", "go test ./... && go test -C cmd/tofuwire ./... && go test -C hclconfig/hcllsp ./..."} {
		if !strings.Contains(readme, "\n"+command+"\n") {
			t.Errorf("README.md has no line %q", command)
		}
		if words := strings.Join(strings.Fields(command)[:2], " "); strings.Count(readme, "\n"+words) != 1 || !strings.Contains(ci, "$(command_of '"+words+"')") {
			t.Errorf(".ci/run does not run the README's line with %q", words)
		}
	}
}

// TestFuzzed checks that every package that reads input has fuzz targets, and
// every public package at least three examples.
func TestFuzzed(t *testing.T) {
	fuzz, examples := map[string]int{}, map[string]int{}
	for _, name := range goFiles(t) {
		dir := filepath.ToSlash(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") {
			text := string(read(t, name))
			fuzz[dir] += strings.Count(text, "\nfunc Fuzz")
			examples[dir] += strings.Count(text, "\nfunc Example")
		}
	}
	for _, pkg := range append(sortedPackages(), "registry/ocimirror") {
		if pkg == "registry/registrytest" || pkg == "hclconfig/hcllint/hcllinttest" {
			continue // for tests
		}
		if pkg == "uijson/uirun" {
			continue // it reads nothing itself, and its examples run a tool
		}
		if fuzz[pkg] == 0 {
			t.Errorf("%s has no fuzz target", pkg)
		}
		if examples[pkg] < 3 {
			t.Errorf("%s has %d examples, not even 3", pkg, examples[pkg])
		}
	}
}
