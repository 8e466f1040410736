// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A reference changes if it names the object of this module: not the iterator of a
// dynamic block, and not the object of another module that a run of a test uses.
func TestEditor_replaceReferencesScope(t *testing.T) {
	for name, tt := range map[string]struct{ file, src, from, to, want string }{
		"the iterator by the label": {"x.tf",
			"resource \"a\" \"b\" {\n  dynamic \"terraform_data\" {\n    for_each = terraform_data.key\n    content {\n      x = terraform_data.key\n    }\n  }\n  y = terraform_data.key\n}\n",
			"terraform_data.key", "terraform_data.k",
			"resource \"a\" \"b\" {\n  dynamic \"terraform_data\" {\n    for_each = terraform_data.k\n    content {\n      x = terraform_data.key\n    }\n  }\n  y = terraform_data.k\n}\n"},
		"the iterator by its name": {"x.tf",
			"resource \"a\" \"b\" {\n  dynamic \"c\" {\n    for_each = it.key\n    iterator = it\n    labels   = [it.key, c.key]\n    content {\n      x = it.key\n      dynamic \"d\" {\n        for_each = it.key\n        content {}\n      }\n    }\n  }\n}\n",
			"it.key", "it.k",
			"resource \"a\" \"b\" {\n  dynamic \"c\" {\n    for_each = it.k\n    iterator = it\n    labels   = [it.key, c.key]\n    content {\n      x = it.key\n      dynamic \"d\" {\n        for_each = it.key\n        content {}\n      }\n    }\n  }\n}\n"},
		"the label is free if the iterator has a name": {"x.tf",
			"resource \"a\" \"b\" {\n  dynamic \"c\" {\n    for_each = []\n    iterator = it\n    content {\n      x = c.key\n    }\n  }\n}\n",
			"c.key", "c.k",
			"resource \"a\" \"b\" {\n  dynamic \"c\" {\n    for_each = []\n    iterator = it\n    content {\n      x = c.k\n    }\n  }\n}\n"},
		"the iterator in JSON": {"x.tf.json",
			`{"resource":{"a":{"b":{"dynamic":{"it":{"for_each":"${it.key}","content":{"x":"${it.key}"}}},"y":"${it.key}"}}}}`,
			"it.key", "it.k",
			`{"resource":{"a":{"b":{"dynamic":{"it":{"for_each":"${it.k}","content":{"x":"${it.key}"}}},"y":"${it.k}"}}}}`},
		"a run with its own module": {"x.tftest.hcl",
			"run \"a\" {\n  variables {\n    v = a_b.c.id\n  }\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = a_b.c.id == \"\"\n  }\n}\nrun \"b\" {\n  assert {\n    condition = a_b.c.id == \"\"\n  }\n}\n",
			"a_b.c", "a_b.d",
			"run \"a\" {\n  variables {\n    v = a_b.d.id\n  }\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = a_b.c.id == \"\"\n  }\n}\nrun \"b\" {\n  assert {\n    condition = a_b.d.id == \"\"\n  }\n}\n"},
		"a run with its own module in JSON": {"x.tftest.json",
			`{"run":{"a":{"module":{"source":"./x"},"variables":{"v":"${a_b.c.id}"},"assert":{"condition":"${a_b.c.id == 1}","error_message":"x"}},"b":{"assert":{"condition":"${a_b.c.id == 1}","error_message":"x"}}}}`,
			"a_b.c", "a_b.d",
			`{"run":{"a":{"module":{"source":"./x"},"variables":{"v":"${a_b.d.id}"},"assert":{"condition":"${a_b.c.id == 1}","error_message":"x"}},"b":{"assert":{"condition":"${a_b.d.id == 1}","error_message":"x"}}}}`},
		"a variable of the file in a run with its own module": {"x.tftest.hcl",
			"variables {\n  v = 1\n}\nrun \"a\" {\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = var.v == run.v.x\n  }\n}\n",
			"var.v", "var.w",
			"variables {\n  v = 1\n}\nrun \"a\" {\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = var.w == run.v.x\n  }\n}\n"},
		"a variable of the other module": {"x.tftest.hcl",
			"run \"a\" {\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = var.v == run.v.x\n  }\n}\n",
			"var.v", "var.w",
			"run \"a\" {\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = var.v == run.v.x\n  }\n}\n"},
		"another run": {"x.tftest.hcl",
			"run \"a\" {\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = var.v == run.v.x\n  }\n}\n",
			"run.v", "run.w",
			"run \"a\" {\n  module {\n    source = \"./x\"\n  }\n  assert {\n    condition = var.v == run.w.x\n  }\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := hclconfig.Parse(tt.file, []byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			e := hcledit.Edit(f)
			e.ReplaceReferences(tt.from, tt.to)
			got, err := e.Apply()
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Bytes()) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got.Bytes(), tt.want)
			}
		})
	}
}
