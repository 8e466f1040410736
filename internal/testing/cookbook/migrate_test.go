// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// The code on pages for people who come from programs that no module of this repository requires.
func fromRegistryAddress() error {
	provider, err := addrs.ParseProvider("hashicorp/aws")
	if err != nil {
		return err // says which part is wrong
	}
	source, err := addrs.ParseModuleRegistrySource("hashicorp/consul/aws//modules/cluster")
	if err != nil {
		return err
	}
	host, namespace, name, system, _ := source.Registry()
	fmt.Println(provider.ForDisplay(), host, namespace, name, system, source.Subdir())
	return nil
}

func fromHCInstall(dir string, versionText []byte) error {
	config, err := hclconfig.LoadModule(os.DirFS(dir), ".")
	if err != nil {
		return err
	}
	for d := range config.Diagnostics().Errors() {
		return errors.New(d.String()) // required_version may be in a file that cannot be read
	}
	var wanted addrs.Constraints // what required_version allows
	for _, settings := range config.Settings {
		constraints, err := settings.Constraints()
		if err != nil {
			return err
		}
		wanted = addrs.JoinConstraints(wanted, constraints)
	}
	installed, err := planjson.DecodeVersion(versionText) // of tofu version -json
	if err != nil {
		return err
	}
	found, err := addrs.ParseVersion(installed.TerraformVersion)
	if err != nil {
		return err
	}
	fmt.Println(found, wanted.Allows(found))
	return nil
}

func fromTFStateLookup(text []byte) error {
	file, err := statefile.Decode(text)
	if err != nil {
		return err // it wraps statefile.ErrEncrypted if the state is encrypted
	}
	address, err := addrs.ParseAbsResourceInstance(`module.net["eu"].aws_vpc.main[0]`)
	if err != nil {
		return err
	}
	instance, ok := statefile.NewIndex(file).Instance(address, "")
	if !ok {
		return fmt.Errorf("%s is not in the state", address)
	}
	id, _ := instance.Object.Attributes.Get("tags", "Name").Text()
	endpoint := file.Outputs["endpoint"]
	fmt.Println(id, endpoint.Value)
	return nil
}

const lookedUp = `{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"x","outputs":{"endpoint":{"value":"https://x","type":"string"}},
"resources":[{"module":"module.net[\"eu\"]","mode":"managed","type":"aws_vpc","name":"main","provider":"provider[\"registry.opentofu.org/hashicorp/aws\"]",
"instances":[{"index_key":0,"schema_version":0,"attributes":{"id":"vpc-1","tags":{"Name":"main"}}}]}],"check_results":null}`

// Example_migrations runs the code of the pages.
func Example_migrations() {
	version := []byte(`{"terraform_version":"1.12.6","platform":"linux_amd64","provider_selections":{}}`)
	fmt.Println(fromRegistryAddress(), fromHCInstall(moduleDir, version), fromTFStateLookup([]byte(lookedUp)))
	// Output:
	// hashicorp/aws registry.opentofu.org hashicorp consul aws modules/cluster
	// 1.12.6 true
	// main "https://x"
	// <nil> <nil> <nil>
}

// words returns the tokens of Go source.
func words(src []byte) string {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(src)), src, nil, scanner.ScanComments)
	var b strings.Builder
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if text != "\n" {
			fmt.Fprintf(&b, "%s%s ", tok, text)
		}
	}
}

// TestMigrationPages wants the code of each page in this file, which is compiled and run.
func TestMigrationPages(t *testing.T) {
	own, err := os.ReadFile("migrate_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", own, 0); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"terraform-registry-address", "hc-install", "tfstate-lookup"} {
		page, err := os.ReadFile("../../../docs/migrate-" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(page, -1)
		if len(blocks) == 0 {
			t.Errorf("%s has no code", name)
		}
		for _, m := range blocks {
			if !strings.Contains(words(own), words(m[1])) {
				t.Errorf("%s: this code is not in migrate_test.go:\n%s", name, m[1])
			}
		}
	}
}
