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

// wireDocument is the method wire as a function of a pointer to the document.
func wireDocument[D Document](doc *D, x *wire.Codec) { (*doc).wire(x) }

// absent reports whether doc is nil.
func absent[D Document](doc D) bool {
	var none D
	return doc == none
}

// Encode returns the JSON text of doc. A document that was decoded and not
// changed gives the text it was decoded from, byte for byte; one that was
// changed differs in what was changed and nowhere else. A document made by the
// caller, or taken from inside another one, ends with a line feed.
//
// The error is an [*Error]: a [Value] that is not valid JSON, a nil element in
// a list or map, several shapes in one [Expression], or an object that
// contains itself. Encode only reads doc, so several goroutines may encode it
// at the same time. The error for nil wraps [ErrAbsent]; many documents lack a
// part, such as the prior state of a first plan.
func Encode[D Document](doc D) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	var x wire.Codec
	text, err := wire.Append(&x, nil, &doc, wireDocument[D])
	if err != nil {
		return nil, wireError(err)
	}
	src, _ := doc.about()
	return finish(doc, text, src.Origin()), nil
}

// Write writes to w what [Encode] returns, without holding all of it. If w
// fails, its error is returned as it is, and part of the text may have been
// written; with an [*Error] too.
func Write[D Document](w io.Writer, doc D) error {
	if absent(doc) {
		return &Error{Err: ErrAbsent}
	}
	if src, _ := doc.about(); src.Origin() != wire.Whole {
		// Small, as a rule, and perhaps to be laid out.
		text, err := Encode(doc)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	var x wire.Codec
	return wireError(wire.Write(&x, w, &doc, wireDocument[D]))
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
func decode[T any](src []byte, fields func(*T, *wire.Codec)) (*T, error) {
	var x wire.Codec
	v := new(T)
	if err := x.Decode(src, func(x *wire.Codec) { wire.Root(x, v, fields) }); err != nil {
		return nil, wireError(err)
	}
	return v, nil
}

// DecodePlan decodes src, the JSON text of one plan, as "show -json PLANFILE"
// prints it. The plan refers to src, which must not be changed afterwards;
// [Clone] makes it independent. If src is not valid JSON or does not fit
// [Plan], the error is an [*Error]. It wraps [ErrKind] if src is clearly another
// document, such as a state; see [DocumentKind].
//
// Any format version decodes; [CheckVersion] judges it.
func DecodePlan(src []byte) (*Plan, error) {
	return decodeAs(src, (*Plan).wire, "plan", func(p *Plan) bool { return p.ResourceChanges != nil })
}

// DecodeState decodes src, the JSON text of one state, as "show -json" prints
// it. See [DecodePlan] for what happens to src and for errors. The file
// terraform.tfstate has another format, which no tool documents: have the tool
// show it.
func DecodeState(src []byte) (*State, error) {
	return decodeAs(src, (*State).wire, "state", func(p *State) bool { return p.Values != nil })
}

// DecodeConfig decodes src, the JSON text of a configuration, as "tofu show
// -json -config" and "tofu show -json -module=DIR" print it (OpenTofu 1.11).
// See [DecodePlan] for what happens to src and for errors.
func DecodeConfig(src []byte) (*Config, error) {
	return decodeAs(src, (*Config).wire, "config", func(p *Config) bool { return p.RootModule.Resources != nil || p.RootModule.ModuleCalls != nil })
}

// DecodeSchemas decodes src, the JSON text that "providers schema -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeSchemas(src []byte) (*Schemas, error) {
	return decodeAs(src, (*Schemas).wire, "schemas", func(p *Schemas) bool { return p.ProviderSchemas != nil })
}

// DecodeFunctions decodes src, the JSON text that "metadata functions -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeFunctions(src []byte) (*Functions, error) {
	return decodeAs(src, (*Functions).wire, "functions", func(p *Functions) bool { return p.FunctionSignatures != nil })
}

// DecodeValidate decodes src, the JSON text that "validate -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeValidate(src []byte) (*Validate, error) {
	return decodeAs(src, (*Validate).wire, "validate", func(*Validate) bool { return false })
}

// DecodeVersion decodes src, the JSON text that "version -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeVersion(src []byte) (*Version, error) {
	return decodeAs(src, (*Version).wire, "version", func(p *Version) bool { return p.Platform != "" })
}

// DecodeOutputs decodes src, the JSON text that "output -json" prints, with or
// without the name of an output. See [DecodePlan] for what happens to src and
// for errors.
func DecodeOutputs(src []byte) (*Outputs, error) {
	var x wire.Codec
	v := new(Outputs)
	err := wireError(x.Decode(src, v.wire))
	if other := refuse(src, "outputs", false); other != nil && (err == nil || jsonscan.Valid(src)) {
		return nil, other
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// DecodeModules decodes src, the JSON text that "terraform modules -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeModules(src []byte) (*Modules, error) {
	return decodeAs(src, (*Modules).wire, "modules", func(p *Modules) bool { return p.Modules != nil })
}

// DecodeStateShow decodes src, the JSON text that "terraform state show -json
// ADDRESS" prints (Terraform 1.16). See [DecodePlan] for what happens to src
// and for errors.
func DecodeStateShow(src []byte) (*StateShow, error) {
	return decodeAs(src, (*StateShow).wire, "state-show", func(p *StateShow) bool { return p.Resource != nil })
}

// DecodeWorkspaces decodes src, the JSON text that "terraform workspace list
// -json" prints (Terraform 1.16). See [DecodePlan] for what happens to src and
// for errors.
func DecodeWorkspaces(src []byte) (*Workspaces, error) {
	return decodeAs(src, (*Workspaces).wire, "workspaces", func(p *Workspaces) bool { return p.Workspaces != nil })
}

// DecodeRendererPlan decodes src, the JSON text of a plan as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererPlan(src []byte) (*RendererPlan, error) {
	return decodeAs(src, (*RendererPlan).wire, "renderer-plan", func(p *RendererPlan) bool { return p.PlanFormatVersion != "" })
}

// DecodeRendererState decodes src, the JSON text of a state as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererState(src []byte) (*RendererState, error) {
	return decodeAs(src, (*RendererState).wire, "renderer-state", func(p *RendererState) bool { return p.StateFormatVersion != "" })
}

// ErrVersion is the cause of an [*Error] that says that a document has another
// major version than those this package was made for, or none although it
// must have one.
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

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format of doc is
// of a major version above 1, or of none. Decoding accepts such a document; a
// program that acts on plans should call this first, as the format's documentation
// asks: a new major version may give known members another meaning. Newer minor
// versions pass, and so do configurations and outputs, which have none, and what
// validate and version print without one, as older tools do. The error for nil
// wraps [ErrAbsent].
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
