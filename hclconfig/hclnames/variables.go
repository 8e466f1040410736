// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
)

// Variables returns the values of the variables of a root module, for [NewEvaluator]: those that
// are given, otherwise those of the files in VariableFiles, and defaults. Variables that have none
// are not in the map. The result has an error for each file that cannot be read or is faulty.
func (t *Tree) Variables(given map[string]cty.Value) (map[string]cty.Value, []error) {
	out := map[string]cty.Value{}
	if t == nil || t.Module == nil {
		maps.Copy(out, given)
		return out, nil
	}
	var errs []error
	if t.FS != nil && t.Parent == nil {
		files := slices.Clone(t.VariableFiles)
		slices.SortFunc(files, compareValuesFiles)
		for _, name := range files {
			src, err := fs.ReadFile(t.FS, name)
			if err == nil {
				var values map[string]cty.Value
				values, err = ParseValues(name, src)
				maps.Copy(out, values)
			}
			if err != nil {
				errs = append(errs, err)
			}
		}
	}
	maps.Copy(out, given)
	for _, v := range t.Module.Variables {
		if _, ok := out[v.Name]; ok {
			continue
		}
		// A default that is given counts more than files that may have a value.
		if d, err := v.TypedDefault(); err == nil && d != cty.NilVal && len(t.VariableFiles) > 0 {
			out[v.Name] = d
		}
	}
	return out, errs
}

// compareValuesFiles puts the files of values into the order in which the programs read them.
func compareValuesFiles(a, b string) int {
	rank := func(name string) int {
		switch path.Base(name) {
		case "terraform.tfvars":
			return 0
		case "terraform.tfvars.json":
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// ParseValues reads a file of values, in the syntax of its name's extension, and returns the values
// by variable name. Faulty arguments are omitted, and the first of them is the error.
func ParseValues(filename string, src []byte) (map[string]cty.Value, error) {
	read := hclconfig.ParseNative
	if strings.HasSuffix(filename, ".json") {
		read = hclconfig.ParseJSON
	}
	// The name decides what the properties of a JSON file are.
	if k, ok := hclconfig.ParseFilename(filename); !ok || k.Kind != hclconfig.ValuesFile {
		filename += ".tfvars"
		if strings.HasSuffix(filename, ".json.tfvars") {
			filename += ".json"
		}
	}
	f, err := read(filename, src)
	if err != nil {
		return nil, err
	}
	values := map[string]cty.Value{}
	for i := range f.Body().Arguments {
		a := &f.Body().Arguments[i]
		v, wrong := a.Constant()
		if wrong != nil {
			err = cmp.Or(err, wrong)
			continue
		}
		values[a.Name] = v
	}
	return values, err
}
