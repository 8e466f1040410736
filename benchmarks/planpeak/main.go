// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Planpeak redacts one plan, or reads its changes, and prints the peak of its
// own memory. It is the child process of BenchmarkRedactMemory.
//
//	planpeak none|changes|memory|stream|pipe|terraform-json FILE
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-json/sanitize"

	"github.com/tofuwire/tofuwire/benchmarks/peak"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "planpeak:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: planpeak IMPL FILE")
	}
	f, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer f.Close()
	var r redact.Redactor
	switch args[0] {
	case "none":
	case "changes":
		err = readChanges(f)
	case "memory":
		err = redactFile(f, &r)
	case "stream":
		_, err = r.WritePlan(io.Discard, f)
	case "pipe":
		_, err = r.WritePlan(io.Discard, struct{ io.Reader }{f})
	case "terraform-json":
		err = sanitized(f)
	default:
		return fmt.Errorf("no implementation %q", args[0])
	}
	if err != nil {
		return err
	}
	return peak.Print()
}

func readChanges(f *os.File) error {
	for _, err := range planjson.ResourceChanges(f) {
		if err != nil {
			return err
		}
	}
	return nil
}

func redactFile(f *os.File, r *redact.Redactor) error {
	text, err := os.ReadFile(f.Name())
	if err != nil {
		return err
	}
	p, err := planjson.DecodePlan(text)
	if err != nil {
		return err
	}
	if _, err := r.Plan(p); err != nil {
		return err
	}
	return planjson.Write(io.Discard, p)
}

func sanitized(f *os.File) error {
	var p tfjson.Plan
	if err := json.NewDecoder(f).Decode(&p); err != nil {
		return err
	}
	clean, err := sanitize.SanitizePlan(&p)
	if err != nil {
		return err
	}
	return json.NewEncoder(io.Discard).Encode(clean)
}
