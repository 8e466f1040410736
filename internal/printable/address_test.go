// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package printable_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/internal/printable"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:pw@h/x.zip":                        "https://h/x.zip",
		"git::https://user:pw@h/x.git//sub?ref=v1&key=S": "git::https://h/x.git//sub?ref=v1&...",
		"git::ssh://git@h/x.git?ref=v1&depth=1":          "git::ssh://git@h/x.git?ref=v1&depth=1",
		"git::user:pw@h/x":                               "git::h/x",
		"user:pw@h/x":                                    "h/x",
		"https://user:p%zz@h/x":                          "https://h/x",
		"https://user:p w@h/x":                           "https://h/x",
		"https://user:p/w@h/x":                           "https://h/x",
		"https://user:p?w@h/x":                           "https://h/x",
		"https://user:p@w@h/x@y":                         "https://h/x@y",
		"https://user:pw@[::1/x":                         "https://[::1/x",
		"https://[::1]/x@v1":                             "https://[::1]/x@v1",
		"https://h/x?sig=S&a=b":                          "https://h/x?...",
		"https://h/x?S":                                  "https://h/x?...",
		"git@github.com:a/b?ref=v1":                      "git@github.com:a/b?ref=v1",
		"terraform-aws-modules/vpc/aws@1.0.0":            "terraform-aws-modules/vpc/aws@1.0.0",
		"./a?token=b@c":                                  "./a?token=b@c",
		"hashicorp/aws":                                  "hashicorp/aws",
		"":                                               "",
	} {
		if got := printable.Address(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestURLs(t *testing.T) {
	for in, want := range map[string]string{
		`Get "https://user:p w@h/x?a=b": refused`:       `Get "https://h/x?...": refused`,
		`no https://user:pw@h/x?a=b and //u@h here`:     `no https://h/x?... and //h here`,
		`module 'git::https://u:p@h' and <ssh://a:b@c>`: `module 'git::https://h' and <ssh://c>`,
		`proxy "http://user:p%zz@h"`:                    `proxy "http://h"`,
		`https://user:p/w@h/x is wrong`:                 `https://h/x is wrong`,
		`nothing of that@all`:                           `nothing of that@all`,
		`https://h/a@b`:                                 `https://h/a@b`,
	} {
		if got := printable.URLs(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
