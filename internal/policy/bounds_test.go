// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// TestBounds checks that the tests of package bounds know every exported function that takes a text, a reader or a
// file system, and every exported method that takes bytes, a reader or a file system: they have a row there, or a
// reason why they have none.
func TestBounds(t *testing.T) {
	known := map[string]bool{}
	for _, r := range bounds.Rows() {
		for _, name := range r.Functions {
			known[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bounds.Elsewhere)) {
		if known[name] {
			t.Errorf("%s has a row, and a reason to have none", name)
		}
		known[name] = true
	}
	there := map[string]bool{}
	for _, p := range imported(t) {
		for _, name := range entryPoints(p) {
			there[name] = true
			if !known[name] {
				t.Errorf("%s reads a text: it needs a row in internal/testing/bounds", name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !there[name] {
			t.Errorf("internal/testing/bounds has %s, which reads no text or is not there", name)
		}
	}
}

// TestAddresses checks that all types of package addrs can be compared with ==, and that none is
// larger than ten words.
func TestAddresses(t *testing.T) {
	count := 0
	sizes := types.SizesFor("gc", "amd64")
	for _, p := range imported(t) {
		if p.Name() != "addrs" {
			continue
		}
		for _, name := range p.Scope().Names() {
			obj, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() || name == "Error" || name == "Verification" { // what a call returns
				continue
			}
			count++
			if size := sizes.Sizeof(obj.Type()); !types.Comparable(obj.Type()) || size > 80 {
				t.Errorf("addrs.%s has %d bytes; comparable: %t", name, size, types.Comparable(obj.Type()))
			}
		}
	}
	if count < 20 {
		t.Errorf("%d types", count)
	}
}

// imported returns the public packages, from what the compiler exports.
func imported(t *testing.T) []*types.Package {
	t.Helper()
	exports := map[string]string{}
	args := []string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	pkgs := slices.Sorted(maps.Keys(mayImport))
	for _, pkg := range pkgs {
		args = append(args, module+"/"+pkg)
	}
	for _, line := range list(t, args...) {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	gc := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var out []*types.Package
	for _, pkg := range pkgs {
		if pkg == "registry/registrytest" {
			continue // for tests
		}
		p, err := gc.Import(module + "/" + pkg)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// entryPoints returns the functions and methods of a package that read a text.
func entryPoints(p *types.Package) []string {
	var out []string
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			if reads(obj.Signature(), true) {
				out = append(out, p.Name()+"."+name)
			}
		case *types.TypeName:
			set := types.NewMethodSet(types.NewPointer(obj.Type()))
			for i := range set.Len() {
				m, ok := set.At(i).Obj().(*types.Func)
				if ok && m.Exported() && m.Pkg() == p && !strings.HasPrefix(m.Name(), "Unmarshal") && len(set.At(i).Index()) == 1 && reads(m.Signature(), false) {
					out = append(out, p.Name()+"."+name+"."+m.Name())
				}
			}
		}
	}
	return out
}

// reads reports whether a parameter is bytes, a reader or a file system, or with texts a string.
func reads(s *types.Signature, texts bool) bool {
	for i := range s.Params().Len() {
		switch s.Params().At(i).Type().String() {
		case "[]byte", "io.Reader", "io.ReaderAt", "io/fs.FS":
			return true
		case "string":
			if texts {
				return true
			}
		}
	}
	return false
}
