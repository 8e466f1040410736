// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"io"
	"sync"
)

// A readAhead is a reader that a goroutine of its own fills.
type readAhead struct {
	src   io.Reader
	limit int

	mu     sync.Mutex
	more   sync.Cond // there is something to read
	room   sync.Cond // there is room for more
	chunks [][]byte
	size   int // of chunks, in bytes
	err    error
	start  sync.Once
}

func newReadAhead(src io.Reader, limit int) *readAhead {
	r := &readAhead{src: src, limit: limit}
	r.more.L, r.room.L = &r.mu, &r.mu
	return r
}

// Read returns bytes that were read ahead, and waits if there are none. The
// goroutine starts with the first call.
func (r *readAhead) Read(p []byte) (int, error) {
	r.start.Do(func() { go r.run() })
	if len(p) == 0 {
		return 0, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.chunks) == 0 && r.err == nil {
		r.more.Wait()
	}
	n := 0
	for n < len(p) && len(r.chunks) > 0 {
		m := copy(p[n:], r.chunks[0])
		n += m
		r.size -= m
		if r.chunks[0] = r.chunks[0][m:]; len(r.chunks[0]) == 0 {
			r.chunks[0] = nil
			r.chunks = r.chunks[1:]
		}
	}
	r.room.Signal()
	if n > 0 {
		return n, nil
	}
	err := r.err
	if err == ErrTruncated {
		r.err = nil // reading continues
		r.room.Signal()
	}
	return 0, err
}

// run reads until the source ends.
func (r *readAhead) run() {
	buf := make([]byte, windowSize)
	for idle := 0; ; {
		n, err := r.src.Read(buf)
		if n < 0 || n > len(buf) {
			n, err = 0, io.ErrNoProgress
		}
		if n > 0 || err != nil {
			idle = 0
		} else if idle++; idle > 100 {
			err = io.ErrNoProgress
		}
		r.mu.Lock()
		if n > 0 {
			r.chunks = append(r.chunks, append([]byte(nil), buf[:n]...))
			r.size += n
		}
		r.err = err
		r.more.Signal()
		for r.size >= r.limit || r.err != nil && err == ErrTruncated {
			r.room.Wait()
		}
		r.mu.Unlock()
		if err != nil && err != ErrTruncated {
			return
		}
	}
}
