// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/zclconf/go-cty/cty"
)

// FuzzConvertNative converts native files to JSON and back, and wants what they
// hold to be the same: see checkConversion.
func FuzzConvertNative(f *testing.F) { fuzzConversion(f, "x.tf") }

// FuzzConvertJSON converts JSON files to native syntax, to JSON and back.
func FuzzConvertJSON(f *testing.F) { fuzzConversion(f, "x.tf.json") }

func fuzzConversion(f *testing.F, name string) {
	json := strings.HasSuffix(name, ".json")
	for _, fx := range configshow.Fixtures(f, "testdata", "../testdata") {
		if strings.HasSuffix(fx.Name, ".json") == json && len(fx.Src) < 4096 {
			f.Add(fx.Src, true)
			f.Add(fx.Src, false)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, keep bool) {
		if len(src) < 1<<14 && !hugeExponent.Match(src) {
			checkConversion(t, name, src, keep)
		}
	})
}

// TestConvertKept does for the fixtures what the fuzz targets do.
func TestConvertKept(t *testing.T) {
	for i, fx := range configshow.Fixtures(t, "testdata", "../testdata") {
		if i%depth.Of(3, 1, 1) > 0 {
			continue
		}
		t.Run(fx.Name, func(t *testing.T) {
			checkConversion(t, fx.Name, fx.Src, false)
			checkConversion(t, fx.Name, fx.Src, true)
		})
	}
}

// checkConversion requires that a file which converts without an error has the
// same blocks and arguments when it comes back: with the same labels, the same
// references in the same order, and the same constants; and that a result can
// always be read.
func checkConversion(t *testing.T, name string, src []byte, keep bool) {
	f, err := hclconfig.Parse(name, src)
	if err != nil || f.Diagnostics().HasErrors() {
		return
	}
	opts := hclconvert.Options{KeepOrder: keep}
	if f.Syntax() == hclconfig.JSONSyntax {
		// What the properties of unknown schemas are is decided here.
		g, diags := hclconvert.ToNative(f, opts)
		if g == nil {
			t.Fatalf("%q: no result: %v", src, diags)
		}
		if diags.HasErrors() {
			return
		}
		if f = g; f.Err() != nil || f.Diagnostics().HasErrors() {
			t.Fatalf("%q became\n%s\nwhich is wrong: %v", src, f.Bytes(), f.Diagnostics())
		}
	}
	there, diags := hclconvert.ToJSON(f, opts)
	if there == nil || there.Err() != nil {
		t.Fatalf("%q: the JSON form cannot be read: %v", f.Bytes(), diags)
	}
	if diags.HasErrors() {
		return
	}
	back, more := hclconvert.ToNative(there, opts)
	if back != nil && more.HasErrors() && trimsLines(string(src)) {
		return
	}
	if back == nil || more.HasErrors() {
		t.Fatalf("%q became\n%s\nwhich has no native form: %v", f.Bytes(), there.Bytes(), more)
	}
	want, got := held(f.Body(), ""), held(back.Body(), "")
	if !keep || asArgument.Match(src) {
		slices.Sort(want)
		slices.Sort(got)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-before +after):\n%s\n%q became\n%s\nand\n%s", diff, f.Bytes(), there.Bytes(), back.Bytes())
	}
}

// asArgument finds arguments called like blocks, which the tools refuse: in JSON
// they stand under "_", so their place among the others is lost.
var asArgument = regexp.MustCompile(`(lifecycle|connection|provisioner|precondition|postcondition|dynamic|action_trigger|_)["\s]*[=:]`)

// held lists what a body holds, a line for each block and argument.
func held(b *hclconfig.Body, in string) []string {
	var out []string
	args := slices.Clone(b.Arguments)
	slices.SortStableFunc(args, func(a, b hclconfig.Argument) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range args {
		line := in + a.Name + " is"
		for _, r := range a.References() {
			line += " " + r.Text
		}
		switch v, err := a.Constant(); {
		case err != nil, a.Kind() != hclconfig.KindExpression && a.Kind() != hclconfig.KindStatic && a.Kind() != hclconfig.KindLiteral:
		case a.Kind() == hclconfig.KindLiteral && (v.RawEquals(cty.StringVal("true")) || v.RawEquals(cty.StringVal("false"))):
			line += " constant cty." + map[string]string{"true": "True", "false": "False"}[v.AsString()]
		default:
			line += fmt.Sprintf(" constant %#v", v)
		}
		out = append(out, line)
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		if n.Type == "_" {
			out = append(out, held(&n.Body, in)...) // where JSON needs it
			continue
		}
		path := fmt.Sprintf("%s%s%q.", in, n.Type, n.Labels)
		out = append(out, path)
		out = append(out, held(&n.Body, path)...)
	}
	return out
}
