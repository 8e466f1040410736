// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"github.com/tofuwire/tofuwire/addrs"
)

// A Settings is a terraform block: settings of the module as a whole.
type Settings struct {
	Block *Block
	// RequiredVersion is a constraint on the program's version. OpenTofu
	// 1.12 looks at it only in .tofu and .tofu.json files.
	RequiredVersion   Text
	RequiredProviders []*ProviderRequirement
	Backend           *Backend // nil if there is none
	Cloud             *Backend // nil if there is none
	ProviderMeta      []*ProviderMeta
	Encryption        *Encryption // nil if there is none; OpenTofu only
	// Experiments and Language are not looked at by OpenTofu.
	Experiments Expression
	Language    Expression
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
			t.ProviderMeta = append(t.ProviderMeta, &ProviderMeta{Block: n, Provider: n.label(0)})
		case "encryption":
			t.Encryption = newEncryption(n)
		}
	}
	return t
}

// Constraints returns the constraint on the program's version. The zero
// Constraints, which allow everything, are those of a block without one.
func (t *Settings) Constraints() (addrs.Constraints, error) { return t.RequiredVersion.constraints() }

// constraints parses the text as version constraints.
func (t Text) constraints() (addrs.Constraints, error) {
	if !t.IsSet() {
		return addrs.Constraints{}, nil
	}
	c, err := addrs.ParseConstraints(t.Value)
	if err != nil {
		return c, t.Argument.file.fault(int(t.Argument.at.start), err)
	}
	return c, nil
}

// A Backend is a backend or cloud block.
type Backend struct {
	Block *Block
	// Type is the label of a backend block, such as s3; a cloud block has none.
	Type string
}

// A ProviderMeta is a provider_meta block.
type ProviderMeta struct {
	Block    *Block
	Provider string // the local name of the provider
}

// A ProviderRequirement is one entry of a required_providers block.
type ProviderRequirement struct {
	Argument *Argument
	Name     string // the local name
	// Source and Version are absent where the entry does not have them.
	Source  Text
	Version Text
	// ConfigurationAliases are the further configurations that the module
	// expects from its caller.
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
			arg.kind = KindLiteral
			s, _ := arg.Text()
			p.Source = Text{Value: s, Argument: arg}
		case "version":
			arg.kind = KindLiteral
			s, _ := arg.Text()
			p.Version = Text{Value: s, Argument: arg}
		case "configuration_aliases":
			arg.kind = KindReferenceList
			elements, _ := arg.Elements()
			for _, e := range elements {
				e.kind = KindProviderReference
				p.ConfigurationAliases = append(p.ConfigurationAliases, newProviderRef(e))
			}
		}
	}
	return p
}

// Provider returns the address of the provider that is required: the source,
// or what the local name implies.
func (p *ProviderRequirement) Provider() (addrs.Provider, error) {
	if !p.Source.IsSet() {
		return addrs.ImpliedProvider(p.Name)
	}
	a, err := addrs.ParseProvider(p.Source.Value)
	if err != nil {
		return a, p.Argument.file.fault(int(p.Source.Argument.at.start), err)
	}
	return a, nil
}

// Constraints returns the constraints on the provider's version.
func (p *ProviderRequirement) Constraints() (addrs.Constraints, error) {
	return p.Version.constraints()
}

// An Encryption is an encryption block of OpenTofu.
type Encryption struct {
	Block        *Block
	KeyProviders []*EncryptionMethod
	Methods      []*EncryptionMethod
	State, Plan  *EncryptionTarget // nil if absent
	// RemoteDefault and Remote are about the state that
	// terraform_remote_state data sources read.
	RemoteDefault *EncryptionTarget
	Remote        []*EncryptionTarget
}

// An EncryptionMethod is a key_provider or method block.
type EncryptionMethod struct {
	Block      *Block
	Type, Name string
	// MetadataAlias is encrypted_metadata_alias, of key providers only.
	MetadataAlias Text
}

// An EncryptionTarget says how one thing is encrypted.
type EncryptionTarget struct {
	Block    *Block
	Name     string // of a remote_state_data_source
	Method   Expression
	Enforced Flag
	Fallback *EncryptionTarget // nil if there is none
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

// A Language is a language block of OpenTofu.
type Language struct {
	Block       *Block
	Edition     Expression
	Experiments Expression
	// OpenTofu is the constraint on OpenTofu's version in compatible_with.
	OpenTofu Text
}

func newLanguage(b *Block) *Language {
	return &Language{
		Block: b, Edition: b.expr("edition"), Experiments: b.expr("experiments"),
		OpenTofu: b.Block("compatible_with").textArg("opentofu"),
	}
}

// A Provider is a provider block.
type Provider struct {
	Block *Block
	Name  string // the local name
	Alias Text
	// Version is deprecated: required_providers has the constraint.
	Version Text
	ForEach Expression // OpenTofu only
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
	if p.Alias.IsSet() {
		return p.Name + "." + p.Alias.Value
	}
	return p.Name
}

// Config returns the arguments and blocks that belong to the provider.
func (p *Provider) Config() *Body { return mergedOwn(p.Block, p.OverriddenBy) }
