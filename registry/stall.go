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

// A pace measures the speed of a download over all its attempts, in the last window of
// time. Time in the caller's writer does not count against the server, nor does a wait that
// it has asked for.
type pace struct {
	window time.Duration
	bytes  int64 // required of each window, or negative

	mu      sync.Mutex
	start   time.Time
	excused time.Duration // does not count
	paused  time.Time     // since then no time counts, or zero
	number  int64         // of the current slot
	slots   [paceSlots + 1]int64
	timer   *time.Timer
	stopped bool
}

// paceSlots is the number of parts of a window that are counted for themselves, so that
// any window is seen and not only every other one.
const paceSlots = 30

func newPace(limits Limits) *pace {
	return &pace{window: limits.Stall, bytes: limits.Slow, start: time.Now()}
}

// watch calls cancel when a window has brought too little. The caller must call the
// function that it returns.
func (p *pace) watch(cancel context.CancelCauseFunc) (stop func()) {
	if p.bytes < 0 {
		return func() {}
	}
	tick := max(p.window/paceSlots, time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(tick, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case p.stopped:
		case p.tooSlow():
			cancel(fmt.Errorf("%w: less than %d bytes in %s", ErrStalled, p.bytes, p.window))
		default:
			p.timer.Reset(tick)
		}
	})
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.stopped = true
		p.timer.Stop()
	}
}

// advance begins the slot of the present. The caller holds the lock.
func (p *pace) advance() {
	now := time.Now()
	if !p.paused.IsZero() {
		now = p.paused
	}
	number := int64((now.Sub(p.start) - p.excused) / max(p.window/paceSlots, 1))
	for range min(number-p.number, paceSlots+1) {
		p.number++
		p.slots[p.number%(paceSlots+1)] = 0
	}
	p.number = max(p.number, number)
}

// tooSlow reports whether the last window brought too little. The caller holds the lock.
func (p *pace) tooSlow() bool {
	p.advance()
	if p.number < paceSlots {
		return false
	}
	sum := int64(0)
	for _, n := range p.slots { // a window, and the part of a slot that has begun
		sum += n
	}
	return sum < p.bytes
}

// add counts bytes.
func (p *pace) add(n int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.advance()
	p.slots[p.number%(paceSlots+1)] += n
	p.mu.Unlock()
}

// pause and resume surround time that does not count.
func (p *pace) pause() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.paused = time.Now()
	p.mu.Unlock()
}

func (p *pace) resume() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.excused += time.Since(p.paused)
	p.paused = time.Time{}
	p.mu.Unlock()
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
	g.pace.pause()
}

func (g *stallGuard) resume() {
	g.mu.Lock()
	took := time.Since(g.paused)
	g.excused = g.excused || took > g.period/8
	g.paused = time.Time{}
	g.mu.Unlock()
	g.pace.resume()
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
