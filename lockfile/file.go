// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// Name is the name of the lock file, in the directory of the root module.
const Name = ".terraform.lock.hcl"

// MaxSize is the largest size, in bytes, of a lock file that is read. A file
// with a hundred providers takes about 150 KB.
const MaxSize = 4 << 20

const (
	summaryTooLarge = "File too large"
	summaryTooDeep  = "Nesting too deep"
)

// A File is a lock file: its text, and what the text means.
//
// Several goroutines may read a File at once. The methods that change it (Set,
// SetVersion, SetConstraints, SetHashes, AddHashes, RemoveHashes, Remove and
// Save) must not run concurrently with any other method. An edit that fails
// leaves the File unchanged. Edits other than Set return [ErrNotFound] for a
// provider that has no lock; the other errors are those of [File.Set].
type File struct {
	filename string
	text     string
	blocks   []Block
	diags    []Diagnostic
	broken   bool        // not well-formed HCL
	fault    *Diagnostic // the reason for broken

	disk  string // what Save expects to find on disk
	fresh bool   // Save expects no file at all
}

// Parse reads src, the text of a lock file. The filename is used for places in
// messages and by [File.Save]. The File keeps a copy of src.
//
// If tofu would refuse the file, the error is an [*Error] with the place of the first
// problem, or of the first syntax error if there is one. [File.Diagnostics] returns all
// problems. The File is never nil: it has everything that tofu itself would still read.
// Warnings are diagnostics, not errors.
//
// Parse refuses text of more than [MaxSize] bytes with [ErrLimit]. It also
// refuses a smaller text that is not in the layout of tofu and so dense that
// the HCL parser would need too much memory.
func Parse(filename string, src []byte) (*File, error) {
	text := string(src)
	f := &File{filename: filename, text: text, disk: text}
	f.parse()
	return f, f.err()
}

// New returns a lock file without locks, as the given tool would write it: only
// the header. It is for a directory that has no lock file yet.
func New(filename string, tool addrs.Tool) *File {
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
		if f.broken && f.fault.Summary != summaryTooLarge && hasMarkers(f.text) {
			i := slices.Index(f.diags, *f.fault)
			f.fault.Detail += " The file has conflict markers of a version control system: merge its two sides first, as Resolve does."
			f.diags[i] = *f.fault
		}
	}
	f.adopt(raws)
}

// adopt decodes raws to the blocks of f, and adds the diagnostics about them.
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

// err returns the error for the diagnostics. If the text is not well-formed,
// that comes first, because it may have caused the others.
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
		large := f.fault.Summary == summaryTooLarge
		if large || f.fault.Summary == summaryTooDeep {
			p.is = append(p.is, ErrLimit)
		}
		if !large && hasMarkers(f.text) {
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

// Bytes returns the text of the file: the parsed text with all edits since. The
// caller owns the result.
func (f *File) Bytes() []byte {
	if f == nil {
		return nil
	}
	return []byte(f.text)
}

// Blocks returns the provider blocks that have one label, in the order of the
// file, including those that tofu refuses.
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

// index returns the first block of each provider, by provider.
func (f *File) index() map[addrs.Provider]*Block {
	if f == nil {
		return nil
	}
	index := make(map[addrs.Provider]*Block, len(f.blocks))
	for i := range f.blocks {
		if b := &f.blocks[i]; b.addr.IsValid() && !b.duplicate {
			index[b.addr] = b
		}
	}
	return index
}

// Locks returns the locks that tofu knows after loading the file: one for each
// provider with a valid address, in the order of the file, with the hashes in
// the order of the file. An invalid part of a block is missing from its lock.
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

// Diagnostics returns the problems that tofu would report on loading the file,
// sorted by place. The caller owns the result.
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

// Tool returns the tool whose command is in the header of the file, or "" if there is no
// header. The header is a comment that no tool reads.
func (f *File) Tool() addrs.Tool {
	if f == nil {
		return ""
	}
	text := strings.ReplaceAll(strings.TrimPrefix(f.text, byteOrderMark), "\r\n", "\n")
	for _, tool := range []addrs.Tool{addrs.OpenTofu, addrs.Terraform} {
		if strings.HasPrefix(text, header(tool)) {
			return tool
		}
	}
	return ""
}
