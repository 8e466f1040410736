// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func oldState(t *testing.T, name string) *statefile.File {
	t.Helper()
	src, err := os.ReadFile("testdata/old/" + name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := statefile.Decode(src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Both tools print the built-in provider, and values without their types beside them.
func TestOld_Show(t *testing.T) {
	f := oldState(t, "terraform-0.12.tfstate")
	s, err := statefile.Show(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := planjson.Encode(s)
	for _, want := range []string{
		`"provider_name":"terraform.io/builtin/terraform"`, `"config":{"path":"other.tfstate"}`, `"outputs":{"vpc":"vpc-1"}`,
		`"provider_name":"registry.opentofu.org/-/lab"`,
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	schemas, err := os.ReadFile("testdata/old/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := planjson.DecodeSchemas(schemas)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = statefile.Show(f, decoded); err != nil {
		t.Fatal(err)
	}
	if text, _ = planjson.Encode(s); !bytes.Contains(text, []byte(`"sensitive_values":{"secret":true,"tags":{}}`)) {
		t.Errorf("the schemas are not used: %s", text)
	}
	// What printed such a state had no marks, later releases have those of the schemas.
	s, err = statefile.ShowExactly(oldState(t, "terraform-0.14.tfstate"), decoded)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ = planjson.Encode(s); !bytes.Contains(text, []byte(`"sensitive_values":{"secret":true,"tags":{}}`)) {
		t.Errorf("ShowExactly does not use the schemas: %s", text)
	}
	for i := range f.All() {
		c, err := i.ProviderAddr()
		if err != nil || c.Provider().Type() != strings.Split(strings.ReplaceAll(i.Address.Resource().Type(), "terraform_remote", "terraform"), "_")[0] {
			t.Errorf("%s: %v, %v", i.Address, c, err)
		}
	}
}

func TestOld_ReplaceProvider(t *testing.T) {
	to := addrs.MustParseProvider("registry.terraform.io/acme/lab")
	for _, name := range []string{"terraform-0.12.tfstate", "terraform-0.13-again.tfstate"} {
		for _, from := range []string{"registry.terraform.io/-/lab", "-/lab"} {
			f := oldState(t, name)
			serial, want := f.Serial, 6
			if name != "terraform-0.12.tfstate" {
				want = 5
				if from == "-/lab" { // which is on the other registry
					want = 0
				}
			}
			n, err := f.ReplaceProvider(addrs.MustParseProvider(from), to)
			if err != nil || n != want || (f.Serial != serial) != (want > 0) {
				t.Errorf("%s, %s: %d resources, %v", name, from, n, err)
			}
			text, err := statefile.Encode(f)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(text), `provider[\"registry.terraform.io/acme/lab\"]`); got != want {
				t.Errorf("%s, %s: %d in %s", name, from, got, text)
			}
			if want > 0 && !bytes.Contains(text, []byte(`"module.n.provider[\"registry.terraform.io/acme/lab\"].own"`)) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

func TestOld_WhiteSpace(t *testing.T) {
	const state = `{"version":4,"terraform_version":"0.12.31","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"null_resource","name":"a","provider":"PROVIDER","instances":[{"schema_version":0,"attributes":{}}]}]}`
	for text, ok := range map[string]bool{"provider. null": true, "module . m . provider.null": true, "provider.my_own": true, "null": false, "provider": false, "module.m": false, "provider.null.a.b": false} {
		_, err := statefile.Decode([]byte(strings.Replace(state, "PROVIDER", text, 1)))
		if (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
