// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Settings is a terraform block: settings of the module as a whole. A module
// may have several, each with some of the settings. In a [Module], settings
// that an override file replaces are removed from the Settings that had them;
// the new ones are in the Settings of the override file.
type Settings struct {
	Block *Block // the block as it is written
	// RequiredVersion is a constraint on the program's version. OpenTofu
	// 1.12 looks at it only in .tofu and .tofu.json files.
	RequiredVersion Text
	// RequiredProviders has the entries of the required_providers block, in
	// order. [Module.RequiredProviders] also has those that are implied.
	RequiredProviders []*ProviderRequirement
	// Backend and Cloud are where the state is kept: the backend or the cloud
	// block. At most one of them is set; the other is nil.
	Backend, Cloud *Backend
	// ProviderMeta has the provider_meta blocks, at most one for each provider.
	// The label is the local name of the provider.
	ProviderMeta []*Block
	Encryption   *Encryption // nil if there is none; OpenTofu only
	// OpenTofu ignores Experiments and Language. In Terraform they are a list
	// of keywords, and a keyword.
	Experiments, Language Expression
}

func newSettings(b *Block) *Settings {
	t := &Settings{
		Block: b, RequiredVersion: b.textArg("required_version"),
		Experiments: b.expr("experiments"), Language: b.expr("language"),
	}
	for i := range b.Body.Blocks {
		switch n := &b.Body.Blocks[i]; n.Type {
		case "required_providers":
			for j := range n.Body.Arguments {
				t.RequiredProviders = append(t.RequiredProviders, newProviderRequirement(&n.Body.Arguments[j]))
			}
		case "backend":
			t.Backend = &Backend{Block: n, Type: n.label(0)}
		case "cloud":
			t.Cloud = &Backend{Block: n}
		case "provider_meta":
			t.ProviderMeta = append(t.ProviderMeta, n)
		case "encryption":
			t.Encryption = newEncryption(n)
		}
	}
	return t
}

// Constraints returns the constraint on the program's version. Without one, they are the zero
// Constraints, which allow every release. The text is parsed by [addrs.ParseModuleConstraints].
// The error is an [*Error] that wraps the *addrs.Error. A version of more than three numbers is
// such an error, though OpenTofu can compare with one here. If the version is not a constant,
// the error wraps [ErrNotConstant].
func (t *Settings) Constraints() (addrs.Constraints, error) {
	if t == nil {
		return addrs.Constraints{}, nil
	}
	return t.RequiredVersion.constraints(addrs.ParseModuleConstraints)
}

// A Backend is a backend or cloud block: where the state is kept.
type Backend struct {
	// Block is the block. Block.Body has its arguments, which belong to the
	// backend's schema; they are of [KindStatic].
	Block *Block
	// Type is the label of a backend block, such as s3; a cloud block has none.
	Type string
}

// A ProviderRequirement is one entry of a required_providers block.
type ProviderRequirement struct {
	// Argument is the whole entry. Its value is an object, or, in the old
	// form, only a version.
	Argument *Argument
	Name     string // the local name
	// Source and Version are the members of those names, absent where the
	// entry does not have them: the provider's source address, and a version
	// constraint. Methods parse them. Their Argument stands for the member and is no argument of a
	// block: to change it, replace its Expression.
	Source, Version Text
	// ConfigurationAliases are the further configurations that the module
	// expects from its caller, such as aws.west.
	ConfigurationAliases []ProviderRef
}

func newProviderRequirement(a *Argument) *ProviderRequirement {
	p := &ProviderRequirement{Argument: a, Name: a.Name}
	members, ok := a.Members()
	if !ok {
		s, err := a.Text()
		if err == nil {
			p.Version = Text{Value: s, Argument: a}
		}
		return p
	}
	for _, m := range members {
		// A member is an argument in all but name.
		arg := &Argument{Name: m.Name, Expression: m.Value, nameAt: m.Key.at}
		switch m.Name {
		case "source":
			arg.kind = hcllang.KindLiteral
			s, _ := arg.Text()
			p.Source = Text{Value: s, Argument: arg}
		case "version":
			arg.kind = hcllang.KindLiteral
			s, _ := arg.Text()
			p.Version = Text{Value: s, Argument: arg}
		case "configuration_aliases":
			arg.kind = hcllang.KindReferenceList
			elements, _ := arg.Elements()
			for _, e := range elements {
				e.kind = hcllang.KindProviderReference
				p.ConfigurationAliases = append(p.ConfigurationAliases, newProviderRef(e))
			}
		}
	}
	return p
}

// Provider returns the address of the required provider: the source or, without
// one, the address that the local name implies. The host of a source without one
// is always addrs.DefaultHost; [Module.ProviderOf] and
// [Module.RequiredProviders] follow the dialect. The error is an [*Error] at the
// source, or at the local name, that wraps the *addrs.Error.
func (p *ProviderRequirement) Provider() (addrs.Provider, error) {
	if p == nil {
		return addrs.Provider{}, nil
	}
	if !p.Source.IsSet() {
		a, err := addrs.ImpliedProvider(p.Name)
		if err != nil && p.Argument != nil {
			return a, p.Argument.file.fault(int(p.Argument.nameAt.Start), err)
		} else if err != nil {
			return a, &Error{Err: err}
		}
		return a, nil
	}
	a, err := addrs.ParseProvider(p.Source.Value)
	if err != nil {
		return a, p.Argument.file.fault(int(p.Source.Argument.at.Start), err)
	}
	return a, nil
}

// Constraints returns the constraints on the provider's version. Without a
// version they are the zero Constraints, which allow every release. The error is
// an [*Error] that wraps the *addrs.Error, or [ErrNotConstant] if the version is not a
// constant.
func (p *ProviderRequirement) Constraints() (addrs.Constraints, error) {
	if p == nil {
		return addrs.Constraints{}, nil
	}
	return p.Version.constraints(addrs.ParseConfigConstraints)
}

// An Encryption is an encryption block: how OpenTofu encrypts states and plans
// (since 1.7). In a [Module] it is merged with those of override files, label by
// label.
type Encryption struct {
	// Block is the block; in a Module that of the primary file, if it has one.
	Block *Block
	// KeyProviders has the key_provider blocks and Methods the method blocks,
	// in order.
	KeyProviders, Methods []*EncryptionMethod
	// State and Plan are the blocks of those names. If nil, the configuration
	// does not encrypt the state or the plan.
	State, Plan *EncryptionTarget
	// RemoteDefault and Remote are about the states that terraform_remote_state
	// data sources read: the default block, or nil, and the
	// remote_state_data_source blocks in order.
	RemoteDefault *EncryptionTarget
	Remote        []*EncryptionTarget
}

// An EncryptionMethod is a key_provider block, which supplies keys, or a method
// block, which uses them.
type EncryptionMethod struct {
	// Block is the block: its Type says which of the two it is, and its
	// Body.Own has the arguments, which depend on the type and are of
	// [KindStatic].
	Block *Block
	// Type and Name are the labels, such as "aes_gcm" and "main".
	Type, Name string
	// MetadataAlias is the argument encrypted_metadata_alias, under which the
	// metadata of a key provider is stored. Always absent in methods.
	MetadataAlias Text
}

// An EncryptionTarget says how the state, the plan or a remote state is
// encrypted.
type EncryptionTarget struct {
	Block *Block // the block as it is written
	// Name is the label of a remote_state_data_source block: which data source
	// it is about. For all other targets it is empty.
	Name string
	// Method is a reference to a method block, such as method.aes_gcm.main. It
	// may be absent.
	Method Expression
	// Enforced says whether to refuse unencrypted data. Only for State and Plan
	// of an [Encryption]. If absent, it is false.
	Enforced Flag
	// Fallback is the target that reading tries next, or nil if there is none.
	Fallback *EncryptionTarget
}

func newEncryption(b *Block) *Encryption {
	e := &Encryption{Block: b}
	for i := range b.Body.Blocks {
		switch n := &b.Body.Blocks[i]; n.Type {
		case "key_provider":
			e.KeyProviders = append(e.KeyProviders, newEncryptionMethod(n))
		case "method":
			e.Methods = append(e.Methods, newEncryptionMethod(n))
		case "state":
			e.State = newEncryptionTarget(n)
		case "plan":
			e.Plan = newEncryptionTarget(n)
		case "remote_state_data_sources":
			for j := range n.Body.Blocks {
				switch t := &n.Body.Blocks[j]; t.Type {
				case "default":
					e.RemoteDefault = newEncryptionTarget(t)
				case "remote_state_data_source":
					e.Remote = append(e.Remote, newEncryptionTarget(t))
				}
			}
		}
	}
	return e
}

func newEncryptionMethod(b *Block) *EncryptionMethod {
	return &EncryptionMethod{Block: b, Type: b.label(0), Name: b.label(1), MetadataAlias: b.textArg("encrypted_metadata_alias")}
}

func newEncryptionTarget(b *Block) *EncryptionTarget {
	t := &EncryptionTarget{Block: b, Name: b.label(0), Method: b.expr("method"), Enforced: b.flagArg("enforced")}
	if f := b.Block("fallback"); f != nil {
		t.Fallback = newEncryptionTarget(f)
	}
	return t
}

// A Language is a language block: which edition of the language the module is
// written in. OpenTofu 1.12; not in Terraform.
type Language struct {
	Block *Block // the block as it is written
	// Edition is a keyword. The only one of OpenTofu 1.12 is tofu2024.
	Edition Expression
	// Experiments is a list of keywords. OpenTofu 1.12 has no experiments.
	Experiments Expression
	// OpenTofu is the constraint on OpenTofu's version in the nested
	// compatible_with block, or absent. Constraints on other programs in that
	// block are not read.
	OpenTofu Text
}

func newLanguage(b *Block) *Language {
	return &Language{
		Block: b, Edition: b.expr("edition"), Experiments: b.expr("experiments"),
		OpenTofu: b.Block("compatible_with").textArg("opentofu"),
	}
}

// A Provider is a provider block: a configuration of a provider.
type Provider struct {
	// Block is the block. A default configuration may be in an override file
	// only.
	Block *Block
	Name  string // the label: the local name of the provider
	// Alias is the name of the configuration; absent for the default one.
	Alias Text
	// Version is a version constraint. It is deprecated; use required_providers.
	Version Text
	// ForEach makes several instances of a configuration with an alias (since
	// OpenTofu 1.9; not in Terraform).
	ForEach Expression
	// OverriddenBy has the blocks of override files that changed this one.
	OverriddenBy []*Block
}

func newProvider(b *Block) *Provider {
	return &Provider{
		Block: b, Name: b.label(0), Alias: b.textArg("alias"), Version: b.textArg("version"), ForEach: b.expr("for_each"),
	}
}

// Address returns the name of the configuration inside its module, such as
// aws or aws.west.
func (p *Provider) Address() string {
	if p == nil {
		return ""
	}
	if p.Alias.Value != "" {
		return p.Name + "." + p.Alias.Value
	}
	return p.Name
}

// Config returns the arguments and blocks that belong to the provider's schema,
// merged with those of override files.
func (p *Provider) Config() *Body {
	if p == nil {
		return nil
	}
	return mergedOwn(p.Block, p.OverriddenBy)
}

// A Run is a run block of a test file: one plan or apply, and the conditions to
// check after it. Runs happen in the order of the text.
type Run struct {
	// Block is the block, and Name its label.
	Block   *Block
	Name    string
	Command string // "plan", "apply", or "" if absent, which means apply
	// PlanOptions is the plan_options block, or nil if there is none.
	PlanOptions *PlanOptions
	// Variables are the arguments of the nested variables block: values for
	// input variables of the module. They override those of the file.
	Variables []*Argument
	// Providers says which provider configurations of the test file the module
	// gets, as in a [ModuleCall]. If absent, it gets all by their names.
	Providers Expression
	// ExpectFailures is a list of references to the objects whose conditions
	// must fail.
	ExpectFailures Expression
	// Module is the module block: another module that the run plans or applies
	// instead of the one under test, or nil. Its Source and Version are literals;
	// it has no name and no inputs.
	Module *ModuleCall
	// Asserts are the assert blocks in order.
	Asserts []*CheckRule
	// Overrides are the override_resource, override_data and override_module
	// blocks that apply to this run, in order.
	Overrides []*Override
	// StateKey names the state that the run uses, Parallel says whether it may
	// run together with others, and SkipCleanup whether its objects stay. They
	// are Terraform's (since 1.11, 1.12 and 1.13).
	StateKey              Text
	Parallel, SkipCleanup Flag
}

// PlanOptions says how the plan of a run is made: its plan_options block.
type PlanOptions struct {
	Block   *Block // the block as it is written
	Mode    string // "normal", "refresh-only", or "" if absent, which means normal
	Refresh Flag   // whether objects are read again; if absent, they are
	// Replace and Target are lists of references, as the command-line options
	// -replace and -target give them.
	Replace, Target Expression
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
			r.Module = newModuleCall(n)
		case "override_resource", "override_data", "override_module":
			r.Overrides = append(r.Overrides, newOverride(n))
		}
	}
	return r
}

// An Override is an override_resource, override_data or override_module block
// of a test: values that replace those of a resource or a module. It is not
// related to override files; see [Overridden] for those.
type Override struct {
	// Block is the block: its Type says which of the three it is.
	Block *Block
	// Target is the address of the resource or module:
	// [Expression.Address] reads it.
	Target Expression
	// Values is an object of literals: the argument values, or outputs if it is
	// about a module. It may be absent. Attributes of a resource that it lacks
	// are generated.
	Values Expression
}

func newOverride(b *Block) *Override {
	values := "values"
	if b.Type == "override_module" {
		values = "outputs"
	}
	return &Override{Block: b, Target: b.expr("target"), Values: b.expr(values)}
}

// A MockProvider is a mock_provider block of a test file: a substitute for a
// provider that generates values.
type MockProvider struct {
	// Block is the block; Name, its label, is the local name of the provider.
	Block *Block
	Name  string
	// Alias is as in a [Provider].
	Alias Text
	// ForEach is as in a [Provider] (since OpenTofu 1.11; not in Terraform).
	ForEach Expression
	// Source is a directory of Terraform's mock files. OpenTofu has no such
	// files.
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
	// Defaults is an object of literals. Missing values are generated.
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
