// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/tofuwire/tofuwire/internal/program/lint"
	"github.com/tofuwire/tofuwire/internal/program/validate"
)

// TestSchema validates logs with findings, fixes, related places and faults, and those of
// nothing.
func TestSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/x":           "",
		"a b/é.tf":         "variable \"a\" {}\nlocals {\n  x = \"${var.b}\"\n  y = lookup(local.x, \"é\")\n}\noutput \"o\" {\n  x = 1\n}\n// c\n",
		"a b/x.tf.json":    `{"locals": {"a": 1}}`,
		"a b/broken.tf":    "locals {",
		"good/main.tf":     "terraform {\n  required_version = \">= 1.6\"\n}\n",
		"good/sub/main.tf": "# x\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, args := range [][]string{{"a b"}, {"good"}, {"good/..."}, {"none"}, {"-only", "terraform_comment_syntax", "a b"}} {
		var out, errs bytes.Buffer
		lint.Run(append([]string{"-format", "sarif"}, args...), nil, &out, &errs)
		valid(t, fmt.Sprint("lint ", args), out.Bytes())
	}
	for _, d := range []string{"a b", "good"} {
		var out, errs bytes.Buffer
		validate.Run([]string{"-format", "sarif", d}, nil, &out, &errs)
		valid(t, "validate "+d, out.Bytes())
	}
}

// valid wants a log that the schema accepts, and of which the library knows every member.
func valid(t *testing.T, name string, src []byte) {
	t.Helper()
	report, err := sarif.FromBytes(src)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, src)
	}
	if err := report.Validate(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, src)
	}
	again, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var before, after any
	if err := json.Unmarshal(src, &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &after); err != nil {
		t.Fatal(err)
	}
	if lost := missing("", before, after); lost != "" {
		t.Errorf("%s: the library does not know %s", name, lost)
	}
}

// missing returns the path of a member that the second value lacks, or "".
func missing(path string, a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		m, _ := b.(map[string]any)
		for k, v := range a {
			if lost := missing(path+"/"+k, v, m[k]); lost != "" {
				return lost
			}
		}
	case []any:
		l, _ := b.([]any)
		for i, v := range a {
			if i >= len(l) {
				return path
			}
			if lost := missing(fmt.Sprint(path, "/", i), v, l[i]); lost != "" {
				return lost
			}
		}
	default:
		if a != b && a != nil && a != false && a != 0.0 {
			return path
		}
	}
	return ""
}
