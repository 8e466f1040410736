// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// Load reads the lock file at path. It returns the errors of the file system
// and those of [Parse]; with the latter, the File is not nil. Tofu treats a
// missing file as one without locks, so a caller may go on with [New] after
// [fs.ErrNotExist]. Load refuses anything but a regular file, so a pipe cannot
// block the caller.
func Load(path string) (*File, error) {
	src, err := readFile(path)
	if err != nil {
		return nil, &Error{Filename: path, Err: err}
	}
	return Parse(path, src)
}

// readFile reads at most MaxSize+1 bytes of a regular file.
func readFile(path string) ([]byte, error) {
	// The kind is checked before opening, which would block on a pipe, and
	// again afterwards.
	info, err := os.Stat(path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, unwrapPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return io.ReadAll(io.LimitReader(file, MaxSize+1))
}

var errNotRegular = errors.New("not a regular file")

// unwrapPath removes the path from err, because the caller names it.
func unwrapPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// A SymlinkPolicy says what [File.Save] does if the file is a symbolic link.
// Its values are [SymlinkRefuse], [SymlinkFollow] and [SymlinkReplace].
type SymlinkPolicy int

const (
	// SymlinkRefuse returns [ErrSymlink] and does not save.
	SymlinkRefuse SymlinkPolicy = iota
	// SymlinkFollow replaces the file that the link leads to.
	SymlinkFollow
	// SymlinkReplace replaces the link by a regular file, as tofu does.
	SymlinkReplace
)

// SaveOptions configures [File.Save]. The zero value is the safe one.
type SaveOptions struct {
	// Symlink says what to do if the file is a symbolic link. The zero value
	// refuses it; UpdateLockFile of package registry/install follows it.
	Symlink SymlinkPolicy

	// Mode is the permissions of a file that does not exist yet, before the
	// umask. If zero, it is 0644. An existing file keeps its permissions; tofu
	// always sets 0644.
	Mode fs.FileMode

	// Overwrite saves even if the file on disk has changed.
	Overwrite bool
}

// Save writes the file to the name that it was parsed, loaded or made with.
// Other programs see the old file or the new one, never a part: Save writes a
// temporary file in the same directory, which then replaces the old one. If the
// text on disk is already the same, Save touches nothing.
//
// If the file on disk is not the one that was read, the error is [ErrChanged].
// For a file made with [New], this means that the file exists. Save checks this
// immediately before the replacement. It holds no lock, so a change at the same
// moment is still lost.
//
// Save keeps permissions, but neither owner nor hard links.
func (f *File) Save(o SaveOptions) error {
	if err := f.save(o); err != nil {
		return f.fail(err)
	}
	f.disk, f.fresh = f.text, false
	return nil
}

func (f *File) save(o SaveOptions) error {
	path, mode := f.filename, o.Mode.Perm()
	if mode == 0 {
		mode = 0o644
	}
	info, err := os.Lstat(path)
	replaceLink := false
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		switch o.Symlink {
		case SymlinkFollow:
			if path, err = filepath.EvalSymlinks(path); err != nil {
				return fmt.Errorf("the symbolic link cannot be followed: %w", unwrapPath(err))
			}
			info, err = os.Lstat(path)
		case SymlinkReplace:
			replaceLink = true
			info, err = os.Stat(path) // the mode to keep, if there is a target
		default:
			return ErrSymlink
		}
	}
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errNotRegular
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return unwrapPath(err)
	}
	exists := err == nil
	same, err := f.checkDisk(path, o)
	if err != nil || same && !replaceLink {
		return err
	}
	staged, err := replacefile.Stage(path, []byte(f.text), mode)
	if err == nil && exists {
		err = staged.Chmod(mode) // whatever the umask is
	}
	if err != nil {
		return errors.Join(unwrapPath(err), staged.Discard())
	}
	if _, err := f.checkDisk(path, o); err != nil {
		return errors.Join(err, staged.Discard())
	}
	return unwrapPath(staged.Replace())
}

// checkDisk compares the file at path with the text that f was read from. It
// reports whether the file already has the text of f.
func (f *File) checkDisk(path string, o SaveOptions) (same bool, err error) {
	src, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.fresh || o.Overwrite {
			return false, nil
		}
		return false, fmt.Errorf("%w: it no longer exists", ErrChanged)
	case err != nil:
		return false, err
	case string(src) == f.text:
		return true, nil
	case o.Overwrite:
		return false, nil
	case f.fresh:
		return false, fmt.Errorf("%w: it was created in the meantime", ErrChanged)
	case string(src) != f.disk:
		return false, ErrChanged
	}
	return false, nil
}
