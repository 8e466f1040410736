// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Document is a pointer to any type that a Decode function returns.
type Document interface {
	*Plan | *State | *Config | *Schemas | *Functions | *Validate | *Version | *Outputs | *Modules |
		*StateShow | *Workspaces | *RendererPlan | *RendererState
	Object
}

// absent reports whether doc is nil.
func absent[D Document](doc D) bool {
	var none D
	return doc == none
}

// Encode returns the JSON text of doc. A decoded document that was not changed
// gives the text it was decoded from, byte for byte. If it was changed, only
// the changed members differ. A document made by the caller, or taken from
// inside another one, ends with a line feed.
//
// The error is an [*Error] for a [Value] that is not valid JSON, a nil element
// in a list or map, several shapes in one [Expression], or an object that
// contains itself. Encode only reads doc, so several goroutines may encode it
// at the same time. The error for nil wraps [ErrAbsent]; many documents lack a
// part, such as the prior state of a first plan.
func Encode[D Document](doc D) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	e := wire.BorrowEncoder()
	text, err := e.Append(nil, doc.wire(), doc)
	if err != nil {
		return nil, wireError(err)
	}
	e.Return()
	src, _ := about(doc)
	return finish(doc, text, src.Origin()), nil
}

// Write writes the result of [Encode] to w, without holding all of it. If w
// fails, its error is returned unchanged. On any error, including an [*Error],
// part of the text may have been written.
func Write[D Document](w io.Writer, doc D) error {
	if absent(doc) {
		return &Error{Err: ErrAbsent}
	}
	if src, _ := about(doc); src.Origin() != wire.Whole {
		// Small, as a rule, and perhaps to be laid out.
		text, err := Encode(doc)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	var e wire.Encoder
	return wireError(e.Write(w, doc.wire(), doc))
}

// finish lays out the text of a document that the caller has made.
func finish[D Document](doc D, text []byte, made wire.Origin) []byte {
	if made == wire.Whole {
		return text
	}
	kind, _ := kindOf(doc)
	if o, ok := any(doc).(*Outputs); kind.row().indented && !(ok && o.Value != nil) { // one output has one line
		text = indented(text, made)
	}
	return append(text, '\n')
}

// indented lays out the text of a document without a source.
func indented(text []byte, made wire.Origin) []byte {
	var b bytes.Buffer
	if made != wire.None || json.Indent(&b, text, "", "  ") != nil {
		return text
	}
	return b.Bytes()
}

//go:generate go run -C ../tools ./wiregen ../planjson

// decode reads the object that src holds.
func decode[T any](src []byte, t wire.Type) (*T, error) {
	o, err := decodeObject(src, t)
	v, _ := o.(*T)
	return v, err
}

func decodeObject(src []byte, t wire.Type) (any, error) {
	d, o := wire.BorrowDecoder(), wire.New(t)
	if err := d.Decode(src, t, o); err != nil {
		return nil, wireError(err)
	}
	d.Return()
	return o, nil
}

// DecodePlan decodes src, the JSON text of one plan, as "show -json PLANFILE"
// prints it. The plan refers to src, which must not be changed afterwards;
// [Clone] makes it independent. If src is not valid JSON or does not fit
// [Plan], the error is an [*Error]. It wraps [ErrKind] if src is clearly another
// document, such as a state; see [KindOf]. A byte order mark, or text before or
// after the document other than white space, is an error: [Find] finds the document.
//
// Any format version decodes; [CheckVersion] judges it.
func DecodePlan(src []byte) (*Plan, error) {
	return decodeDocument[Plan](src, planTable)
}

// DecodeState decodes src, the JSON text of one state, as "show -json" prints
// it. See [DecodePlan] for what happens to src and for errors. The file
// terraform.tfstate has another format: package statefile reads it, and "show
// -json" prints it as a State.
func DecodeState(src []byte) (*State, error) {
	return decodeDocument[State](src, stateTable)
}

// DecodeConfig decodes src, the JSON text of a configuration, as "tofu show
// -json -config" and "tofu show -json -module=DIR" print it (OpenTofu 1.11).
// See [DecodePlan] for what happens to src and for errors.
func DecodeConfig(src []byte) (*Config, error) {
	return decodeDocument[Config](src, configTable)
}

// DecodeSchemas decodes src, the JSON text that "providers schema -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeSchemas(src []byte) (*Schemas, error) {
	return decodeDocument[Schemas](src, schemasTable)
}

// DecodeFunctions decodes src, the JSON text that "metadata functions -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeFunctions(src []byte) (*Functions, error) {
	return decodeDocument[Functions](src, functionsTable)
}

// DecodeValidate decodes src, the JSON text that "validate -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeValidate(src []byte) (*Validate, error) {
	return decodeDocument[Validate](src, validateTable)
}

// DecodeVersion decodes src, the JSON text that "version -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeVersion(src []byte) (*Version, error) {
	return decodeDocument[Version](src, versionTable)
}

// DecodeOutputs decodes src, the JSON text that "output -json" prints, with or
// without the name of an output. See [DecodePlan] for what happens to src and
// for errors.
func DecodeOutputs(src []byte) (*Outputs, error) {
	return decodeDocument[Outputs](src, outputsUnion)
}

// DecodeModules decodes src, the JSON text that "terraform modules -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeModules(src []byte) (*Modules, error) {
	return decodeDocument[Modules](src, modulesTable)
}

// DecodeStateShow decodes src, the JSON text that "terraform state show -json
// ADDRESS" prints (Terraform 1.16). See [DecodePlan] for what happens to src
// and for errors.
func DecodeStateShow(src []byte) (*StateShow, error) {
	return decodeDocument[StateShow](src, stateShowTable)
}

// DecodeWorkspaces decodes src, the JSON text that "terraform workspace list
// -json" prints (Terraform 1.16). See [DecodePlan] for what happens to src and
// for errors.
func DecodeWorkspaces(src []byte) (*Workspaces, error) {
	return decodeDocument[Workspaces](src, workspacesTable)
}

// DecodeRendererPlan decodes src, the JSON text of a plan as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererPlan(src []byte) (*RendererPlan, error) {
	return decodeDocument[RendererPlan](src, rendererPlanTable)
}

// DecodeRendererState decodes src, the JSON text of a state as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererState(src []byte) (*RendererState, error) {
	return decodeDocument[RendererState](src, rendererStateTable)
}

// Decode decodes src, whatever document of this package it holds, and returns a *[Plan],
// *[State] or another [Document]. See [DecodePlan] for what happens to src and for
// errors.
//
// If src is a file terraform.tfstate, an encrypted state or plan, a stream, a saved plan
// file, or JSON that is not a document, the error wraps [ErrKind] and names the package
// or the command for it. The same applies to the value of a single output, which
// [DecodeOutputs] decodes.
func Decode(src []byte) (Object, error) {
	kind := KindOf(src)
	if t := typeOf(kind); t != nil {
		doc, err := decodeKind(src, t)
		o, _ := doc.(Object)
		return o, err
	}
	if kind.row().use == "" {
		if at, fault := jsonscan.Document(src); fault != jsonscan.OK {
			line, column := jsonscan.Position(src, at)
			return nil, &Error{Offset: int64(at), Line: line, Column: column, Pointer: jsonscan.Pointer(src, at), Err: fault}
		}
	}
	return nil, &Error{Line: 1, Column: 1, Err: &otherKind{is: kind}}
}

// typeOf returns how documents of a kind are read, or nil. It is a function, not part of
// the kind's row, because it reaches all kinds.
func typeOf(kind DocumentKind) wire.Type {
	switch kind {
	case DocumentPlan:
		return planTable
	case DocumentState:
		return stateTable
	case DocumentConfig:
		return configTable
	case DocumentSchemas:
		return schemasTable
	case DocumentFunctions:
		return functionsTable
	case DocumentValidate:
		return validateTable
	case DocumentVersion:
		return versionTable
	case DocumentOutputs:
		return outputsUnion
	case DocumentModules:
		return modulesTable
	case DocumentWorkspaces:
		return workspacesTable
	case DocumentStateShow:
		return stateShowTable
	case DocumentRendererPlan:
		return rendererPlanTable
	case DocumentRendererState:
		return rendererStateTable
	}
	return nil
}

// ErrVersion is the cause of an [*Error] for a document whose major version
// this package does not know, or that lacks a required version.
var ErrVersion = errors.New("unsupported format version")

// checkVersion returns an error unless the major version is at most 1. All
// documents are at major version 1 today; 0 was the same format before
// Terraform 1.1. A newer minor version only adds members.
func checkVersion(src *wire.Source, member, version string, optional bool) error {
	if version == "" && optional {
		return nil
	}
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.ParseUint(major, 10, 32); err == nil && n <= 1 && major[0] != '+' {
		return nil
	}
	if version == "" {
		return placed(src, "/"+member, fmt.Errorf("%w: there is none", ErrVersion))
	}
	return placed(src, "/"+member, fmt.Errorf("%w %q", ErrVersion, version))
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format version
// of doc is missing or its major version is above 1. Decoding accepts such a
// document; a program that acts on plans should call this first, as the format's
// documentation asks: a new major version may give known members another meaning.
// Newer minor versions pass. So do configurations and outputs, which have no
// version, and the documents that older tools print for validate and version
// without one. The error for nil wraps [ErrAbsent].
func CheckVersion[D Document](doc D) error {
	if absent(doc) {
		return &Error{Err: ErrAbsent}
	}
	kind, _ := kindOf(doc)
	row := kind.row()
	for _, member := range row.versions {
		src, table := about(doc)
		if err := checkVersion(src, member, table.Text(doc, member), row.older); err != nil {
			return err
		}
	}
	return nil
}

// checkKind returns the error for a document that is clearly of another kind than
// doc, or else err, the error of decoding it. It looks at the text only if the
// document is not surely of the expected kind.
func checkKind(src []byte, doc any, err error) error {
	kind, sure := kindOf(doc)
	if err == nil && sure {
		return err
	}
	if err != nil && !jsonscan.Valid(src) {
		if KindOf(src) == DocumentMessage { // a stream has more than one value
			return &Error{Line: 1, Column: 1, Err: &otherKind{DocumentMessage, kind}}
		}
		if found, err2 := Find(src); err2 == nil {
			return surrounded(err, found)
		}
		return err
	}
	if other := membersOf(src).refuse(kind); other != nil {
		return other
	}
	return err
}

// surrounded adds to the error of a text that it is not the document alone.
func surrounded(err error, found *Found) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	at := *e
	at.Err = fmt.Errorf("%w; the document begins in line %d, column %d, and there is other text: Find finds it", e.Err, found.Line, found.Column)
	if found.UTF16 {
		at.Err = fmt.Errorf("%w; the text is in UTF-16: Find finds the document", e.Err)
	}
	return &at
}

// decodeDocument is decode for a document.
func decodeDocument[T any](src []byte, t wire.Type) (*T, error) {
	o, err := decodeKind(src, t)
	v, _ := o.(*T)
	return v, err
}

func decodeKind(src []byte, t wire.Type) (any, error) {
	o, err := decodeObject(src, t)
	if err != nil {
		o = wire.New(t)
	}
	if err = checkKind(src, o, err); err != nil {
		return nil, err
	}
	return o, nil
}

// unmarshalDocument is the method UnmarshalJSON of a document.
func unmarshalDocument(text []byte, v Object) error {
	return wire.Unmarshal(text, v.wire(), v, false, func(o any, err error) error { return checkKind(text, o, wireError(err)) })
}
