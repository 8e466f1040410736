// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// readers are the functions that fail if there is no file at their first argument.
var readers = []string{"file", "filebase64", "filebase64sha256", "filebase64sha512", "filemd5", "filesha1", "filesha256", "filesha512", "templatefile"}

// readFunctions makes the functions that read files look whether the files are
// there. Their content stays unknown.
func (c *treeChecker) readFunctions() {
	functions := maps.Clone(c.context.Functions)
	for _, name := range readers {
		for _, full := range []string{name, "core::" + name} {
			if f, ok := functions[full]; ok {
				functions[full] = c.reader(f)
			}
		}
	}
	c.context.Functions = functions
}

// reader returns f with a look for the file. Where the directory of the root module
// is the working directory, as the programs have it.
func (c *treeChecker) reader(f function.Function) function.Function {
	params := f.Params()
	look := func(args []cty.Value) error {
		for _, a := range args {
			if !a.IsKnown() {
				return nil // of templatefile: the variables
			}
		}
		name, _ := args[0].Unmark()
		at, err := c.existingFile(name.AsString())
		if err != nil {
			return function.NewArgError(0, err)
		}
		if len(args) == 1 || at == "" {
			return nil
		}
		return c.templateFile(at, args[1])
	}
	return function.New(&function.Spec{
		Params: params, VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := look(args); err != nil {
				return cty.DynamicPseudoType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(_ []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), nil },
	})
}

// existingFile returns the place of a file in the file system of the tree, or
// "" if that is not known. The error says that there is certainly no such file.
func (c *treeChecker) existingFile(name string) (string, error) {
	if strings.HasPrefix(name, "~") || filepath.IsAbs(name) || path.IsAbs(name) || c.root.FS == nil {
		return "", nil
	}
	at := path.Join(cmp.Or(c.root.WorkingDir, c.root.Module.Dir), filepath.ToSlash(name))
	if !fs.ValidPath(at) {
		return "", nil // outside the visible files
	}
	switch info, err := fs.Stat(c.root.FS, at); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("no file exists at %q; this function works only with files that are distributed as part of the configuration source code", name)
	case err != nil:
		return "", nil
	case info.IsDir():
		return "", fmt.Errorf("failed to read file: %s is a directory", name)
	case !info.Mode().IsRegular() || info.Size() > maxTemplate:
		return "", nil
	}
	return at, nil
}

// maxTemplate is the size of the largest file that is read for its references.
const maxTemplate = 1 << 20

// templateFile checks that a template can be read and that vars has all its
// references.
func (c *treeChecker) templateFile(at string, vars cty.Value) error {
	src, err := fs.ReadFile(c.root.FS, at)
	if err != nil || !utf8.Valid(src) {
		return nil
	}
	vars, _ = vars.Unmark()
	if t := vars.Type(); vars.IsNull() || !t.IsObjectType() && !t.IsMapType() {
		return function.NewArgErrorf(1, "invalid vars value: must be a map")
	}
	x, diags := hcllex.ParseTemplate(src, at, hcl.InitialPos)
	if diags.HasErrors() {
		return diags
	}
	has := map[string]bool{}
	for it := vars.ElementIterator(); it.Next(); {
		key, _ := it.Element()
		has[key.AsString()] = true
	}
	for _, t := range x.Variables() {
		if !has[t.RootName()] && !c.isType(t) {
			return function.NewArgErrorf(1, "vars map does not contain key %q, referenced at %s", t.RootName(), t[0].SourceRange())
		}
	}
	return nil
}

// directory is path.module of a module, if it is known.
func (s *moduleScope) directory() cty.Value {
	root := s.tree
	for root.Parent != nil {
		root = root.Parent
	}
	dir := hclsource.RelativeDir(cmp.Or(root.WorkingDir, root.Module.Dir), s.m.Dir)
	if root.FS == nil || dir == "" {
		return cty.UnknownVal(cty.String)
	}
	return cty.StringVal(dir)
}
