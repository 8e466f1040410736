// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package rows turns a document of OpenTofu or Terraform into rows of the
// relational model of fleet: plans, states, message streams, lock files and
// configuration. The rows depend on nothing but the bytes of the document, the
// name of its file and the [Options], so every program that reads it gets the
// same ones.
package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Type is the type of a column.
type Type uint8

// The types. In a [Row] a Text, a Time and a JSON cell is a string, an Int an
// int64, a Bool a bool, and an absent one nil.
const (
	Text Type = iota
	Int
	Bool
	Time // RFC 3339 in UTC
	JSON // the text of a JSON value
)

// String returns the name that the documentation uses.
func (t Type) String() string { return [...]string{"text", "integer", "boolean", "time", "JSON"}[t] }

// A Column is one column of a relation.
type Column struct {
	Name  string
	Type  Type
	Null  bool   // whether it can be null
	About string // one sentence for the documentation
}

// A Relation is one table of the model.
type Relation struct {
	Name    string
	About   string
	Columns []Column
}

// A Row is one row of a relation.
type Row struct {
	Relation *Relation
	Cells    []any
}

// AppendText appends the row as one line of JSON: an array of the relation's name
// and the cells. Two rows are equal if and only if their lines are.
func (r Row) AppendText(dst []byte) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Strings, numbers, bools and nil: there is no error.
	_ = e.Encode(append([]any{r.Relation.Name}, r.Cells...))
	return append(dst, b.Bytes()...)
}

// ParseText is the reverse of [Row.AppendText].
func ParseText(line []byte) (Row, error) {
	var cells []any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&cells); err != nil {
		return Row{}, err
	}
	for _, r := range Relations() {
		if len(cells) != 1+len(r.Columns) || cells[0] != r.Name {
			continue
		}
		cells = cells[1:]
		for i, c := range cells {
			if n, ok := c.(json.Number); ok {
				v, err := n.Int64()
				if err != nil {
					return Row{}, err
				}
				cells[i] = v
			}
		}
		return Row{r, cells}, nil
	}
	return Row{}, fmt.Errorf("not a row: %.80s", line)
}

// The first columns of all relations that documents fill.
var (
	columnDocument = Column{"document", Text, false, "the document: the first 20 hexadecimal digits of its SHA-256, with -backup for one of that kind"}
	columnOffset   = Column{"offset", Int, false, "where the object begins in the document, in bytes"}
)

// from returns the columns of a relation that documents fill.
func from(columns ...Column) []Column {
	return append([]Column{columnDocument, columnOffset}, columns...)
}

// The columns of the relations about resource instances.
var (
	columnAddress  = Column{"address", Text, false, "address of the resource instance"}
	columnModule   = Column{"module", Text, true, "address of the module instance; null in the root module"}
	columnMode     = Column{"mode", Text, false, "managed, data or ephemeral"}
	columnType     = Column{"type", Text, false, "resource type"}
	columnName     = Column{"name", Text, false, "name of the resource"}
	columnKey      = Column{"key", JSON, true, "instance key: a number or a string"}
	columnProvider = Column{"provider", Text, true, "source address of the provider; null if the document does not say"}
	columnDeposed  = Column{"deposed", Text, true, "key of a deposed object"}
)

// The relations. [Sources] has a row for each place that was read, all others
// for parts of documents.
var (
	Sources = &Relation{"sources", "Where documents were found. The same document can have several places.", []Column{
		{"place", Text, false, "path or URL; a member of an archive comes after `!`"},
		{"document", Text, true, "the document; null if it could not be read"},
		{"workspace", Text, false, "the workspace: the directory of the place, unless `-workspace` says otherwise"},
		{"modified", Time, true, "when the file was last changed, if its place records that"},
		{"bytes", Int, false, "its length"},
		{"current", Bool, true, "states: whether it is the current one, and not a backup or left over, by the name of the file"},
		{"written", Time, true, "states: when it was written, by the name of a backup or as `modified`"},
	}}
	Documents = &Relation{"documents", "Each document once, however many places have it.", []Column{
		columnDocument,
		{"sha256", Text, false, "SHA-256 of the document, in hexadecimal"},
		{"kind", Text, false, "`plan`, `state`, `backup`, `no state`, `stream`, `lock`, `configuration`, or a kind of `planjson.KindOf`"},
		{"bytes", Int, false, "its length"},
		{"complete", Bool, false, "whether all of it was read; if not, `faults` says why"},
		{"format_version", Text, true, "version of the format"},
		{"tool", Text, true, "`tofu` or `terraform`, if the document says so"},
		{"tool_version", Text, true, "version of the tool that wrote it"},
		{"made", Time, true, "when it was made: the time of planning, or that of the first message"},
		{"errored", Bool, true, "plans: whether planning failed"},
		{"applyable", Bool, true, "plans of Terraform: whether it can be applied"},
		{"serial", Int, true, "raw states: how often it was changed"},
		{"lineage", Text, true, "raw states: which history it belongs to; null if it is empty"},
	}}
	Providers = &Relation{"providers", "The providers that a plan or a state uses.", from(
		Column{"provider", Text, false, "source address"},
		Column{"instances", Int, false, "objects of it in the state, or planned ones"},
		Column{"changes", Int, false, "changes of its objects in the plan"},
	)}
	Modules = &Relation{"modules", "Module calls.", from(
		Column{"address", Text, false, "path of the call, such as module.a.module.b; in a configuration file only its own name"},
		Column{"source", Text, true, "source as written, without user names and passwords; null if it is not a constant"},
		Column{"required", Text, true, "version constraint as written"},
		Column{"version", Text, true, "installed version, from `terraform modules -json`"},
	)}
	Resources = &Relation{"resources", "Resources of states, planned values and configuration.", from(
		Column{"address", Text, false, "address without instance keys of its own"},
		columnModule, columnMode, columnType, columnName, columnProvider,
		Column{"instances", Int, true, "objects of it; null in a configuration, which does not say"},
	)}
	Instances = &Relation{"instances", "Objects of states and of planned values.", from(
		columnAddress, columnModule, columnMode, columnType, columnName, columnKey, columnProvider, columnDeposed,
		Column{"tainted", Bool, false, "whether it is marked for replacement"},
		Column{"schema_version", Int, false, "version of the resource type's schema"},
		Column{"attributes", JSON, true, "the values, an object; null if there are none"},
	)}
	Outputs = &Relation{"outputs", "Outputs of the root module, in states and planned values.", from(
		Column{"name", Text, false, "name of the output"},
		Column{"type", JSON, true, "its type, such as \"string\" or [\"list\",\"number\"]; null if the document does not say"},
		Column{"value", JSON, true, "the value; null if there is none or it is unknown"},
		Column{"sensitive", Bool, false, "whether it is sensitive"},
	)}
	Changes = &Relation{"changes", "Planned changes of plans and streams. Objects that stay as they are have no row, unless they are moved or imported.", from(
		columnAddress,
		Column{"previous_address", Text, true, "address before a move"},
		columnModule, columnMode, columnType, columnName, columnKey, columnProvider, columnDeposed,
		Column{"action", Text, false, "`create`, `read`, `update`, `delete`, `replace`, `replace-forget`, `forget`, `no-op`, or another action of the plan"},
		Column{"destroys", Bool, false, "whether an object is destroyed; a replacement can also forget it"},
		Column{"reason", Text, true, "why, if the document says so"},
		Column{"importing", Bool, false, "whether an object is imported first"},
		Column{"deferred", Text, true, "why the change is put off to a later plan; null if it is not"},
	)}
	ChangedAttributes = &Relation{"changed_attributes", "Attributes that differ in a planned update or replacement, or in drift. Without `-reveal`, those whose value is sensitive on both sides are left out: both are the same text then.", from(
		columnAddress, columnDeposed,
		Column{"drift", Bool, false, "whether it has changed outside of the tool"},
		Column{"path", Text, false, "path of the attribute, as tags[\"a b\"]"},
		Column{"before", JSON, true, "value before; null if there is none or it is sensitive"},
		Column{"after", JSON, true, "value after; null if there is none, or it is unknown or sensitive"},
		Column{"unknown", Bool, false, "whether the value after is known only after apply"},
		Column{"sensitive", Bool, false, "whether it is sensitive on either side"},
		Column{"forces_replacement", Bool, false, "whether it is a reason for the replacement"},
	)}
	Drift = &Relation{"drift", "Changes outside of the tool, of plans and streams.", from(
		columnAddress, columnModule, columnMode, columnType, columnName, columnKey, columnProvider, columnDeposed,
		Column{"action", Text, false, "`update` or `delete`"},
	)}
	Checks = &Relation{"checks", "Results of conditions, checks and variable validation: a row for each problem, or one for an instance without problems.", from(
		Column{"address", Text, false, "address of the object that is checked"},
		Column{"kind", Text, false, "`resource`, `output_value`, `check` or `var`"},
		Column{"status", Text, false, "`pass`, `fail`, `error` or `unknown`"},
		Column{"instance", Text, true, "address of the instance; null if there is none yet"},
		Column{"instance_status", Text, true, "its status"},
		Column{"problem", Text, true, "message of a failed condition"},
	)}
	Diagnostics = &Relation{"diagnostics", "Errors and warnings of streams and of `validate -json`.", from(
		Column{"severity", Text, false, "`error` or `warning`"},
		Column{"summary", Text, false, "the short message"},
		Column{"detail", Text, true, "the long message"},
		Column{"address", Text, true, "address of the object concerned"},
		Column{"filename", Text, true, "the file of the configuration"},
		Column{"line", Int, true, "the line in it"},
	)}
	Runs = &Relation{"runs", "Runs of the tool: one for each stream.", from(
		Column{"operation", Text, true, "`plan`, `apply` or `destroy`; null for other commands"},
		Column{"outcome", Text, false, "`success`, `no_changes`, `failed`, `cancelled` or `incomplete`"},
		Column{"reason", Text, true, "the evidence for it"},
		Column{"started", Time, true, "time of the first message"},
		Column{"ended", Time, true, "time of the last message"},
		Column{"milliseconds", Int, true, "between the two"},
		Column{"added", Int, true, "objects created, by the tool's own summary"},
		Column{"changed", Int, true, "objects updated"},
		Column{"removed", Int, true, "objects destroyed"},
		Column{"imported", Int, true, "objects imported"},
		Column{"forgotten", Int, true, "objects removed from the state only"},
		Column{"errors", Int, false, "distinct errors"},
		Column{"warnings", Int, false, "distinct warnings"},
	)}
	Timings = &Relation{"timings", "Operations of runs with their times.", from(
		columnAddress, columnModule, columnType,
		Column{"action", Text, false, "`create`, `update`, `delete`, `read`, `refresh` and others"},
		Column{"status", Text, false, "`done`, `failed`, or `unfinished`"},
		Column{"started", Time, true, "when it began; null if the stream does not show it"},
		Column{"ended", Time, true, "when it ended"},
		Column{"milliseconds", Int, true, "how long it took; in whole seconds if the stream does not show the beginning"},
	)}
	LockEntries = &Relation{"lock_entries", "Providers of lock files.", from(
		Column{"provider", Text, false, "source address"},
		Column{"version", Text, true, "the selected version"},
		Column{"required", Text, true, "the constraints when it was selected"},
		Column{"h1", Int, false, "hashes of the scheme h1"},
		Column{"zh", Int, false, "hashes of the scheme zh"},
	)}
	Requirements = &Relation{"requirements", "What configurations require: versions of providers and of the tool.", from(
		Column{"module", Text, true, "path of the module; null in the root module and in a configuration file"},
		Column{"name", Text, false, "local name of the provider, or `terraform` for required_version"},
		Column{"provider", Text, true, "source address; null for the tool"},
		Column{"required", Text, true, "version constraint as written; null if there is none"},
	)}
	Faults = &Relation{"faults", "What could not be read, and where.", []Column{
		{"place", Text, true, "the place that could not be read; null if the fault is in a document"},
		{"document", Text, true, "the document with the fault; `sources` has its places"},
		{"offset", Int, true, "where it is, in bytes"},
		{"line", Int, true, "the line, from 1"},
		{"column_number", Int, true, "the column, from 1"},
		{"pointer", Text, true, "the JSON pointer"},
		{"message", Text, false, "the fault"},
	}}
)

// Relations returns all relations, in the order of the documentation.
func Relations() []*Relation {
	return []*Relation{Sources, Documents, Providers, Modules, Resources, Instances, Outputs, Changes, ChangedAttributes, Drift, Checks, Diagnostics, Runs, Timings,
		LockEntries, Requirements, Faults}
}
