// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import "testing"

func TestOneObject(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`[]`, "{}\n"},
		{`[{"a": 1}]`, "{\n  \"a\": 1\n}\n"},
		{`[{"b": {"x": 1}}, {"a": "<é>", "b": {"y": 1.50}}]`, "{\n  \"b\": {\n    \"x\": 1,\n    \"y\": 1.50\n  },\n  \"a\": \"<é>\"\n}\n"},
		{`[{"b": {"x": 1}}, {"b": {"x": 2}}]`, "{\n  \"b\": [\n    {\n      \"x\": 1\n    },\n    {\n      \"x\": 2\n    }\n  ]\n}\n"},
		{`[{"b": {"x": {"y": []}}}, {"b": {"x": {"z": {}}}}]`, "{\n  \"b\": {\n    \"x\": {\n      \"y\": [],\n      \"z\": {}\n    }\n  }\n}\n"},
		{`[{"b": 1}, {"b": {"x": 2}}]`, "{\n  \"b\": [\n    1,\n    {\n      \"x\": 2\n    }\n  ]\n}\n"},
		{`[1]`, ""}, // would be lost
		{`[`, ""},
	} {
		if got, ok := oneObject([]byte(c.in)); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v", c.in, got, ok)
		}
	}
}
