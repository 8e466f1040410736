// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// A Follower reads a file that grows, such as the one that OpenTofu writes with
// -json-into, from its beginning. At the end of the file it waits for more.
// When the file becomes shorter, or another file has taken its name, as happens
// with each new run, Read returns [ErrTruncated] once and then continues at the
// new beginning; a [Reader] then ends the line and continues.
//
// Use a Follower as the source of a [Reader], and call Close after it. A source
// that is not a regular file, such as a named pipe, is read to its end like any
// stream; the context is ignored. The methods must not be called concurrently:
// to end a Read that waits, cancel the context.
type Follower struct {
	ctx   context.Context
	name  string
	every time.Duration
	file  *os.File
	at    int64  // number of bytes read
	head  []byte // the first bytes of the file, by which it is known again
	last  bool   // the context is done: read the rest, then end
	pipe  bool   // the file is not a regular one
}

// headSize is the number of bytes at the beginning that differ between the
// files of two runs: the version message with its time stamp.
const headSize = 256

// Follow returns a Follower of the named file, which need not exist yet. It
// looks for changes at the given interval; 0 means a tenth of a second.
//
// When ctx is done, Read returns the rest of the file, and then io.EOF.
// Therefore, cancel ctx when the process that writes the file has ended.
func Follow(ctx context.Context, name string, every time.Duration) *Follower {
	if every <= 0 {
		every = 100 * time.Millisecond
	}
	return &Follower{ctx: ctx, name: name, every: every}
}

// Read implements [io.Reader].
func (f *Follower) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n, err := f.read(p)
		if n > 0 || err != nil {
			return n, err
		}
		if f.last {
			return 0, io.EOF
		}
		select {
		case <-f.ctx.Done():
			f.last = true // but look once more
		case <-time.After(f.every):
		}
	}
}

// Close closes the file.
func (f *Follower) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// read reads once, without waiting.
func (f *Follower) read(p []byte) (int, error) {
	if f.file == nil {
		file, err := os.Open(f.name)
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		info, err := file.Stat()
		if err != nil {
			file.Close()
			return 0, err
		}
		f.file, f.at, f.head, f.pipe = file, 0, nil, !info.Mode().IsRegular()
	}
	if f.pipe {
		return f.file.Read(p)
	}
	changed, err := f.changed()
	if err != nil {
		return 0, err
	}
	if changed {
		f.file.Close()
		f.file = nil
		return 0, ErrTruncated
	}
	n, err := f.file.ReadAt(p, f.at)
	if n > 0 && len(f.head) < headSize && f.at == int64(len(f.head)) {
		f.head = append(f.head, p[:min(n, headSize-len(f.head))]...)
	}
	f.at += int64(n)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// changed reports whether the file is no longer the one from which f.at bytes
// were read.
func (f *Follower) changed() (bool, error) {
	if f.at == 0 {
		return false, nil
	}
	now, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	if now.Size() < f.at {
		return true, nil
	}
	if named, err := os.Stat(f.name); err == nil && !os.SameFile(now, named) {
		// Replaced. The rest of the old file comes first.
		return now.Size() == f.at, nil
	}
	// Truncated, and longer again already?
	var buf [headSize]byte
	head := buf[:len(f.head)]
	if _, err := f.file.ReadAt(head, 0); err != nil && err != io.EOF {
		return false, err
	}
	return !bytes.Equal(head, f.head), nil
}
