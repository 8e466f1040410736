// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
)

// variablesOf returns the values of the variables of a root module: those that are given,
// those of its files of values, and defaults. Variables that have none are not there.
func variablesOf(t *hclnames.Tree, given map[string]cty.Value) (map[string]cty.Value, []error) {
	out := map[string]cty.Value{}
	var errs []error
	if t.FS != nil && t.Parent == nil {
		files := slices.Clone(t.VariableFiles)
		slices.SortFunc(files, compareValuesFiles)
		for _, name := range files {
			src, err := fs.ReadFile(t.FS, name)
			if err == nil {
				err = readValues(name, src, out)
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

// readValues reads a file of values, in the syntax that its name says, into a map. Values of
// faulty arguments are left out, and the first of them is the error.
func readValues(name string, src []byte, into map[string]cty.Value) error {
	read := hclconfig.ParseNative
	if strings.HasSuffix(name, ".json") {
		read = hclconfig.ParseJSON
	}
	// The name decides what the properties of a JSON file are.
	if k, ok := hclconfig.ParseFilename(name); !ok || k.Kind != hclconfig.ValuesFile {
		name += ".tfvars"
		if strings.HasSuffix(name, ".json.tfvars") {
			name += ".json"
		}
	}
	f, err := read(name, src)
	if err != nil {
		return err
	}
	for i := range f.Body().Arguments {
		a := &f.Body().Arguments[i]
		v, wrong := a.Constant()
		if wrong != nil {
			err = cmp.Or(err, wrong)
			continue
		}
		into[a.Name] = v
	}
	return err
}

// variables returns the values that the configuration of a linter gives to the variables of
// the module in a directory: those of its files of values, then those that it names.
func (s *settings) variables(dir string, read readFile) (map[string]cty.Value, error) {
	out := map[string]cty.Value{}
	for _, name := range s.varFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		src, err := read.bytes(name)
		if err == nil {
			err = readValues(name, src, out)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, v := range s.vars {
		name, text, _ := strings.Cut(v, "=")
		out[name] = cty.StringVal(text)
		if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
			if x, err := hclconfig.ParseExpression(name, []byte(text), hclconfig.NativeSyntax, hclconfig.KindLiteral); err == nil {
				if value, err := x.Constant(); err == nil {
					out[name] = value
				}
			}
		}
	}
	return out, nil
}
