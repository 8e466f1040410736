// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// List the objects of a state, and look up one resource.
func Example_listRawState() {
	file, err := statefile.Decode(stateText) // in your program: the file terraform.tfstate, or what "state pull" prints
	if err != nil {
		log.Fatal(err)
	}
	for i := range file.All() {
		fmt.Println(i.Address, i.Provider, i.Object.Attributes.Get("id"))
	}
	address := addrs.MustParseAbsResourceInstance(`module.net.aws_subnet.a["eu"]`)
	subnet, ok := statefile.NewIndex(file).Instance(address, "") // "" is the current object, not a deposed one
	if !ok {
		log.Fatal("there is no ", address)
	}
	fmt.Println(subnet.Object.Attributes.Get("cidr_block"))
	// Output:
	// module.net.aws_subnet.a["eu"] provider["registry.opentofu.org/hashicorp/aws"] "subnet-1"
	// "10.0.1.0/24"
}

// Show the values of a state without its secrets.
func Example_showRawState() {
	file, err := statefile.Decode(bytes.Clone(stateText))
	if err != nil {
		log.Fatal(err)
	}
	state, err := statefile.Show(file, nil) // the schemas of "providers schema -json" mark more
	if err != nil {
		log.Fatal(err)
	}
	if _, err := (redact.Redactor{}).State(state); err != nil { // Values are in clear text until then; SensitiveValues only mark them
		log.Fatal(err)
	}
	for r := range state.AllResources() {
		fmt.Println(r.Address, r.Values, r.SensitiveValues)
	}
	// Output:
	// module.net.aws_subnet.a["eu"] {"cidr_block":"10.0.1.0/24","id":"subnet-1","note":"(sensitive value)"} {"note":true}
}

// Read a state that OpenTofu has encrypted.
func Example_decryptState() {
	ctx := context.Background()
	passphrase := "correct horse battery staple" // in your program: from the environment
	text, err := statefile.Encrypt(ctx, stateText, passphrase)
	if err != nil {
		log.Fatal(err)
	}
	file, err := statefile.Decode(text)
	if errors.Is(err, statefile.ErrEncrypted) {
		fmt.Println("encrypted")
		if text, err = statefile.Decrypt(ctx, text, passphrase); err != nil {
			log.Fatal(err)
		}
		file, err = statefile.Decode(text)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Serial, len(file.Resources))
	// Output:
	// encrypted
	// 7 1
}

// Count the resources of a state of any size, in flat memory.
func Example_streamRawState() {
	counts := map[string]int{}
	for i, err := range statefile.Instances(bytes.NewReader(stateText)) { // in your program: a file
		if err != nil {
			log.Fatal(err)
		}
		counts[i.Resource.Type]++
	}
	fmt.Println(counts)
	// Output: map[aws_subnet:1]
}

// Push an encrypted errored.tfstate, which OpenTofu's own advice cannot push.
func Example_pushErroredState() {
	ctx := context.Background()
	passphrase := "correct horse battery staple"                  // in your program: that of the configuration
	errored, err := statefile.Encrypt(ctx, stateText, passphrase) // in your program: the file errored.tfstate
	if err != nil {
		log.Fatal(err)
	}
	// "state push errored.tfstate" refuses an encrypted file. Push the clear text, as
	// "tofuwire state decrypt -passphrase-file FILE errored.tfstate > clear.tfstate" writes
	// it; the backend encrypts it again. Then remove both files.
	text, err := statefile.Decrypt(ctx, errored, passphrase)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	clear := filepath.Join(dir, "clear.tfstate")
	if err := os.WriteFile(clear, text, 0o600); err != nil {
		log.Fatal(err)
	}
	push := exec.CommandContext(ctx, "tofu", "state", "push", clear) // and push.Run()
	fmt.Println(push.Args[1], push.Args[2], filepath.Base(push.Args[3]))
	// Output: state push clear.tfstate
}

// List what the states in a backend kubernetes or pg have.
func Example_listBackend() {
	// "kubectl get secret -A -l tfstate=true -o json" prints the Secrets of the backend kubernetes.
	// For pg, the rows of "SELECT name, data FROM terraform_remote_state.states" have the
	// text of the states. "fleet scan" reads both from dumps.
	var secrets struct {
		Items []struct {
			Metadata struct{ Name string }
			Data     struct{ Tfstate []byte }
		}
	}
	if err := json.Unmarshal(kubernetesSecrets(), &secrets); err != nil { // in your program: the output of kubectl
		log.Fatal(err)
	}
	for _, s := range secrets.Items {
		file, err := statefile.Decode(s.Data.Tfstate) // compressed with gzip
		if err != nil {
			log.Fatal(s.Metadata.Name, ": ", err)
		}
		for i := range file.All() {
			fmt.Println(s.Metadata.Name, i.Address)
		}
	}
	// Output: tfstate-default-state module.net.aws_subnet.a["eu"]
}

// Move the states of a repository to another source of a provider, also encrypted ones: all or none.
func Example_moveStatesToProvider() {
	ctx, passphrase := context.Background(), "correct horse battery staple" // in your program: from the environment
	var replaced []statefile.Replacement
	for _, name := range stateNames() { // in your program: the files that end in .tfstate, without .terraform/terraform.tfstate and backups
		old, unread := os.ReadFile(name)
		file, err := statefile.Decode(old)
		encrypted := errors.Is(err, statefile.ErrEncrypted)
		if encrypted {
			text, failed := statefile.Decrypt(ctx, old, passphrase)
			file, err = statefile.Decode(text)
			err = cmp.Or(failed, err)
		}
		resources := 0
		for _, from := range []string{"hashicorp/aws", "registry.terraform.io/hashicorp/aws", "registry.terraform.io/-/aws"} { // in this order; - is for states of Terraform 0.12 and 0.13
			p := addrs.MustParseProvider(from)
			n, failed := file.ReplaceProvider(p, addrs.MustParseProvider(p.Host()+"/acme/aws"))
			if n > 0 && resources > 0 {
				file.Serial-- // it rises once, however many sources the state has
			}
			resources, err = resources+n, cmp.Or(err, failed)
		}
		text, failed := statefile.Encode(file)
		if err = cmp.Or(unread, err, failed); err == nil && encrypted { // Save would write it in clear text
			encryption, failed := statefile.EncryptionOf(ctx, old, passphrase)
			text, err = encryption.Encrypt(ctx, text)
			err = cmp.Or(failed, err)
		}
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		if resources > 0 {
			fmt.Println(filepath.Base(name), resources) // a diff would show secrets
			replaced = append(replaced, statefile.Replacement{Name: name, Old: old, New: text})
		}
	}
	if err := statefile.ReplaceFiles(ctx, "state-replace-provider", replaced...); err != nil { // keeps backups
		log.Fatal(err) // nothing is written, for example because a run holds the lock of a state
	} // then write configurations and lock files with one hcledit.Save; if that fails, call ReplaceFiles with Old and New swapped
	// Output:
	// encrypted.tfstate 1
	// terraform.tfstate 2
}
