// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// ParseHost parses a host name that a person wrote, in Unicode or in punycode. It
// returns the form for comparison, which is that of [addrs.Provider.ASCIIHost] and
// of the keys of Config.Credentials and Config.Services. It reports false if s is
// not a host name.
func ParseHost(s string) (string, bool) {
	labels := strings.Split(strings.ToLower(s), ".")
	for i, label := range labels {
		// OpenTofu, and therefore addrs, refuses punycode in source addresses,
		// but only in lower case.
		if strings.HasPrefix(label, "xn--") {
			labels[i] = strings.ToUpper(label)
		}
	}
	p, err := addrs.NewProvider(strings.Join(labels, "."), "x", "x")
	if err != nil {
		return "", false
	}
	return p.ASCIIHost(), true
}

// environmentTokens reads the variables TF_TOKEN_HOST of an environment in the
// form of os.Environ. HOST may be in any case, and in Unicode or punycode. In
// it, two underscores mean a hyphen and one means a dot. A variable that does
// not name a host is ignored. If two variables are for one host, the later
// counts.
func environmentTokens(environ []string) map[string]string {
	t := map[string]string{}
	for _, kv := range environ {
		name, token, _ := strings.Cut(kv, "=")
		name, ok := strings.CutPrefix(name, "TF_TOKEN_")
		if !ok || token == "" {
			continue
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, "__", "-"), "_", ".")
		if host, ok := ParseHost(name); ok {
			t[host] = token
		}
	}
	return t
}
