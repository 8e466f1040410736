// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

const recordedDir = "../testdata/recorded"

// TestConvertRecorded compares the modules of testdata/convert, in all forms,
// with the plans that real programs made: the configuration with its constants
// and its references in their order, and the values of all outputs and
// arguments that can be had without planning. No program is needed for it.
func TestConvertRecorded(t *testing.T) {
	schemas := configshow.ReadSchemas(t, recordedDir)
	records, err := filepath.Glob("testdata/convert-plans/*/*.json")
	if err != nil || records == nil {
		t.Fatal("no records", err)
	}
	seen := map[string]bool{}
	for _, record := range records {
		seen[filepath.Base(filepath.Dir(record))] = true
	}
	for _, c := range convertCases(t) {
		if !seen[c.name] {
			t.Errorf("no program has planned %s", c.name)
			continue
		}
		forms := c.forms(t)
		for _, tool := range []string{"tofu", "terraform"} {
			src, err := os.ReadFile(recordedPlan(c.name, tool))
			if os.IsNotExist(err) && c.name == "tofu" && tool == "terraform" {
				continue // it cannot be read by that
			}
			if err != nil {
				t.Fatal(err)
			}
			want := configshow.DecodeObject(t, src)
			values := -1
			for _, form := range []string{"as written", "converted", "converted back"} {
				t.Run(c.name+"/"+tool+"/"+form, func(t *testing.T) {
					r := configshow.Recording{Tool: tool, Program: tool, Version: addrs.MustParseVersion(want["version"].(string)), Want: want["configuration"].(configshow.Object)}
					m, err := hclconfig.LoadModule(configshow.MapFS(forms[form]), ".", r.Dialect())
					if err != nil {
						t.Fatal(err)
					}
					wantShown, shown := r.Want, shownConfiguration(t, r, m, forms[form], schemas)
					configshow.SortResources(wantShown)
					if diff := difference(wantShown, shown); diff != "" {
						t.Errorf("configuration (recorded, and ours):\n%s", diff)
					}
					n := comparePlannedValues(t, m, want["planned_values"].(configshow.Object))
					if values >= 0 && n != values {
						t.Errorf("%d values could be computed, before conversion %d", n, values)
					}
					values = n
				})
			}
			if least := map[string]int{"operators": 180, "heredocs": 40, "json-forms": 60, "templates": 40}[c.name]; values < least {
				t.Errorf("%s: only %d values could be compared", c.name, values)
			}
		}
	}
}

// TestConvertShowConfig converts what the tools have recorded of many modules,
// also with resources of providers, in both directions, with the schemas of the
// providers and without, and wants the configuration that was recorded.
func TestConvertShowConfig(t *testing.T) {
	schemas := configshow.ReadSchemas(t, recordedDir)
	for i, r := range configshow.Recordings(t, recordedDir) {
		if i%depth.Of(3, 1, 1) > 0 || strings.HasPrefix(r.File, "show-module") {
			continue // it has nothing that the plan has not
		}
		t.Run(path.Join(r.Dir, r.Tool, r.File), func(t *testing.T) {
			written := treeOf(t, r)
			known := func(dir string) hclconvert.Options {
				return hclconvert.Options{Schema: recordedSchema(t, schemas, written, dir, r.Dialect())}
			}
			unknown := func(string) hclconvert.Options { return hclconvert.Options{} }
			convert := func(tree map[string]string, to hclconfig.Syntax, options func(string) hclconvert.Options) map[string]string {
				out, diags := convertFiles(t, tree, to, options, r.Dialect())
				for d := range diags.Errors() {
					// The one thing that has no form in JSON.
					if d.Summary != "No JSON form" || !strings.Contains(d.Detail, "prevent_destroy") {
						t.Error(d)
					}
				}
				return out
			}
			want := normalConfiguration(r.Want, true)
			configshow.SortResources(want)
			forms := map[string]map[string]string{
				"JSON":                convert(written, hclconfig.JSONSyntax, unknown),
				"JSON, with schemas":  convert(written, hclconfig.JSONSyntax, known),
				"native, of JSON":     convert(written, hclconfig.NativeSyntax, known),
				"native, and back":    nil,
				"native, from guess":  nil,
				"native, of all JSON": nil,
			}
			forms["native, of all JSON"] = convert(forms["JSON, with schemas"], hclconfig.NativeSyntax, known)
			forms["native, and back"] = convert(forms["native, of all JSON"], hclconfig.JSONSyntax, unknown)
			if hasJSON(written) {
				delete(forms, "native, from guess") // people's JSON is ambiguous
			} else {
				forms["native, from guess"] = convert(forms["JSON"], hclconfig.NativeSyntax, unknown)
			}
			for form, tree := range forms {
				m, err := hclconfig.LoadModule(configshow.MapFS(tree), r.Module, r.Dialect())
				if err != nil {
					t.Fatal(err)
				}
				got := shownConfiguration(t, r, m, tree, schemas)
				if !hasJSON(tree) {
					got = normalConfiguration(got, hasJSON(written)).(configshow.Object)
				}
				if diff := difference(normalConfiguration(want, false), got); diff != "" {
					t.Errorf("%s (recorded, and ours):\n%s", form, diff)
				}
			}
		})
	}
}

// treeOf returns the files that a recording is of.
func treeOf(t *testing.T, r configshow.Recording) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, f := range r.Files(t).(fstest.MapFS) {
		out[name] = string(f.Data)
	}
	return out
}

// recordedSchema returns a lookup of the recorded schemas for the files of a
// folder.
func recordedSchema(t *testing.T, schemas map[string]*configshow.ProviderSchemas, tree map[string]string, dir string, dialect hclconfig.Dialect) func(*hclconfig.Block) *hclconfig.BlockSchema {
	t.Helper()
	m, err := hclconfig.LoadModule(configshow.MapFS(tree), dir, dialect)
	if err != nil {
		t.Fatal(err)
	}
	return func(b *hclconfig.Block) *hclconfig.BlockSchema {
		if len(b.Labels) == 0 {
			return nil
		}
		for _, s := range schemas {
			for typ, list := range map[string]map[string]*configshow.ObjectSchema{"resource": s.Resources, "data": s.Data, "ephemeral": s.Ephemeral} {
				if found := list[b.Labels[0]]; b.Type == typ && found != nil {
					return found.Block.Schema()
				}
			}
		}
		if b.Type == "provider" {
			if p, err := m.ProviderOf(b.Labels[0]); err == nil {
				if s := schemas[p.Namespace()+"/"+p.Type()]; s != nil {
					return s.Provider.Block.Schema()
				}
			}
		}
		return nil
	}
}

// shownConfiguration renders a module in the form of "configuration", made the
// same for both syntaxes.
func shownConfiguration(t *testing.T, r configshow.Recording, m *hclconfig.Module, tree map[string]string, schemas map[string]*configshow.ProviderSchemas) configshow.Object {
	t.Helper()
	s := configshow.Renderer{T: t, Recording: r, Files: configshow.MapFS(tree), Schemas: schemas}
	src, err := json.Marshal(s.Show(m))
	if err != nil {
		t.Fatal(err)
	}
	out := normalConfiguration(configshow.DecodeObject(t, src), hasJSON(tree)).(configshow.Object)
	configshow.SortResources(out)
	return out
}

// comparePlannedValues computes the outputs of a module and the arguments of
// its resources, as far as that is possible without planning, and compares them
// with the planned values. It returns how many values that were, counting each
// number and text in a larger value.
func comparePlannedValues(t *testing.T, m *hclconfig.Module, planned configshow.Object) int {
	t.Helper()
	ctx := staticContext(t, m)
	n := 0
	compare := func(what string, e hclconfig.Expression, want any) {
		if v, diags := e.Value(ctx); !diags.HasErrors() {
			n += compareKnown(t, what, v, want)
		}
	}
	outputs, _ := planned["outputs"].(configshow.Object)
	for _, o := range m.Outputs {
		want, _ := outputs[o.Name].(configshow.Object)
		if v, ok := want["value"]; ok {
			compare("output."+o.Name, o.Value, v)
		}
	}
	root, _ := planned["root_module"].(configshow.Object)
	resources, _ := root["resources"].([]any)
	for _, r := range m.Resources {
		i := slices.IndexFunc(resources, func(x any) bool { return x.(configshow.Object)["address"] == r.Addr().String() })
		if i < 0 {
			continue // it has several instances
		}
		values, _ := resources[i].(configshow.Object)["values"].(configshow.Object)
		for j := range r.Config().Arguments {
			a := &r.Config().Arguments[j]
			if want, ok := values[a.Name]; ok {
				compare(r.Addr().String()+"."+a.Name, a.Expression, want)
			}
		}
	}
	return n
}

// compareKnown compares the known parts of a value with the planned one, and
// returns how much that is.
func compareKnown(t *testing.T, what string, v cty.Value, want any) int {
	t.Helper()
	n := 0
	switch {
	case !v.IsKnown():
	case !v.IsWhollyKnown() && !v.Type().IsSetType():
		for it := v.ElementIterator(); it.Next(); {
			key, e := it.Element()
			var inner any
			if list, ok := want.([]any); ok {
				i, _ := key.AsBigFloat().Int64()
				if int(i) < len(list) {
					inner = list[i]
				}
			} else if o, ok := want.(configshow.Object); ok {
				inner = o[key.AsString()]
			}
			n += compareKnown(t, what+"."+key.GoString(), e, inner)
		}
	case v.IsWhollyKnown():
		src, err := ctyjson.Marshal(v, v.Type())
		if err != nil {
			t.Errorf("%s: %v", what, err)
			break
		}
		got := configshow.DecodeObject(t, []byte(`{"v":`+string(src)+`}`))["v"]
		var leaves func(x any) any
		leaves = func(x any) any {
			n++
			switch x := x.(type) {
			case configshow.Object:
				for name, e := range x {
					x[name] = leaves(e)
				}
			case []any:
				for i, e := range x {
					x[i] = leaves(e)
				}
			case json.Number:
				if x == "-0" {
					return json.Number("0") // plans keep no sign of zero
				}
			}
			return x
		}
		got = leaves(got)
		if diff := difference(want, got); diff != "" {
			t.Errorf("%s (planned, and computed):\n%s", what, diff)
		}
	}
	return n
}

// staticContext returns what expressions can refer to without a plan: the
// defaults of variables, local values, and functions that HCL itself has.
func staticContext(t *testing.T, m *hclconfig.Module) *hcl.EvalContext {
	t.Helper()
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{
		"path":      cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal("."), "root": cty.StringVal(".")}),
		"terraform": cty.ObjectVal(map[string]cty.Value{"workspace": cty.StringVal("default")}),
	}, Functions: map[string]function.Function{
		"can": tryfunc.CanFunc, "coalesce": stdlib.CoalesceFunc, "element": stdlib.ElementFunc,
		"format": stdlib.FormatFunc, "indent": stdlib.IndentFunc, "join": stdlib.JoinFunc, "jsonencode": stdlib.JSONEncodeFunc, "length": stdlib.LengthFunc,
		"lookup": stdlib.LookupFunc, "max": stdlib.MaxFunc, "merge": stdlib.MergeFunc, "regex": stdlib.RegexFunc, "try": tryfunc.TryFunc,
		"tobool": stdlib.MakeToFunc(cty.Bool), "tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
		"tonumber": stdlib.MakeToFunc(cty.Number), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tostring": stdlib.MakeToFunc(cty.String),
		"upper": stdlib.UpperFunc, "values": stdlib.ValuesFunc,
	}}
	vars, locals := map[string]cty.Value{}, map[string]cty.Value{}
	for _, v := range m.Variables {
		if !v.Default.IsSet() {
			continue
		}
		value, err := v.TypedDefault()
		if err != nil {
			t.Errorf("variable %s: %v", v.Name, err)
			continue
		}
		vars[v.Name] = value
	}
	ctx.Variables["var"] = cty.ObjectVal(vars)
	// Local values may refer to each other in any order.
	// What only planning can tell is not known.
	for _, root := range []string{"terraform_data", "data", "module"} {
		ctx.Variables[root] = cty.DynamicVal
	}
	for again := true; again; {
		again = false
		ctx.Variables["local"] = cty.ObjectVal(locals)
		for _, l := range m.Locals {
			if _, ok := locals[l.Name]; ok {
				continue
			}
			if v, diags := l.Argument.Value(ctx); !diags.HasErrors() {
				locals[l.Name] = v
				again = true
			}
		}
	}
	for _, l := range m.Locals {
		if _, ok := locals[l.Name]; !ok {
			locals[l.Name] = cty.DynamicVal // a function that HCL itself does not have
		}
	}
	ctx.Variables["local"] = cty.ObjectVal(locals)
	return ctx
}
