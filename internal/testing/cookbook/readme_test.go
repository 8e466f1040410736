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

// TestReadmeEdit builds the second piece of code of the README, the edit of a file, and runs it on
// both syntaxes: only the values that it sets change.
func TestReadmeEdit(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	pieces := strings.Split(string(readme), "```go\n")
	if len(pieces) != 4 {
		t.Fatalf("the README has %d pieces of code", len(pieces)-1)
	}
	code, _, _ := strings.Cut(pieces[2], "```")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "edit.exe")
	text := `package main

import (
	"io"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

func main() {
	src, err := io.ReadAll(os.Stdin)
	if err == nil {
	err = edit(src)
	}
	if err != nil {
	log.Fatal(err)
	}
}

func edit(src []byte) error {
` + strings.Replace(code, `"network.tf"`, "os.Args[1]", 1) + `
	os.Stdout.Write(file.Bytes())
	return err
}
`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, source)
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, texts := range map[string][2]string{
		"network.tf": {
			"# The network.\nmodule \"vpc\" {\n  source  = \"acme/vpc/aws\"\n  version = \"5.1.0\" # see OPS-12\n\n  zones   = [ \"a\",\"b\" ]\n}\n\nmodule \"old\" {\n  source = \"./old\"\n}\n",
			"# The network.\nmodule \"vpc\" {\n  source  = \"acme/vpc/aws\"\n  version = \"5.8.1\" # see OPS-12\n\n  zones   = [ \"a\",\"b\" ]\n}\n\nmodule \"old\" {\n  source = \"./old\"\n}\n",
		},
		"network.tf.json": {
			"{\"module\": {\"vpc\": { \"//\": \"see OPS-12\", \"version\":\"5.1.0\",\n\"source\":\"acme/vpc/aws\"} }}\n",
			"{\"module\": {\"vpc\": { \"//\": \"see OPS-12\", \"version\":\"5.8.1\",\n\"source\":\"acme/vpc/aws\"} }}\n",
		},
	} {
		run := exec.Command(program, name)
		run.Stdin = strings.NewReader(texts[0])
		if out, err := run.Output(); err != nil || string(out) != texts[1] {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestReadmeLinter builds the third piece of code of the README, a linter, and runs it on a module that
// it has something to say about, and on one that it has not.
func TestReadmeLinter(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```go\nhcllint.Main(")
	code, _, _ = strings.Cut(code, "```")
	text := `package main

import (
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

func main() {
	hcllint.Main(` + code + `}
`
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "linter.exe")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, source)
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for port, found := range map[string]bool{"22": true, `"22"`: true, "443": false} {
		module := filepath.Join(t.TempDir(), "module")
		if err := os.Mkdir(module, 0o700); err != nil {
			t.Fatal(err)
		}
		rule := "resource \"aws_vpc_security_group_ingress_rule\" \"ssh\" {\n  from_port = " + port + "\n  cidr_ipv4 = \"0.0.0.0/0\"\n}\n"
		if err := os.WriteFile(filepath.Join(module, "main.tf"), []byte(rule), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(program, "-only", "acme_ports", module).CombinedOutput()
		if strings.Contains(string(out), "ssh opens SSH to the world") != found {
			t.Errorf("port %s: %v\n%s", port, err, out)
		}
	}
}
