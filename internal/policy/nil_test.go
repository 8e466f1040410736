// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestNil calls every exported function of the public packages with arguments
// that are nil or zero, and every exported method of every exported type, of a
// nil pointer and of a zero value. None may panic: what is looked up in nothing is
// not there. Only functions whose names begin with Must may.
//
// The calls are in a program that this test writes: a new package is
// covered as soon as the table has it.
func TestNil(t *testing.T) {
	depth.NeedFull(t, "it compiles a program that calls every function")
	dir := t.TempDir()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	calls, imports := nilCalls(t)
	runner := string(read(t, "internal/policy/testdata/nilcalls.go.txt"))
	runner = strings.Replace(runner, "// IMPORTS\n", imports, 1)
	runner = strings.Replace(runner, "\t// CALLS\n", calls, 1)
	for name, text := range map[string]string{
		"go.mod":  "module example.com/nilcalls\n\ngo 1.26.0\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + filepath.ToSlash(abs) + "\n",
		"go.sum":  string(read(t, "go.sum")),
		"main.go": runner,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "nilcalls.exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-mod=mod", "-trimpath", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	work := t.TempDir()
	cmd := exec.Command(program)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "HOME="+work, "USERPROFILE="+work, "APPDATA="+work, "XDG_CONFIG_HOME="+work, "TF_CLI_CONFIG_FILE=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	n, seen := 0, map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if count, ok := strings.CutPrefix(line, "calls: "); ok {
			fmt.Sscan(count, &n)
			continue
		}
		name, _, _ := strings.Cut(line, " ")
		if name = strings.TrimSuffix(name, ":"); changes(name) || seen[name] {
			continue
		}
		seen[name] = true
		t.Error(strings.TrimSpace(line))
	}
	if err != nil || n < 1000 {
		t.Errorf("%d calls: %v\n%s", n, err, stderr.String())
	}
	t.Logf("%d calls", n)
}

// changes reports whether a method changes its receiver, or works with what a
// function has put into it: of a nil pointer and of a zero value it may panic, as
// writing to a nil map does.
func changes(call string) bool {
	recv, method, ok := strings.Cut(call, ").")
	if !ok {
		return false
	}
	recv = strings.TrimLeft(strings.TrimSuffix(recv, ")(nil"), "(*")
	recv = strings.TrimPrefix(recv, "new(")
	for _, m := range changing {
		typ, names, _ := strings.Cut(m, ": ")
		if (typ == recv || typ == "*") && (names == "*" || slices.Contains(strings.Fields(names), method)) {
			return true
		}
	}
	return false
}

// changing has these methods, by type.
var changing = []string{
	"*: UnmarshalText UnmarshalJSON",
	"checksum.Sums: Set Remove",
	"hcledit.BlockBuilder: *",
	"hcllint.Edits: *", "hcllint.Pass: *", // Run makes them
	"hcledit.Editor: Add Apply Delete Insert Move Relabel Remove Rename Replace ReplaceReference ReplaceReferences Set SetComments SetHeader Sort Wrap",
	"lockfile.File: Set SetVersion AddHashes Remove RemoveHashes Save",
	"planjson.Cursor: Next Value",
	// Workers.
	"statefile.AESGCM: *", "statefile.ExternalKeys: *", "statefile.ExternalMethod: *", "statefile.PBKDF2: *",
}

// nilCalls returns the calls of the program, and its imports.
func nilCalls(t *testing.T) (calls, imports string) {
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
	gc := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	var b bytes.Buffer
	for _, pkg := range pkgs {
		if pkg == "registry/registrytest" || pkg == "hclconfig/hcllint/hcllinttest" {
			continue // they need a testing.TB
		}
		p, err := gc.Import(module + "/" + pkg)
		if err != nil {
			t.Fatal(err)
		}
		imports += fmt.Sprintf("\t%q\n", p.Path())
		for _, name := range p.Scope().Names() {
			obj := p.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			full := p.Name() + "." + name
			switch obj := obj.(type) {
			case *types.Func:
				if strings.HasPrefix(name, "Must") || full == "hcllint.Main" { // which ends the program
					continue
				}
				params := instance(t, full, p, obj.Signature().TypeParams())
				fmt.Fprintf(&b, "\tfunction(%q, %s%s)\n", full, full, params)
			case *types.TypeName:
				if types.IsInterface(obj.Type()) {
					continue
				}
				params := ""
				if named, ok := obj.Type().(*types.Named); ok {
					params = instance(t, full, p, named.TypeParams())
				}
				fmt.Fprintf(&b, "\tmethods[%s%s](%q)\n", full, params, full)
			}
		}
	}
	return b.String(), imports
}

// instance returns type arguments in brackets that satisfy the constraints of
// type parameters: the first that do of int, string and the exported types of the
// package and pointers to them.
func instance(t *testing.T, name string, p *types.Package, list *types.TypeParamList) string {
	t.Helper()
	if list.Len() == 0 {
		return ""
	}
	candidates := []types.Type{types.Typ[types.Int], types.Typ[types.String]}
	for _, n := range p.Scope().Names() {
		if obj, ok := p.Scope().Lookup(n).(*types.TypeName); ok && obj.Exported() {
			if named, ok := obj.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
				continue
			}
			candidates = append(candidates, obj.Type(), types.NewPointer(obj.Type()))
		}
	}
	var args []string
	for param := range list.TypeParams() {
		constraint, _ := param.Constraint().Underlying().(*types.Interface)
		i := slices.IndexFunc(candidates, func(c types.Type) bool { return types.Satisfies(c, constraint) })
		if i < 0 {
			t.Errorf("%s: no type for %v", name, param)
			return ""
		}
		args = append(args, types.TypeString(candidates[i], func(p *types.Package) string { return p.Name() }))
	}
	return "[" + strings.Join(args, ", ") + "]"
}
