// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// A Pattern matches providers. Each part is a name or "*". The zero Pattern
// matches nothing.
type Pattern struct{ host, namespace, typ string }

// ParsePattern parses a pattern of the form [HOST/]NAMESPACE/TYPE. Each part
// may be "*". Without a host, the pattern is for the default registry. As in
// OpenTofu, only wildcards may follow a wildcard. Names are normalised as in
// source addresses. The error is an [*Error] without a place.
func ParsePattern(s string) (Pattern, error) { return parsePattern(s, addrs.DefaultHost) }

func parsePattern(s, defaultHost string) (Pattern, error) {
	fail := func(reason string) (Pattern, error) {
		return Pattern{}, &Error{Err: fmt.Errorf("pattern %q: %s", printable.Line(s, 100), reason)}
	}
	parts := strings.Split(s, "/")
	if len(parts) == 2 {
		parts = append([]string{defaultHost}, parts...)
	}
	if len(parts) != 3 {
		return fail("not [HOST/]NAMESPACE/TYPE")
	}
	// The parts that are names are normalised as part of an address.
	names := [3]string{"x.example", "x", "x"}
	for i, part := range parts {
		if part != "*" {
			names[i] = part
			if i > 0 && parts[i-1] == "*" {
				return fail("only wildcards may follow a wildcard")
			}
		}
	}
	p, err := addrs.NewProvider(names[0], names[1], names[2])
	if err != nil {
		return fail(err.Error())
	}
	if p.IsLegacy() {
		return fail("a provider without a namespace has no source")
	}
	out := [3]string{p.Host(), p.Namespace(), p.Type()}
	for i, part := range parts {
		if part == "*" {
			out[i] = "*"
		}
	}
	return Pattern{out[0], out[1], out[2]}, nil
}

// Match reports whether the pattern matches p.
func (pt Pattern) Match(p addrs.Provider) bool {
	return matchPart(pt.host, p.Host()) && matchPart(pt.namespace, p.Namespace()) && matchPart(pt.typ, p.Type())
}

func matchPart(pattern, name string) bool { return pattern == "*" || pattern == name }

// String returns the pattern in the form HOST/NAMESPACE/TYPE, or "" if it is
// the zero Pattern.
func (pt Pattern) String() string {
	if pt == (Pattern{}) {
		return ""
	}
	return pt.host + "/" + pt.namespace + "/" + pt.typ
}
