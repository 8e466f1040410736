// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package session is what the page of the viewer asks: it opens documents,
// and answers with rows, lines, graphs and redacted copies. It knows nothing
// of browsers.
//
// A Session serves one caller at a time.
package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A Source is a document that can be read at any place, more than once.
type Source interface {
	io.ReaderAt
	Size() int64
}

// Whole is the size in bytes up to which a plan or state is also kept in
// memory. Above it, there are rows and redaction, but no graph and no
// comparison.
const Whole = 512 << 20

// A Row is one entry of the list of a document.
type Row struct {
	N        int    `json:"n"`     // its number
	Part     string `json:"part"`  // planned, deferred, drift, action, output, resource, diagnostic, provider, added, removed, changed, differs
	Class    string `json:"class"` // what happens: create, update, delete, ...
	Symbol   string `json:"symbol"`
	Address  string `json:"address"`
	Headline string `json:"headline"`
	Lines    int    `json:"lines"` // how many lines its details have
}

// A Line is one line of the details of a row.
type Line struct {
	Class string `json:"class"` // add, remove, change, note or plain
	Text  string `json:"text"`
	Why   string `json:"why,omitempty"` // a remark at the end
}

// A Fact is one line about a document as a whole.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Info has the facts about a document as a whole.
type Info struct {
	Kind   string   `json:"kind"`
	Title  string   `json:"title"`
	Name   string   `json:"name"`
	Size   int64    `json:"size"`
	Facts  []Fact   `json:"facts"`
	Alarms []string `json:"alarms"`
	Can    []string `json:"can"` // changes, graph, timeline, redact, compare
}

// Emit takes what an answer brings bit by bit: "rows" with a []Row, "progress"
// with a fraction of 1, "hidden" with a []redact.Entry.
type Emit func(event string, value any)

// A Document is an open document.
type Document struct {
	Info Info

	source   Source
	maxDepth int
	rows     []row
	emit     Emit
	unsent   int // the first row that has not been emitted

	plan   *planjson.Plan
	state  *planjson.State
	lock   *lockfile.File
	run    *uitrack.Snapshot
	frames []Frame
	places *planview.Places
}

// A row is a Row with what its details are made from.
type row struct {
	Row
	lines func() []Line
	text  string // in lower case, for the search
}

// A Session has the documents of a page by the number that the page gives them.
type Session struct {
	// MaxDepth, if it is not zero, is how deeply values in JSON may be nested, for
	// a program with a small stack.
	MaxDepth int

	documents map[int]*Document
}

var errClosed = errors.New("the document is not open")

// Open reads a document. Its rows are emitted as they are found.
func (s *Session) Open(id int, name string, src Source, emit Emit) (*Info, error) {
	d := &Document{source: src, emit: emit, maxDepth: s.MaxDepth, Info: Info{Name: name, Size: src.Size(), Facts: []Fact{}, Alarms: []string{}, Can: []string{}}}
	if s.documents == nil {
		s.documents = make(map[int]*Document)
	}
	delete(s.documents, id)
	err := d.open()
	d.flush()
	if err != nil {
		return nil, err
	}
	d.maxDepth = 0 // it is not read for the first time any more
	s.documents[id] = d
	return &d.Info, nil
}

func (d *Document) open() error {
	if d.Info.Size == 0 {
		return errors.New("the file is empty")
	}
	kind, err := kindOf(d.Info.Name, d.source)
	if err != nil && !errors.Is(err, errEncrypted) {
		if found := d.find(); found != "" {
			kind, err = found, nil
		}
	}
	if err != nil {
		return err
	}
	d.Info.Kind = kind
	d.Info.Title = titles[kind]
	switch kind {
	case "plan":
		return d.openPlan()
	case "state":
		return d.openState()
	case "statefile":
		return d.openStateFile()
	case "ui":
		return d.openStream()
	case "lock":
		return d.openLock()
	}
	return d.openOther()
}

// find finds the document in a log, which it then is, and returns its kind, or "".
func (d *Document) find() string {
	text, err := d.whole(0, 0)
	if err != nil {
		return ""
	}
	found, err := planjson.Find(text)
	if err != nil || found.Kind == "" || titles[string(found.Kind)] == "" {
		return ""
	}
	d.source, d.Info.Size = bytes.NewReader(found.Text), int64(len(found.Text))
	if n := found.Before + found.Inside + found.After; n > 0 {
		d.fact("In a log", fmt.Sprintf("from line %d; %d bytes around it were skipped", found.Line, n))
	}
	return string(found.Kind)
}

// document returns an open document.
func (s *Session) document(id int) (*Document, error) {
	if d := s.documents[id]; d != nil {
		return d, nil
	}
	return nil, errClosed
}

// Lines returns the details of a row.
func (s *Session) Lines(id, n int) ([]Line, error) {
	d, err := s.document(id)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(d.rows) {
		return nil, fmt.Errorf("there is no row %d", n)
	}
	return d.rows[n].lines(), nil
}

// Search returns the numbers of the rows that have all words, in their
// addresses or their details, in any case of letters.
func (s *Session) Search(id int, text string) ([]int, error) {
	d, err := s.document(id)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(text))
	found := []int{}
next:
	for i := range d.rows {
		for _, w := range words {
			if !strings.Contains(d.rows[i].text, w) {
				continue next
			}
		}
		found = append(found, i)
	}
	return found, nil
}

// add adds a row. Its text is that of its lines, which are made again when they
// are asked for.
func (d *Document) add(r Row, text string, lines func() []Line) {
	r.N = len(d.rows)
	r.Address = planview.OneLine(r.Address)
	r.Headline = planview.OneLine(r.Headline)
	d.rows = append(d.rows, row{r, lines, strings.ToLower(r.Address + "\n" + r.Headline + "\n" + text)})
	if len(d.rows)-d.unsent >= batch {
		d.flush()
	}
}

// batch is how many rows are emitted at once: so few that the page draws between
// two of them.
const batch = 250

func (d *Document) flush() {
	if d.unsent == len(d.rows) {
		return
	}
	list := make([]Row, 0, len(d.rows)-d.unsent)
	for _, r := range d.rows[d.unsent:] {
		list = append(list, r.Row)
	}
	d.unsent = len(d.rows)
	d.emit("rows", list)
}

// addLines adds a row with lines that are known.
func (d *Document) addLines(r Row, lines []Line) {
	r.Lines = len(lines)
	d.add(r, textOf(lines), func() []Line { return lines })
}

func textOf(lines []Line) string {
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.Text)
		text.WriteByte('\n')
	}
	return text.String()
}

func (d *Document) fact(name, value string) {
	if value != "" {
		d.Info.Facts = append(d.Info.Facts, Fact{name, planview.OneLine(value)})
	}
}

func (d *Document) alarm(format string, args ...any) {
	d.Info.Alarms = append(d.Info.Alarms, planview.OneLine(fmt.Sprintf(format, args...)))
}

// reader returns a reader of the whole document that reports its progress
// between two fractions.
func (d *Document) reader(from, to float64) io.Reader {
	var r io.Reader = io.NewSectionReader(d.source, 0, d.Info.Size)
	if d.maxDepth > 0 && from == 0 && d.Info.Kind != "lock" {
		r = &depthReader{r: r, limit: d.maxDepth, lines: d.Info.Kind == "ui"}
	}
	return &progress{r: r, size: d.Info.Size, from: from, to: to, emit: d.emit}
}

type progress struct {
	r            io.Reader
	n, said      int64
	size         int64
	from, to     float64
	emit         Emit
	beforeReport func()
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.n += int64(n)
	if step := max(1<<20, p.size/200); p.n-p.said >= step {
		p.said = p.n
		if p.beforeReport != nil {
			p.beforeReport()
		}
		p.emit("progress", p.from+(p.to-p.from)*float64(p.n)/float64(p.size))
	}
	return n, err
}

// whole returns the text of the document.
func (d *Document) whole(from, to float64) ([]byte, error) {
	if d.Info.Size > Whole {
		return nil, fmt.Errorf("the document has %d MiB; the limit for this is %d MiB", d.Info.Size>>20, Whole>>20)
	}
	text := make([]byte, d.Info.Size)
	if _, err := io.ReadFull(d.reader(from, to), text); err != nil {
		return nil, err
	}
	return text, nil
}
