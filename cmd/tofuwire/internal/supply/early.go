// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/registry/install"
)

// computed returns a call with the source and the version that OpenTofu computes from what it
// knows early: variables, local values, paths and the workspace.
func (r *treeReader) computed(call *hclconfig.ModuleCall, in *hclnames.Tree) *hclconfig.ModuleCall {
	out := *call
	for _, text := range []*hclconfig.Text{&out.Source, &out.Version} {
		if r.Terraform || text.Argument == nil {
			continue
		}
		if _, err := text.Argument.Constant(); err == nil {
			continue
		}
		if r.values == nil {
			r.values = r.evaluator()
		}
		v := r.values.Evaluate(in, text.Argument.Expression)
		if v.Early && !v.Diagnostics.HasErrors() && v.Value.Type() == cty.String && !v.Value.IsMarked() && v.Value.IsKnown() && !v.Value.IsNull() {
			text.Value = v.Value.AsString()
		}
	}
	return &out
}

// evaluator knows the variables of the root module, from its files of values, the environment and
// defaults, in this order, and the workspace.
func (r *treeReader) evaluator() *hclnames.Evaluator {
	fsys := os.DirFS(r.volume)
	rel, _ := filepath.Rel(r.volume, r.root)
	workspace := os.Getenv("TF_WORKSPACE")
	t, err := hclnames.LoadTree(fsys, filepath.ToSlash(rel), hclconfig.Workspace(workspace))
	if err != nil {
		return hclnames.NewEvaluator(nil)
	}
	r.node.FS, r.node.Workspace, r.node.VariableFiles = fsys, cmp.Or(t.Workspace, "default"), t.VariableFiles
	given := map[string]cty.Value{}
	for _, v := range t.Module.Variables {
		if text, ok := os.LookupEnv("TF_VAR_" + v.Name); ok {
			given[v.Name] = cty.StringVal(text)
			// Only what has a type that no text can be converted to is an expression.
			// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableType.
			if typ, _, err := v.TypeConstraint(); err == nil && v.Type.IsSet() && !typ.IsPrimitiveType() {
				if values, err := hclnames.ParseValues("environment.tfvars", []byte("v="+text)); err == nil {
					given[v.Name] = values["v"]
				}
			}
		}
	}
	files, _ := (&hclnames.Tree{Module: &hclconfig.Module{}, FS: fsys, VariableFiles: t.VariableFiles}).Variables(nil)
	maps.Copy(given, files)
	values, _ := r.node.Variables(given)
	return hclnames.NewEvaluator(values)
}

// tests reads the modules that the tests of the root module run, and in OpenTofu the providers that
// only tests configure, as "init" does; "providers lock" and "providers mirror" do not.
func (r *treeReader) tests(m *hclconfig.Module) {
	named := map[string]addrs.Provider{}
	for _, p := range m.RequiredProviders() {
		named[p.Name] = p.Provider
	}
	for _, f := range m.Tests {
		name := strings.TrimPrefix(f.Filename(), m.Dir+"/")
		key := "test." + strings.ReplaceAll(strings.TrimSuffix(name, ".tftest.hcl"), "/", ".") + "."
		for _, p := range f.Config().Providers {
			provider, ok := named[p.Name]
			if !ok {
				provider, _ = addrs.ImpliedProvider(p.Name)
			}
			required := install.Requirement{Provider: provider, Place: name}
			if p.Version.IsSet() {
				var err error
				if required.Constraints, err = addrs.ParseConfigConstraints(p.Version.Value); err != nil {
					r.problem(fmt.Errorf("%s: %w", p.Version.Argument.Range(), err))
				}
			}
			if provider.IsValid() && !provider.IsBuiltIn() && !r.Terraform {
				r.tree.Required = append(r.tree.Required, required)
			}
		}
		for _, run := range f.Config().Runs {
			if run.Module == nil {
				continue
			}
			call, given := *run.Module, map[string]cty.Value{}
			for _, a := range run.Variables {
				var err error
				if given[a.Name], err = a.Constant(); err != nil {
					given[a.Name] = cty.DynamicVal
				}
			}
			call.Name, r.values = run.Name, hclnames.NewEvaluator(given) // of the run alone
			r.child(&call, key+run.Name, moduleDir{dir: r.root}, nil, nil)
		}
	}
}
