// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// zipReaderAt hashes a zip whose central directory can be read before its
// content. It uses m, or a machine of its own if that is nil.
func (h Hasher) zipReaderAt(ctx context.Context, name string, r io.ReaderAt, size int64, m *machine) (*Package, error) {
	if err := ctx.Err(); err != nil {
		return nil, fail(name, "", err)
	}
	limits := h.Limits.withDefaults()
	directory := &budget{r: r, left: directoryBudget(limits)}
	zr, err := zip.NewReader(directory, size)
	if directory.exceeded {
		err = fmt.Errorf("%w: central directory is too large for %d entries", ErrLimit, limits.Entries)
	}
	if err != nil && err != zip.ErrInsecurePath {
		return nil, fail(name, "", plain(err))
	}
	s, err := h.survey(zr.File, size)
	if err != nil {
		return nil, fail(name, "", err)
	}
	// From here on, only the parts of the zip that the survey allows are read.
	directory.left = 1<<63 - 1
	order, sequential, err := s.order(h, size)
	if err != nil {
		return nil, fail(name, "", err)
	}
	if m == nil {
		m = newMachine(h.workers() > 1)
	}
	p := &Package{Name: name, Zip: true, Size: size}
	if !sequential {
		if err := s.readSeparately(ctx, m.lane.content); err != nil {
			return nil, fail(name, "", err)
		}
		order = nil
	}
	if err := s.readOnce(ctx, h, m, name, r, size, order); err != nil {
		return nil, fail(name, "", err)
	}
	p.ZH = m.lane.zh()
	if err := s.fill(p); err != nil {
		return nil, fail(name, "", err)
	}
	return p, nil
}

// A budget bounds how much is read.
type budget struct {
	r        io.ReaderAt
	left     int64
	exceeded bool
}

// ReadAt reads from r until the budget is used up.
func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.exceeded = true
		return 0, ErrLimit
	}
	return b.r.ReadAt(p, off)
}

// directoryBudget is how many bytes may be read to find the entries of a zip:
// 512 for each entry that is allowed, and some more for where to find them. It
// prevents that millions of entries are read into memory before they are
// counted.
func directoryBudget(limits Limits) int64 {
	const start = 1 << 20
	if int64(limits.Entries) > (1<<61)/512 {
		return 1 << 62 // room to add without overflow
	}
	return start + 512*int64(limits.Entries)
}

// order returns the entries whose content counts, in the order of their data in
// the zip. It reports whether one pass over the zip is enough to read them as
// archive/zip does. One pass is not enough if their data overlaps or goes on
// after the end, or if only archive/zip may know their compression method.
func (s *survey) order(h Hasher, size int64) (order []*entry, sequential bool, err error) {
	order = make([]*entry, 0, len(s.entries))
	sequential = true
	for i := range s.entries {
		e := &s.entries[i]
		if s.last[e.file.Name] != i {
			continue
		}
		if e.offset, err = e.file.DataOffset(); err != nil {
			return nil, false, fail("", e.file.Name, broken(err))
		}
		if e.dir() {
			if e.file.UncompressedSize64 != 0 {
				return nil, false, fail("", e.file.Name, zip.ErrFormat)
			}
			e.sum = emptySum
			continue
		}
		if m := e.file.Method; m != zip.Store && m != zip.Deflate {
			sequential = false
		}
		order = append(order, e)
	}
	slices.SortFunc(order, func(a, b *entry) int { return cmp.Compare(a.offset, b.offset) })
	end := uint64(0)
	for _, e := range order {
		if e.offset < 0 || uint64(e.offset) < end {
			sequential = false
			if err := s.hazard(h, e.file.Name, ErrOverlap); err != nil {
				return nil, false, err
			}
		}
		// Neither addend has the highest bit if it is within the file.
		if e.file.CompressedSize64 > uint64(size) || uint64(e.offset)+e.file.CompressedSize64 > uint64(size) {
			sequential = false
			continue
		}
		end = max(end, uint64(e.offset)+e.file.CompressedSize64)
	}
	return order, sequential, nil
}

// readOnce reads the whole zip from start to end. It hashes the zip and, on the
// way, the content of the entries.
func (s *survey) readOnce(ctx context.Context, h Hasher, m *machine, name string, r io.ReaderAt, size int64, order []*entry) error {
	m.begin(ctx, h, name, io.NewSectionReader(r, 0, size), size)
	err := func() error {
		defer m.finish()
		for _, e := range order {
			if err := m.entry(e); err != nil {
				return fail("", e.file.Name, err)
			}
		}
		return m.seek(size)
	}()
	if err != nil {
		return err
	}
	for _, e := range order {
		if err := e.check(r); err != nil {
			return fail("", e.file.Name, err)
		}
	}
	return nil
}

// entry hashes the content of e, which begins after the present offset. The
// result is in e as soon as m is finished.
func (m *machine) entry(e *entry) error {
	if err := m.seek(e.offset); err != nil {
		return err
	}
	m.segment(e.offset + int64(e.file.CompressedSize64))
	m.length, m.bound, m.exceeded = 0, e.file.UncompressedSize64, zip.ErrFormat
	var err error
	if e.file.Method == zip.Store {
		err = m.copyContent()
	} else {
		err = m.inflate()
	}
	if err != nil {
		return err
	}
	if m.length != e.file.UncompressedSize64 {
		return io.ErrUnexpectedEOF
	}
	m.lane.do(job{end: &e.result})
	return nil
}

// check compares the CRC-32 of the content with the one that the zip states, in
// the manner of archive/zip. If there is a data descriptor, it decides.
// Otherwise a CRC-32 of zero in the central directory means that there is none.
func (e *entry) check(r io.ReaderAt) error {
	f := e.file
	if f.Flags&descriptorFlag == 0 {
		if f.CRC32 != 0 && f.CRC32 != e.crc {
			return zip.ErrChecksum
		}
		return nil
	}
	var buf [16]byte
	n, err := r.ReadAt(buf[:], e.offset+int64(f.CompressedSize64))
	if err != nil && err != io.EOF {
		return plain(err)
	}
	d := buf[:n]
	if len(d) >= 4 && binary.LittleEndian.Uint32(d) == descriptorSignature {
		d = d[4:]
	}
	if len(d) < 12 {
		return io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(d) != f.CRC32 || f.CRC32 != e.crc {
		return zip.ErrChecksum
	}
	return nil
}

const (
	// descriptorFlag is the bit that says that sizes and CRC-32 follow the
	// data, in a data descriptor. Its signature is optional (APPNOTE.TXT,
	// section 4.3.9).
	descriptorFlag      = 1 << 3
	descriptorSignature = 0x08074b50
)

// readSeparately hashes the content of the entries one by one, each opened by
// archive/zip.
func (s *survey) readSeparately(ctx context.Context, content interface {
	io.Writer
	Sum([]byte) []byte
	Reset()
}) error {
	buf := make([]byte, chunkSize)
	for i := range s.entries {
		e := &s.entries[i]
		if e.dir() || s.last[e.file.Name] != i {
			continue
		}
		rc, err := e.file.Open()
		if err != nil {
			return fail("", e.file.Name, broken(err))
		}
		content.Reset()
		for {
			if err = ctx.Err(); err != nil {
				break
			}
			var n int
			n, err = rc.Read(buf)
			content.Write(buf[:n])
			if err != nil {
				break
			}
		}
		rc.Close()
		if err != io.EOF {
			return fail("", e.file.Name, plain(err))
		}
		content.Sum(e.sum[:0])
	}
	return nil
}

// broken returns the error for a zip that cannot be read at a place that the
// zip itself names. There, io.EOF means that the zip is too short.
func broken(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return plain(err)
}
