// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// A Run is a run block of a test file: one plan or apply, and what must be true
// after it. Runs happen in the order of the text.
type Run struct {
	// Block is the block, and Name its label.
	Block   *Block
	Name    string
	Command string // "plan", "apply", or "" if absent, which means apply
	// PlanOptions is the plan_options block, or nil if there is none.
	PlanOptions *PlanOptions
	// Variables are the arguments of the nested variables block: values for
	// input variables of the module. They win over those of the file.
	Variables []*Argument
	// Providers says which provider configurations of the test file the module
	// gets, as in a [ModuleCall]. If absent, it gets all by their names.
	Providers Expression
	// ExpectFailures is a list of references to the objects whose conditions
	// must fail.
	ExpectFailures Expression
	Module         *RunModule // nil if the module under test is run
	// Asserts are the assert blocks in order.
	Asserts []*CheckRule
	// Overrides are the override_resource, override_data and override_module
	// blocks that hold for this run, in order.
	Overrides []*Override
	// StateKey names the state that the run uses, Parallel says whether it may
	// happen together with others, and SkipCleanup whether its objects stay.
	// They are Terraform's (since 1.11, 1.12 and 1.13).
	StateKey              Text
	Parallel, SkipCleanup Flag
}

// PlanOptions are how the plan of a run is made: its plan_options block.
type PlanOptions struct {
	Block   *Block // the block as it is written
	Mode    string // "normal", "refresh-only", or "" if absent, which means normal
	Refresh Flag   // whether objects are read anew; if absent, they are
	// Replace and Target are lists of references, as the command-line options
	// -replace and -target give them.
	Replace, Target Expression
}

// A RunModule is the module block of a run: another module that the run plans
// or applies instead of the one under test.
type RunModule struct {
	Block *Block // the block as it is written
	// Source and Version are as in a [ModuleCall], but always literals.
	Source, Version Text
}

func newRun(b *Block) *Run {
	r := &Run{
		Block: b, Name: b.label(0), Command: b.expr("command").Keyword(),
		Providers: b.expr("providers"), ExpectFailures: b.expr("expect_failures"), Asserts: b.rules("assert"),
		StateKey: b.textArg("state_key"), Parallel: b.flagArg("parallel"), SkipCleanup: b.flagArg("skip_cleanup"),
	}
	for i := range b.Body.Blocks {
		switch n := &b.Body.Blocks[i]; n.Type {
		case "plan_options":
			r.PlanOptions = &PlanOptions{
				Block: n, Mode: n.expr("mode").Keyword(), Refresh: n.flagArg("refresh"), Replace: n.expr("replace"), Target: n.expr("target"),
			}
		case "variables":
			for j := range n.Body.Arguments {
				r.Variables = append(r.Variables, &n.Body.Arguments[j])
			}
		case "module":
			r.Module = &RunModule{Block: n, Source: n.textArg("source"), Version: n.textArg("version")}
		case "override_resource", "override_data", "override_module":
			r.Overrides = append(r.Overrides, newOverride(n))
		}
	}
	return r
}

// An Override is an override_resource, override_data or override_module block
// of a test: values that stand in for what a resource or a module would give.
// It has nothing to do with override files, for which see [Overridden].
type Override struct {
	// Block is the block: its Type says which of the three it is.
	Block *Block
	// Target is the address of the resource or module:
	// [Expression.Address] reads it.
	Target Expression
	// Values is an object of literals: the argument values, or outputs if it
	// is about a module. It may be absent. Attributes of a resource that it
	// lacks are made up.
	Values Expression
}

func newOverride(b *Block) *Override {
	values := "values"
	if b.Type == "override_module" {
		values = "outputs"
	}
	return &Override{Block: b, Target: b.expr("target"), Values: b.expr(values)}
}

// A MockProvider is a mock_provider block of a test file: a stand-in for a
// provider, which makes values up.
type MockProvider struct {
	// Block is the block; Name, its label, is the local name of the provider.
	Block *Block
	Name  string
	// Alias is as in a [Provider].
	Alias Text
	// ForEach is as in a [Provider] (since OpenTofu 1.11; not in Terraform).
	ForEach Expression
	// Source is a directory of Terraform's mock files. OpenTofu has none.
	Source Text
	// Mocks are the mock_resource and mock_data blocks, and Overrides the
	// override_resource and override_data blocks, each in order.
	Mocks     []*Mock
	Overrides []*Override
}

// A Mock is a mock_resource or mock_data block: values for all resources of one
// type.
type Mock struct {
	// Block is the block: its Type says which of them it is.
	Block *Block
	// Type is the label, a resource type.
	Type string
	// Defaults is an object of literals. What it lacks is made up.
	Defaults Expression
}

func newMockProvider(b *Block) *MockProvider {
	p := &MockProvider{
		Block: b, Name: b.label(0), Alias: b.textArg("alias"), ForEach: b.expr("for_each"), Source: b.textArg("source"),
	}
	for i := range b.Body.Blocks {
		switch n := &b.Body.Blocks[i]; n.Type {
		case "override_resource", "override_data":
			p.Overrides = append(p.Overrides, newOverride(n))
		default:
			p.Mocks = append(p.Mocks, &Mock{Block: n, Type: n.label(0), Defaults: n.expr("defaults")})
		}
	}
	return p
}
