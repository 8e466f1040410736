// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"cmp"
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
	switch d := any(doc).(type) {
	case *Outputs:
		if d.Value != nil {
			break // one output has one line
		}
		text = indented(text, made)
	case *Validate, *Version, *StateShow, *Workspaces:
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

//go:generate go run ../internal/wiregen

// decode reads the object that src holds.
func decode[T any](src []byte, t wire.Type) (*T, error) {
	d := wire.BorrowDecoder()
	v := new(T)
	if err := d.Decode(src, t, v); err != nil {
		return nil, wireError(err)
	}
	d.Return()
	return v, nil
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
	return decodeAs[Plan](src, planTable)
}

// DecodeState decodes src, the JSON text of one state, as "show -json" prints
// it. See [DecodePlan] for what happens to src and for errors. The file
// terraform.tfstate has another format: package statefile reads it, and "show
// -json" prints it as a State.
func DecodeState(src []byte) (*State, error) {
	return decodeAs[State](src, stateTable)
}

// DecodeConfig decodes src, the JSON text of a configuration, as "tofu show
// -json -config" and "tofu show -json -module=DIR" print it (OpenTofu 1.11).
// See [DecodePlan] for what happens to src and for errors.
func DecodeConfig(src []byte) (*Config, error) {
	return decodeAs[Config](src, configTable)
}

// DecodeSchemas decodes src, the JSON text that "providers schema -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeSchemas(src []byte) (*Schemas, error) {
	return decodeAs[Schemas](src, schemasTable)
}

// DecodeFunctions decodes src, the JSON text that "metadata functions -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeFunctions(src []byte) (*Functions, error) {
	return decodeAs[Functions](src, functionsTable)
}

// DecodeValidate decodes src, the JSON text that "validate -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeValidate(src []byte) (*Validate, error) {
	return decodeAs[Validate](src, validateTable)
}

// DecodeVersion decodes src, the JSON text that "version -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeVersion(src []byte) (*Version, error) {
	return decodeAs[Version](src, versionTable)
}

// DecodeOutputs decodes src, the JSON text that "output -json" prints, with or
// without the name of an output. See [DecodePlan] for what happens to src and
// for errors.
func DecodeOutputs(src []byte) (*Outputs, error) {
	var d wire.Decoder
	v := new(Outputs)
	if err := otherwise(src, v, wireError(d.Decode(src, outputsUnion, v))); err != nil {
		return nil, err
	}
	return v, nil
}

// DecodeModules decodes src, the JSON text that "terraform modules -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeModules(src []byte) (*Modules, error) {
	return decodeAs[Modules](src, modulesTable)
}

// DecodeStateShow decodes src, the JSON text that "terraform state show -json
// ADDRESS" prints (Terraform 1.16). See [DecodePlan] for what happens to src
// and for errors.
func DecodeStateShow(src []byte) (*StateShow, error) {
	return decodeAs[StateShow](src, stateShowTable)
}

// DecodeWorkspaces decodes src, the JSON text that "terraform workspace list
// -json" prints (Terraform 1.16). See [DecodePlan] for what happens to src and
// for errors.
func DecodeWorkspaces(src []byte) (*Workspaces, error) {
	return decodeAs[Workspaces](src, workspacesTable)
}

// DecodeRendererPlan decodes src, the JSON text of a plan as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererPlan(src []byte) (*RendererPlan, error) {
	return decodeAs[RendererPlan](src, rendererPlanTable)
}

// DecodeRendererState decodes src, the JSON text of a state as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererState(src []byte) (*RendererState, error) {
	return decodeAs[RendererState](src, rendererStateTable)
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
	if decode, ok := decoders[kind]; ok {
		return decode(src)
	}
	if _, other := elsewhere[kind]; !other {
		if at, fault := jsonscan.Document(src); fault != jsonscan.OK {
			line, column := jsonscan.Position(src, at)
			return nil, &Error{Offset: int64(at), Line: line, Column: column, Pointer: jsonscan.Pointer(src, at), Err: fault}
		}
	}
	return nil, &Error{Line: 1, Column: 1, Err: &otherKind{is: kind}}
}

// decoders decode documents of each kind.
var decoders = map[DocumentKind]func([]byte) (Object, error){
	DocumentPlan:          asObject(DecodePlan),
	DocumentState:         asObject(DecodeState),
	DocumentConfig:        asObject(DecodeConfig),
	DocumentSchemas:       asObject(DecodeSchemas),
	DocumentFunctions:     asObject(DecodeFunctions),
	DocumentValidate:      asObject(DecodeValidate),
	DocumentVersion:       asObject(DecodeVersion),
	DocumentOutputs:       asObject(DecodeOutputs),
	DocumentModules:       asObject(DecodeModules),
	DocumentWorkspaces:    asObject(DecodeWorkspaces),
	DocumentStateShow:     asObject(DecodeStateShow),
	DocumentRendererPlan:  asObject(DecodeRendererPlan),
	DocumentRendererState: asObject(DecodeRendererState),
}

// asObject returns decode with an Object as its result, which is nil if there is an error.
func asObject[D Document](decode func([]byte) (D, error)) func([]byte) (Object, error) {
	return func(src []byte) (Object, error) {
		doc, err := decode(src)
		if err != nil {
			return nil, err
		}
		return doc, nil
	}
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
	const member = "format_version"
	switch d := any(doc).(type) {
	case *Plan:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *State:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *Schemas:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *Functions:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *Validate: // Terraform before 0.15 wrote none
		return checkVersion(&d.src, member, d.FormatVersion, true)
	case *Version: // only previews of Terraform 1.17 write one
		return checkVersion(&d.src, member, d.FormatVersion, true)
	case *Modules:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *StateShow:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *Workspaces:
		return checkVersion(&d.src, member, d.FormatVersion, false)
	case *RendererPlan:
		return cmp.Or(
			checkVersion(&d.src, "plan_format_version", d.PlanFormatVersion, false),
			checkVersion(&d.src, "provider_format_version", d.ProviderFormatVersion, false),
		)
	case *RendererState:
		return cmp.Or(
			checkVersion(&d.src, "state_format_version", d.StateFormatVersion, false),
			checkVersion(&d.src, "provider_format_version", d.ProviderFormatVersion, false),
		)
	}
	return nil
}

// obvious returns the kind of a document, and whether it has a member that only
// that kind has.
func obvious(doc any) (kind DocumentKind, sure bool) {
	switch d := doc.(type) {
	case *Plan:
		return DocumentPlan, d.ResourceChanges != nil
	case *State:
		return DocumentState, d.Values != nil
	case *Config:
		return DocumentConfig, d.RootModule.Resources != nil || d.RootModule.ModuleCalls != nil
	case *Schemas:
		return DocumentSchemas, d.ProviderSchemas != nil
	case *Functions:
		return DocumentFunctions, d.FunctionSignatures != nil
	case *Validate:
		return DocumentValidate, false
	case *Version:
		return DocumentVersion, d.Platform != ""
	case *Outputs:
		return DocumentOutputs, false
	case *Modules:
		return DocumentModules, d.Modules != nil && d.FormatVersion != "" // old state files have modules as well
	case *StateShow:
		return DocumentStateShow, d.Resource != nil
	case *Workspaces:
		return DocumentWorkspaces, d.Workspaces != nil
	case *RendererPlan:
		return DocumentRendererPlan, d.PlanFormatVersion != ""
	case *RendererState:
		return DocumentRendererState, d.StateFormatVersion != ""
	}
	return "", true
}

// otherwise returns the error for a document that is clearly of another kind than
// doc, or else err, the error of decoding it. It looks at the text only if the
// document is not obviously of the expected kind.
func otherwise(src []byte, doc any, err error) error {
	kind, sure := obvious(doc)
	if err == nil && sure {
		return err
	}
	if err != nil && !jsonscan.Valid(src) {
		if KindOf(src) == DocumentMessage { // a stream has more than one value
			return &Error{Line: 1, Column: 1, Err: &otherKind{DocumentMessage, kind}}
		}
		return err
	}
	if other := membersOf(src).refuse(kind); other != nil {
		return other
	}
	return err
}

// decodeAs is decode for a document.
func decodeAs[T any](src []byte, t wire.Type) (*T, error) {
	v, err := decode[T](src, t)
	if err != nil {
		v = new(T)
	}
	if err = otherwise(src, v, err); err != nil {
		return nil, err
	}
	return v, nil
}

// unmarshalDocument is the method UnmarshalJSON of a document.
func unmarshalDocument(text []byte, v Object) error {
	return wire.Unmarshal(text, v.wire(), v, false, func(o any, err error) error { return otherwise(text, o, wireError(err)) })
}
