// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// What the text says as the command show of OpenTofu 1.12 does.
func TestTextAsTofu_cases(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{"tags":{"type":["map","string"],"optional":true}},"block_types":{"rule":{"nesting_mode":"list","block":{"attributes":{"p":{"type":"number","optional":true}}}}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change, want string
	}{
		"objects in JSON are paired, and what moves is shown as a move": {
			`"change":{"actions":["update"],"before":{"x":"[{\"k\":1},{\"k\":2},{\"k\":3}]"},"after":{"x":"[{\"k\":2},{\"k\":1},{\"k\":4}]"}}`,
			"{\nk = 2\n},\n~ (the same element), # moved from [0]\n~ {\n~ k = 3 -> 4\n},\n",
		},
		"a member in JSON becomes null, another one is removed": {
			`"change":{"actions":["update"],"before":{"x":"{\"n\":5,\"gone\":\"x\",\"o\":{\"a\":1}}"},"after":{"x":"{\"n\":null}"}}`,
			"- gone = \"x\"\n~ n    = 5 -> null\n- o    = {\n- a = 1\n}\n",
		},
		"white space around a text of several lines": {
			`"change":{"actions":["update"],"before":{"x":"a\nb","y":"a\nb"},"after":{"x":"a\r\nb","y":"\na\nb"}}`,
			"~ x = <<-EOT\n- a\n+ a\\r\nb\nEOT\n~ y = <<-EOT\n+ \na\nb\nEOT\n",
		},
		"an object that leaves the state": {
			`"change":{"actions":["forget"],"before":{"id":"i-1","name":"n","x":"y","z":1},"after":null}`,
			"{\nid   = \"i-1\"\nname = \"n\"\n# (2 unchanged attributes hidden)\n}\n",
		},
		"names that are identifiers in other scripts, and those that are not": {
			`"change":{"actions":["create"],"before":null,"after":{"x":{"_a-1":1,"é":2,"日本":3,"e\u0301":4,"😀":5,"a·b":6,"\u0301e":7,"-a":8,"1a":9,"a b":10,"a→b":11,"℘":12,"x\u00a0":13}}}`,
			"+ \"-a\"      = 8\n+ \"1a\"      = 9\n+ _a-1      = 1\n+ \"a b\"     = 10\n+ a·b       = 6\n+ \"a→b\"     = 11\n+ e\u0301        = 4\n+ \"x\\u00a0\" = 13\n+ é         = 2\n+ \"\u0301e\"      = 7\n+ ℘         = 12\n+ 日本        = 3\n+ \"😀\"       = 5\n",
		},
		"a key of a map becomes null": {
			`"change":{"actions":["update"],"before":{"tags":{"a":"1","k":"y","z":null}},"after":{"tags":{"a":"1","k":null,"z":"n"}}}`,
			"~ tags = {\n\"a\" = \"1\"\n~ \"k\" = \"y\" -> null\n~ \"z\" = null -> \"n\"\n}\n",
		},
		"the first one of equal blocks differs": {
			`"change":{"actions":["update"],"before":{"rule":[{"p":1},{"p":1}]},"after":{"rule":[{"p":2},{"p":1}]}}`,
			"~ rule {\n~ p = 1 -> 2\n}\n",
		},
		"a key of a map is removed": {
			`"change":{"actions":["update"],"before":{"tags":{"a":"1","k":"y"}},"after":{"tags":{"a":"1"}}}`,
			"~ tags = {\n\"a\" = \"1\"\n- \"k\" = \"y\" -> null\n}\n",
		},
		"a value becomes sensitive": {
			`"change":{"actions":["update"],"before":{"x":"y"},"after":{"x":"y"},"before_sensitive":{},"after_sensitive":{"x":true}}`,
			"# Warning: this attribute value will be marked as sensitive and will not\n# display in UI output after applying this change. The value is unchanged.\n~ x = (sensitive value)\n",
		},
		"a value is no longer sensitive": {
			`"change":{"actions":["update"],"before":{"x":"y"},"after":{"x":"z"},"before_sensitive":{"x":true},"after_sensitive":{}}`,
			"# Warning: this attribute value will no longer be marked as sensitive\n# after applying this change.\n~ x = (sensitive value)\n",
		},
		"a deposed object": {
			`"deposed":"0a1b","change":{"actions":["delete"],"before":{"x":"y"},"after":null}`,
			"# t.a (deposed object 0a1b) will be destroyed\n# (left over from a partially-failed replacement of this instance)\n",
		},
		"an imported object that is replaced": {
			`"change":{"actions":["delete","create"],"before":{"id":"i-1","x":"secret"},"after":{"x":"z"},"before_sensitive":{"x":true},"after_sensitive":{},"importing":{"id":"i-1"}}`,
			"# (imported from \"i-1\")\n# Warning: this will destroy the imported resource\n",
		},
		"an object that is imported by its identity": {
			`"change":{"actions":["update"],"before":{"x":"y"},"after":{"x":"z"},"importing":{"identity":{"a":1,"b":"\u001b"}}}`,
			"# imported using resource identity: {\n#   \"a\": 1,\n#   \"b\": \"\\u001b\"\n# }\n",
		},
		"an object whose identity has a secret": {
			`"change":{"actions":["update"],"before":{"id":"i/secret","x":"secret"},"after":{"x":"z"},"before_sensitive":{"x":true},"after_sensitive":{},"importing":{"identity":{"n":"a \"secret\""}}}`,
			"# (imported)\n",
		},
		"an object whose identifier is not known yet": {
			`"change":{"actions":["update"],"before":{"x":"y"},"after":{"x":"z"},"importing":{"unknown":true}}`,
			"# (will be imported first)\n",
		},
		"an imported object whose identifier has a secret": {
			`"change":{"actions":["update"],"before":{"id":"i/secret","x":"secret"},"after":{"x":"z"},"before_sensitive":{"x":true},"after_sensitive":{},"importing":{"id":"i/secret"}}`,
			"# (imported)\n",
		},
	} {
		p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p",` + test.change + `}]}`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var b strings.Builder
		for line := range strings.Lines(plandiff.Plan(p, plandiff.Options{Schemas: schemas}).Resources[0].Text()) {
			b.WriteString(strings.TrimLeft(line, " "))
		}
		if !strings.Contains(b.String(), test.want) {
			t.Errorf("%s: %s", name, cmp.Diff(test.want, b.String()))
		}
	}
}
