// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestRelabelJSON changes labels of blocks that share a property with others, and
// goes on with those blocks: they were read before they had another place.
func TestRelabelJSON(t *testing.T) {
	const shared = `{
  "resource": {
    "aws_x": {
      "a": {"k": 1},
      "b": {"k": 2}
    },
    "aws_y": {
      "c": {"k": 3}
    }
  }
}
`
	tests := map[string]struct {
		src  string
		edit func(f *hclconfig.File, e *hcledit.Editor)
		want string
	}{
		"by itself": {
			shared,
			func(f *hclconfig.File, e *hcledit.Editor) {
				e.Relabel(f.Body().Block("resource", "aws_y", "c"), 0, "aws_z")
			},
			"{\n  \"resource\": {\n    \"aws_x\": {\n      \"a\": {\"k\": 1},\n      \"b\": {\"k\": 2}\n    },\n    \"aws_z\": {\n      \"c\": {\"k\": 3}\n    }\n  }\n}\n",
		},
		"to a label that others have": {
			shared,
			func(f *hclconfig.File, e *hcledit.Editor) {
				a := f.Body().Block("resource", "aws_x", "a")
				e.Relabel(a, 0, "aws_y").Relabel(a, 1, "d").Set(a, "more", 1)
			},
			"{\n  \"resource\": {\n    \"aws_x\": {\n      \"b\": {\"k\": 2}\n    },\n    \"aws_y\": {\n      \"c\": {\"k\": 3},\n      \"d\": {\"k\": 1, \"more\": 1}\n    }\n  }\n}\n",
		},
		"to the name of another": {
			shared,
			func(f *hclconfig.File, e *hcledit.Editor) {
				e.Relabel(f.Body().Block("resource", "aws_x", "a"), 1, "b")
			},
			"{\n  \"resource\": {\n    \"aws_x\": {\n      \"b\": [{\"k\": 2}, {\"k\": 1}]\n    },\n    \"aws_y\": {\n      \"c\": {\"k\": 3}\n    }\n  }\n}\n",
		},
		"and away": {
			shared,
			func(f *hclconfig.File, e *hcledit.Editor) {
				a := f.Body().Block("resource", "aws_x", "a")
				e.Relabel(a, 0, "aws_y").Delete(a)
			},
			"{\n  \"resource\": {\n    \"aws_x\": {\n      \"b\": {\"k\": 2}\n    },\n    \"aws_y\": {\n      \"c\": {\"k\": 3}\n    }\n  }\n}\n",
		},
		"one of a list": {
			`{"provider": {"aws": [{"alias": "x"}, {}]}}`,
			func(f *hclconfig.File, e *hcledit.Editor) { e.Relabel(f.Body().Block("provider"), 0, "other") },
			`{"provider": {"aws": [{}], "other": {"alias": "x"}}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := mustParse(t, "a.tf.json", tt.src)
			e := hcledit.Edit(f)
			tt.edit(f, e)
			if got := string(apply(t, e).Bytes()); got != tt.want {
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

// TestRelabelJSONElsewhere changes a label of a block that has moved to another file,
// and moves one that has another label.
func TestRelabelJSONElsewhere(t *testing.T) {
	f := mustParse(t, "a.tf.json", `{"resource": {"t": {"a": {}, "b": {"k": 1}}}}`)
	g := mustParse(t, "b.tf.json", `{"locals": {"x": 1}}`)
	e, to := hcledit.Edit(f), hcledit.Edit(g)
	a, b := f.Body().Block("resource", "t", "a"), f.Body().Block("resource", "t", "b")
	e.Move(a, hcledit.Into(to, nil))
	to.Relabel(a, 1, "z")
	e.Relabel(b, 1, "c").Move(b, hcledit.Into(to, nil))
	if got, want := string(apply(t, e).Bytes()), `{}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(apply(t, to).Bytes()), `{"locals": {"x": 1}, "resource": {"t": {"z": {}, "c": {"k": 1}}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
