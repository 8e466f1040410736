// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// DocumentKind says which document src is, by the names of its members: "plan",
// "state", "config", "schemas", "functions", "validate", "version", "outputs",
// "modules", "workspaces", "state-show", "renderer-plan" or "renderer-state",
// for which there are Decode functions. In addition, "tfstate" is the file
// terraform.tfstate, and "ui" a message of the -json stream. It returns "" for
// all other texts. It looks only at the names: the text need not decode or be
// valid JSON.
func DocumentKind(src []byte) string {
	m := membersOf(src)
	if kinds := m.kinds(); len(kinds) > 0 {
		return kinds[0]
	}
	switch {
	case m.object && len(m.all) == 0 || m.outputs:
		return "outputs"
	case m.all["format_version"] == '"':
		for name := range m.all {
			if name != "format_version" && name != "terraform_version" && name != "checks" {
				return ""
			}
		}
		return "state" // without resources and outputs
	}
	return ""
}

// words are the names of the kinds in errors.
var words = map[string]string{
	"plan": "a plan", "state": "a state", "config": "a configuration", "schemas": "schemas of providers", "functions": "signatures of functions",
	"validate": "a result of validate", "version": "a version", "outputs": "outputs", "modules": "a list of modules", "workspaces": "a list of workspaces",
	"state-show": "a resource of state show", "renderer-plan": "a plan with schemas", "renderer-state": "a state with schemas",
	"tfstate": "the file terraform.tfstate", "ui": "a message of the -json stream",
}

// marks are the members that only documents of one kind have, with the first
// byte of their value.
var marks = []struct {
	name string
	kind string
	open byte
}{
	{"plan_format_version", "renderer-plan", '"'},
	{"state_format_version", "renderer-state", '"'},
	{"@level", "ui", '"'},
	{"@message", "ui", '"'},
	{"planned_values", "plan", '{'},
	{"resource_changes", "plan", '['},
	{"resource_drift", "plan", '['},
	{"output_changes", "plan", '{'},
	{"prior_state", "plan", '{'},
	{"configuration", "plan", '{'},
	{"relevant_attributes", "plan", '['},
	{"values", "state", '{'},
	{"root_module", "config", '{'},
	{"provider_config", "config", '{'},
	{"provider_schemas", "schemas", '{'},
	{"function_signatures", "functions", '{'},
	{"valid", "validate", 't'},
	{"valid", "validate", 'f'},
	{"error_count", "validate", '0'},
	{"platform", "version", '"'},
	{"provider_selections", "version", '{'},
	{"terraform_outdated", "version", 't'},
	{"terraform_outdated", "version", 'f'},
	{"lineage", "tfstate", '"'}, // before Terraform 0.12 it has "modules" as well
	{"serial", "tfstate", '0'},
	{"modules", "modules", '['},
	{"modules", "modules", 'n'}, // of a configuration without modules
	{"workspaces", "workspaces", '['},
	{"resource", "state-show", '{'},
}

// topMembers are the members of a document, by the first byte of their values.
// '0' is the key of all numbers.
type topMembers struct {
	all     map[string]byte
	object  bool
	outputs bool // all members look like outputs
}

func membersOf(src []byte) topMembers {
	m := topMembers{all: make(map[string]byte)}
	r := jsonscan.Items{Text: src}
	if !r.Open('{') {
		return m
	}
	m.object, m.outputs = true, true
	for r.Member() {
		name := jsonscan.Unquote(r.Name)
		m.all[name] = firstByte(src[r.Start])
		m.outputs = m.outputs && isOutput(r.Value())
	}
	m.outputs = m.outputs && len(m.all) > 0
	return m
}

// firstByte returns the first byte of a value, and '0' for that of all numbers.
func firstByte(b byte) byte {
	if b == '-' || '0' <= b && b <= '9' {
		return '0'
	}
	return b
}

// isOutput reports whether a value looks like an output.
func isOutput(v Value) bool {
	return v.Member("value") != nil && v.Member("sensitive").Kind() == KindBool
}

// certainly reports whether a document is of a kind although the value of an output
// can have members of the same names.
func (m topMembers) certainly(kind string) bool {
	switch kind {
	case "tfstate", "ui":
		return true
	case "version":
		return m.all["terraform_version"] == '"' && m.all["provider_selections"] == '{'
	case "config":
		for name := range m.all {
			if name != "provider_config" && name != "root_module" {
				return m.all["format_version"] == '"'
			}
		}
		return true
	}
	return m.all["format_version"] == '"' || m.all["plan_format_version"] == '"' || m.all["state_format_version"] == '"'
}

// kinds returns the kinds whose marks were found, the surest first.
func (m topMembers) kinds() (kinds []string) {
	if m.outputs {
		return nil // outputs can have any name
	}
	for _, mark := range marks {
		switch {
		case mark.kind == "state-show" && m.all["format_version"] != '"' && m.all["diagnostics"] != '[':
			continue // a configuration in JSON syntax has resource as well
		case mark.kind == "tfstate" && m.all["version"] != '0':
			continue // values have such members as well
		}
		if m.all[mark.name] == mark.open && mark.open != 0 && !slices.Contains(kinds, mark.kind) {
			kinds = append(kinds, mark.kind)
		}
	}
	return kinds
}

// refuse returns an error if a document with these members is clearly of another
// kind.
func (m topMembers) refuse(kind string) error {
	kinds := m.kinds()
	switch {
	case m.outputs && kind != "outputs":
		kinds = []string{"outputs"}
	case len(kinds) == 0 || kinds[0] == kind:
		return nil
	case slices.Contains(kinds, kind) && kinds[0] != "renderer-plan" && kinds[0] != "renderer-state" && kinds[0] != "tfstate":
		return nil
	case (kind == "renderer-plan" || kind == "renderer-state") && m.all["format_version"] != '"' && (kinds[0] == "plan" || kinds[0] == "schemas" || kinds[0] == "config" && !m.certainly("config")):
		return nil // they have the members of these, in part
	case kind == "outputs" && !m.certainly(kinds[0]):
		return nil // the value of one output
	}
	return &Error{Line: 1, Column: 1, Err: &otherKind{kinds[0], kind}}
}

// An otherKind is the cause of the error for a document of another kind.
type otherKind struct{ is, not string }

func (e *otherKind) Error() string {
	return "the document is " + words[e.is] + ", not " + words[e.not]
}

// Is makes it an [ErrKind].
func (e *otherKind) Is(target error) bool { return target == ErrKind }
