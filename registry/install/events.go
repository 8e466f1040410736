// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"iter"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

// A Stage is a step in the work on a package.
// Its values include [Asking], [Downloading] and [Checking].
type Stage string

// The stages of a package, in order. Not every call has every stage. Only the last
// three end the work, and each package has exactly one of these.
const (
	Asking      Stage = "asking"      // its location is requested from its source
	Downloading Stage = "downloading" // its bytes arrive, and are hashed by a [Locker] as they do
	Checking    Stage = "checking"    // a [Locker] compares its hashes with those that its source states
	Kept        Stage = "kept"        // no request is needed: the package or its hashes are present
	Ready       Stage = "ready"       // everything is done
	Failed      Stage = "failed"      // there is an error
)

// An Event is a step of the work on one package.
type Event struct {
	Provider addrs.Provider // the provider of the package
	Version  addrs.Version  // the version of the package
	Platform addrs.Platform // the platform of the package
	Stage    Stage          // the stage that has begun

	// Done and Total are bytes, while Stage is Downloading. Total is -1 if it is not
	// known. There is an event at the start, one for about every 256 KiB, and one at
	// the end.
	Done, Total int64

	// Err is the error, if Stage is Failed.
	Err error
}

type eventsKey struct{}

// Watch runs call with a context, and returns an iterator over the events of the
// methods that call runs with that context: [Locker.Lock], [Installer.Install] and
// [Mirror.Add]. If call fails, the last pair has its error with the zero Event. A
// slow loop delays the work.
//
// Breaking out of the loop cancels the context and waits for call. The iterator can
// be used once.
func Watch(ctx context.Context, call func(context.Context) error) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if call == nil {
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		events := make(chan Event)
		done := make(chan error, 1)
		go func() {
			err := call(context.WithValue(ctx, eventsKey{}, events))
			close(events)
			done <- err
		}()
		more := true
		for e := range events {
			if more && !yield(e, nil) {
				more = false
				cancel()
			}
		}
		if err := <-done; more && err != nil {
			yield(Event{}, err)
		}
	}
}

// report sends events about one package to a watcher, if there is one.
type report struct {
	events chan<- Event
	event  Event
}

// reportOn returns a report about a package, and the context to use for its
// downloads.
func reportOn(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (context.Context, *report) {
	events, ok := ctx.Value(eventsKey{}).(chan Event)
	if !ok {
		return ctx, nil
	}
	r := &report{events, Event{Provider: p, Version: v, Platform: platform}}
	return registry.WithProgress(ctx, func(_ *registry.Package, done, total int64) {
		e := r.event
		e.Stage, e.Done, e.Total = Downloading, done, total
		r.events <- e
	}), r
}

func (r *report) stage(s Stage) {
	if r != nil {
		e := r.event
		e.Stage = s
		r.events <- e
	}
}

// end sends the last event. asked reports whether a request was sent.
func (r *report) end(asked bool, err error) {
	if r == nil {
		return
	}
	e := r.event
	switch {
	case err != nil:
		e.Stage, e.Err = Failed, err
	case asked:
		e.Stage = Ready
	default:
		e.Stage = Kept
	}
	r.events <- e
}
