// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"context"
	"iter"
)

// All hashes many packages, several of them at a time. Each is a directory or a
// zip file, as in [Hasher.Path]. The iterator yields the results in the order
// of paths. An error is an [*Error] about one package; the iterator then goes
// on with the others. When ctx is done, the remaining packages yield its error.
//
// At most Workers packages are in memory at a time, plus as many results that
// wait for an earlier one. The iterator ends only after all of its goroutines
// have ended. It can be used again, and then starts over.
func (h Hasher) All(ctx context.Context, paths []string) iter.Seq2[*Package, error] {
	return func(yield func(*Package, error) bool) {
		workers := min(h.workers(), len(paths))
		if workers <= 1 {
			for _, path := range paths {
				if !yield(h.Path(ctx, path)) {
					return
				}
			}
			return
		}
		ctx, cancel := context.WithCancel(ctx)

		type result struct {
			p   *Package
			err error
		}
		type task struct {
			path string
			to   chan<- result
		}
		tasks := make(chan task)
		stopped := make(chan struct{}, workers)
		defer func() {
			cancel()
			close(tasks)
			for range workers {
				<-stopped
			}
		}()
		for range workers {
			go func() {
				defer func() { stopped <- struct{}{} }()
				m := newMachine(false)
				for t := range tasks {
					p, err := h.path(ctx, t.path, m)
					t.to <- result{p, err}
				}
			}()
		}

		// Twice as many tasks as workers are in progress, so a slow package
		// does not stop the others at once.
		var waiting []<-chan result
		for i := 0; i < len(paths) || len(waiting) > 0; {
			if i < len(paths) && len(waiting) < 2*workers {
				to := make(chan result, 1)
				tasks <- task{paths[i], to}
				waiting = append(waiting, to)
				i++
				continue
			}
			r := <-waiting[0]
			waiting = waiting[1:]
			if !yield(r.p, r.err) {
				return
			}
		}
	}
}
