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

// What Terraform 1.11.4 said of edits of the armor, all of which OpenTofu 1.12.6 reads.
func TestArmor(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile("testdata/keys/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	armor, document, signature := read("gpg-rsa2048.asc"), []byte(read("SHA256SUMS")), []byte(read("gpg-rsa2048.sig"))
	const begin, sum, end = "BLOCK-----\n\n", "=xkXB\n", "-----END PGP PUBLIC KEY BLOCK-----\n"
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(armor) }
	for name, tt := range map[string]struct{ text, said string }{
		"unchanged":             {armor, ""},
		"CRLF":                  {edit("\n", "\r\n"), ""},
		"text around it":        {"hello\n\n" + armor + "bye\n", ""},
		"a header":              {edit(begin, "BLOCK-----\nComment: x: y\n\n"), ""},
		"white space in line 2": {edit(begin, "BLOCK-----\n \n"), ""},
		"empty lines":           {edit("\n", "\n\n", begin, begin, sum, sum), ""},
		"no sum":                {edit(sum, ""), ""},
		"a wrong sum":           {edit(sum, "=AAAA\n"), "the checksum of the armor is wrong"},
		"indented":              {edit("\n", "\n  ", begin, begin), "white space around a line of the armor"},
		"trailing blanks":       {edit("\n", " \n", begin, begin), "white space around a line of the armor"},
		"a blank behind a sum":  {edit(sum, "=xkXB  \n"), "white space around a line of the armor"},
		"no end":                {edit(end, ""), "the last line does not follow the checksum of the armor"},
		"another end":           {edit(end, "END\n"), "the last line does not follow the checksum of the armor"},
		"a text behind the sum": {edit(sum, sum+"hello\n"), "the last line does not follow the checksum of the armor"},
		"two sums":              {edit(sum, sum+sum), "the last line does not follow the checksum of the armor"},
		"an indented end":       {edit(end, "  "+end), "the last line does not follow the checksum of the armor"},
	} {
		for _, tool := range []addrs.Tool{addrs.OpenTofu, addrs.Terraform} {
			v, err := (&Client{Policy: Policy{Tool: tool}}).checkSignature(t.Context(), []SigningKey{{ASCIIArmor: tt.text}}, document, signature)
			if err != nil || v.err != nil {
				t.Fatalf("%s: %v, %v", name, err, v)
			}
			got := strings.Join(v.findings, "; ")
			if want := tt.said; want == "" || tool == addrs.OpenTofu {
				if got != "" {
					t.Errorf("%s, %s: %s", name, tool, got)
				}
			} else if !strings.Contains(got, "terraform 1.11 cannot verify the signature") || !strings.HasSuffix(got, "("+want+")") {
				t.Errorf("%s, %s: %q, want %s", name, tool, got, want)
			}
		}
	}
}
