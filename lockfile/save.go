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
	temp, err := writeTemp(path, f.text, mode, exists)
	if err != nil {
		return unwrapPath(err)
	}
	if _, err := f.checkDisk(path, o); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	// On Windows as well, Rename replaces an existing file in one step.
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
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

// writeTemp writes text to a new file next to path and returns its name. If
// exact is true, the file gets the given mode regardless of the umask.
func writeTemp(path, text string, mode fs.FileMode, exact bool) (name string, err error) {
	dir, base := filepath.Split(path)
	file, err := createTemp(dir, base, mode)
	if err != nil {
		return "", err
	}
	name = file.Name()
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	_, err = io.WriteString(file, text)
	if err == nil && exact {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return name, err
}

// createTemp is like os.CreateTemp, except for the mode, which is subject to
// the umask like that of any new file.
func createTemp(dir, base string, mode fs.FileMode) (*os.File, error) {
	for try := 0; ; try++ {
		// The process number separates programs; the counter skips leftover
		// files.
		name := filepath.Join(dir, fmt.Sprintf("%s.%d-%d.tmp", base, os.Getpid(), try))
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil || !errors.Is(err, fs.ErrExist) || try >= 1000 {
			return file, err
		}
	}
}
