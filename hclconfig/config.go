// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import "github.com/tofuwire/tofuwire/internal/hcllang"

// A Config is what a file, or a module, declares: its blocks, typed. Each list
// is in the order of the text; those of a module are in the order in which
// OpenTofu reads the files. A list is nil if there is nothing of its kind.
//
// The typed blocks are for reading: to change one of their fields changes no
// file. Each has its [Block], which is never nil, knows the file and the place,
// and is what an [Editor] changes.
//
// A field for an argument that is absent is the zero [Expression], [Text],
// [Flag] or [ProviderRef]: IsSet reports false. A field for a label that a
// broken block lacks is empty. Nothing is checked here: what is wrong is among
// the diagnostics of the [File] or [Module].
//
// In a [Module] the fields are those after the override files, and Block is
// still the block of the primary file: its own arguments may be overridden ones.
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

// Config returns what the file declares. It is made anew by each call and is
// the caller's, but the blocks that it refers to are the file's. Blocks that are
// in none of its lists, such as mock_resource in a mock file, or those of a type
// that has no place in the file, are in [File.Body] only.
func (f *File) Config() *Config {
	if f == nil {
		return nil
	}
	c := new(Config)
	c.add(&f.read().body)
	return c
}

// add appends what the root body b declares.
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

// A Text is a literal string argument. It is absent if Argument is nil.
type Text struct {
	// Value is the text, or empty if it is absent or no constant.
	Value string
	// Argument is the argument, with its expression and place, or nil.
	Argument *Argument
}

// IsSet reports whether the argument is there.
func (t Text) IsSet() bool { return t.Argument != nil }

// A Flag is a literal boolean argument. It is absent if Argument is nil.
type Flag struct {
	// Value is the boolean. It is false if the argument is absent or no
	// constant.
	Value bool
	// Argument is the argument, with its expression and place, or nil.
	Argument *Argument
}

// IsSet reports whether the argument is there.
func (f Flag) IsSet() bool { return f.Argument != nil }

// Or returns the value, or otherwise if the argument is absent: what absence
// means differs from one argument to another.
func (f Flag) Or(otherwise bool) bool {
	if f.IsSet() {
		return f.Value
	}
	return otherwise
}

// expr returns the expression of an argument, or the zero Expression.
func (b *Block) expr(name string) Expression {
	if b == nil {
		return Expression{}
	}
	if a := b.Argument(name); a != nil {
		return a.Expression
	}
	return Expression{}
}

func (b *Block) textArg(name string) Text {
	if b == nil {
		return Text{}
	}
	a := b.Argument(name)
	if a == nil {
		return Text{}
	}
	s, _ := a.Text() // what is no constant text is reported by Validate
	return Text{Value: s, Argument: a}
}

func (b *Block) flagArg(name string) Flag {
	if b == nil {
		return Flag{}
	}
	a := b.Argument(name)
	if a == nil {
		return Flag{}
	}
	v, _ := a.Bool()
	return Flag{Value: v, Argument: a}
}

// label returns label i, or "" where a broken block lacks it.
func (b *Block) label(i int) string {
	if i < len(b.Labels) {
		return b.Labels[i]
	}
	return ""
}

// A CheckRule is a block with a condition and a message: a validation, a
// precondition, a postcondition or an assertion.
type CheckRule struct {
	// Block is the block: its Type says which of these it is.
	Block *Block
	// Condition must be true, and ErrorMessage is the text to show if it is
	// not. Both may be any expression; neither is absent in a valid block.
	Condition, ErrorMessage Expression
}

// rules returns the nested blocks of that type.
func (b *Block) rules(typ string) []*CheckRule {
	if b == nil {
		return nil
	}
	var out []*CheckRule
	for r := range b.Body.BlocksOfType(typ) {
		out = append(out, &CheckRule{Block: r, Condition: r.expr("condition"), ErrorMessage: r.expr("error_message")})
	}
	return out
}

// Own returns the part of the body that is not the language's: the arguments
// and blocks that belong to the schema of a provider, provisioner or backend,
// or that are a module's input variables. Those of the escape block "_" are
// among them.
func (b *Body) Own() *Body {
	if b == nil {
		return nil
	}
	own := &Body{file: b.file, spec: hcllang.Open, at: b.at, from: []*Body{b}}
	own.addOwn(b)
	return own
}

func (b *Body) addOwn(from *Body) {
	spec := from.spec
	if spec == nil {
		spec = hcllang.Open
	}
	n := 0
	for i := range from.Arguments {
		if spec.Lookup(from.Arguments[i].Name).Arg == nil {
			n++
		}
	}
	if b.Arguments == nil && n > 0 {
		b.Arguments = make([]Argument, 0, n)
	}
	for i := range from.Arguments {
		if spec.Lookup(from.Arguments[i].Name).Arg == nil {
			b.Arguments = append(b.Arguments, from.Arguments[i])
		}
	}
	for i := range from.Blocks {
		block := &from.Blocks[i]
		switch {
		case block.Type == "_" && block.spec != hcllang.Open:
			b.addOwn(&block.Body)
		case spec.Lookup(block.Type).Block == nil || block.spec == hcllang.Dynamic:
			b.Blocks = append(b.Blocks, *block)
		}
	}
}
