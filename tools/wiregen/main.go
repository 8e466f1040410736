// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Wiregen writes wire_gen.go, the functions by which the structs of a package
// take part in internal/wire.
//
//	//go:generate go run -C ../tools ./wiregen ../planjson
//
// It reads the package in the current directory, or in the one given as its
// argument. A type takes part if its last field is "src wire.Source". The
// tags of the other fields name their members, in canonical order:
//
//	`json:"name"`            a member that is always written
//	`json:"name,omitempty"`  a member that is left out if the field is zero
//	`json:"name" wire:"alt"` everything below is written in the other order
//	`json:"name" wire:"null"` likewise, and null where it is written though zero
//	`json:"name" wire:"kept"` stays in canonical form though it is zero
//	`json:"name" wire:"document"` raw JSON whose members have an order
//	`json:"*"`               the only field: all members are entries of this map
//	`lazy:"name"`            a [wire.Lazy], in place of a tag json, as the field is not exported
//
// A comment line "//wire:alt name name ..." above a type gives its other order, and a line
// "//wire:terraform rule rule ..." says how Terraform writes it: see [wire.Definition]. A type
// without tags is a one-of type, which has a [wire.Union] by hand, or has "//wire:empty" above
// it: an object without any known member. The type tObject, which describes objects of
// type T, is generated, or with "//wire:own" above T written by hand with the help
// of the type tFields. A type with "//wire:kind" above it is a document.
//
// If there is a package redact below the package, its file verdicts.txt says what becomes
// of each member in a redacted document. From that and the structs comes the table of
// members of that package.
//
// The package has an interface Object with the method wire, which returns the type of an
// object for the codec, and the functions marshal, unmarshal and unmarshalDocument (for
// documents), which the methods of all types call.
//
// With -schemas it writes the JSON Schemas of docs/schemas instead, for the module in
// that directory: from the same structs with their comments, from the tables of
// internal/hcllang, and from schemahand.go, which has what these do not say.
//
// [wire.Definition]: https://pkg.go.dev/github.com/tofuwire/tofuwire/internal/wire
// [wire.Union]: https://pkg.go.dev/github.com/tofuwire/tofuwire/internal/wire
//
// [wire.Lazy]: https://pkg.go.dev/github.com/tofuwire/tofuwire/internal/wire
package main

//go:generate go run . -schemas ../..

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir, do := ".", run
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "-schemas" {
		args, do = args[1:], writeSchemas
	}
	if len(args) > 0 {
		dir = args[0]
	}
	if err := do(dir); err != nil {
		fmt.Fprintln(os.Stderr, "wiregen:", err)
		os.Exit(1)
	}
}

// run writes the file of the package in dir, and where there is a package redact
// below it also the table of members there.
func run(dir string) error {
	text, err := generate(dir)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "wire_gen.go"), text); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "redact")); err != nil {
		return nil
	}
	m, err := load(dir)
	if err != nil {
		return err
	}
	if text, err = m.members(dir); err != nil {
		return err
	}
	return write(filepath.Join(dir, "redact", "members_gen.go"), text)
}

// write writes a file. It leaves one alone that is up to date, for the sake of
// build caches.
func write(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(name, text, 0o644)
}
