// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"context"
	"io"
)

const (
	// chunkSize is how much of a zip is read at a time.
	chunkSize = 128 << 10

	// headroom is how much of the previous chunk stays in front of a chunk: as
	// much as the inflater may have taken too much, or as is needed to read a
	// header that begins in one chunk and ends in the next.
	headroom = 64
)

// An input reads a zip once, from start to end, in chunks of a lane, which hashes them.
type input struct {
	lane *lane
	ctx  context.Context
	h    Hasher
	name string

	r    io.Reader
	size int64 // of the zip, or -1 if it is not known
	off  int64 // how much of r has been read
	ends bool  // r is at its end

	// view is the part [start, off) of the zip. It is a part of buf, which the lane
	// has lent.
	view  []byte
	start int64
	pos   int64 // the next byte to take; it is in [start, off]
	stop  int64 // where the segment that is being taken ends, or -1
	buf   []byte
}

// newInput returns the input of a zip, at its start.
func newInput(ctx context.Context, l *lane, h Hasher, name string, r io.Reader, size int64) input {
	in := input{lane: l, ctx: ctx, h: h, name: name, r: r, size: size, stop: -1, buf: <-l.chunks}
	in.view = in.buf[headroom:headroom]
	return in
}

// next reads the next chunk. At the end of the zip the error is io.EOF.
func (in *input) next() error {
	if in.ends {
		return io.EOF
	}
	if err := in.ctx.Err(); err != nil {
		return err
	}
	want := int64(chunkSize)
	if in.size >= 0 {
		want = min(want, in.size-in.off)
	}
	var last [headroom]byte
	kept := copy(last[:], in.view[max(0, len(in.view)-headroom):])
	in.lane.do(job{chunk: in.buf})
	in.buf = <-in.lane.chunks
	copy(in.buf[headroom-kept:], last[:kept])
	n, err := io.ReadFull(in.r, in.buf[headroom:headroom+want])
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		if in.size >= 0 && int64(n) < want {
			return ErrChanged
		}
		in.ends = true
	} else if err != nil {
		return plain(err)
	}
	in.view = in.buf[headroom-kept : headroom+n]
	in.start = in.off - int64(kept)
	in.off += int64(n)
	if in.off == in.size {
		in.ends = true
	}
	if n > 0 {
		in.lane.do(job{zip: in.buf[headroom : headroom+n]})
		in.h.progress(in.name, in.off, in.size)
	}
	return nil
}

// seek goes on to offset off of the zip, which must not be before the present
// one.
func (in *input) seek(off int64) error {
	for in.off < off {
		if err := in.next(); err != nil {
			return err
		}
	}
	in.pos = off
	return nil
}

// segment makes more return the data between the present offset and stop, or
// all the rest if stop is -1.
func (in *input) segment(stop int64) { in.stop = stop }

// more returns the next part of the segment, or io.EOF at its end.
func (in *input) more() ([]byte, error) {
	if in.pos == in.stop {
		return nil, io.EOF
	}
	for in.pos == in.off {
		if err := in.next(); err != nil {
			return nil, err
		}
	}
	part := in.view[in.pos-in.start:]
	if in.stop >= 0 && int64(len(part)) > in.stop-in.pos {
		part = part[:in.stop-in.pos]
	}
	in.pos += int64(len(part))
	return part, nil
}

// skip takes the rest of the segment without looking at it.
func (in *input) skip() error {
	for {
		if _, err := in.more(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	if in.pos != in.stop {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// take appends the next n bytes to b.
func (in *input) take(b []byte, n int) ([]byte, error) {
	in.segment(in.pos + int64(n))
	for {
		part, err := in.more()
		if err == io.EOF && in.pos == in.stop {
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
func (in *input) peek(n int) ([]byte, error) {
	for in.off-in.pos < int64(n) && !in.ends {
		if err := in.next(); err != nil {
			return nil, err
		}
	}
	b := in.view[in.pos-in.start:]
	return b[:min(n, len(b))], nil
}
