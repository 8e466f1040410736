// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// The table of the backend pg, with the columns id, name and data.

// A table has the places of the columns in a dump, and what was read of it.
type table struct {
	schema     string // with a slash
	name, data int    // -1 if this is another table
	states     *[]stored
	bytes      *int // of all states
}

// columns finds the columns by their names in the order of the text. Without names they are those
// that the backend makes.
func (t *table) columns(qualified, list string) {
	t.schema, t.name, t.data = "", -1, -1
	if s, _, ok := strings.Cut(qualified, "."); ok {
		t.schema = strings.Trim(s, `"`) + "/"
	}
	if list == "" {
		t.name, t.data = 1, 2
		return
	}
	for i, column := range strings.Split(list, ",") {
		switch strings.Trim(strings.TrimSpace(column), `"`) {
		case "name":
			t.name = i
		case "data":
			t.data = i
		}
	}
	if t.name < 0 || t.data < 0 {
		t.name, t.data = -1, -1
	}
}

// row keeps a row if it has a state. Other applications have tables with such columns too.
func (t *table) row(cells []string) error {
	if t.name < 0 || len(cells) <= max(t.name, t.data) || !strings.HasPrefix(strings.TrimLeft(cells[t.data], " \t\r\n"), "{") {
		return nil
	}
	if *t.bytes += len(cells[t.data]); *t.bytes > maxDump {
		return tooLong()
	}
	*t.states = append(*t.states, stored{t.schema + cells[t.name], []byte(cells[t.data])})
	return nil
}

var (
	copyHeader   = regexp.MustCompile(`^COPY\s+(\S+)\s*\(([^)]*)\)\s+FROM\s+stdin[^\n]*\n`)
	insertHeader = regexp.MustCompile(`^INSERT\s+INTO\s+([^\s(]+)\s*(?:\(([^)]*)\)\s*)?(?:OVERRIDING\s+\w+\s+VALUE\s+)?VALUES\s*`)
)

// sniffedHeader is the length up to which the header of a statement is read.
const sniffedHeader = 8 << 10

// postgresText reads what pg_dump writes as text, with COPY or with INSERT. The dump can be long:
// the other tables in it are passed over.
func postgresText(r io.Reader) (states []stored, err error) {
	in, size := bufio.NewReaderSize(r, 64<<10), 0
	t := &table{states: &states, bytes: &size}
	for err == nil {
		var head []byte
		if head, err = in.Peek(len("INSERT ")); len(head) == 0 {
			break
		}
		err = nil
		switch {
		case bytes.HasPrefix(head, []byte("COPY ")):
			if m := header(in, copyHeader); m != nil {
				t.columns(m[1], m[2])
				err = t.within(t.copied(in))
				continue
			}
		case bytes.HasPrefix(head, []byte("INSERT ")):
			if m := header(in, insertHeader); m != nil {
				t.columns(m[1], m[2])
				err = t.within(t.inserted(in))
				continue
			}
		}
		err = passLine(in)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return states, err
}

// within makes the end of a dump in the middle of the table an error.
func (t *table) within(err error) error {
	if t.name >= 0 && errors.Is(err, io.EOF) {
		return fmt.Errorf("the dump ends within the table of states: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// header reads the header of a statement and returns its parts, or nil and nothing is read.
func header(in *bufio.Reader, form *regexp.Regexp) []string {
	head, _ := in.Peek(sniffedHeader)
	m := form.FindSubmatch(head)
	if m == nil {
		return nil
	}
	parts := []string{string(m[0]), string(m[1]), string(m[2])}
	in.Discard(len(m[0]))
	return parts
}

// passLine reads to the end of a line, however long it is.
func passLine(in *bufio.Reader) error {
	for {
		if _, err := in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// copied reads the rows behind a COPY, up to the line that ends them.
func (t *table) copied(in *bufio.Reader) error {
	for {
		head, err := in.Peek(2)
		if len(head) == 0 {
			return err
		}
		if string(head) == `\.` {
			return ended(passLine(in))
		}
		if t.name < 0 {
			if err := passLine(in); err != nil {
				return err
			}
			continue
		}
		line, err := wholeLine(in)
		if err != nil && len(line) == 0 {
			return err
		}
		cells := strings.Split(strings.TrimRight(string(line), "\r\n"), "\t")
		for i, cell := range cells {
			if cells[i] = uncopied(cell); cell == `\N` {
				cells[i] = ""
			}
		}
		if err := t.row(cells); err != nil {
			return err
		}
	}
}

// ended ignores the end of the text behind the end of the table.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// wholeLine reads a line of at most as many bytes as a dump may have.
func wholeLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxDump {
			return nil, tooLong()
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// copiedRows reads the rows of COPY without its header: "COPY states TO stdout", and the files in
// pg_dump's formats tar and directory.
func copiedRows(r io.Reader) (states []stored, err error) {
	size := 0
	t := &table{name: 1, data: 2, states: &states, bytes: &size}
	if err = t.copied(bufio.NewReaderSize(r, 64<<10)); errors.Is(err, io.EOF) {
		err = nil
	}
	return states, err
}

// inserted reads the rows of an INSERT, to the end of the statement.
func (t *table) inserted(in *bufio.Reader) error {
	var cells []string
	var cell strings.Builder
	size := 0 // of the cells of a row
	for {
		c, err := in.ReadByte()
		if err != nil {
			return err
		}
		switch c {
		case '\'':
			escapes := cell.String() == "E"
			cell.Reset()
			into := &cell
			if t.name < 0 {
				into = nil
			}
			if err := quoted(in, escapes, into); err != nil {
				return err
			}
		case ',', ')':
			if size += cell.Len(); size > maxDump {
				return tooLong()
			}
			if cells = append(cells, strings.TrimSpace(cell.String())); c == ')' {
				if err := t.row(cells); err != nil {
					return err
				}
				cells, size = nil, 0
			}
			cell.Reset()
		case '(':
			cells, size = nil, 0
			cell.Reset()
		case ';':
			return ended(passLine(in))
		default:
			if c > ' ' && cell.Len() < sniffedHeader { // numbers and words are short
				cell.WriteByte(c)
			}
		}
	}
}

// quoted reads a text of SQL behind its first quote into a cell, or over it if there is none. One
// with escapes has an E in front.
func quoted(in *bufio.Reader, escapes bool, cell *strings.Builder) error {
	put := func(text string) {
		if cell != nil {
			cell.WriteString(text)
		}
	}
	for cell == nil || cell.Len() <= maxDump {
		c, err := in.ReadByte()
		switch {
		case err != nil:
			return err
		case c == '\\' && escapes:
			next, err := in.ReadByte()
			if err != nil {
				return err
			}
			put(uncopied(string([]byte{c, next})))
			continue
		case c == '\'':
			if next, err := in.Peek(1); err != nil || next[0] != '\'' {
				return nil
			}
			in.Discard(1)
		}
		if cell != nil {
			cell.WriteByte(c)
		}
	}
	return tooLong()
}

// copiedBinary reads the rows of "COPY states TO stdout (FORMAT binary)": their fields have a
// length in front, -1 for a null.
func copiedBinary(r io.Reader) (states []stored, err error) {
	in, size := bufio.NewReader(r), 0
	t := &table{name: 1, data: 2, states: &states, bytes: &size}
	var begin struct {
		Signature    [11]byte
		Flags, Extra int32
	}
	if err := binary.Read(in, binary.BigEndian, &begin); err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, in, int64(begin.Extra)); err != nil {
		return nil, err
	}
	for {
		var fields int16
		if err := binary.Read(in, binary.BigEndian, &fields); err != nil || fields < 0 {
			return states, err
		}
		var cells []string
		size := 0
		for range fields {
			var n int32
			if err := binary.Read(in, binary.BigEndian, &n); err != nil {
				return states, err
			}
			var cell strings.Builder
			if n > 0 {
				if size += int(n); n > maxDump || size > maxDump {
					return states, tooLong()
				}
				if _, err := io.CopyN(&cell, in, int64(n)); err != nil {
					return states, err
				}
			}
			cells = append(cells, cell.String())
		}
		if err := t.row(cells); err != nil {
			return states, err
		}
	}
}

// postgresCustom refuses a dump that only PostgreSQL's own program reads.
func postgresCustom(io.Reader) ([]stored, error) {
	return nil, errors.New("a dump in PostgreSQL's custom format; pg_restore -f FILE DUMP writes it as text")
}

// uncopied returns the text of a cell of COPY.
func uncopied(cell string) string {
	if !strings.Contains(cell, `\`) {
		return cell
	}
	var b strings.Builder
	for i := 0; i < len(cell); i++ {
		c := cell[i]
		if c != '\\' || i+1 == len(cell) {
			b.WriteByte(c)
			continue
		}
		i++
		if at := strings.IndexByte("bfnrtv", cell[i]); at >= 0 {
			b.WriteByte("\b\f\n\r\t\v"[at])
		} else {
			b.WriteByte(cell[i])
		}
	}
	return b.String()
}

// tableCSV reads the table as CSV, with a header or without: id, name, data.
func tableCSV(text []byte) (states []stored, err error) {
	r := csv.NewReader(bufio.NewReader(bytes.NewReader(text)))
	r.FieldsPerRecord = -1
	name, data := 1, 2
	for first := true; ; first = false {
		record, err := r.Read()
		if err == io.EOF {
			return states, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the table is not CSV: %w", err)
		}
		if i, k := slices.Index(record, "name"), slices.Index(record, "data"); first && i >= 0 && k >= 0 {
			name, data = i, k
			continue
		}
		if len(record) > max(name, data) && record[data] != "" {
			states = append(states, stored{record[name], []byte(record[data])})
		}
	}
}

// tableJSON reads the rows of the table as JSON, in an array or one behind the other.
func tableJSON(text []byte) (states []stored, err error) {
	type row struct {
		Name string
		Data json.RawMessage
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var value json.RawMessage
		err := d.Decode(&value)
		if err == io.EOF {
			return states, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the table is not JSON: %w", err)
		}
		var rows []row
		if value[0] != '[' {
			value = slices.Concat([]byte("["), value, []byte("]"))
		}
		if err := json.Unmarshal(value, &rows); err != nil {
			return nil, fmt.Errorf("the table has other rows: %w", err)
		}
		for _, r := range rows {
			var text string
			if len(r.Data) == 0 || string(r.Data) == "null" {
				continue
			}
			if json.Unmarshal(r.Data, &text) != nil {
				text = string(r.Data)
			}
			states = append(states, stored{r.Name, []byte(text)})
		}
	}
}
