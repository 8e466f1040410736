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
// Its values include [DocumentPlan], [DocumentState] and [DocumentConfig].
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

	DocumentInstalledModules DocumentKind = "installed-modules" // where init has put modules, .terraform/modules/modules.json
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

// A kindRow is what is known of a kind without its type. It is data, so that a program
// which decodes one kind has nothing of the functions of the others.
type kindRow struct {
	kind      DocumentKind
	words     string   // its name in errors
	use       string   // what to do with it, if this package does not decode it
	tell      bool     // say so where another document is expected, too
	marks     []mark   // the members that only it has
	versions  []string // the members that say the version of its format
	older     bool     // releases that are still read wrote it without a version
	indented  bool     // the tools indent it by two spaces
	terraform bool     // only Terraform writes it
}

// A mark is a member that only documents of one kind have, with the first byte of its
// value.
type mark struct {
	name string
	open byte
}

// formatVersion is what versions is for most kinds.
var formatVersion = []string{"format_version"}

// kindRows has the kinds, those with the surest marks first.
var kindRows = [...]kindRow{
	{kind: DocumentRendererPlan, words: "a plan with schemas", terraform: true,
		marks: []mark{{"plan_format_version", '"'}}, versions: []string{"plan_format_version", "provider_format_version"}},
	{kind: DocumentRendererState, words: "a state with schemas", terraform: true,
		marks: []mark{{"state_format_version", '"'}}, versions: []string{"state_format_version", "provider_format_version"}},
	{kind: DocumentMessage, words: "a message of the -json stream", use: "package uijson reads it",
		marks: []mark{{"@level", '"'}, {"@message", '"'}}},
	{kind: DocumentPlan, words: "a plan", versions: formatVersion, marks: []mark{
		{"planned_values", '{'}, {"resource_changes", '['}, {"resource_drift", '['}, {"output_changes", '{'}, {"prior_state", '{'}, {"configuration", '{'}, {"relevant_attributes", '['}}},
	{kind: DocumentState, words: "a state", versions: formatVersion, marks: []mark{{"values", '{'}}},
	{kind: DocumentConfig, words: "a configuration", marks: []mark{{"root_module", '{'}, {"provider_config", '{'}}},
	{kind: DocumentSchemas, words: "schemas of providers", versions: formatVersion, marks: []mark{{"provider_schemas", '{'}}},
	{kind: DocumentFunctions, words: "signatures of functions", versions: formatVersion, marks: []mark{{"function_signatures", '{'}}},
	{kind: DocumentValidate, words: "a result of validate", versions: formatVersion, older: true, // Terraform before 0.15
		indented: true, marks: []mark{{"valid", 't'}, {"valid", 'f'}, {"error_count", '0'}}},
	{kind: DocumentVersion, words: "a version", versions: formatVersion, older: true, // all but previews of Terraform 1.17
		indented: true, marks: []mark{{"platform", '"'}, {"provider_selections", '{'}, {"terraform_outdated", 't'}, {"terraform_outdated", 'f'}}},
	{kind: DocumentEncrypted, words: "encrypted by OpenTofu", use: "package planjson/statefile decrypts it",
		marks: []mark{{"encrypted_data", '"'}}},
	{kind: DocumentCloudPlan, words: "the bookmark of a plan in HCP Terraform", use: `"show -json" of the file prints the plan`, tell: true,
		marks: []mark{{"remote_plan_format", '0'}}},
	{kind: DocumentLockInfo, words: "the document of a state's lock", tell: true,
		use:   `it has nothing of the state, which is the file without the leading dot and ".lock.info"`,
		marks: []mark{{"Operation", '"'}}},
	{kind: DocumentBackend, words: "the settings of a backend, .terraform/terraform.tfstate", use: `"state pull" prints the state that the backend has`, tell: true,
		marks: []mark{{"backend", '{'}}},
	{kind: DocumentInstalledModules, words: "the list of installed modules, modules.json", tell: true, use: "package planjson/statefile decodes it",
		marks: []mark{{"Modules", '['}}},
	{kind: DocumentStateFile, words: "the file terraform.tfstate", use: "package planjson/statefile decodes it",
		marks: []mark{{"lineage", '"'}, {"serial", '0'}, {"modules", '['}}}, // before Terraform 0.12 it has "modules" as well
	{kind: DocumentModules, words: "a list of modules", versions: formatVersion, terraform: true,
		marks: []mark{{"modules", '['}, {"modules", 'n'}}}, // null of a configuration without modules
	{kind: DocumentWorkspaces, words: "a list of workspaces", versions: formatVersion, indented: true, terraform: true, marks: []mark{{"workspaces", '['}}},
	{kind: DocumentStateShow, words: "a resource of state show", versions: formatVersion, indented: true, terraform: true, marks: []mark{{"resource", '{'}}},
	{kind: DocumentOutputs, words: "outputs", indented: true},
	{kind: DocumentPlanFile, words: "a zip", use: `"show -json" prints what is in a saved plan`},
}

// row returns the row of a kind, which is zero if there is none.
func (k DocumentKind) row() (row kindRow) {
	for _, row := range kindRows {
		if row.kind == k {
			return row
		}
	}
	return row
}

// kindOf returns the kind of a document, and whether it has something that only
// documents of that kind have.
func kindOf(doc any) (kind DocumentKind, sure bool) {
	if d, ok := doc.(interface{ kind() (DocumentKind, bool) }); ok {
		return d.kind()
	}
	return "", true
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
	for _, row := range kindRows {
		if m.lacks(row.kind) {
			continue
		}
		for _, mark := range row.marks {
			if m.all[mark.name] == mark.open {
				kinds = append(kinds, row.kind)
				break
			}
		}
	}
	return kinds
}

// lacks reports whether a document cannot be of a kind although it has one of its marks,
// which others have as well.
func (m topMembers) lacks(kind DocumentKind) bool {
	switch kind {
	case DocumentStateShow:
		return m.all["format_version"] != '"' && m.all["diagnostics"] != '[' // a configuration in JSON syntax has resource
	case DocumentStateFile:
		return m.all["version"] != '0' // values have such members
	case DocumentBackend:
		return m.all["version"] != '0' || m.state3 || m.all["resources"] != 0 // states of version 3 name their backend
	case DocumentLockInfo:
		return m.all["ID"] != '"' || m.all["Who"] != '"'
	}
	return false
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
	is, row := "JSON that is no document of the tools", e.is.row()
	if e.is != "" {
		is = row.words
	}
	switch {
	case e.not != "" && row.tell:
		return "the document is " + is + ", not " + e.not.row().words + ": " + row.use
	case e.not != "":
		return "the document is " + is + ", not " + e.not.row().words
	case row.use != "":
		return "the text is " + is + ": " + row.use
	default:
		return "the text is " + is
	}
}

// Is makes it an [ErrKind].
func (e *otherKind) Is(target error) bool { return target == ErrKind }
