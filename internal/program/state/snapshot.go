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
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// snapshot is the command snapshot.
func snapshot(c *call) error {
	name, dir := c.args[0], c.args[1]
	text, err := c.read(name)
	if err != nil {
		return err
	}
	if planjson.KindOf(text) == planjson.DocumentEncrypted || c.config != "" {
		if text, err = c.clear(text); err != nil {
			return err
		}
	}
	if kind := planjson.KindOf(text); kind != planjson.DocumentPlanFile {
		return unreadable(fmt.Errorf("%s: this is no saved plan", name))
	}
	plan, err := statefile.DecodePlanFile(text)
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
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty", dir)
	}
	there := err == nil
	if there && (dir == "." || dir == string(filepath.Separator)) {
		return os.CopyFS(dir, files)
	}
	temporary, err := os.MkdirTemp(filepath.Dir(dir), ".snapshot-*")
	if err != nil {
		return err
	}
	if err = os.CopyFS(temporary, files); err == nil {
		err = os.Chmod(temporary, 0o755)
	}
	if err == nil && there {
		err = os.Remove(dir)
	}
	if err == nil {
		err = os.Rename(temporary, dir)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temporary))
	}
	return nil
}
