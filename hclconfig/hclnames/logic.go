// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"bytes"
	"io/fs"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// addLogic adds the operators && and || in files whose second side only older releases
// evaluate, where that side has a fault: it depends on local values, not on variables.
func (n *needs) addLogic(fsys fs.FS, files []*hclconfig.File, d hclconfig.Dialect) error {
	trees := map[string]*logic{}
	for _, f := range files {
		if text := f.Bytes(); hclsource.IsTest(f) || f.Kind() != hclconfig.ConfigFile || !bytes.Contains(text, []byte("&&")) && !bytes.Contains(text, []byte("||")) {
			continue
		}
		dir := path.Dir(f.Filename())
		if trees[dir] == nil {
			t, err := LoadTree(fsys, dir, d)
			if t == nil {
				return err
			}
			trees[dir] = newLogic(t, n.program)
		}
		for a := range f.Body().AllArguments() {
			if raw := a.Expression.Raw(); !strings.Contains(raw, "&&") && !strings.Contains(raw, "||") || !hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
				continue
			}
			if at, ok := trees[dir].stops(a.Expression); ok {
				n.list = append(n.list, needed{feature: Feature{Name: "operator that stops early", Support: Support(hclsource.LazyLogic), Range: at.Subject}})
			}
		}
	}
	return nil
}

// logic evaluates expressions of a module without the values of its variables.
type logic struct {
	costs     hcleval.Budget
	tree      *Tree
	evaluator *Evaluator
	locals    map[string]hclconfig.Expression
	ctx       *hcl.EvalContext
}

func newLogic(t *Tree, p hcllang.Dialect) *logic {
	unknown := map[string]cty.Value{}
	for _, v := range t.Module.Variables {
		unknown[v.Name] = cty.DynamicVal
	}
	program := langfuncs.OpenTofu
	if p == hcllang.Terraform {
		program = langfuncs.Terraform
	}
	l := &logic{tree: t, evaluator: NewEvaluator(unknown), locals: map[string]hclconfig.Expression{}}
	l.ctx = &hcl.EvalContext{Functions: l.costs.Metered(langfuncs.Table(program, -1))}
	for _, x := range t.Module.Locals {
		l.locals[x.Name] = x.Argument.Expression
	}
	return l
}

// stops reports whether only what is not evaluated in newer releases has a fault, which it
// returns.
func (l *logic) stops(e hclconfig.Expression) (hclconfig.Diagnostic, bool) {
	values := map[string]cty.Value{}
	locals := map[string]cty.Value{}
	for _, r := range e.References() {
		values[r.Root()] = cty.DynamicVal
		if x, ok := l.locals[r.Addr.Name()]; ok && r.Root() == "local" {
			locals[r.Addr.Name()] = l.evaluator.Evaluate(l.tree, x).Value
		}
	}
	if len(locals) > 0 {
		values["local"] = cty.ObjectVal(locals)
	}
	ctx := l.ctx.NewChild()
	ctx.Variables = values
	if _, diags, kept := l.costs.Value(e, ctx, hcleval.Rules{}); diags.HasErrors() || !kept {
		return hclconfig.Diagnostic{}, false
	}
	_, diags, _ := l.costs.Value(e, ctx, hcleval.Rules{EagerLogic: true})
	for d := range diags.Errors() {
		return d, true
	}
	return hclconfig.Diagnostic{}, false
}
