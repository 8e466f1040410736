// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A DocumentKind is a kind of document, or of another text that users confuse with
// documents. The zero DocumentKind, the empty string, is none of them.
type DocumentKind string

// The kinds of documents. Each has a Decode function.
const (
	DocumentPlan          DocumentKind = "plan"
	DocumentState         DocumentKind = "state"
	DocumentConfig        DocumentKind = "config"
	DocumentSchemas       DocumentKind = "schemas"
	DocumentFunctions     DocumentKind = "functions"
	DocumentValidate      DocumentKind = "validate"
	DocumentVersion       DocumentKind = "version"
	DocumentOutputs       DocumentKind = "outputs"
	DocumentModules       DocumentKind = "modules"
	DocumentWorkspaces    DocumentKind = "workspaces"
	DocumentStateShow     DocumentKind = "state-show"
	DocumentRendererPlan  DocumentKind = "renderer-plan"
	DocumentRendererState DocumentKind = "renderer-state"
)

// Other texts, which this package does not decode.
const (
	DocumentStateFile DocumentKind = "statefile"  // the file terraform.tfstate, as package statefile reads it
	DocumentEncrypted DocumentKind = "encrypted"  // a state or saved plan that OpenTofu has encrypted
	DocumentMessage   DocumentKind = "ui"         // a message of the -json stream, or several
	DocumentPlanFile  DocumentKind = "planfile"   // a zip, as a saved plan is
	DocumentCloudPlan DocumentKind = "cloud-plan" // what plan -out saves of a run in HCP Terraform: where the plan is
	DocumentLockInfo  DocumentKind = "lock-info"  // who holds the lock of a state, as .terraform.tfstate.lock.info
	DocumentBackend   DocumentKind = "backend"    // the settings of a backend, .terraform/terraform.tfstate
)

// KindOf returns the kind of the document in src, by the names of its members, or the
// empty string if src is not a document. It looks only at the names in the outermost object,
// so a kind does not mean that the text decodes or is valid JSON; the Decode functions check
// that. If the text is cut off, or has a fault, the members before that place decide,
// and the one whose value has begun. An encrypted state is therefore recognized although
// its data is cut. A text that has no such member yet has no kind.
//
// KindOf skips a byte order mark, which the Decode functions refuse with its place. It
// does not read UTF-16, and no text before the document: see [Find]. The value of a
// single output can look like anything, so its kind is not recognized.
func KindOf(src []byte) DocumentKind {
	if bytes.HasPrefix(src, zipMagic) {
		return DocumentPlanFile
	}
	m := membersBegun(bytes.TrimPrefix(src, []byte("\ufeff")))
	if kinds := m.kinds(); len(kinds) > 0 {
		return kinds[0]
	}
	switch {
	case m.cut && m.all["serial"] == '0' && m.all["lineage"] == '"' && m.all["meta"] == '{' && m.all["version"] == 0:
		return DocumentEncrypted
	case m.outputs:
		return DocumentOutputs
	case m.cut:
		return ""
	case m.object && len(m.all) == 0:
		return DocumentOutputs
	case m.all["format_version"] == '"':
		for name := range m.all {
			if name != "format_version" && name != "terraform_version" && name != "checks" {
				return ""
			}
		}
		return DocumentState // without resources and outputs
	}
	return ""
}

// zipMagic begins every zip that has a file in it.
var zipMagic = []byte("PK\x03\x04")

// elsewhere says what decodes the texts that this package does not.
var elsewhere = map[DocumentKind]string{
	DocumentStateFile: "package planjson/statefile decodes it",
	DocumentEncrypted: "package planjson/statefile decrypts it",
	DocumentMessage:   "package uijson reads it",
	DocumentPlanFile:  `"show -json" prints what is in a saved plan`,
	DocumentCloudPlan: `"show -json" of the file prints the plan`,
	DocumentLockInfo:  `it has nothing of the state, which is the file without the leading dot and ".lock.info"`,
	DocumentBackend:   `"state pull" prints the state that the backend has`,
}

// words are the names of the kinds in errors.
var words = map[DocumentKind]string{
	DocumentPlan:          "a plan",
	DocumentState:         "a state",
	DocumentConfig:        "a configuration",
	DocumentSchemas:       "schemas of providers",
	DocumentFunctions:     "signatures of functions",
	DocumentValidate:      "a result of validate",
	DocumentVersion:       "a version",
	DocumentOutputs:       "outputs",
	DocumentModules:       "a list of modules",
	DocumentWorkspaces:    "a list of workspaces",
	DocumentStateShow:     "a resource of state show",
	DocumentRendererPlan:  "a plan with schemas",
	DocumentRendererState: "a state with schemas",
	DocumentStateFile:     "the file terraform.tfstate",
	DocumentEncrypted:     "encrypted by OpenTofu",
	DocumentMessage:       "a message of the -json stream",
	DocumentPlanFile:      "a zip",
	DocumentCloudPlan:     "the bookmark of a plan in HCP Terraform",
	DocumentLockInfo:      "the document of a state's lock",
	DocumentBackend:       "the settings of a backend, .terraform/terraform.tfstate",
}

// marks are the members that only documents of one kind have, with the first
// byte of their value.
var marks = []struct {
	name string
	kind DocumentKind
	open byte
}{
	{"plan_format_version", DocumentRendererPlan, '"'},
	{"state_format_version", DocumentRendererState, '"'},
	{"@level", DocumentMessage, '"'},
	{"@message", DocumentMessage, '"'},
	{"planned_values", DocumentPlan, '{'},
	{"resource_changes", DocumentPlan, '['},
	{"resource_drift", DocumentPlan, '['},
	{"output_changes", DocumentPlan, '{'},
	{"prior_state", DocumentPlan, '{'},
	{"configuration", DocumentPlan, '{'},
	{"relevant_attributes", DocumentPlan, '['},
	{"values", DocumentState, '{'},
	{"root_module", DocumentConfig, '{'},
	{"provider_config", DocumentConfig, '{'},
	{"provider_schemas", DocumentSchemas, '{'},
	{"function_signatures", DocumentFunctions, '{'},
	{"valid", DocumentValidate, 't'},
	{"valid", DocumentValidate, 'f'},
	{"error_count", DocumentValidate, '0'},
	{"platform", DocumentVersion, '"'},
	{"provider_selections", DocumentVersion, '{'},
	{"terraform_outdated", DocumentVersion, 't'},
	{"terraform_outdated", DocumentVersion, 'f'},
	{"encrypted_data", DocumentEncrypted, '"'},
	{"remote_plan_format", DocumentCloudPlan, '0'},
	{"Operation", DocumentLockInfo, '"'},
	{"backend", DocumentBackend, '{'},
	{"lineage", DocumentStateFile, '"'}, // before Terraform 0.12 it has "modules" as well
	{"serial", DocumentStateFile, '0'},
	{"modules", DocumentStateFile, '['},
	{"modules", DocumentModules, '['},
	{"modules", DocumentModules, 'n'}, // of a configuration without modules
	{"workspaces", DocumentWorkspaces, '['},
	{"resource", DocumentStateShow, '{'},
}

// topMembers are the members of a document, by the first byte of their values.
// '0' is the key of all numbers.
type topMembers struct {
	all     map[string]byte
	object  bool
	outputs bool // all members look like outputs
	cut     bool // the object does not end
	state3  bool // a module has a resource or an output, as in states of version 3
}

// membersOf returns the complete members of a document.
func membersOf(src []byte) topMembers {
	m, _ := readMembers(src)
	return m
}

// membersBegun returns the members of a document that may be cut off, including one
// whose value has begun. Whether that is an output cannot be known.
func membersBegun(src []byte) topMembers {
	m, r := readMembers(src)
	end := jsonscan.Space(src, r.At)
	if m.cut = m.object && (r.Start > r.At || end >= len(src) || src[end] != '}'); !m.cut {
		return m
	}
	if r.From < r.Start && r.Start < len(src) && len(r.Name) > 0 {
		if name := jsonscan.Unquote(r.Name); m.all[name] == 0 {
			m.all[name] = firstByte(src[r.Start])
		}
	}
	return m
}

// readMembers returns the complete members of a document, and the reader at the end of
// the last one, or at the member that it could not read.
func readMembers(src []byte) (topMembers, jsonscan.Items) {
	m := topMembers{all: make(map[string]byte)}
	r := jsonscan.Items{Text: src}
	if !r.Open('{') {
		return m, r
	}
	m.object, m.outputs = true, true
	for r.Member() {
		name := jsonscan.Unquote(r.Name)
		m.all[name] = firstByte(src[r.Start])
		value := Value(r.Value())
		m.outputs = m.outputs && isOutput(value)
		m.state3 = m.state3 || name == "modules" && hasObjects(value)
	}
	m.outputs = m.outputs && len(m.all) > 0
	return m, r
}

// firstByte returns the first byte of a value, and '0' for that of all numbers.
func firstByte(b byte) byte {
	if b == '-' || '0' <= b && b <= '9' {
		return '0'
	}
	return b
}

// hasObjects reports whether a module of a list has a resource or an output.
func hasObjects(modules Value) bool {
	for _, m := range modules.Elements() {
		for _, name := range []string{"resources", "outputs"} {
			for range m.Member(name).Members() {
				return true
			}
		}
	}
	return false
}

// isOutput reports whether a value looks like an output.
func isOutput(v Value) bool {
	return v.Member("value") != nil && v.Member("sensitive").Kind() == KindBool
}

// certainly reports whether a document is of a kind although the value of an output
// can have members of the same names.
func (m topMembers) certainly(kind DocumentKind) bool {
	switch kind {
	case DocumentStateFile, DocumentEncrypted, DocumentMessage, DocumentCloudPlan, DocumentLockInfo, DocumentBackend:
		return true
	case DocumentVersion:
		return m.all["terraform_version"] == '"' && m.all["provider_selections"] == '{'
	case DocumentConfig:
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
func (m topMembers) kinds() (kinds []DocumentKind) {
	if m.outputs {
		return nil // outputs can have any name
	}
	for _, mark := range marks {
		switch {
		case mark.kind == DocumentStateShow && m.all["format_version"] != '"' && m.all["diagnostics"] != '[':
			continue // a configuration in JSON syntax has resource as well
		case (mark.kind == DocumentStateFile || mark.kind == DocumentBackend) && m.all["version"] != '0':
			continue // values have such members as well
		case mark.kind == DocumentBackend && (m.state3 || m.all["resources"] != 0):
			continue // states of version 3 name their backend
		case mark.kind == DocumentLockInfo && (m.all["ID"] != '"' || m.all["Who"] != '"'):
			continue
		}
		if m.all[mark.name] == mark.open && mark.open != 0 && !slices.Contains(kinds, mark.kind) {
			kinds = append(kinds, mark.kind)
		}
	}
	return kinds
}

// refuse returns an error if a document with these members is clearly of another
// kind.
func (m topMembers) refuse(kind DocumentKind) error {
	kinds := m.kinds()
	switch {
	case m.outputs && kind != DocumentOutputs:
		kinds = []DocumentKind{DocumentOutputs}
	case len(kinds) == 0 || kinds[0] == kind:
		return nil
	case slices.Contains(kinds, kind) && kinds[0] != DocumentRendererPlan && kinds[0] != DocumentRendererState && kinds[0] != DocumentStateFile:
		return nil
	case (kind == DocumentRendererPlan || kind == DocumentRendererState) && m.all["format_version"] != '"' && (kinds[0] == DocumentPlan || kinds[0] == DocumentSchemas || kinds[0] == DocumentConfig && !m.certainly(DocumentConfig)):
		return nil // they have the members of these, in part
	case kind == DocumentOutputs && !m.certainly(kinds[0]):
		return nil // the value of one output
	}
	return &Error{Line: 1, Column: 1, Err: &otherKind{kinds[0], kind}}
}

// An otherKind is the cause of the error for a document of another kind. If not is
// empty, the text is no document of this package.
type otherKind struct{ is, not DocumentKind }

func (e *otherKind) Error() string {
	is := "JSON that is no document of the tools"
	if e.is != "" {
		is = words[e.is]
	}
	switch use := elsewhere[e.is]; {
	case e.not != "" && (e.is == DocumentCloudPlan || e.is == DocumentLockInfo || e.is == DocumentBackend):
		return "the document is " + is + ", not " + words[e.not] + ": " + use
	case e.not != "":
		return "the document is " + is + ", not " + words[e.not]
	case use != "":
		return "the text is " + is + ": " + use
	default:
		return "the text is " + is
	}
}

// Is makes it an [ErrKind].
func (e *otherKind) Is(target error) bool { return target == ErrKind }
