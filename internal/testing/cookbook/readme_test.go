// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme builds the first program of README.md. It passes a plan and refuses those that
// cannot be judged.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, _ = strings.Cut(code, "```")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "gate.exe")
	if err := os.WriteFile(source, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, source)
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const plan = `{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[{"address":"aws_db_instance.a","mode":"managed","type":"aws_db_instance","name":"a","change":{"actions":["create"],"before":null,"after":{}}}],"errored":false}`
	for _, row := range []struct {
		plan   string
		passes bool
	}{
		{plan, true},
		{strings.Replace(plan, `"create"`, `"delete"`, 1), false},
		{strings.Replace(plan, `"errored":false`, `"errored":true`, 1), false},
		{strings.Replace(plan, `"errored":false`, `"complete":false`, 1), false},
		{strings.Replace(plan, `"1.2"`, `"2.0"`, 1), false},
		{strings.Replace(plan, `"actions"`, `"actions":["delete"],"actions"`, 1), false},
		{strings.Replace(plan, `"after":{}`, `"after":{"x":"(sensitive value)"}`, 1), false},
		{`{}`, false},
		{``, false},
	} {
		run := exec.Command(program)
		run.Stdin = strings.NewReader(row.plan)
		if out, err := run.CombinedOutput(); (err == nil) != row.passes {
			t.Errorf("%s: %v\n%s", row.plan, err, out)
		}
	}
}
