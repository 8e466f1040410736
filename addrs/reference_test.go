// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
)

// referenceTests are references, with the kind, the subject and the name.
var referenceTests = []struct {
	in      string
	kind    addrs.ReferenceKind
	subject string
	name    string
	rest    []string
}{
	{"var.x", addrs.VariableReference, "var.x", "x", nil},
	{"var.x.y[0]", addrs.VariableReference, "var.x", "x", []string{".y", "[0]"}},
	{`local.m["a$${b"].c`, addrs.LocalReference, "local.m", "m", []string{`["a$${b"]`, ".c"}},
	{"each.key", addrs.EachReference, "each.key", "key", nil},
	{"each.value.note", addrs.EachReference, "each.value", "value", []string{".note"}},
	{"count.index", addrs.CountReference, "count.index", "index", nil},
	{"path.module", addrs.PathReference, "path.module", "module", nil},
	{"terraform.workspace", addrs.TerraformReference, "terraform.workspace", "workspace", nil},
	{"tofu.workspace", addrs.TerraformReference, "tofu.workspace", "workspace", nil},
	{"self", addrs.SelfReference, "self", "", nil},
	{"self.id", addrs.SelfReference, "self", "", []string{".id"}},
	{"self[0]", addrs.SelfReference, "self", "", []string{"[0]"}},
	{"aws_x.y", addrs.ResourceReference, "aws_x.y", "y", nil},
	{"aws_x.y.id", addrs.ResourceReference, "aws_x.y", "y", []string{".id"}},
	{`aws_x.y["a.b"].id[0]`, addrs.ResourceReference, `aws_x.y["a.b"]`, "y", []string{".id", "[0]"}},
	{"aws_x.y[0][1]", addrs.ResourceReference, "aws_x.y[0]", "y", []string{"[1]"}},
	{"data.aws_x.y[1].id", addrs.ResourceReference, "data.aws_x.y[1]", "y", []string{".id"}},
	{"ephemeral.aws_x.y", addrs.ResourceReference, "ephemeral.aws_x.y", "y", nil},
	{"resource.var.x[0].id", addrs.ResourceReference, "resource.var.x[0]", "x", []string{".id"}},
	{"resource.resource.x", addrs.ResourceReference, "resource.resource.x", "x", nil},
	{"resource.arg.x", addrs.ResourceReference, "resource.arg.x", "x", nil},
	{"output.x", addrs.ResourceReference, "output.x", "x", nil},
	{"provider.x", addrs.ResourceReference, "provider.x", "x", nil},
	{"module.m", addrs.ModuleReference, "module.m", "m", nil},
	{`module.m["k"]`, addrs.ModuleReference, `module.m["k"]`, "m", nil},
	{"module.m.out", addrs.ModuleOutputReference, "module.m.out", "out", nil},
	{`module.m["k.l"].out.x`, addrs.ModuleOutputReference, `module.m["k.l"].out`, "out", []string{".x"}},
	{"provider::lab::sum", addrs.FunctionReference, "provider::lab::sum", "sum", nil},
	{"provider::lab::alias::sum", addrs.FunctionReference, "provider::lab::alias::sum", "sum", nil},
	{"var.x[1.5]", addrs.VariableReference, "var.x", "x", []string{"[1.5]"}},
	{"var.x[1e+30]", addrs.VariableReference, "var.x", "x", []string{"[1e+30]"}},
	{"var.x[99999999999999999999]", addrs.VariableReference, "var.x", "x", []string{"[99999999999999999999]"}},
}

func TestReference(t *testing.T) {
	for _, tt := range referenceTests {
		r, ok := checkParse(t, addrs.ParseReference, tt.in)
		if !ok || r.String() != tt.in {
			_, err := addrs.ParseReference(tt.in)
			t.Errorf("ParseReference(%s) = %v, %v", tt.in, r, err)
			continue
		}
		if r.Kind() != tt.kind || r.Subject().String() != tt.subject || r.Name() != tt.name {
			t.Errorf("%s: %v, %q, %q", tt.in, r.Kind(), r.Subject(), r.Name())
		}
		var rest []string
		for s := range r.Remaining() {
			rest = append(rest, s.String())
		}
		if diff := cmp.Diff(tt.rest, rest); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.in, diff)
		}
		if r.HasRemaining() != (len(rest) > 0) {
			t.Errorf("%s: HasRemaining is %v", tt.in, r.HasRemaining())
		}
		if s, err := addrs.ParseReference(tt.subject); err != nil || s != r.Subject() {
			t.Errorf("%s: subject %v, %v", tt.in, s, err)
		}
		for range r.Remaining() {
			break // must be possible
		}
	}
}

func TestReferenceForms(t *testing.T) {
	for in, want := range map[string]string{
		"resource.aws_x.y.id":    "aws_x.y.id",
		"resource . aws_x . y":   "aws_x.y",
		"resource.provider.x":    "provider.x",
		"resource.aws_x.y[01]":   "aws_x.y[1]",
		"var.x[1e3]":             "var.x[1000]",
		"var.x[ 1.50 ]":          "var.x[1.50]",
		"var.x\n.y # z":          "var.x.y",
		`var.x["\u0061"]`:        `var.x["a"]`,
		"var.x[\"e\u0301\"].y":   `var.x["é"].y`,
		"module . m [ 0 ] . out": "module.m[0].out",
	} {
		if r, ok := checkParse(t, addrs.ParseReference, in); !ok || r.String() != want {
			_, err := addrs.ParseReference(in)
			t.Errorf("ParseReference(%q) = %v, %v, want %s", in, r, err, want)
		}
	}
}

func TestReferenceErrors(t *testing.T) {
	for in, off := range map[string]int64{
		"":                          0,
		"var":                       3,
		"each":                      4,
		"aws_x":                     5,
		"data":                      4,
		"data.x":                    6,
		"data[0].x":                 4,
		"var[0]":                    3,
		"var.x.":                    6,
		"var.x[":                    6,
		"var.x[y]":                  6,
		"var.x[-1]":                 6,
		"var.x[*]":                  6,
		"var.x.*":                   6,
		"var.x.0":                   6,
		"var.x()":                   5,
		"aws_x.y[1.5]":              8,
		"aws_x.y[1e30]":             8,
		"module.m[0][1]":            11,
		"module.m[1.5].x":           9,
		"template.x":                0,
		"lazy.x":                    0,
		"arg.x":                     0,
		"resource.x":                10,
		"resource.data.x":           9,
		"resource.module.x":         9,
		"provider::a":               11,
		"provider::a::":             13,
		"provider::a::b::c::d":      17,
		"provider::a::b.c":          14,
		"var.x[1e1000]":             6,
		"var.x[1.5e-1000]":          6,
		"var.x[1.5e99999999999999]": 6,
		`var.x["${y}"]`:             7,
		`var.x["\x41"]`:             7,
	} {
		r, err := addrs.ParseReference(in)
		var e *addrs.Error
		if !errors.As(err, &e) || e.Offset != off {
			t.Errorf("ParseReference(%q) = %v, %v, want an error at %d", in, r, err, off)
		}
	}
}

func TestReferenceParts(t *testing.T) {
	r := addrs.MustParseReference(`data.aws_x.y["k"].id`)
	if res, ok := r.Resource(); !ok || res != addrs.MustParseResource("data.aws_x.y") || r.Key() != addrs.StringKey("k") {
		t.Errorf("%v, %v, %v", res, ok, r.Key())
	}
	r = addrs.MustParseReference("resource.var.y[2].id")
	if res, ok := r.Resource(); !ok || res.Type() != "var" || res.Mode() != addrs.Managed || r.Key() != addrs.IntKey(2) {
		t.Errorf("%v, %v, %v", res, ok, r.Key())
	}
	r = addrs.MustParseReference(`module.m["k"].out.x["y"]`)
	if name, ok := r.ModuleCall(); !ok || name != "m" || r.Key() != addrs.StringKey("k") || r.Name() != "out" {
		t.Errorf("%v, %v, %v", name, ok, r.Key())
	}
	r = addrs.MustParseReference("module.m.out")
	if name, ok := r.ModuleCall(); !ok || name != "m" || r.Key() != addrs.NoKey {
		t.Errorf("%v, %v, %v", name, ok, r.Key())
	}
	r = addrs.MustParseReference("provider::lab::west::sum")
	if p, a, f, ok := r.Function(); p != "lab" || a != "west" || f != "sum" || !ok {
		t.Errorf("%q, %q, %q, %v", p, a, f, ok)
	}
	r = addrs.MustParseReference("provider::lab::sum")
	if p, a, f, ok := r.Function(); p != "lab" || a != "" || f != "sum" || !ok {
		t.Errorf("%q, %q, %q, %v", p, a, f, ok)
	}
	r = addrs.MustParseReference(`var.x[0].y["k"][1.5][1e3]`)
	if _, ok := r.Resource(); ok || r.Key() != addrs.NoKey {
		t.Error("a variable is a resource")
	}
	if _, ok := r.ModuleCall(); ok {
		t.Error("a variable is a module call")
	}
	if _, _, _, ok := r.Function(); ok {
		t.Error("a variable is a function")
	}
	var got []string
	for s := range r.Remaining() {
		name, isAttr := s.Attr()
		key, isIndex := s.Index()
		switch {
		case isAttr:
			got = append(got, name)
		case isIndex:
			got = append(got, key.String())
		default:
			got = append(got, "other")
			if key != addrs.NoKey {
				t.Errorf("%s is no index, but has the key %s", s, key)
			}
		}
	}
	if diff := cmp.Diff([]string{"[0]", "y", `["k"]`, "other", "[1000]"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for k := addrs.InvalidReference; k <= addrs.FunctionReference; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
	if addrs.ReferenceKind(99).String() != "ReferenceKind(99)" {
		t.Error("kind 99 has a name")
	}
}

// TestPlanReference checks the quoting of plan JSON.
func TestPlanReference(t *testing.T) {
	for _, tt := range []struct{ plan, want, back string }{
		{`local.m["a${x}"]`, `local.m["a$${x}"]`, ""},
		{`local.m["a$${x}"]`, `local.m["a$$${x}"]`, ""},
		{`local.m["b\x01"][1]`, `local.m["b\u0001"][1]`, ""},
		{`local.m["\a\b\f\v\x7f"]`, `local.m["\u0007\u0008\u000c\u000b\u007f"]`, ""},
		{`local.m["\U000e0001"].x`, `local.m["\U000e0001"].x`, ""},
		{`terraform_data.r["$${x}"].output["a${x}"]`, `terraform_data.r["$${x}"].output["a$${x}"]`, ""},
		{`local.n[1.23456789e+10]`, `local.n[12345678900]`, ""},
		{`local.n[12345678901]`, `local.n[12345678901]`, `local.n[1.23456789e+10]`},
		{`local.n[1e+30]`, `local.n[1e+30]`, ""},
		{`local.n[1.5]`, `local.n[1.5]`, ""},
		{`local.n[1e-9]`, `local.n[1e-9]`, `local.n[1e-09]`},
		{`resource.var.x.y`, `resource.var.x.y`, `var.x.y`},
		{`local.m["\xff"]`, "local.m[\"\ufffd\"]", "local.m[\"\ufffd\"]"},
	} {
		r, err := addrs.ParsePlanReference(tt.plan)
		if err != nil || r.String() != tt.want {
			t.Errorf("ParsePlanReference(%s) = %v, %v, want %s", tt.plan, r, err, tt.want)
		}
		if tt.back == "" {
			tt.back = tt.plan
		}
		if got := r.PlanString(); got != tt.back {
			t.Errorf("%s comes back as %s", tt.plan, got)
		}
	}
	for _, bad := range []string{`local.m["a]`, `local.m["\q"]`, "local.m[\"\n\"]", `local.m[`, `local.m["a"`, `terraform_data.r[*].id`} {
		if r, err := addrs.ParsePlanReference(bad); err == nil {
			t.Errorf("ParsePlanReference(%q) = %v", bad, r)
		}
	}
}

// TestPlanReferences splits every recorded list into references, and makes the
// list again.
func TestPlanReferences(t *testing.T) {
	for _, name := range []string{"testdata/references.jsonl", "testdata/terraform-1.11.4/odd-keys/references.jsonl"} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n := 0
		for lines := bufio.NewScanner(f); lines.Scan(); n++ {
			var list []string
			if err := json.Unmarshal(lines.Bytes(), &list); err != nil {
				t.Fatal(err)
			}
			rest := list
			for len(rest) > 0 {
				r, err := addrs.ParsePlanReference(rest[0])
				if err != nil {
					t.Error(err)
					break
				}
				want := slices.Collect(r.PlanReferences())
				if len(want) > len(rest) || !slices.Equal(want, rest[:len(want)]) {
					t.Errorf("%s: %q does not begin with %q", name, rest, want)
					break
				}
				for range r.PlanReferences() {
					break // must be possible
				}
				rest = rest[len(want):]
			}
		}
		if n == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	for in, want := range map[string]string{
		`t.n["k"].id`:         `t.n["k"].id t.n["k"] t.n`,
		`module.m["k"]`:       `module.m["k"] module.m`,
		"module.m.out":        "module.m.out module.m",
		`module.m["k"].out.x`: `module.m["k"].out.x module.m["k"].out module.m["k"]`,
		"var.x.y":             "var.x.y var.x",
		"self.id":             "self.id self",
		"resource.var.x[0].y": "var.x[0].y var.x[0] var.x",
	} {
		got := strings.Join(slices.Collect(addrs.MustParseReference(in).PlanReferences()), " ")
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
