// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// Name is the name of the lock file, in the directory of the root module.
const Name = ".terraform.lock.hcl"

// MaxSize is the size in bytes up to which lock files are read. A file of a
// hundred providers has about 150 KB.
const MaxSize = 4 << 20

const summaryTooLarge = "File too large"

// A File is a lock file: its text, and what the text means.
//
// It may be read by several goroutines at once. The methods that change it
// (Set, SetVersion, SetConstraints, SetHashes, AddHashes, RemoveHashes, Remove
// and Save) are for one goroutine that nobody reads beside.
type File struct {
	filename string
	text     string
	blocks   []Block
	diags    []Diagnostic
	broken   bool        // not well-formed HCL
	fault    *Diagnostic // what makes it so

	disk  string // what Save expects to find on disk
	fresh bool   // Save expects no file at all
}

// Parse reads src, the text of a lock file. The name serves for places in
// messages and, later, for [File.Save]. The File keeps a copy of src.
//
// If tofu would refuse the file, the error is an [*Error] with the place of
// the first problem (the first of syntax, if there is one), and [File.Diagnostics] has them all. The File is never
// nil: it has everything that could be read, as far as tofu itself reads on.
// Warnings are diagnostics but no error.
//
// Text of more than [MaxSize] bytes is not looked at ([ErrLimit]), nor is a
// smaller one that is not laid out as tofu does and so dense that the HCL
// parser would need too much memory for it.
func Parse(filename string, src []byte) (*File, error) {
	text := string(src)
	f := &File{filename: filename, text: text, disk: text}
	f.parse()
	return f, f.err()
}

// New returns a lock file without locks, as the given tool would write it: it
// has only the header. It is meant for a directory that has none yet.
func New(filename string, tool Tool) *File {
	f := &File{filename: filename, text: string(Locks(nil).Canonical(tool)), fresh: true}
	f.parse()
	return f
}

// parse sets everything that follows from f.text.
func (f *File) parse() {
	if len(f.text) > MaxSize {
		f.broken = true
		p := addrs.Pos{Offset: 0, Line: 1, Column: 1}
		f.fault = &Diagnostic{SeverityError, summaryTooLarge,
			fmt.Sprintf("A lock file of %d bytes is not read; the limit is %d.", len(f.text), MaxSize), addrs.Range{Filename: f.filename, Start: p, End: p}}
		f.diags = []Diagnostic{*f.fault}
		return
	}
	raws, ok := scanMachine(f.text)
	f.diags, f.broken, f.fault = nil, false, nil
	if !ok {
		g := general{filename: f.filename, text: f.text}
		raws = g.read()
		f.diags, f.broken, f.fault = g.diags, g.fault != nil, g.fault
	}
	f.adopt(raws)
}

// adopt gives types to raws, adds to the diagnostics what there is to say about
// them, and makes them the blocks of f.
func (f *File) adopt(raws []rawBlock) {
	f.blocks = make([]Block, len(raws))
	seen := make(map[addrs.Provider]*Block, len(raws))
	at := fileStart
	for i := range raws {
		b := &f.blocks[i]
		start := raws[i].typ.start
		at.line += strings.Count(f.text[at.offset:start], "\n")
		at.offset, at.column = start, raws[i].column
		*b = Block{filename: f.filename, text: f.text, raw: &raws[i], at: at}
		f.diags = decode(b, seen, f.diags)
	}
	sortDiagnostics(f.diags)
}

// err returns the error that the diagnostics amount to. If the text is not
// well-formed, that comes first, as it may be why there are others.
func (f *File) err() error {
	p := problem{more: -1}
	for _, d := range f.diags {
		if d.Severity == SeverityError {
			if p.more++; p.more == 0 {
				p.diag = d
			}
		}
	}
	if p.more < 0 {
		return nil
	}
	if f.broken {
		p.diag = *f.fault
		p.is = append(p.is, ErrSyntax)
		if f.fault.Summary == summaryTooLarge {
			p.is = append(p.is, ErrLimit)
		} else if hasMarkers(f.text) {
			p.is = append(p.is, ErrConflictMarkers)
		}
	}
	return errorAt(p.diag.Subject, &p)
}

// Filename returns the name that the file was parsed, loaded or made with.
func (f *File) Filename() string {
	if f == nil {
		return ""
	}
	return f.filename
}

// Bytes returns the text of the file: what was parsed, with the edits since
// then. The caller owns the result.
func (f *File) Bytes() []byte {
	if f == nil {
		return nil
	}
	return []byte(f.text)
}

// Blocks returns the provider blocks that have one label, in the order of the
// file, those that tofu refuses included.
func (f *File) Blocks() []*Block {
	if f == nil {
		return nil
	}
	blocks := make([]*Block, len(f.blocks))
	for i := range f.blocks {
		blocks[i] = &f.blocks[i]
	}
	return blocks
}

// Block returns the block that locks p, or nil if there is none. If there are
// several, the first one counts, as in tofu.
func (f *File) Block(p addrs.Provider) *Block {
	if !p.IsValid() {
		return nil
	}
	for i := range f.blocks {
		if f.blocks[i].addr == p {
			return &f.blocks[i]
		}
	}
	return nil
}

// index returns the blocks of f by their providers, the first of each.
func (f *File) index() map[addrs.Provider]*Block {
	index := make(map[addrs.Provider]*Block, len(f.blocks))
	for i := range f.blocks {
		if b := &f.blocks[i]; b.addr.IsValid() && !b.duplicate {
			index[b.addr] = b
		}
	}
	return index
}

// Locks returns what tofu knows after loading the file: one lock for each
// provider with a valid address, in the order of the file, with the hashes as
// they stand in it. What is at fault in a block is missing from its lock.
func (f *File) Locks() Locks {
	if f == nil {
		return nil
	}
	locks := make(Locks, 0, len(f.blocks))
	for i := range f.blocks {
		if b := &f.blocks[i]; b.addr.IsValid() && !b.duplicate {
			locks = append(locks, b.Lock())
		}
	}
	return locks
}

// Diagnostics returns what tofu would report on loading the file, sorted by
// place. The caller owns the result.
func (f *File) Diagnostics() []Diagnostic {
	if f == nil {
		return nil
	}
	return append([]Diagnostic(nil), f.diags...)
}

// Err returns the error that [Parse] would give for the present text.
func (f *File) Err() error {
	if f == nil {
		return nil
	}
	return f.err()
}

// Clone returns a copy of f. Editing one does not change the other.
func (f *File) Clone() *File {
	if f == nil {
		return nil
	}
	// Texts and blocks are never changed in place, so sharing them is safe.
	c := *f
	return &c
}

// Tool returns the tool whose name is in the header of the file, and reports
// whether there is one. The header is a comment that no tool reads.
func (f *File) Tool() (Tool, bool) {
	if f == nil {
		return 0, false
	}
	text := strings.ReplaceAll(strings.TrimPrefix(f.text, byteOrderMark), "\r\n", "\n")
	for _, tool := range []Tool{OpenTofu, Terraform} {
		if strings.HasPrefix(text, tool.header()) {
			return tool, true
		}
	}
	return OpenTofu, false
}
