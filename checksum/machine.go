// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"context"
	"io"
)

// A machine reads a zip once, from start to end. It writes all of its bytes to
// one SHA-256, and the decompressed content of its entries to others. With two
// goroutines, the caller's reads and decompresses and the other one hashes.
//
// A machine can be used for one zip after another; it keeps its buffers.
type machine struct {
	input // of the present zip

	inflater inflater
	block    []byte // the buffer that the inflater writes to
	length   uint64 // how much content the entry has so far
	bound    uint64 // how much it may have
	exceeded error  // the error if it has more

	// watch, if not nil, may object to the length of the content.
	watch func(length uint64) error
}

// newMachine returns a machine that works with two goroutines or one.
func newMachine(two bool) *machine {
	m := &machine{input: input{lane: newLane(two)}}
	m.inflater.more = m.more
	m.inflater.flush = m.flush
	return m
}

// begin sets m to the start of a zip. The caller must call finish when it is
// done, also after an error.
func (m *machine) begin(ctx context.Context, h Hasher, name string, r io.Reader, size int64) {
	m.lane.begin()
	m.input = newInput(ctx, m.lane, h, name, r, size)
	m.block = <-m.lane.blocks
	m.watch = nil
}

// finish waits until all jobs are done and makes m ready for the next zip. What it knows
// of the place in the zip stays.
func (m *machine) finish() {
	m.lane.finish(job{chunk: m.buf, block: m.block})
	m.buf, m.block, m.view = nil, nil, nil
	m.ctx, m.r, m.h = nil, nil, Hasher{}
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
	m.lane.do(job{content: block, block: m.block})
	m.block = <-m.lane.blocks
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
		m.lane.do(job{content: part})
	}
}
