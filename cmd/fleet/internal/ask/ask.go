// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/uijson"
)

// Formats are the formats of answers.
var Formats = []string{"text", "csv", "json"}

// Write runs a query and writes its rows: as text in columns, as CSV with a line of
// headings, or as a JSON array of objects whose members are in the order of the
// columns. It returns the number of rows. In CSV a null is empty.
func Write(ctx context.Context, w io.Writer, db *sql.DB, format, query string, args ...any) (int, error) {
	r, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	names, err := r.Columns()
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	var print printer
	switch format {
	case "csv":
		print = &csvPrinter{csv.NewWriter(out)}
	case "json":
		print = &jsonPrinter{w: out}
	default:
		print = &textPrinter{w: out}
	}
	if err := print.begin(names); err != nil {
		return 0, err
	}
	cells := make([]any, len(names))
	pointers := make([]any, len(names))
	for i := range cells {
		pointers[i] = &cells[i]
	}
	n := 0
	for ; r.Next(); n++ {
		if err := r.Scan(pointers...); err != nil {
			return n, err
		}
		for i, c := range cells {
			if b, ok := c.([]byte); ok {
				cells[i] = string(b)
			}
		}
		if err := print.row(cells); err != nil {
			return n, err
		}
	}
	if err := r.Err(); err != nil {
		return n, err
	}
	if err := print.end(); err != nil {
		return n, err
	}
	return n, out.Flush()
}

// A printer writes an answer in one format.
type printer interface {
	begin(names []string) error
	row(cells []any) error
	end() error
}

func text(c any) string {
	switch c := c.(type) {
	case nil:
		return ""
	case string:
		return c
	case float64:
		return strconv.FormatFloat(c, 'f', -1, 64)
	}
	return fmt.Sprint(c)
}

type csvPrinter struct{ w *csv.Writer }

func (p *csvPrinter) begin(names []string) error { return p.w.Write(names) }

func (p *csvPrinter) row(cells []any) error {
	record := make([]string, len(cells))
	for i, c := range cells {
		record[i] = text(c)
	}
	return p.w.Write(record)
}

func (p *csvPrinter) end() error {
	p.w.Flush()
	return p.w.Error()
}

type jsonPrinter struct {
	w     *bufio.Writer
	names []string
	n     int
}

func (p *jsonPrinter) begin(names []string) error {
	p.names = names
	_, err := p.w.WriteString("[")
	return err
}

func (p *jsonPrinter) row(cells []any) error {
	sep := ",\n "
	if p.n++; p.n == 1 {
		sep = "\n "
	}
	p.w.WriteString(sep)
	for i, c := range cells {
		name, err := json.Marshal(p.names[i])
		if err != nil {
			return err
		}
		value, err := json.Marshal(c)
		if err != nil {
			return err
		}
		p.w.WriteByte("{,"[min(i, 1)])
		p.w.Write(name)
		p.w.WriteByte(':')
		p.w.Write(value)
	}
	return p.w.WriteByte('}')
}

func (p *jsonPrinter) end() error {
	if p.n > 0 {
		p.w.WriteByte('\n')
	}
	_, err := p.w.WriteString("]\n")
	return err
}

// A textPrinter writes columns. Their width is that of the first rows; longer
// cells of later ones move the rest of their line.
type textPrinter struct {
	w      *bufio.Writer
	widths []int
	held   [][]string
	ready  bool
}

// heldRows is how many rows the widths are taken from.
const heldRows = 1000

// widest is the width above which a column is not padded.
const widest = 60

func (p *textPrinter) begin(names []string) error {
	p.widths = make([]int, len(names))
	return p.add(names)
}

func (p *textPrinter) row(cells []any) error {
	line := make([]string, len(cells))
	for i, c := range cells {
		// Names and texts come from documents; none may drive the terminal.
		line[i] = strings.ReplaceAll(uijson.Sanitize(text(c)), "\n", "\\n")
		if c == nil {
			line[i] = "-"
		}
	}
	return p.add(line)
}

func (p *textPrinter) add(line []string) error {
	if p.ready {
		return p.print(line)
	}
	for i, cell := range line {
		p.widths[i] = max(p.widths[i], min(widest, utf8.RuneCountInString(cell)))
	}
	if p.held = append(p.held, line); len(p.held) < heldRows {
		return nil
	}
	return p.release()
}

func (p *textPrinter) release() error {
	p.ready = true
	for _, line := range p.held {
		if err := p.print(line); err != nil {
			return err
		}
	}
	p.held = nil
	return nil
}

func (p *textPrinter) print(line []string) error {
	var b strings.Builder
	for i, cell := range line {
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(cell)
		if i < len(line)-1 {
			b.WriteString(strings.Repeat(" ", max(0, p.widths[i]-utf8.RuneCountInString(cell))))
		}
	}
	_, err := p.w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	return err
}

func (p *textPrinter) end() error { return p.release() }
