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

func TestLegacyAbsProviderConfig(t *testing.T) {
	for in, want := range map[string]string{
		"provider.aws":           `provider["registry.opentofu.org/-/aws"]`,
		"provider.aws.x":         `provider["registry.opentofu.org/-/aws"].x`,
		"module.a.provider.aws":  `module.a.provider["registry.opentofu.org/-/aws"]`,
		"provider.terraform":     `provider["terraform.io/builtin/terraform"]`,
		"provider.aws.x[0]":      "",
		"provider.aws.x.y":       "",
		"module.a[0].provider.a": "",
		awsConfig:                "",
		"provider.bad_name":      "",
		"provider":               "",
	} {
		c, err := addrs.ParseLegacyAbsProviderConfig(in)
		if c.String() != want || (err == nil) != (want != "") {
			t.Errorf("ParseLegacyAbsProviderConfig(%q) = %v, %v, want %q", in, c, err, want)
		}
	}
}

func TestLocalProviderConfig(t *testing.T) {
	for _, tt := range []struct {
		in, name, alias string
		key             addrs.InstanceKey
	}{
		{"aws", "aws", "", addrs.NoKey},
		{"aws.west", "aws", "west", addrs.NoKey},
		{"aws.a", "aws", "a", addrs.NoKey},
		{`aws.by["e.u"]`, "aws", "by", addrs.StringKey("e.u")},
		{"google-beta.x[3]", "google-beta", "x", addrs.IntKey(3)},
	} {
		c, ok := checkParse(t, addrs.ParseLocalProviderConfig, tt.in)
		if !ok || c.String() != tt.in || c.Name() != tt.name || c.Alias() != tt.alias || c.Key() != tt.key {
			t.Errorf("%s: %v, %q, %q, %v", tt.in, c, c.Name(), c.Alias(), c.Key())
		}
		if again, err := addrs.NewLocalProviderConfig(tt.name, tt.alias, tt.key); err != nil || again != c {
			t.Errorf("put together again: %v, %v", again, err)
		}
		k := c.In(addrs.MustParseModule("module.a.module.b"))
		if k.String() != "module.a.module.b:"+tt.in || k.Local() != c || k.Module().String() != "module.a.module.b" {
			t.Errorf("%v", k)
		}
	}
	for _, bad := range []string{"", "aws.", "aws[0]", "aws.x[each.key]", "aws.x.y", `"aws"`, ".x", "aws.x[0]y", "(aws)"} {
		if c, ok := checkParse(t, addrs.ParseLocalProviderConfig, bad); ok {
			t.Errorf("ParseLocalProviderConfig(%q) = %v", bad, c)
		}
	}
	if c, err := addrs.NewLocalProviderConfig("aws", "", addrs.IntKey(0)); err == nil {
		t.Errorf("key without alias: %v", c)
	}
}

func TestProviderConfigKey(t *testing.T) {
	for _, in := range []string{
		"lab", "lab.by_region", "module.a.module.b.module.c.module.d:terraform", "module.a:aws.west",
	} {
		if k, ok := checkParse(t, addrs.ParseProviderConfigKey, in); !ok || k.String() != in {
			t.Errorf("%s gives %v", in, k)
		}
	}
	for _, bad := range []string{"", ":aws", "module.a[0]:aws", "module.a:", "a:b", "module.a:b:c", "module.a:module.b:c"} {
		if k, ok := checkParse(t, addrs.ParseProviderConfigKey, bad); ok {
			t.Errorf("ParseProviderConfigKey(%q) = %v", bad, k)
		}
	}
}
