// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// A Validate is the document that "validate -json" prints: the result and the
// errors and warnings. The tools indent it by two spaces.
//
// Source: OpenTofu internal/command/views/validate.go.
//
//wire:kind
//wire:terraform format_version@0.15
type Validate struct {
	// FormatVersion is the version of the format, "1.0" today. Always present
	// since Terraform 0.15.
	FormatVersion string `json:"format_version"`

	// Valid reports whether there are no errors. Always present.
	Valid bool `json:"valid"`

	// ErrorCount and WarningCount count the diagnostics. Always present.
	ErrorCount   int `json:"error_count"`
	WarningCount int `json:"warning_count"`

	// Diagnostics lists the errors and warnings. Always present.
	Diagnostics []*Diagnostic `json:"diagnostics"`

	src wire.Source
}

func (*Validate) kind() (k DocumentKind, sure bool) {
	return DocumentValidate, false
}

// A Severity is the severity of a diagnostic. It is an open enumeration.
// Its values include [SeverityError], [SeverityWarning] and [SeverityUnknown].
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityUnknown Severity = "unknown"
)

// A Diagnostic is one error or warning. Its JSON is that of the type with the
// same name in package uijson, which can show a diagnostic: as the CLI does
// (Renderer), at the line of source (GitHubAnnotation, WriteGitLab), or with the
// faulty part of the source marked (Highlight). To use these, decode the JSON as
// a uijson.Diagnostic; see the example.
//
// Source: OpenTofu internal/command/views/json/diagnostic.go.
type Diagnostic struct {
	// Severity is the severity. Always present.
	Severity Severity `json:"severity"`

	// Summary is the short message. Always present.
	Summary string `json:"summary"`

	// Detail is the long message, possibly of several lines. Always present,
	// possibly empty.
	Detail string `json:"detail"`

	// Address is the address of the object concerned. Absent if there is none.
	Address string `json:"address,omitempty"`

	// Range is the place in the configuration. Absent (nil) if there is none.
	Range *Range `json:"range,omitempty"`

	// Snippet is the source text at Range. Absent (nil) if the source is not
	// available.
	Snippet *Snippet `json:"snippet,omitempty"`

	// Difference shows both sides of a failed comparison a == b. It has the clear text even of
	// sensitive values. Absent (nil) for other diagnostics. OpenTofu 1.11.
	Difference *Change `json:"difference,omitempty"`

	// DeprecationOriginDescription says where a deprecated value comes from.
	// Absent if empty. Terraform 1.15.
	DeprecationOriginDescription string `json:"deprecation_origin_description,omitempty"`

	// PolicyRange and PolicySnippet are the place in a policy. Absent (nil) if
	// there is none. Terraform 1.16.
	PolicyRange   *Range   `json:"policy_range,omitempty"`
	PolicySnippet *Snippet `json:"policy_snippet,omitempty"`

	src wire.Source
}

// A Range is a part of a source file, from Start up to but not including End.
type Range struct {
	// Filename is the file's name relative to the working directory. Always
	// present; empty if the fault is on the command line.
	Filename string `json:"filename"`

	// Start and End are the places of the first byte and of the one after the
	// last. Always present.
	Start Pos `json:"start"`
	End   Pos `json:"end"`

	src wire.Source
}

// A Pos is a place in a source file.
type Pos struct {
	// Line counts from 1. Always present.
	Line int `json:"line"`

	// Column counts grapheme clusters from 1. Always present.
	Column int `json:"column"`

	// Byte counts bytes from 0. Always present.
	Byte int `json:"byte"`

	src wire.Source
}

// A Snippet is the source text that a diagnostic is about.
type Snippet struct {
	// Context is a string that names the enclosing block, such as resource "a" "b",
	// or null if there is none. Always present.
	Context Value `json:"context"`

	// Code is the source text in whole lines. Always present.
	Code string `json:"code"`

	// StartLine is the line number of the first line of Code. Always present.
	StartLine int `json:"start_line"`

	// HighlightStartOffset and HighlightEndOffset are byte offsets into Code.
	// They are too large if the source has lines that end with \r\n, and can
	// fall into a character. Always present.
	HighlightStartOffset int `json:"highlight_start_offset"`
	HighlightEndOffset   int `json:"highlight_end_offset"`

	// Values lists the values that the expression refers to. Always present.
	Values []*ExpressionValue `json:"values"`

	// FunctionCall is set if a function failed. Terraform 1.3, OpenTofu 1.6.
	FunctionCall *FunctionCall `json:"function_call,omitempty"`

	// TestAssertionExpr is set if an assertion of a test failed. Terraform 1.12.
	TestAssertionExpr *TestAssertionExpr `json:"test_assertion_expr,omitempty"`

	src wire.Source
}

// An ExpressionValue is a value that the expression of a snippet refers to.
type ExpressionValue struct {
	// Traversal is the reference, such as var.a or each.value. Always present.
	Traversal string `json:"traversal"`

	// Statement describes the value in words, such as "is 5". Always present.
	Statement string `json:"statement"`

	src wire.Source
}

// A FunctionCall is the call of a function that failed.
type FunctionCall struct {
	// CalledAs is the name as written in the source. Always present.
	CalledAs string `json:"called_as"`

	// Signature is the function's signature. Absent (nil) if it is not known.
	Signature *CalledFunction `json:"signature,omitempty"`

	src wire.Source
}

// A CalledFunction is the signature of a function that failed. Its members
// differ from those of a [FunctionSignature].
type CalledFunction struct {
	// Name is the function's name. Always present.
	Name string `json:"name"`

	// Params lists the parameters. Always present.
	Params []*CalledParameter `json:"params"`

	// VariadicParam describes any further arguments. Absent (nil) if the
	// function takes none.
	VariadicParam *CalledParameter `json:"variadic_param,omitempty"`

	// ReturnType is the type of the result in cty's JSON notation. Always present.
	ReturnType Value `json:"return_type"`

	// Description is the description. Absent if empty.
	Description string `json:"description,omitempty"`

	// DescriptionKind is the markup of Description. Absent if empty.
	DescriptionKind DescriptionKind `json:"description_kind,omitempty"`

	src wire.Source
}

// A CalledParameter is a parameter of a function that failed.
type CalledParameter struct {
	// Name is the name. Always present.
	Name string `json:"name"`

	// Type is the type in cty's JSON notation. Always present.
	Type Value `json:"type"`

	// Description is the description. Absent if empty.
	Description string `json:"description,omitempty"`

	// DescriptionKind is the markup of Description. Absent if empty.
	DescriptionKind DescriptionKind `json:"description_kind,omitempty"`

	src wire.Source
}

// A TestAssertionExpr shows both sides of a failed assertion. Terraform 1.12.
type TestAssertionExpr struct {
	// LHS and RHS are the two sides in words. Always present.
	LHS string `json:"lhs"`
	RHS string `json:"rhs"`

	// Warning is a remark, for example on sides of different types. Always present.
	Warning string `json:"warning"`

	// ShowVerbose reports whether the sides are worth showing. Always present.
	ShowVerbose bool `json:"show_verbose"`

	src wire.Source
}
