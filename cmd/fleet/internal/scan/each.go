// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"context"
	"errors"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
)

// A Place is where a row comes from: its document, and where that was found. The
// rows of a document are complete for each of its places. Document is empty
// for rows about the place itself.
type Place struct{ Document, Place string }

// Each calls f for all rows of an item, which are those that [Run] adds to an
// inventory. It knows nothing of other items: a document with several places
// has its rows for each of them. An error is one of f, or of the context.
func Each(ctx context.Context, it source.Item, o Options, f func(Place, rows.Row) error) error {
	e := &each{ctx, it, o, f}
	err := it.Documents(ctx, o.Limit, e.found, e.fault)
	var own *internal
	switch {
	case errors.As(err, &own):
		return own.error
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return e.fault(it.Place, err)
	}
	return nil
}

// EachFault calls f for the rows of a place that cannot be listed.
func EachFault(place string, cause error, o Options, f func(Place, rows.Row) error) error {
	e := &each{context.Background(), source.Item{Place: place}, o, f}
	return e.fault(place, cause)
}

type each struct {
	ctx context.Context
	it  source.Item
	o   Options
	f   func(Place, rows.Row) error
}

func (e *each) emit(document string, place string, r rows.Row) error {
	if err := e.f(Place{document, place}, r); err != nil {
		return &internal{err}
	}
	return nil
}

func (e *each) fault(place string, err error) error {
	if e.ctx.Err() != nil {
		return &internal{e.ctx.Err()}
	}
	var bytes int64
	if place == e.it.Place {
		bytes = e.it.Bytes
	}
	if err := e.emit("", place, SourceRow(source.Found{Place: place}, nil, e.o.Workspace.Of(place), bytes)); err != nil {
		return err
	}
	return e.emit("", place, PlaceFault(place, err))
}

func (e *each) found(f source.Found) error {
	doc, err := rows.Identify(e.ctx, f.Name, f.Content)
	switch {
	case e.ctx.Err() != nil:
		return &internal{e.ctx.Err()}
	case errors.Is(err, rows.ErrSkipped), errors.Is(err, rows.ErrUnknown) && !(e.it.Named && f.Place == e.it.Place):
		return nil
	case err != nil:
		return e.fault(f.Place, err)
	}
	add := func(r rows.Row) error { return e.emit(doc.ID, f.Place, r) }
	if e.o.Rows.Reveal {
		// A fault can come after rows, which cannot be taken back. A redacted
		// document is checked before there are any.
		err = doc.Rows(e.ctx, e.o.Rows, func(rows.Row) error { return nil })
	}
	if err == nil {
		err = doc.Rows(e.ctx, e.o.Rows, add)
	}
	var fault *rows.Fault
	var own *internal
	switch {
	case errors.As(err, &own):
		return err
	case errors.As(err, &fault):
		for _, r := range doc.Broken(fault) {
			if err := add(r); err != nil {
				return err
			}
		}
	case err != nil:
		return e.fault(f.Place, err)
	}
	return e.emit("", f.Place, SourceRow(f, doc, e.o.Workspace.Of(f.Place), doc.Bytes))
}
