// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Program framework is the provider example/kit: what the plugin framework can say in a schema, and no more.
package main

import (
	"context"
	"log"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	eschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	pschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	err := providerserver.Serve(context.Background(), func() provider.Provider { return kit{} }, providerserver.ServeOpts{Address: "registry.terraform.io/example/kit"})
	if err != nil {
		log.Fatal(err)
	}
}

type kit struct{}

func (kit) Metadata(_ context.Context, _ provider.MetadataRequest, r *provider.MetadataResponse) {
	r.TypeName = "kit"
}
func (kit) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (kit) Schema(_ context.Context, _ provider.SchemaRequest, r *provider.SchemaResponse) {
	r.Schema = pschema.Schema{
		Attributes: map[string]pschema.Attribute{
			"region": pschema.StringAttribute{Optional: true},
			"old":    pschema.StringAttribute{Optional: true, DeprecationMessage: "Use region."},
			"auth":   pschema.SingleNestedAttribute{Optional: true, Attributes: map[string]pschema.Attribute{"user": pschema.StringAttribute{Required: true}, "token": pschema.StringAttribute{Optional: true, Sensitive: true}}},
		},
		Blocks: map[string]pschema.Block{"endpoint": pschema.ListNestedBlock{NestedObject: pschema.NestedBlockObject{Attributes: map[string]pschema.Attribute{"url": pschema.StringAttribute{Required: true}}}}},
	}
}

func (kit) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return thing{name: "item", schema: item()} },
		func() resource.Resource { return thing{name: "block", schema: blocks()} },
		func() resource.Resource { return thing{name: "need", schema: need()} },
		func() resource.Resource {
			return thing{name: "old", schema: schema.Schema{DeprecationMessage: "Use kit_item.", Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Computed: true}, "name": schema.StringAttribute{Optional: true}}}}
		},
		func() resource.Resource {
			return known{thing{name: "known", schema: schema.Schema{Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Computed: true}, "name": schema.StringAttribute{Optional: true}}}}}
		},
	}
}

func (kit) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return source{} }}
}

func (kit) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return token{} }}
}

func (kit) Functions(context.Context) []func() function.Function {
	var out []func() function.Function
	for name, d := range definitions {
		out = append(out, func() function.Function { return call{name, d} })
	}
	return out
}

// item has attributes of every type and nested ones of every mode.
func item() schema.Schema {
	inner := func() map[string]schema.Attribute {
		return map[string]schema.Attribute{
			"n": schema.StringAttribute{Required: true}, "s": schema.StringAttribute{Optional: true}, "c": schema.StringAttribute{Computed: true},
			"i": schema.Int64Attribute{Optional: true}, "b": schema.StringAttribute{Optional: true, Computed: true}, "old": schema.StringAttribute{Optional: true, DeprecationMessage: "Use s."},
			"deep": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{"x": schema.StringAttribute{Optional: true}, "y": schema.BoolAttribute{Required: true}}},
		}
	}
	secret := inner()
	secret["w"] = schema.StringAttribute{Optional: true, WriteOnly: true}
	byName := inner()
	byName["w"] = schema.StringAttribute{Optional: true, WriteOnly: true}
	object := map[string]attr.Type{"a": types.StringType, "b": types.NumberType}
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"id": schema.StringAttribute{Computed: true}, "name": schema.StringAttribute{Required: true}, "note": schema.StringAttribute{Optional: true},
		"old": schema.StringAttribute{Optional: true, DeprecationMessage: "Use note."}, "secret": schema.StringAttribute{Optional: true, Sensitive: true},
		"both": schema.StringAttribute{Optional: true, Computed: true}, "size": schema.Int64Attribute{Optional: true}, "ratio": schema.Float64Attribute{Optional: true},
		"flag": schema.BoolAttribute{Optional: true}, "tags": schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"labels": schema.ListAttribute{Optional: true, ElementType: types.StringType}, "ids": schema.SetAttribute{Optional: true, ElementType: types.NumberType},
		"obj": schema.ObjectAttribute{Optional: true, AttributeTypes: object}, "objs": schema.ListAttribute{Optional: true, ElementType: types.ObjectType{AttrTypes: object}},
		"any": schema.DynamicAttribute{Optional: true}, "wo": schema.StringAttribute{Optional: true, WriteOnly: true},
		"one": schema.SingleNestedAttribute{Optional: true, Attributes: secret}, "many": schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: inner()}},
		"bag": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: inner()}}, "byname": schema.MapNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: byName}},
		"made": schema.SingleNestedAttribute{Computed: true, Attributes: map[string]schema.Attribute{"v": schema.StringAttribute{Computed: true}}},
	}}
}

// blocks has nested blocks of every mode of the framework.
func blocks() schema.Schema {
	body := func() schema.NestedBlockObject {
		return schema.NestedBlockObject{
			Attributes: map[string]schema.Attribute{"port": schema.Int64Attribute{Required: true}, "proto": schema.StringAttribute{Optional: true}, "arn": schema.StringAttribute{Computed: true}, "old": schema.StringAttribute{Optional: true, DeprecationMessage: "Use proto."}},
			Blocks:     map[string]schema.Block{"sub": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{"v": schema.StringAttribute{Optional: true}}}}},
		}
	}
	return schema.Schema{
		Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Computed: true}, "name": schema.StringAttribute{Optional: true}},
		Blocks: map[string]schema.Block{
			"rule": schema.ListNestedBlock{NestedObject: body()}, "peer": schema.SetNestedBlock{NestedObject: body()},
			"opt":    schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{"o": schema.StringAttribute{Optional: true}}},
			"legacy": schema.ListNestedBlock{DeprecationMessage: "Use rule.", NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{"v": schema.StringAttribute{Optional: true}}}},
		},
	}
}

// need has a single block that is required because an argument in it is.
func need() schema.Schema {
	return schema.Schema{
		Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Computed: true}},
		Blocks:     map[string]schema.Block{"cfg": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{"r": schema.StringAttribute{Required: true}, "o": schema.StringAttribute{Optional: true}}}},
	}
}

// A thing is a resource that nothing creates.
type thing struct {
	name   string
	schema schema.Schema
}

func (t thing) Metadata(_ context.Context, q resource.MetadataRequest, r *resource.MetadataResponse) {
	r.TypeName = "kit_" + t.name
}
func (t thing) Schema(_ context.Context, _ resource.SchemaRequest, r *resource.SchemaResponse) {
	r.Schema = t.schema
}
func (thing) Create(context.Context, resource.CreateRequest, *resource.CreateResponse) {}
func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)       {}
func (thing) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}
func (thing) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// A known is a thing with an identity.
type known struct{ thing }

func (known) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, r *resource.IdentitySchemaResponse) {
	r.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true}, "zone": identityschema.StringAttribute{OptionalForImport: true},
		"number": identityschema.Int64Attribute{OptionalForImport: true}, "parts": identityschema.ListAttribute{OptionalForImport: true, ElementType: types.StringType},
	}}
}

func (known) ImportState(context.Context, resource.ImportStateRequest, *resource.ImportStateResponse) {
}

type source struct{}

func (source) Metadata(_ context.Context, _ datasource.MetadataRequest, r *datasource.MetadataResponse) {
	r.TypeName = "kit_item"
}
func (source) Read(context.Context, datasource.ReadRequest, *datasource.ReadResponse) {}
func (source) Schema(_ context.Context, _ datasource.SchemaRequest, r *datasource.SchemaResponse) {
	r.Schema = dschema.Schema{Attributes: map[string]dschema.Attribute{
		"name": dschema.StringAttribute{Required: true}, "value": dschema.StringAttribute{Computed: true}, "old": dschema.StringAttribute{Computed: true, DeprecationMessage: "Use value."},
		"list": dschema.ListNestedAttribute{Computed: true, NestedObject: dschema.NestedAttributeObject{Attributes: map[string]dschema.Attribute{"v": dschema.StringAttribute{Computed: true}}}},
	}}
}

type token struct{}

func (token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, r *ephemeral.MetadataResponse) {
	r.TypeName = "kit_token"
}
func (token) Open(context.Context, ephemeral.OpenRequest, *ephemeral.OpenResponse) {}
func (token) Schema(_ context.Context, _ ephemeral.SchemaRequest, r *ephemeral.SchemaResponse) {
	r.Schema = eschema.Schema{Attributes: map[string]eschema.Attribute{"name": eschema.StringAttribute{Optional: true}, "need": eschema.BoolAttribute{Optional: true}, "token": eschema.StringAttribute{Computed: true}}}
}

// definitions are the functions by name.
var definitions = map[string]function.Definition{
	"join":    {Parameters: []function.Parameter{function.ListParameter{Name: "list", ElementType: types.StringType}, function.StringParameter{Name: "by"}}, Return: function.StringReturn{}},
	"add":     {Parameters: []function.Parameter{function.NumberParameter{Name: "first"}}, VariadicParameter: function.NumberParameter{Name: "more"}, Return: function.NumberReturn{}},
	"maybe":   {Parameters: []function.Parameter{function.StringParameter{Name: "text", AllowNullValue: true}}, Return: function.StringReturn{}},
	"make":    {Parameters: []function.Parameter{function.ObjectParameter{Name: "o", AttributeTypes: map[string]attr.Type{"a": types.StringType, "b": types.NumberType}}}, Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{"a": types.StringType, "list": types.ListType{ElemType: types.StringType}}}},
	"list":    {Return: function.ListReturn{ElementType: types.StringType}},
	"table":   {Return: function.MapReturn{ElementType: types.StringType}},
	"whether": {Parameters: []function.Parameter{function.BoolParameter{Name: "b"}}, Return: function.BoolReturn{}},
	"any":     {Parameters: []function.Parameter{function.DynamicParameter{Name: "v"}}, Return: function.DynamicReturn{}},
	"old":     {DeprecationMessage: "Use maybe.", Parameters: []function.Parameter{function.StringParameter{Name: "text"}}, Return: function.StringReturn{}},
}

type call struct {
	name       string
	definition function.Definition
}

func (c call) Metadata(_ context.Context, _ function.MetadataRequest, r *function.MetadataResponse) {
	r.Name = c.name
}
func (c call) Definition(_ context.Context, _ function.DefinitionRequest, r *function.DefinitionResponse) {
	r.Definition = c.definition
}

// Run returns a value of the type of the result: its arguments are in question, not what it does.
func (c call) Run(_ context.Context, _ function.RunRequest, r *function.RunResponse) {
	r.Result = function.NewResultData(results[c.name])
}

var (
	one     = types.ListValueMust(types.StringType, []attr.Value{types.StringValue("x")})
	results = map[string]attr.Value{
		"join": types.StringValue("x"), "maybe": types.StringValue("x"), "old": types.StringValue("x"), "add": types.NumberValue(big.NewFloat(1)),
		"list": one, "table": types.MapValueMust(types.StringType, map[string]attr.Value{"x": types.StringValue("x")}), "whether": types.BoolValue(true),
		"any":  types.DynamicValue(types.StringValue("x")),
		"make": types.ObjectValueMust(map[string]attr.Type{"a": types.StringType, "list": types.ListType{ElemType: types.StringType}}, map[string]attr.Value{"a": types.StringValue("x"), "list": one}),
	}
)
