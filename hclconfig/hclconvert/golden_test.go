// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"flag"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

var updateGolden = flag.Bool("update-convert", false, "write the golden files of the conversions")

// A convertCase is a module below testdata/convert. Its twin in the other
// syntax is below testdata/converted, and what real programs plan for both is
// below testdata/convert-plans.
type convertCase struct {
	name   string
	syntax hclconfig.Syntax // that it is written in
	tree   map[string]string
}

// convertCases returns the cases: all folders of testdata/convert.
func convertCases(t *testing.T) []convertCase {
	t.Helper()
	entries, err := os.ReadDir("testdata/convert")
	if err != nil {
		t.Fatal(err)
	}
	var out []convertCase
	for _, e := range entries {
		c := convertCase{name: e.Name(), tree: configshow.ReadTree(t, filepath.Join("testdata/convert", e.Name()))}
		if c.tree["main.tf"] == "" && c.tree["main.tofu"] == "" && c.tree["main.tf.json"] != "" {
			c.syntax = hclconfig.JSONSyntax
		}
		out = append(out, c)
	}
	return out
}

// forms returns the module as it is written, converted, and converted back. It
// wants nothing to be lost.
func (c convertCase) forms(t *testing.T) map[string]map[string]string {
	t.Helper()
	there := convertTree(t, c.tree, other(c.syntax))
	return map[string]map[string]string{"as written": c.tree, "converted": there, "converted back": convertTree(t, there, c.syntax)}
}

func other(s hclconfig.Syntax) hclconfig.Syntax {
	if s == hclconfig.JSONSyntax {
		return hclconfig.NativeSyntax
	}
	return hclconfig.JSONSyntax
}

func convertFile(f *hclconfig.File, to hclconfig.Syntax, opts hclconvert.Options) (*hclconfig.File, hclconfig.Diagnostics) {
	if to == hclconfig.JSONSyntax {
		return hclconvert.ToJSON(f, opts)
	}
	return hclconvert.ToNative(f, opts)
}

// convertTree converts all files of a module, and wants nothing to be lost.
func convertTree(t *testing.T, tree map[string]string, to hclconfig.Syntax) map[string]string {
	t.Helper()
	out, diags := convertFiles(t, tree, to, func(string) hclconvert.Options { return hclconvert.Options{} }, hclconfig.OpenTofu)
	for d := range diags.Errors() {
		t.Error(d)
	}
	return out
}

// convertFiles converts all files of a module. The function options returns
// those for a folder.
func convertFiles(t *testing.T, tree map[string]string, to hclconfig.Syntax, options func(dir string) hclconvert.Options, dialect hclconfig.Dialect) (map[string]string, hclconfig.Diagnostics) {
	t.Helper()
	folders := map[string][]string{}
	for name := range tree {
		folders[path.Dir(name)] = append(folders[path.Dir(name)], path.Base(name))
	}
	out := map[string]string{}
	var diags hclconfig.Diagnostics
	for dir, names := range folders {
		opts := options(dir)
		fresh, found := hclconvert.Names(names, to)
		diags = append(diags, found...)
		for _, name := range names {
			src := tree[path.Join(dir, name)]
			if fresh[name] != name {
				f, err := hclconfig.Parse(path.Join(dir, name), []byte(src), dialect)
				if err != nil {
					t.Fatal(err)
				}
				g, more := convertFile(f, to, opts)
				diags = append(diags, more...)
				src = string(g.Bytes())
			}
			out[path.Join(dir, fresh[name])] = src
		}
	}
	return out, diags
}

func writeTree(t *testing.T, dir string, tree map[string]string) {
	t.Helper()
	for name, src := range tree {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConvertGolden compares conversions with recorded ones, of which real
// programs have shown that they plan the same: see TestConvertPlans.
func TestConvertGolden(t *testing.T) {
	for _, c := range convertCases(t) {
		t.Run(c.name, func(t *testing.T) {
			got := convertTree(t, c.tree, other(c.syntax))
			golden := filepath.Join("testdata/converted", c.name)
			if *updateGolden {
				if err := os.RemoveAll(golden); err != nil {
					t.Fatal(err)
				}
				writeTree(t, golden, got)
			}
			if diff := cmp.Diff(configshow.ReadTree(t, golden), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestConvertRoundTrip converts there and back, three times. The third time must
// give what the second gave; the first ones may change how an expression is
// spelled, since "${{}}" becomes {} on the way back. That each step means the
// same is checked by the conversion itself, and by TestConvertRecorded.
func TestConvertRoundTrip(t *testing.T) {
	for _, c := range convertCases(t) {
		for name, src := range c.tree {
			if _, ok := hclconfig.ParseFilename(name); !ok {
				continue
			}
			f, err := hclconfig.Parse(name, []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			var second string
			for round := range 3 {
				there, diags := convertFile(f, other(f.Syntax()), hclconvert.Options{DropComments: true})
				back, more := convertFile(there, f.Syntax(), hclconvert.Options{DropComments: true})
				for d := range slices.Concat(diags, more).Errors() {
					t.Errorf("%s/%s: %s", c.name, name, d)
				}
				if diff := cmp.Diff(second, string(back.Bytes())); round == 2 && diff != "" {
					t.Errorf("%s/%s (-second +third):\n%s", c.name, name, diff)
				}
				f, second = back, string(back.Bytes())
			}
		}
	}
}

func TestConvertedNames(t *testing.T) {
	for _, c := range []struct{ name, to, in, want string }{
		{"alone", "json", "main.tf README.md", "main.tf.json README.md"},
		{"beside JSON", "json", "main.tf main.tf.json", "main_native.tf.json main.tf.json"},
		{"beside native", "native", "main.tf main.tf.json", "main.tf main_json.tf"},
		{"shadowed", "json", "main.tf main.tofu", "main.tf.json main.tofu.json"},
		{"not shadowed before", "json", "main.tf main.tofu.json", "main_native.tf.json main.tofu.json"},
		{"not shadowing before", "json", "main.tofu main.tf.json", "main_native.tofu.json main.tf.json"},
		{"pair beside JSON", "json", "a.tf a.tofu a.tf.json", "a_native.tf.json a_native.tofu.json a.tf.json"},
		{"taken twice", "json", "a.tf a.tf.json a_native.tf.json", "a_native2.tf.json a.tf.json a_native.tf.json"},
		{"tests", "json", "a.tftest.hcl a.tf.json a.tofutest.hcl", "a.tftest.json a.tf.json a.tofutest.json"},
		{"overrides", "json", "override.tf x_override.tf", "override.tf.json x_override.tf.json"},
		{"override beside JSON", "json", "x_override.tf x_override.tf.json", "x_override-native_override.tf.json x_override.tf.json"},
		{"override beside native", "native", "x_override.tf x_override.tf.json", "x_override.tf x_override.u_override.tf"},
		{"hidden", "json", ".main.tf main.tf~", ".main.tf main.tf~"},
	} {
		t.Run(c.name, func(t *testing.T) {
			to := hclconfig.JSONSyntax
			if c.to == "native" {
				to = hclconfig.NativeSyntax
			}
			in := strings.Fields(c.in)
			names, diags := hclconvert.Names(in, to)
			var got []string
			for _, n := range in {
				got = append(got, names[n])
			}
			if strings.Join(got, " ") != c.want || len(diags) > 0 {
				t.Errorf("got %v %v, want %s", got, diags, c.want)
			}
		})
	}
	// In JSON syntax the second one would be read first: "-" sorts before ".".
	_, diags := hclconvert.Names([]string{"override.tf", "override.tf-_override.tf"}, hclconfig.JSONSyntax)
	if !diags.HasErrors() {
		t.Error("no error for two override files that would change their order")
	}
}
