// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// testdata/keys/verdicts.txt has a line for each key, made by the program that its name
// begins with ("edit" is a harmless edit of a signature by gpg): what tofu 1.12.6 and
// terraform 1.11.4 did with a provider signed by it, and what is said here for each.
func TestKeysOfOtherPrograms(t *testing.T) {
	read := func(name string) []byte {
		b, err := os.ReadFile("testdata/keys/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	page, err := os.ReadFile("../docs/signing-keys.md")
	if err != nil {
		t.Fatal(err)
	}
	document := read("SHA256SUMS")
	rows := 0
	for line := range strings.Lines(string(read("verdicts.txt"))) {
		part := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		name := part[0]
		if row := fmt.Sprintf("| `%s` | %s | %s |\n", name, part[1], part[2]); !strings.Contains(string(page), row) {
			t.Errorf("the page has no row %s", row)
		}
		for i, tool := range []addrs.Tool{addrs.OpenTofu, addrs.Terraform} {
			installs, said := part[1+i] == "installs", part[3]
			if len(part) > 4 {
				said = part[3+i]
			}
			c := &Client{Policy: Policy{Tool: tool}}
			v, err := c.checkSignature(t.Context(), []SigningKey{{ASCIIArmor: string(read(name + ".asc"))}}, document, read(name+".sig"))
			if err != nil {
				t.Fatal(err)
			}
			got := "accepts"
			if v.err != nil {
				got = "refuses: " + strings.TrimPrefix(v.err.Error(), ErrBadSignature.Error()+": ")
			} else if len(v.findings) > 0 {
				got = "warns: " + strings.Join(v.findings, "; ")
			}
			if got != said {
				t.Errorf("%s for %s:\n got %s\nwant %s", name, tool, got, said)
			}
			// What a tool refuses is refused here, or there is a warning about it. What it
			// installs is accepted, unless something has expired.
			unable := strings.Contains(got, "cannot verify the signature")
			expired := strings.Contains(got, "expired") || strings.Contains(got, "dated in the future")
			if installs && (v.err != nil || unable) && !expired || !installs && v.err == nil && !unable {
				t.Errorf("%s: %s installs it: %v; here: %s", name, tool, installs, got)
			}
		}
	}
	if rows < 40 {
		t.Errorf("only %d keys", rows)
	}
}
