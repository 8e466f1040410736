// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclschema

import (
	"sync"

	"github.com/tofuwire/tofuwire/internal/provschema"
)

// BuiltInAddress is the one provider that is part of the programs.
const BuiltInAddress = "terraform.io/builtin/terraform"

// A BuiltInProvider is that provider, with the parts of its schemas for which it has checks of its own.
type BuiltInProvider struct {
	Schemas             *provschema.Provider
	Data, DataWithStore *provschema.Block // of releases without and with its block store
	RemoteState         *provschema.Block // of the data source that reads another state
	ID, Output, Backend *provschema.Attribute
}

// BuiltIn has the schemas of the provider that is part of the programs, and what it checks itself.
var BuiltIn = sync.OnceValue(func() *BuiltInProvider {
	p := mustSchemas(`{"provider_schemas":{"terraform.io/builtin/terraform":{
"provider":{"block":{}},
"resource_schemas":{"terraform_data":{"block":{"attributes":{
	"id":{"type":"string","computed":true},"input":{"type":"dynamic","optional":true},
	"output":{"type":"dynamic","computed":true},"triggers_replace":{"type":"dynamic","optional":true}}}}},
"data_source_schemas":{"terraform_remote_state":{"block":{"attributes":{
	"backend":{"type":"string","required":true},"config":{"type":"dynamic","optional":true},"defaults":{"type":"dynamic","optional":true},
	"outputs":{"type":"dynamic","computed":true},"workspace":{"type":"string","optional":true}}}}}}}}`)
	store := mustSchemas(`{"provider_schemas":{"terraform.io/builtin/terraform":{"resource_schemas":{"terraform_data":{"block":{"block_types":{"store":{
	"nesting_mode":"single","block":{"attributes":{"input":{"type":"dynamic","optional":true,"write_only":true},"output":{"type":"dynamic","computed":true},
	"replace":{"type":"bool","optional":true},"sensitive":{"type":"bool","optional":true},"sensitive_output":{"type":"dynamic","computed":true,"sensitive":true},
	"version":{"type":"dynamic","optional":true}}}}},"attributes":{
	"id":{"type":"string"},"input":{"type":"dynamic"},"output":{"type":"dynamic"},"triggers_replace":{"type":"dynamic"}}}}}}}}`)
	data := p.Resources["terraform_data"].Block
	b := &BuiltInProvider{
		Schemas: p, Data: data, ID: data.Attributes["id"], Output: data.Attributes["output"],
		DataWithStore: store.Resources["terraform_data"].Block, RemoteState: p.Data["terraform_remote_state"].Block,
	}
	b.DataWithStore.Attributes, b.Backend = data.Attributes, b.RemoteState.Attributes["backend"]
	return b
})

// mustSchemas decodes schemas of the built-in provider that are part of this package.
func mustSchemas(text string) *provschema.Provider {
	s, err := provschema.Decode([]byte(text))
	if err != nil {
		panic(err) // the text is above
	}
	return s.Providers()[BuiltInAddress]
}

// Provisioners describes the provisioners that are part of the programs, and
// connection blocks of any kind.
var Provisioners = sync.OnceValue(func() map[string]*provschema.Block {
	return map[string]*provschema.Block{
		"local-exec":  provschema.Simple("command!", "interpreter:list", "working_dir", "environment:map", "quiet:bool"),
		"remote-exec": provschema.Simple("inline:list", "script", "scripts:list"),
		"file":        provschema.Simple("source", "content", "destination!"),
		"connection": provschema.Simple(
			"host!", "type", "user", "password", "port:number", "timeout", "script_path", "target_platform", "private_key", "certificate", "host_key",
			"agent:bool", "agent_identity", "proxy_scheme", "proxy_host", "proxy_port:number", "proxy_user_name", "proxy_user_password",
			"bastion_host", "bastion_host_key", "bastion_port:number", "bastion_user", "bastion_password", "bastion_private_key", "bastion_certificate",
			"https:bool", "insecure:bool", "cacert", "use_ntlm:bool"),
	}
})

// Backends are the types of backends of the programs.
var Backends = []string{"local", "remote", "azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "oci", "oss", "pg", "s3"}
