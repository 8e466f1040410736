// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"context"
	"iter"
)

// All hashes many packages, each a directory or a zip file as in
// [Hasher.Path], several of them at a time. The iterator yields the results
// in the order of paths; an error is an [*Error] that concerns one package,
// and the others go on. When ctx is done, the packages that remain give its
// error.
//
// No more than Workers packages are in memory, plus as many results that wait
// for one before them. The iterator ends only after all of its goroutines
// have; it can be used again and starts over then.
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

		// Twice as many tasks as workers are under way, so that a slow
		// package does not stop the others at once.
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
