// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// A Config is what a file, or a module, declares: its blocks, typed. Each list
// is in the order of the text; those of a module are in the order in which
// OpenTofu reads the files.
//
// The typed blocks are for reading. Each has its [Block], which knows the file
// and the place and is what an [Editor] changes.
type Config struct {
	Settings  []*Settings // terraform blocks
	Languages []*Language
	Providers []*Provider
	Variables []*Variable
	Locals    []*Local
	Outputs   []*Output
	Calls     []*ModuleCall
	Resources []*Resource
	Data      []*Resource
	Ephemeral []*Resource
	Moved     []*Moved
	Imports   []*Import
	Removed   []*Removed
	Checks    []*Check
	Actions   []*Action // Terraform only

	// Query files of Terraform only.
	Lists []*QueryList

	// Test files only.
	Runs          []*Run
	TestVariables []*Argument // of the file's variables block
	MockProviders []*MockProvider
	Overrides     []*Override
}

// Config returns what the file declares. It is made anew by each call.
func (f *File) Config() *Config {
	c := new(Config)
	c.add(&f.body)
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
	case terraformSpec:
		c.Settings = append(c.Settings, newSettings(b))
	case languageSpec:
		c.Languages = append(c.Languages, newLanguage(b))
	case providerSpec:
		c.Providers = append(c.Providers, newProvider(b))
	case variableSpec, testVariableSpec:
		c.Variables = append(c.Variables, newVariable(b))
	case localsSpec:
		for i := range b.Body.Arguments {
			a := &b.Body.Arguments[i]
			c.Locals = append(c.Locals, &Local{Argument: a, Name: a.Name, Block: b})
		}
	case outputSpec:
		c.Outputs = append(c.Outputs, newOutput(b))
	case moduleSpec:
		c.Calls = append(c.Calls, newModuleCall(b))
	case resourceSpec:
		c.Resources = append(c.Resources, newResource(b))
	case dataSpec:
		c.Data = append(c.Data, newResource(b))
	case ephemeralSpec:
		c.Ephemeral = append(c.Ephemeral, newResource(b))
	case movedSpec:
		c.Moved = append(c.Moved, &Moved{Block: b, From: b.expr("from"), To: b.expr("to")})
	case importSpec:
		c.Imports = append(c.Imports, newImport(b))
	case removedSpec:
		c.Removed = append(c.Removed, newRemoved(b))
	case checkSpec:
		c.Checks = append(c.Checks, newCheck(b))
	case actionSpec:
		c.Actions = append(c.Actions, newAction(b))
	default:
		c.addOther(b)
	}
}

// addOther adds a block of a test, mock or query file.
func (c *Config) addOther(b *Block) {
	if b.spec == nil || len(b.Labels) < len(b.spec.labels) {
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
	Value    string
	Argument *Argument
}

// IsSet reports whether the argument is there.
func (t Text) IsSet() bool { return t.Argument != nil }

// A Flag is a literal boolean argument. It is absent if Argument is nil.
type Flag struct {
	// Value is false if the argument is absent or no constant.
	Value    bool
	Argument *Argument
}

// IsSet reports whether the argument is there.
func (f Flag) IsSet() bool { return f.Argument != nil }

// Or returns the value, or otherwise if the argument is absent.
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
	s, _ := a.Text() // what is no constant text is reported by Check
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
	Block        *Block
	Condition    Expression
	ErrorMessage Expression
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
	own := &Body{file: b.file, spec: openBlock, at: b.at, from: []*Body{b}}
	own.addOwn(b)
	return own
}

func (b *Body) addOwn(from *Body) {
	spec := from.spec
	if spec == nil {
		spec = openBlock
	}
	n := 0
	for i := range from.Arguments {
		if spec.lookup(from.Arguments[i].Name).arg == nil {
			n++
		}
	}
	if b.Arguments == nil && n > 0 {
		b.Arguments = make([]Argument, 0, n)
	}
	for i := range from.Arguments {
		if spec.lookup(from.Arguments[i].Name).arg == nil {
			b.Arguments = append(b.Arguments, from.Arguments[i])
		}
	}
	for i := range from.Blocks {
		block := &from.Blocks[i]
		switch {
		case block.Type == "_" && block.spec != openBlock:
			b.addOwn(&block.Body)
		case spec.lookup(block.Type).block == nil || block.spec == dynamicSpec:
			b.Blocks = append(b.Blocks, *block)
		}
	}
}
