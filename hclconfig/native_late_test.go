// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// Parsing keeps no trees of expressions: what it keeps is a few times the text.
func TestParse_memory(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "resource \"lab_part\" \"p%d\" {\n  zones = [for z in var.zones : upper(z) if z != \"a\" && length(z) > %[1]d]\n  name = try(coalesce(var.names[%[1]d].name, local.name), format(\"%%s-${var.suffix}\", var.name))\n}\n", i)
	}
	text := []byte(b.String())
	before := bounds.Heap()
	f, err := Parse("main.tf", text, OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	parsed := bounds.Heap()
	if got := parsed - before; got > 4*len(text) {
		t.Errorf("the file keeps %d bytes for a text of %d", got, len(text))
	}
	for _, r := range f.Config().Resources {
		for i := range r.Block.Body.Arguments {
			r.Block.Body.Arguments[i].Form()
		}
	}
	if got := bounds.Heap() - parsed; got < 4*len(text) {
		t.Errorf("the trees take %d bytes for a text of %d: does this test see them?", got, len(text))
	}
	runtime.KeepAlive(f)
}

func TestExpression_HCL_concurrent(t *testing.T) {
	f, err := Parse("main.tf", []byte("locals {\n  a = [1, var.b, \"${var.c}-x\"]\n}\n"), OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	e := f.Config().Locals[0].Argument.Expression
	trees := make([]hclsyntax.Expression, 8)
	var group sync.WaitGroup
	for i := range trees {
		group.Go(func() {
			trees[i], _ = e.HCL()
			e.References()
		})
	}
	group.Wait()
	for i, tree := range trees {
		if tree == nil || tree != trees[0] {
			t.Errorf("tree %d is %v, not the same as the first", i, tree)
		}
	}
}
