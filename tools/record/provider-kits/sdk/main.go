// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Program sdk is the provider example/sdk: what SDK 2 can say in a schema, and no more.
package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
)

func main() { plugin.Serve(&plugin.ServeOpts{ProviderFunc: provider}) }

func provider() *schema.Provider {
	text := func() *schema.Schema { return &schema.Schema{Type: schema.TypeString, Optional: true} }
	none := func(context.Context, *schema.ResourceData, any) diag.Diagnostics { return nil }
	made := func(r *schema.Resource) *schema.Resource {
		r.CreateContext, r.ReadContext, r.UpdateContext, r.DeleteContext = none, none, none, none
		return r
	}
	rule := &schema.Resource{Schema: map[string]*schema.Schema{
		"port": {Type: schema.TypeInt, Required: true}, "proto": text(), "arn": {Type: schema.TypeString, Computed: true},
	}}
	return &schema.Provider{
		Schema: map[string]*schema.Schema{"region": text(), "old": {Type: schema.TypeString, Optional: true, Deprecated: "Use region."}},
		ResourcesMap: map[string]*schema.Resource{
			"sdk_item": made(&schema.Resource{Schema: map[string]*schema.Schema{
				"name": {Type: schema.TypeString, Required: true}, "note": text(), "arn": {Type: schema.TypeString, Computed: true},
				"old": {Type: schema.TypeString, Optional: true, Deprecated: "Use note."}, "size": {Type: schema.TypeInt, Optional: true},
				"flag": {Type: schema.TypeBool, Optional: true}, "tags": {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
				"labels": {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
				"rule":   {Type: schema.TypeList, Optional: true, MaxItems: 2, Elem: rule}, "peer": {Type: schema.TypeSet, Optional: true, Elem: rule},
				"conf":    {Type: schema.TypeList, Optional: true, MaxItems: 1, Elem: &schema.Resource{Schema: map[string]*schema.Schema{"v": text(), "r": {Type: schema.TypeString, Required: true}}}},
				"listing": {Type: schema.TypeList, Optional: true, ConfigMode: schema.SchemaConfigModeAttr, Elem: &schema.Resource{Schema: map[string]*schema.Schema{"a": text(), "b": {Type: schema.TypeInt, Optional: true}}}},
				"both":    {Type: schema.TypeString, Optional: true, Computed: true},
			}}),
			"sdk_min": made(&schema.Resource{Schema: map[string]*schema.Schema{"disk": {Type: schema.TypeList, Required: true, MinItems: 2, Elem: &schema.Resource{Schema: map[string]*schema.Schema{"gb": {Type: schema.TypeInt, Optional: true}}}}}}),
			"sdk_old": made(&schema.Resource{DeprecationMessage: "Use sdk_item.", Schema: map[string]*schema.Schema{"name": {Type: schema.TypeString, Optional: true, ForceNew: true}}}),
		},
		DataSourcesMap: map[string]*schema.Resource{"sdk_item": {ReadContext: none, Schema: map[string]*schema.Schema{
			"name": {Type: schema.TypeString, Required: true}, "value": {Type: schema.TypeString, Computed: true}, "old": {Type: schema.TypeString, Computed: true, Deprecated: "Use value."},
		}}},
	}
}
