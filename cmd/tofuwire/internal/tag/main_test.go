// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package tag

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
)

const native = `variable "m" {
  type = map(string)
}
variable "l" {}

resource "aws_vpc" "literal" {
  name = "x"
  tags = {
    Name = "x" # kept
    # about the owner
    team = "old"
  }
}
resource "aws_vpc" "empty" {
  tags = {}
}
resource "aws_vpc" "merge" {
  tags = merge(local.common, { Name = "y" })
}
resource "aws_vpc" "merge_names" {
  tags = merge(local.common, var.l)
}
resource "aws_vpc" "variable" {
  tags = var.m
}
resource "aws_vpc" "conditional" {
  tags = var.l ? { a = 1 } : merge(var.m, {})
}
resource "aws_vpc" "unknown" {
  tags = var.l
}
resource "x" "computed" {
  labels = { (var.l) = 1 }
}
resource "aws_vpc" "none" {
  name = "x"
}
`

const tagged = `variable "m" {
  type = map(string)
}
variable "l" {}

resource "aws_vpc" "literal" {
  name = "x"
  tags = {
    Name = "x" # kept
    # about the owner
    team = "new"
    env  = "a b"
  }
}
resource "aws_vpc" "empty" {
  tags = {
    team = "new"
    env  = "a b"
  }
}
resource "aws_vpc" "merge" {
  tags = merge(local.common, { Name = "y", team = "new", env = "a b" })
}
resource "aws_vpc" "merge_names" {
  tags = merge(local.common, var.l, {
    team = "new"
    env  = "a b"
  })
}
resource "aws_vpc" "variable" {
  tags = merge(var.m, {
    team = "new"
    env  = "a b"
  })
}
resource "aws_vpc" "conditional" {
  tags = var.l ? { a = 1, team = "new", env = "a b" } : merge(var.m, {
    team = "new"
    env  = "a b"
  })
}
resource "aws_vpc" "unknown" {
  tags = var.l
}
resource "x" "computed" {
  labels = { (var.l) = 1 }
}
resource "aws_vpc" "none" {
  name = "x"
}
`

const json = `{
  "resource": {
    "aws_vpc": {
      "literal": {"tags": {"Name": "x"}},
      "merge": {"tags": "${merge(local.common, {a = 1})}"},
      "unknown": {"tags": "${var.l}"},
      "none": {}
    }
  }
}
`

func tagDir(t *testing.T, dir, schemas string) (stdout, stderr string, reported int) {
	t.Helper()
	tags := &tagger{}
	if err := tags.setTags([]string{"team=new", "env=a b"}); err != nil {
		t.Fatal(err)
	}
	if schemas != "" {
		var err error
		if tags.schemas, err = planfile.ReadConfigSchemas(schemas); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	if err := tags.run(&out, &errs, dir, true); err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), tags.reported
}

func TestTag(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
		reports         []string
	}{
		{"main.tf", native, tagged, []string{"main.tf:30,10: tags of aws_vpc.unknown cannot be changed safely: it may not be a map", "main.tf:33,12: labels of x.computed cannot be changed safely: a key is not constant"}},
		{"main.tf.json", json, strings.NewReplacer(`{"Name": "x"}`, `{"Name": "x", "team": "new", "env": "a b"}`,
			`{a = 1})}`, `{\n  a    = 1\n  team = \"new\"\n  env  = \"a b\"\n})\n}`).Replace(json),
			[]string{"main.tf.json:6,27: tags of aws_vpc.unknown cannot be changed safely: it may not be a map"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := dir + "/" + c.name
			if err := os.WriteFile(path, []byte(c.src), 0o666); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, n := tagDir(t, dir, "")
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "main.tf" {
				if diff := cmp.Diff(c.want, string(got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			} else if !strings.Contains(string(got), `{"Name": "x", "team": "new", "env": "a b"}`) || strings.Count(string(got), "new") != 2 {
				t.Errorf("got %s", got)
			}
			if !strings.HasPrefix(stdout, "--- a/") || !strings.Contains(stdout, "\n@@ -") || n != len(c.reports) {
				t.Errorf("%d reports, and wrote\n%s", n, stdout)
			}
			for _, r := range c.reports {
				if !strings.Contains(stderr, r) {
					t.Errorf("%q is not in\n%s", r, stderr)
				}
			}
			if stdout, _, _ := tagDir(t, dir, ""); stdout != "" {
				t.Errorf("the second run changes\n%s", stdout)
			}
		})
	}
}

func TestTagBySchema(t *testing.T) {
	dir, schemas := t.TempDir(), t.TempDir()+"/schemas.json"
	if err := os.WriteFile(schemas, []byte(`{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/hashicorp/aws":{"resource_schemas":{
		"aws_vpc":{"version":0,"block":{"attributes":{"tags":{"type":["map","string"],"optional":true}}}},
		"aws_numbers":{"version":0,"block":{"attributes":{"tags":{"type":["map","number"],"optional":true}}}},
		"aws_object":{"version":0,"block":{"attributes":{"labels":{"type":["object",{"a":"string"}],"optional":true}}}},
		"list":{"version":0,"block":{"attributes":{"tags":{"type":["list","string"],"optional":true}}}}}}}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	others := "resource \"aws_numbers\" \"c\" {\n  tags = { a = 1 }\n}\nresource \"aws_object\" \"d\" {}\n"
	src := "resource \"aws_vpc\" \"a\" {\n  name = \"x\"\n}\nresource \"list\" \"b\" {\n  tags = [\"x\"]\n}\n"
	src += others
	if err := os.WriteFile(dir+"/a.tf", []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, n := tagDir(t, dir, schemas); n != 0 {
		t.Error(stderr)
	}
	got, _ := os.ReadFile(dir + "/a.tf")
	want := "resource \"aws_vpc\" \"a\" {\n  name = \"x\"\n  tags = {\n    team = \"new\"\n    env  = \"a b\"\n  }\n}\nresource \"list\" \"b\" {\n  tags = [\"x\"]\n}\n" + others
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
}
