// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// The workspace that is selected decides about a source that is made of its name.
func TestLoadTree_workspace(t *testing.T) {
	for selected, want := range map[string]string{"": "", "-default": "default", " blue\n": "blue", "green": ""} {
		files := fstest.MapFS{
			"main.tf":         {Data: []byte("module \"m\" {\n  source = \"./${terraform.workspace}\"\n}\n")},
			"default/main.tf": {Data: []byte("module \"n\" {\n  source = \"./${tofu.workspace}\"\n}\n")},
			"blue/main.tf":    {}, "default/default/main.tf": {},
		}
		option, given := strings.CutPrefix(selected, "-")
		if selected != "" {
			files[".terraform/environment"] = &fstest.MapFile{Data: []byte(selected)}
		}
		opts := []hclconfig.Option{hclconfig.OpenTofu}
		if given { // the option is stronger than the file
			opts = append(opts, hclconfig.Workspace(option))
		}
		tree, err := hclnames.LoadTree(files, ".", opts...)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range tree.Children {
			got = c.Module.Dir
		}
		if got != want || (len(tree.Missing) > 0) != (want == "") {
			t.Errorf("%q: %q is loaded and %d are missing, want %q", selected, got, len(tree.Missing), want)
		}
		if want != tree.Workspace && selected != "green" {
			t.Errorf("%q: the workspace is %q", selected, tree.Workspace)
		}
		if want == "default" && len(tree.Children[0].Children) != 1 {
			t.Error("the source of a called module is not followed")
		}
	}
}

// TestStaticSource: the source of a module is computed from local values, each of
// them once, and never from a value without bounds.
func TestStaticSource(t *testing.T) {
	var b strings.Builder
	b.WriteString("variable \"d\" {\n  default = \"m\"\n}\nlocals {\n  l0 = \"\"\n  dir = \"./${var.d}\"\n")
	for i := range 60 {
		fmt.Fprintf(&b, "  l%d = \"x${local.l%d}${local.l%[2]d}\"\n", i+1, i)
	}
	b.WriteString("}\nmodule \"m\" {\n  source = local.dir\n}\nmodule \"n\" {\n  source = \"./${local.l60}\"\n}\n")
	fsys := fstest.MapFS{"main.tf": {Data: []byte(b.String())}, "m/main.tf": {Data: []byte("output \"o\" {\n  value = 1\n}\n")}}
	tree, err := hclnames.LoadTree(fsys, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Children) != 1 || tree.Children[0].Module.Dir != "m" || len(tree.Missing) != 1 {
		t.Errorf("%d children, %d missing", len(tree.Children), len(tree.Missing))
	}
}

// Large modules may be called often, but not so often that checking each call takes time out of proportion to the text.
func TestLoadTree_manyCalls(t *testing.T) {
	module := strings.Repeat("# a comment of a module\n", 2000)
	for calls, ok := range map[int]bool{500: true, 1000: false} {
		var b strings.Builder
		for i := range calls {
			fmt.Fprintf(&b, "module \"m%d\" {\n  source = \"./m\"\n}\n", i)
		}
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(b.String())}, "m/main.tf": {Data: []byte(module)}}, ".")
		var e *hclconfig.Error
		switch {
		case ok && (err != nil || len(tree.Children) != calls):
			t.Errorf("%d calls: %v", calls, err)
		case !ok && (!errors.Is(err, hclconfig.ErrLimit) || !errors.As(err, &e) || e.Line < 1000):
			t.Errorf("%d calls: %v", calls, err)
		}
	}
}
