// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"context"
	"crypto/sha256"
	"hash"
	"hash/crc32"
	"io"
)

const (
	// chunkSize is how much of a zip is read at a time.
	chunkSize = 128 << 10

	// headroom is how much of the previous chunk stays in front of a chunk: as
	// much as the inflater may have taken too much, or as is needed to read a
	// header that begins in one chunk and ends in the next.
	headroom = 64

	// lanes is how many buffers of each kind there are when two goroutines
	// work: one that is being filled, one that is being hashed, one between.
	lanes = 3
)

// A machine reads a zip once, from start to end. It writes all of its bytes to
// one SHA-256, and the decompressed content of its entries to others. With two
// goroutines, the caller's reads and decompresses and the other one hashes.
//
// A machine can be used for one zip after another; it keeps its buffers.
type machine struct {
	ctx  context.Context
	h    Hasher
	name string

	r    io.Reader
	size int64 // of the zip, or -1 if it is not known
	off  int64 // how much of r has been read
	ends bool  // r is at its end

	// view is the part [start, off) of the zip. It is a part of buf, which has
	// been lent from chunks.
	view  []byte
	start int64
	pos   int64 // the next byte to take; it is in [start, off]
	stop  int64 // where the segment that is being taken ends, or -1
	buf   []byte

	inflater inflater
	block    []byte // the buffer that the inflater writes to
	length   uint64 // how much content the entry has so far
	bound    uint64 // how much it may have
	exceeded error  // the error if it has more

	// watch, if not nil, may object to the length of the content.
	watch func(length uint64) error

	// Free buffers. A buffer comes back when its data is hashed. Only the
	// caller's goroutine hands buffers out.
	chunks, blocks chan []byte

	jobs chan job // nil if there is one goroutine
	done chan struct{}

	// The hashes belong to the hashing goroutine while it runs.
	zip, content hash.Hash
	crc          uint32
}

// A job is a task for the hashing goroutine: to hash data, to note the result
// of an entry, or to give back a buffer. Jobs are done in order.
type job struct {
	zip     []byte  // a part of the zip
	content []byte  // a part of the content of an entry
	end     *result // where the result of the entry goes that ends here
	chunk   []byte  // a buffer to give back
	block   []byte  // a buffer to give back
	last    bool    // there are no more jobs for this zip
}

// A result is the hash of the content of an entry.
type result struct {
	sum [sha256.Size]byte
	crc uint32
}

// newMachine returns a machine that works with two goroutines or one.
func newMachine(two bool) *machine {
	m := &machine{zip: sha256.New(), content: sha256.New()}
	// One goroutine passes content to no other, so a small block is enough.
	// Programs that hash many packages at once have many of these blocks.
	n, block := 1, smallBlock
	if two {
		n, block = lanes, blockSize
		m.jobs = make(chan job, 2*lanes)
	}
	m.chunks = make(chan []byte, n)
	m.blocks = make(chan []byte, n)
	for range n {
		m.chunks <- make([]byte, headroom+chunkSize)
		m.blocks <- make([]byte, historySize+block)
	}
	m.inflater.more = m.more
	m.inflater.flush = m.flush
	return m
}

// begin sets m to the start of a zip. The caller must call finish when it is
// done, also after an error.
func (m *machine) begin(ctx context.Context, h Hasher, name string, r io.Reader, size int64) {
	m.ctx, m.h, m.name = ctx, h, name
	m.r, m.size, m.off, m.ends = r, size, 0, false
	m.start, m.pos, m.stop = 0, 0, -1
	m.watch = nil
	m.buf = <-m.chunks
	m.block = <-m.blocks
	m.view = m.buf[headroom:headroom]
	m.zip.Reset()
	m.content.Reset()
	m.crc = 0
	if m.jobs != nil {
		m.done = make(chan struct{})
		go m.serve(m.jobs, m.done)
	}
}

// finish waits until all jobs are done and makes m ready for the next zip.
func (m *machine) finish() {
	m.do(job{chunk: m.buf, block: m.block, last: true})
	m.buf, m.block, m.view = nil, nil, nil
	m.ctx, m.r, m.h = nil, nil, Hasher{}
	if m.jobs != nil {
		<-m.done
	}
}

// serve does jobs until the last one.
func (m *machine) serve(jobs <-chan job, done chan<- struct{}) {
	defer close(done)
	for j := range jobs {
		m.work(j)
		if j.last {
			return
		}
	}
}

// do runs a job, here or in the other goroutine.
func (m *machine) do(j job) {
	if m.jobs != nil {
		m.jobs <- j
	} else {
		m.work(j)
	}
}

// work runs a job.
func (m *machine) work(j job) {
	if j.zip != nil {
		m.zip.Write(j.zip)
	}
	if j.content != nil {
		m.content.Write(j.content)
		m.crc = crc32.Update(m.crc, crc32.IEEETable, j.content)
	}
	if j.end != nil {
		m.content.Sum(j.end.sum[:0])
		j.end.crc = m.crc
		m.content.Reset()
		m.crc = 0
	}
	if j.chunk != nil {
		m.chunks <- j.chunk
	}
	if j.block != nil {
		m.blocks <- j.block
	}
}

// next reads the next chunk. At the end of the zip the error is io.EOF.
func (m *machine) next() error {
	if m.ends {
		return io.EOF
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	want := int64(chunkSize)
	if m.size >= 0 {
		want = min(want, m.size-m.off)
	}
	var last [headroom]byte
	kept := copy(last[:], m.view[max(0, len(m.view)-headroom):])
	m.do(job{chunk: m.buf})
	m.buf = <-m.chunks
	copy(m.buf[headroom-kept:], last[:kept])
	n, err := io.ReadFull(m.r, m.buf[headroom:headroom+want])
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		if m.size >= 0 && int64(n) < want {
			return ErrChanged
		}
		m.ends = true
	} else if err != nil {
		return plain(err)
	}
	m.view = m.buf[headroom-kept : headroom+n]
	m.start = m.off - int64(kept)
	m.off += int64(n)
	if m.off == m.size {
		m.ends = true
	}
	if n > 0 {
		m.do(job{zip: m.buf[headroom : headroom+n]})
		m.h.progress(m.name, m.off, m.size)
	}
	return nil
}

// seek goes on to offset off of the zip, which must not be before the present
// one.
func (m *machine) seek(off int64) error {
	for m.off < off {
		if err := m.next(); err != nil {
			return err
		}
	}
	m.pos = off
	return nil
}

// segment makes more return the data between the present offset and stop, or
// all the rest if stop is -1.
func (m *machine) segment(stop int64) { m.stop = stop }

// more returns the next part of the segment, or io.EOF at its end.
func (m *machine) more() ([]byte, error) {
	if m.pos == m.stop {
		return nil, io.EOF
	}
	for m.pos == m.off {
		if err := m.next(); err != nil {
			return nil, err
		}
	}
	part := m.view[m.pos-m.start:]
	if m.stop >= 0 && int64(len(part)) > m.stop-m.pos {
		part = part[:m.stop-m.pos]
	}
	m.pos += int64(len(part))
	return part, nil
}

// skip takes the rest of the segment without looking at it.
func (m *machine) skip() error {
	for {
		if _, err := m.more(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	if m.pos != m.stop {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// take appends the next n bytes to b.
func (m *machine) take(b []byte, n int) ([]byte, error) {
	m.segment(m.pos + int64(n))
	for {
		part, err := m.more()
		if err == io.EOF && m.pos == m.stop {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		b = append(b, part...)
	}
}

// peek returns the next n bytes, at most headroom, without taking them. It
// returns fewer at the end of the zip. The bytes are valid until the next chunk
// is read.
func (m *machine) peek(n int) ([]byte, error) {
	for m.off-m.pos < int64(n) && !m.ends {
		if err := m.next(); err != nil {
			return nil, err
		}
	}
	b := m.view[m.pos-m.start:]
	return b[:min(n, len(b))], nil
}

// count adds n bytes to the content of the entry.
func (m *machine) count(n int) error {
	m.length += uint64(n)
	if m.length > m.bound {
		return m.exceeded
	}
	if m.watch != nil {
		return m.watch(m.length)
	}
	return nil
}

// flush takes a block of content from the inflater.
func (m *machine) flush(block []byte) ([]byte, error) {
	if err := m.count(len(block)); err != nil {
		return nil, err
	}
	m.do(job{content: block, block: m.block})
	m.block = <-m.blocks
	return m.block, nil
}

// inflate decompresses the data from the present offset on and takes it as
// content. It ends at the end of the compressed data.
func (m *machine) inflate() error {
	m.inflater.reset(m.block)
	err := m.inflater.run()
	m.pos -= int64(m.inflater.unused())
	return err
}

// copyContent takes the segment itself as content.
func (m *machine) copyContent() error {
	for {
		part, err := m.more()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := m.count(len(part)); err != nil {
			return err
		}
		m.do(job{content: part})
	}
}

// zh returns the SHA-256 of the zip, after all of it was read and finish was
// called.
func (m *machine) zh() Hash {
	var sum [sha256.Size]byte
	m.zip.Sum(sum[:0])
	return NewZH(sum)
}
