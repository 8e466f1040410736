// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// converted is src, or the document of the saved plan that src is, whose configuration says more than
// the document of Terraform does.
func (j *job) converted(src io.Reader) (io.Reader, error) {
	j.inputs.WantsTree = true
	src, err := j.inputs.Converted(src)
	if err == nil && j.inputs.Tree != nil {
		err = j.ephemeral(j.inputs.Tree)
	}
	return src, err
}

// configuration reads -config.
func (j *job) configuration() error {
	if err := configdir.Check(j.config, false); err != nil {
		return err
	}
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
	return j.ephemeral(tree)
}

// ephemeral adds a rule for each variable that a configuration calls ephemeral or sensitive, in all
// its modules.
func (j *job) ephemeral(tree *hclnames.Tree) error {
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
