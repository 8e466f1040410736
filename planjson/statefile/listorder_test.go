// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestStateListOrder checks that All iterates in the order in which "state list" of
// Terraform 1.11.4 and OpenTofu 1.12.6 printed the same state.
func TestStateListOrder(t *testing.T) {
	const printed = `data.terraform_remote_state.q
aaa.k
terraform_data.B
terraform_data.k["10"]
terraform_data.k["2"]
terraform_data.k["a"]
terraform_data.k["z"]
terraform_data.n[0]
terraform_data.n[2]
terraform_data.n[10]
module.a.data.terraform_remote_state.q
module.a.terraform_data.q
module.b[2].terraform_data.x
module.b[10].terraform_data.x
module.b["z"].terraform_data.x
module.b["a"].module.c.terraform_data.x
`
	resource := func(module, mode, typ, name string, keys ...string) string {
		var instances []string
		for _, key := range keys {
			if key != "" {
				key = `"index_key":` + key + ","
			}
			instances = append(instances, `{`+key+`"schema_version":0,"attributes":{"id":"x"}}`)
		}
		if module != "" {
			module = fmt.Sprintf("%q:%q,", "module", module)
		}
		return fmt.Sprintf(`{%s"mode":%q,"type":%q,"name":%q,"provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[%s]}`,
			module, mode, typ, name, strings.Join(instances, ","))
	}
	text := `{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[` + strings.Join([]string{
		resource(`module.b["z"]`, "managed", "terraform_data", "x", ""),
		resource(`module.b["a"].module.c`, "managed", "terraform_data", "x", ""),
		resource("module.b[10]", "managed", "terraform_data", "x", ""),
		resource("module.b[2]", "managed", "terraform_data", "x", ""),
		resource("", "managed", "terraform_data", "n", "10", "2", "0"),
		resource("", "managed", "terraform_data", "k", `"z"`, `"a"`, `"10"`, `"2"`),
		resource("", "managed", "aaa", "k", ""),
		resource("", "data", "terraform_remote_state", "q", ""),
		resource("", "managed", "terraform_data", "B", ""),
		resource("module.a", "data", "terraform_remote_state", "q", ""),
		resource("module.a", "managed", "terraform_data", "q", ""),
	}, ",") + `],"check_results":null}`
	file, err := statefile.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i := range file.All() {
		fmt.Fprintln(&got, i.Address)
	}
	if got.String() != printed {
		t.Errorf("got\n%s", got.String())
	}
}
