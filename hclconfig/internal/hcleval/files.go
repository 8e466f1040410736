// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// Functions has what the functions of a release depend on in a module: its files, and
// whether the plan is made.
type Functions struct {
	Program langfuncs.Program
	Minor   int
	// Has reports whether something is among the rules of the release.
	Has func(hcllang.Support) bool
	// IsType reports whether a reference is the name of a type.
	IsType   func(hcl.Traversal) bool
	Planning bool
	// FS has the files, or is nil; Dir is the working directory in it.
	FS  fs.FS
	Dir string

	made map[string]function.Function
}

// clock sets what plantimestamp returns. In the first releases validate has a time for it.
func (f *Functions) clock(functions map[string]function.Function) {
	for _, name := range []string{"plantimestamp", "core::plantimestamp"} {
		if _, ok := functions[name]; ok && !f.Planning && !f.Has(hclsource.PlanTime) {
			functions[name] = langfuncs.ZeroTime
		}
	}
}

// readers are the functions that fail if there is no file at their first argument.
var readers = []string{"file", "filebase64", "filebase64sha256", "filebase64sha512", "filemd5", "filesha1", "filesha256", "filesha512", "templatefile"}

// Make returns the functions, which count against the budget. Those that read files look
// whether the files are there. The function file returns the content of a small file; what the
// others return stays unknown.
func (f *Functions) Make(b *Budget) map[string]function.Function {
	functions := maps.Clone(langfuncs.Table(f.Program, f.Minor))
	f.clock(functions)
	for _, name := range readers {
		for _, full := range []string{name, "core::" + name} {
			if r, ok := functions[full]; ok {
				functions[full] = f.reader(r, name == "file")
			}
		}
	}
	for _, name := range []string{"templatestring", "core::templatestring"} {
		if r, ok := functions[name]; ok {
			functions[name] = f.stringTemplate(r)
		}
	}
	f.made = b.Metered(functions)
	return f.made
}

// reader returns r with a look for the file. Where the directory of the root module
// is the working directory, as the programs have it. If content is set, the text of a small file
// is the result.
func (f *Functions) reader(r function.Function, content bool) function.Function {
	params := r.Params()
	exists := func(args []cty.Value) error {
		for _, a := range args {
			if !a.IsKnown() {
				return nil // of templatefile: the variables
			}
		}
		name, _ := args[0].Unmark()
		at, err := f.existingFile(name.AsString())
		if err != nil {
			return function.NewArgError(0, err)
		}
		if len(args) == 1 || at == "" {
			return nil
		}
		return f.templateFile(at, args[1])
	}
	return function.New(&function.Spec{
		Params: params, VarParam: r.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := exists(args); err != nil {
				return cty.DynamicPseudoType, err
			}
			return r.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if name, marks := args[0].Unmark(); content && name.IsKnown() {
				return f.content(name.AsString()).WithMarks(marks), nil
			} else if content {
				return r.Call(args)
			}
			return cty.UnknownVal(t), nil
		},
	})
}

// content returns the text of a file, if it is known and small.
func (f *Functions) content(name string) cty.Value {
	at, err := f.existingFile(name)
	if err != nil || at == "" {
		return cty.UnknownVal(cty.String)
	}
	if info, err := fs.Stat(f.FS, at); err != nil || info.Size() > langfuncs.MaxWeight {
		return cty.UnknownVal(cty.String)
	}
	src, err := fs.ReadFile(f.FS, at)
	if err != nil || !utf8.Valid(src) || len(src) > langfuncs.MaxWeight {
		return cty.UnknownVal(cty.String)
	}
	return cty.StringVal(string(src))
}

// existingFile returns the place of a file in the file system, or
// "" if that is not known. The error says that there is certainly no such file.
func (f *Functions) existingFile(name string) (string, error) {
	if strings.HasPrefix(name, "~") || filepath.IsAbs(name) || path.IsAbs(name) || f.FS == nil {
		return "", nil
	}
	at := path.Join(f.Dir, filepath.ToSlash(name))
	if !fs.ValidPath(at) {
		return "", nil // outside the visible files
	}
	switch info, err := fs.Stat(f.FS, at); {
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
func (f *Functions) templateFile(at string, vars cty.Value) error {
	src, err := fs.ReadFile(f.FS, at)
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
	_, err = f.evaluateTemplate(x, vars)
	return err
}

// stringTemplate returns r, which is templatestring, with a look at the template where it is known.
func (f *Functions) stringTemplate(r function.Function) function.Function {
	terraform := f.Program == langfuncs.Terraform
	return function.New(&function.Spec{
		Params: r.Params(), VarParam: r.VarParam(), Type: r.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			out, err := r.Call(args)
			if err != nil {
				return out, err
			}
			text := args[0]
			if text.Type().Equals(customdecode.ExpressionClosureType) {
				text, _ = customdecode.ExpressionClosureFromVal(text).Value()
			}
			text, _ = text.Unmark()
			vars, _ := args[1].Unmark()
			if !text.IsKnown() || text.IsNull() || text.Type() != cty.String || !vars.IsKnown() || vars.IsNull() || len(text.AsString()) > maxTemplate {
				return out, nil
			}
			x, diags := hcllex.ParseTemplate([]byte(text.AsString()), "<templatestring argument>", hcl.InitialPos)
			switch {
			case diags.HasErrors() && terraform:
				return out, function.NewArgError(0, diags)
			case diags.HasErrors():
				return out, diags
			}
			v, err := f.evaluateTemplate(x, vars)
			if err == nil && terraform {
				v, err = convert.Convert(v, cty.String)
				if err == nil && v.IsNull() && f.Has(hclsource.NullTemplates) {
					err = errors.New("the template result is null")
				}
			}
			return out, err
		},
	})
}

// evaluateTemplate returns the value of a template with a map of variables, and its fault. What a
// template with loops gives is not known.
func (f *Functions) evaluateTemplate(x hclsyntax.Expression, vars cty.Value) (cty.Value, error) {
	variables := vars.AsValueMap()
	for name := range variables {
		if !hclsyntax.ValidIdentifier(name) {
			return cty.DynamicVal, function.NewArgErrorf(1, "invalid template variable name %q: must start with a letter, followed by zero or more letters, digits, and underscores", name)
		}
	}
	for _, t := range x.Variables() {
		if _, ok := variables[t.RootName()]; !ok && !f.IsType(t) {
			return cty.DynamicVal, function.NewArgErrorf(1, "vars map does not contain key %q, referenced at %s", t.RootName(), t[0].SourceRange())
		}
	}
	loops := false
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		_, ok := n.(*hclsyntax.ForExpr)
		loops = loops || ok
		return nil
	})
	if loops {
		return cty.DynamicVal, nil
	}
	functions := maps.Clone(f.made)
	for _, name := range []string{"templatefile", "core::templatefile", "templatestring", "core::templatestring"} {
		if r, ok := functions[name]; ok {
			functions[name] = f.innerTemplate(r)
		}
	}
	v, diags := hclbound.Bounded(x).Value(&hcl.EvalContext{Variables: variables, Functions: functions})
	if diags.HasErrors() {
		return v, diags
	}
	v, _ = v.UnmarkDeep()
	return v, nil
}

// innerTemplate returns a function that makes templates inside a template: only OpenTofu has it,
// since 1.7. The inner template is not looked at.
func (f *Functions) innerTemplate(r function.Function) function.Function {
	return function.New(&function.Spec{
		Params: r.Params(), VarParam: r.VarParam(),
		Type: func([]cty.Value) (cty.Type, error) {
			if !f.Has(hclsource.InnerTemplates) {
				return cty.DynamicPseudoType, errors.New("a template must not be made inside another one")
			}
			return cty.DynamicPseudoType, nil
		},
		Impl: func(_ []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), nil },
	})
}
