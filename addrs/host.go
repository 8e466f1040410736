// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// The hosts of the public registries.
const (
	// DefaultHost is the registry of provider and module sources that do not
	// name one.
	DefaultHost = "registry.opentofu.org"

	// TerraformHost is the registry that Terraform uses where OpenTofu uses
	// DefaultHost.
	TerraformHost = "registry.terraform.io"
)

// Parts of provider addresses that have a meaning of their own.
const (
	builtInHost          = "terraform.io"
	builtInHostTofu      = "opentofu.org"
	builtInNamespace     = "builtin"
	legacyNamespace      = "-"
	defaultNamespace     = "hashicorp"
	terraformProviderTyp = "terraform"
)

// maxHost is the greatest length, in bytes, of a host name that is not plain
// ASCII in lower case. The domain name system allows only 253 characters;
// conversion to punycode takes quadratic time.
const maxHost = 1024

// normalHost returns host in the form in which OpenTofu prints it: lower case,
// international names in Unicode, without the default port 443.
//
// It accepts everything that OpenTofu accepts (ForComparison in its svchost
// library), including the oddities: a trailing dot makes another host, the
// ports 0 and -1 are kept, and names in punycode are refused only in lower
// case.
func normalHost(host string) (string, error) {
	if isPlainHost(host) {
		return host, nil
	}
	name, port := host, ""
	if i := strings.IndexByte(host, ':'); i >= 0 {
		name = host[:i]
		n, err := strconv.Atoi(host[i+1:])
		switch {
		case err != nil:
			return "", errors.New("the port is not a number")
		case n > 65535:
			return "", errors.New("the port is above 65535")
		case n != 443:
			port = ":" + strconv.Itoa(n)
		}
	}
	switch {
	case name == "":
		return "", errors.New("the host name is empty")
	case len(name) > maxHost:
		return "", fmt.Errorf("%w: the host name is too long", ErrLimit)
	case !utf8.ValidString(name):
		return "", errUTF8
	}
	if !hasLabels(name) {
		return "", errors.New("the host name has an empty label, or one in punycode; it must be written in Unicode")
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return "", errors.New("the host name is not valid")
	}
	display, err := idna.Lookup.ToUnicode(ascii)
	if err != nil {
		return "", errors.New("the host name is not valid")
	}
	// OpenTofu accepts some odd names and refuses their printed form, such as
	// an upper-case XN-- prefix with nothing behind it. They have no normal
	// form.
	if again, err := idna.Lookup.ToASCII(display); err != nil || again != ascii || !hasLabels(display) {
		return "", errors.New("the host name is not valid")
	}
	return display + port, nil
}

// hasLabels reports whether name consists of labels that are not empty and not
// in punycode. The name may end in one or two dots.
func hasLabels(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "."), ".")
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.HasPrefix(label, "xn--") {
			return false
		}
	}
	return true
}

// isPlainHost reports whether host is an ASCII name in normal form without
// port and without anything that needs a closer look.
func isPlainHost(host string) bool {
	last := byte('.')
	for i := range len(host) {
		c := host[i]
		switch {
		case 'a' <= c && c <= 'z' || isDigit(c):
		case c == '-' && last != '.' && last != '-':
		case c == '.' && last != '.' && last != '-':
		default:
			return false
		}
		last = c
	}
	return last != '.' && last != '-'
}

// asciiHost returns a normal host in the form in which OpenTofu compares it:
// with international names in punycode.
func asciiHost(host string) string {
	for i := range len(host) {
		if host[i] >= 0x80 {
			name, port := host, ""
			if i := strings.IndexByte(host, ':'); i >= 0 {
				name, port = host[:i], host[i:]
			}
			ascii, err := idna.Lookup.ToASCII(name)
			if err != nil { // impossible for a host that was parsed
				return host
			}
			return ascii + port
		}
	}
	return host
}
