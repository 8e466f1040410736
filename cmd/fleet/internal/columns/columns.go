// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package columns writes and reads the rows of relations as Parquet files.
package columns

import (
	"fmt"
	"io"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

// group is the most rows of a row group. A writer holds one in memory, encoded.
const group = 50_000

// groupBytes is about how many bytes of cells a row group has at most.
const groupBytes = 32 << 20

// schema returns the schema of a relation, with the columns in its order and the
// place of each in the file, where they are sorted by name.
func schema(r *rows.Relation) (s *parquet.Schema, leaf []int) {
	g := make(parquet.Group)
	for _, c := range r.Columns {
		var n parquet.Node
		switch c.Type {
		case rows.Int:
			n = parquet.Int(64)
		case rows.Bool:
			n = parquet.Leaf(parquet.BooleanType)
		case rows.Time:
			n = parquet.Timestamp(parquet.Millisecond)
		case rows.JSON:
			n = parquet.JSON()
		default:
			n = parquet.String()
			n = parquet.Encoded(n, &parquet.RLEDictionary)
		}
		if c.Null {
			n = parquet.Optional(n)
		}
		g[c.Name] = parquet.Compressed(n, &zstd.Codec{})
	}
	s = parquet.NewSchema(r.Name, g)
	for _, c := range r.Columns {
		column, _ := s.Lookup(c.Name)
		leaf = append(leaf, column.ColumnIndex)
	}
	return s, leaf
}

// A Writer writes the rows of one relation. It must not be used concurrently.
type Writer struct {
	relation *rows.Relation
	leaf     []int
	w        *parquet.GenericWriter[any]
	row      parquet.Row
	rows     int
	bytes    int
}

// NewWriter returns a writer to w. The caller must call Close.
func NewWriter(w io.Writer, r *rows.Relation) *Writer {
	s, leaf := schema(r)
	return &Writer{relation: r, leaf: leaf, w: parquet.NewGenericWriter[any](w, s, parquet.CreatedBy("tofuwire fleet", "", "")), row: make(parquet.Row, len(leaf))}
}

// Write writes a row.
func (w *Writer) Write(r rows.Row) error {
	for i, c := range w.relation.Columns {
		at := w.leaf[i]
		v := parquet.NullValue()
		switch x := r.Cells[i].(type) {
		case nil:
		case int64:
			v = parquet.Int64Value(x)
		case bool:
			v = parquet.BooleanValue(x)
		case string:
			w.bytes += len(x)
			if c.Type != rows.Time {
				v = parquet.ByteArrayValue([]byte(x))
				break
			}
			t, err := time.Parse(time.RFC3339, x)
			if err != nil {
				return err
			}
			v = parquet.Int64Value(t.UnixMilli())
		default:
			return fmt.Errorf("%s.%s: no cell can be a %T", w.relation.Name, c.Name, x)
		}
		if v.IsNull() != (r.Cells[i] == nil) || v.IsNull() && !c.Null {
			return fmt.Errorf("%s.%s is null", w.relation.Name, c.Name)
		}
		definition := 0
		if c.Null && !v.IsNull() {
			definition = 1
		}
		w.row[at] = v.Level(0, definition, at)
	}
	if _, err := w.w.WriteRows([]parquet.Row{w.row}); err != nil {
		return err
	}
	if w.rows++; w.rows < group && w.bytes < groupBytes {
		return nil
	}
	w.rows, w.bytes = 0, 0
	return w.w.Flush()
}

// Close ends the file. It does not close the underlying writer.
func (w *Writer) Close() error { return w.w.Close() }

// Read calls f for each row of a file that a [Writer] has written.
func Read(src io.ReaderAt, size int64, r *rows.Relation, f func(rows.Row) error) error {
	file, err := parquet.OpenFile(src, size)
	if err != nil {
		return err
	}
	s, leaf := schema(r)
	if got := file.Schema(); got.Name() != s.Name() || got.String() != s.String() {
		return fmt.Errorf("the file has other columns than %s", r.Name)
	}
	for _, g := range file.RowGroups() {
		if err := readGroup(g, r, leaf, f); err != nil {
			return err
		}
	}
	return nil
}

func readGroup(g parquet.RowGroup, r *rows.Relation, leaf []int, f func(rows.Row) error) (err error) {
	in := g.Rows()
	defer in.Close()
	buf := make([]parquet.Row, 100)
	for {
		n, err := in.ReadRows(buf)
		for _, values := range buf[:n] {
			row := rows.Row{Relation: r, Cells: make([]any, len(r.Columns))}
			for i, c := range r.Columns {
				v := values[leaf[i]]
				switch {
				case v.IsNull():
				case c.Type == rows.Int:
					row.Cells[i] = v.Int64()
				case c.Type == rows.Bool:
					row.Cells[i] = v.Boolean()
				case c.Type == rows.Time:
					row.Cells[i] = time.UnixMilli(v.Int64()).UTC().Format("2006-01-02T15:04:05.000Z")
				default:
					row.Cells[i] = string(v.ByteArray())
				}
			}
			if err := f(row); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
