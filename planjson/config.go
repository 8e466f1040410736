// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Config is the configuration of a plan, and the document that "show -json
// -config" prints (OpenTofu 1.11), which has no version. "show -json
// -module=DIR" prints a reduced one: a single module without any expression,
// schema version and nested module.
//
// The format leaves out much of a configuration: lifecycle blocks, conditions,
// locals, moved, removed, import and check blocks, the terraform block,
// dynamic blocks, and the positions of everything.
//
// Source: OpenTofu internal/command/jsonconfig/config.go.
//
//wire:kind
type Config struct {
	// ProviderConfig holds the provider configurations of all modules. The
	// key is NAME or NAME.ALIAS in the root module and MODULE:NAME below, with
	// the path of the module. Absent if there is none.
	ProviderConfig map[string]*ProviderConfig `json:"provider_config,omitempty"`

	// RootModule is the root module with everything it calls. Always present.
	RootModule ModuleConfig `json:"root_module"`

	src wire.Source
}

func (v *Config) kind() (k DocumentKind, sure bool) {
	return DocumentConfig, v.RootModule.Resources != nil || v.RootModule.ModuleCalls != nil
}

// A ProviderConfig is a provider block, or a requirement for one.
type ProviderConfig struct {
	// Name is the local name of the provider. Always present.
	Name string `json:"name"`

	// FullName is its source address. Always present since Terraform 1.2.
	FullName string `json:"full_name,omitempty"`

	// Alias is the alias of the block. Absent if it has none.
	Alias string `json:"alias,omitempty"`

	// VersionConstraint is the version that the module requires, in normal
	// form, such as ">= 3.0.0, < 4.0.0". Absent if it requires nothing.
	VersionConstraint string `json:"version_constraint,omitempty"`

	// ModuleAddress is the path of the module, such as module.a.module.b.
	// Absent in the root module.
	ModuleAddress string `json:"module_address,omitempty"`

	// Expressions holds the arguments of the block. Absent if there is none.
	Expressions map[string]*Expression `json:"expressions,omitempty"`

	src wire.Source
}

// A ModuleConfig is one module of the configuration.
type ModuleConfig struct {
	// Outputs holds the module's outputs by name. Absent if there is none.
	Outputs map[string]*OutputConfig `json:"outputs,omitempty"`

	// Resources lists the module's resources by address: managed ones, data
	// sources, and, in OpenTofu 1.11, ephemeral ones. Absent if there is none.
	Resources []*ResourceConfig `json:"resources,omitempty"`

	// ModuleCalls holds the module blocks by name. Absent if there is none.
	ModuleCalls map[string]*ModuleCall `json:"module_calls,omitempty"`

	// Variables holds the module's input variables by name. Absent if there
	// is none.
	Variables map[string]*VariableConfig `json:"variables,omitempty"`

	// Actions lists the module's action blocks. Absent if there is none.
	// Terraform 1.14.
	Actions []*ActionConfig `json:"actions,omitempty"`

	src wire.Source
}

// A ResourceConfig is a resource, data or ephemeral block.
type ResourceConfig struct {
	// Address is the address of the resource in its own module, without the
	// module's path. Always present.
	Address string `json:"address"`

	// Mode is managed, data, or, in OpenTofu 1.11, ephemeral. Always present.
	Mode addrs.Mode `json:"mode"`

	// Type is the resource type. Always present.
	Type string `json:"type"`

	// Name is the name of the resource. Always present.
	Name string `json:"name"`

	// ProviderConfigKey is the key of the resource's provider configuration
	// in [Config.ProviderConfig], where it can be missing. Always present.
	ProviderConfigKey string `json:"provider_config_key"`

	// Provisioners lists the provisioner blocks. Absent if there is none.
	Provisioners []*Provisioner `json:"provisioners,omitempty"`

	// Expressions holds the arguments and the nested blocks by name. Absent
	// if there is none. See [Expression] and [Block.Typed].
	Expressions map[string]*Expression `json:"expressions,omitempty"`

	// SchemaVersion is the version of the resource type's schema. Absent
	// (nil) only with -module.
	SchemaVersion *uint64 `json:"schema_version,omitempty"`

	// CountExpression and ForEachExpression are the arguments count and
	// for_each. Absent if not set, and also if the expression has neither a
	// constant value nor references, such as toset(["a"]): nil does not prove that
	// the resource is single.
	CountExpression   *Expression `json:"count_expression,omitempty"`
	ForEachExpression *Expression `json:"for_each_expression,omitempty"`

	// DependsOn lists the references of depends_on. Absent if there is none.
	// One that the tool cannot read is an empty string.
	DependsOn []string `json:"depends_on,omitempty"`

	src wire.Source
}

// A Provisioner is a provisioner block of a resource.
type Provisioner struct {
	// Type is the type of the provisioner, such as "local-exec". Always present.
	Type string `json:"type"`

	// Expressions holds its arguments. Absent if there is none. The
	// connection, when and on_failure are not shown.
	Expressions map[string]*Expression `json:"expressions,omitempty"`

	src wire.Source
}

// A ModuleCall is a module block with the module it calls. A broken call can
// be almost empty.
type ModuleCall struct {
	// Source is the source as written in the configuration. Absent if empty.
	Source string `json:"source,omitempty"`

	// Expressions holds the arguments by name. Absent if there is none.
	Expressions map[string]*Expression `json:"expressions,omitempty"`

	// CountExpression and ForEachExpression are the arguments count and
	// for_each; see [ResourceConfig.CountExpression] for when they are absent.
	CountExpression   *Expression `json:"count_expression,omitempty"`
	ForEachExpression *Expression `json:"for_each_expression,omitempty"`

	// Module is the called module. Absent (nil) only with -module.
	Module *ModuleConfig `json:"module,omitempty"`

	// VersionConstraint is the version that the call requires. Absent if it
	// requires nothing.
	VersionConstraint string `json:"version_constraint,omitempty"`

	// DependsOn lists the references of depends_on. Absent if there is none.
	DependsOn []string `json:"depends_on,omitempty"`

	src wire.Source
}

// An OutputConfig is an output block.
type OutputConfig struct {
	// Sensitive reports whether the block says sensitive = true. Absent if false.
	Sensitive bool `json:"sensitive,omitempty"`

	// Ephemeral reports whether the block says ephemeral = true. Absent if
	// false. OpenTofu 1.11.
	Ephemeral bool `json:"ephemeral,omitempty"`

	// Deprecated is the deprecation message. Absent if there is none.
	// OpenTofu 1.10.
	Deprecated string `json:"deprecated,omitempty"`

	// Expression is the value. Absent (nil) only with -module.
	Expression *Expression `json:"expression,omitempty"`

	// DependsOn lists the references of depends_on. Absent if there is none.
	DependsOn []string `json:"depends_on,omitempty"`

	// Description is the description. Absent if there is none.
	Description string `json:"description,omitempty"`

	src wire.Source
}

// A VariableConfig is a variable block. It can be empty.
type VariableConfig struct {
	// Type is the type constraint in cty's JSON notation. Absent if it is any
	// type, and in Terraform. An object type with optional attributes has
	// their names as a third element. OpenTofu 1.11.
	Type Value `json:"type,omitempty"`

	// Default is the default, possibly null. Absent (nil) if there is none.
	Default Value `json:"default,omitempty"`

	// Description is the description. Absent if there is none.
	Description string `json:"description,omitempty"`

	// Required reports whether the variable has no default. Absent if false,
	// and in Terraform. OpenTofu 1.11.
	Required bool `json:"required,omitempty"`

	// Sensitive reports whether the block says sensitive = true. Absent if
	// false. Terraform 0.15.
	Sensitive bool `json:"sensitive,omitempty"`

	// Ephemeral reports whether the block says ephemeral = true. Absent if
	// false, and in Terraform. OpenTofu 1.11.
	Ephemeral bool `json:"ephemeral,omitempty"`

	// Deprecated is the deprecation message. Absent if there is none.
	// OpenTofu 1.10.
	Deprecated string `json:"deprecated,omitempty"`

	src wire.Source
}

// An ActionConfig is an action block. Its arguments are not shown.
// Terraform 1.14.
type ActionConfig struct {
	// Address is the address of the action in its own module. Always present.
	Address string `json:"address"`

	// Type is the first label of the block. Always present.
	Type string `json:"type"`

	// Name is the name of the action. Always present.
	Name string `json:"name"`

	// ProviderConfigKey is the key in [Config.ProviderConfig]. Always present.
	ProviderConfigKey string `json:"provider_config_key"`

	// CountExpression and ForEachExpression are the arguments count and
	// for_each; see [ResourceConfig.CountExpression] for when they are absent.
	CountExpression   *Expression `json:"count_expression,omitempty"`
	ForEachExpression *Expression `json:"for_each_expression,omitempty"`

	src wire.Source
}
