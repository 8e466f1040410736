// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestBuiltinProvider shows that the types of the built-in provider are known without
// schemas: members of values of any type do not become null one by one, as those of
// other resources do, of which it is not known what they are.
func TestBuiltinProvider(t *testing.T) {
	const text = `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[` +
		`{"address":"T.a","mode":"managed","type":"T","name":"a","provider_name":"P","change":{"actions":["delete"],` +
		`"before":{"id":"i","input":{"pub":"x"}},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}}],"configuration":{"root_module":{}}}`
	for _, tt := range []struct{ provider, typ, want string }{
		{"terraform.io/builtin/terraform", "terraform_data", `- pub = "x"` + "\n"},
		{"terraform.io/builtin/terraform", "terraform_remote_state", `- pub = "x" -> null`},
		{"registry.opentofu.org/x/y", "terraform_data", `- pub = "x" -> null`},
	} {
		plan, err := planjson.DecodePlan([]byte(strings.NewReplacer(`"P"`, `"`+tt.provider+`"`, `"T`, `"`+tt.typ).Replace(text)))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := plandiff.Plan(plan, plandiff.Options{}).WriteText(&b, plandiff.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), tt.want) {
			t.Errorf("%s of %s:\n%s", tt.typ, tt.provider, b.String())
		}
	}
}
