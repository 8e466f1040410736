// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package cookbook_test has the recipes of docs/cookbook.md as examples, which the
// tests run, and a test that the page is made of them.
package cookbook_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson/statefile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// Recordings of real tools, which the recipes read.
const (
	planFile   = "../../../examples/quickstart/testdata/planjson/plan.json"
	streamFile = "../../../examples/quickstart/testdata/uijson/apply.jsonl"
	moduleDir  = "../../../examples/quickstart/testdata/hclconfig/native"
	lockFile   = "../../../examples/quickstart/testdata/lockfile/terraform.lock.hcl"
)

// vpcModule is a module with an override file and a test.
var vpcModule = fstest.MapFS{
	"main.tf":              {Data: []byte("resource \"aws_vpc\" \"main\" {\n}\n\noutput \"id\" {\n  value = aws_vpc.main.id\n}\n")},
	"main_override.tf":     {Data: []byte("resource \"aws_vpc\" \"main\" {\n  cidr_block = \"10.0.0.0/16\"\n}\n")},
	"tests/vpc.tftest.hcl": {Data: []byte("run \"plan\" {\n  assert {\n    condition = aws_vpc.main.cidr_block != \"\"\n  }\n}\n")},
}

var planText, lockText = mustRead(planFile), mustRead(lockFile)

func mustRead(name string) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

// stateText is a state as a tool saves it.
var stateText = []byte(`{
  "version": 4,
  "terraform_version": "1.12.6",
  "serial": 7,
  "lineage": "5a0fcfe8-6ee0-0b6b-2a2b-0c9b6b9a4a0d",
  "outputs": {},
  "resources": [
    {
      "module": "module.net",
      "mode": "managed",
      "type": "aws_subnet",
      "name": "a",
      "provider": "provider[\"registry.opentofu.org/hashicorp/aws\"]",
      "instances": [
        {
          "index_key": "eu",
          "schema_version": 1,
          "attributes": {
            "cidr_block": "10.0.1.0/24",
            "id": "subnet-1",
            "note": "hunter-2"
          },
          "sensitive_attributes": [[{"type": "get_attr", "value": "note"}]]
        }
      ]
    }
  ],
  "check_results": null
}
`)

// toolVariable makes the program of the tests print the messages of a run, and fail as
// the tool did.
const toolVariable = "COOKBOOK_TOOL"

// scratch is a folder for the files that the recipes write.
var scratch string

func TestMain(m *testing.M) {
	if os.Getenv(toolVariable) != "" {
		_, _ = os.Stdout.Write(mustRead(streamFile))
		os.Exit(1)
	}
	var err error
	if scratch, err = os.MkdirTemp("", "cookbook"); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// toolCommand returns the command of a tool whose apply fails.
func toolCommand() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), toolVariable+"=1")
	return cmd
}

// demoClient returns a client of a registry in memory.
func demoClient() *registry.Client {
	platforms := []string{"linux_amd64", "darwin_arm64"}
	server, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{
		Namespace: "acme", Type: "demo", Versions: []registrytest.Version{{Version: "1.2.0", Platforms: platforms}, {Version: "1.9.1", Platforms: platforms}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	return server.Registry()
}

// demoConfiguration returns a configuration that requires the provider of demoClient.
func demoConfiguration() fs.FS {
	return fstest.MapFS{"main.tf": {Data: []byte(`terraform {
  required_providers {
    demo = {
      source  = "registry.example.org/acme/demo"
      version = "~> 1.2"
    }
  }
}
`)}}
}

// lockFileName returns the name of a lock file that does not exist.
func lockFileName() string { return filepath.Join(scratch, lockfile.Name) }

// unitStreams returns two streams that are mixed line by line, as terragrunt prints them.
func unitStreams() io.Reader {
	var all bytes.Buffer
	db := bytes.SplitAfter(mustRead(streamFile), []byte("\n"))
	net := bytes.SplitAfter(mustRead("../../../uijson/testdata/tofu-1.12.6/commands/apply.jsonl"), []byte("\n"))
	all.WriteString("12:00:00.000 INFO   The runner-pool runner at . will be processed\n")
	for i := range max(len(db), len(net)) {
		if i < len(db) && len(db[i]) > 0 {
			all.WriteString("12:00:01.000 STDOUT [live/db] tofu: ")
			all.Write(db[i])
		}
		if i < len(net) && len(net[i]) > 0 {
			all.WriteString("12:00:01.000 STDOUT [live/net] tofu: ")
			all.Write(net[i])
		}
	}
	return &all
}

// kubernetesSecrets returns the Secrets of a backend, as kubectl prints them.
func kubernetesSecrets() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(stateText)
	if err = errors.Join(err, z.Close()); err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"List","items":[{"kind":"Secret","metadata":{"name":"tfstate-default-state"},"data":{"tfstate":%q}}]}`,
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

// demoRepository returns modules that name a provider, with and without its source, or only use it.
func demoRepository() fs.FS {
	return fstest.MapFS{
		"lab/main.tf":         {Data: []byte("terraform {\n  required_providers {\n    random = {\n      version = \"~> 3.5\"\n    }\n  }\n}\n")},
		"live/main.tf":        {Data: []byte("terraform {\n  required_providers {\n    random = {\n      source  = \"hashicorp/random\" # the fork\n      version = \"~> 3.5\"\n    }\n  }\n}\n")},
		"new/main.tf":         {Data: []byte("terraform {\n  required_providers {\n    random = \"~> 3.5\"\n  }\n}\n")},
		"new/main.tofu":       {Data: []byte("terraform {\n  required_providers {\n    random = {\n      source = \"registry.terraform.io/hashicorp/random\"\n    }\n  }\n}\n")},
		"tests/values.tfvars": {Data: []byte("x = 1\n")},
		"login/main.tf":       {Data: []byte("resource \"random_string\" \"name\" {\n  length = 8\n}\n")},
	}
}

// stateNames returns the names of three files with states, one of which is encrypted, one has
// nothing of the provider, and one has it from both registries.
func stateNames() []string {
	encrypted, err := statefile.Encrypt(context.Background(), stateText, "correct horse battery staple")
	if err != nil {
		panic(err)
	}
	var names []string
	for name, text := range map[string][]byte{"encrypted": encrypted, "other": bytes.ReplaceAll(stateText, []byte("hashicorp/aws"), []byte("acme/other")), "terraform": bytes.Replace(stateText, []byte(`"resources": [`), []byte(`"resources": [
    {
      "mode": "data",
      "type": "aws_region",
      "name": "a",
      "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
      "instances": []
    },`), 1)} {
		names = append(names, filepath.Join(scratch, name+".tfstate"))
		if err := os.WriteFile(names[len(names)-1], text, 0o600); err != nil {
			panic(err)
		}
	}
	slices.Sort(names)
	return names
}
