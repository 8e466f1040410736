// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// whole are texts with every part that an address can have.
var whole = []string{
	`module.a["x"].module.b[0].data.t.n["$${é}\n"]`,
	`module.a.provider["aws"].west["k"]`,
	`module.a.module.b:aws.west[0]`,
	`module.m["k"].out.x["y"][1.5].z`,
	`resource.t.n[0].id`,
	`provider::lab::west::sum`,
	`bücher.example:8443/acme/widget`,
	`~> 1.2.3-beta.1+b5, != 2`,
	`git::https://ex.com/a.git//b?ref=1`,
	`linux_amd64`,
	`h1:47DE+/=`,
}

// TestTruncated checks the laws on every beginning and every end of a text.
func TestTruncated(t *testing.T) {
	for _, s := range whole {
		for i := range len(s) {
			checkEverything(t, s[:i], s[i:], s)
		}
	}
}

// TestInserted puts something into every place of a text, and takes every byte
// out of it.
func TestInserted(t *testing.T) {
	for _, s := range whole {
		for i := range len(s) + 1 {
			for _, x := range []string{" ", "\n", "\r", "/* */", "/*", "#", "\x00", "\xff", "\"", "\\", "[", "]", ".", ":", "/", "é", "-", "0", "e", "${"} {
				checkEverything(t, s[:i]+x+s[i:], s, s)
			}
			if i < len(s) {
				checkEverything(t, s[:i]+s[i+1:], s, s)
			}
		}
	}
}

// TestWhiteSpace checks that white space and comments may stand between any two
// tokens of an address, and that an open comment is an error in each place.
func TestWhiteSpace(t *testing.T) {
	tokens := []string{"", "module", ".", "a", "[", `"x"`, "]", ".", "data", ".", "t", ".", "n", "[", "0", "]", ""}
	for i := range len(tokens) - 1 {
		for _, space := range []string{" ", "\t", "\n", "\r\n", "/* . */", "# [\n", "// ]\n", " /**/ # \n "} {
			before, after := "", ""
			for j, token := range tokens {
				if j <= i {
					before += token
				} else {
					after += token
				}
			}
			a, err := addrs.ParseAbsResourceInstance(before + space + after)
			if err != nil || a.String() != `module.a["x"].data.t.n[0]` {
				t.Errorf("%q: %v, %v", before+space+after, a, err)
			}
			if a, err := addrs.ParseAbsResourceInstance(before + "/*" + after); err == nil {
				t.Errorf("%q: %v", before+"/*"+after, a)
			}
		}
	}
}
