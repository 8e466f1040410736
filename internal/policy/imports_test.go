// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/tofuwire/tofuwire"

// mayImport is the table, of the packages that there are.
var mayImport = func() map[string]imports {
	there := maps.Clone(table)
	maps.DeleteFunc(there, func(pkg string, _ imports) bool {
		_, err := os.Stat(filepath.Join(root, pkg, "doc.go"))
		return err != nil
	})
	return there
}()

// closure returns what a package may compile of this module: what it may import, and
// what that may import in turn.
func (i imports) closure() (own, modules []string) {
	own, modules = []string{"addrs"}, slices.Clone(i.modules)
	for _, pkg := range i.own {
		more, their := table[pkg].closure()
		own, modules = append(append(own, pkg), more...), append(modules, their...)
	}
	for _, m := range slices.Concat(modules, own) {
		modules = append(modules, alongWith[m]...)
	}
	return own, modules
}

// list runs go list for a package and returns the lines it prints. Like all tests that run
// the go command, it asks for no stamp of the version control, which git refuses in a
// checkout that somebody else owns.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-buildvcs=false"}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// A listed package is what go list says of one.
type listed struct {
	ImportPath    string
	Imports, Deps []string
	Standard      bool
	Module        struct{ Path string }
}

// everything runs go list once, for the packages of the library and all that they
// depend on: each run takes most of a second.
var everything = sync.OnceValues(func() (map[string]*listed, error) {
	out, err := exec.Command("go", "list", "-buildvcs=false", "-deps", "-json=ImportPath,Imports,Deps,Standard,Module", module+"/...").Output()
	if err != nil {
		return nil, err
	}
	pkgs := map[string]*listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs[p.ImportPath] = p
	}
})

// packageOf returns what go list says of a package, by its path in this module.
func packageOf(t *testing.T, pkg string) *listed {
	t.Helper()
	pkgs, err := everything()
	if err != nil {
		t.Fatal(err)
	}
	p, ok := pkgs[module+"/"+pkg]
	if !ok {
		t.Fatalf("there is no package %s", pkg)
	}
	return p
}

// ours returns the paths of the packages of the library.
func ours(t *testing.T) (paths []string) {
	t.Helper()
	pkgs, err := everything()
	if err != nil {
		t.Fatal(err)
	}
	for path := range pkgs {
		if own, ok := strings.CutPrefix(path, module+"/"); ok {
			paths = append(paths, own)
		}
	}
	slices.Sort(paths)
	return paths
}

// TestImports checks what each package imports itself: public packages what the
// table says, those below internal/ nothing but each other and addrs. Those below
// the internal/ of a package are for its wings, and import that package; those below the
// internal/ of a wing import what the wing may import.
func TestImports(t *testing.T) {
	rows := maps.Clone(mayImport)
	for pkg := range internals(t) {
		rows[pkg] = imports{nil, []string{"github.com/hashicorp/hcl/v2", "golang.org/x/text", "github.com/zclconf/go-cty", "github.com/zclconf/go-cty-yaml", "github.com/apparentlymart/go-textseg/v15", "github.com/rogpeppe/go-internal", "golang.org/x/sys"}}
		if owner, _, ok := strings.Cut(pkg, "/internal/"); ok {
			row := table[owner]
			rows[pkg] = imports{append(slices.Clone(row.own), owner), row.modules}
			if strings.Contains(owner, "/") {
				rows[pkg] = row // what the wing itself stands on
			}
			if pkg == "hclconfig/internal/provideruse" { // of hclcheck and hcllint, which may import it
				rows[pkg] = imports{append(rows[pkg].own, "hclconfig/hclnames"), row.modules}
			}
		}
	}
	for pkg, may := range rows {
		for _, imp := range packageOf(t, pkg).Imports {
			first, _, _ := strings.Cut(imp, "/")
			switch own, ok := strings.CutPrefix(imp, module+"/"); {
			case ok:
				if own != "addrs" && !isInternal(own) && !slices.Contains(may.own, own) {
					t.Errorf("%s must not import %s", pkg, own)
				}
			case strings.Contains(first, "."):
				if !slices.ContainsFunc(may.modules, func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }) {
					t.Errorf("%s must not import %s", pkg, imp)
				}
			case imp == "unsafe":
				t.Errorf("%s must not import unsafe", pkg)
			case imp == "os/exec" && pkg != "registry" && pkg != "uijson/uirun":
				t.Errorf("%s must not run programs", pkg)
			}
		}
	}
}

// TestReach checks that nothing that a package compiles, in any module, can open connections or run
// programs, except below registry and in uirun; and that the file names no call that starts a program without
// package os/exec.
func TestReach(t *testing.T) {
	for pkg := range mayImport {
		mayConnect := strings.HasPrefix(pkg+"/", "registry/") && pkg != "registry/cliconfig" || pkg == "uijson/uirun"
		for _, path := range packageOf(t, pkg).Deps {
			if slices.Contains([]string{"net", "net/http", "crypto/tls", "os/exec", "plugin"}, path) && !mayConnect && !strings.HasPrefix(pkg, "hclconfig/hcllint") {
				t.Errorf("%s compiles %s", pkg, path)
			}
		}
	}
	for _, name := range goFiles(t) {
		dir := path.Dir(filepath.ToSlash(name))
		_, public := mayImport[dir]
		if !public && dir != "registry/ocimirror" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if m := regexp.MustCompile(`\b(os\.StartProcess|syscall\.(Exec|ForkExec|StartProcess|Socket|Connect))\(|\n(import |\t)(\w+ )?"unsafe"`).Find(read(t, name)); m != nil {
			t.Errorf("%s has %s", name, m)
		}
	}
}

// isInternal reports whether a package is below internal/, or below the internal/ of
// a public package, whose wings share it.
func isInternal(pkg string) bool {
	return strings.HasPrefix(pkg, "internal/") || strings.Contains(pkg, "/internal/")
}

// internals returns the internal packages that public packages compile.
func internals(t *testing.T) map[string]bool {
	t.Helper()
	pkgs := map[string]bool{}
	for pkg := range mayImport {
		for _, path := range packageOf(t, pkg).Deps {
			if own, ok := strings.CutPrefix(path, module+"/"); ok && isInternal(own) {
				pkgs[own] = true
			}
		}
	}
	return pkgs
}

// TestFloors checks the two floors of internal/: what packages stand on imports
// no public package but addrs; what is built on packages is internal/testing/...,
// which only tests import, and cmd/internal/testing/..., which tests of programs import.
func TestFloors(t *testing.T) {
	upper := func(pkg string) bool { return strings.HasPrefix(strings.TrimPrefix(pkg, "cmd/"), "internal/testing/") }
	tests := 0
	for _, pkg := range ours(t) {
		isTest := upper(pkg)
		if isTest {
			tests++
		}
		for _, path := range packageOf(t, pkg).Imports {
			own, ok := strings.CutPrefix(path, module+"/")
			if !ok {
				continue
			}
			switch {
			case upper(own) && !isTest:
				t.Errorf("%s must not import %s, which is for tests", pkg, own)
			case strings.HasPrefix(pkg, "internal/") && !isTest && own != "addrs" && !strings.HasPrefix(own, "internal/"):
				t.Errorf("%s must not import %s: move it to internal/testing, or out of internal", pkg, own)
			}
		}
	}
	if tests < 5 {
		t.Errorf("only %d packages are for tests", tests)
	}
}

// TestTable checks that the table allows no more than the rule: a package has
// addrs, a wing its package; where the supply packages meet, redaction, which asks what
// refers to what, registry, which applies what its wing reads, what is about the meaning of
// configurations, and linters are the exceptions. No arrow leads back.
func TestTable(t *testing.T) {
	exceptions := []string{"registry/install", "registry", "planjson/redact", "planjson/planfile", "uijson/uirun", "hclconfig/hclrename", "hclconfig/hclcheck", "hclconfig/hclnames", "hclconfig/hcllint", "hclconfig/hcllint/hcllinttest", "hclconfig/hcllint/rules"}
	for pkg, may := range table {
		parent := filepath.ToSlash(filepath.Dir(pkg))
		for _, own := range may.own {
			if own != parent && !slices.Contains(exceptions, pkg) {
				t.Errorf("the table lets %s import %s", pkg, own)
			}
			row, ok := table[own]
			if !ok {
				t.Errorf("the table lacks %s", own)
			}
			if slices.Contains(row.own, pkg) {
				t.Errorf("the table lets %s and %s import each other", pkg, own)
			}
		}
	}
}

// TestDependencies checks everything that is compiled for each public
// package: importing one costs that one alone.
func TestDependencies(t *testing.T) {
	pkgs, err := everything()
	if err != nil {
		t.Fatal(err)
	}
	for pkg, may := range mayImport {
		owns, modules := may.closure()
		modules = append(modules, alongWith[pkg]...)
		for _, path := range packageOf(t, pkg).Deps {
			own, ok := strings.CutPrefix(path, module+"/")
			switch mod := pkgs[path].Module.Path; {
			case pkgs[path].Standard:
			case ok:
				if own != pkg && !isInternal(own) && !slices.Contains(owns, own) {
					t.Errorf("%s must not depend on %s", pkg, own)
				}
			case !slices.Contains(modules, mod):
				t.Errorf("%s must not depend on %s of module %s", pkg, path, mod)
			}
		}
	}
}

// TestPublicPackages checks that the table is complete.
func TestPublicPackages(t *testing.T) {
	for _, pkg := range ours(t) {
		if isInternal(pkg) || strings.HasPrefix(pkg, "examples/") || strings.HasPrefix(pkg, "docs/") {
			continue
		}
		if _, ok := table[pkg]; !ok {
			t.Errorf("the table does not say what %s may import", pkg)
		}
		if _, ok := mayImport[pkg]; !ok {
			t.Errorf("%s has no doc.go", pkg)
		}
	}
	for pkg := range mayImport {
		packageOf(t, pkg) // fails if there is none
	}
}
