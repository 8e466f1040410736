// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// The code of the README, in its order.

func readmeEdit(src []byte, edited **hclconfig.File) error {
	file, err := hclconfig.Parse("network.tf", src)
	if err != nil {
		return err
	}
	edit := hcledit.Edit(file)
	for _, call := range file.Config().Calls {
		if source, err := call.SourceAddr(); err == nil && source.Kind() == addrs.RegistrySource {
			edit.Set(call.Block, "version", "5.8.1")
		}
	}
	file, err = edit.Apply()
	*edited = file
	return err
}

func readmeLinter() {
	hcllint.Main(append(rules.All(), &hcllint.Analyzer{
		Name: "acme_ports",
		Doc:  "Port 22 is not open to the world.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for rule := range pass.Blocks("resource", "aws_vpc_security_group_ingress_rule") {
				if rule.Is(rule.Expression("from_port"), 22) && rule.Is(rule.Expression("cidr_ipv4"), "0.0.0.0/0") {
					pass.Reportf(rule, "%s opens SSH to the world", rule.Labels[1])
				}
			}
			return nil, nil
		},
	})...)
}

// A test of the library builds and runs it.
var _ = readmeLinter

func TestReadme(t *testing.T) {
	readme := page(t, "../README.md")
	if lines := strings.Count(readme, "\n"); lines > 140 {
		t.Errorf("README.md has %d lines, which is more than 140", lines)
	}
	functions := functionTokens(t, "readme_test.go")
	var all []string
	for _, name := range []string{"readmeEdit", "readmeLinter"} {
		all = append(all, functions[name]...)
	}
	blocks := strings.Split(readme, "```")
	found := 0
	for i := 1; i < len(blocks); i += 2 {
		code, isGo := strings.CutPrefix(blocks[i], "go\n")
		if !isGo {
			continue
		}
		found++
		if strings.HasPrefix(code, "package main") {
			continue // a whole program, which a test of the library builds and runs
		}
		if !contains(all, tokens(t, code)) {
			t.Errorf("block %d of the README is not in readme_test.go:\n%s", found, blocks[i])
		}
	}
	if found != 3 {
		t.Errorf("the README has %d blocks of code", found)
	}
}

func TestReadmeEdit(t *testing.T) {
	var got *hclconfig.File
	err := readmeEdit([]byte("# ours\nmodule \"vpc\" {\n  source  = \"acme/vpc/aws\" # why\n  version = \"5.0.0\"   # pinned\n}\nmodule \"old\" {\n  source = \"./old\"\n}\n"), &got)
	want := "# ours\nmodule \"vpc\" {\n  source  = \"acme/vpc/aws\" # why\n  version = \"5.8.1\"   # pinned\n}\nmodule \"old\" {\n  source = \"./old\"\n}\n"
	if err != nil || string(got.Bytes()) != want {
		t.Errorf("%v\n%s", err, got.Bytes())
	}
}
