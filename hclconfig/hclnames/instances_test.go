// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

const instancesChild = `
variable "zone" { type = string }
variable "size" {
  type    = string
  default = "s"
}
output "zone" { value = "z-${var.zone}" }
output "size" { value = var.size }
`

// TestInstances asks for values of calls with several instances, and in them.
func TestInstances(t *testing.T) {
	const keyed = `
module "m" {
  source   = "./m"
  for_each = { a = { zone = "1", size = "l" }, b = { zone = "2", size = "l" } }
  zone     = each.value.zone
  size     = each.value.size
}`
	const counted = `
module "m" {
  source = "./m"
  count  = 2
  zone   = "c${count.index}"
}`
	for _, c := range []struct{ name, root, x, want string }{
		{"a key", keyed, `module.m["a"].zone`, "z-1"},
		{"another key", keyed, `module.m["b"].size`, "l"},
		{"two outputs", keyed, `"${module.m["a"].zone} ${module.m["b"].size}"`, "z-1 l"},
		{"all", keyed, `join(",", [for k, m in module.m : "${k}=${m.zone}"])`, "a=z-1,b=z-2"},
		{"values", keyed, `join(",", values(module.m)[*].zone)`, "z-1,z-2"},
		{"count", counted, `module.m[1].zone`, "z-c1"},
		{"splat", counted, `join(",", module.m[*].zone)`, "z-c0,z-c1"},
		{"a count in quotes", `
module "m" {
  source = "./m"
  count  = "1"
  zone   = "a"
}`, `module.m[0].zone`, "z-a"},
		{"a key that is not there", keyed, `module.m["c"].zone`, ""},
		{"without a key", counted, `module.m.zone`, ""},
		{"a set", `
module "m" {
  source   = "./m"
  for_each = toset(["x", "y"])
  zone     = each.value
}`, `module.m["y"].zone`, "z-y"},
		{"unknown keys", `
variable "v" {}
module "m" {
  source   = "./m"
  for_each = var.v
  zone     = each.value
}`, `module.m["y"].zone`, ""},
		{"too many", `
module "m" {
  source = "./m"
  count  = 101
  zone   = "a"
}`, `module.m[0].zone`, ""},
		{"an index without count", `
module "m" {
  source = "./m"
  zone   = "a"
}`, `module.m[0].zone`, ""},
		{"a circle", `
module "m" {
  source   = "./m"
  for_each = { a = module.m["a"].zone }
  zone     = each.value
}`, `module.m["a"].zone`, ""},
		{"a circle through an argument", `
module "m" {
  source   = "./m"
  for_each = { a = 1, b = 2 }
  zone     = module.m["a"].zone
}`, `module.m["a"].size`, "s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := treeOf(t, map[string]string{"main.tf": c.root, "m/main.tf": instancesChild})
			e := hclnames.NewEvaluator(nil)
			if v := e.Evaluate(tree, expression(t, c.x)); v.Value.IsWhollyKnown() {
				t.Errorf("without Instances the value is %#v", v.Value)
			}
			e = hclnames.NewEvaluator(nil)
			e.Instances = true
			switch v := e.Evaluate(tree, expression(t, c.x)); {
			case c.want == "" && v.Value.IsWhollyKnown():
				t.Errorf("got %#v, want an unknown value", v.Value)
			case c.want != "" && (!v.Value.IsWhollyKnown() || v.Value.AsString() != c.want):
				t.Errorf("got %#v %v, want %q", v.Value, v.Unknown, c.want)
			}
		})
	}
}

// TestInstanceKey asks in a called module: for all instances, and for one.
func TestInstanceKey(t *testing.T) {
	tree := treeOf(t, map[string]string{"m/main.tf": instancesChild, "main.tf": `
module "m" {
  source   = "./m"
  for_each = { a = "1", b = "2" }
  zone     = each.value
  size     = each.key == "c" ? "s" : "l"
}`})
	e := hclnames.NewEvaluator(nil)
	e.Instances = true
	m := tree.Children[0]
	if v := e.Evaluate(m, expression(t, "var.size")).Value; !v.IsWhollyKnown() || v.AsString() != "l" {
		t.Errorf("what all instances get is %#v", v)
	}
	if v := e.Evaluate(m, expression(t, "var.zone")); v.Value.IsKnown() || len(v.Unknown) != 1 || v.Unknown[0].Reason != hclnames.PerInstance {
		t.Errorf("what differs is %#v because %v", v.Value, v.Unknown)
	}
	for key, want := range map[string]string{"a": "1", "b": "2"} {
		one := *m
		one.Key = addrs.StringKey(key)
		if v := e.Evaluate(&one, expression(t, "var.zone")).Value; !v.IsWhollyKnown() || v.AsString() != want {
			t.Errorf("%s: %#v", key, v)
		}
	}
	one := *m
	one.Key = addrs.StringKey("other")
	if v := e.Evaluate(&one, expression(t, "var.zone")).Value; v.IsKnown() {
		t.Errorf("an instance that is not there has %#v", v)
	}
}

// TestInstancesBound makes instances of instances, of which not all are evaluated.
func TestInstancesBound(t *testing.T) {
	for _, text := range []string{"x", strings.Repeat("x", 10000)} {
		testInstancesBound(t, text)
	}
}

func testInstancesBound(t *testing.T, text string) {
	files := map[string]string{"d/main.tf": `output "x" { value = "` + text + `" }`}
	for _, m := range []string{"", "a/", "b/", "c/"} {
		next := map[string]string{"": "./a", "a/": "../b", "b/": "../c", "c/": "../d"}[m]
		files[m+"main.tf"] = `
module "m" {
  source = "` + next + `"
  count  = 100
}
output "x" { value = join("", module.m[*].x) }
`
	}
	e := hclnames.NewEvaluator(nil)
	e.Instances = true
	v := e.Evaluate(treeOf(t, files), expression(t, "module.m[0].x"))
	if v.Value.IsKnown() || len(v.Unknown) == 0 {
		t.Errorf("%v", v.Unknown)
	}
}

func treeOf(t *testing.T, files map[string]string) *hclnames.Tree {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func expression(t *testing.T, text string) hclconfig.Expression {
	t.Helper()
	x, err := hclconfig.ParseExpression("x", []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
