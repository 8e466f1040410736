// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
	"github.com/tofuwire/tofuwire/uijson"
)

// Options say how documents become rows.
type Options struct {
	// Reveal keeps secrets. Without it, rows are made of the redacted document.
	Reveal bool

	// KeepUnmarked keeps what the formats cannot mark as sensitive, such as the
	// messages of checks and the details of diagnostics.
	KeepUnmarked bool

	// Decrypt opens a state that OpenTofu has encrypted. Without it, such a state is
	// not read.
	Decrypt func(ctx context.Context, text []byte) ([]byte, error)

	// Schemas are those that saved plans need.
	Schemas *planjson.Schemas
}

// errEncrypted is the error for an encrypted document without an option that opens it. It is no
// fault of the document, which is read again by a scan that has one.
var errEncrypted = errors.New("encrypted by OpenTofu; open it with -passphrase-file or -config")

// The kinds of documents that have no name in package planjson.
const (
	KindStream        = "stream"
	KindLock          = "lock"
	KindConfiguration = "configuration"
)

// ErrUnknown is the error for a text that is no document of the tools.
var ErrUnknown = errors.New("not a plan, state, message stream, lock file or configuration")

// A Document is a document that was read once: what it is, its hash, and where
// its parts are.
type Document struct {
	ID     string // the beginning of SHA256
	SHA256 string
	Kind   string
	Bytes  int64

	form    string // what it is read as; Kind is the kind of its rows
	name    string
	content io.ReadSeeker
	index   *index
}

// sniffed is how much of a text is looked at to tell a stream or a file in HCL.
const sniffed = 64 << 10

// MaxHCL is the length up to which files in HCL are read, in bytes. They are held
// in memory.
const MaxHCL = 8 << 20

// Identify reads content once, from its beginning to its end, and says what it
// is. The name is that of the file; only its extension has a meaning, and only
// for configuration. The error wraps [ErrUnknown] if the text is none of the
// documents that fleet knows, and is otherwise that of content.
func Identify(ctx context.Context, name string, content io.ReadSeeker) (*Document, error) {
	d := &Document{name: name, content: content, index: new(index)}
	r := readings.Get().(*reading)
	defer readings.Put(r)
	if err := r.read(&stoppable{ctx, content}, d.index); err != nil {
		return nil, err
	}
	d.Bytes = d.index.offset
	d.SHA256 = hex.EncodeToString(r.hash.Sum(nil))
	d.ID = d.SHA256[:20]
	d.form = d.kind(r.head)
	d.Kind = d.form
	switch {
	case d.form == string(planjson.DocumentLockInfo), d.form == "" && bytes.HasPrefix(bytes.TrimLeft(r.head, " \t\r\n"), []byte("{")) && bytes.Contains(r.head, []byte(`"LockID"`)):
		return d, ErrSkipped
	case d.form == "":
		return d, ErrUnknown
	case d.Current() == false: // the same text can be the current state elsewhere
		d.ID += "-" + KindBackup
	}
	if d.Kind == KindLock || d.Kind == KindConfiguration {
		if d.Bytes > MaxHCL {
			return d, fmt.Errorf("%w: the file has %d bytes; files in HCL are limited to %d", ErrUnknown, d.Bytes, MaxHCL)
		}
	}
	return d, nil
}

// A reading is what it takes to read a document for the first time. It is kept for
// the next one.
type reading struct {
	hash hash.Hash
	head []byte // the beginning
	part [32 << 10]byte
}

var readings = sync.Pool{New: func() any { return &reading{hash: sha256.New(), head: make([]byte, 0, sniffed)} }}

// read reads a document to its end.
func (r *reading) read(src io.Reader, x *index) error {
	r.hash.Reset()
	r.head = r.head[:0]
	for {
		n, err := src.Read(r.part[:])
		part := r.part[:n]
		r.hash.Write(part)
		x.Write(part)
		r.head = append(r.head, part[:min(n, sniffed-len(r.head))]...)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// kind returns the kind of the document, by its beginning and its members.
func (d *Document) kind(head []byte) string {
	base := base(d.name)
	if d.Bytes == 0 && isStateName(d.name) {
		return KindNoState
	}
	if planjson.KindOf(head) == planjson.DocumentPlanFile {
		return string(planjson.DocumentPlanFile)
	}
	if strings.HasSuffix(base, lockfile.Name) {
		return KindLock
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	if len(text) > 0 && text[0] == '{' {
		if file, ok := hclconfig.ParseFilename(base); ok && file.Kind == hclconfig.ConfigFile {
			return KindConfiguration // .tf.json
		}
		if len(d.index.top) == 0 && !d.index.ended {
			return ""
		}
		switch kind := planjson.KindOf(d.index.skeleton()); kind {
		case planjson.DocumentMessage:
			return KindStream
		case "":
		default:
			return string(kind)
		}
	}
	if file, ok := hclconfig.ParseFilename(base); ok && file.Kind == hclconfig.ConfigFile {
		return KindConfiguration
	}
	// A stream may begin with lines of text.
	for line := range bytes.Lines(text) {
		if m, err := uijson.Decode(bytes.TrimSpace(line)); err == nil && m.Level != "" && m.Module != "" {
			return KindStream
		}
	}
	if bytes.Contains(text, []byte("provider \"")) && bytes.Contains(text, []byte("hashes")) {
		if f, err := lockfile.Parse(base, text); err == nil && len(f.Blocks()) > 0 {
			return KindLock
		}
	}
	return ""
}

// A Fault is a fault of a document with its place.
type Fault struct {
	Offset       int64
	Line, Column int
	Pointer      string
	Err          error
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Err.Error()
	}
	if f.Pointer != "" {
		return fmt.Sprintf("line %d, column %d (%s): %v", f.Line, f.Column, f.Pointer, f.Err)
	}
	return fmt.Sprintf("line %d, column %d: %v", f.Line, f.Column, f.Err)
}

func (f *Fault) Unwrap() error { return f.Err }

// faultOf puts the errors of all formats into one form. It returns nil for any
// other error.
func faultOf(err error) *Fault {
	var plan *planjson.Error
	var state *statefile.Error
	var ui *uijson.Error
	var lock *lockfile.Error
	var config *hclconfig.Error
	switch {
	case errors.As(err, &plan):
		return &Fault{plan.Offset, plan.Line, plan.Column, plan.Pointer, plan.Err}
	case errors.As(err, &state):
		return &Fault{state.Offset, state.Line, state.Column, state.Pointer, state.Err}
	case errors.As(err, &ui):
		return &Fault{ui.Offset, ui.Line, ui.Column, "", ui.Err}
	case errors.As(err, &lock):
		return &Fault{lock.Offset, lock.Line, lock.Column, "", lock.Err}
	case errors.As(err, &config):
		return &Fault{config.Offset, config.Line, config.Column, "", config.Err}
	}
	return nil
}

// A maker makes the rows of one document.
type maker struct {
	doc     *Document
	options Options
	add     func(Row) error
	info    info
	id      any // of the document
	words   [numWords]word
	cells   []any           // for the next rows
	texts   strings.Builder // of their cells
}

// A word is the text of a cell that is mostly the one of the row before, and the
// value of that cell, which is made once.
type word struct {
	text string
	cell any
}

// The words.
const (
	wordMode = iota
	wordType
	wordName
	wordProvider
	numWords
)

// word returns the cell of a text: null if it is empty and may be.
func (m *maker) word(k int, text string, orNull bool) any {
	w := &m.words[k]
	if w.text != text || w.cell == nil {
		w.text, w.cell = text, text
	}
	if text == "" && orNull {
		return nil
	}
	return w.cell
}

// info is what the row of the document says.
type info struct {
	formatVersion, tool, toolVersion, made string
	errored, applyable                     any
	serial, lineage                        any // of a raw state
}

// Rows makes the rows of the document and passes them on, about in the order of
// the document; the last one is that of the document itself. Memory does not grow
// with the document, except the parts that the README lists.
//
// A fault of the document is an error of type [*Fault]. Rows that came before it
// must be dropped; [Document.Broken] has those to keep instead. The errors of add,
// of ctx, and of the content are returned as they are.
func (d *Document) Rows(ctx context.Context, o Options, add func(Row) error) error {
	if _, err := d.content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	m := &maker{doc: d, options: o, id: d.ID, add: func(r Row) error {
		if err := ctx.Err(); err != nil { // a short document has been read by then
			return err
		}
		return add(r)
	}}
	src := &stoppable{ctx, d.content}
	var err error
	switch d.form {
	case "plan":
		err = m.plan(src)
	case "state":
		err = m.state(src)
	case KindStream:
		err = m.stream(src)
	case KindLock:
		err = m.whole(src, m.lock)
	case KindConfiguration:
		err = m.whole(src, m.configuration)
	case "config":
		err = m.whole(src, m.shownConfiguration)
	case "modules":
		err = m.whole(src, m.modules)
	case "validate":
		err = m.whole(src, m.validate)
	case string(planjson.DocumentStateFile):
		if err = m.whole(src, m.stateFile); err == nil {
			d.Kind = "state" // its rows are those of what show -json prints
		}
	case string(planjson.DocumentEncrypted):
		err = m.whole(src, func(text []byte) error { return m.encrypted(ctx, text) })
	case string(planjson.DocumentPlanFile):
		if err = m.whole(src, func(text []byte) error { return m.planFile(ctx, text) }); err == nil {
			d.Kind = "plan"
		}
	}
	if d.Current() == false && err == nil && d.Kind == "state" {
		d.Kind = KindBackup
	}
	if err == nil {
		return m.add(d.row(true, m.info))
	}
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	if fault := faultOf(err); fault != nil {
		return fault
	}
	if errors.Is(err, errPlaces) || errors.Is(err, planjson.ErrVersion) || errors.Is(err, planjson.ErrKind) || errors.Is(err, uijson.ErrVersion) {
		return &Fault{Err: err}
	}
	return err
}

// locate sets line and column of a fault from its offset, for which the document
// is read again. It returns the fault, or an error of the content.
func (d *Document) locate(f *Fault) error {
	if _, err := d.content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	c := &counter{line: 1, column: 1}
	if _, err := io.CopyN(c, d.content, f.Offset); err != nil && err != io.EOF {
		return err
	}
	f.Line, f.Column = c.line, c.column
	return f
}

// counter counts lines, and bytes in the last one, both from 1.
type counter struct{ line, column int }

func (c *counter) Write(p []byte) (int, error) {
	if n := bytes.Count(p, []byte{'\n'}); n > 0 {
		c.line += n
		c.column = len(p) - bytes.LastIndexByte(p, '\n')
	} else {
		c.column += len(p)
	}
	return len(p), nil
}

// Broken returns the rows of a document with a fault: that of the document, and
// that of the fault.
func (d *Document) Broken(fault *Fault) []Row {
	place := []any{nil, d.ID, nil, nil, nil, null(fault.Pointer), fault.Err.Error()}
	if fault.Line > 0 {
		place[2], place[3], place[4] = fault.Offset, int64(fault.Line), int64(fault.Column)
	}
	return []Row{d.row(false, info{}), {Faults, place}}
}

func (d *Document) row(complete bool, i info) Row {
	return Row{Documents, []any{d.ID, d.SHA256, d.Kind, d.Bytes, complete, null(i.formatVersion), null(i.tool), null(i.toolVersion), null(i.made), i.errored, i.applyable, i.serial, i.lineage}}
}

// row passes on a row of a relation whose first columns are document and offset.
func (m *maker) row(r *Relation, offset int64, cells ...any) error {
	n := 2 + len(cells)
	if len(m.cells) < n {
		m.cells = make([]any, 32*n)
	}
	row := Row{r, m.cells[:n:n]}
	m.cells = m.cells[n:]
	row.Cells[0], row.Cells[1] = m.id, offset
	copy(row.Cells[2:], cells)
	return m.add(row)
}

// whole reads a document that is held in memory.
func (m *maker) whole(src io.Reader, f func(text []byte) error) error {
	text := make([]byte, 0, m.doc.Bytes+bytes.MinRead) // no larger one is needed
	b := bytes.NewBuffer(text)
	if _, err := b.ReadFrom(src); err != nil {
		return err
	}
	return f(b.Bytes())
}

// redactor returns the redactor of the options.
func (o Options) redactor() redact.Redactor {
	var r redact.Redactor
	if o.KeepUnmarked {
		r.Keep = redact.All
	}
	return r
}

// null returns s, or nil if it is empty.
func null[T ~string](s T) any {
	if s == "" {
		return nil
	}
	return string(s)
}

// textBytes is how much memory the texts of values share.
const textBytes = 16 << 10

// raw returns the text of a value, or nil if it is absent or null.
func (m *maker) raw(v []byte) any {
	switch {
	case len(v) == 0 || string(v) == "null":
		return nil
	case len(v) > textBytes/4:
		return string(v)
	case m.texts.Cap()-m.texts.Len() < len(v):
		m.texts.Reset() // does not change the texts
		m.texts.Grow(textBytes)
	}
	begin := m.texts.Len()
	m.texts.Write(v)
	return m.texts.String()[begin:]
}

// stoppable is a reader that ends with its context. Seek of the content is kept,
// which redaction needs.
type stoppable struct {
	ctx     context.Context
	content io.ReadSeeker
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.content.Read(p)
}

func (s *stoppable) Seek(offset int64, whence int) (int64, error) {
	return s.content.Seek(offset, whence)
}
