// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import "github.com/tofuwire/tofuwire/internal/hcllang"

// A Config holds the declarations of a file or a module as typed blocks. Each
// list is in the order of the text; those of a module are in the order in which
// OpenTofu reads the files. A list is nil if there is nothing of its kind.
//
// The typed blocks are for reading: changing a field does not change the file.
// The [Block] of each is never nil and knows its file and place. Package
// hcledit changes files by these Blocks.
//
// A field for an argument that is absent is the zero [Expression], [Text],
// [Flag] or [ProviderRef]: IsSet reports false. A field for a label that a
// broken block lacks is empty. A Config is not checked: faults are among the
// diagnostics of the [File] or [Module].
//
// In a [Module], the fields include the changes made by override files, but
// Block is still the block of the primary file, whose own arguments may have
// been overridden.
type Config struct {
	Settings  []*Settings   // terraform blocks
	Languages []*Language   // language blocks, of OpenTofu only
	Providers []*Provider   // provider blocks
	Variables []*Variable   // variable blocks
	Locals    []*Local      // the arguments of all locals blocks
	Outputs   []*Output     // output blocks
	Calls     []*ModuleCall // module blocks
	Resources []*Resource   // resource blocks
	Data      []*Resource   // data blocks, without those of check blocks
	Ephemeral []*Resource   // ephemeral blocks
	Moved     []*Moved      // moved blocks
	Imports   []*Import     // import blocks
	Removed   []*Removed    // removed blocks
	Checks    []*Check      // check blocks
	Actions   []*Action     // action blocks, of Terraform only

	// Lists has the list blocks of one of Terraform's query files.
	Lists []*QueryList

	// The following are of test files only: run blocks, the arguments of the
	// file's variables block, mock_provider blocks, and the blocks that
	// override resources and modules outside of runs.
	Runs          []*Run
	TestVariables []*Argument
	MockProviders []*MockProvider
	Overrides     []*Override
}

// Config returns the declarations of the file. Each call makes a new Config,
// which the caller owns; the blocks that it refers to belong to the file. Blocks
// without a list, such as mock_resource in a mock file or those of a type that
// the file must not have, are only in [File.Body].
func (f *File) Config() *Config {
	if f == nil {
		return nil
	}
	c := new(Config)
	c.add(&f.read().body)
	return c
}

// add appends the declarations of the root body b.
func (c *Config) add(b *Body) {
	for i := range b.Blocks {
		c.addBlock(&b.Blocks[i])
	}
}

func (c *Config) addBlock(b *Block) {
	switch b.spec {
	case hcllang.TerraformBlock:
		c.Settings = append(c.Settings, newSettings(b))
	case hcllang.LanguageBlock:
		c.Languages = append(c.Languages, newLanguage(b))
	case hcllang.ProviderBlock:
		c.Providers = append(c.Providers, newProvider(b))
	case hcllang.VariableBlock, hcllang.TestVariableBlock:
		c.Variables = append(c.Variables, newVariable(b))
	case hcllang.LocalsBlock:
		for i := range b.Body.Arguments {
			a := &b.Body.Arguments[i]
			c.Locals = append(c.Locals, &Local{Argument: a, Name: a.Name, Block: b})
		}
	case hcllang.OutputBlock:
		c.Outputs = append(c.Outputs, newOutput(b))
	case hcllang.ModuleBlock:
		c.Calls = append(c.Calls, newModuleCall(b))
	case hcllang.ResourceBlock:
		c.Resources = append(c.Resources, newResource(b))
	case hcllang.DataBlock:
		c.Data = append(c.Data, newResource(b))
	case hcllang.EphemeralBlock:
		c.Ephemeral = append(c.Ephemeral, newResource(b))
	case hcllang.MovedBlock:
		c.Moved = append(c.Moved, &Moved{Block: b, From: b.expr("from"), To: b.expr("to")})
	case hcllang.ImportBlock:
		c.Imports = append(c.Imports, newImport(b))
	case hcllang.RemovedBlock:
		c.Removed = append(c.Removed, newRemoved(b))
	case hcllang.CheckBlock:
		c.Checks = append(c.Checks, newCheck(b))
	case hcllang.ActionBlock:
		c.Actions = append(c.Actions, newAction(b))
	default:
		c.addOther(b)
	}
}

// addOther adds a block of a test, mock or query file.
func (c *Config) addOther(b *Block) {
	if b.spec == nil || len(b.Labels) < len(b.spec.Labels) {
		return
	}
	switch b.Type {
	case "run":
		c.Runs = append(c.Runs, newRun(b))
	case "variables":
		for i := range b.Body.Arguments {
			c.TestVariables = append(c.TestVariables, &b.Body.Arguments[i])
		}
	case "mock_provider":
		c.MockProviders = append(c.MockProviders, newMockProvider(b))
	case "override_resource", "override_data", "override_module":
		c.Overrides = append(c.Overrides, newOverride(b))
	case "list":
		c.Lists = append(c.Lists, newQueryList(b))
	}
}
