// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// A Run is a run block of a test file. Runs happen in the order of the text.
type Run struct {
	Block          *Block
	Name           string
	Command        string // "plan", "apply", or "" for apply
	PlanOptions    *PlanOptions
	Variables      []*Argument
	Providers      Expression
	ExpectFailures Expression
	Module         *RunModule // nil if the module under test is run
	Asserts        []*CheckRule
	Overrides      []*Override
	StateKey       Text // Terraform only
	Parallel       Flag // Terraform only
	SkipCleanup    Flag // Terraform only
}

// PlanOptions are how the plan of a run is made.
type PlanOptions struct {
	Block           *Block
	Mode            string // "normal", "refresh-only", or "" for normal
	Refresh         Flag   // true if absent
	Replace, Target Expression
}

// A RunModule is another module that a run tests.
type RunModule struct {
	Block           *Block
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
// of a test.
type Override struct {
	Block  *Block
	Target Expression
	// Values are the values of a resource or the outputs of a module.
	Values Expression
}

func newOverride(b *Block) *Override {
	values := "values"
	if b.Type == "override_module" {
		values = "outputs"
	}
	return &Override{Block: b, Target: b.expr("target"), Values: b.expr(values)}
}

// A MockProvider is a mock_provider block of a test file.
type MockProvider struct {
	Block     *Block
	Name      string
	Alias     Text
	ForEach   Expression // OpenTofu only
	Source    Text       // Terraform only
	Mocks     []*Mock
	Overrides []*Override
}

// A Mock is a mock_resource or mock_data block.
type Mock struct {
	Block    *Block
	Type     string
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
