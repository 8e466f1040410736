// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Stream hashes a zip while reading it from r, such as the body of a download
// that [io.TeeReader] writes to a file at the same time. It reads r to its end.
// The name is only for the result and for errors.
//
// The central directory at the end of a zip defines its content. Stream first
// has to trust the headers in front of the entries. At the central directory,
// archive/zip reads it, and Stream compares all that matters: the place, the
// sizes and the checksum of each entry. If the two views agree, the result is
// the same as that of [Hasher.Zip].
//
// If they do not agree, or if the headers do not say how long an entry is, the
// error has the cause [ErrNotStreamable]. This does not mean that the package
// is bad: hash the file instead. Two kinds of zips cannot be streamed: those
// with data in front of or between the entries, and those with uncompressed
// entries whose length comes after them, which some writers make when they
// write to a stream.
//
// Unlike [Hasher.Zip], which checks all names first, Stream finds dangerous
// entries only at the end. The limits apply from the start.
func (h Hasher) Stream(ctx context.Context, name string, r io.Reader) (*Package, error) {
	if err := ctx.Err(); err != nil {
		return nil, fail(name, "", err)
	}
	m := newMachine(h.workers() > 1)
	st := &stream{m: m, limits: h.Limits.withDefaults()}
	m.begin(ctx, h, name, r, -1)
	m.watch = st.watch
	err := func() error {
		defer m.finish()
		return st.read()
	}()
	if err != nil {
		return nil, fail(name, "", err)
	}
	s, err := st.compare(h, m.off)
	if err != nil {
		return nil, fail(name, "", err)
	}
	p := &Package{Name: name, Zip: true, Size: m.off, ZH: m.lane.zh()}
	if err := s.fill(p); err != nil {
		return nil, fail(name, "", err)
	}
	return p, nil
}

// Signatures and sizes of zip records (APPNOTE.TXT, section 4.3).
const (
	localSignature   = 0x04034b50
	centralSignature = 0x02014b50
	end64Signature   = 0x06064b50
	endSignature     = 0x06054b50
	localSize        = 30
	zip64Extra       = 1
	maxDescriptor    = 24
	endRecords       = 66 << 10 // what may follow the central directory, with the comment
)

// A stream reads a zip from start to end.
type stream struct {
	m      *machine
	limits Limits
	total  uint64 // the size of the content so far

	entries []*streamEntry // in the order of their offsets
	names   []byte         // the name and extra fields of the present entry

	// tail is the rest of the zip, from the offset end on: the central
	// directory and what follows it.
	tail []byte
	end  int64

	// disagrees says that archive/zip looked for data at a place where the
	// stream has other data.
	disagrees bool
}

// A streamEntry is an entry according to its local header and its data.
type streamEntry struct {
	header     int64 // where the local header is
	data       int64 // where the data is
	names      int   // the length of the name and the extra fields
	method     uint16
	flags      uint16
	compressed uint64
	length     uint64
	described  uint32 // the CRC-32 in the data descriptor, if flags say that there is one
	result
}

// read reads the whole zip.
func (st *stream) read() error {
	m := st.m
	for {
		at := m.pos
		b, err := m.peek(localSize)
		if err != nil {
			return err
		}
		var signature uint32
		if len(b) >= 4 {
			signature = binary.LittleEndian.Uint32(b)
		}
		switch {
		case signature == localSignature && len(b) == localSize:
			if err := st.limits.checkEntries(len(st.entries) + 1); err != nil {
				return err
			}
			if err := st.entry(at, b); err != nil {
				return err
			}
		case signature == centralSignature || signature == end64Signature || signature == endSignature:
			return st.rest()
		case len(st.entries) == 0 && len(b) < 22:
			// Less than the smallest zip, the one without entries.
			return zip.ErrFormat
		default:
			return fmt.Errorf("%w: no header where one is expected, at offset %d", ErrNotStreamable, at)
		}
	}
}

// entry reads one entry, whose local header h is at offset at.
func (st *stream) entry(at int64, h []byte) error {
	m := st.m
	le := binary.LittleEndian
	e := &streamEntry{
		header:     at,
		flags:      le.Uint16(h[6:]),
		method:     le.Uint16(h[8:]),
		compressed: uint64(le.Uint32(h[18:])),
		length:     uint64(le.Uint32(h[22:])),
	}
	nameLen := int(le.Uint16(h[26:]))
	e.names = nameLen + int(le.Uint16(h[28:]))
	m.pos += localSize
	var err error
	if st.names, err = m.take(st.names[:0], e.names); err != nil {
		return notStreamable(err)
	}
	e.data = m.pos
	name := st.names[:nameLen]
	e.zip64(st.names[nameLen:])
	if err := st.content(e, nameLen > 0 && name[nameLen-1] == '/'); err != nil {
		return fail("", string(name), notStreamable(err))
	}
	st.total += m.length
	m.lane.do(job{end: &e.result})
	st.entries = append(st.entries, e)
	if e.flags&descriptorFlag == 0 {
		return nil
	}
	if err := st.descriptor(e); err != nil {
		return fail("", string(name), err)
	}
	return nil
}

// content reads the data of e, which begins at the present offset. If dir is
// true, the content does not count.
func (st *stream) content(e *streamEntry, dir bool) (err error) {
	m := st.m
	m.length, m.bound, m.exceeded = 0, e.length, zip.ErrFormat
	if e.flags&descriptorFlag != 0 {
		switch {
		case e.method == zip.Deflate:
			// The compressed data itself says where it ends.
			m.bound = math.MaxUint64
			m.segment(-1)
			err = m.inflate()
			e.compressed, e.length = uint64(m.pos-e.data), m.length
			return err
		case e.compressed == 0 && dir:
			return nil
		default:
			return errUnknownLength
		}
	}
	if e.compressed > math.MaxInt64/2 {
		return zip.ErrFormat
	}
	end := e.data + int64(e.compressed)
	m.segment(end)
	switch {
	case dir:
		return m.skip()
	case e.method == zip.Store:
		err = m.copyContent()
	case e.method == zip.Deflate:
		err = m.inflate()
	default:
		return zip.ErrAlgorithm
	}
	if err != nil {
		return err
	}
	if m.length != e.length {
		return io.ErrUnexpectedEOF
	}
	m.segment(end)
	return m.skip()
}

// watch is called with the content of the present entry so far.
func (st *stream) watch(length uint64) error {
	// The size of the zip is not known yet. The part read so far is smaller, so
	// the ratio is judged more strictly at the end.
	return st.limits.checkBytes(st.total+length, st.m.off)
}

// notStreamable adds [ErrNotStreamable] to an error that may be due to a header
// that the central directory does not confirm.
func notStreamable(err error) error {
	switch err {
	case io.EOF:
		err = io.ErrUnexpectedEOF
	case io.ErrUnexpectedEOF, errDeflate, errUnknownLength, zip.ErrFormat, zip.ErrAlgorithm:
	default:
		return err
	}
	return fmt.Errorf("%w: %w", ErrNotStreamable, err)
}

// errUnknownLength is the cause for an entry that has no sizes and whose data
// does not show where it ends.
var errUnknownLength = errors.New("header does not say how long the data is")

// zip64 takes the sizes of e from the extra fields, if they are present.
func (e *streamEntry) zip64(extra []byte) {
	le := binary.LittleEndian
	for len(extra) >= 4 {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		if id == zip64Extra && e.length == math.MaxUint32 && n >= 8 {
			e.length = le.Uint64(extra)
			if e.compressed == math.MaxUint32 && n >= 16 {
				e.compressed = le.Uint64(extra[8:])
			}
		} else if id == zip64Extra && e.compressed == math.MaxUint32 && n >= 8 {
			e.compressed = le.Uint64(extra)
		}
		extra = extra[n:]
	}
}

// descriptor takes the data descriptor of e. Its CRC-32 is compared later,
// because the content may not be hashed yet. There are four layouts, with and
// without a signature and with sizes of 8 or 4 bytes. The sizes distinguish
// them; a wrong guess would show at the next header.
func (st *stream) descriptor(e *streamEntry) error {
	b, err := st.m.peek(maxDescriptor)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	signed := 0
	if len(b) >= 4 && le.Uint32(b) == descriptorSignature {
		signed = 4
	}
	b = b[signed:]
	switch {
	case len(b) >= 20 && le.Uint64(b[4:]) == e.compressed && le.Uint64(b[12:]) == e.length:
		st.m.pos += int64(signed) + 20
	case len(b) >= 12 && uint64(le.Uint32(b[4:])) == e.compressed && uint64(le.Uint32(b[8:])) == e.length:
		st.m.pos += int64(signed) + 12
	default:
		return fmt.Errorf("%w: no data descriptor after the entry", ErrNotStreamable)
	}
	e.described = le.Uint32(b)
	return nil
}

// rest reads the central directory and everything after it.
func (st *stream) rest() error {
	m := st.m
	st.end = m.pos
	most := directoryBudget(st.limits) + endRecords
	m.segment(-1)
	for {
		part, err := m.more()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if int64(len(st.tail)+len(part)) > most {
			return fmt.Errorf("%w: central directory is too large for %d entries", ErrLimit, st.limits.Entries)
		}
		st.tail = append(st.tail, part...)
	}
}

// compare has archive/zip read the central directory of a zip of the given
// size and compares each entry with the stream.
func (st *stream) compare(h Hasher, size int64) (*survey, error) {
	zr, err := zip.NewReader(st, size)
	if st.disagrees {
		return nil, errDisagree
	}
	if err != nil && err != zip.ErrInsecurePath {
		return nil, plain(err)
	}
	s, err := h.survey(zr.File, size)
	if err != nil {
		return nil, err
	}
	order, _, err := s.order(h, size)
	if st.disagrees {
		return nil, errDisagree
	}
	if err != nil {
		return nil, err
	}
	for _, e := range order {
		if err := st.same(e); err != nil {
			return nil, fail("", e.file.Name, err)
		}
	}
	return s, nil
}

// same compares an entry of the central directory with the one of the stream
// and gives it its result.
func (st *stream) same(e *entry) error {
	i, ok := slices.BinarySearchFunc(st.entries, e.offset, func(s *streamEntry, at int64) int { return cmp.Compare(s.data, at) })
	if !ok {
		return ErrNotStreamable
	}
	s, f := st.entries[i], e.file
	switch {
	case f.Method != s.method || f.CompressedSize64 != s.compressed || f.UncompressedSize64 != s.length:
		return fmt.Errorf("%w: header and central directory disagree", ErrNotStreamable)
	case f.Flags&descriptorFlag != 0 && s.flags&descriptorFlag == 0:
		return fmt.Errorf("%w: data descriptor is missing", ErrNotStreamable)
	case f.Flags&descriptorFlag != 0 && (f.CRC32 != s.described || f.CRC32 != s.crc):
		return zip.ErrChecksum
	case f.CRC32 != 0 && f.CRC32 != s.crc:
		return zip.ErrChecksum
	}
	e.result = s.result
	return nil
}

// ReadAt gives archive/zip the data it needs to read the central directory: the
// end of the zip, and the beginning of each local header, which it needs to
// find the data. Any other read means that the zip looks different from its end
// than from its start.
func (st *stream) ReadAt(p []byte, off int64) (int, error) {
	if off >= st.end {
		n := 0
		if off-st.end < int64(len(st.tail)) {
			n = copy(p, st.tail[off-st.end:])
		}
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	last := st.end + int64(len(st.tail))
	if n := int64(len(p)); off+n == last && (off == 0 || n == 1<<10 || n == 65<<10) {
		// This is the backward search for the end of the directory. It must
		// find it in the tail, and finds nothing among zeros.
		clear(p)
		copy(p[st.end-off:], st.tail)
		return len(p), nil
	}
	i, ok := slices.BinarySearchFunc(st.entries, off, func(s *streamEntry, at int64) int { return cmp.Compare(s.header, at) })
	if !ok || len(p) != localSize {
		st.disagrees = true
		return 0, errDisagree
	}
	s := st.entries[i]
	clear(p)
	binary.LittleEndian.PutUint32(p, localSignature)
	binary.LittleEndian.PutUint16(p[26:], uint16(min(s.names, math.MaxUint16)))
	binary.LittleEndian.PutUint16(p[28:], uint16(s.names-min(s.names, math.MaxUint16)))
	return len(p), nil
}

// errDisagree is the cause when the two views of a zip differ.
var errDisagree = fmt.Errorf("%w: central directory does not match the entries before it", ErrNotStreamable)
