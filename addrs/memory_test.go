// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// TestMemoryOfLongTexts checks that parsing a long text, good or bad, takes no more than
// a small multiple of its length in memory.
func TestMemoryOfLongTexts(t *testing.T) {
	const n = 1 << 18
	parsers := map[string]func(string) error{
		"instance":    func(s string) error { _, err := addrs.ParseAbsResourceInstance(s); return err },
		"module":      func(s string) error { _, err := addrs.ParseModuleInstance(s); return err },
		"target":      func(s string) error { _, err := addrs.ParseTarget(s); return err },
		"reference":   func(s string) error { _, err := addrs.ParseReference(s); return err },
		"plan":        func(s string) error { _, err := addrs.ParsePlanReference(s); return err },
		"key":         func(s string) error { _, err := addrs.ParseInstanceKey(s); return err },
		"version":     func(s string) error { _, err := addrs.ParseVersion(s); return err },
		"constraints": func(s string) error { _, err := addrs.ParseConstraints(s); return err },
		"config":      func(s string) error { _, err := addrs.ParseConfigConstraints(s); return err },
		"provider":    func(s string) error { _, err := addrs.ParseProvider(s); return err },
		"source":      func(s string) error { _, err := addrs.ParseModuleSource(s); return err },
		"hash":        func(s string) error { _, err := addrs.ParseHash(s); return err },
		"platform":    func(s string) error { _, err := addrs.ParsePlatform(s); return err },
	}
	accepted := map[string]bool{}
	for _, text := range []string{
		`a.b["` + strings.Repeat("x", n) + `"]`, `a.b["` + strings.Repeat(`\u0061`, n/6) + `"]`, `a.b["` + strings.Repeat(`\x01`, n/4) + `"]`,
		`["` + strings.Repeat("$${", n/3) + `"]`, strings.Repeat("module.a.", n/9) + "b.c", strings.Repeat(`module.a["$${"].`, n/16) + "b.c",
		"module.a" + strings.Repeat(".module.a", n/9), "a.b" + strings.Repeat(".c", n/2), "a.b" + strings.Repeat("[0]", n/3), "a.b" + strings.Repeat("[x", n/2),
		"1.2.3-" + strings.Repeat("a.", n/2) + "b", strings.Repeat("1.", n/2) + "1", strings.Repeat("9", n) + ".0.0",
		strings.Repeat(">= 1.0, ", n/8) + "< 2", strings.Repeat("~>1,", n/4) + "1", "a/b/" + strings.Repeat("c", n), strings.Repeat("a/", n/2),
		"git::https://example.com/" + strings.Repeat("a/../", n/5), "./" + strings.Repeat("../", n/3), "https://example.com/a?" + strings.Repeat("b=%41&", n/6),
		"h1:" + strings.Repeat("A", n), "linux_" + strings.Repeat("é", n/2), strings.Repeat("é", n/2) + "/a/b", strings.Repeat(" ", n),
	} {
		for name, parse := range parsers {
			var err error
			bounds.AtMost(t, fmt.Sprintf("%s of %.20s...", name, text), memoryLimit*len(text), func() { err = parse(text) })
			accepted[name] = accepted[name] || err == nil
		}
	}
	for _, name := range []string{"instance", "reference", "key", "constraints", "source", "hash"} {
		if !accepted[name] {
			t.Errorf("%s: no long text was accepted", name)
		}
	}
}
