// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const old = "../../../../planjson/statefile/testdata/"

func TestOldDocuments(t *testing.T) {
	dir := t.TempDir()
	report := filepath.Join(dir, "report.jsonl")
	empty := filepath.Join(dir, "empty.json")
	if err := os.WriteFile(empty, []byte(`{"format_version":"1.0"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old/terraform-0.12.tfstate", "old/plan-0.12.json", "version3/terraform.tfstate"} {
		out := redacted(t, "", "-schemas", old+"old/schemas.json", "-schemas", empty, "-require-schemas", old+name)
		if strings.Contains(out, "second-secret-here") || strings.Contains(out, "hunter2") || !strings.Contains(out, "a0") {
			t.Errorf("%s: %s", name, out)
		}
		out = redacted(t, "", "-schemas", empty, "-report", report, old+name)
		lines, _ := os.ReadFile(report)
		if strings.Contains(out, "second-secret-here") || !strings.Contains(out, "lab_key") || !bytes.Contains(lines, []byte(`"why":"no-schema"`)) {
			t.Errorf("%s: %s, %s", name, out, lines)
		}
		if out, said := program(t, "", 1, "-schemas", empty, "-require-schemas", old+name); out != "" || !strings.Contains(said, "lab_key") {
			t.Errorf("%s: %s, %s", name, out, said)
		}
	}
}

func TestGzip(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(planted, "plan.2.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(src)
	z.Close()
	want := redacted(t, string(src))
	for _, args := range [][]string{nil, {"plan"}, {"-stream", "plan"}} {
		if got := redacted(t, b.String(), args...); got != want {
			t.Errorf("%v: the result is another one", args)
		}
	}
	b.Reset()
	z = gzip.NewWriter(&b)
	z.Write(bytes.Repeat([]byte(" "), 100<<20))
	z.Close()
	program(t, b.String(), 1)
}
