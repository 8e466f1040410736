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

// A pace measures the speed of a download over all its attempts. Time in the
// caller's writer does not count against the server.
type pace struct {
	window time.Duration
	bytes  int64 // required of each window, or negative

	mu      sync.Mutex
	since   time.Time // start of the window
	brought int64
	slow    bool
}

func newPace(limits Limits) *pace {
	return &pace{window: 4 * limits.Stall, bytes: limits.Slow, since: time.Now()}
}

// add counts bytes.
func (p *pace) add(n int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.brought += n
	p.mu.Unlock()
}

// excuse adds the time of the caller's writer to the window.
func (p *pace) excuse(d time.Duration) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.since = p.since.Add(d)
	p.mu.Unlock()
}

// tooSlow reports whether a window has ended and brought too little.
func (p *pace) tooSlow() bool {
	if p == nil || p.bytes < 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.since) >= p.window {
		p.slow = p.slow || p.brought < p.bytes
		p.since, p.brought = time.Now(), 0
	}
	return p.slow
}

func (p *pace) err() error {
	return fmt.Errorf("%w: less than %d bytes in %s", ErrStalled, p.bytes, p.window)
}

// A stallGuard ends an attempt that brings too little for too long. It checks
// once in a period, so it also catches a server that sends a byte now and then.
type stallGuard struct {
	period time.Duration
	pace   *pace // or nil
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer
	bytes   int64     // since the last check
	paused  time.Time // start of the current call of the caller's writer, or zero
	excused bool      // the writer took long since the last check
	stopped bool
}

// newStallGuard starts a guard. If cancel is nil, it never ends anything.
func newStallGuard(period time.Duration, pace *pace, cancel context.CancelCauseFunc) *stallGuard {
	g := &stallGuard{period: period, pace: pace, cancel: cancel}
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
	if g.paused.IsZero() && g.pace.tooSlow() {
		g.cancel(g.pace.err())
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

// pause and resume surround calls of the caller's writer, whose time is not the
// server's fault.
func (g *stallGuard) pause() {
	g.mu.Lock()
	g.paused = time.Now()
	g.mu.Unlock()
}

func (g *stallGuard) resume() {
	g.mu.Lock()
	took := time.Since(g.paused)
	g.excused = g.excused || took > g.period/8
	g.pace.excuse(took)
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
	r.g.pace.add(int64(n))
	return n, err
}
