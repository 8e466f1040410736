// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// A Diagnostic is an error or a warning. The JSON is that of the type with the
// same name in package planjson: each can be decoded as the other.
type Diagnostic struct {
	Severity Severity `json:"severity"` // error or warning
	Summary  string   `json:"summary"`  // one line
	Detail   string   `json:"detail"`   // may be empty

	// Address is the resource instance at fault, which links the diagnostic
	// to the hooks of that instance.
	Address string `json:"address,omitempty"`

	// Range is the place in the configuration. If the source was not available,
	// Range is set and Snippet is not.
	Range   *Range   `json:"range,omitempty"`
	Snippet *Snippet `json:"snippet,omitempty"`

	// Difference holds both sides of a comparison that failed, in OpenTofu 1.11
	// and newer. It shows sensitive values in clear text.
	Difference *Difference `json:"difference,omitempty"`

	DeprecationOriginDescription string   `json:"deprecation_origin_description,omitempty"` // Terraform 1.15 and newer
	PolicyRange                  *Range   `json:"policy_range,omitempty"`                   // Terraform 1.16 and newer
	PolicySnippet                *Snippet `json:"policy_snippet,omitempty"`                 // Terraform 1.16 and newer

	src wire.Source
}

// A Severity distinguishes errors from warnings.
// Its values include [SeverityError], [SeverityWarning] and [SeverityUnknown].
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityUnknown Severity = "unknown"
)

// A Range is a part of a source file, from Start up to but not including End.
// Filename may be empty, as in diagnostics about the command line.
type Range struct {
	Filename string `json:"filename"` // relative to the module's directory
	Start    Pos    `json:"start"`    // the first character
	End      Pos    `json:"end"`      // the one after the last

	src wire.Source
}

// A Pos is a place in a source file. Line and Column count from 1, Byte from
// 0. Column counts grapheme clusters, which a reader sees as
// characters; [Diagnostic.Highlight] has the place in bytes.
type Pos struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 1, in grapheme clusters
	Byte   int `json:"byte"`   // from 0

	src wire.Source
}

// A Snippet is the source text that a diagnostic is about: whole lines.
type Snippet struct {
	// Context is a string that names the enclosing block, such as
	// resource "a" "b", or null if there is none. See [Value.Text].
	Context Value `json:"context"`

	// The lines of Code end in LF, whatever the line ends of the file are.
	Code      string `json:"code"`
	StartLine int    `json:"start_line"`

	// The offsets of the part of Code at fault count bytes. The tools compute
	// them on the file, so they are too large if it has CRLF line endings:
	// [Diagnostic.Highlight] does better.
	HighlightStartOffset int `json:"highlight_start_offset"`
	HighlightEndOffset   int `json:"highlight_end_offset"`

	// Values holds the values of the expressions in Code. In policy snippets
	// the list may be null.
	Values []*ExpressionValue `json:"values"`

	FunctionCall      *FunctionCall      `json:"function_call,omitempty"`
	TestAssertionExpr *TestAssertionExpr `json:"test_assertion_expr,omitempty"` // Terraform 1.12 and newer

	src wire.Source
}

// An ExpressionValue is the value of one expression of a [Snippet].
type ExpressionValue struct {
	Traversal string `json:"traversal"` // such as "var.name"
	Statement string `json:"statement"` // such as `is "x"`

	src wire.Source
}

// A FunctionCall identifies a function call that had a wrong argument.
type FunctionCall struct {
	CalledAs  string          `json:"called_as"`           // the name in the call, perhaps with a namespace
	Signature *CalledFunction `json:"signature,omitempty"` // nil if the function is not known

	src wire.Source
}

// A CalledFunction is the signature of a function that failed. Types are in the
// notation of cty.
type CalledFunction struct {
	Name            string             `json:"name"`                       // without a namespace
	Params          []*CalledParameter `json:"params"`                     // in order
	VariadicParam   *CalledParameter   `json:"variadic_param,omitempty"`   // for any number of further arguments
	ReturnType      Value              `json:"return_type"`                // a type
	Description     string             `json:"description,omitempty"`      // for people
	DescriptionKind string             `json:"description_kind,omitempty"` // its markup: "plain" or "markdown"

	src wire.Source
}

// A CalledParameter is a parameter of a function that failed.
type CalledParameter struct {
	Name            string `json:"name"`                       // for messages
	Type            Value  `json:"type"`                       // a type
	Description     string `json:"description,omitempty"`      // for people
	DescriptionKind string `json:"description_kind,omitempty"` // its markup: "plain" or "markdown"

	src wire.Source
}

// A TestAssertionExpr has both sides of a comparison that failed in a test.
type TestAssertionExpr struct {
	LHS         string `json:"lhs"`          // the left side, rendered
	RHS         string `json:"rhs"`          // the right side, rendered
	Warning     string `json:"warning"`      // reason to doubt the comparison, if any
	ShowVerbose bool   `json:"show_verbose"` // whether the tool would show more

	src wire.Source
}

// A Difference has the form of a change in a plan document. In practice it
// holds Before and After, the two sides of the comparison, and marks for their
// unknown and sensitive parts: true for all, or an object or list that has true
// at those places.
type Difference struct {
	Actions         []Action `json:"actions,omitempty"`          // as in a plan; not in practice
	Before          Value    `json:"before,omitempty"`           // the left side
	After           Value    `json:"after,omitempty"`            // the right side
	AfterUnknown    Value    `json:"after_unknown,omitempty"`    // unknown parts of After
	BeforeSensitive Value    `json:"before_sensitive,omitempty"` // sensitive parts of Before
	AfterSensitive  Value    `json:"after_sensitive,omitempty"`  // sensitive parts of After
	ReplacePaths    Value    `json:"replace_paths,omitempty"`    // as in a plan; not in practice
	Importing       Value    `json:"importing,omitempty"`        // as in a plan; not in practice
	GeneratedConfig string   `json:"generated_config,omitempty"` // as in a plan; not in practice
	BeforeIdentity  Value    `json:"before_identity,omitempty"`  // as in a plan; not in practice
	AfterIdentity   Value    `json:"after_identity,omitempty"`   // as in a plan; not in practice

	src wire.Source
}
