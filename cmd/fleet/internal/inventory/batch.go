// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"context"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

// A Batch is the rows of one document, which get into the inventory all or not at
// all. Those of a small document are held in memory until they are complete. A
// batch that becomes large writes what it has, and no other can write until it
// is complete. A Batch must not be used concurrently.
type Batch struct {
	db    *DB
	ctx   context.Context
	list  []rows.Row
	bytes int // of list
	total int
	holds bool // the lock of the database, and a savepoint
}

// batchBytes is how much a batch holds in memory.
const batchBytes = 2 << 20

// Batch begins a batch.
func (db *DB) Batch(ctx context.Context) *Batch { return &Batch{db: db, ctx: ctx} }

// Add adds a row.
func (b *Batch) Add(r rows.Row) error {
	b.list = append(b.list, r)
	b.bytes += 40 * len(r.Cells)
	for _, c := range r.Cells {
		if s, ok := c.(string); ok {
			b.bytes += len(s)
		}
	}
	if b.bytes < batchBytes {
		return nil
	}
	return b.flush()
}

// flush writes the rows of the list.
func (b *Batch) flush() error {
	if !b.holds {
		b.db.mu.Lock()
		b.holds = true
		if err := b.db.begin(b.ctx); err != nil {
			return err
		}
		if err := b.db.exec(b.ctx, "SAVEPOINT document"); err != nil {
			return err
		}
	}
	err := b.db.put(b.list)
	b.total += b.bytes
	clear(b.list) // the memory of the rows
	b.list, b.bytes = b.list[:0], 0
	return err
}

// Commit ends the batch. Its rows are in the inventory then.
func (b *Batch) Commit() error {
	if !b.holds {
		return b.db.write(b.ctx, b.bytes, func() error { return b.db.whole(b.ctx, b.list) })
	}
	err := b.flush()
	if err == nil {
		err = b.db.exec(b.ctx, "RELEASE document")
	}
	if err != nil {
		b.Rollback()
		return err
	}
	b.holds = false
	defer b.db.mu.Unlock()
	return b.db.written(b.ctx, b.total)
}

// Rollback drops the rows of the batch, which can be used again.
func (b *Batch) Rollback() {
	b.list, b.bytes, b.total = nil, 0, 0
	if !b.holds {
		return
	}
	b.holds = false
	defer b.db.mu.Unlock()
	_ = b.db.exec(b.ctx, "ROLLBACK TO document")
	_ = b.db.exec(b.ctx, "RELEASE document")
}
