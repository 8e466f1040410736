// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"sync"
	"time"
)

// slots bounds concurrent work, for each origin and in all. Within an origin,
// waiters are served in the order in which they came. The zero slots is ready to
// use.
//
// A slot of an origin is held to the end. The slot in all is given back after
// lend, if that is set: a server that lets its requests wait then delays only
// its own queue.
type slots struct {
	mu      sync.Mutex
	used    int
	origins map[string]*originSlots
	ring    []string // the origins that have waiters; the first is served next
}

// originSlots are the slots of one origin.
type originSlots struct {
	used  int
	queue []*slotWaiter
}

// A slotWaiter waits for its turn.
type slotWaiter struct {
	ready chan struct{} // closed when the slot is given
}

// originsAtOnce is how many origins can have all their slots in use at once.
const originsAtOnce = 8

// acquire waits for one of n slots of origin, and of originsAtOnce times as many
// in all. It returns a function that frees it.
func (s *slots) acquire(ctx context.Context, origin string, n int, lend time.Duration) (func(), error) {
	w := &slotWaiter{ready: make(chan struct{})}
	s.mu.Lock()
	if s.origins == nil {
		s.origins = map[string]*originSlots{}
	}
	o := s.origins[origin]
	if o == nil {
		o = &originSlots{}
		s.origins[origin] = o
	}
	if o.queue = append(o.queue, w); len(o.queue) == 1 {
		s.ring = append(s.ring, origin)
	}
	s.serve(n)
	s.mu.Unlock()
	select {
	case <-w.ready:
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case <-w.ready:
			s.used--
			s.leave(origin, n)
		default:
			s.forget(origin, w)
		}
		return nil, context.Cause(ctx)
	}
	var once sync.Once
	giveBack := func() {
		once.Do(func() {
			s.mu.Lock()
			s.used--
			s.serve(n)
			s.mu.Unlock()
		})
	}
	var timer *time.Timer
	if lend > 0 {
		timer = time.AfterFunc(lend, giveBack)
	}
	return func() {
		if timer != nil {
			timer.Stop()
		}
		giveBack()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leave(origin, n)
	}, nil
}

// serve gives free slots to the waiters: one origin after the other, so a long
// queue of one origin does not delay the others.
func (s *slots) serve(n int) {
	for skipped := 0; s.used < n*originsAtOnce && skipped < len(s.ring); {
		origin := s.ring[0]
		s.ring = s.ring[1:]
		o := s.origins[origin]
		if o.used >= n {
			s.ring = append(s.ring, origin)
			skipped++
			continue
		}
		w := o.queue[0]
		o.queue = o.queue[1:]
		o.used++
		s.used++
		close(w.ready)
		skipped = 0
		if len(o.queue) > 0 {
			s.ring = append(s.ring, origin)
		}
	}
}

// leave frees the slot of an origin.
func (s *slots) leave(origin string, n int) {
	o := s.origins[origin]
	if o.used--; o.used == 0 && len(o.queue) == 0 {
		delete(s.origins, origin)
	}
	s.serve(n)
}

// forget takes a waiter out of its queue.
func (s *slots) forget(origin string, w *slotWaiter) {
	o := s.origins[origin]
	for i, other := range o.queue {
		if other == w {
			o.queue = append(o.queue[:i], o.queue[i+1:]...)
			break
		}
	}
	if len(o.queue) > 0 {
		return
	}
	for i, other := range s.ring {
		if other == origin {
			s.ring = append(s.ring[:i], s.ring[i+1:]...)
			break
		}
	}
	if o.used == 0 {
		delete(s.origins, origin)
	}
}
