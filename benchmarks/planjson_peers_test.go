// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// The structs below are what a careful user of go-json-experiment writes for
// the main members of a plan: typed members, raw values, and a field for
// members that are not known.

type expPlan struct {
	FormatVersion    string                    `json:"format_version"`
	TerraformVersion string                    `json:"terraform_version,omitzero"`
	Variables        map[string]jsontext.Value `json:"variables,omitzero"`
	PlannedValues    *expValues                `json:"planned_values,omitzero"`
	ResourceDrift    []*expChange              `json:"resource_drift,omitzero"`
	ResourceChanges  []*expChange              `json:"resource_changes,omitzero"`
	OutputChanges    map[string]*expDiff       `json:"output_changes,omitzero"`
	PriorState       *expState                 `json:"prior_state,omitzero"`
	Configuration    jsontext.Value            `json:"configuration,omitzero"`
	Extra            jsontext.Value            `json:",unknown"`
}

type expState struct {
	FormatVersion    string         `json:"format_version"`
	TerraformVersion string         `json:"terraform_version,omitzero"`
	Values           *expValues     `json:"values,omitzero"`
	Extra            jsontext.Value `json:",unknown"`
}

type expValues struct {
	Outputs    map[string]jsontext.Value `json:"outputs,omitzero"`
	RootModule *expModule                `json:"root_module,omitzero"`
	Extra      jsontext.Value            `json:",unknown"`
}

type expModule struct {
	Resources    []*expResource `json:"resources,omitzero"`
	Address      string         `json:"address,omitzero"`
	ChildModules []*expModule   `json:"child_modules,omitzero"`
	Extra        jsontext.Value `json:",unknown"`
}

type expResource struct {
	Address         string         `json:"address"`
	Mode            string         `json:"mode"`
	Type            string         `json:"type"`
	Name            string         `json:"name"`
	Index           jsontext.Value `json:"index,omitzero"`
	ProviderName    string         `json:"provider_name"`
	SchemaVersion   uint64         `json:"schema_version"`
	Values          jsontext.Value `json:"values,omitzero"`
	SensitiveValues jsontext.Value `json:"sensitive_values"`
	DependsOn       []string       `json:"depends_on,omitzero"`
	Tainted         bool           `json:"tainted,omitzero"`
	DeposedKey      string         `json:"deposed_key,omitzero"`
	Extra           jsontext.Value `json:",unknown"`
}

type expChange struct {
	Address         string         `json:"address"`
	PreviousAddress string         `json:"previous_address,omitzero"`
	ModuleAddress   string         `json:"module_address,omitzero"`
	Mode            string         `json:"mode"`
	Type            string         `json:"type"`
	Name            string         `json:"name"`
	Index           jsontext.Value `json:"index,omitzero"`
	ProviderName    string         `json:"provider_name"`
	Deposed         string         `json:"deposed,omitzero"`
	Change          expDiff        `json:"change"`
	ActionReason    string         `json:"action_reason,omitzero"`
	Extra           jsontext.Value `json:",unknown"`
}

type expDiff struct {
	Actions         []string       `json:"actions"`
	Before          jsontext.Value `json:"before"`
	After           jsontext.Value `json:"after,omitzero"`
	AfterUnknown    jsontext.Value `json:"after_unknown"`
	BeforeSensitive jsontext.Value `json:"before_sensitive"`
	AfterSensitive  jsontext.Value `json:"after_sensitive"`
	ReplacePaths    jsontext.Value `json:"replace_paths,omitzero"`
	Extra           jsontext.Value `json:",unknown"`
}

// The same for goccy/go-json, which has no place for members that are not
// known, and so loses them.

type gocPlan struct {
	FormatVersion    string                     `json:"format_version"`
	TerraformVersion string                     `json:"terraform_version,omitempty"`
	Variables        map[string]json.RawMessage `json:"variables,omitempty"`
	PlannedValues    *gocValues                 `json:"planned_values,omitempty"`
	ResourceDrift    []*gocChange               `json:"resource_drift,omitempty"`
	ResourceChanges  []*gocChange               `json:"resource_changes,omitempty"`
	OutputChanges    map[string]*gocDiff        `json:"output_changes,omitempty"`
	PriorState       *gocState                  `json:"prior_state,omitempty"`
	Configuration    json.RawMessage            `json:"configuration,omitempty"`
}

type gocState struct {
	FormatVersion    string     `json:"format_version"`
	TerraformVersion string     `json:"terraform_version,omitempty"`
	Values           *gocValues `json:"values,omitempty"`
}

type gocValues struct {
	Outputs    map[string]json.RawMessage `json:"outputs,omitempty"`
	RootModule *gocModule                 `json:"root_module,omitempty"`
}

type gocModule struct {
	Resources    []*gocResource `json:"resources,omitempty"`
	Address      string         `json:"address,omitempty"`
	ChildModules []*gocModule   `json:"child_modules,omitempty"`
}

type gocResource struct {
	Address         string          `json:"address"`
	Mode            string          `json:"mode"`
	Type            string          `json:"type"`
	Name            string          `json:"name"`
	Index           json.RawMessage `json:"index,omitempty"`
	ProviderName    string          `json:"provider_name"`
	SchemaVersion   uint64          `json:"schema_version"`
	Values          json.RawMessage `json:"values,omitempty"`
	SensitiveValues json.RawMessage `json:"sensitive_values"`
	DependsOn       []string        `json:"depends_on,omitempty"`
	Tainted         bool            `json:"tainted,omitempty"`
	DeposedKey      string          `json:"deposed_key,omitempty"`
}

type gocChange struct {
	Address         string          `json:"address"`
	PreviousAddress string          `json:"previous_address,omitempty"`
	ModuleAddress   string          `json:"module_address,omitempty"`
	Mode            string          `json:"mode"`
	Type            string          `json:"type"`
	Name            string          `json:"name"`
	Index           json.RawMessage `json:"index,omitempty"`
	ProviderName    string          `json:"provider_name"`
	Deposed         string          `json:"deposed,omitempty"`
	Change          gocDiff         `json:"change"`
	ActionReason    string          `json:"action_reason,omitempty"`
}

type gocDiff struct {
	Actions         []string        `json:"actions"`
	Before          json.RawMessage `json:"before"`
	After           json.RawMessage `json:"after,omitempty"`
	AfterUnknown    json.RawMessage `json:"after_unknown"`
	BeforeSensitive json.RawMessage `json:"before_sensitive"`
	AfterSensitive  json.RawMessage `json:"after_sensitive"`
	ReplacePaths    json.RawMessage `json:"replace_paths,omitempty"`
}
