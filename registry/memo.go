// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"sync"
	"time"
)

// A memo remembers the results of a function by key, and joins concurrent calls
// for one key into one. Errors are not remembered. The zero memo is ready to use.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	calls map[K]*memoCall[V]
}

// A memoCall is one call of the function, running or finished.
type memoCall[V any] struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int
	end     time.Time // when val came
	val     V
	err     error
}

// A ledger bounds the total memory of all memos of a Client. Above the bound,
// it forgets the oldest values. It does not remember a value that exceeds the
// bound alone.
type ledger struct {
	mu      sync.Mutex
	entries []ledgerEntry // the oldest first
	first   int           // index of the oldest remaining one
	held    int64
}

type ledgerEntry struct {
	weight int64
	forget func()
}

// add records a value, and forgets the values above the budget.
func (l *ledger) add(weight, budget int64, forget func()) {
	l.mu.Lock()
	l.entries = append(l.entries, ledgerEntry{weight, forget})
	l.held += weight
	var victims []func()
	if weight > budget { // it would only displace all others
		last := len(l.entries) - 1
		l.held -= weight
		l.entries[last] = ledgerEntry{}
		l.entries = l.entries[:last]
		victims = append(victims, forget)
	}
	for l.held > budget && l.first < len(l.entries) {
		e := &l.entries[l.first]
		l.held -= e.weight
		victims = append(victims, e.forget)
		*e = ledgerEntry{}
		l.first++
	}
	if l.first > len(l.entries)/2 {
		l.entries = append([]ledgerEntry(nil), l.entries[l.first:]...)
		l.first = 0
	}
	l.mu.Unlock()
	for _, forget := range victims {
		forget()
	}
}

// do returns the remembered value of key, or calls fn for it. fn runs with a
// context that lives as long as a caller waits for the result: a caller that
// gives up does not fail the others. do may return ctx's error while fn still
// runs, for others or until fn checks its context.
func (m *memo[K, V]) do(ctx context.Context, c *Client, key K, fn func(context.Context) (V, error)) (V, error) {
	var zero V
	if ctx.Err() != nil {
		return zero, context.Cause(ctx)
	}
	m.mu.Lock()
	call, ok := m.calls[key]
	if !ok || c.MaxAge > 0 && !call.end.IsZero() && time.Since(call.end) > c.MaxAge {
		if m.calls == nil {
			m.calls = map[K]*memoCall[V]{}
		}
		run, cancel := context.WithCancel(context.WithoutCancel(ctx))
		call = &memoCall[V]{done: make(chan struct{}), cancel: cancel}
		m.calls[key] = call
		go m.run(run, c, key, call, fn)
	}
	call.waiters++
	m.mu.Unlock()

	select {
	case <-call.done:
		m.leave(key, call)
		return call.val, call.err
	case <-ctx.Done():
		m.leave(key, call)
		return zero, context.Cause(ctx)
	}
}

// run calls fn, and records the result.
func (m *memo[K, V]) run(ctx context.Context, c *Client, key K, call *memoCall[V], fn func(context.Context) (V, error)) {
	defer call.cancel()
	call.val, call.err = fn(ctx)
	m.mu.Lock()
	call.end = time.Now()
	wanted := m.calls[key] == call
	if wanted && call.err != nil {
		delete(m.calls, key)
	}
	m.mu.Unlock()
	if wanted && call.err == nil {
		c.answers.ledger.add(weigh(key)+weigh(call.val), c.Limits.withDefaults().Memory, func() { m.forget(key, call) })
	}
	m.mu.Lock()
	close(call.done)
	m.mu.Unlock()
}

// forget forgets the value of a call.
func (m *memo[K, V]) forget(key K, call *memoCall[V]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls[key] == call {
		delete(m.calls, key)
	}
}

// leave removes a waiter. A call without waiters is cancelled and forgotten,
// unless it has finished.
func (m *memo[K, V]) leave(key K, call *memoCall[V]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	call.waiters--
	if call.waiters > 0 {
		return
	}
	select {
	case <-call.done:
	default:
		call.cancel()
		if m.calls[key] == call {
			delete(m.calls, key)
		}
	}
}
