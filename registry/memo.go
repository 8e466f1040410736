// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"sync"
)

// A memo remembers the results of a function by key, the newest up to
// memoBudget, and joins concurrent calls for one key into one. Errors are not
// remembered. The zero memo is ready to use.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	calls map[K]*memoCall[V]
	order []K   // finished keys, the oldest first
	held  int64 // bytes, about
}

// memoBudget is about how many bytes a memo holds at most.
const memoBudget = 32 << 20

// weigh returns about how many bytes v holds.
func weigh(v any) int64 {
	const overhead = 512
	switch v := v.(type) {
	case []byte:
		return overhead + int64(len(v))
	case *response:
		return overhead + int64(len(v.body))
	case *VersionList:
		return overhead + 512*int64(len(v.Versions))
	case *ModuleVersionList:
		return overhead + 128*int64(len(v.Versions))
	case *Package:
		n := overhead + 2048*int64(len(v.Reported))
		for _, k := range v.SigningKeys {
			n += int64(len(k.ASCIIArmor))
		}
		return n
	default:
		return overhead
	}
}

// A memoCall is one call of the function, running or finished.
type memoCall[V any] struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int
	val     V
	err     error
}

// do returns the remembered value of key, or calls fn for it. fn runs with a
// context that lives as long as somebody waits for the result: a caller that
// gives up does not fail the others. do may return ctx's error while fn still
// runs for others.
func (m *memo[K, V]) do(ctx context.Context, key K, fn func(context.Context) (V, error)) (V, error) {
	var zero V
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	m.mu.Lock()
	c, ok := m.calls[key]
	if !ok {
		if m.calls == nil {
			m.calls = map[K]*memoCall[V]{}
		}
		run, cancel := context.WithCancel(context.WithoutCancel(ctx))
		c = &memoCall[V]{done: make(chan struct{}), cancel: cancel}
		m.calls[key] = c
		go m.run(run, key, c, fn)
	}
	c.waiters++
	m.mu.Unlock()

	select {
	case <-c.done:
		m.leave(key, c)
		return c.val, c.err
	case <-ctx.Done():
		m.leave(key, c)
		return zero, context.Cause(ctx)
	}
}

// run calls fn, and files the result.
func (m *memo[K, V]) run(ctx context.Context, key K, c *memoCall[V], fn func(context.Context) (V, error)) {
	defer c.cancel()
	c.val, c.err = fn(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls[key] == c {
		if c.err != nil {
			delete(m.calls, key)
		} else {
			m.order = append(m.order, key)
			m.held += weigh(c.val)
			for m.held > memoBudget && len(m.order) > 1 {
				m.held -= weigh(m.calls[m.order[0]].val)
				delete(m.calls, m.order[0])
				m.order = m.order[1:]
			}
		}
	}
	close(c.done)
}

// leave counts a waiter out. A call that nobody waits for any more is
// cancelled and forgotten, unless it has finished.
func (m *memo[K, V]) leave(key K, c *memoCall[V]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.waiters--
	if c.waiters > 0 {
		return
	}
	select {
	case <-c.done:
	default:
		c.cancel()
		if m.calls[key] == c {
			delete(m.calls, key)
		}
	}
}
