// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/redact"
)

const planted = `{"format_version":"1.2","variables":{"pw":{"value":"planted-0001-secret"},"t":{"value":"planted-0002-default"},"word":{"value":"hunter"}},"planned_values":{"root_module":{}},` +
	`"configuration":{"root_module":{"variables":{"pw":{"sensitive":true},"word":{"sensitive":true},"t":{"default":"planted-0002-default"}}}}}`

// try runs the program in a folder of its own with these files.
func try(t *testing.T, files map[string]string, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	status = redact.Run(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

func TestText(t *testing.T) {
	files := map[string]string{"plan.json": planted, "more": `["planted-0003-more"]`}
	const log = "2026 [DEBUG] x planted-0001-secret hunter\n{\"@message\":\"planted-0003-more\"}\nend"
	status, out, stderr := try(t, files, log, "-text", "-plan", "plan.json", "-secrets", "more")
	if want := "2026 [DEBUG] x (sensitive value) (sensitive value)\n{\"@message\":\"(sensitive value)\"}\nend"; status != 0 || out != want || stderr != "" {
		t.Errorf("%d %q %s", status, out, stderr)
	}
	for _, args := range [][]string{{"-text"}, {"-text", "-plan", "plan.json", "ui", "f"}, {"-text", "-plan", "more"}, {"-text", "-all", "-secrets", "more"}, {"-text", "-plan", "none"}} {
		if status, out, stderr := try(t, files, log, args...); status == 0 || out != "" || stderr == "" {
			t.Errorf("%q: %d %q %q", args, status, out, stderr)
		}
	}
}

// TestLog redacts lines as both tools write them with TF_LOG=json: those of the core have no
// module, those of plugins do.
func TestLog(t *testing.T) {
	const log = `{"@level":"trace","@message":"request with planted-9","@timestamp":"2026-11-29T01:03:02.454423Z"}
{"@level":"debug","@message":"request with planted-9","@module":"provider.terraform-provider-x_v1","@timestamp":"2026-11-29T01:03:02.454423Z","req":{"Authorization":"planted-9"}}
{"@caller":"x.go:1","@level":"TRACE","@message":"planted-9","@module":"sdk.helper_schema","@timestamp":"2026-11-29T01:03:02.454423Z","tf_rpc":"planted-9"}
`
	for _, args := range [][]string{nil, {"ui"}, {"-all", "ui"}, {"-plan", "plan.json", "ui"}} {
		status, out, stderr := try(t, map[string]string{"plan.json": planted}, log, args...)
		if status != 0 || strings.Contains(out, "planted") || strings.Count(out, "(sensitive value)") < 3 || strings.Count(out, "@timestamp") != 3 {
			t.Errorf("%q: %d %s\n%s", args, status, stderr, out)
		}
	}
}

func TestConfig(t *testing.T) {
	files := map[string]string{
		"plan.json": planted, "dir/main.tf": "variable \"t\" {\n  ephemeral = true\n}\nmodule \"m\" {\n  source = \"./m\"\n}\n", "dir/m/main.tf": "variable \"u\" {\n  ephemeral = true\n}\n",
		"bad/main.tf": "variable {", "empty/x": "",
	}
	if status, out, stderr := try(t, files, "", "-config", "dir", "plan.json"); status != 0 || strings.Contains(out, "planted") {
		t.Errorf("%d %s %s", status, stderr, out)
	}
	if _, out, _ := try(t, files, "", "plan.json"); strings.Count(out, "planted-0002-default") != 2 { // as the page says
		t.Error(out)
	}
	for _, dir := range []string{"bad", "none", "empty"} {
		if status, out, stderr := try(t, files, "", "-config", dir, "plan.json"); status != 1 || out != "" || stderr == "" {
			t.Errorf("%s: %d %q %q", dir, status, out, stderr)
		}
	}
}

// A saved plan has its configuration, which says what is ephemeral where the document of Terraform does not.
func TestConfigOfSavedPlan(t *testing.T) {
	recorded, err := zip.OpenReader("../../../../planjson/planfile/testdata/terraform-1.11.4/large/plan.tfplan")
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close()
	for _, written := range []string{"true", "false"} {
		var plan bytes.Buffer
		w := zip.NewWriter(&plan)
		for _, f := range recorded.File {
			if f.Name != "tfconfig/m-/main.tf" {
				must(w.Copy(f))
				continue
			}
			text, err := w.Create(f.Name)
			must(err)
			old, err := f.Open()
			must(err)
			_, err = io.Copy(text, io.MultiReader(old, strings.NewReader("variable \"planted\" {\n  ephemeral = "+written+"\n  default = \"planted-0003-default\"\n}\n")))
			must(err)
		}
		must(w.Close())
		files := map[string]string{"plan": plan.String()}
		for _, args := range [][]string{{"./plan"}, {"-text", "-plan", "./plan"}} {
			status, out, stderr := try(t, files, "has planted-0003-default\n", args...)
			if status != 0 || strings.Contains(out, "planted-0003") != (written == "false") {
				t.Errorf("%q, ephemeral = %s: %d %s %s", args, written, status, stderr, out)
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
