// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// A Provider is a provider's source address, such as
// registry.opentofu.org/hashicorp/aws, in normal form: two Providers name the
// same provider if and only if they are ==. The zero Provider names no provider
// and is not valid.
type Provider struct {
	s string // host/namespace/type, as printed
}

const kindProvider = "provider source address"

// ParseProvider parses a source address of the form [[HOST/]NAMESPACE/]TYPE.
// The default host is [DefaultHost], the default namespace "hashicorp".
// It accepts and normalises what OpenTofu's ParseProviderSource accepts:
//
//   - Namespace and type follow the rules for a label of an international
//     domain name: letters of any case and script, digits, and single inner
//     hyphens. They are folded to lower case.
//   - The namespace "-" of legacy addresses is allowed on [DefaultHost], and on
//     [TerraformHost], where states of Terraform 0.13 and later can have it.
//   - The type cannot begin with "terraform-" or "opentofu-". (OpenTofu lets
//     this pass in a source of one part, and refuses its own normal form.)
//   - A host may have a port. Its international labels are written in Unicode.
//
// The source "terraform" means the archived provider hashicorp/terraform, as in
// every written source; see [ImpliedProvider] for the built-in provider.
//
// If s is in normal form and ASCII, nothing is allocated and the result refers
// to s.
func ParseProvider(s string) (Provider, error) {
	p, f := parseProvider(s)
	return p, f.as(kindProvider, s)
}

// MustParseProvider is like [ParseProvider] but panics on errors.
func MustParseProvider(s string) Provider { return must(ParseProvider(s)) }

func parseProvider(s string) (Provider, *fault) {
	var parts [3]string // from the right: type, namespace, host
	n, end := 0, len(s)
	for {
		i := strings.LastIndexByte(s[:end], '/')
		if part := s[i+1 : end]; part == "" {
			return Provider{}, faultf(i+1, "a part is empty, where [[HOST/]NAMESPACE/]TYPE is expected")
		} else if n == len(parts) {
			return Provider{}, faultf(0, "more than three parts, where [[HOST/]NAMESPACE/]TYPE is expected")
		} else {
			parts[n] = part
		}
		n++
		if i < 0 {
			break
		}
		end = i
	}

	typ, err := normalPart(parts[0])
	if err != nil {
		return Provider{}, &fault{len(s) - len(parts[0]), err}
	}
	namespace, host := defaultNamespace, DefaultHost
	if n > 1 {
		namespace = parts[1]
		if namespace != legacyNamespace {
			if namespace, err = normalPart(namespace); err != nil {
				return Provider{}, &fault{len(s) - len(parts[0]) - 1 - len(parts[1]), err}
			}
		}
	}
	if err := checkType(typ); err != nil {
		return Provider{}, &fault{len(s) - len(parts[0]), err}
	}
	if n > 2 {
		if host, err = normalHost(parts[2]); err != nil {
			return Provider{}, &fault{0, err}
		}
	}
	if namespace == legacyNamespace && host != DefaultHost && host != TerraformHost {
		return Provider{}, faultf(len(s)-len(parts[0])-2, "the legacy namespace - only exists on %s and %s", DefaultHost, TerraformHost)
	}
	if n == 3 && host == parts[2] && namespace == parts[1] && typ == parts[0] {
		return Provider{s}, nil
	}
	return Provider{host + "/" + namespace + "/" + typ}, nil
}

// normalPart returns a namespace or type in normal form.
func normalPart(s string) (string, error) {
	plain, last := true, byte('-')
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || isDigit(c):
		case c == '-' && last != '-':
		default:
			plain = false
		}
		last = s[i]
	}
	if plain && last != '-' {
		return s, nil
	}
	switch {
	case !utf8.ValidString(s):
		return "", errUTF8
	case s == "":
		return "", errors.New("a part is empty")
	case strings.Contains(s, "."):
		return "", errors.New("a namespace or type cannot have dots")
	case strings.Contains(s, "--"):
		return "", errors.New("a namespace or type cannot have two hyphens in a row")
	}
	u, err := idna.Lookup.ToUnicode(s)
	if err == nil && u != s {
		// OpenTofu accepts some odd parts and refuses their printed form, such
		// as one of ignorable characters alone. They have no normal form.
		if again, err := normalPart(u); err != nil || again != u {
			return "", errors.New("a namespace or type has characters that vanish or become dots")
		}
	}
	if err != nil {
		return "", errors.New("a namespace or type can only have letters, digits and inner hyphens")
	}
	return u, nil
}

// checkType refuses the prefixes of repository names.
func checkType(typ string) error {
	for _, prefix := range [...]string{"terraform-provider-", "terraform-", "opentofu-provider-", "opentofu-"} {
		if rest, ok := strings.CutPrefix(typ, prefix); ok {
			if strings.Contains(prefix, "provider") {
				return fmt.Errorf("a provider type does not begin with %s; did you mean %s?", prefix, rest)
			}
			return fmt.Errorf("a provider type cannot begin with %s", prefix)
		}
	}
	return nil
}

// NewProvider returns the provider with the given parts. It checks and
// normalises them like [ParseProvider]. No part may be empty: there are no
// defaults. If a part is not valid, the error is an [*Error].
func NewProvider(host, namespace, typ string) (Provider, error) {
	return ParseProvider(host + "/" + namespace + "/" + typ)
}

// ImpliedProvider returns the provider that OpenTofu uses for a local name
// without an entry in required_providers: the built-in one for "terraform", and
// the one of the namespace hashicorp on [DefaultHost] for all others. If
// localName cannot be the type of a provider, the error is an [*Error].
func ImpliedProvider(localName string) (Provider, error) {
	typ, err := normalPart(localName)
	if err == nil {
		err = checkType(typ)
	}
	switch {
	case err != nil:
		return Provider{}, (&fault{0, err}).as(kindProvider, localName)
	case typ == terraformProviderTyp:
		return Provider{builtInHost + "/" + builtInNamespace + "/" + typ}, nil
	}
	return Provider{DefaultHost + "/" + defaultNamespace + "/" + typ}, nil
}

// split returns the parts of p.
func (p Provider) split() (host, namespace, typ string) {
	host, rest, _ := strings.Cut(p.s, "/")
	namespace, typ, _ = strings.Cut(rest, "/")
	return host, namespace, typ
}

// IsValid reports whether p is not the zero Provider.
func (p Provider) IsValid() bool { return p.s != "" }

// Host returns the host of the registry that p comes from, with international
// names in Unicode, and with its port if that is not 443.
func (p Provider) Host() string {
	host, _, _ := p.split()
	return host
}

// ASCIIHost returns [Provider.Host] with international names in punycode. URLs
// need this form, and providers are sorted by it.
func (p Provider) ASCIIHost() string { return asciiHost(p.Host()) }

// Namespace returns the namespace of p on its host.
func (p Provider) Namespace() string {
	_, namespace, _ := p.split()
	return namespace
}

// Type returns the type of p, which is also the usual local name.
func (p Provider) Type() string {
	_, _, typ := p.split()
	return typ
}

// WithHost returns the provider with the namespace and type of p on another host.
// In a configuration for Terraform, a source without a host means the provider on
// [TerraformHost]. If p or the host is not valid, the error is an [*Error].
func (p Provider) WithHost(host string) (Provider, error) {
	_, namespace, typ := p.split()
	return NewProvider(host, namespace, typ)
}

// IsBuiltIn reports whether p is part of the OpenTofu program itself. Built-in
// providers are not installed and not locked.
func (p Provider) IsBuiltIn() bool {
	host, namespace, _ := p.split()
	return namespace == builtInNamespace && (host == builtInHost || host == builtInHostTofu)
}

// IsLegacy reports whether p is an address with the namespace "-" that only
// old state files have. Such a provider can neither be installed nor locked.
func (p Provider) IsLegacy() bool { return p.Namespace() == legacyNamespace }

// String returns the normal text of p, as OpenTofu prints it in lock files and
// JSON. The zero Provider gives the empty string.
func (p Provider) String() string { return p.s }

// ForDisplay returns the text of p without the host if that is [DefaultHost],
// as OpenTofu prints it in messages for people.
func (p Provider) ForDisplay() string {
	return strings.TrimPrefix(p.s, DefaultHost+"/")
}

// Compare returns -1, 0 or +1 in the order of lock files: by host in punycode
// form, then by namespace, then by type, all by bytes.
func (p Provider) Compare(other Provider) int {
	if p.s == other.s {
		return 0
	}
	host, namespace, typ := p.split()
	otherHost, otherNamespace, otherType := other.split()
	return cmp.Or(
		strings.Compare(asciiHost(host), asciiHost(otherHost)),
		strings.Compare(namespace, otherNamespace),
		strings.Compare(typ, otherType),
	)
}

// MarshalText returns the text of [Provider.String]. The error is always nil.
func (p Provider) MarshalText() ([]byte, error) { return []byte(p.s), nil }

// UnmarshalText sets p to the provider that [ParseProvider] returns for text.
// An empty text gives the zero Provider.
func (p *Provider) UnmarshalText(text []byte) error { return unmarshal(p, text, ParseProvider) }
