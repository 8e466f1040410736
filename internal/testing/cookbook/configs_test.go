// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/registrytest"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// List the inputs and outputs of a module for its documentation.
func Example_documentModule() {
	dir := fstest.MapFS{"main.tf": {Data: []byte(`variable "region" {
  type        = string
  description = "Where everything is."
}

variable "size" {
  type    = number
  default = 3
}

output "url" {
  value = "https://${var.region}.example.net"
}
`)}} // of your own: os.DirFS("path/to/module")
	module, err := hclconfig.LoadModule(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range module.Variables {
		fmt.Printf("%s: %s, required %t, %q\n", v.Name, v.Type.Raw(), v.Required(), v.Description.Value)
	}
	for _, o := range module.Outputs {
		fmt.Println(o.Name, o.Block.DefRange())
	}
	// Output:
	// region: string, required true, "Where everything is."
	// size: number, required false, ""
	// url main.tf:11,1-13
}

// Find the providers that a module requires, and with which constraints.
func Example_listRequiredProviders() {
	module, err := hclconfig.LoadModule(os.DirFS(moduleDir), ".")
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range module.RequiredProviders() {
		fmt.Println(p.Name, p.Provider, p.Constraints)
	}
	// Output:
	// lab registry.opentofu.org/example/lab ~> 1.2, < 9.0.0
	// null registry.opentofu.org/hashicorp/null 3.3.1
	// random registry.opentofu.org/hashicorp/random
}

// Set an argument in every resource of a type; comments stay.
func Example_setArgument() {
	file, err := hclconfig.Parse("main.tf", []byte(`resource "aws_s3_bucket" "logs" {
  bucket = "logs" # do not rename
}
`))
	if err != nil {
		log.Fatal(err)
	}
	edit := hcledit.Edit(file)
	for _, r := range file.Config().Resources {
		if r.Type == "aws_s3_bucket" {
			edit.Set(r.Block, "force_destroy", true)
		}
	}
	edited, err := edit.Apply()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(edited.Bytes()))
	// Output:
	// resource "aws_s3_bucket" "logs" {
	//   bucket        = "logs" # do not rename
	//   force_destroy = true
	// }
}

// Wrap the tags of a resource in a call of merge.
func Example_wrapInCall() {
	file, err := hclconfig.Parse("main.tf", []byte(`resource "aws_instance" "web" {
  tags = {
    Name = "web" # shown in the console
  }
}
`))
	if err != nil {
		log.Fatal(err)
	}
	edit := hcledit.Edit(file)
	for _, r := range file.Config().Resources {
		if tags := r.Block.Argument("tags"); tags != nil {
			edit.Set(r.Block, "tags", hcledit.Source("merge(local.tags, "+tags.Raw()+")"))
		}
	}
	edited, err := edit.Apply()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(edited.Bytes()))
	// Output:
	// resource "aws_instance" "web" {
	//   tags = merge(local.tags, {
	//     Name = "web" # shown in the console
	//   })
	// }
}

// Write a configuration from a program, in JSON syntax.
func Example_generateJSON() {
	file, err := hcledit.Build("generated.tf.json", []*hcledit.BlockBuilder{
		hcledit.NewBlock("module", "network").
			Set("source", "./network").
			Set("cidr", hcledit.Template("10.${var.index}.0.0/16")),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(file.Bytes()))
	// Output:
	// {
	//   "module": {
	//     "network": {
	//       "source": "./network",
	//       "cidr": "10.${var.index}.0.0/16"
	//     }
	//   }
	// }
}

// Convert a file from native to JSON syntax.
func Example_convertToJSON() {
	file, err := hclconfig.Parse("main.tf", []byte("output \"name\" {\n  value = upper(var.name) # shouting\n}\n"))
	if err != nil {
		log.Fatal(err)
	}
	converted, diagnostics := hclconvert.ToJSON(file, hclconvert.Options{})
	if diagnostics.HasErrors() {
		log.Fatal(diagnostics)
	}
	fmt.Print(string(converted.Bytes()))
	// Output:
	// {
	//   "output": {
	//     "name": {
	//       "//": "shouting",
	//       "value": "${upper(var.name)}"
	//     }
	//   }
	// }
}

// List the versions that a lock file selects, with the number of their hashes.
func Example_listLocks() {
	file, err := lockfile.Parse(lockfile.Name, lockText)
	if err != nil {
		log.Fatal(err)
	}
	for _, lock := range file.Locks() {
		fmt.Println(lock.Provider.ForDisplay(), lock.Version, len(lock.Hashes))
	}
	// Output:
	// acme/widget 1.10.0 8
	// oddfiles/odd 2.0.0 8
	// tf.example.test/acme/widget 1.10.0 8
	// tf.example.test:8443/acme/widget 10.0.0 8
}

// Check that a lock file has the hashes of every platform of the team.
func Example_checkPlatforms() {
	server, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{
		Namespace: "acme", Type: "demo", Versions: []registrytest.Version{{Version: "1.2.0", Platforms: []string{"linux_amd64", "linux_arm64"}, Reported: true}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	client := server.Registry() // of your own: &registry.Client{}
	demo := addrs.MustParseProvider("acme/demo")
	lock := lockfile.Lock{Provider: demo, Version: addrs.MustParseVersion("1.2.0"), // of your own: file.Locks().Get(demo)
		Hashes: []lockfile.Hash{server.Package("acme", "demo", "1.2.0", "linux_amd64").H1}}
	var packages []lockfile.Package
	for _, name := range []string{"linux_amd64", "linux_arm64"} {
		platform := addrs.MustParsePlatform(name)
		pkg, err := client.Package(context.Background(), demo, lock.Version, platform)
		if err != nil {
			log.Fatal(err)
		}
		packages = append(packages, lockfile.Package{Platform: platform, Hashes: pkg.Reported[platform].Hashes})
	}
	fmt.Print(lock.Coverage(packages...))
	// Output:
	// linux_amd64: h1 present, zh missing
	// linux_arm64: h1 missing, zh missing
}

// Raise the version of one provider in a lock file; comments stay.
func Example_setLockedVersion() {
	file, err := lockfile.Parse(lockfile.Name, []byte(`# By the platform team.
provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.3" # see OPS-12
  hashes = [
    "zh:59f6b52ab4ff35739647f9509ee6d93d7c032985d9f8c6237d1f8a59471bbbe2",
  ]
}
`))
	if err != nil {
		log.Fatal(err)
	}
	lock, _ := file.Locks().Get(addrs.MustParseProvider("hashicorp/null"))
	lock.Version = addrs.MustParseVersion("3.2.4")
	lock.Hashes = []lockfile.Hash{"h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ="} // package registry/install finds them
	if err := file.Set(lock); err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(file.Bytes()))
	// Output:
	// # By the platform team.
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.4" # see OPS-12
	//   hashes = [
	//     "h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ=",
	//   ]
	// }
}

// Compute the hashes of a provider package.
func Example_hashPackage() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "terraform-provider-demo_1.0.0_linux_amd64.zip")
	zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-demo_v1.0.0", Content: "#!"})
	if err := os.WriteFile(name, zip, 0o600); err != nil {
		log.Fatal(err)
	}
	pkg, err := checksum.HashZip(context.Background(), name)
	if err != nil {
		log.Fatal(err)
	}
	for _, hash := range pkg.Hashes() {
		fmt.Println(strings.SplitN(string(hash), ":", 2)[0], len(hash))
	}
	// Output:
	// h1 47
	// zh 67
}

// Find the newest version of a provider that a constraint allows.
func Example_findNewestVersion() {
	server, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{
		Namespace: "acme", Type: "demo", Versions: []registrytest.Version{{Version: "1.2.0"}, {Version: "1.9.1"}, {Version: "2.0.0"}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	client := server.Registry() // of your own: &registry.Client{}
	versions, err := client.Versions(context.Background(), addrs.MustParseProvider("registry.example.org/acme/demo"))
	if err != nil {
		log.Fatal(err)
	}
	newest, ok := versions.Newest(addrs.MustParseConstraints("~> 1.2"))
	fmt.Println(newest, ok)
	// Output: 1.9.1 true
}

// Follow a run, and say how it went.
func Example_followRun() {
	stream, err := os.Open(streamFile) // or the standard output of tofu apply -json
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	tracker := &uitrack.Tracker{Replay: true}
	for event, err := range uijson.NewReader(stream).Events() {
		if err != nil {
			log.Fatal(err)
		}
		tracker.Add(event)
	}
	tracker.End(nil)
	run := tracker.Snapshot()
	fmt.Println(run.Outcome, run.Reason)
	fmt.Println(run.Planned)
	// Output:
	// failed the tool reported 2 errors
	// 5 to add, 1 to change, 5 to destroy
}

// Follow the runs of many units on one stream, as terragrunt run --all prints them.
func Example_followUnits() {
	unit := regexp.MustCompile(`\[([^\]]+)\]`) // in what terragrunt writes before each line
	runs := map[string]*uitrack.Tracker{}
	for event, err := range uijson.NewReader(unitStreams()).Borrowed() { // or terragrunt's standard output
		if err != nil {
			log.Fatal(err)
		}
		name := unit.FindSubmatch(event.Raw)
		if name == nil {
			continue // terragrunt's own lines
		}
		if runs[string(name[1])] == nil {
			runs[string(name[1])] = new(uitrack.Tracker)
		}
		runs[string(name[1])].Add(event)
	}
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		runs[name].End(nil)
		run := runs[name].Snapshot()
		fmt.Printf("%s: %s, %s\n", name, run.Outcome, run.Done.Applied())
	}
	// Output:
	// live/db: failed, 3 added, 1 changed, 4 destroyed
	// live/net: success, 5 added, 0 changed, 0 destroyed
}

// Collect the errors of a run, with their places.
func Example_collectErrors() {
	stream, err := os.Open(streamFile)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for event, err := range uijson.NewReader(stream).Events() {
		if err != nil {
			log.Fatal(err)
		}
		if m := event.Message; m != nil && m.IsError() && m.Diagnostic != nil {
			d := m.Diagnostic
			fmt.Println(d.Summary, d.Address)
			if d.Range != nil { // not every diagnostic has a place
				fmt.Println(d.Range.Filename, d.Range.Start.Line)
			}
		}
	}
	// Output:
	// local-exec provisioner error terraform_data.swap
	// main.tf 17
	// local-exec provisioner error terraform_data.sour
	// main.tf 28
}
