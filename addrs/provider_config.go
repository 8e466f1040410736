// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// A LocalProviderConfig refers to a provider configuration by the local name
// of the provider in one module, as the argument "provider" of a resource
// does: aws, aws.west or, with the instance keys of OpenTofu 1.9,
// aws.by_region["eu"]. The zero LocalProviderConfig is not valid.
type LocalProviderConfig struct {
	s     string
	alias int32 // the alias is s[alias:key], without the dot before it
	key   int32 // the key in brackets is s[key:]
}

// An AbsProviderConfig is a provider configuration anywhere in the
// configuration: a module path without instance keys, the provider's source
// address, an alias if there is one, and after an alias an instance key
// (OpenTofu 1.9). For example:
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

// A ProviderConfigKey is what plan JSON calls the "provider_config_key" of a
// resource: a provider configuration by local name, after the path of its
// module and a colon, as in module.net.module.subnet:aws.west.
// The zero ProviderConfigKey is not valid.
type ProviderConfigKey struct {
	module Module
	local  LocalProviderConfig
}

const (
	kindLocalProviderConfig = "provider configuration reference"
	kindAbsProviderConfig   = "provider configuration address"
	kindProviderConfigKey   = "provider configuration key"
)

// ParseLocalProviderConfig parses a reference to a provider configuration as
// it is written in a module. Instance keys must be literals.
func ParseLocalProviderConfig(s string) (LocalProviderConfig, error) {
	c, f := parseLocalProviderConfig(s)
	return c, f.as(kindLocalProviderConfig, s)
}

// MustParseLocalProviderConfig is like [ParseLocalProviderConfig] but panics
// on errors.
func MustParseLocalProviderConfig(s string) LocalProviderConfig {
	return must(ParseLocalProviderConfig(s))
}

func parseLocalProviderConfig(in string) (LocalProviderConfig, *fault) {
	s, f := startScan(in)
	if f != nil {
		return LocalProviderConfig{}, f
	}
	if _, f := s.ident("a provider's local name"); f != nil {
		return LocalProviderConfig{}, f
	}
	var c LocalProviderConfig
	c.alias = int32(s.len())
	c.key = c.alias
	b, f := s.peek()
	if f == nil && b == '.' {
		if _, f = s.dotted("an alias"); f != nil {
			return LocalProviderConfig{}, f
		}
		c.alias++
		c.key = int32(s.len())
		if b, f = s.peek(); f == nil && b == '[' {
			_, f = s.index(checkKey)
		}
	}
	if f == nil {
		f = s.end()
	}
	if f != nil {
		return LocalProviderConfig{}, f
	}
	c.s = s.text()
	return c, nil
}

// ParseAbsProviderConfig parses the address of a provider configuration. The
// provider in the quotes may be in any form that [ParseProvider] accepts.
func ParseAbsProviderConfig(s string) (AbsProviderConfig, error) {
	c, f := parseAbsProviderConfig(s, false)
	return c, f.as(kindAbsProviderConfig, s)
}

// MustParseAbsProviderConfig is like [ParseAbsProviderConfig] but panics on
// errors.
func MustParseAbsProviderConfig(s string) AbsProviderConfig { return must(ParseAbsProviderConfig(s)) }

// ParseLegacyAbsProviderConfig parses the form of state files before Terraform
// 0.13, which has only the type of the provider: [module.a.]provider.aws[.alias].
// The provider of the result is the built-in one for the type "terraform",
// and one with the namespace "-" of [Provider.IsLegacy] for all others.
func ParseLegacyAbsProviderConfig(s string) (AbsProviderConfig, error) {
	c, f := parseAbsProviderConfig(s, true)
	return c, f.as(kindAbsProviderConfig, s)
}

func parseAbsProviderConfig(in string, legacy bool) (AbsProviderConfig, *fault) {
	s, f := startScan(in)
	if f != nil {
		return AbsProviderConfig{}, f
	}
	var c AbsProviderConfig
	if f = c.scan(&s, legacy); f == nil {
		f = s.end()
	}
	if f != nil {
		return AbsProviderConfig{}, f
	}
	return c, nil
}

// scan reads as much as belongs to the address of a provider configuration.
func (c *AbsProviderConfig) scan(s *scanner, legacy bool) *fault {
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
	case legacy:
		c.provider, f = s.legacyProvider()
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
	if c.alias, f = s.dotted("an alias"); f != nil || legacy {
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

// legacyProvider reads a dot and a provider type.
func (s *scanner) legacyProvider() (Provider, *fault) {
	typ, f := s.dotted("a provider type")
	if f != nil {
		return Provider{}, f
	}
	if typ == terraformProviderTyp {
		return Provider{builtInHost + "/" + builtInNamespace + "/" + typ}, nil
	}
	p, f := parseProvider(legacyNamespace + "/" + typ)
	if f != nil {
		f.off += s.pos - len(typ) - len(legacyNamespace+"/")
	}
	return p, f
}

// ParseProviderConfigKey parses a "provider_config_key" of plan JSON, which is
// also a key of the object "provider_config".
func ParseProviderConfigKey(s string) (ProviderConfigKey, error) {
	var k ProviderConfigKey
	at := 0
	// Neither identifiers nor module paths have colons.
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		var err error
		if k.module, err = ParseModule(s[:i]); err != nil || i == 0 {
			return ProviderConfigKey{}, faultf(0, "a module path is expected before the colon").as(kindProviderConfigKey, s)
		}
		at = i + 1
	}
	local, f := parseLocalProviderConfig(s[at:])
	if f != nil {
		f.off += at
		return ProviderConfigKey{}, f.as(kindProviderConfigKey, s)
	}
	k.local = local
	return k, nil
}

// MustParseProviderConfigKey is like [ParseProviderConfigKey] but panics on
// errors.
func MustParseProviderConfigKey(s string) ProviderConfigKey { return must(ParseProviderConfigKey(s)) }

// NewLocalProviderConfig returns the reference to the provider configuration
// with the given local name, alias (or ""), and key (or [NoKey]). A key needs
// an alias. If a part is not possible, the error is an [*Error].
func NewLocalProviderConfig(name, alias string, key InstanceKey) (LocalProviderConfig, error) {
	text := name
	if alias != "" {
		text += "." + alias
	}
	return ParseLocalProviderConfig(text + key.String())
}

// NewAbsProviderConfig returns the provider configuration in the module m for
// the provider p with the given alias (or "") and key (or [NoKey]). A key needs
// an alias. If a part is not possible, the error is an [*Error].
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

// In returns c in the module m, as plan JSON names it.
// If c is not valid, the result is not valid either.
func (c LocalProviderConfig) In(m Module) ProviderConfigKey {
	if !c.IsValid() {
		return ProviderConfigKey{}
	}
	return ProviderConfigKey{m, c}
}

// IsValid reports whether c is not the zero LocalProviderConfig.
func (c LocalProviderConfig) IsValid() bool { return c.s != "" }

// IsValid reports whether c is not the zero AbsProviderConfig.
func (c AbsProviderConfig) IsValid() bool { return c.provider.IsValid() }

// IsValid reports whether k is not the zero ProviderConfigKey.
func (k ProviderConfigKey) IsValid() bool { return k.local.IsValid() }

// Name returns the local name of the provider.
func (c LocalProviderConfig) Name() string {
	if c.alias == c.key { // no alias: the name ends here, too
		return c.s[:c.alias]
	}
	return c.s[:c.alias-1]
}

// Alias returns the alias of the configuration, or "" for the default one.
func (c LocalProviderConfig) Alias() string { return c.s[c.alias:c.key] }

// Key returns the instance key of the configuration, or [NoKey].
func (c LocalProviderConfig) Key() InstanceKey { return keyOf(c.s[c.key:]) }

// Module returns the module that declares the configuration.
func (c AbsProviderConfig) Module() Module { return c.module }

// Provider returns the provider that is configured.
func (c AbsProviderConfig) Provider() Provider { return c.provider }

// Alias returns the alias of the configuration, or "" for the default one.
func (c AbsProviderConfig) Alias() string { return c.alias }

// Key returns the instance key of the configuration, or [NoKey].
func (c AbsProviderConfig) Key() InstanceKey { return c.key }

// Module returns the module that declares the configuration.
func (k ProviderConfigKey) Module() Module { return k.module }

// Local returns the configuration inside its module.
func (k ProviderConfigKey) Local() LocalProviderConfig { return k.local }

// String returns the normal text of c, which is empty if c is not valid.
func (c LocalProviderConfig) String() string { return c.s }

// String returns the normal text of c, which is empty if c is not valid.
func (c AbsProviderConfig) String() string { return string(c.append(nil)) }

// String returns the text of k, which is empty if k is not valid.
func (k ProviderConfigKey) String() string {
	if k.module.IsRoot() {
		return k.local.s
	}
	return k.module.s + ":" + k.local.s
}

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

// Compare returns -1, 0 or +1: by name, then alias, then key.
func (c LocalProviderConfig) Compare(other LocalProviderConfig) int {
	return cmp.Or(
		strings.Compare(c.Name(), other.Name()),
		strings.Compare(c.Alias(), other.Alias()),
		c.Key().Compare(other.Key()),
	)
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

// Compare returns -1, 0 or +1: by module, then by the configuration in it.
func (k ProviderConfigKey) Compare(other ProviderConfigKey) int {
	return cmp.Or(k.module.Compare(other.module), k.local.Compare(other.local))
}

// AppendText appends the text of [LocalProviderConfig.String] to b.
// The error is always nil.
func (c LocalProviderConfig) AppendText(b []byte) ([]byte, error) { return append(b, c.s...), nil }

// AppendText appends the text of [AbsProviderConfig.String] to b.
// The error is always nil.
func (c AbsProviderConfig) AppendText(b []byte) ([]byte, error) { return c.append(b), nil }

// AppendText appends the text of [ProviderConfigKey.String] to b.
// The error is always nil.
func (k ProviderConfigKey) AppendText(b []byte) ([]byte, error) { return append(b, k.String()...), nil }

// MarshalText returns the text of [LocalProviderConfig.String].
// The error is always nil.
func (c LocalProviderConfig) MarshalText() ([]byte, error) { return []byte(c.s), nil }

// MarshalText returns the text of [AbsProviderConfig.String].
// The error is always nil.
func (c AbsProviderConfig) MarshalText() ([]byte, error) { return c.append(nil), nil }

// MarshalText returns the text of [ProviderConfigKey.String].
// The error is always nil.
func (k ProviderConfigKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets c to what [ParseLocalProviderConfig] makes of text.
// An empty text gives the zero LocalProviderConfig.
func (c *LocalProviderConfig) UnmarshalText(text []byte) error {
	return unmarshal(c, text, ParseLocalProviderConfig)
}

// UnmarshalText sets c to what [ParseAbsProviderConfig] makes of text.
// An empty text gives the zero AbsProviderConfig.
func (c *AbsProviderConfig) UnmarshalText(text []byte) error {
	return unmarshal(c, text, ParseAbsProviderConfig)
}

// UnmarshalText sets k to what [ParseProviderConfigKey] makes of text.
// An empty text gives the zero ProviderConfigKey.
func (k *ProviderConfigKey) UnmarshalText(text []byte) error {
	return unmarshal(k, text, ParseProviderConfigKey)
}
