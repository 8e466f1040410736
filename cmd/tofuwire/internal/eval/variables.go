// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
)

// valuesOf returns the values that the files of a root give to its variables, in the order of the
// tools: terraform.tfvars, its JSON form, then *.auto.tfvars by name.
func valuesOf(fsys fs.FS, t *hclnames.Tree) (map[string]cty.Value, error) {
	files := slices.Clone(t.VariableFiles)
	rank := func(name string) string {
		switch path.Base(name) {
		case "terraform.tfvars":
			return "0"
		case "terraform.tfvars.json":
			return "1"
		}
		return "2" + name
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	out := map[string]cty.Value{}
	for _, name := range files {
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		f, err := hclconfig.Parse(name, src)
		if err != nil {
			return nil, err
		}
		for i := range f.Body().Arguments {
			a := &f.Body().Arguments[i]
			v, err := a.Constant()
			if err != nil {
				return nil, err
			}
			out[a.Name] = v
		}
	}
	for _, v := range t.Module.Variables { // what the files do not give has its default
		if _, given := out[v.Name]; !given && len(files) > 0 {
			if d, err := v.TypedDefault(); err == nil && d != cty.NilVal {
				out[v.Name] = d
			}
		}
	}
	return out, nil
}
