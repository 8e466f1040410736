// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package scan reads documents from many places into an inventory.
package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
)

// Options say how to scan.
type Options struct {
	Rows      rows.Options
	Limit     source.Limit
	Workers   int         // how many documents are read at once
	Workspace *Workspaces // which one a place belongs to
	Rehash    bool        // read items again that seem not to have changed
}

// memory is how much a scan takes before the collector runs more often: little while documents are
// short, and more for long ones, which would have it run all the time.
var memory struct {
	sync.Mutex
	limit int64 // 0 if the scan does not say
}

const (
	leastMemory = 24 << 20 // with less the collector runs all the time
	mostMemory  = 160 << 20
)

// Memory says how much memory a scan takes: documents come and go, and little of it
// is in use. So the collector need not run often. The environment variables of Go's runtime
// go before.
func Memory() {
	forgetPages()
	if os.Getenv("GOMEMLIMIT") == "" {
		memory.limit = leastMemory
		debug.SetMemoryLimit(leastMemory)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// makeRoom raises the limit of memory for a document of so many bytes, which may be held whole in
// several forms by each worker.
func makeRoom(bytes int64, workers int) {
	memory.Lock()
	defer memory.Unlock()
	if want := min(leastMemory/2+8*bytes*int64(max(1, workers)), mostMemory); memory.limit > 0 && want > memory.limit {
		memory.limit = want
		debug.SetMemoryLimit(want)
	}
}

// Counts says how far a scan has come. Its fields may be read while it runs.
type Counts struct {
	Items     atomic.Int64 // files and objects that are done
	Bytes     atomic.Int64 // of them
	Unchanged atomic.Int64 // items that were read in an earlier scan
	Documents atomic.Int64 // documents that were read
	Known     atomic.Int64 // documents that were in the inventory already, by content
	Ignored   atomic.Int64 // files that are no documents
	Faults    atomic.Int64 // documents and places with a fault

	// First is a fault, the first that was found, with its place; nil if there is none.
	First atomic.Pointer[string]
}

// fault counts a fault.
func (n *Counts) fault(place, text string) {
	n.Faults.Add(1)
	text = place + ": " + text
	n.First.CompareAndSwap(nil, &text)
}

// Run reads all places into the inventory. Faults of documents and places are
// rows of the inventory, and no errors.
func Run(ctx context.Context, db *inventory.DB, places []string, o Options, n *Counts) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// What an earlier scan could not list is tried again.
	if err := db.Forgive(ctx, places); err != nil {
		return err
	}
	items := make(chan source.Item)
	var group sync.WaitGroup
	for range max(1, o.Workers) {
		group.Go(func() {
			for it := range items {
				s := &scanner{ctx, db, o, n, it}
				if err := s.item(); err != nil {
					cancel(err)
				}
			}
		})
	}
	err := source.List(ctx, places, func(it source.Item) error {
		select {
		case items <- it:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}, func(place string, err error) error {
		s := &scanner{ctx, db, o, n, source.Item{Place: place}}
		return errors.Join(db.Begin(ctx, s.it), s.fault(place, err))
	})
	close(items)
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// scanner reads one item.
type scanner struct {
	ctx context.Context
	db  *inventory.DB
	o   Options
	n   *Counts
	it  source.Item
}

func (s *scanner) item() error {
	defer func() {
		s.n.Items.Add(1)
		s.n.Bytes.Add(s.it.Bytes)
	}()
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if !s.o.Rehash {
		seen, err := s.db.Seen(s.ctx, s.it)
		if seen || err != nil {
			s.n.Unchanged.Add(1)
			return err
		}
	}
	if err := s.db.Begin(s.ctx, s.it); err != nil {
		return err
	}
	makeRoom(s.it.Bytes, s.o.Workers)
	var bad *internal
	err := s.it.Documents(s.ctx, s.o.Limit, func(f source.Found) error {
		err := s.found(f)
		var item *failed
		if err == nil || errors.As(err, &item) {
			return err
		}
		return &internal{err}
	}, func(place string, err error) error {
		if err := s.fault(place, err); err != nil {
			return &internal{err}
		}
		return nil
	})
	switch {
	case errors.As(err, &bad):
		return bad.error
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case err != nil:
		// The item is not done: a later scan tries again.
		var item *failed
		if errors.As(err, &item) {
			err = item.error
		}
		return s.fault(s.it.Place, err)
	}
	return s.db.Done(s.ctx, s.it)
}

// A failed error is one of the item.
type failed struct{ error }

// An internal error is one of the inventory, not of an item.
type internal struct{ error }

func (e *internal) Unwrap() error { return e.error }

// fault records that a place could not be read.
func (s *scanner) fault(place string, err error) error {
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	row := PlaceFault(place, err)
	s.n.fault(place, fmt.Sprint(row.Cells[len(row.Cells)-1]))
	var bytes int64
	if place == s.it.Place {
		bytes = s.it.Bytes
	}
	return s.db.Rows(s.ctx, s.source(source.Found{Place: place}, nil, bytes), row)
}

// PlaceFault returns the row for a place that could not be read. Its message does
// not repeat the place.
func PlaceFault(place string, err error) rows.Row {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return rows.Row{Relation: rows.Faults, Cells: []any{place, nil, nil, nil, nil, nil, err.Error()}}
}

func (s *scanner) source(f source.Found, doc *rows.Document, bytes int64) rows.Row {
	return SourceRow(f, doc, s.o.Workspace.Of(f.Place), bytes)
}

// SourceRow returns the row for a place. The document is nil if it could not be read.
func SourceRow(f source.Found, doc *rows.Document, workspace string, bytes int64) rows.Row {
	cells := []any{f.Place, nil, workspace, rows.Stamp(f.Modified), bytes, nil, nil}
	if doc != nil {
		cells[1], cells[5], cells[6] = doc.ID, doc.Current(), doc.Written(f.Modified)
	}
	return rows.Row{Relation: rows.Sources, Cells: cells}
}

// found reads one document.
func (s *scanner) found(f source.Found) error {
	doc, err := rows.Identify(s.ctx, f.Name, f.Content)
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case errors.Is(err, rows.ErrSkipped), errors.Is(err, rows.ErrUnknown) && !(s.it.Named && f.Place == s.it.Place):
		s.n.Ignored.Add(1)
		return nil
	case err != nil && f.Place == s.it.Place:
		return &failed{err}
	case err != nil:
		return s.fault(f.Place, err)
	}
	known, release, err := s.db.Claim(s.ctx, doc.ID)
	if err != nil {
		return err
	}
	if known {
		s.n.Known.Add(1)
		return s.db.Rows(s.ctx, s.source(f, doc, doc.Bytes))
	}
	defer release()
	batch := s.db.Batch(s.ctx)
	err = doc.Rows(s.ctx, s.o.Rows, func(r rows.Row) error {
		if err := batch.Add(r); err != nil {
			return &internal{err}
		}
		return nil
	})
	var fault *rows.Fault
	var bad *internal
	switch {
	case errors.As(err, &bad) || err != nil && s.ctx.Err() != nil:
		batch.Rollback()
		return err
	case errors.As(err, &fault):
		batch.Rollback()
		s.n.fault(f.Place, (&rows.Fault{Line: fault.Line, Column: fault.Column, Err: fault.Err}).Error()) // names can be secret
		for _, r := range doc.Broken(fault) {
			if err := batch.Add(r); err != nil {
				batch.Rollback()
				return err
			}
		}
	case err != nil && f.Place == s.it.Place: // of the source
		batch.Rollback()
		return &failed{err}
	case err != nil:
		batch.Rollback()
		return s.fault(f.Place, err)
	}
	s.n.Documents.Add(1)
	if err := batch.Add(s.source(f, doc, doc.Bytes)); err != nil {
		batch.Rollback()
		return err
	}
	return batch.Commit()
}

// A Total is how much there is to scan.
type Total struct {
	Items, Bytes atomic.Int64
	Complete     atomic.Bool
}

// Count counts the items of places.
func Count(ctx context.Context, places []string, t *Total) {
	err := source.List(ctx, places, func(it source.Item) error {
		t.Items.Add(1)
		t.Bytes.Add(it.Bytes)
		return nil
	}, func(string, error) error { return nil })
	t.Complete.Store(err == nil)
}

// Rate returns a number of bytes a second in MB.
func Rate(bytes int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(bytes) / 1e6 / d.Seconds()
}
