// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
	"testing"
)

// TestAddresses checks that all types of package addrs can be compared with ==, and that none is
// larger than ten words.
func TestAddresses(t *testing.T) {
	count := 0
	sizes := types.SizesFor("gc", "amd64")
	exports := map[string]string{}
	for _, line := range list(t, "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", module+"/addrs") {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	gc := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	p, err := gc.Import(module + "/addrs")
	if err != nil {
		t.Fatal(err)
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
	if count < 20 {
		t.Errorf("%d types", count)
	}
}
