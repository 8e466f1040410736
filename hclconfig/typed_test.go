// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// pair is one configuration in both syntaxes, with a view that must be the same.
type pair struct {
	name, kind   string // kind is the extension without .tf
	native, json string
	view         func(c *hclconfig.Config) []any
	want         []any
}

func raw(e hclconfig.Expression) string {
	text := e.Raw()
	if len(text) > 4 && strings.HasPrefix(text, `"${`) {
		return text[3 : len(text)-2]
	}
	if len(text) > 1 && text[0] == '"' && e.Kind() != hclconfig.KindLiteral {
		return text[1 : len(text)-1]
	}
	return text
}

func refs(e hclconfig.Expression) string {
	var out []string
	for _, r := range e.References() {
		out = append(out, r.Text)
	}
	return strings.Join(out, " ")
}

var pairs = []pair{
	{"terraform", ".tf", `
terraform {
  required_version = ">= 1.8"
  experiments      = [x]
  language         = TF2021
  required_providers {
    a = { source = "x/a", version = ">= 1", configuration_aliases = [a.b, a.c] }
    b = "~> 2.0"
  }
  backend "s3" { bucket = var.b }
  provider_meta "a" { x = 1 }
  encryption {
    key_provider "pbkdf2" "k" {
      encrypted_metadata_alias = "al"
      passphrase               = var.p
    }
    method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
    state {
      method   = method.aes_gcm.m
      enforced = true
      fallback {
        method = method.unencrypted.u
        fallback {}
      }
    }
    remote_state_data_sources {
      default { method = method.aes_gcm.m }
      remote_state_data_source "r" { method = method.aes_gcm.m }
    }
  }
}`, `{"terraform": {"required_version": ">= 1.8", "experiments": ["x"], "language": "TF2021",
  "required_providers": {"a": {"source": "x/a", "version": ">= 1", "configuration_aliases": ["a.b", "a.c"]}, "b": "~> 2.0"},
  "backend": {"s3": {"bucket": "${var.b}"}}, "provider_meta": {"a": {"x": 1}},
  "encryption": {
    "key_provider": {"pbkdf2": {"k": {"encrypted_metadata_alias": "al", "passphrase": "${var.p}"}}},
    "method": {"aes_gcm": {"m": {"keys": "${key_provider.pbkdf2.k}"}}},
    "state": {"method": "method.aes_gcm.m", "enforced": true, "fallback": {"method": "method.unencrypted.u", "fallback": {}}},
    "remote_state_data_sources": {"default": {"method": "method.aes_gcm.m"}, "remote_state_data_source": {"r": {"method": "method.aes_gcm.m"}}}
  }}}`,
		func(c *hclconfig.Config) []any {
			s := c.Settings[0]
			v, _ := s.Constraints()
			a, b := s.RequiredProviders[0], s.RequiredProviders[1]
			p, _ := a.Provider()
			q, _ := b.Provider()
			bc, _ := b.Constraints()
			e := s.Encryption
			words, _ := s.Experiments.Elements()
			return []any{v.String(), p.ForDisplay(), a.Version.Value, a.ConfigurationAliases[1].String(), q.ForDisplay(), bc.String(), s.Backend.Type, s.Cloud == nil,
				s.ProviderMeta[0].Labels[0], e.KeyProviders[0].Type, e.KeyProviders[0].MetadataAlias.Value, e.Methods[0].Name, e.State.Enforced.Value, refs(e.State.Method),
				refs(e.State.Fallback.Method), e.State.Fallback.Fallback != nil, e.Plan == nil, refs(e.RemoteDefault.Method), e.Remote[0].Name, words[0].Keyword(), s.Language.Keyword(),
				refs(s.Backend.Block.Argument("bucket").Expression), len(e.KeyProviders[0].Block.Body.Own().Arguments)}
		},
		[]any{">= 1.8.0", "x/a", ">= 1", "a.c", "hashicorp/b", "~> 2.0", "s3", true, "a", "pbkdf2", "al", "m", true, "method.aes_gcm.m", "method.unencrypted.u", true, true, "method.aes_gcm.m", "r", "x", "TF2021", "var.b", 1}},
	{"language", ".tf", "language {\n  edition     = tofu2024\n  experiments = []\n  compatible_with {\n    opentofu = \">= 1.12\"\n    other    = 1\n  }\n}\n",
		`{"language": {"edition": "tofu2024", "experiments": [], "compatible_with": {"opentofu": ">= 1.12", "other": 1}}}`,
		func(c *hclconfig.Config) []any {
			l := c.Languages[0]
			return []any{l.Edition.Keyword(), l.OpenTofu.Value, raw(l.Experiments)}
		}, []any{"tofu2024", ">= 1.12", "[]"}},
	{"provider", ".tf", "provider \"a\" {\n  alias    = \"b\"\n  version  = \"1.0\"\n  for_each = toset([\"x\"])\n  region   = each.key\n  _ {\n    count = 1\n  }\n}\n",
		`{"provider": {"a": {"alias": "b", "version": "1.0", "for_each": "${toset([\"x\"])}", "region": "${each.key}", "_": {"count": 1}}}}`,
		func(c *hclconfig.Config) []any {
			p := c.Providers[0]
			own := p.Config()
			return []any{p.Address(), p.Version.Value, p.ForEach.Name(), len(p.ForEach.Parts()), own.Arguments[0].Name, own.Argument("count").Raw(), len(own.Arguments)}
		}, []any{"a.b", "1.0", "toset", 1, "region", "1", 2}},
	{"variable", ".tf", "variable \"v\" {\n  type        = list(string)\n  default     = [\"$${x}\"]\n  description = \"d\"\n  sensitive   = true\n  nullable    = false\n  ephemeral   = true\n  const       = true\n  deprecated  = \"no\"\n  validation {\n    condition     = length(var.v) > 0\n    error_message = \"m ${var.v[0]}\"\n  }\n}\nvariable \"w\" {}\n",
		`{"variable": {"v": {"type": "list(string)", "default": ["${x}"], "description": "d", "sensitive": true, "nullable": "false", "ephemeral": true, "const": true, "deprecated": "no", "validation": [{"condition": "${length(var.v) > 0}", "error_message": "m ${var.v[0]}"}]}, "w": {}}}`,
		func(c *hclconfig.Config) []any {
			v, w := c.Variables[0], c.Variables[1]
			d, _ := v.DefaultValue()
			nothing, err := w.DefaultValue()
			typ, _, _ := v.Type.TypeConstraint()
			anyType, _, _ := w.Type.TypeConstraint()
			return []any{typ.FriendlyName(), anyType.FriendlyName(), d.Index(cty.Zero).AsString(), v.Description.Value, v.Sensitive.Value, v.Nullable.Or(true), w.Nullable.Or(true), v.Ephemeral.Value, v.Const.Value,
				v.Deprecated.Value, v.Required(), w.Required(), nothing == cty.NilVal && err == nil, refs(v.Validations[0].Condition), refs(v.Validations[0].ErrorMessage), w.Description.IsSet(), v.Sensitive.IsSet()}
		}, []any{"list of string", "dynamic", "${x}", "d", true, false, true, true, true, "no", false, true, true, "var.v", "var.v[0]", false, true}},
	{"output", ".tf", "output \"o\" {\n  value       = a.b\n  description = \"d\"\n  sensitive   = true\n  ephemeral   = false\n  deprecated  = \"x\"\n  depends_on  = [a.c]\n  precondition {\n    condition     = true\n    error_message = \"\"\n  }\n}\n",
		`{"output": {"o": {"value": "${a.b}", "description": "d", "sensitive": true, "ephemeral": false, "deprecated": "x", "depends_on": ["a.c"], "precondition": {"condition": true, "error_message": ""}}}}`,
		func(c *hclconfig.Config) []any {
			o := c.Outputs[0]
			return []any{refs(o.Value), o.Description.Value, o.Sensitive.Value, o.Ephemeral.IsSet(), o.Ephemeral.Value, o.Deprecated.Value, refs(o.DependsOn), len(o.Preconditions)}
		}, []any{"a.b", "d", true, true, false, "x", "a.c", 1}},
	{"resource", ".tf", `
resource "a_x" "r" {
  for_each   = var.m
  provider   = a.b["k"]
  depends_on = [data.a.b, module.m]
  name       = "n"
  connection { host = self.ip }
  provisioner "local-exec" {
    when       = destroy
    on_failure = continue
    command    = "c"
    connection { host = 1 }
  }
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = true
    destroy               = false
    enabled               = var.on
    ignore_changes        = [tags["a b"], size]
    replace_triggered_by  = [a_x.y[each.key]]
    precondition {
      condition     = true
      error_message = ""
    }
    postcondition {
      condition     = self.ok
      error_message = ""
    }
    action_trigger {
      events     = [after_create]
      actions    = [action.a.b]
      condition  = true
      on_failure = fail
    }
  }
}
data "a" "d" { count = 1 }
ephemeral "a" "e" {}
`, `{"resource": {"a_x": {"r": {"for_each": "${var.m}", "provider": "a.b[\"k\"]", "depends_on": ["data.a.b", "module.m"], "name": "n", "connection": {"host": "${self.ip}"},
  "provisioner": [{"local-exec": {"when": "destroy", "on_failure": "continue", "command": "c", "connection": {"host": 1}}}],
  "lifecycle": {"create_before_destroy": true, "prevent_destroy": true, "destroy": false, "enabled": "${var.on}", "ignore_changes": ["tags[\"a b\"]", "size"], "replace_triggered_by": ["a_x.y[each.key]"],
    "precondition": {"condition": true, "error_message": ""}, "postcondition": {"condition": "${self.ok}", "error_message": ""},
    "action_trigger": {"events": ["after_create"], "actions": ["action.a.b"], "condition": true, "on_failure": "fail"}}}}},
  "data": {"a": {"d": {"count": 1}}}, "ephemeral": {"a": {"e": {}}}}`,
		func(c *hclconfig.Config) []any {
			r := c.Resources[0]
			l := r.Lifecycle
			ignored, all := l.Ignored()
			prevent, _ := l.PreventDestroy.Bool()
			p := r.Provisioners[0]
			at := l.ActionTriggers[0]
			events, _ := at.Events.Elements()
			return []any{r.Addr().String(), refs(r.ForEach), r.Provider.String(), r.ProviderName(), refs(r.DependsOn), refs(r.Connection.Argument("host").Expression), p.Type, p.When, p.OnFailure, p.Connection != nil,
				l.CreateBeforeDestroy.Value, prevent, l.Destroy.IsSet(), refs(l.Enabled), fmt.Sprint(ignored, all), refs(l.ReplaceTriggeredBy), len(l.Preconditions), refs(l.Postconditions[0].Condition),
				events[0].Keyword(), refs(at.Actions), at.OnFailure.Keyword(), r.Config().Arguments[0].Name, len(r.Config().Arguments),
				c.Data[0].Addr().String(), c.Ephemeral[0].Addr().String(), c.Data[0].ProviderName(), c.Data[0].Mode == addrs.Data, c.Ephemeral[0].Lifecycle == nil}
		}, []any{"a_x.r", "var.m", `a.b["k"]`, "a", "data.a.b module.m", "self.ip", "local-exec", "destroy", "continue", true, true, true, true, "var.on", `[tags["a b"] size] false`, "a_x.y each.key", 1, "self.ok",
			"after_create", "action.a.b", "fail", "name", 1, "data.a.d", "ephemeral.a.e", "a", true, true}},
	{"module", ".tf", "module \"m\" {\n  source     = \"x/y/z\"\n  version    = \"~> 1.0\"\n  count      = 2\n  providers  = { a = a.b, c.d = c[each.key] }\n  depends_on = [a.b]\n  in         = var.x\n  lifecycle {\n    enabled = var.on\n  }\n}\n",
		`{"module": {"m": {"source": "x/y/z", "version": "~> 1.0", "count": 2, "providers": {"a": "a.b", "c.d": "c[each.key]"}, "depends_on": ["a.b"], "in": "${var.x}", "lifecycle": {"enabled": "${var.on}"}}}}`,
		func(c *hclconfig.Config) []any {
			m := c.Calls[0]
			s, err := m.SourceAddr()
			v, _ := m.Constraints()
			pm := m.ProviderMappings()
			return []any{s.String(), err == nil, v.String(), raw(m.Count), pm[0].Outer.String(), pm[1].Inner.String(), pm[1].Outer.Key, refs(m.DependsOn), refs(m.Enabled), len(m.Inputs().Arguments), m.IsLocal(), pm[0].Inner.IsSet()}
		}, []any{"registry.opentofu.org/x/y/z", true, "~> 1.0", "2", "a.b", "c.d", "each.key", "a.b", "var.on", 1, false, true}},
	{"moves", ".tf", "moved {\n  from = module.a[\"x\"].b.c[0]\n  to   = b.d\n}\nimport {\n  to       = a.b[each.key]\n  id       = \"i\"\n  for_each = var.x\n  provider = a.b\n}\nremoved {\n  from = a.b\n  lifecycle {\n    destroy = false\n  }\n  provisioner \"local-exec\" {\n    when = destroy\n  }\n}\n",
		`{"moved": {"from": "module.a[\"x\"].b.c[0]", "to": "b.d"}, "import": {"to": "a.b[each.key]", "id": "i", "for_each": "${var.x}", "provider": "a.b"}, "removed": {"from": "a.b", "lifecycle": {"destroy": false}, "provisioner": [{"local-exec": {"when": "destroy"}}]}}`,
		func(c *hclconfig.Config) []any {
			from, err1 := c.Moved[0].From.Address()
			_, err2 := c.Imports[0].To.Address()
			r, _ := c.Removed[0].From.Address()
			return []any{from, err1 == nil, errors.Is(err2, hclconfig.ErrKind), refs(c.Imports[0].To), c.Imports[0].Provider.Alias, refs(c.Imports[0].ForEach), r, c.Removed[0].Destroy.Or(true), c.Removed[0].Provisioners[0].When, c.Imports[0].Identity.IsSet()}
		}, []any{`module.a["x"].b.c[0]`, true, true, "a.b each.key", "b", "var.x", "a.b", false, "destroy", false}},
	{"check", ".tf", "check \"c\" {\n  data \"a\" \"b\" {\n    provider = a.x\n    q        = 1\n  }\n  assert {\n    condition     = data.a.b.ok\n    error_message = \"m\"\n  }\n}\n",
		`{"check": {"c": {"data": {"a": {"b": {"provider": "a.x", "q": 1}}}, "assert": {"condition": "${data.a.b.ok}", "error_message": "m"}}}}`,
		func(c *hclconfig.Config) []any {
			k := c.Checks[0]
			return []any{k.Name, k.Data.Addr().String(), k.Data.Provider.String(), refs(k.Asserts[0].Condition), k.Data.Config().Arguments[0].Name}
		}, []any{"c", "data.a.b", "a.x", "data.a.b.ok", "q"}},
	{"action", ".tf", "action \"a\" \"b\" {\n  count    = 1\n  provider = a.x\n  config {\n    y = var.z\n  }\n}\n",
		`{"action": {"a": {"b": {"count": 1, "provider": "a.x", "config": {"y": "${var.z}"}}}}}`,
		func(c *hclconfig.Config) []any {
			a := c.Actions[0]
			return []any{a.Type, a.Name, a.Provider.String(), refs(a.Config.Argument("y").Expression), raw(a.Count), a.ForEach.IsSet()}
		}, []any{"a", "b", "a.x", "var.z", "1", false}},
	{"list", ".tfquery", "list \"a\" \"b\" {\n  provider         = a\n  limit            = 5\n  include_resource = true\n  config {}\n}\n",
		`{"list": {"a": {"b": {"provider": "a", "limit": 5, "include_resource": true, "config": {}}}}}`,
		func(c *hclconfig.Config) []any {
			l := c.Lists[0]
			return []any{l.Type, l.Name, l.Provider.Name, raw(l.Limit), raw(l.IncludeResource), l.Config != nil}
		}, []any{"a", "b", "a", "5", "true", true}},
	{"tests", ".tftest", `
variables { x = 1 }
provider "p" {}
mock_provider "q" {
  alias = "m"
  mock_resource "t" { defaults = { a = "$${x}" } }
  mock_data "u" {}
  override_data {
    target = data.a.b
    values = {}
  }
}
override_module {
  target  = module.m
  outputs = { o = 1 }
}
run "one" {
  command = plan
  plan_options {
    mode    = refresh-only
    refresh = false
    target  = [a.b]
    replace = [a.c]
  }
  variables { y = var.z }
  providers       = { p = p.x }
  expect_failures = [var.v]
  module { source = "./m" }
  assert {
    condition     = output.o == 1
    error_message = "m"
  }
  override_resource {
    target = a.b
    values = { c = 1 }
  }
}
run "two" { state_key = "k" }
`, `{"variables": {"x": 1}, "provider": {"p": {}},
  "mock_provider": {"q": {"alias": "m", "mock_resource": {"t": {"defaults": {"a": "${x}"}}}, "mock_data": {"u": {}}, "override_data": {"target": "data.a.b", "values": {}}}},
  "override_module": {"target": "module.m", "outputs": {"o": 1}},
  "run": [{"one": {"command": "plan", "plan_options": {"mode": "refresh-only", "refresh": false, "target": ["a.b"], "replace": ["a.c"]}, "variables": {"y": "${var.z}"}, "providers": {"p": "p.x"},
    "expect_failures": ["var.v"], "module": {"source": "./m"}, "assert": {"condition": "${output.o == 1}", "error_message": "m"}, "override_resource": {"target": "a.b", "values": {"c": 1}}}}, {"two": {"state_key": "k"}}]}`,
		func(c *hclconfig.Config) []any {
			r := c.Runs[0]
			m := c.MockProviders[0]
			d, _ := m.Mocks[0].Defaults.Constant()
			target, _ := r.Overrides[0].Target.Address()
			module, _ := c.Overrides[0].Target.Address()
			return []any{r.Name, r.Command, r.PlanOptions.Mode, r.PlanOptions.Refresh.Or(true), refs(r.PlanOptions.Target), refs(r.PlanOptions.Replace), refs(r.Variables[0].Expression), refs(r.ExpectFailures), r.Module.Source.Value,
				refs(r.Asserts[0].Condition), target, c.Runs[1].StateKey.Value, c.Runs[1].Command, c.TestVariables[0].Name, m.Name, m.Alias.Value, m.Mocks[0].Type, d.GetAttr("a").AsString(), len(m.Mocks), len(m.Overrides), module, c.Overrides[0].Values.IsSet(), len(c.Providers)}
		}, []any{"one", "plan", "refresh-only", false, "a.b", "a.c", "var.z", "var.v", "./m", "output.o", "a.b", "k", "", "x", "q", "m", "t", "${x}", 2, 1, "module.m", true, 1}},
}

// TestBothSyntaxes requires the same typed view of the same configuration in
// native and in JSON syntax, for every block there is.
func TestBothSyntaxes(t *testing.T) {
	for _, p := range pairs {
		nativeName, jsonName := "x"+p.kind, "x"+p.kind+".json"
		if p.kind != ".tf" {
			nativeName += ".hcl"
		}
		for name, src := range map[string]string{nativeName: p.native, jsonName: p.json} {
			t.Run(p.name+"/"+name, func(t *testing.T) {
				f := mustParse(t, name, src)
				if d := f.Diagnostics(); len(d) > 0 {
					t.Fatal(d)
				}
				if diff := cmp.Diff(p.want, p.view(f.Config())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestExpression(t *testing.T) {
	ctx := &hcl.EvalContext{
		Variables: map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{
			"n": cty.NumberIntVal(3), "s": cty.StringVal("S"), "secret": cty.StringVal("x").Mark("sensitive"), "u": cty.UnknownVal(cty.String),
		})},
		Functions: map[string]function.Function{"upper": stdlib.UpperFunc},
	}
	for _, c := range []struct {
		name, json string
		want       cty.Value
		fails      string
	}{
		{"plain", `"a"`, cty.StringVal("a"), ""},
		{"template", `"${var.n}-${upper(\"a\")}"`, cty.StringVal("3-A"), ""},
		{"unwrapped", `"${var.n}"`, cty.NumberIntVal(3), ""},
		{"trimmed and unwrapped", `"${~ 3 ~}"`, cty.NumberIntVal(3), ""},
		{"spaces", `"  ${~ 3 ~}  "`, cty.StringVal("3"), ""},
		{"two", `"${3}${\"\"}"`, cty.StringVal("3"), ""},
		{"escapes", `"$${x} %%{y} $x %y $$ %% $${$${"`, cty.StringVal("${x} %{y} $x %y $$ %% ${${"), ""},
		{"byte order mark is lost", `"\ufeffx"`, cty.StringVal("x"), ""},
		{"lone carriage return", `"a\r${var.n}"`, cty.StringVal("a\r${var.n}"), ""},
		{"carriage return and line feed", `"a\r\n${var.n}"`, cty.StringVal("a\r\n3"), ""},
		{"computed key", `{"${var.s}": 1, "T": 2}`, cty.ObjectVal(map[string]cty.Value{"S": cty.NumberIntVal(1), "T": cty.NumberIntVal(2)}), ""},
		{"unknown key", `{"${var.u}": 1}`, cty.DynamicVal, ""},
		{"sensitive value", `"${var.secret}"`, cty.StringVal("x").Mark("sensitive"), ""},
		{"digits", `12345678901234567890.125`, cty.MustParseNumberVal("12345678901234567890.125"), ""},
		{"null", `null`, cty.NullVal(cty.DynamicPseudoType), ""},
		{"list", `[true, false, "${var.n}"]`, cty.TupleVal([]cty.Value{cty.True, cty.False, cty.NumberIntVal(3)}), ""},
		{"heredoc", `"${<<E\nx\nE\n}"`, cty.StringVal("x\n"), ""},
		{"colliding keys", `{"${var.s}": 1, "S": 2}`, cty.NilVal, "Duplicate object attribute"},
		{"sensitive key", `{"${var.secret}": 1}`, cty.NilVal, "Invalid object key expression"},
		{"null key", `{"${null}": 1}`, cty.NilVal, "Invalid object key expression"},
		{"list as key", `{"${[]}": 1}`, cty.NilVal, "Invalid object key expression"},
		{"null in a template", `"a${null}"`, cty.NilVal, "Invalid template interpolation value"},
		{"missing variable", `"${var.none}"`, cty.NilVal, "Unsupported attribute"},
		{"missing function", `"${lower(\"A\")}"`, cty.NilVal, "Function calls not allowed"},
		{"broken", `["a", "${"]`, cty.NilVal, "Missing expression"},
		{"infinite", `{"a": [1e1000000000]}`, cty.NilVal, "Number out of range"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, "x.tf.json", `{"locals": {"x": `+c.json+`}}`)
			got, diags := f.Config().Locals[0].Argument.Value(ctx)
			if c.fails != "" {
				if !diags.HasErrors() || diags[0].Summary != c.fails {
					t.Errorf("%#v, %v", got, diags)
				}
				return
			}
			if diags.HasErrors() || !got.RawEquals(c.want) {
				t.Errorf("%#v, %v", got, diags)
			}
		})
	}
}

// Types and keywords have no value, in either syntax, and no fault of syntax.
func TestConstants_bareNames(t *testing.T) {
	for name, src := range map[string]string{
		"x.tf":      "variable \"v\" {\n  type = string\n}\n\nresource \"a\" \"b\" {\n  provider = aws.west\n\n  lifecycle {\n    ignore_changes = all\n  }\n}\n\nvariable \"w\" {\n  type = list(string)\n}\n",
		"x.tf.json": `{"variable": {"v": {"type": "string"}, "w": {"type": "list(string)"}}, "resource": {"a": {"b": {"provider": "aws.west", "lifecycle": {"ignore_changes": "all"}}}}}`,
	} {
		n := 0
		for a := range mustParse(t, name, src).Body().AllArguments() {
			n++
			_, err1 := a.Constant()
			_, err2 := a.Text()
			for _, err := range []error{err1, err2} {
				if name == "x.tf" && !errors.Is(err, hclconfig.ErrNotConstant) || err != nil && !errors.Is(err, hclconfig.ErrNotConstant) {
					t.Errorf("%s: %s gives %v", name, a.Name, err)
				}
			}
		}
		if n != 4 {
			t.Errorf("%s: %d arguments", name, n)
		}
	}
}

func TestConstants(t *testing.T) {
	for _, name := range []string{"x.tf", "x.tf.json"} {
		src := "locals {\n  n = 1.50\n  r = var.x\n  f = upper(\"a\")\n  s = \"t\"\n  o = { a = 1 }\n  z = null\n  big = 1e5\n}\n"
		if name == "x.tf.json" {
			src = `{"locals": {"n": 1.50, "r": "${var.x}", "f": "${upper(\"a\")}", "s": "t", "o": {"a": 1}, "z": null, "big": 1e5}}`
		}
		args := map[string]*hclconfig.Argument{}
		for _, l := range mustParse(t, name, src).Config().Locals {
			args[l.Name] = l.Argument
		}
		for _, not := range []string{"r", "f"} {
			if _, err := args[not].Constant(); !errors.Is(err, hclconfig.ErrNotConstant) {
				t.Errorf("%s: %s gives %v", name, not, err)
			}
			if _, err := args[not].Bool(); !errors.Is(err, hclconfig.ErrNotConstant) {
				t.Errorf("%s: %s gives %v", name, not, err)
			}
		}
		if s, err := args["n"].Text(); err != nil || s != "1.5" {
			t.Errorf("%s: %q, %v", name, s, err)
		}
		for _, not := range []string{"o", "z"} {
			if _, err := args[not].Text(); !errors.Is(err, hclconfig.ErrKind) {
				t.Errorf("%s: %s gives %v", name, not, err)
			}
			if _, err := args[not].Bool(); !errors.Is(err, hclconfig.ErrKind) {
				t.Errorf("%s: %s gives %v", name, not, err)
			}
		}
		if !args["z"].IsNull() || args["s"].IsNull() {
			t.Errorf("%s: IsNull is wrong", name)
		}
		if m, ok := args["o"].Members(); !ok || m[0].Name != "a" || m[0].Computed || m[0].Value.Raw() != "1" {
			t.Errorf("%s: members %v", name, m)
		}
		if _, ok := args["s"].Members(); ok {
			t.Errorf("%s: a string has members", name)
		}
		if _, ok := args["s"].Elements(); ok {
			t.Errorf("%s: a string has elements", name)
		}
		if _, err := args["s"].Address(); name == "x.tf" && !errors.Is(err, hclconfig.ErrKind) {
			t.Errorf("%s: a string is an address: %v", name, err)
		}
	}
}

// TestZeroExpression calls everything on no expression.
func TestZeroExpression(t *testing.T) {
	var e hclconfig.Expression
	if e.IsSet() || e.Raw() != "" || e.Range().IsValid() || e.IsNull() || e.References() != nil || e.Keyword() != "" || e.File() != nil || e.String() != "" {
		t.Error("the zero Expression is something")
	}
	if v, diags := e.Value(nil); !v.IsNull() || diags != nil {
		t.Error("the zero Expression has a value")
	}
	if _, err := e.Address(); !errors.Is(err, hclconfig.ErrKind) {
		t.Error(err)
	}
	if _, ok := e.Elements(); ok {
		t.Error("the zero Expression has elements")
	}
	if _, ok := e.Members(); ok {
		t.Error("the zero Expression has members")
	}
	if typ, _, err := e.TypeConstraint(); err != nil || typ != cty.DynamicPseudoType {
		t.Error("the zero Expression is a type")
	}
	if _, err := e.Text(); err == nil {
		t.Error("the zero Expression has a text")
	}
	if _, err := e.Constant(); err != nil {
		t.Error(err)
	}
}

func TestDynamicReferences(t *testing.T) {
	native := `resource "a" "b" {
  dynamic "x" {
    for_each = var.list
    labels   = [x.key, var.l]
    content {
      v = x.value + local.y + it.value
      dynamic "z" {
        for_each = x.value
        iterator = it
        content {
          w = "${it.value}${x.key}${z.value}"
        }
      }
    }
  }
  x = x.y
}
`
	json := `{"resource": {"a": {"b": {"dynamic": {"x": {"for_each": "${var.list}", "labels": ["${x.key}", "${var.l}"], "content": {"v": "${x.value + local.y + it.value}",
    "dynamic": {"z": {"for_each": "${x.value}", "iterator": "it", "content": {"w": "${it.value}${x.key}${z.value}"}}}}}}, "x": "${x.y}"}}}}`
	for name, src := range map[string]string{"a.tf": native, "a.tf.json": json} {
		var got []string
		for _, r := range mustParse(t, name, src).Body().References() {
			got = append(got, r.Text)
		}
		if diff := cmp.Diff([]string{"var.list", "var.l", "local.y", "it.value", "z.value", "x.y"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// An expression that lacks a part has no constant value.
func TestConstant_incomplete(t *testing.T) {
	f, err := hclconfig.ParseNative("a.tf", []byte("locals {\n  a =\n  b = [1]\n  c = { d = }\n}\n"))
	if err == nil {
		t.Fatal("the file has no fault")
	}
	for _, l := range f.Config().Locals {
		if _, err := l.Argument.Constant(); (err == nil) != (l.Name == "b") || err != nil && !errors.Is(err, hclconfig.ErrNotConstant) {
			t.Errorf("%s: %v", l.Name, err)
		}
	}
}

// TestEnabled asks resources with and without a lifecycle block, and one that is not there.
func TestEnabled(t *testing.T) {
	f, err := hclconfig.Parse("main.tf", []byte("resource \"a_b\" \"on\" {\n  lifecycle {\n    enabled = var.on\n  }\n}\nresource \"a_b\" \"plain\" {}\nresource \"a_b\" \"empty\" {\n  lifecycle {}\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range append(f.Config().Resources, nil, &hclconfig.Resource{}) {
		e := r.Enabled()
		got = append(got, fmt.Sprintf("%t %q", e.IsSet(), e.Source()))
	}
	if want := []string{`true "var.on"`, `false ""`, `false ""`, `false ""`, `false ""`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
