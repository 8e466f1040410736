// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	p "github.com/hashicorp/terraform-plugin-go/tfprotov6"
	t "github.com/hashicorp/terraform-plugin-go/tftypes"
)

type opt func(*p.SchemaAttribute)

func req(a *p.SchemaAttribute)    { a.Required = true }
func option(a *p.SchemaAttribute) { a.Optional = true }
func comp(a *p.SchemaAttribute)   { a.Computed = true }
func sens(a *p.SchemaAttribute)   { a.Sensitive = true }
func depr(a *p.SchemaAttribute)   { a.Deprecated = true }
func wo(a *p.SchemaAttribute)     { a.WriteOnly = true }
func desc(s string) opt           { return func(a *p.SchemaAttribute) { a.Description = s } }
func md(s string) opt {
	return func(a *p.SchemaAttribute) { a.Description = s; a.DescriptionKind = p.StringKindMarkdown }
}

func at(name string, ty t.Type, os ...opt) *p.SchemaAttribute {
	a := &p.SchemaAttribute{Name: name, Type: ty}
	for _, o := range os {
		o(a)
	}
	return a
}

func nested(name string, mode p.SchemaObjectNestingMode, attrs []*p.SchemaAttribute, os ...opt) *p.SchemaAttribute {
	a := &p.SchemaAttribute{Name: name, NestedType: &p.SchemaObject{Attributes: attrs, Nesting: mode}}
	for _, o := range os {
		o(a)
	}
	return a
}

var (
	tMapS  = t.Map{ElementType: t.String}
	tSetS  = t.Set{ElementType: t.String}
	tListN = t.List{ElementType: t.Number}
	tShape = t.Object{AttributeTypes: map[string]t.Type{"w": t.Number, "h": t.Number, "name": t.String, "meta": t.Map{ElementType: t.Bool}}}
)

type A = []*p.SchemaAttribute

var providerSchema = &p.Schema{Version: 0, Block: &p.SchemaBlock{
	Description: "The lab provider makes pretend objects, to exercise output formats.", DescriptionKind: p.StringKindMarkdown,
	Attributes: A{
		at("realm", t.String, option, desc("Realm that objects belong to.")),
		at("api_key", t.String, option, sens),
		at("region", t.String, option, depr, desc("Use realm.")),
		at("headers", tMapS, option),
	},
	BlockTypes: []*p.SchemaNestedBlock{
		{TypeName: "auth", Nesting: p.SchemaNestedBlockNestingModeSingle, Block: &p.SchemaBlock{Attributes: A{at("user", t.String, req), at("pass", t.String, option, sens)}}},
		{TypeName: "retry", Nesting: p.SchemaNestedBlockNestingModeList, MaxItems: 2, Block: &p.SchemaBlock{Attributes: A{at("attempts", t.Number, option), at("codes", t.Set{ElementType: t.Number}, option)}}},
	},
}}

var providerMeta = &p.Schema{Block: &p.SchemaBlock{Attributes: A{at("module_name", t.String, option), at("hints", t.Map{ElementType: t.Number}, option)}}}

var resourceSchemas = map[string]*p.Schema{
	"lab_thing": {Version: 3, Block: &p.SchemaBlock{
		Description: "An object with an attribute of *every* kind.", DescriptionKind: p.StringKindMarkdown,
		Attributes: A{
			at("id", t.String, comp, desc("Made on creation.")),
			at("realm", t.String, option, comp),
			at("name", t.String, req),
			at("size", t.Number, option),
			at("ratio", t.Number, option),
			at("enabled", t.Bool, option),
			at("note", t.String, option, md("Free **text**.")),
			at("tags", tMapS, option),
			at("labels", tSetS, option),
			at("ports", tListN, option),
			at("matrix", t.List{ElementType: tListN}, option),
			at("shape", tShape, option),
			at("duo", t.Tuple{ElementTypes: []t.Type{t.String, t.Number}}, option),
			at("secret", t.String, option, sens),
			at("secrets", tMapS, option, sens),
			at("anything", t.DynamicPseudoType, option),
			at("computed_any", t.DynamicPseudoType, comp),
			nested("settings", p.SchemaObjectNestingModeSingle, A{
				at("mode", t.String, req), at("password", t.String, option, sens),
				nested("limits", p.SchemaObjectNestingModeSingle, A{at("cpu", t.Number, option), at("mem", t.Number, option, comp)}, option),
			}, option),
			nested("rules", p.SchemaObjectNestingModeList, A{
				at("port", t.Number, req), at("proto", t.String, option, comp), at("secret", t.String, option, sens), at("id", t.String, comp),
			}, option),
			nested("peers", p.SchemaObjectNestingModeSet, A{
				at("host", t.String, req), at("weight", t.Number, option), at("serial", t.String, comp),
			}, option),
			nested("zones", p.SchemaObjectNestingModeMap, A{
				at("cidr", t.String, req), at("gateway", t.String, comp), at("tags", tMapS, option),
			}, option),
			nested("endpoints", p.SchemaObjectNestingModeList, A{
				at("host", t.String, comp), at("port", t.Number, comp), at("password", t.String, comp, sens),
			}, comp),
			at("revision", t.Number, comp),
			at("arn", t.String, comp),
			at("legacy", t.String, option, depr, desc("No longer has an effect.")),
			at("fail", t.String, option),
			at("wait_ms", t.Number, option),
		},
	}},
	"lab_blocks": {Version: 1, Block: &p.SchemaBlock{
		Attributes: A{at("id", t.String, comp), at("title", t.String, req), at("fail", t.String, option), at("revision", t.Number, comp)},
		BlockTypes: []*p.SchemaNestedBlock{
			{TypeName: "disk", Nesting: p.SchemaNestedBlockNestingModeList, MaxItems: 4, Block: &p.SchemaBlock{
				Attributes: A{at("kind", t.String, req), at("gb", t.Number, option), at("dev", t.String, comp), at("key", t.String, option, sens)},
				BlockTypes: []*p.SchemaNestedBlock{{TypeName: "partition", Nesting: p.SchemaNestedBlockNestingModeSet, Block: &p.SchemaBlock{
					Attributes: A{at("fs", t.String, req), at("size", t.Number, option), at("flags", tSetS, option)}}}},
			}},
			{TypeName: "listener", Nesting: p.SchemaNestedBlockNestingModeSet, Block: &p.SchemaBlock{Deprecated: true, Attributes: A{at("port", t.Number, req), at("cert", t.String, option, sens)}}},
			{TypeName: "network", Nesting: p.SchemaNestedBlockNestingModeSingle, Block: &p.SchemaBlock{Attributes: A{at("vlan", t.Number, option), at("mtu", t.Number, option, comp)}}},
			{TypeName: "zone", Nesting: p.SchemaNestedBlockNestingModeMap, Block: &p.SchemaBlock{Attributes: A{at("cidr", t.String, req), at("note", t.String, option)}}},
			{TypeName: "policy", Nesting: p.SchemaNestedBlockNestingModeGroup, Block: &p.SchemaBlock{Attributes: A{at("level", t.String, option), at("grace", t.Number, option)}}},
		},
	}},
	"lab_secretbox": {Version: 0, Block: &p.SchemaBlock{
		Attributes: A{
			at("id", t.String, comp), at("name", t.String, req),
			at("secret_wo", t.String, option, sens, wo), at("secret_wo_version", t.Number, option),
			at("plain_wo", tMapS, option, wo),
			at("checksum", t.String, comp),
			nested("inner", p.SchemaObjectNestingModeSingle, A{at("user", t.String, req), at("pin_wo", t.Number, option, wo)}, option),
		},
		BlockTypes: []*p.SchemaNestedBlock{{TypeName: "cred", Nesting: p.SchemaNestedBlockNestingModeList, Block: &p.SchemaBlock{Attributes: A{at("label", t.String, req), at("token_wo", t.String, option, sens, wo)}}}},
	}},
	"lab_switch": {Version: 0, Block: &p.SchemaBlock{
		Attributes: A{at("id", t.String, comp), at("name", t.String, req), at("value", t.DynamicPseudoType, option), at("text", t.String, option),
			at("fail", t.String, option), at("wait_ms", t.Number, option), at("serial", t.String, comp), at("token", t.String, comp, sens)},
	}},
	"lab_legacy": {Version: 2, Block: &p.SchemaBlock{
		Deprecated: true, Description: "Use lab_thing.",
		Attributes: A{at("id", t.String, comp, option), at("key", t.String, req), at("data", tMapS, option, comp), at("old", t.String, option, depr)},
	}},
}

var forceNew = map[string][]string{
	"lab_thing":     {"realm", "name", "rules.*.port", "zones.*.cidr", "shape.w", "settings.limits.cpu", "matrix"},
	"lab_blocks":    {"disk.*.kind", "network.vlan", "zone.*.cidr"},
	"lab_secretbox": {"name", "secret_wo_version"},
	"lab_switch":    {"name"},
	"lab_legacy":    {"key"},
}

var identitySchemas = map[string]*p.ResourceIdentitySchema{
	"lab_thing": {Version: 1, IdentityAttributes: []*p.ResourceIdentitySchemaAttribute{
		{Name: "realm", Type: t.String, OptionalForImport: true, Description: "Realm of the object."},
		{Name: "name", Type: t.String, RequiredForImport: true},
	}},
	"lab_switch": {Version: 0, IdentityAttributes: []*p.ResourceIdentitySchemaAttribute{
		{Name: "name", Type: t.String, RequiredForImport: true},
	}},
}

var dataSchemas = map[string]*p.Schema{
	"lab_lookup": {Version: 0, Block: &p.SchemaBlock{
		Attributes: A{
			at("id", t.String, comp), at("query", t.String, req), at("limit", t.Number, option), at("fail", t.String, option),
			nested("results", p.SchemaObjectNestingModeList, A{at("id", t.String, comp), at("score", t.Number, comp), at("labels", tMapS, comp), at("secret", t.String, comp, sens)}, comp),
			at("raw", t.DynamicPseudoType, comp), at("secret", t.String, comp, sens), at("old_total", t.Number, comp, depr),
		},
		BlockTypes: []*p.SchemaNestedBlock{{TypeName: "filter", Nesting: p.SchemaNestedBlockNestingModeSet, Block: &p.SchemaBlock{Attributes: A{at("name", t.String, req), at("values", t.List{ElementType: t.String}, option)}}}},
	}},
}

var ephemeralSchemas = map[string]*p.Schema{
	"lab_token": {Version: 0, Block: &p.SchemaBlock{
		Attributes: A{at("audience", t.String, req), at("renew_ms", t.Number, option), at("fail", t.String, option), at("token", t.String, comp, sens), at("expires", t.String, comp)},
	}},
}

var functions = map[string]*p.Function{
	"join_all": {Summary: "Joins", Description: "Joins all the parts.", Parameters: []*p.FunctionParameter{{Name: "sep", Type: t.String, Description: "separator"}},
		VariadicParameter: &p.FunctionParameter{Name: "parts", Type: t.String}, Return: &p.FunctionReturn{Type: t.String}},
	"describe": {Summary: "Type of a value", Description: "Says what `value` is.", DescriptionKind: p.StringKindMarkdown,
		Parameters: []*p.FunctionParameter{{Name: "value", Type: t.DynamicPseudoType, AllowNullValue: true, AllowUnknownValues: true}}, Return: &p.FunctionReturn{Type: t.String}},
	"pair": {Parameters: []*p.FunctionParameter{{Name: "a", Type: t.Number}, {Name: "b", Type: t.Object{AttributeTypes: map[string]t.Type{"x": t.String, "y": tListN}}}},
		Return: &p.FunctionReturn{Type: t.Object{AttributeTypes: map[string]t.Type{"a": t.Number, "x": t.String, "n": t.Number}}}},
	"boom":    {Summary: "Always fails", Parameters: []*p.FunctionParameter{{Name: "message", Type: t.String}}, Return: &p.FunctionReturn{Type: t.Bool}},
	"old_sum": {Summary: "Adds", DeprecationMessage: "Use the built-in sum.", Parameters: []*p.FunctionParameter{{Name: "numbers", Type: tListN}}, Return: &p.FunctionReturn{Type: t.Number}},
}
