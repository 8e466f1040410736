// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

const awsConfig = `provider["registry.opentofu.org/hashicorp/aws"]`

// providerConfigTests are addresses of provider configurations and their
// normal form, which is empty if they are refused.
var providerConfigTests = []struct{ name, in, want string }{
	{"default", awsConfig, awsConfig},
	{"alias", awsConfig + ".west", awsConfig + ".west"},
	{"alias and number", awsConfig + ".west[0]", awsConfig + ".west[0]"},
	{"alias and string", awsConfig + `.by["e\"u"]`, awsConfig + `.by["e\"u"]`},
	{"in a module", "module.a.module.b." + awsConfig, "module.a.module.b." + awsConfig},
	{"short form", `provider["aws"]`, awsConfig},
	{"upper case", `provider["HashiCorp/AWS"]`, awsConfig},
	{"escaped", `provider["\u0061ws"]`, awsConfig},
	{"white space", `module . a . provider [ "aws" ] . x`, "module.a." + awsConfig + ".x"},
	{"Unicode host", `provider["bücher.example/a/b"]`, `provider["bücher.example/a/b"]`},
	{"built-in", `provider["terraform.io/builtin/terraform"]`, `provider["terraform.io/builtin/terraform"]`},
	{"key without alias", awsConfig + "[0]", ""},
	{"module key", "module.a[0]." + awsConfig, ""},
	{"not a provider", "module.a.aws_x.y", ""},
	{"legacy form", "provider.aws", ""},
	{"number", "provider[0]", ""},
	{"bad source", `provider["a b"]`, ""},
	{"two aliases", awsConfig + ".a.b", ""},
	{"two keys", awsConfig + ".a[0][1]", ""},
	{"fraction", awsConfig + ".a[1.5]", ""},
	{"nothing", "", ""},
	{"module alone", "module.a", ""},
	{"module without name", "module", ""},
	{"provider alone", "provider", ""},
	{"open", `provider["aws"`, ""},
	{"dot", awsConfig + ".", ""},
}

func TestAbsProviderConfig(t *testing.T) {
	for _, tt := range providerConfigTests {
		t.Run(tt.name, func(t *testing.T) {
			c, ok := checkParse(t, addrs.ParseAbsProviderConfig, tt.in)
			if c.String() != tt.want || ok != (tt.want != "") {
				_, err := addrs.ParseAbsProviderConfig(tt.in)
				t.Errorf("ParseAbsProviderConfig(%q) = %v, %v, want %q", tt.in, c, err, tt.want)
			}
			if !ok {
				return
			}
			again, err := addrs.NewAbsProviderConfig(c.Module(), c.Provider(), c.Alias(), c.Key())
			if err != nil || again != c {
				t.Errorf("put together again: %v, %v", again, err)
			}
		})
	}
	aws := addrs.MustParseProvider("aws")
	for name, err := range map[string]error{
		"no provider":  second(addrs.NewAbsProviderConfig(addrs.Module{}, addrs.Provider{}, "", addrs.NoKey)),
		"no alias":     second(addrs.NewAbsProviderConfig(addrs.Module{}, aws, "", addrs.IntKey(0))),
		"bad alias":    second(addrs.NewAbsProviderConfig(addrs.Module{}, aws, "a.b", addrs.NoKey)),
		"negative key": second(addrs.NewAbsProviderConfig(addrs.Module{}, aws, "a", addrs.IntKey(-1))),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestParseRecordedProvider(t *testing.T) {
	const legacy = `provider["registry.opentofu.org/-/aws"]`
	for in, want := range map[string]string{
		"provider.aws":                   legacy,
		"provider. aws":                  legacy,
		" provider\t.aws ":               legacy,
		"provider.aws.west":              legacy + ".west",
		"module.m.provider.aws.x":        "module.m." + legacy + ".x",
		"module.m.module.n.provider.aws": "module.m.module.n." + legacy,
		"aws":                            legacy,
		"AWS":                            legacy,
		"aws.west":                       legacy + ".west",
		" aws ":                          legacy,
		"provider.terraform":             `provider["terraform.io/builtin/terraform"]`,
		"terraform":                      `provider["terraform.io/builtin/terraform"]`,
		"registry.terraform.io/-/aws":    `provider["registry.terraform.io/-/aws"]`,
		`provider["registry.terraform.io/-/aws"]`: `provider["registry.terraform.io/-/aws"]`,
		"hashicorp/aws":                       awsConfig,
		"registry.opentofu.org/hashicorp/aws": awsConfig,
		awsConfig + `.by["k"]`:                awsConfig + `.by["k"]`,
		"module.a." + awsConfig + ".x":        "module.a." + awsConfig + ".x",
		"provider.my_own":                     "",
		"":                                    "",
		"provider":                            "",
		"module":                              "",
		"module.m":                            "",
		"module.m.aws":                        "",
		"provider.aws.west.x":                 "",
		"provider.aws[0]":                     "",
		"a b":                                 "",
		"provider.":                           "",
		"a/b/c/d":                             "",
	} {
		c, ok := checkParse(t, addrs.ParseRecordedProvider, in)
		if c.String() != want || ok != (want != "") {
			t.Errorf("ParseRecordedProvider(%q) = %v, %t, want %s", in, c, ok, want)
		}
	}
}
