// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package replacefile replaces files, completely or not at all: also after a power failure there is
// the old file or the new one.
package replacefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Edit replaces the content of a file, which must exist. Its mode stays. A link is followed.
func Edit(name string, content []byte) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return Write(name, content, info.Mode().Perm())
}

// Write makes a file with some content, or replaces one. Its mode is perm, whatever the umask is.
// A link is replaced.
func Write(name string, content []byte, perm fs.FileMode) error {
	s, err := Stage(name, content, perm)
	if err == nil {
		err = s.Chmod(perm)
	}
	if err != nil {
		return errors.Join(err, s.Discard())
	}
	return s.Replace()
}

// Staged is a file that is written, beside the one that it is to replace.
type Staged struct {
	*os.File
	name string
}

// Stage writes a file beside the one that it is to replace. Its mode is perm before the umask, as for
// any new file. The caller must call Replace or Discard.
func Stage(name string, content []byte, perm fs.FileMode) (*Staged, error) {
	dir, base := filepath.Split(name)
	for try := 0; ; try++ {
		// The process number separates programs; the counter skips leftover files.
		temp := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), try))
		file, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) && try < 1000 {
			continue
		}
		if err != nil {
			return nil, err
		}
		s := &Staged{file, name}
		if _, err := file.Write(content); err != nil {
			return nil, errors.Join(err, s.Discard())
		}
		return s, nil
	}
}

// Replace puts the file in the place of the other one. If it cannot, it removes it.
func (s *Staged) Replace() error {
	err := errors.Join(s.Sync(), s.Close())
	if err == nil {
		// On Windows as well, Rename replaces an existing file in one step.
		err = os.Rename(s.Name(), s.name)
	}
	if err != nil {
		return errors.Join(err, s.Discard())
	}
	return syncDir(filepath.Dir(s.name))
}

// Discard removes the file. It does nothing for nil.
func (s *Staged) Discard() error {
	if s == nil {
		return nil
	}
	s.Close()
	return os.Remove(s.Name())
}

// syncDir writes a folder to the disk, and with it the name of a file that was renamed in it. Windows
// and some file systems have no such call.
func syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}
