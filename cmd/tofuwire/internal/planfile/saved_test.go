// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/approve"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/gate"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planreport"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/redact"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/why"
)

const recordings = "../../../../planjson/planfile/testdata/terraform-1.11.4/"

func unzipped(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(recordings + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(name), ".gz"))
	if err := os.WriteFile(out, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSavedPlans gives programs a saved plan: with schemas they say what they say of its document, and
// without them they say so, and show no value.
func TestSavedPlans(t *testing.T) {
	plan := recordings + "actions/plan.change.tfplan"
	document, schemas := unzipped(t, "actions/plan.change.json.gz"), unzipped(t, "schemas.json.gz")
	for name, tt := range map[string]struct {
		run     func([]string, io.Reader, io.Writer, io.Writer) int
		args    []string // PLAN is the plan, OTHER its document
		without int      // the exit status without schemas
	}{
		"gate":    {gate.Run, []string{"-policy", "max-changes=1", "PLAN"}, 1},
		"approve": {approve.Run, []string{"OTHER", "PLAN"}, 2},
		"both":    {approve.Run, []string{"PLAN", "PLAN"}, 0},
		"report":  {planreport.Run, []string{"-reveal", "PLAN"}, 0},
		"redact":  {redact.Run, []string{"plan", "PLAN"}, 1},
		"why":     {why.Run, []string{"PLAN", "lab_switch.main"}, 0},
	} {
		run := func(plan string, options ...string) (int, string, string) {
			var stdout, stderr bytes.Buffer
			args := options
			for _, a := range tt.args {
				args = append(args, strings.NewReplacer("PLAN", plan, "OTHER", document).Replace(a))
			}
			status := tt.run(args, nil, &stdout, &stderr)
			return status, stdout.String(), stderr.String()
		}
		wantStatus, want, _ := run(document)
		if status, got, errs := run(plan, "-schemas", schemas); status != wantStatus || strings.ReplaceAll(got, plan, document) != want {
			t.Errorf("%s: %d, want %d\n%s\n%s", name, status, wantStatus, got, errs)
		}
		status, got, errs := run(plan)
		if status != tt.without {
			t.Errorf("%s without schemas: %d, want %d\n%s\n%s", name, status, tt.without, got, errs)
		}
		hint := plan + ": without schemas: values are hidden; tofuwire schemas DIR writes them\n"
		if name == "redact" {
			hint = "no schemas for registry.terraform.io/example/lab 1.0.0"
		}
		if !strings.Contains(errs, hint) {
			t.Errorf("%s without schemas says %s", name, errs)
		}
		if strings.Contains(got, "hunter2") {
			t.Errorf("%s without schemas shows a value", name)
		}
	}
}
