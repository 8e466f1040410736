// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// Functions is the document that "metadata functions -json" prints: the
// functions of the language. Terraform 1.4, OpenTofu 1.6.
//
// Source: OpenTofu internal/command/jsonfunction.
//
//wire:kind
type Functions struct {
	// FormatVersion is the version of the format, "1.0" today. Always present.
	FormatVersion string `json:"format_version"`

	// FunctionSignatures holds the functions by name. Since Terraform 1.8 and
	// OpenTofu 1.7 each is repeated with the prefix "core::". Absent if there
	// is none.
	FunctionSignatures map[string]*FunctionSignature `json:"function_signatures,omitempty"`

	src wire.Source
}

func (v *Functions) kind() (k DocumentKind, sure bool) {
	return DocumentFunctions, v.FunctionSignatures != nil
}

// A FunctionSignature is the signature of a function of the language.
type FunctionSignature struct {
	// Description is the description. Absent if empty.
	Description string `json:"description,omitempty"`

	// Summary is a short description. Absent if empty. Terraform 1.8.
	Summary string `json:"summary,omitempty"`

	// DeprecationMessage says what to use instead. Absent if empty.
	// Terraform 1.8.
	DeprecationMessage string `json:"deprecation_message,omitempty"`

	// ReturnType is the type of the result in cty's JSON notation; "dynamic"
	// if it depends on the arguments. Always present.
	ReturnType Value `json:"return_type"`

	// Parameters lists the parameters. Absent if there is none.
	Parameters []*FunctionParameter `json:"parameters,omitempty"`

	// VariadicParameter describes any further arguments. Absent (nil) if the
	// function takes none.
	VariadicParameter *FunctionParameter `json:"variadic_parameter,omitempty"`

	src wire.Source
}

// A FunctionParameter is a parameter of a function of the language.
type FunctionParameter struct {
	// Name is the name. Absent if empty.
	Name string `json:"name,omitempty"`

	// Description is the description. Absent if empty.
	Description string `json:"description,omitempty"`

	// IsNullable reports whether null is accepted. Absent if false.
	IsNullable bool `json:"is_nullable,omitempty"`

	// Type is the type in cty's JSON notation. Always present.
	Type Value `json:"type"`

	src wire.Source
}

// A ProviderFunction is the signature of a function of a provider. It is not a
// [FunctionSignature], because OpenTofu always writes other members of it, and
// in another order.
//
//wire:terraform -description -summary
type ProviderFunction struct {
	// Description is the description. OpenTofu writes it even if it is empty.
	Description string `json:"description"`

	// Summary is a short description. OpenTofu writes it even if it is empty.
	Summary string `json:"summary"`

	// DeprecationMessage says what to use instead. Absent if empty. Only
	// Terraform writes it.
	DeprecationMessage string `json:"deprecation_message,omitempty"`

	// ReturnType is the type of the result in cty's JSON notation. Always present.
	ReturnType Value `json:"return_type"`

	// Parameters lists the parameters. Absent if there is none.
	Parameters []*ProviderFunctionParameter `json:"parameters,omitempty"`

	// VariadicParameter describes any further arguments. Absent (nil) if the
	// function takes none.
	VariadicParameter *ProviderFunctionParameter `json:"variadic_parameter,omitempty"`

	src wire.Source
}

// A ProviderFunctionParameter is a parameter of a function of a provider.
//
//wire:terraform -name -description is_nullable<type
type ProviderFunctionParameter struct {
	// Name is the name. OpenTofu writes it even if it is empty.
	Name string `json:"name"`

	// Description is the description. OpenTofu writes it even if it is empty.
	Description string `json:"description"`

	// Type is the type in cty's JSON notation. Always present. In Terraform
	// it comes after IsNullable.
	Type Value `json:"type"`

	// IsNullable reports whether null is accepted. Absent if false.
	IsNullable bool `json:"is_nullable,omitempty"`

	src wire.Source
}
