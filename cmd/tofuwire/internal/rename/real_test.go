// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rename

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
)

// TestRealPlan renames in a module that has a state, and asks a real program for a
// plan: it has moves and nothing else. It needs the program's built-in provider only.
func TestRealPlan(t *testing.T) {
	for tool, path := range depth.Tools(t) {
		t.Run(tool, func(t *testing.T) { realPlan(t, path) })
	}
}

func realPlan(t *testing.T, tool string) {
	t.Setenv("CHECKPOINT_DISABLE", "1")
	t.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
	dir := write(t, map[string]string{
		"main.tf":          "variable \"v\" {\n  default = 1\n}\nlocals {\n  l = { v = var.v }\n}\nresource \"terraform_data\" \"a\" {\n  for_each = toset([\"x\", \"y\"])\n  input    = local.l.v\n}\nmodule \"m\" {\n  source = \"./m\"\n  count  = 2\n  in     = terraform_data.a[\"x\"].output\n}\n",
		"more.tf.json":     `{"resource": {"terraform_data": {"b": {"input": "${[for k, a in terraform_data.a : a.id]}", "triggers_replace": "${module.m[*].out}", "depends_on": ["terraform_data.a"]}}}}`,
		"terraform.tfvars": "v = 2\n",
		"m/main.tf":        "variable \"in\" {}\nresource \"terraform_data\" \"c\" {\n  input = var.in\n}\noutput \"out\" {\n  value = terraform_data.c.id\n}\n",
	})
	run := func(args ...string) []byte {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, tool, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return out
	}
	run("init", "-input=false")
	run("apply", "-auto-approve", "-input=false")
	for _, c := range [][3]string{
		{"var.v", "var.value", "."}, {"local.l", "local.values", "."}, {"terraform_data.a", "terraform_data.all", "."}, {"terraform_data.b", "terraform_data.both", "."},
		{"module.m", "module.many", "."}, {"var.in", "var.input", "m"}, {"output.out", "output.id", "m"}, {"terraform_data.c", "terraform_data.core", "m"},
	} {
		if err := renameIn(c[0], c[1], filepath.Join(dir, c[2])); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-input=false")
	run("plan", "-input=false", "-out=plan")
	plan, err := planjson.DecodePlan(run("show", "-json", "plan"))
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	for _, r := range plan.ResourceChanges {
		if !r.Change.Actions.IsNoOp() {
			t.Errorf("%s: %v", r.Address, r.Change.Actions)
		}
		if r.PreviousAddress != "" {
			moves++
		}
	}
	if moves != 5 {
		t.Errorf("%d of 5 objects move", moves)
	}
}
