// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/internal/wire"
)

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
