// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

// snapshot is the command snapshot.
func snapshot(c *call) error {
	name, dir := c.args[0], c.args[1]
	text, err := c.read(name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.passphrase); err != nil && c.passphrase != "" && c.passphrase != "-" {
		return unreadable(err)
	}
	if planjson.KindOf(text) == planjson.DocumentEncrypted || c.config != "" {
		if text, err = c.clear(text); err != nil {
			return err
		}
	}
	plan, err := planfile.Open(text, planfile.Options{})
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", name, err))
	}
	files, err := plan.Snapshot()
	if err != nil {
		return unreadable(fmt.Errorf("%s: %w", name, err))
	}
	if err := unpack(files, dir); err != nil {
		return unreadable(err)
	}
	return nil
}

// unpack writes files into a folder that is new or empty, all or none.
func unpack(files fs.FS, dir string) error {
	dir = filepath.Clean(dir)
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) == 0:
		return fill(dir, files)
	case err == nil:
		return fmt.Errorf("%s is not empty", dir)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(dir)
	made, err := makeAll(parent)
	if err != nil {
		return errors.Join(err, removeAll(made))
	}
	temporary, err := os.MkdirTemp(parent, ".snapshot-*")
	if err != nil {
		return errors.Join(err, removeAll(made))
	}
	if err = os.CopyFS(temporary, files); err == nil {
		err = os.Chmod(temporary, 0o755)
	}
	if err == nil {
		err = os.Rename(temporary, dir)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temporary), removeAll(made))
	}
	return nil
}

// fill writes files into an empty folder, which is empty again after an error.
func fill(dir string, files fs.FS) error {
	err := os.CopyFS(dir, files)
	if err == nil {
		return nil
	}
	entries, err2 := os.ReadDir(dir)
	err = errors.Join(err, err2)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// makeAll makes a folder and those above it, and returns those that were not there, the
// innermost first.
func makeAll(dir string) (made []string, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, 0o755)
}

// removeAll removes empty folders.
func removeAll(dirs []string) error {
	for _, d := range dirs {
		if err := os.Remove(d); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
