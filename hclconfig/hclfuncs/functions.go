// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	"cmp"
	"io/fs"
	"maps"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Options are options of [Functions]. The zero value is ready to use; without FS the functions
// that read files fail.
type Options struct {
	// FS is the file system that functions read. Absolute paths start at its root.
	FS fs.FS
	// Dir is the directory in FS where relative paths start. If empty, it is the root.
	Dir string
	// Home is the path that "~" stands for, or empty if there is none.
	Home string
	// Time is the result of timestamp and plantimestamp. If zero, plantimestamp returns the
	// time of the call of Functions, and timestamp the current time.
	Time time.Time
	// UUID makes the results of uuid. If nil, they are random.
	UUID func() string
}

// Functions returns the functions of the release of a dialect by name. For releases that support
// it, each function also has the name core::NAME. The caller owns the map.
func Functions(d hclconfig.Dialect, opts Options) map[string]function.Function {
	program, minor := releaseOf(d)
	table := maps.Clone(langfuncs.Table(program, minor))
	clock := opts.Time
	plan := cmp.Or(clock, time.Now())
	files := &files{fs: opts.FS, dir: opts.Dir, home: opts.Home}
	made := map[string]func(function.Function) function.Function{}
	for name, compute := range completions {
		made[name] = func(f function.Function) function.Function { return langfuncs.Completed(f, compute) }
	}
	files.add(made)
	templates := &templates{files: files, program: program}
	templates.add(made)
	made["plantimestamp"] = replaced(constant(func() string { return plan.UTC().Format(time.RFC3339) }))
	made["timestamp"] = replaced(constant(func() string { return cmp.Or(clock, time.Now()).UTC().Format(time.RFC3339) }))
	made["uuid"] = replaced(constant(func() string {
		if opts.UUID != nil {
			return opts.UUID()
		}
		return randomUUID()
	}))
	made["yamlencode"] = replaced(yaml.YAMLEncodeFunc)
	signatures := Signatures(d)
	for name, f := range table {
		plain := strings.TrimPrefix(name, "core::")
		if make := made[plain]; make != nil {
			f = make(f)
		}
		if s, ok := signatures[name]; ok {
			f = named(f, s)
		}
		table[name] = f
	}
	templates.functions = table
	return table
}

// replaced stands for a function that the table of names and types has without a result.
func replaced(by function.Function) func(function.Function) function.Function {
	return func(function.Function) function.Function { return by }
}

// constant returns a function without parameters.
func constant(text func() string) function.Function {
	return function.New(&function.Spec{
		Type: function.StaticReturnType(cty.String),
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return cty.StringVal(text()), nil },
	})
}

// named gives the parameters of a function the names that diagnostics show.
func named(f function.Function, s Signature) function.Function {
	params := f.Params()
	if len(params) != len(s.Parameters) {
		return f
	}
	own := make([]function.Parameter, len(params))
	for i, p := range params {
		own[i] = p
		own[i].Name = s.Parameters[i].Name
	}
	variadic := f.VarParam()
	if variadic != nil && s.Variadic != nil {
		v := *variadic
		v.Name = s.Variadic.Name
		variadic = &v
	}
	return function.New(&function.Spec{
		Description: s.Description, Params: own, VarParam: variadic,
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}
