// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck/internal/filecheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck/internal/treecheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// A Validation configures [Validate]. With the zero Validation, it makes the checks
// of the validate command of the dialect's program, without schemas.
type Validation struct {
	// Schemas, if not nil, has the schemas of providers. Without them, the arguments of their
	// resources are not checked. They may be schemas of the same provider in another registry. The
	// schemas of the built-in provider are always known. Attributes and blocks that a schema marks
	// as deprecated give a warning, in blocks without errors. (The programs leave that warning to
	// the provider.) A value that comes from a deprecated attribute gives a warning as OpenTofu
	// 1.12 has it: in the block of a provider, its place is the argument whose name is the last in
	// the order of the alphabet, or the block if it is not set. Other programs warn about
	// references to such attributes.
	Schemas *hclconfig.Schemas
	// Kits adds diagnostics of the provider kits (the plugin framework and SDK 2) that
	// follow from the schemas: read-only attributes that are set, required attributes that
	// are null, single blocks that are missing although an argument in them is required,
	// and deprecated resource types. The kit is detected from the schema of the resource.
	// A provider made without a kit may accept all of these, so nothing is added for a
	// provider with a schema that no kit produces, such as blocks that nest as a map, or
	// for the built-in provider.
	Kits bool
	// Plan adds errors that the plan command, without options, finds in a
	// configuration that the validate command accepts. They are the errors that
	// depend on the configuration alone, and not on the state or on the values of
	// the root module's variables: resources that refer to themselves, moved
	// blocks that contradict the configuration or each other, removed blocks for
	// objects that still exist, imports into nothing or twice into the same
	// instance, and errors that follow from the known instances and inputs of
	// modules. The instances of an object with more than 1000 of them count as
	// unknown for moved blocks and indexes. If there are more than 1000 moved
	// blocks, the only cycles found are those of blocks from an address to
	// itself.
	Plan bool
}

// OldestTerraform is the oldest release of Terraform whose rules are known: 1.5. See [IsOld].
const OldestTerraform = hclconfig.Terraform | hclconfig.Dialect(hclsource.OldestRules)<<1

// IsOld reports whether the rules of the release of d are not known. [Validate], [ValidateModule]
// and [ValidateFile] then report each feature of the configuration that the release lacks (see
// [hclnames.FeaturesOf]), and the other faults by the rules of [OldestTerraform].
func IsOld(d hclconfig.Dialect) bool { return hclsource.Rules(d) != hclsource.Release(d) }

// Validate returns the faults that the program of t's dialect finds in the module
// and in the modules that it calls. It first checks the files by themselves, as
// [ValidateModule] does; if there is no error, it then checks them together. The
// summaries and places are those of the program. Like the program, it does not
// check objects that depend on a faulty one.
//
// If the tree has test files (see [hclconfig.TestDirectory]), it also checks each
// local module that one of their run blocks tests, as the program does.
//
// Diagnostics come in the order of the files and of the text. A module that is
// called several times is reported once.
func Validate(t *hclnames.Tree, v Validation) hclconfig.Diagnostics {
	if t == nil || t.Module == nil {
		return nil
	}
	return treecheck.Validate(t, (*provschema.Schemas)(v.Schemas).Providers(), v.Plan, v.Kits)
}

// ValidateFile returns the faults that the program of the file's dialect finds in the
// file by itself: those of [hclconfig.File.Diagnostics], in the words of the program,
// and those in expressions. The latter are templates in JSON that do not parse, invalid
// references and addresses, literals that are not constant, defaults that are not of
// their variable's type, conditions that check nothing, missing arguments, and features
// that the file's dialect does not have. Deprecated syntax that OpenTofu warns about is
// a warning. Values are not checked: [Validate] finds a count of -1. It does not know
// the schemas of providers and does not resolve references. It returns nil for a nil
// file.
func ValidateFile(f *hclconfig.File) hclconfig.Diagnostics {
	if f == nil {
		return nil
	}
	return hclsource.Sorted(filecheck.Alone(f))
}

// ValidateModule returns the faults found by [hclconfig.Module.Diagnostics] and,
// in each file, by [ValidateFile]. It returns nil for a nil module.
func ValidateModule(m *hclconfig.Module) hclconfig.Diagnostics {
	if m == nil {
		return nil
	}
	return filecheck.Module(m)
}
