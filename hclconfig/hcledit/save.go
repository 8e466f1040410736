// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// Save writes files to the disk, all or none as far as that is possible. Their names are relative
// to dir, the directory of the file system that they were read from; if dir is empty, they are
// names of the operating system. Modes are kept, links are followed, and a new file has mode 0644
// before the umask. A file that already has its text is not written. If two names are links to
// one file, it is written once if both texts are equal; different texts are an error. Each file
// is a new one: a hard link is no longer the same file, and the owner is the user of the program.
//
// Each text is written next to its file and synced before any file is replaced, so a full
// disk or a missing permission changes nothing. If replacing a file fails nonetheless, the
// files replaced before get their old texts back, and the error lists what each file
// contains. Changes that others made since the files were read are overwritten.
func Save(dir string, files ...*hclconfig.File) error {
	s := saving{replace: (*replacefile.Staged).Replace}
	return s.all(dir, files)
}

// A saving is one call of Save.
type saving struct {
	replace func(*replacefile.Staged) error // a variable for tests
	files   []*saved
}

// A saved file is one that is to be replaced.
type saved struct {
	name   string // as in errors
	real   string // without links
	old    []byte // nil if the file is new
	mode   fs.FileMode
	staged *replacefile.Staged
	state  string
}

func (s *saving) all(dir string, files []*hclconfig.File) error {
	seen := map[string][]byte{}
	for _, f := range files {
		if err := s.stage(dir, f, seen); err != nil {
			for _, done := range s.files {
				err = errors.Join(err, done.staged.Discard())
			}
			return fmt.Errorf("hcledit: no file was changed: %w", err)
		}
	}
	// All texts are on the disk by now. What can still fail is a rename in a directory
	// that could just be written to.
	for i, f := range s.files {
		err := s.replace(f.staged)
		if err == nil {
			f.state = "written"
			continue
		}
		f.state = "not written: " + err.Error()
		return s.back(i, err)
	}
	return nil
}

// stage writes the text of a file beside it.
func (s *saving) stage(dir string, f *hclconfig.File, seen map[string][]byte) error {
	name := f.Filename()
	if name == "" {
		return errors.New("a file has no name")
	}
	name = filepath.FromSlash(name)
	if dir != "" {
		// A name such as ../x, which a file may have got from somebody else, must not
		// lead out of the directory.
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s is not below %s", name, dir)
		}
		name = filepath.Join(dir, name)
	}
	out := &saved{name: name, real: name, mode: 0o644}
	// The file that the link leads to is replaced. To replace the link would cut it,
	// and leave the old text where others look for it.
	if real, err := filepath.EvalSymlinks(name); err == nil {
		out.real = real
	}
	if text, ok := seen[out.real]; ok {
		if !bytes.Equal(text, f.Bytes()) {
			return fmt.Errorf("%s occurs twice, with different texts", name)
		}
		return nil
	}
	seen[out.real] = append([]byte{}, f.Bytes()...)
	info, err := os.Stat(out.real)
	switch {
	case err == nil:
		if out.old, err = os.ReadFile(out.real); err != nil {
			return err
		}
		out.old = append([]byte{}, out.old...) // not nil
		// Programs that build what has changed look at the time of files.
		if bytes.Equal(out.old, f.Bytes()) {
			return nil
		}
		out.mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if out.staged, err = replacefile.Stage(out.real, f.Bytes(), out.mode); err != nil {
		return err
	}
	s.files = append(s.files, out)
	if info != nil {
		err = out.staged.Chmod(out.mode)
	}
	return errors.Join(err, out.staged.Sync())
}

// back puts the old texts back after file i could not be replaced.
func (s *saving) back(i int, cause error) error {
	for _, f := range s.files[:i] {
		var err error
		if f.old != nil {
			err = replacefile.Edit(f.real, f.old)
		} else {
			err = os.Remove(f.real)
		}
		f.state = "as it was"
		if err != nil {
			f.state = fmt.Sprintf("has the new text, the old one cannot be put back: %v", err)
		}
	}
	for _, f := range s.files[i+1:] {
		f.state = "as it was"
		_ = f.staged.Discard()
	}
	var states []string
	for _, f := range s.files {
		states = append(states, f.name+": "+f.state)
	}
	return &saveError{"hcledit: " + strings.Join(states, "; "), cause}
}

// A saveError says what is in each file.
type saveError struct {
	text  string
	cause error
}

func (e *saveError) Error() string { return e.text }
func (e *saveError) Unwrap() error { return e.cause }
