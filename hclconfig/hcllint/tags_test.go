// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// mendTags sets the tags that the resources of a module lack.
func mendTags(t *testing.T, name, src string) string {
	t.Helper()
	files := fstest.MapFS{name: {Data: []byte(src)}}
	tags := &hcllint.Analyzer{
		Name: "acme_tags",
		Doc:  "Resources have tags.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for b := range pass.Blocks("resource") {
				var missing []string
				for _, key := range []string{"owner", "a b"} {
					if has, _ := b.HasTag(key); !has {
						missing = append(missing, key)
					}
				}
				if len(missing) > 0 {
					pass.Report(hcllint.Diagnostic{At: b, Message: fmt.Sprint("no ", missing), Fixes: []hcllint.Fix{{Message: "Add", Edit: func(e *hcllint.Edits) {
						for _, key := range missing {
							e.SetTag(b, key, "${x}")
						}
					}}}})
				}
			}
			return nil, nil
		},
	}
	for range 3 {
		tree, err := hclnames.LoadTree(files, ".", hclconfig.OpenTofu)
		if err != nil {
			t.Fatal(err)
		}
		report, err := hcllint.Run(tree, []*hcllint.Analyzer{tags}, hcllint.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		changed := report.Fix()
		if len(changed) == 0 {
			break
		}
		for _, f := range changed {
			files[f.Filename()] = &fstest.MapFile{Data: f.Bytes()}
		}
	}
	return string(files[name].Data)
}

// TestSetTag sets tags in every form that they have. What HasTag says afterwards is asked by
// mendTags: a tag that it does not find would be set again.
func TestSetTag(t *testing.T) {
	const tail = "locals {\n  tags = { b = 1 }\n  list = []\n}\n\nvariable \"v\" {\n  type = map(string)\n}\n"
	for _, c := range []struct{ name, in, want string }{
		{"an object", "tags = { a = 1 }", "tags = { a = 1, owner = \"$${x}\", \"a b\" = \"$${x}\" }"},
		{"an object over lines", "tags = {\n    a = 1 # a\n  }", "tags = {\n    a     = 1 # a\n    owner = \"$${x}\"\n    \"a b\" = \"$${x}\"\n  }"},
		{"an item that is there", "tags = { owner = var.v, c = 2 }", "tags = { owner = var.v, c = 2, \"a b\" = \"$${x}\" }"},
		{"merge", "tags = merge(local.tags, { a = 1 })", "tags = merge(local.tags, { a = 1, owner = \"$${x}\", \"a b\" = \"$${x}\" })"},
		{"labels", "labels = { a = 1 }", "labels = { a = 1, owner = \"$${x}\", \"a b\" = \"$${x}\" }"},
		{"a local value", "tags = local.tags", "tags = merge(local.tags, {\n    owner = \"$${x}\"\n    \"a b\" = \"$${x}\"\n  })"},
		{"merge of others", "tags = merge(local.tags, var.v)", "tags = merge(local.tags, var.v, {\n    owner = \"$${x}\"\n    \"a b\" = \"$${x}\"\n  })"},
		{"an expanded merge", "tags = merge(local.list...)", "tags = merge(merge(local.list...), {\n    owner = \"$${x}\"\n    \"a b\" = \"$${x}\"\n  })"},
		{"a conditional", "tags = var.v ? { a = 1 } : null", "tags = var.v ? { a = 1, owner = \"$${x}\", \"a b\" = \"$${x}\" } : {\n    owner = \"$${x}\"\n    \"a b\" = \"$${x}\"\n  }"},
		{"no tags", "x = 1", "x = 1\n  tags = {\n    owner = \"$${x}\"\n    \"a b\" = \"$${x}\"\n  }"},
		{"no map", "tags = [1]", "tags = [1]"},
		{"blocks", "tag {\n    key = \"owner\"\n    value = \"o\"\n    propagate_at_launch = false\n  }",
			"tag {\n    key = \"owner\"\n    value = \"o\"\n    propagate_at_launch = false\n  }\n\n  tag {\n    key                 = \"a b\"\n    value               = \"$${x}\"\n    propagate_at_launch = true\n  }"},
	} {
		src := "resource \"r\" \"a\" {\n  " + c.in + "\n}\n\n" + tail
		if got, want := mendTags(t, "main.tf", src), "resource \"r\" \"a\" {\n  "+c.want+"\n}\n\n"+tail; got != want {
			t.Errorf("%s: got\n%s", c.name, strings.TrimSuffix(got, tail))
		}
	}
	for _, c := range []struct{ in, want string }{
		{`{"tags": {"a": 1}}`, `{"tags": {"a": 1, "owner": "$${x}", "a b": "$${x}"}}`},
		{`{"tags": "${merge(local.tags, {a = 1})}"}`, `{"tags": "${merge(local.tags, {a = 1, owner = \"$${x}\", \"a b\" = \"$${x}\"})}"}`},
		{`{"tags": "${var.v}"}`, `{"tags": "${merge(var.v, {owner = \"$${x}\", \"a b\" = \"$${x}\"})}"}`},
		{`{}`, `{"tags": {"owner": "$${x}", "a b": "$${x}"}}`},
		{`{"tag": [{"key": "k", "value": "v", "propagate_at_launch": true}]}`, `{"tag": [{"key": "k", "value": "v", "propagate_at_launch": true}, {"key": "owner", "value": "$${x}", "propagate_at_launch": true}, {"key": "a b", "value": "$${x}", "propagate_at_launch": true}]}`},
	} {
		src := `{"resource": {"r": {"a": ` + c.in + `}}}`
		if got, want := mendTags(t, "main.tf.json", src), `{"resource": {"r": {"a": `+c.want+`}}}`; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.in, got, want)
		}
	}
	group := "resource \"aws_autoscaling_group\" \"a\" {\n}\n"
	if got := mendTags(t, "main.tf", group); strings.Count(got, "  tag {\n") != 2 || strings.Contains(got, "tags") {
		t.Errorf("got %s", got)
	}
}
