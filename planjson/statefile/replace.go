// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Replacement is the new content of a file with a state, which may be encrypted.
type Replacement struct {
	Name     string // the path of the file
	Old, New []byte // Old is what was read; it is empty if there was no file
}

// ReplaceFiles writes several files with states, all or none. It takes the lock of each file as
// [Save] does, in the order of their paths, so two calls cannot block each other. A file that
// does not have its Old content is not replaced ([ErrConflict]). The previous content of a file
// is kept in a backup, byte for byte, as by Save; a missing or empty file has no backup. A
// missing folder is created. Permissions are kept and links are followed, but each file is a new
// one: a hard link is no longer the same file, and the owner is the user of the program.
//
// All content is on the disk before the first file is replaced, and the files are replaced in the
// order of the list. If one cannot be, those before it get their old content again. To move
// objects, list the file that receives them first: if the machine stops in between, they are in
// both files. To undo a call, because a step after it failed, call ReplaceFiles with Old and New
// of each file swapped: this makes further backups, and the serials are the old ones again.
//
// ReplaceFiles checks the context before it writes anything.
func ReplaceFiles(ctx context.Context, operation string, files ...Replacement) (err error) {
	s := make(swap, len(files))
	defer func() { err = errors.Join(err, s.end(err == nil)) }()
	if err := s.hold(files, operation); err != nil {
		return err
	}
	for i, f := range files {
		if !bytes.Equal(s[i].old, f.Old) {
			return &Error{Err: fmt.Errorf("%w: %s has changed since it was read", ErrConflict, f.Name)}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, f := range files {
		if err := s[i].prepare(f.New); err != nil {
			return err
		}
	}
	for i := range s {
		staged := s[i].staged
		s[i].staged = nil
		if err := staged.Replace(); err != nil {
			return errors.Join(&Error{Err: err}, s[:i].putBack())
		}
	}
	return nil
}

// A swap has the files that are replaced together.
type swap []*swapped

type swapped struct {
	*held
	folders []string // that were made for the file, the outermost first
	copy    string   // the name of the backup
	staged  *replacefile.Staged
}

// hold takes all locks.
func (s swap) hold(files []Replacement, operation string) error {
	order := make([]int, len(files))
	for i, f := range files {
		order[i] = i
		name, err := real(f.Name)
		if err != nil {
			return &Error{Err: err}
		}
		s[i] = &swapped{held: &held{name: absolute(name)}}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(s[i].name, s[j].name) })
	for _, i := range order {
		version, _ := planjson.Value(files[i].New).Member("terraform_version").Text()
		if err := s[i].makeFolder(); err != nil {
			return &Error{Err: err}
		}
		h, err := hold(s[i].name, version, operation)
		if err != nil {
			return err
		}
		s[i].held = h
	}
	return nil
}

// makeFolder makes the folder of the file.
func (s *swapped) makeFolder() error {
	dir := filepath.Dir(s.name)
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		s.folders = slices.Insert(s.folders, 0, d)
	}
	return os.MkdirAll(dir, 0o755)
}

// prepare makes the backup and writes the new content beside the file.
func (s *swapped) prepare(text []byte) (err error) {
	if s.copy, err = s.backup(); err != nil {
		return err
	}
	if s.staged, err = replacefile.Stage(s.name, text, s.perm); err == nil {
		err = errors.Join(s.staged.Chmod(s.perm), s.staged.Sync())
	}
	if err != nil {
		return &Error{Err: err}
	}
	return nil
}

// putBack gives the files their old content.
func (s swap) putBack() (err error) {
	for _, f := range s {
		if !f.isNew { // otherwise, end removes it
			err = errors.Join(err, replacefile.Write(f.name, f.old, f.perm))
		}
	}
	return err
}

// end gives up the locks. If the files are not written, what was made for them goes.
func (s swap) end(written bool) (err error) {
	for _, f := range s {
		if f == nil {
			continue
		}
		err = errors.Join(err, f.staged.Discard())
		if f.file != nil {
			err = errors.Join(err, f.release(written))
		}
		if written {
			continue
		}
		if f.copy != "" {
			err = errors.Join(err, os.Remove(f.copy))
		}
		for _, dir := range slices.Backward(f.folders) {
			os.Remove(dir) // unless somebody uses it
		}
	}
	return err
}
