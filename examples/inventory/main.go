// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Inventory lists what exists, from raw states: the files terraform.tfstate that the tools save, or what
// "state pull" prints. It needs neither the tool nor its providers, and prints no values but ids.
//
//	inventory DIR
//
// It prints a CSV row for each object. Exit status: 0 all states were read, 1 some were not.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: inventory DIR")
		os.Exit(2)
	}
	out := csv.NewWriter(os.Stdout)
	out.Write([]string{"state", "address", "type", "provider", "status", "id"})
	err := list(os.DirFS(os.Args[1]), out)
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// list writes the objects of all states. A state that cannot be read does not stop it, but it is an error:
// an inventory must not look complete if it is not.
func list(dir fs.FS, out *csv.Writer) error {
	var failed []error
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		// The tools leave backups beside a state, which have what is gone.
		if d.IsDir() || path.Ext(name) != ".tfstate" || strings.HasPrefix(d.Name(), "errored") {
			return nil
		}
		text, err := fs.ReadFile(dir, name)
		if err == nil && len(text) > 0 { // the tools make empty files, which are no state yet
			err = rows(name, text, out)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// rows writes the objects of one state.
func rows(name string, text []byte, out *csv.Writer) error {
	file, err := statefile.Decode(text)
	if errors.Is(err, statefile.ErrEncrypted) {
		return fmt.Errorf("%w: statefile.Decrypt opens it with a passphrase", err)
	}
	if err != nil {
		return err
	}
	for i := range file.All() {
		if i.Resource.Mode != "managed" {
			continue // data sources are read, and exist elsewhere
		}
		// Attributes are raw JSON, which only the provider's schema can type. Get looks inside, and
		// Text, Decode and Cty convert.
		id, _ := i.Object.Attributes.Get("id").Text()
		// An object can be tainted, or deposed: replaced, but not deleted yet.
		status := i.Object.Status
		if i.Object.Deposed != "" {
			status = "deposed"
		}
		if err := out.Write([]string{name, i.Address.String(), i.Resource.Type, i.Provider, string(status), id}); err != nil {
			return err
		}
	}
	return nil
}
