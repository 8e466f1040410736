// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// A disk remembers what was read of the file system. What it has seen counts until stale is
// called; after that each file and directory is looked at once more, and a file is read again if
// its time or size differs.
type disk struct {
	mu    sync.Mutex
	round int // of looking
	files map[string]*diskFile
	dirs  map[string]*diskDir
}

type diskFile struct {
	round   int
	err     error
	changed time.Time
	size    int64
	stamp   stamp
	parsed  *parsedFile // nil until the text is asked for, and after it was dropped
	before  *parsedFile // the text before the file changed, or nil
}

// A stamp stands for a text: a file with the same one was not changed. It is 0 for what is not there.
type stamp uint64

var lastStamp atomic.Uint64

func newStamp() stamp { return stamp(lastStamp.Add(1)) }

type diskDir struct {
	round   int
	err     error
	entries []fs.DirEntry
}

func newDisk() *disk { return &disk{files: map[string]*diskFile{}, dirs: map[string]*diskDir{}} }

// stale makes the disk look again at what it is asked for.
func (d *disk) stale() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.round++
}

// look returns what is known of a file, as it is on the disk. The lock is held.
func (d *disk) look(path string) *diskFile {
	f := d.files[path]
	if f == nil {
		f = &diskFile{round: -1}
		d.files[path] = f
	}
	if f.round == d.round {
		return f
	}
	f.round = d.round
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	switch {
	case err != nil:
		*f = diskFile{round: d.round, err: err}
	case f.stamp == 0 || !f.changed.Equal(info.ModTime()) || f.size != info.Size():
		*f = diskFile{round: d.round, changed: info.ModTime(), size: info.Size(), stamp: newStamp(), before: f.parsed}
	}
	return f
}

// stamp returns what stands for the text of a file.
func (d *disk) stamp(path string) stamp {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.look(path).stamp
}

// file returns a file as it is on the disk.
func (d *disk) file(path string) (*parsedFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.look(path)
	if f.err != nil || f.parsed != nil {
		return f.parsed, f.err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f.parsed = &parsedFile{path: nameOf(path), text: text, stamp: f.stamp, before: lastGood(f.before)}
	f.before = nil
	return f.parsed, nil
}

// maxSpare is how many bytes of files stay in memory that no module needs which is checked.
const maxSpare = 1 << 20

// drop forgets the texts of the files that are not needed, if they are many, and reports whether it
// did.
func (d *disk) drop(needed map[string]bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	spare := 0
	for path, f := range d.files {
		if f.parsed != nil && !needed[path] {
			spare += len(f.parsed.text)
		}
	}
	if spare <= maxSpare {
		return false
	}
	for path, f := range d.files {
		if !needed[path] {
			f.parsed, f.before = nil, nil
		}
	}
	return true
}

// dir lists a directory.
func (d *disk) dir(path string) ([]fs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.dirs[path]; e != nil && e.round == d.round {
		return e.entries, e.err
	}
	e := &diskDir{round: d.round}
	e.entries, e.err = os.ReadDir(path)
	d.dirs[path] = e
	return e.entries, e.err
}

// A parsedFile is a text, with what it means once somebody has asked for that.
type parsedFile struct {
	path  string // in the file system of a view
	text  []byte
	stamp stamp
	// before is an earlier text of the file that had no syntax error, or nil. It is the meaning of
	// a text in JSON syntax that has one.
	before *parsedFile

	mu     sync.Mutex
	byTool map[hclconfig.Dialect]meaning
	lines  *lineIndex
}

// A meaning is a file as it is, and as it is understood: the same unless there are syntax errors.
type meaning struct{ real, understood *hclconfig.File }

// meaning returns the file in a dialect, or nil files if its name is not that of a configuration
// file.
func (p *parsedFile) meaning(d hclconfig.Dialect) meaning {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m, ok := p.byTool[d]; ok {
		return m
	}
	real, err := hclconfig.Parse(p.path, p.text, d)
	m := meaning{real, real}
	if err != nil && real != nil {
		m.understood = repaired(real)
		if m.understood == nil && p.before != nil {
			m.understood = p.before.meaning(d).real
		}
		if m.understood == nil {
			m.understood = real
		}
	}
	if p.byTool == nil {
		p.byTool = map[hclconfig.Dialect]meaning{}
	}
	p.byTool[d] = m
	return m
}

// index returns the lines of the text.
func (p *parsedFile) index() *lineIndex {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines == nil {
		p.lines = indexLines(p.text)
	}
	return p.lines
}

// maxRepairs is how many blocks of a file may have syntax errors, for the others to keep their
// meaning.
const maxRepairs = 16

// repaired returns a native file in which blanks stand in the place of what cannot be parsed, so
// that all else has its meaning at its place, or nil if there is no such file. Of a broken block
// the header stays, with an empty body, if it can be read.
func repaired(f *hclconfig.File) *hclconfig.File {
	if f.Syntax() != hclconfig.NativeSyntax {
		return nil
	}
	text := bytes.Clone(f.Bytes())
	for range maxRepairs {
		start, end := blockAround(text, firstSyntaxError(f))
		if start == end {
			return nil
		}
		whole := bytes.Clone(text)
		for _, head := range []int{headOf(text[start:end]), 0} {
			copy(text, whole)
			blank(text[start+head : end])
			if head > 0 {
				closeBody(text[start+head : end])
			}
			g, err := f.Reparse(bytes.Clone(text))
			if err == nil {
				return g
			}
			if at := firstSyntaxError(g); head == 0 || at < start || end <= at { // the next error is elsewhere
				f = g
				break
			}
		}
	}
	return nil
}

func firstSyntaxError(f *hclconfig.File) int {
	at := len(f.Bytes())
	for _, d := range f.Diagnostics() {
		if isSyntaxError(d) && d.Subject.Filename != "" {
			at = min(at, int(d.Subject.Start.Offset))
		}
	}
	return at
}

// blank replaces a text by blanks, and keeps its lines.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// closeBody puts the brace that ends a body at the last place where there is room.
func closeBody(text []byte) {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == ' ' {
			text[i] = '}'
			return
		}
	}
}

// headOf returns the length of the header of a block, its opening brace included, or 0 if the
// text does not begin with one.
func headOf(text []byte) int {
	quoted := false
	for i, c := range text {
		switch {
		case c == '\n':
			return 0
		case quoted:
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{':
			return i + 1
		case c == ' ' || c == '\t' || isWord(c):
		default:
			return 0
		}
	}
	return 0
}

// blockAround returns the part of a file at the top level that a place is in: from a line that
// begins with a letter to the next such line.
func blockAround(text []byte, at int) (start, end int) {
	at = max(0, min(at, len(text)))
	begins := func(i int) bool {
		if i >= len(text) || i > 0 && text[i-1] != '\n' {
			return false
		}
		return isWord(text[i]) && text[i] != '-' && (text[i] < '0' || text[i] > '9')
	}
	for start = min(at, max(len(text)-1, 0)); start > 0 && !begins(start); start-- {
	}
	for end = start + 1; end < len(text) && !begins(end); end++ {
	}
	return start, min(end, len(text))
}
