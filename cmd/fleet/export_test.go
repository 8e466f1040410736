// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/columns"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

// TestExport compares the rows of the Parquet files with those of the database.
func TestExport(t *testing.T) {
	db := inventoryOf(t)
	for range 2 { // the second time the files are replaced
		if status, _, stderr := fleet(t, "export", db, "out"); status != exitOK {
			t.Fatal(stderr)
		}
	}
	var got []string
	for _, r := range rows.Relations() {
		f, err := os.Open(filepath.Join("out", r.Name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		err = columns.Read(f, info.Size(), r, func(row rows.Row) error {
			got = append(got, string(row.AppendText(nil)))
			return nil
		})
		f.Close()
		if err != nil {
			t.Fatal(r.Name, err)
		}
	}
	slices.Sort(got)
	want, err := inventory.Dump(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	files, err := os.ReadDir("out")
	if err != nil || len(files) != len(rows.Relations()) {
		t.Errorf("%d files: %v", len(files), err)
	}
}

func TestScanToParquet(t *testing.T) {
	inventoryOf(t)
	status, _, stderr := fleet(t, "scan", "-out", "more.db", "-parquet", "files", "fleet/dev/state.json")
	if status != exitOK {
		t.Fatal(stderr)
	}
	if _, err := os.Stat("files/instances.parquet"); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"export", "none.db", "out"}, {"export", "more.db"}, {"export", "more.db", "file"}} {
		if status, _, stderr := fleet(t, args...); status != exitUsage || stderr == "" {
			t.Errorf("%q: %d %s", args, status, stderr)
		}
	}
}

// TestParquetRefuses writes cells that do not fit, and reads files that are none.
func TestParquetRefuses(t *testing.T) {
	w := columns.NewWriter(new(strings.Builder), rows.Sources)
	for _, cells := range [][]any{{nil, nil, "w", nil, int64(1)}, {"p", nil, "w", "no time", int64(1)}, {"p", nil, "w", nil, 1}} {
		if err := w.Write(rows.Row{Relation: rows.Sources, Cells: cells}); err == nil {
			t.Errorf("%v is written", cells)
		}
	}
	text := strings.NewReader("no parquet file")
	if err := columns.Read(text, text.Size(), rows.Sources, nil); err == nil {
		t.Error("a text is read")
	}
	var b strings.Builder
	if err := columns.NewWriter(&b, rows.Drift).Close(); err != nil {
		t.Fatal(err)
	}
	file := strings.NewReader(b.String())
	if err := columns.Read(file, file.Size(), rows.Sources, nil); err == nil {
		t.Error("a file of another relation is read")
	}
}
