// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package cookbook_test has the recipes of docs/cookbook.md as examples, which the
// tests run, and a test that the page is made of them.
package cookbook_test

import (
	"bytes"
	"io"
	"log"
	"os"
)

// Recordings of real tools, which the recipes read.
const (
	planFile   = "../../../examples/quickstart/testdata/planjson/plan.json"
	streamFile = "../../../examples/quickstart/testdata/uijson/apply.jsonl"
	moduleDir  = "../../../examples/quickstart/testdata/hclconfig/native"
	lockFile   = "../../../examples/quickstart/testdata/lockfile/terraform.lock.hcl"
)

var planText, lockText = mustRead(planFile), mustRead(lockFile)

func mustRead(name string) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

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
