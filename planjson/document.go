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
// [Plan], the error is an [*Error].
//
// Any format version decodes; [Plan.CheckVersion] judges it.
func DecodePlan(src []byte) (*Plan, error) { return decode(src, (*Plan).wire) }

// DecodeState decodes src, the JSON text of one state, as "show -json" prints
// it. See [DecodePlan] for what happens to src and for errors. The file
// terraform.tfstate has another format, which no tool documents: have the tool
// show it.
func DecodeState(src []byte) (*State, error) { return decode(src, (*State).wire) }

// DecodeConfig decodes src, the JSON text of a configuration, as "tofu show
// -json -config" and "tofu show -json -module=DIR" print it (OpenTofu 1.11).
// See [DecodePlan] for what happens to src and for errors.
func DecodeConfig(src []byte) (*Config, error) { return decode(src, (*Config).wire) }

// DecodeSchemas decodes src, the JSON text that "providers schema -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeSchemas(src []byte) (*Schemas, error) { return decode(src, (*Schemas).wire) }

// DecodeFunctions decodes src, the JSON text that "metadata functions -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeFunctions(src []byte) (*Functions, error) { return decode(src, (*Functions).wire) }

// DecodeValidate decodes src, the JSON text that "validate -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeValidate(src []byte) (*Validate, error) { return decode(src, (*Validate).wire) }

// DecodeVersion decodes src, the JSON text that "version -json" prints. See
// [DecodePlan] for what happens to src and for errors.
func DecodeVersion(src []byte) (*Version, error) { return decode(src, (*Version).wire) }

// DecodeOutputs decodes src, the JSON text that "output -json" prints, with or
// without the name of an output. See [DecodePlan] for what happens to src and
// for errors.
func DecodeOutputs(src []byte) (*Outputs, error) {
	var x wire.Codec
	v := new(Outputs)
	if err := x.Decode(src, v.wire); err != nil {
		return nil, wireError(err)
	}
	return v, nil
}

// DecodeModules decodes src, the JSON text that "terraform modules -json"
// prints. See [DecodePlan] for what happens to src and for errors.
func DecodeModules(src []byte) (*Modules, error) { return decode(src, (*Modules).wire) }

// DecodeStateShow decodes src, the JSON text that "terraform state show -json
// ADDRESS" prints (Terraform 1.16). See [DecodePlan] for what happens to src
// and for errors.
func DecodeStateShow(src []byte) (*StateShow, error) { return decode(src, (*StateShow).wire) }

// DecodeWorkspaces decodes src, the JSON text that "terraform workspace list
// -json" prints (Terraform 1.16). See [DecodePlan] for what happens to src and
// for errors.
func DecodeWorkspaces(src []byte) (*Workspaces, error) { return decode(src, (*Workspaces).wire) }

// DecodeRendererPlan decodes src, the JSON text of a plan as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererPlan(src []byte) (*RendererPlan, error) {
	return decode(src, (*RendererPlan).wire)
}

// DecodeRendererState decodes src, the JSON text of a state as HCP Terraform and
// the -verbose option of "terraform test" give it, schemas included. See
// [DecodePlan] for what happens to src and for errors.
func DecodeRendererState(src []byte) (*RendererState, error) {
	return decode(src, (*RendererState).wire)
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

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. Decoding accepts such a plan; a program
// that acts on plans should call this first, as the format's documentation
// asks: a new major version may give known members another meaning. Newer
// minor versions pass. The error for nil wraps [ErrAbsent].
func (p *Plan) CheckVersion() error {
	if p == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&p.src, "format_version", p.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (s *State) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&s.src, "format_version", s.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (s *Schemas) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&s.src, "format_version", s.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (f *Functions) CheckVersion() error {
	if f == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&f.src, "format_version", f.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1. A document without a version passes: that is how
// Terraform before 0.15 wrote it. See [Plan.CheckVersion].
func (v *Validate) CheckVersion() error {
	if v == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&v.src, "format_version", v.FormatVersion, true)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1. A document without a version passes: only the
// previews of Terraform 1.17 write one. See [Plan.CheckVersion].
func (v *Version) CheckVersion() error {
	if v == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&v.src, "format_version", v.FormatVersion, true)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (m *Modules) CheckVersion() error {
	if m == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&m.src, "format_version", m.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (s *StateShow) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&s.src, "format_version", s.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format is of
// a major version above 1, or of none. See [Plan.CheckVersion].
func (w *Workspaces) CheckVersion() error {
	if w == nil {
		return &Error{Err: ErrAbsent}
	}
	return checkVersion(&w.src, "format_version", w.FormatVersion, false)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format of the
// plan or of the schemas is of a major version above 1, or of none. See
// [Plan.CheckVersion].
func (p *RendererPlan) CheckVersion() error {
	if p == nil {
		return &Error{Err: ErrAbsent}
	}
	return cmp.Or(
		checkVersion(&p.src, "plan_format_version", p.PlanFormatVersion, false),
		checkVersion(&p.src, "provider_format_version", p.ProviderFormatVersion, false),
	)
}

// CheckVersion returns an [*Error] that wraps [ErrVersion] if the format of the
// state or of the schemas is of a major version above 1, or of none. See
// [Plan.CheckVersion].
func (s *RendererState) CheckVersion() error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	return cmp.Or(
		checkVersion(&s.src, "state_format_version", s.StateFormatVersion, false),
		checkVersion(&s.src, "provider_format_version", s.ProviderFormatVersion, false),
	)
}
