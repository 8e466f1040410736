// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package inventory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

// TestBatch_Rows adds rows of which any columns are the same as those of the rows
// around them, in batches of any length, and reads them again. There are more sets
// of such columns than statements are kept for.
func TestBatch_Rows(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	path := filepath.Join(t.TempDir(), "inventory.db")
	db, err := inventory.Open(t.Context(), path, rows.Options{}, "")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for range 150 {
		batch := db.Batch(t.Context())
		relation := []*rows.Relation{rows.Instances, rows.Outputs}[r.IntN(2)]
		differ := r.IntN(1 << len(relation.Columns)) // the columns
		odd := r.IntN(8)                             // a row that differs in all of them
		var texts []string
		for k := range 1 + r.IntN(150) {
			row := rows.Row{Relation: relation}
			for i, c := range relation.Columns {
				n := 7
				if differ>>i&1 != 0 || k == odd {
					n = k
				}
				switch {
				case c.Null && n%3 == 0:
					row.Cells = append(row.Cells, nil)
				case c.Type == rows.Int:
					row.Cells = append(row.Cells, int64(n*100+i))
				case c.Type == rows.Bool:
					row.Cells = append(row.Cells, n%2 == 0)
				default:
					row.Cells = append(row.Cells, fmt.Sprintf("cell %d of %d", i, n))
				}
			}
			texts = append(texts, string(row.AppendText(nil)))
			if err := batch.Add(row); err != nil {
				t.Fatal(err)
			}
		}
		if r.IntN(4) == 0 {
			batch.Rollback()
			continue
		}
		if err := batch.Commit(); err != nil {
			t.Fatal(err)
		}
		want = append(want, texts...)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := inventory.Dump(t.Context(), path)
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d rows, %v, want %d", len(got), err, len(want))
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("got %s, want %s", got[i], want[i])
			}
		}
	}
}

// TestBatch_Refused adds rows of which one is refused, in a short batch and in one
// that is written in parts. Only what was complete before is in the inventory.
func TestBatch_Refused(t *testing.T) {
	row := func(document string, value any) rows.Row {
		return rows.Row{Relation: rows.Outputs, Cells: []any{document, int64(1), "o", nil, value, true}}
	}
	for _, tt := range []struct {
		name string
		long bool
	}{{"short", false}, {"long", true}} {
		t.Run(tt.name, func(t *testing.T) {
			defer func(n int) { inventory.TransactionBytes = n }(inventory.TransactionBytes)
			inventory.TransactionBytes = 1 // the first batch is committed at once
			path := filepath.Join(t.TempDir(), "inventory.db")
			db, err := inventory.Open(t.Context(), path, rows.Options{}, "")
			if err != nil {
				t.Fatal(err)
			}
			good := row("good", "1")
			batch := db.Batch(t.Context())
			if err := errors.Join(batch.Add(good), batch.Commit()); err != nil {
				t.Fatal(err)
			}
			inventory.TransactionBytes = 1 << 30
			value := "2"
			if tt.long {
				value = strings.Repeat("2", 1<<20)
			}
			batch = db.Batch(t.Context())
			for range 5 {
				if err := batch.Add(row("bad", value)); err != nil {
					t.Fatal(err)
				}
			}
			bad := row("bad", "3")
			bad.Cells[2] = nil // not null
			if err := errors.Join(batch.Add(bad), batch.Add(row("bad", "4")), batch.Commit()); err == nil {
				t.Error("a name that is null was taken")
			}
			// In a transaction that was undone, nothing may come after it: rows
			// of other documents could rely on what is gone.
			if err := db.Rows(t.Context(), row("after", "5")); (err == nil) != tt.long {
				t.Errorf("a row after that: %v", err)
			}
			want := []string{string(good.AppendText(nil))}
			if tt.long {
				want = append([]string{string(row("after", "5").AppendText(nil))}, want...)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			got, err := inventory.Dump(t.Context(), path)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
