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

// A Validation configures [Validate]. The zero Validation makes the checks
// of the validate command of the dialect's program, without schemas.
type Validation struct {
	// Schemas, if not nil, has the schemas of providers. Without them, the
	// arguments of their resources are not checked. The schemas of the built-in
	// provider are always known. What a schema marks as deprecated gives a
	// warning, which the programs leave to the provider: they ask it about known
	// values in blocks without errors. Values from deprecated attributes give one
	// as in OpenTofu 1.12, but at their expression, also in the blocks of a provider;
	// other programs warn of references to such attributes.
	Schemas *hclconfig.Schemas
	// Plan adds the errors that the plan command, without options, finds in a
	// configuration that the validate command accepts, as far as they depend on
	// the configuration alone and not on the state or on the values of the root
	// module's variables: resources that refer to themselves, moved blocks that
	// contradict the configuration or each other, removed blocks of objects that
	// are still there, imports into nothing or twice into the same instance, and
	// whatever the known instances and inputs of modules make wrong. Objects with
	// more than 1000 instances have no known ones for moved blocks and indexes,
	// and of more than 1000 moved blocks only those from one address to the same
	// address make a cycle.
	Plan bool
}

// Validate returns the faults that the program of the dialect of t finds in
// the module and those that it calls. It first checks the files by themselves,
// as [ValidateModule] does; without an error there, it checks them together.
// The summaries and places are those of the program. Like the program, it does
// not check objects that depend on a faulty one.
//
// Like the program, it also checks each local module that a run of a test file is
// about, if the tree has test files: see [hclconfig.TestDirectory].
//
// Diagnostics come in the order of the files and of the text. A module that is
// called several times is reported once.
func Validate(t *hclnames.Tree, v Validation) hclconfig.Diagnostics {
	if t == nil || t.Module == nil {
		return nil
	}
	return treecheck.Validate(t, (*provschema.Schemas)(v.Schemas).Providers(), v.Plan)
}

// ValidateFile returns all faults of a file by itself: those of
// [hclconfig.File.Diagnostics] and those in expressions. The latter are
// templates in JSON that do not parse, invalid references and addresses,
// literals that are not constant, defaults that are not of their variable's
// type, conditions that check nothing, missing arguments, and features that the
// file's dialect does not have. Old spellings that OpenTofu complains about are
// warnings. It does not know the schemas of providers and does not resolve
// references. It returns nil for a nil file.
func ValidateFile(f *hclconfig.File) hclconfig.Diagnostics {
	if f == nil {
		return nil
	}
	return hclsource.Sorted(append(f.Diagnostics(), filecheck.File(f, false)...))
}

// ValidateModule returns the faults found by [hclconfig.Module.Diagnostics] and,
// for each file, by [ValidateFile]. It returns nil for a nil module.
func ValidateModule(m *hclconfig.Module) hclconfig.Diagnostics {
	if m == nil {
		return nil
	}
	return filecheck.Module(m, false)
}
