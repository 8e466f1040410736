// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// The value is that of the expression itself, and operators that are not on numbers stay.
func TestBounded(t *testing.T) {
	for _, src := range []string{"a == 1", "!true", "[1, -1]", "a"} {
		x, _ := hcllex.ParseExpression([]byte(src), "", hcl.InitialPos)
		if hclbound.Bounded(x) != x {
			t.Errorf("%s is copied", src)
		}
	}
	for _, src := range []string{
		"1 + 2 * 3", "-(1 + 2)", `"x${7 % 4}"`, "[for a in [1, 2]: a / 2 if a - 1 == 0]", "{for a in [1, 2]: a + 1 => -a}", "[{a = 1 + 1}][*].a",
		"true ? 1 + 1 : 2", "{(1 + 1) = 2}", "[[1, 2][1 - 1]]", "(1 - 1)", "%{ for a in [1] }${a + 1}%{ endfor }",
	} {
		parse := hcllex.ParseExpression
		if strings.HasPrefix(src, "%") {
			parse = hcllex.ParseTemplate
		}
		x, _ := parse([]byte(src), "", hcl.InitialPos)
		want, _ := x.Value(nil)
		b := hclbound.Bounded(x)
		if got, diags := b.Value(nil); b == x || diags.HasErrors() || !got.RawEquals(want) {
			t.Errorf("%s = %#v, %v, want %#v", src, got, diags, want)
		}
	}
	x, _ := hcllex.ParseExpression([]byte(`"x${a + 1}"`), "", hcl.InitialPos)
	if v, diags := hclbound.Bounded(x).Value(&hcl.EvalContext{Variables: map[string]cty.Value{"a": cty.UnknownVal(cty.Number)}}); diags.HasErrors() || v.IsKnown() {
		t.Errorf("of an unknown number: %#v, %v", v, diags)
	}
}

var functions = map[string]function.Function{
	"join": stdlib.JoinFunc, "concat": stdlib.ConcatFunc, "merge": stdlib.MergeFunc, "try": tryfunc.TryFunc, "distinct": stdlib.DistinctFunc,
	"chunklist": stdlib.ChunklistFunc, "max": stdlib.MaxFunc, "sort": stdlib.SortFunc, "keys": stdlib.KeysFunc,
}

func parse(t *testing.T, src string) hclsyntax.Expression {
	t.Helper()
	x, diags := hcllex.ParseExpression([]byte(src), "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return x
}

// Calls and conditionals have the values that HCL gives them, and its diagnostics.
func TestBounded_conversions(t *testing.T) {
	var long, objects strings.Builder
	for i := range 100 {
		fmt.Fprintf(&long, "%d, \"s%d\", ", i, i)
		fmt.Fprintf(&objects, "{a = %d, k%d = true}, ", i, i)
	}
	ctx := &hcl.EvalContext{Functions: functions, Variables: map[string]cty.Value{
		"long": value(t, "["+long.String()+"]"), "objects": value(t, "["+objects.String()+"]"),
		"some": cty.UnknownVal(cty.Bool), "what": cty.DynamicVal, "secret": value(t, "["+long.String()+"]").Mark("secret"),
	}}
	for _, src := range []string{
		`join(",", long)`, `join(",", long...)`, `join(",", secret)`, `concat(long, objects)`, `sort(long)`, `join(",", objects)`, `max(long...)`, `max(1, 2)`, `max("a")`, `max([1]...)`,
		`try(nothing.here, long)`, `merge(objects...)`, `distinct(long)`, `chunklist(long, 7)`, `some ? long : []`, `true ? long : objects`, `some ? long : what`, `true ? null : long`,
		`false ? [long, {}] : [long, {a = 1}]`, `some ? secret : long`, `keys(objects[3])`, `nofunction(long)`, `join()`, `join(",", long, 1)`, `join(",", null)`, `join(what, what)`, `join(null...)`,
		`true ? {a = long} : {a = long, b = 1}`, `1 == 1 ? "a" : 2`, `nothing ? 1 : 2`, `join(",", nothing)`,
	} {
		x := parse(t, src)
		want, wantDiags := x.Value(ctx)
		got, diags := hclbound.Bounded(x).Value(ctx)
		if !got.RawEquals(want) || len(diags) != len(wantDiags) {
			t.Errorf("%s = %#v, %v, want %#v, %v", src, got, diags, want, wantDiags)
			continue
		}
		for i, d := range diags {
			if w := wantDiags[i]; d.Summary != w.Summary || d.Subject.String() != w.Subject.String() {
				t.Errorf("%s: %v, want %v", src, d, w)
			}
		}
	}
}

func value(t *testing.T, src string) cty.Value {
	v, diags := parse(t, src).Value(nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return v
}

// What is spent is in proportion to the arguments, and nothing is computed when nothing is left.
func TestMetered(t *testing.T) {
	var m hclbound.Meter
	ctx := &hcl.EvalContext{Functions: hclbound.Metered(functions, &m), Variables: map[string]cty.Value{"long": value(t, "["+strings.Repeat(`"a", `, 500)+"]"), "some": cty.True}}
	spent := func(src string) int {
		m = hclbound.Meter{Left: 1 << 20}
		if v, diags := hclbound.Bounded(parse(t, src)).Value(ctx.NewChild()); diags.HasErrors() || !v.IsKnown() || m.Denied {
			t.Errorf("%s: %#v, %v, %v", src, v, diags, m)
		}
		return 1<<20 - m.Left
	}
	one, two := spent(`join(",", long)`), spent(`[join(",", long), join(",", long)]`)
	if one < 1000 || one > 1600 || two != 2*one {
		t.Errorf("%d, %d", one, two)
	}
	if n := spent(`distinct([for x in long : [x]])`); n < 4*one {
		t.Errorf("comparing takes %d", n)
	}
	for src, least := range map[string]int{
		`long == long`: 2000, `"${join("", long)}${join("", long)}"`: 2 * one, `some ? long : concat(long, [1])`: 2000, `join(join("", long), long)`: 250_000, `distinct(long)`: 1000,
	} {
		if n := spent(src); n < least || n > 2*least {
			t.Errorf("%s takes %d, want %d or a little more", src, n, least)
		}
	}
	m = hclbound.Meter{Left: 1 << 20, Largest: 1200}
	if v, diags := hclbound.Bounded(parse(t, `join(" ", long)`)).Value(ctx); diags.HasErrors() || !v.IsKnown() || m.Denied {
		t.Errorf("%#v, %v, %v", v, diags, m)
	}
	if v, diags := hclbound.Bounded(parse(t, `join("   ", long)`)).Value(ctx); diags.HasErrors() || v.IsKnown() || !m.Denied {
		t.Errorf("too large: %#v, %v, %v", v, diags, m)
	}
	m = hclbound.Meter{Left: 10}
	if v, diags := hclbound.Bounded(parse(t, `join(",", long)`)).Value(ctx); diags.HasErrors() || v.IsKnown() || !m.Denied {
		t.Errorf("%#v, %v, %v", v, diags, m)
	}
	m.Allow(5000)
	if _, ok := functions["join"]; !ok || len(functions) == len(ctx.Functions) || !m.Spend(100) {
		t.Errorf("%v, %d", m, len(ctx.Functions))
	}
}

// Loops count what they evaluate, before they do: of loops in each other the product.
func TestMetered_loops(t *testing.T) {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"long": value(t, "["+strings.Repeat(`"a", `, 300)+"]")}}
	for src, least := range map[string]int{
		`[for x in long : x]`: 300, `{for i, x in long : "${i}" => x}`: 600, `long[*].y`: 300, `[for x in long : [for y in long : y]]`: 90_000,
		`[for x in long : long[*]]`: 90_000, `[for x in long : try([for y in long : y], null)]`: 90_000,
	} {
		for _, left := range []int{1 << 20, least / 2} {
			m := hclbound.Meter{Left: left}
			ctx.Functions = hclbound.Metered(functions, &m)
			v, _ := hclbound.Bounded(parse(t, src)).Value(ctx)
			if enough := left > least; m.Denied == enough || enough && (left-m.Left < least || left-m.Left > 8*least) || v.IsWhollyKnown() != enough && !strings.Contains(src, ".y") {
				t.Errorf("%s: %d of %d are left: %t", src, m.Left, left, m.Denied)
			}
		}
	}
}

// What try evaluates twice, for the type of the result and for the result, is evaluated once: tries in tries do not double.
func TestBounded_tries(t *testing.T) {
	src := "[for x in [1] : x]"
	for range 40 {
		src = "try(" + src + ", null)"
	}
	var m hclbound.Meter
	m.Allow(10_000)
	v, diags := hclbound.Bounded(parse(t, src)).Value(&hcl.EvalContext{Functions: hclbound.Metered(functions, &m)})
	if diags.HasErrors() || m.Denied || !v.RawEquals(value(t, "[1]")) {
		t.Errorf("%#v, %v, %v", v, diags, m)
	}
}

// Defaults are those that HCL gives.
func TestWithDefaults(t *testing.T) {
	for _, typ := range []string{
		`object({a = optional(string, "x"), b = optional(number)})`, `list(object({a = optional(string, "x"), b = optional(object({c = optional(bool, true)}), {})}))`,
		`map(object({a = optional(list(object({b = optional(number, 1)})), [{}, {b = 2}])}))`, `tuple([object({a = optional(string, "y")}), string])`, `set(object({a = optional(string, "z"), b = optional(string)}))`, `string`,
	} {
		_, defaults, diags := typeexpr.TypeConstraintWithDefaults(parse(t, typ))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, v := range []cty.Value{
			value(t, `[]`), value(t, `{}`), value(t, `[{}, {a = "k"}, {b = 1}]`), value(t, `{x = {}, y = {a = [{}]}}`), value(t, `[{a = null}, "s"]`), value(t, `"s"`), cty.UnknownVal(cty.List(cty.String)),
			cty.ListVal([]cty.Value{value(t, `{b = {}}`), value(t, `{b = {}}`)}), cty.MapVal(map[string]cty.Value{"p": value(t, `{a = [{}]}`)}), cty.SetVal([]cty.Value{value(t, `{b = "q"}`)}), cty.MapValEmpty(cty.String), cty.ListValEmpty(cty.String),
			value(t, `{a = "m"}`).Mark("secret"), cty.NullVal(cty.String),
		} {
			got := hclbound.WithDefaults(defaults, v)
			want := v
			if defaults != nil {
				want = defaults.Apply(v)
			}
			if !got.RawEquals(want) {
				t.Errorf("%s of %#v = %#v, want %#v", typ, v, got, want)
			}
		}
	}
}
