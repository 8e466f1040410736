// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

const recordings = "../../../../planjson/planfile/testdata/terraform-1.11.4/"

// file returns a file with the content of a zipped one, or with a text.
func file(t *testing.T, name, text string) string {
	t.Helper()
	if text == "" {
		f, err := os.Open(recordings + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		text = string(all)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	plan := recordings + "actions/plan.tfplan"
	src, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	encrypted, err := statefile.Encrypt(context.Background(), src, "a passphrase of the tests")
	if err != nil {
		t.Fatal(err)
	}
	schemas := file(t, "schemas.json.gz", "")
	other := file(t, "schemas.json", strings.NewReplacer("terraform.io", "opentofu.org").Replace(readAll(t, schemas)))
	locked := file(t, "locked.tfplan", string(encrypted))
	key := file(t, "key", "a passphrase of the tests\n")
	wrong := file(t, "wrong", "another passphrase of the tests")
	want := readAll(t, file(t, "actions/plan.json.gz", ""))
	external := file(t, "external.tfplan", `{"meta":{"key_provider.external.a":"eyJleHRlcm5hbF9kYXRhIjp7fX0="},"encrypted_data":"AAAA","encryption_version":"v0"}`)
	none := file(t, "none.json", `{"format_version":"1.0"}`)
	for _, tt := range []struct {
		args   []string
		status int
		stdout string // "" is nothing
		stderr string
	}{
		{[]string{"-schemas", schemas, plan}, 0, want, ""},
		{[]string{plan, "--schemas", schemas}, 0, want, ""},
		{[]string{"-schemas", schemas, "-schemas", schemas, "-"}, 0, want, ""},
		{[]string{"-schemas", schemas, "-key", key, locked}, 0, want, ""},
		{[]string{"-schemas", schemas, "-passphrase-file", key, locked}, 0, want, ""},
		{[]string{plan}, 2, "", plan + ": no schemas for registry.terraform.io/example/lab 1.0.0"},
		{[]string{"-schemas", other, plan}, 2, "", "no schemas for registry.terraform.io/example/lab"},
		{[]string{"-schemas", schemas, "-without-schemas", plan}, 0, want, ""},
		{[]string{"-schemas", schemas, locked}, 1, "", "-passphrase-file"},
		{[]string{"-schemas", schemas, "-key", wrong, locked}, 1, "", "cannot be decrypted"},
		{[]string{"-schemas", schemas, "-key", key, external}, 1, "", "encrypted by key_provider.external.a, and no passphrase opens it"},
		{[]string{"-schemas", schemas, schemas}, 1, "", "not a saved plan"},
		{[]string{"-schemas", plan, plan}, 1, "", "providers schema -json"},
		{[]string{"-schemas", none, plan}, 2, "", "no schemas for"},
		{[]string{"-schemas", "no-such-file", plan}, 1, "", "no-such-file"},
		{[]string{"no-such-file"}, 1, "", "no-such-file"},
		{nil, 2, "", "PLANFILE is missing"},
		{[]string{plan, plan}, 2, "", "one PLANFILE"},
		{[]string{"-key", key, "-passphrase-file", key, plan}, 2, "", "the same"},
		{[]string{"-nothing", plan}, 2, "", "-nothing"},
	} {
		var stdout, stderr bytes.Buffer
		status := Run(tt.args, bytes.NewReader(src), &stdout, &stderr)
		if status != tt.status || stdout.String() != tt.stdout || !strings.Contains(stderr.String(), tt.stderr) || tt.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%v: status %d, %d bytes\n%s", tt.args, status, stdout.Len(), stderr.String())
		}
	}
}

// TestWithoutSchemas prints a plan that hides values, and says which.
func TestWithoutSchemas(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := Run([]string{"-without-schemas", recordings + "actions/plan.tfplan"}, nil, &stdout, &stderr); status != 0 {
		t.Fatal(status, stderr.String())
	}
	plan, err := planjson.DecodePlan(stdout.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	hidden := 0
	for _, rc := range plan.ResourceChanges {
		if strings.HasPrefix(rc.Type, "lab_") && string(rc.Change.AfterSensitive) == "true" {
			hidden++
		}
	}
	if hidden == 0 || strings.Count(stderr.String(), "no schema for registry.terraform.io/example/lab 1.0.0: ") < 2 {
		t.Errorf("%d hidden\n%s", hidden, stderr.String())
	}
}

func readAll(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
