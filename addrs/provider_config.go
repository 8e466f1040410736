// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// An AbsProviderConfig is a provider configuration in any module: a module path
// without instance keys, the provider's source address, an alias if there is
// one, and after an alias an instance key (OpenTofu 1.9). For example:
//
//	module.net.provider["registry.opentofu.org/hashicorp/aws"].west
//
// The zero AbsProviderConfig is not valid.
type AbsProviderConfig struct {
	module   Module
	provider Provider
	alias    string
	key      InstanceKey
}

const kindAbsProviderConfig = "provider configuration address"

// ParseAbsProviderConfig parses the address of a provider configuration. The
// provider in the quotes may be in any form that [ParseProvider] accepts.
func ParseAbsProviderConfig(s string) (AbsProviderConfig, error) {
	c, f := parseAbsProviderConfig(s)
	return c, f.as(kindAbsProviderConfig, s)
}

func parseAbsProviderConfig(in string) (AbsProviderConfig, *fault) {
	s, f := startScan(in)
	if f != nil {
		return AbsProviderConfig{}, f
	}
	var c AbsProviderConfig
	if f = c.scan(&s); f == nil {
		f = s.end()
	}
	if f != nil {
		return AbsProviderConfig{}, f
	}
	return c, nil
}

// scan reads as much as belongs to the address of a provider configuration.
func (c *AbsProviderConfig) scan(s *scanner) *fault {
	id, f := s.ident(`"module" or "provider"`)
	for f == nil && id == "module" {
		if _, f = s.dotted("the name of a module call"); f != nil {
			return f
		}
		c.module = Module{s.text()}
		id, f = s.dotted(`"module" or "provider"`)
	}
	switch {
	case f != nil:
		return f
	case id != "provider":
		return faultf(s.pos-len(id), `found %s where "provider" is expected`, id)
	default:
		c.provider, f = s.indexedProvider()
	}
	if f != nil {
		return f
	}
	b, f := s.peek()
	if f != nil || b != '.' {
		return f
	}
	if c.alias, f = s.dotted("an alias"); f != nil {
		return f
	}
	if b, f = s.peek(); f == nil && b == '[' {
		c.key, f = s.index(readKey)
	}
	return f
}

// indexedProvider reads a provider's source address in quotes and brackets.
func (s *scanner) indexedProvider() (Provider, *fault) {
	b, f := s.peek()
	if f != nil {
		return Provider{}, f
	}
	if b != '[' {
		return Provider{}, s.unexpected("a provider's source address in brackets")
	}
	at := s.pos
	key, f := s.index(readKey)
	if f != nil {
		return Provider{}, f
	}
	source, ok := key.Str()
	if !ok {
		return Provider{}, faultf(at+1, "a provider's source address is a string")
	}
	p, f := parseProvider(source)
	if f != nil {
		f.off += at + 2 // as if nothing was escaped
	}
	return p, f
}

// NewAbsProviderConfig returns the provider configuration in the module m for
// the provider p with the given alias (or "") and key (or [NoKey]). A key needs
// an alias. If a part is not valid, the error is an [*Error].
func NewAbsProviderConfig(m Module, p Provider, alias string, key InstanceKey) (AbsProviderConfig, error) {
	switch {
	case !p.IsValid():
		return AbsProviderConfig{}, faultf(0, "the provider is not valid").as(kindAbsProviderConfig, "")
	case alias == "" && !key.IsNone():
		return AbsProviderConfig{}, faultf(0, "an instance key needs an alias").as(kindAbsProviderConfig, key.String())
	case !key.IsValid():
		return AbsProviderConfig{}, faultf(0, "an instance key cannot be negative").as(kindAbsProviderConfig, key.String())
	case alias != "" && !isIdent(alias):
		return AbsProviderConfig{}, notIdent(alias)
	}
	return AbsProviderConfig{m, p, alias, key}, nil
}

// IsValid reports whether c is not the zero AbsProviderConfig.
func (c AbsProviderConfig) IsValid() bool { return c.provider.IsValid() }

// Module returns the module that declares the configuration.
func (c AbsProviderConfig) Module() Module { return c.module }

// Provider returns the provider that is configured.
func (c AbsProviderConfig) Provider() Provider { return c.provider }

// Alias returns the alias of the configuration, or "" for the default one.
func (c AbsProviderConfig) Alias() string { return c.alias }

// Key returns the instance key of the configuration, or [NoKey].
func (c AbsProviderConfig) Key() InstanceKey { return c.key }

// String returns the normal text of c, which is empty if c is not valid.
func (c AbsProviderConfig) String() string { return string(c.append(nil)) }

func (c AbsProviderConfig) append(b []byte) []byte {
	if !c.IsValid() {
		return b
	}
	if !c.module.IsRoot() {
		b = append(b, c.module.s...)
		b = append(b, '.')
	}
	b = append(b, "provider["...)
	b = appendHCLQuoted(b, c.provider.s)
	b = append(b, ']')
	if c.alias != "" {
		b = append(b, '.')
		b = append(b, c.alias...)
	}
	return c.key.append(b)
}

// Compare returns -1, 0 or +1: by module, then provider, alias and key.
func (c AbsProviderConfig) Compare(other AbsProviderConfig) int {
	return cmp.Or(
		c.module.Compare(other.module),
		c.provider.Compare(other.provider),
		strings.Compare(c.alias, other.alias),
		c.key.Compare(other.key),
	)
}

// MarshalText returns the text of [AbsProviderConfig.String].
// The error is always nil.
func (c AbsProviderConfig) MarshalText() ([]byte, error) { return c.append(nil), nil }

// UnmarshalText sets c to what [ParseAbsProviderConfig] returns for text.
// An empty text gives the zero AbsProviderConfig.
func (c *AbsProviderConfig) UnmarshalText(text []byte) error {
	return unmarshal(c, text, ParseAbsProviderConfig)
}

// ParseRecordedProvider parses the address of a provider, or of a configuration of
// one, in any spelling that a state or plan of any release has:
//
//	provider["registry.opentofu.org/hashicorp/aws"].west   states since Terraform 0.13
//	provider["registry.terraform.io/-/aws"]                states of before, written again by 0.13
//	module.net.provider.aws.west                           states of Terraform 0.12
//	registry.terraform.io/hashicorp/aws                    plans since Terraform 0.13
//	aws, aws.west                                          plans of Terraform 0.12, states to 0.11
//
// White space is allowed where the tools read it. A provider that is named by its type
// alone gets the namespace "-" on [DefaultHost], as in OpenTofu: [Provider.IsLegacy]
// reports true, and nothing says which registry it comes from. Only "terraform" is the
// built-in provider. A type that [ParseProvider] refuses, such as my_own, is refused here too.
func ParseRecordedProvider(s string) (AbsProviderConfig, error) {
	c, f := parseAbsProviderConfig(s)
	if f == nil {
		return c, nil
	}
	if c, ok := parseTypedConfig(s); ok {
		return c, nil
	}
	if strings.ContainsRune(s, '/') {
		if p, f := parseProvider(strings.TrimSpace(s)); f == nil {
			return AbsProviderConfig{provider: p}, nil
		}
	}
	return AbsProviderConfig{}, f.as(kindAbsProviderConfig, s)
}

// parseTypedConfig parses an address that has the type of a provider alone.
func parseTypedConfig(in string) (c AbsProviderConfig, ok bool) {
	s, f := startScan(in)
	if f != nil {
		return c, false
	}
	var steps []string
	for {
		step, f := s.ident("a name")
		if f != nil {
			return c, false
		}
		steps = append(steps, step)
		b, f := s.peek()
		if f != nil || b != 0 && b != '.' {
			return c, false
		}
		if b == 0 {
			break
		}
		s.punct()
	}
	var module []string
	for len(steps) > 2 && steps[0] == "module" {
		module, steps = append(module, steps[0], steps[1]), steps[2:]
	}
	if len(steps) > 1 && steps[0] == "provider" {
		steps = steps[1:]
	} else if module != nil || steps[0] == "module" || steps[0] == "provider" {
		return c, false
	}
	if len(steps) > 2 {
		return c, false
	}
	source := legacyNamespace + "/" + steps[0]
	if steps[0] == terraformProviderTyp {
		source = builtInHost + "/" + builtInNamespace + "/" + terraformProviderTyp
	}
	if c.provider, f = parseProvider(source); f != nil {
		return AbsProviderConfig{}, false
	}
	c.module = Module{strings.Join(module, ".")}
	if len(steps) == 2 {
		c.alias = steps[1]
	}
	return c, true
}
