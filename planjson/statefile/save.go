// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// Causes of an [Error] of [Save]. The file is unchanged.
var (
	// ErrLocked is the cause if the lock of the file is held.
	ErrLocked = errors.New("the state is locked")

	// ErrConflict is the cause if the file has a state of another lineage, of a
	// higher serial, or of the same serial with another content.
	ErrConflict = errors.New("the state in the file must not be replaced by this one")
)

// Save writes f to the file with this name, as the tools save a local state, and
// reports whether it did: a file that already has the state is left alone.
//
// It takes the lock of the tools' local backend: a lock on the file itself; the error is
// [ErrLocked] if another process or call holds it. Like the tools, it writes the file
// .NAME.lock.info for others to read, with the operation, such as state-mv, and replaces one
// that a killed process left. Where the operating system has no such locks, that file is the
// lock, and the error says how to go on. A state
// without lineage, as of a workspace without a state, replaces any and is replaced by any. One
// of another lineage, with a higher serial, or with the same serial and another content is not
// replaced ([ErrConflict]), nor is a file that does not decode. The replaced state is kept in a
// backup next to the file, NAME.TIMESTAMP.backup, with the time in seconds. The file is
// replaced in one step, and keeps its permissions; a new one is accessible only to its owner.
// It follows symbolic links.
//
// Save checks the context before it writes anything.
func Save(ctx context.Context, name string, f *File, operation string) (written bool, err error) {
	text, err := Encode(f)
	if err != nil {
		return false, err
	}
	h, err := hold(name, f.TerraformVersion, operation)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, h.release(written && err == nil)) }()
	if same, err := mayReplace(h.old, f); err != nil || same {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if _, err := h.backup(); err != nil {
		return false, err
	}
	return true, replace(h.name, text, h.perm)
}

// A held file is one whose lock this process has.
type held struct {
	name  string // without symbolic links
	file  *os.File
	isNew bool // it was made to be locked
	old   []byte
	perm  fs.FileMode

	unlock func() error
}

// hold takes the lock of a file and reads it.
func hold(name, version, operation string) (_ *held, err error) {
	if name, err = real(name); err != nil {
		return nil, &Error{Err: err}
	}
	h := &held{name: name} // no result with a name: return nil would make it nil before the deferred release
	if h.file, h.isNew, err = openLocked(name); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.release(false))
		}
	}()
	if h.unlock, err = lock(name, version, operation); err != nil {
		return nil, err
	}
	if h.old, err = io.ReadAll(h.file); err != nil { // through this descriptor: closing another one would give up the lock
		return nil, &Error{Err: err}
	}
	info, err := h.file.Stat()
	if err != nil {
		return nil, &Error{Err: err}
	}
	h.perm = info.Mode().Perm()
	return h, nil
}

// real follows symbolic links, also to a file that is not there.
func real(name string) (string, error) {
	for range 40 {
		if target, err := filepath.EvalSymlinks(name); err == nil {
			return target, nil
		}
		target, err := os.Readlink(name)
		if err != nil {
			return name, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	return "", fmt.Errorf("%s: too many symbolic links", name)
}

// release gives up the lock. A file that was made for it goes, unless it is written.
func (h *held) release(written bool) error {
	if h.isNew && !written {
		os.Remove(h.name)
	}
	var err error
	if h.unlock != nil {
		err = h.unlock()
	}
	h.file.Close()
	inUse.Delete(absolute(h.name))
	return err
}

// backup keeps what was in the file, and returns the name of the copy. There is none of a
// file that is new or empty.
func (h *held) backup() (name string, err error) {
	if len(h.old) == 0 {
		return "", nil
	}
	return backup(h.name, h.old, h.perm)
}

// inUse has the names of the files that this process saves: a lock on a file keeps away
// only other processes.
var inUse sync.Map

// absolute returns the name from the root on, if it is known.
func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

// openLocked opens a file, makes it if there is none, and takes the lock on it.
func openLocked(name string) (file *os.File, isNew bool, err error) {
	key := absolute(name)
	if _, held := inUse.LoadOrStore(key, true); held {
		return nil, false, &Error{Err: fmt.Errorf("%w: %s, by another call in this process", ErrLocked, name)}
	}
	defer func() {
		if err != nil {
			inUse.Delete(key)
		}
	}()
	for {
		file, err = os.OpenFile(name, os.O_RDWR, 0)
		if isNew = errors.Is(err, fs.ErrNotExist); isNew {
			if file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); errors.Is(err, fs.ErrExist) {
				continue // made meanwhile
			}
		}
		if err != nil {
			return nil, false, &Error{Err: err}
		}
		if err := lockFile(file); err != nil {
			file.Close()
			return nil, false, &Error{Err: fmt.Errorf("%w: %s, %s (%w)", ErrLocked, name, holder(infoPath(name)), err)}
		}
		there, err := os.Stat(name)
		mine, err2 := file.Stat()
		if err == nil && err2 == nil && os.SameFile(there, mine) {
			return file, isNew, nil
		}
		file.Close() // another process has replaced it while it had the lock
	}
}

// mayReplace returns an error if f must not replace the state in old, and reports
// whether it is the same.
func mayReplace(old []byte, f *File) (same bool, err error) {
	if len(old) == 0 {
		return false, nil
	}
	there, err := Decode(bytes.Clone(old))
	switch {
	case err != nil:
		return false, err
	case there.Lineage == "" && there.Serial <= f.Serial: // of an empty workspace: the tools let any state replace it
		return Equal(there, f), nil
	case there.Lineage == "" || f.Lineage == "": // of a workspace without a state: the tools compare nothing then
		return Equal(there, f), nil
	case there.Lineage != f.Lineage:
		return false, &Error{Err: fmt.Errorf("%w: it is of another lineage", ErrConflict)}
	case there.Serial > f.Serial:
		return false, &Error{Err: fmt.Errorf("%w: its serial %d is higher than %d", ErrConflict, there.Serial, f.Serial)}
	case there.Serial == f.Serial && !Equal(there, f):
		return false, &Error{Err: fmt.Errorf("%w: it has the same serial %d and another content", ErrConflict, f.Serial)}
	}
	return there.Serial == f.Serial, nil
}

// backup keeps what was in a file.
func backup(name string, text []byte, perm fs.FileMode) (made string, err error) {
	for t := time.Now().Unix(); ; t++ {
		made = name + "." + strconv.FormatInt(t, 10) + ".backup"
		b, err := os.OpenFile(made, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue // of the last second
		}
		if err != nil {
			return "", &Error{Err: err}
		}
		_, err = b.Write(text)
		if err = errors.Join(err, b.Sync(), b.Close()); err != nil {
			return "", &Error{Err: errors.Join(err, os.Remove(made))}
		}
		return made, nil
	}
}

// replace makes text the content of a file, in one step.
func replace(name string, text []byte, perm fs.FileMode) error {
	if err := replacefile.Write(name, text, perm); err != nil {
		return &Error{Err: err}
	}
	return nil
}

// A lockInfo is the content of the lock's file.
type lockInfo struct {
	ID, Operation, Info, Who, Version string
	Created                           time.Time
	Path                              string
}

// infoPath returns the name of the file that says who holds the lock.
func infoPath(name string) string {
	return filepath.Join(filepath.Dir(name), "."+strings.TrimPrefix(filepath.Base(name), ".")+".lock.info")
}

// lock writes the file that says who holds the lock. One that is there says nothing more:
// the lock is ours. Without locks on files it is the lock.
func lock(name, version, operation string) (unlock func() error, err error) {
	info := lockInfo{ID: randomID(), Operation: operation, Who: who(), Version: version, Created: time.Now().UTC(), Path: name}
	text, err := json.Marshal(info)
	if err != nil {
		return nil, &Error{Err: err}
	}
	path := infoPath(name)
	mode := os.O_EXCL
	if hasLocks {
		mode = os.O_TRUNC
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|mode, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, &Error{Err: fmt.Errorf("%w: %s; if that process has ended, remove the file", ErrLocked, holder(path))}
	}
	if err != nil {
		return nil, &Error{Err: err}
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, &Error{Err: errors.Join(err, os.Remove(path))}
	}
	return func() error {
		if err := os.Remove(path); err != nil {
			return &Error{Err: err}
		}
		return nil
	}, nil
}

// holder says who holds a lock.
func holder(path string) string {
	var info lockInfo
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		err = json.NewDecoder(io.LimitReader(file, 1<<16)).Decode(&info)
	}
	if errors.Is(err, fs.ErrNotExist) { // a lock on the state alone
		return "by a process of which no file says who it is"
	}
	if err != nil || info.Who == "" {
		return "there is a file " + path
	}
	return fmt.Sprintf("by %q for %q since %s (%s)", short(info.Who), short(info.Operation), info.Created.Format(time.RFC3339), path)
}

// randomID returns an identifier of the form that the tools give their locks.
func randomID() string {
	var b [16]byte
	rand.Read(b[:])
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// who returns user@host, as far as they are known.
func who() string {
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return name + "@" + host
}
