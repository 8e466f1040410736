// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

const recorded = "../../../../planjson/statefile/testdata/"

// onFile runs the program on a text in a file, which is the argument FILE.
func onFile(t *testing.T, text string, args ...string) (status int, out, errors, after string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "terraform.tfstate")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		if args[i] == "FILE" {
			args[i] = name
		}
	}
	var stdout, stderr bytes.Buffer
	status = Run(args, strings.NewReader(""), &stdout, &stderr)
	now, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return status, stdout.String(), stderr.String(), string(now)
}

func recording(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(recorded + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Output is what Terraform 0.12 to 0.15 and 1.11.4 print of the same states.
func TestOutput(t *testing.T) {
	for name, want := range map[string]string{
		"old/terraform-0.14.tfstate": "m = {\n  \"a\" = \"x\"\n  \"b\" = true\n}\nn = 3\nnames = [\n  \"a0\",\n  \"a1\",\n]\nsecret = <sensitive>\n",
		"version3/terraform.tfstate": "count = \"2\"\nempty = []\nids = tolist([\n  \"id-1\",\n  \"id-2\",\n])\nmixed = {\n  \"a\" = \"x\"\n  \"b\" = [\n    \"y\",\n  ]\n}\nsecret = <sensitive>\ntags = tomap({\n  \"Owner\" = \"ann\"\n})\n",
	} {
		status, out, _, _ := onFile(t, recording(t, name), "output", "FILE")
		if status != 0 || out != want {
			t.Errorf("%s: %d, %s", name, status, out)
		}
	}
	status, out, _, _ := onFile(t, recording(t, "version3/terraform.tfstate"), "output", "-json", "FILE")
	if want := recording(t, "version3/output-by-terraform-1.11.4.json"); status != 0 || out != want {
		t.Errorf("%d, %s", status, out)
	}
	status, out, errs, _ := onFile(t, `{"version":4,"terraform_version":"1.0.0","serial":1,"lineage":"l","outputs":{},"resources":[]}`, "output", "-json", "FILE")
	if status != 0 || out != "{}\n" {
		t.Errorf("%d, %s, %s", status, out, errs)
	}
}

func TestReplaceProvider_Says(t *testing.T) {
	for _, name := range []string{"old/terraform-0.12.tfstate", "version3/terraform.tfstate"} {
		text := recording(t, name)
		status, out, errs, after := onFile(t, text, "replace-provider", "FILE", "-/lab", "registry.terraform.io/acme/lab")
		if status != 0 || out != "" || !strings.HasPrefix(errs, "Successfully replaced provider for ") || !strings.Contains(after, `provider[\"registry.terraform.io/acme/lab\"].west`) {
			t.Errorf("%s: %d, %s, %s, %s", name, status, out, errs, after)
		}
		if status, _, errs, after = onFile(t, text, "replace-provider", "FILE", "registry.terraform.io/-/lab", "acme/lab"); status != 0 || !strings.Contains(after, `provider[\"registry.terraform.io/acme/lab\"].west`) {
			t.Errorf("%s: %d, %s, %s", name, status, errs, after)
		}
		status, _, errs, after = onFile(t, text, "replace-provider", "FILE", "registry.terraform.io/-/nosuch", "acme/lab")
		if status != 0 || errs != "No matching resources found.\n" || after != text {
			t.Errorf("%s: %d, %s", name, status, errs)
		}
	}
}

// Reading commands find the state as redact does; the others refuse, and say which can.
func TestFound(t *testing.T) {
	state := recording(t, "old/terraform-0.13.tfstate")
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(state))
	z.Close()
	var wide []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + state)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	_, want, _, _ := onFile(t, state, "list", "FILE")
	for what, text := range map[string]string{
		"byte order mark": "\ufeff" + state, "UTF-16": string(wide), "log": "[command]/usr/bin/terraform state pull\n" + state + "\n::debug::done\n", "gzip": zipped.String(),
	} {
		for _, args := range [][]string{{"list", "FILE"}, {"show", "FILE", "lab_key.b"}, {"json", "FILE"}, {"output", "FILE"}} {
			verb := args[0]
			status, out, errs, _ := onFile(t, text, args...)
			if status != 0 || verb == "list" && out != want || out == "" {
				t.Errorf("%s, %s: %d, %s, %s", what, verb, status, out, errs)
			}
		}
		status, _, errs, after := onFile(t, text, "taint", "FILE", "lab_key.b")
		if status == 0 || !strings.Contains(errs, "list, show, json and output") || after != text {
			t.Errorf("%s: %d, %s", what, status, errs)
		}
	}
	for _, name := range []string{"version3/terraform.tfstate", "old/terraform-0.12.tfstate"} {
		if status, out, errs, _ := onFile(t, recording(t, name), "list", "FILE"); status != 0 || !strings.Contains(out, "lab_key.a[1]\n") {
			t.Errorf("%s: %d, %s", name, status, errs)
		}
	}
}
