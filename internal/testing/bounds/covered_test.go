// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCovered checks that every exported function that takes a text, a reader or a file system, and every exported
// method that takes bytes, a reader or a file system, has a row, or a reason why it has none.
func TestCovered(t *testing.T) {
	known := map[string]bool{}
	for _, r := range Rows() {
		for _, name := range r.Functions {
			known[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(Elsewhere)) {
		if known[name] {
			t.Errorf("%s has a row, and a reason to have none", name)
		}
		known[name] = true
	}
	there := map[string]bool{}
	for _, p := range publicPackages(t) {
		for _, name := range entryPoints(p) {
			there[name] = true
			if !known[name] {
				t.Errorf("%s reads a text: it needs a row", name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !there[name] {
			t.Errorf("%s has a row or a reason, but it reads no text or is not there", name)
		}
	}
}

// publicPackages returns the public packages of the library, from what the compiler exports.
func publicPackages(t *testing.T) []*types.Package {
	t.Helper()
	const top = "../../.."
	hidden := regexp.MustCompile(`(^|/)(internal|examples|cmd|docs)(/|$)`)
	var pkgs []string
	for _, line := range golist(t, top, "-f", "{{.ImportPath}} {{.Name}} {{.Module.Path}}", "./...") {
		part := strings.Fields(line)
		own, isBelow := strings.CutPrefix(part[0], part[2]+"/")
		if isBelow && part[1] != "main" && own != "registry/registrytest" && !hidden.MatchString(own) { // registrytest is for tests
			pkgs = append(pkgs, part[0])
		}
	}
	exports := map[string]string{}
	for _, line := range golist(t, top, append([]string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, pkgs...)...) {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	gc := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	out := make([]*types.Package, len(pkgs))
	for i, pkg := range pkgs {
		var err error
		if out[i], err = gc.Import(pkg); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// golist returns the lines that go list prints in a folder.
func golist(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-buildvcs=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
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
