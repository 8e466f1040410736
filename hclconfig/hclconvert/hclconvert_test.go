// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/zclconf/go-cty/cty"
)

// compact returns JSON on one line, with its members in order.
func compact(src []byte) string {
	var out strings.Builder
	d := json.NewDecoder(strings.NewReader(string(src)))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err.Error()
	}
	inString, escaped := false, false
	for _, b := range string(raw) {
		switch {
		case inString:
			inString = b != '"' || escaped
			escaped = b == '\\' && !escaped
		case b == '"':
			inString = true
		case b == ' ' || b == '\n':
			continue
		}
		out.WriteRune(b)
	}
	return out.String()
}

// diagnosticTexts returns severity and summary of each diagnostic.
func diagnosticTexts(diags hclconfig.Diagnostics) string {
	var out []string
	for _, d := range diags {
		out = append(out, d.Severity.String()+": "+d.Summary)
	}
	return strings.Join(out, "; ")
}

func TestToJSON(t *testing.T) {
	guess := "warning: Block of unknown schema"
	for _, c := range []struct{ name, in, want, diags string }{
		{"empty", "", `{}`, ""},
		{"byte order mark", "\ufefflocals {\r\n  a = 1\r\n}\r\n", `{"locals":{"a":1}}`, ""},
		{"empty blocks", "variable \"x\" {}\nlocals {}\nlocals {}\n", `{"variable":{"x":{}},"locals":[{},{}]}`, ""},
		{"provider aliases", "provider \"p\" {}\nprovider \"p\" {\n  alias = \"x\"\n}\n", `{"provider":{"p":[{},{"alias":"x"}]}}`, ""},
		{"provider reference", "resource \"a\" \"b\" {\n  provider = p.x[each.key]\n}\ndata \"a\" \"b\" {\n  provider = \"p.x\"\n}\n",
			`{"resource":{"a":{"b":{"provider":"p.x[each.key]"}}},"data":{"a":{"b":{"provider":"p.x"}}}}`, ""},
		{"provider references", "module \"m\" {\n  providers = {\n    a   = p.x[each.key]\n    p.b = \"p.y\"\n    \"c\" = p\n  }\n}\n", `{"module":{"m":{"providers":{"a":"p.x[each.key]","p.b":"p.y","c":"p"}}}}`, ""},
		{"provider twice", "module \"m\" {\n  providers = {\n    a = p\n    a = q\n  }\n}\n", `{"module":{"m":{"providers":{"a":"p","a":"q"}}}}`, "error: Duplicate object attribute"},
		{"labels grouped", "resource \"a\" \"x\" {}\nresource \"b\" \"x\" {}\nresource \"a\" \"y\" {}\n", `{"resource":{"a":{"x":{},"y":{}},"b":{"x":{}}}}`, ""},
		{"old quotes", "resource \"terraform_data\" \"b\" {\n  depends_on = [\"a.b\"]\n  lifecycle {\n    ignore_changes = [\"input\"]\n  }\n  provisioner \"local-exec\" {\n    when = \"destroy\"\n  }\n}\n",
			`{"resource":{"terraform_data":{"b":{"depends_on":["a.b"],"lifecycle":{"ignore_changes":["input"]},"provisioner":[{"local-exec":{"when":"destroy"}}]}}}}`, ""},
		{"old wildcard", "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    ignore_changes = [\"*\"]\n  }\n}\n",
			`{"resource":{"terraform_data":{"b":{"lifecycle":{"ignore_changes":["${\"*\"}"]}}}}}`, "error: Conversion is not exact; error: Invalid reference"},
		{"quotes where they never were", "moved {\n  from = \"a.b\"\n  to = a.c\n}\n", `{"moved":{"from":"${\"a.b\"}","to":"a.c"}}`, "error: Invalid reference; error: Conversion is not exact"},
		{"variable in prevent_destroy", "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    prevent_destroy = var.x\n  }\n}\n",
			`{"resource":{"terraform_data":{"b":{"lifecycle":{"prevent_destroy":"${var.x}"}}}}}`, "error: No JSON form"},
		{"strict boolean", "resource \"terraform_data\" \"b\" {\n  lifecycle {\n    destroy = 1 == 2\n  }\n}\n",
			`{"resource":{"terraform_data":{"b":{"lifecycle":{"destroy":false}}}}}`, "warning: Expression replaced by its value"},
		{"not a constant", "variable \"x\" {\n  default = local.y\n}\n", `{"variable":{"x":{"default":"${local.y}"}}}`, "error: Not a constant"},
		{"huge number", "variable \"x\" {\n  default = 1e888888 * 10\n}\n", `{"variable":{"x":{"default":"${1e888888 * 10}"}}}`, "error: No JSON form"},
		{"huge number as it is", "variable \"x\" {\n  default = 1e88888888\n}\n", `{"variable":{"x":{"default":1e88888888}}}`, ""},
		{"huge key", "locals {\n  x = { 1e8888888 = 1 }\n}\n", `{"locals":{"x":"${{ 1e8888888 = 1 }}"}}`, ""},
		{"nested blocks", "resource \"a\" \"b\" {\n  one {\n    x = 1\n    two \"l\" {}\n  }\n  tags = { a = 1 }\n  list = [{ a = 1 }]\n  none = []\n}\n",
			`{"resource":{"a":{"b":{"one":[{"x":1,"two":{"l":[[{}]]}}],"tags":{"a":1},"list":"${[{ a = 1 }]}","none":[]}}}}`, guess + "; " + guess},
		{"labelled blocks", "resource \"a\" \"b\" {\n  z \"l 1\" {\n    x = 1\n  }\n  z \"m\" {}\n  z \"m\" {}\n  y \"k\" {}\n  y \"l\" {}\n  y \"k\" {}\n  like = { a = [[{}], [{ x = 1 }]] }\n  unlike = { a = [[{}], []] }\n}\n",
			`{"resource":{"a":{"b":{"z":{"l 1":[[{"x":1}]],"m":[[{}],[{}]]},"y":[{"k":[[{}]]},{"l":[[{}]]},{"k":[[{}]]}],"like":"${{ a = [[{}], [{ x = 1 }]] }}","unlike":{"a":[[{}],[]]}}}}}`, guess + "; " + guess},
		{"dynamic before static", "resource \"terraform_data\" \"b\" {\n  dynamic \"s\" {\n    for_each = [1]\n    iterator = it\n    labels = [it.key]\n    content {}\n  }\n  s {}\n}\n",
			`{"resource":{"terraform_data":{"b":{"dynamic":[{"s":{"for_each":[1],"iterator":"it","labels":["${it.key}"],"content":{}}}],"s":[{}]}}}}`, guess},
		{"dynamic between static", "resource \"x\" \"b\" {\n  s {}\n  dynamic \"s\" {\n    for_each = [1]\n    content {}\n  }\n  s {}\n}\n",
			`{"resource":{"x":{"b":[[{"s":[{}],"dynamic":[{"s":{"for_each":[1],"content":{}}}]},{"s":[{}]}]]}}}`, guess},
		{"dynamic of others", "resource \"x\" \"b\" {\n  s {}\n  dynamic \"t\" {\n    for_each = [1]\n    content {}\n  }\n  s {}\n}\n",
			`{"resource":{"x":{"b":{"s":[{},{}],"dynamic":[{"t":{"for_each":[1],"content":{}}}]}}}}`, guess},
		{"names of the language", "resource \"x\" \"b\" {\n  connection = \"c\"\n  count {}\n  _ {\n    lifecycle = 1\n  }\n}\n",
			`{"resource":{"x":{"b":{"_":{"lifecycle":1,"connection":"c","count":[{}]}}}}}`, guess},
		{"no way out", "resource \"x\" \"b\" {\n  s {\n    dynamic = 1\n  }\n}\n", `{"resource":{"x":{"b":{"s":[{"dynamic":"${1}"}]}}}}`, guess + "; error: No JSON form; error: Conversion is not exact"},
		{"legacy index", "moved {\n  from = a.b.0\n  to = a.b[\"x\"]\n}\n", `{"moved":{"from":"a.b[0]","to":"a.b[\"x\"]"}}`, ""},
		{"backend", "terraform {\n  backend \"remote\" {\n    a = \"$${x}\"\n    workspaces {\n      name = \"x${var.y}\"\n    }\n  }\n}\n",
			`{"terraform":{"backend":{"remote":{"a":"$${x}","workspaces":[{"name":"x${var.y}"}]}}}}`, "warning: Differs between OpenTofu and Terraform"},
		{"encryption", "terraform {\n  encryption {\n    key_provider \"pbkdf2\" \"k\" {\n      passphrase = var.p\n    }\n    method \"aes_gcm\" \"m\" {\n      keys = key_provider.pbkdf2.k\n    }\n    state {\n      method   = method.aes_gcm.m\n      enforced = true\n      fallback {}\n    }\n  }\n}\n",
			`{"terraform":{"encryption":{"key_provider":{"pbkdf2":{"k":{"passphrase":"${var.p}"}}},"method":{"aes_gcm":{"m":{"keys":"${key_provider.pbkdf2.k}"}}},"state":{"method":"method.aes_gcm.m","enforced":true,"fallback":{}}}}}`, ""},
		{"comments", "# a\nlocals { # b\n  # c\n  x = [ # d\n    1, // e\n  ] /* f\n  * g */\n  # h\n}\n# i\n",
			`{"locals":{"//":"a","//":"b","//":"c\nd\ne","//":"f\ng","x":[1],"//":"h"},"//":"i"}`, ""},
		{"comment behind a block", "variable \"x\" {} # a\nvariable \"y\" {} # b\n", `{"variable":{"x":{"//":"a"},"y":{"//":"b"}}}`, ""},
		{"deep", "locals {\n  x = " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "\n}\n",
			`{"locals":{"x":` + strings.Repeat("[", 50) + `"${` + strings.Repeat("[", 10) + strings.Repeat("]", 10) + `}"` + strings.Repeat("]", 50) + `}}`, ""},
		{"comment kept", "locals {\n  x = upper( # why\n    \"a\")\n}\n", `{"locals":{"x":"${upper( # why\n    \"a\")}"}}`, ""},
		{"unknown", "locals {}\nlocal {}\n", `{"locals":{},"local":{}}`, "error: Unsupported block type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := hclconfig.ParseNative("main.tf", []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
			if diff := cmp.Diff(strings.ReplaceAll(c.want, "\n", `\n`), compact(g.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := diagnosticTexts(diags); got != c.diags {
				t.Errorf("diagnostics: %s\nwant: %s", got, c.diags)
			}
			if g.Filename() != "main.tf.json" || g.Syntax() != hclconfig.JSONSyntax {
				t.Errorf("it is %s", g.Filename())
			}
		})
	}
}

func TestToNative(t *testing.T) {
	guess := "warning: Property of unknown schema"
	for _, c := range []struct{ name, in, want, diags string }{
		{"empty", `{}`, "", ""},
		{"nothing declared", `{"variable": {"x": null, "y": []}, "locals": null}`, "", ""},
		{"null body", `{"moved": [null]}`, "moved {}\n", ""},
		{"arrays everywhere", `[{"resource": [{"a": [{"b": [[{"x": 1}, {"y": 2}]]}]}]}]`, "resource \"a\" \"b\" {\n  x = 1\n  y = 2\n}\n", ""},
		{"names that the schema lacks", `{"resource": {"terraform_data": {"b": {"other": [{"x": 1}], "input": [{"x": 1}], "another": {"x": 1}}}}, "terraform": {"backend": {"s3": {"endpoints": [{"s3": "x"}]}}}}`,
			"resource \"terraform_data\" \"b\" {\n  other {\n    x = 1\n  }\n\n  input = [\n    {\n      x = 1\n    },\n  ]\n  another = {\n    x = 1\n  }\n}\n\nterraform {\n  backend \"s3\" {\n    endpoints = [\n      {\n        s3 = \"x\"\n      },\n    ]\n  }\n}\n", guess + "; " + guess},
		{"labelled blocks", `{"resource": {"a": {"b": {"z": {"l 1": [[{"x": 1}, {"y": 2}], [{}]], "m": [[{}]]}, "o": {"a": [[{}, 1]]}, "p": {"a": [[{}], []]}, "q": {"a": [{}]}}}}}`,
			"resource \"a\" \"b\" {\n  z \"l 1\" {\n    x = 1\n    y = 2\n  }\n\n  z \"l 1\" {}\n\n  z \"m\" {}\n\n  o = {\n    a = [[{}, 1]]\n  }\n  p = {\n    a = [[{}], []]\n  }\n  q = {\n    a = [{}]\n  }\n}\n", guess + "; " + guess + "; " + guess + "; " + guess},
		{"guesses", `{"resource": {"a": {"b": {"o": {"k": 1}, "m": {"a b": 1}, "l": [{"k": 1}, {}], "n": null, "e": [], "s": ["x"], "d": {}, "dynamic": {"d": {"for_each": [], "content": {}}}}}}}`,
			"resource \"a\" \"b\" {\n  o = {\n    k = 1\n  }\n  m = {\n    \"a b\" = 1\n  }\n\n  l {\n    k = 1\n  }\n\n  l {}\n\n  n = null\n  e = []\n  s = [\"x\"]\n\n  d {}\n\n  dynamic \"d\" {\n    for_each = []\n\n    content {}\n  }\n}\n",
			guess + "; " + guess + "; " + guess + "; " + guess},
		{"built in", `{"resource": {"terraform_data": {"b": {"input": [{"k": 1}]}}}}`, "resource \"terraform_data\" \"b\" {\n  input = [\n    {\n      k = 1\n    },\n  ]\n}\n", ""},
		{"comments", `{"//": "file", "locals": {"//": "block\nlines", "a": 1, "//": {"x": 1}, "b": 2, "//": ["c", "d"]}}`,
			"# file\n\n# block\n# lines\nlocals {\n  a = 1\n  # {\"x\": 1}\n  b = 2\n  # c\n  # d\n}\n", ""},
		{"no name", `{"locals": {"a b": 1}}`, "locals {}\n", "error: No native form; error: Conversion is not exact"},
		{"duplicate key", `{"locals": {"a": {"k": 1, "k": 2}}}`, "locals {\n  a = {\n    k = 1\n  }\n}\n", "error: Conversion is not exact; error: Duplicate object attribute"},
		{"broken template", `{"locals": {"a": "${"}}`, "locals {\n  a = \"$${\"\n}\n", "error: Conversion is not exact; error: Missing expression"},
		{"reference in a template", `{"moved": {"from": "${a.b}", "to": "a.c"}}`, "moved {\n  from = \"$${a.b}\"\n  to   = a.c\n}\n", "error: Expressions in ${ }"},
		{"labels", `{"resource": {"a": {"b": {"dynamic": {"$${x}": {"for_each": [], "content": {}}}}}}}`, "resource \"a\" \"b\" {\n  dynamic \"$$${x}\" {\n    for_each = []\n\n    content {}\n  }\n}\n", ""},
		{"literals", `{"variable": {"x": {"default": {"${k}": "${v}", "s": "a\n${b}\n"}, "sensitive": "true", "type": " map( string ) # why"}}}`,
			"variable \"x\" {\n  default = {\n    \"$${k}\" = \"$${v}\"\n    s       = <<EOT\na\n$${b}\nEOT\n  }\n  sensitive = true\n  type      = map(string) # why\n}\n", ""},
		{"references with comments", `{"resource": {"terraform_data": {"b": {"depends_on": ["a.b # c", " a [ 0 ] "], "lifecycle": {"ignore_changes": " all "}}}}}`,
			"resource \"terraform_data\" \"b\" {\n  depends_on = [a.b, a[0]]\n\n  lifecycle {\n    ignore_changes = all\n  }\n}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := hclconfig.ParseJSON("main.tf.json", []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			g, diags := hclconvert.ToNative(f, hclconvert.Options{})
			if diff := cmp.Diff(c.want, string(g.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := diagnosticTexts(diags); got != c.diags {
				t.Errorf("diagnostics: %s\nwant: %s", got, c.diags)
			}
		})
	}
}

// labSchema has every nesting mode, and an attribute that may be written as
// blocks.
func labSchema(b *hclconfig.Block) *hclconfig.BlockSchema {
	if len(b.Labels) == 0 || b.Labels[0] != "lab" {
		return nil
	}
	inner := hclconfig.BlockSchema{
		Attributes: map[string]hclconfig.AttributeSchema{"v": {Type: cty.String}},
		Blocks:     map[string]*hclconfig.BlockSchema{"part": {Nesting: "list"}},
	}
	return &hclconfig.BlockSchema{
		Attributes: map[string]hclconfig.AttributeSchema{
			"tags": {Type: cty.Map(cty.String)}, "nested": {Type: cty.List(cty.EmptyObject), Nested: &hclconfig.BlockSchema{}},
			"ab": {Type: cty.List(cty.Object(map[string]cty.Type{"v": cty.String, "deep": cty.Set(cty.Object(map[string]cty.Type{"w": cty.String}))}))},
		},
		Blocks: map[string]*hclconfig.BlockSchema{
			"one": {Nesting: "single", Attributes: inner.Attributes, Blocks: inner.Blocks}, "list": {Nesting: "list", Attributes: inner.Attributes, Blocks: inner.Blocks},
			"map": {Nesting: "map", Attributes: inner.Attributes, Blocks: inner.Blocks},
		},
	}
}

func TestConvertWithSchema(t *testing.T) {
	native := `resource "lab" "x" {
  tags = {
    a = "b"
  }
  nested = [{}]

  one {
    v = "1"
  }

  list {
    v = "2"
  }

  list {
    v = "3"

    part {}
  }

  map "k e y" {
    v = "4"
  }

  dynamic "ab" {
    for_each = [1]

    content {
      v = "5"
    }
  }
}
`
	wantJSON := `{"resource":{"lab":{"x":{"tags":{"a":"b"},"nested":[{}],"one":[{"v":"1"}],"list":[{"v":"2"},{"v":"3","part":[{}]}],"map":{"k e y":{"v":"4"}},"dynamic":[{"ab":{"for_each":[1],"content":{"v":"5"}}}]}}}}`
	opts := hclconvert.Options{Schema: labSchema}
	f, err := hclconfig.ParseNative("main.tf", []byte(native))
	if err != nil {
		t.Fatal(err)
	}
	j, diags := hclconvert.ToJSON(f, opts)
	if len(diags) > 0 || compact(j.Bytes()) != wantJSON {
		t.Errorf("to JSON: %v\n%s", diags, compact(j.Bytes()))
	}
	back, diags := hclconvert.ToNative(j, opts)
	if diff := cmp.Diff(native, string(back.Bytes())); len(diags) > 0 || diff != "" {
		t.Errorf("back: %v (-want +got):\n%s", diags, diff)
	}
	// Blocks that are an attribute in truth become dynamic ones.
	f, _ = hclconfig.ParseNative("main.tf", []byte("resource \"lab\" \"x\" {\n  ab {\n    v = ab.value\n    deep {\n      w = 1\n    }\n  }\n}\n"))
	j, diags = hclconvert.ToJSON(f, opts)
	want := `{"resource":{"lab":{"x":{"dynamic":[{"ab":{"for_each":[1],"iterator":"ab_block","content":{"v":"${ab.value}","dynamic":[{"deep":{"for_each":[1],"content":{"w":1}}}]}}}]}}}}`
	if len(diags) > 0 || compact(j.Bytes()) != want {
		t.Errorf("attribute as blocks: %v\n%s", diags, compact(j.Bytes()))
	}
	// Objects and arrays as the schema says, nothing for null.
	f, _ = hclconfig.ParseJSON("main.tf.json", []byte(`{"resource": {"lab": {"x": {"one": {"v": 1}, "list": null, "map": {"a": {}, "b": [{}]}, "ab": [{"v": 1}], "tags": null}}}}`))
	n, diags := hclconvert.ToNative(f, opts)
	want = "resource \"lab\" \"x\" {\n  one {\n    v = 1\n  }\n\n  map \"a\" {}\n\n  map \"b\" {}\n\n  ab = [\n    {\n      v = 1\n    },\n  ]\n  tags = null\n}\n"
	if diff := cmp.Diff(want, string(n.Bytes())); len(diags) > 0 || diff != "" {
		t.Errorf("from JSON: %v (-want +got):\n%s", diags, diff)
	}
}

func TestConvertOptions(t *testing.T) {
	src := "# c\nlocals {\n  a = 1 # d\n}\nresource \"a\" \"x\" {}\nlocals {}\nresource \"b\" \"x\" {\n  lifecycle {\n    precondition {}\n    postcondition {}\n    precondition {}\n  }\n}\nresource \"a\" \"y\" {}\n"
	f, err := hclconfig.ParseNative("main.tf", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	g, diags := hclconvert.ToJSON(f, hclconvert.Options{KeepOrder: true})
	want := `[{"locals":[{"//":"c","//":"d","a":1}],"resource":[{"a":{"x":{}}}]},{"locals":[{}],"resource":[{"b":{"x":{"lifecycle":[[{"precondition":[{}],"postcondition":[{}]},{"precondition":[{}]}]]}}},{"a":{"y":{}}}]}]`
	if got := compact(g.Bytes()); got != want || len(diags) > 0 {
		t.Errorf("KeepOrder: %v\n%s\nwant\n%s", diags, got, want)
	}
	var order []string
	for i := range g.Body().Blocks {
		order = append(order, strings.Join(append([]string{g.Body().Blocks[i].Type}, g.Body().Blocks[i].Labels...), "."))
	}
	if got := strings.Join(order, " "); got != "locals resource.a.x locals resource.b.x resource.a.y" {
		t.Errorf("order: %s", got)
	}
	g, diags = hclconvert.ToJSON(f, hclconvert.Options{DropComments: true})
	if strings.Contains(string(g.Bytes()), "//") || diagnosticTexts(diags) != "warning: Comment left out; warning: Comment left out" {
		t.Errorf("DropComments: %v\n%s", diags, g.Bytes())
	}
	g, _ = hclconvert.ToJSON(f, hclconvert.Options{})
	if same, diags := hclconvert.ToJSON(g, hclconvert.Options{}); same != g || diags != nil {
		t.Error("a file in JSON syntax is converted again")
	}
	n, diags := hclconvert.ToNative(g, hclconvert.Options{DropComments: true})
	if strings.Contains(string(n.Bytes()), "#") || len(diags) != 2 {
		t.Errorf("DropComments: %v\n%s", diags, n.Bytes())
	}
	if same, diags := hclconvert.ToNative(f, hclconvert.Options{}); same != f || diags != nil {
		t.Error("a file in native syntax is converted again")
	}
	for name, broken := range map[string]string{"main.tf": "locals {", "main.tf.json": "{"} {
		f, _ := hclconfig.Parse(name, []byte(broken))
		a, ad := hclconvert.ToJSON(f, hclconvert.Options{})
		b, bd := hclconvert.ToNative(f, hclconvert.Options{})
		if name == "main.tf" && (a != nil || !ad.HasErrors()) || name == "main.tf.json" && (b != nil || !bd.HasErrors()) {
			t.Errorf("%s is converted", name)
		}
	}
}

// TestConvertTerraform converts for Terraform, where some strings in JSON are
// no templates.
func TestConvertTerraform(t *testing.T) {
	src := "module \"m\" {\n  source = \"./$${x}\"\n}\nterraform {\n  backend \"local\" {\n    path = \"a$${b}\"\n  }\n}\n"
	f, err := hclconfig.ParseNative("main.tf", []byte(src), hclconfig.Terraform.At(addrs.MustParseVersion("1.14.0")))
	if err != nil {
		t.Fatal(err)
	}
	g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
	if got, want := compact(g.Bytes()), `{"module":{"m":{"source":"./${x}"}},"terraform":{"backend":{"local":{"path":"a${b}"}}}}`; got != want || len(diags) > 0 {
		t.Errorf("%v\n%s", diags, got)
	}
	back, diags := hclconvert.ToNative(g, hclconvert.Options{})
	if !strings.Contains(string(back.Bytes()), `"./$${x}"`) || len(diags) > 0 {
		t.Errorf("%v\n%s", diags, back.Bytes())
	}
}

// TestConvertTests converts a test file, whose runs have an order.
func TestConvertTests(t *testing.T) {
	src := `variables {
  a = "x${1}"
}

mock_provider "p" {
  mock_resource "r" {
    defaults = {
      id = "$${x}"
    }
  }
}

run "two" {
  command = plan

  plan_options {
    mode   = refresh-only
    target = [a.b["x"]]
  }

  expect_failures = [var.a, check.c]
}

run "one" {
  module {
    source = "./m"
  }

  providers = {
    p = p.x
  }

  assert {
    condition     = output.x == "y"
    error_message = "m"
  }
}
`
	f, err := hclconfig.Parse("a.tftest.hcl", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
	want := `{"variables":{"a":"x${1}"},"mock_provider":{"p":{"mock_resource":{"r":{"defaults":{"id":"${x}"}}}}},"run":[{"two":{"command":"plan","plan_options":{"mode":"refresh-only","target":["a.b[\"x\"]"]},"expect_failures":["var.a","check.c"]}},{"one":{"module":{"source":"./m"},"providers":{"p":"p.x"},"assert":{"condition":"${output.x == \"y\"}","error_message":"m"}}}]}`
	if got := compact(g.Bytes()); got != want || len(diags) > 0 || g.Filename() != "a.tftest.json" {
		t.Errorf("%s %v\n%s", g.Filename(), diags, got)
	}
	back, diags := hclconvert.ToNative(g, hclconvert.Options{})
	if diff := cmp.Diff(src, string(back.Bytes())); diff != "" || len(diags) > 0 || back.Filename() != "a.tftest.hcl" {
		t.Errorf("%s %v (-want +got):\n%s", back.Filename(), diags, diff)
	}
}

// TestConvertConstSource is about the source of a module that refers to a variable:
// a template in JSON syntax, for both programs since the releases that have it.
func TestConvertConstSource(t *testing.T) {
	src := "module \"m\" {\n  source = var.src\n}\n"
	for _, c := range []struct {
		dialect hclconfig.Dialect
		lost    bool
	}{
		{hclconfig.Terraform, false}, {hclconfig.OpenTofu, false},
		{hclconfig.Terraform.At(addrs.MustParseVersion("1.14.9")), true}, {hclconfig.OpenTofu.At(addrs.MustParseVersion("1.7.0")), true},
	} {
		f, err := hclconfig.ParseNative("main.tf", []byte(src), c.dialect)
		if err != nil {
			t.Fatal(err)
		}
		g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
		if diags.HasErrors() != c.lost || !strings.Contains(string(g.Bytes()), `"${var.src}"`) {
			t.Errorf("%s: %s %v", c.dialect, g.Bytes(), diags)
		}
	}
}

// TestBanners keeps lines of number signs through both conversions.
func TestBanners(t *testing.T) {
	src := "########\n# a\n#### b ####\n##x\nlocals {\n  # in\n  ####\n  a = 1\n}\n"
	f, err := hclconfig.ParseNative("x.tf", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	j, _ := hclconvert.ToJSON(f, hclconvert.Options{})
	g, _ := hclconvert.ToNative(j, hclconvert.Options{})
	if string(g.Bytes()) != src {
		t.Errorf("got\n%s", g.Bytes())
	}
}
