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
	weak    int // windows in a row that brought too little
	slow    bool
}

// maxWeak is how many windows in a row may bring too little if that may be the fault of
// broken connections. A server that sends all the time, but too slowly, is given up
// after one.
const maxWeak = 4

func newPace(limits Limits) *pace {
	return &pace{window: limits.Stall, bytes: limits.Slow, since: time.Now()}
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

// tooSlow reports whether the download is too slow to go on. steady says that the server
// has been sending up to now.
func (p *pace) tooSlow(steady bool) bool {
	if p == nil || p.bytes < 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.since) >= p.window {
		if p.brought >= p.bytes {
			p.weak = 0
		} else {
			p.weak++
			p.slow = p.slow || steady || p.weak >= maxWeak
		}
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
	last    time.Time // of the last byte
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
	steady := time.Since(g.last) < g.period/2
	if g.paused.IsZero() && g.pace.tooSlow(steady) {
		g.cancel(g.pace.err())
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
	if n > 0 {
		r.g.last = time.Now()
	}
	r.g.mu.Unlock()
	r.g.pace.add(int64(n))
	return n, err
}
