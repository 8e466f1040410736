// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// A stallGuard ends an attempt that brings too little for too long. It looks
// once in a period, so a server that sends a byte now and then is caught, too.
type stallGuard struct {
	period time.Duration
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer
	bytes   int64     // since the last look
	paused  time.Time // since when the caller's writer is at work, or zero
	excused bool      // the writer took long since the last look
	stopped bool
}

// newStallGuard starts a guard. If cancel is nil, it never ends anything.
func newStallGuard(period time.Duration, cancel context.CancelCauseFunc) *stallGuard {
	g := &stallGuard{period: period, cancel: cancel}
	if cancel != nil {
		g.mu.Lock()
		g.timer = time.AfterFunc(period, g.look)
		g.mu.Unlock()
	}
	return g
}

func (g *stallGuard) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped {
		return
	}
	if g.bytes < stallBytes && g.paused.IsZero() && !g.excused {
		g.cancel(fmt.Errorf("%w: %d bytes in %s", ErrStalled, g.bytes, g.period))
		return
	}
	g.bytes, g.excused = 0, false
	g.timer.Reset(g.period)
}

func (g *stallGuard) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = true
	if g.timer != nil {
		g.timer.Stop()
	}
}

// pause and resume surround the work of the caller's writer, which is not the
// server's fault.
func (g *stallGuard) pause() {
	g.mu.Lock()
	g.paused = time.Now()
	g.mu.Unlock()
}

func (g *stallGuard) resume() {
	g.mu.Lock()
	g.excused = g.excused || time.Since(g.paused) > g.period/8
	g.paused = time.Time{}
	g.mu.Unlock()
}

// reader returns r with its bytes counted.
func (g *stallGuard) reader(r io.Reader) io.Reader { return &guardedReader{g, r} }

type guardedReader struct {
	g *stallGuard
	r io.Reader
}

func (r *guardedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.g.mu.Lock()
	r.g.bytes += int64(n)
	r.g.mu.Unlock()
	return n, err
}
