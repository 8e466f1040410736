// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/unseal"
)

// TestEncrypted scans a state that OpenTofu has encrypted: without a key, with the wrong one, and into the
// same inventory with the right ones. Its rows are those of the state in clear.
func TestEncrypted(t *testing.T) {
	folder, err := filepath.Abs("../../planjson/statefile/testdata/encrypted")
	if err != nil {
		t.Fatal(err)
	}
	sealed := filepath.Join(folder, "chain.tfstate")
	config := filepath.Join(folder, "chain.hcl")
	t.Chdir(t.TempDir())
	text, err := os.ReadFile(sealed)
	if err != nil {
		t.Fatal(err)
	}
	open, err := unseal.New("", config)
	if err != nil {
		t.Fatal(err)
	}
	clear, err := open(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"clear/chain.tfstate": string(clear), "sealed/chain.tfstate": string(text),
		"wrong": "not-the-passphrase\n", "right": "correct horse battery staple\r\n", "bad.hcl": "method \"aes_gcm\" {",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, stderr := fleet(t, "scan", "-out", "clear.db", "clear"); status != exitOK {
		t.Fatal(stderr)
	}
	rows := func(db string) string {
		const sql = `SELECT address, type, schema_version, attributes FROM instances UNION ALL SELECT name, '', sensitive, value FROM outputs
UNION ALL SELECT kind, coalesce(tool_version, ''), complete, '' FROM documents ORDER BY 1, 2`
		status, stdout, stderr := fleet(t, "query", "-format", "csv", db, sql)
		if status != exitOK {
			t.Fatal(stderr)
		}
		return stdout
	}
	want := rows("clear.db")
	if strings.Count(want, "\n") < 3 {
		t.Fatalf("the state has only %s", want)
	}
	for _, tt := range []struct {
		options []string
		fault   string
	}{
		{nil, "open it with -passphrase-file or -config"},
		{[]string{"-passphrase-file", "wrong"}, "encrypted by OpenTofu: "},
		{[]string{"-config", config}, ""},
		{[]string{"-passphrase-file", "right"}, ""},
	} {
		dbs := []string{"sealed.db"}
		if tt.fault == "" {
			dbs = append(dbs, "fresh-"+strings.Trim(tt.options[0], "-")+".db")
		}
		for _, db := range dbs {
			status, _, stderr := fleet(t, append(append([]string{"scan", "-out", db}, tt.options...), "sealed")...)
			_, faults, _ := fleet(t, "ask", db, "faults")
			if tt.fault != "" {
				if status != exitFaults || !strings.Contains(faults, tt.fault) || strings.Contains(faults, "not-the-passphrase") {
					t.Errorf("%q: %d %s", tt.options, status, faults)
				}
				continue
			}
			if got := rows(db); status != exitOK || got != want || strings.Contains(faults, "encrypted") {
				t.Errorf("%q into %s: %d %s %s\n%s, want\n%s", tt.options, db, status, stderr, faults, got, want)
			}
		}
	}
	if status, _, stderr := fleet(t, "scan", "-out", "x.db", "-config", "bad.hcl", "sealed"); status != exitUsage || !strings.Contains(stderr, "bad.hcl: ") {
		t.Errorf("%d %s", status, stderr)
	}
}
