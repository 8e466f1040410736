// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package cookbook_test has the recipes of docs/cookbook.md as examples, which the
// tests run, and a test that the page is made of them.
package cookbook_test

import (
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
