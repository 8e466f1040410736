// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// ephemeral adds a rule for each variable that the configuration in -config calls ephemeral or
// sensitive, in all its modules.
func (j *job) ephemeral() error {
	dir, err := filepath.Abs(j.config)
	if err != nil {
		return err
	}
	// Local modules can be next to the directory, so everything is read from the root.
	volume := filepath.VolumeName(dir)
	rel := strings.Trim(filepath.ToSlash(strings.TrimPrefix(dir, volume)), "/")
	if rel == "" {
		rel = "."
	}
	tree, err := hclnames.LoadTree(os.DirFS(volume+string(filepath.Separator)), rel)
	if tree == nil {
		return err
	}
	if len(tree.Module.Files) == 0 {
		return fmt.Errorf("%s: there is no configuration", j.config)
	}
	for t := range tree.All() {
		for _, f := range t.Module.Files {
			if err := f.Err(); err != nil {
				return err
			}
		}
		prefix := ""
		if path := t.Path(); path != "" {
			prefix = path + "."
		}
		for _, v := range t.Module.Variables {
			if mayBeTrue(v.Ephemeral) || mayBeTrue(v.Sensitive) {
				j.redactor.Rules = append(j.redactor.Rules, redact.Rule{Address: prefix + "var." + v.Name})
			}
		}
	}
	return nil
}

// mayBeTrue reports whether a flag is true, or has an expression whose value is not known here.
func mayBeTrue(f hclconfig.Flag) bool {
	if f.Value || !f.IsSet() {
		return f.Value
	}
	_, err := f.Argument.Expression.Constant()
	return err != nil
}
