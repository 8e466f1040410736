// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// The workspace that is selected decides about a source that is made of its name.
func TestLoadTree_workspace(t *testing.T) {
	for selected, want := range map[string]string{"": "default", " blue\n": "blue", "green": ""} {
		files := fstest.MapFS{
			"main.tf":         {Data: []byte("module \"m\" {\n  source = \"./${terraform.workspace}\"\n}\n")},
			"default/main.tf": {Data: []byte("module \"n\" {\n  source = \"./${tofu.workspace}\"\n}\n")},
			"blue/main.tf":    {}, "default/default/main.tf": {},
		}
		if selected != "" {
			files[".terraform/environment"] = &fstest.MapFile{Data: []byte(selected)}
		}
		tree, err := hclnames.LoadTree(files, ".", hclconfig.OpenTofu)
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
		if want == "default" && len(tree.Children[0].Children) != 1 {
			t.Error("the source of a called module is not followed")
		}
	}
}
