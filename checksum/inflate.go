// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"encoding/binary"
	"errors"
	"io"
)

// errDeflate says that compressed data is not a DEFLATE stream.
var errDeflate = errors.New("corrupt compressed data")

const (
	// historySize is how far back a match may reach.
	historySize = 32 << 10

	// blockSize is how much content one buffer takes up behind its history.
	// It stays within the second-level cache of common processors, so that
	// the content is still there when it is hashed.
	blockSize = 192 << 10

	// smallBlock is the size of that buffer where content is hashed at once.
	smallBlock = 64 << 10

	// matchSlack is the room that decoding one round of symbols may need in
	// a buffer: two literals and the longest match, copied in words.
	matchSlack = 2 + 258 + 16
)

// An inflater decodes a DEFLATE stream (RFC 1951). It accepts exactly the
// streams that compress/flate accepts; the tests and a fuzz target compare the
// two. With compress/flate, decompression is four fifths of the cost of a package
// hash. This decoder takes about a third of its time, and half of that of
// klauspost/compress, because it need not be able to stop after any byte of output.
//
// Input comes in slices and output leaves in blocks. The memory therefore does
// not depend on the length of either.
type inflater struct {
	// more returns the next input, or io.EOF after the last.
	// The slice must stay unchanged until the next call.
	more func() ([]byte, error)

	// flush passes on a full block, the content since the last flush. It
	// returns the next buffer, which may be the same one. The block starts at
	// historySize of the buffer.
	flush func(block []byte) ([]byte, error)

	in   []byte // the input at hand
	pos  int    // how much of in has been taken
	bits uint64 // taken but not yet used, next bit lowest
	nb   uint   // how many of bits are valid; the others are zero between rounds

	out []byte // history, then the current block
	w   int    // where the next byte goes in out
	low int    // where the history starts in out

	lengths  [maxLiterals + maxDistances]uint8
	pre      [1 << preBits]uint32
	literal  [literalTable]uint32
	distance [distanceTable]uint32
}

// reset prepares z for a new stream that is decoded into out, a buffer of
// historySize and further bytes.
func (z *inflater) reset(out []byte) {
	z.in, z.pos, z.bits, z.nb = nil, 0, 0, 0
	z.out, z.w, z.low = out, historySize, historySize
}

// unused returns how many bytes of input were taken but not used. They are the
// last bytes taken, and up to eight of them come from slices before the present
// one.
func (z *inflater) unused() int {
	return len(z.in) - z.pos + int(z.nb/8)
}

// run decodes the whole stream and flushes all of its content.
func (z *inflater) run() error {
	for {
		header, err := z.take(3)
		if err != nil {
			return err
		}
		switch header >> 1 {
		case 0:
			err = z.stored()
		case 1:
			z.fixed()
			err = z.symbols()
		case 2:
			if err = z.dynamic(); err == nil {
				err = z.symbols()
			}
		default:
			err = errDeflate
		}
		if err != nil {
			return err
		}
		if header&1 != 0 {
			break
		}
	}
	return z.pass()
}

// pass flushes the current block and moves the history to the next buffer.
func (z *inflater) pass() error {
	if z.w == historySize {
		return nil
	}
	old, end := z.out, z.w
	next, err := z.flush(old[historySize:end])
	if err != nil {
		return err
	}
	// The block belongs to flush now. Nothing writes to it before the next
	// flush, so the history can still be read.
	n := min(historySize, end-z.low)
	copy(next[historySize-n:historySize], old[end-n:end])
	z.out, z.w, z.low = next, historySize, historySize-n
	return nil
}

// need makes at least n bits available, at most 56 of them.
func (z *inflater) need(n uint) error {
	for z.nb < n {
		if z.pos == len(z.in) {
			if err := z.refill(); err != nil {
				return err
			}
		}
		z.bits |= uint64(z.in[z.pos]) << (z.nb & 63)
		z.pos++
		z.nb += 8
	}
	return nil
}

// refill replaces the input, which is used up.
func (z *inflater) refill() error {
	for {
		in, err := z.more()
		z.in, z.pos = in, 0
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil || len(in) > 0 {
			return err
		}
	}
}

// take returns the next n bits.
func (z *inflater) take(n uint) (uint32, error) {
	if err := z.need(n); err != nil {
		return 0, err
	}
	v := uint32(z.bits & (1<<n - 1))
	z.bits >>= n
	z.nb -= n
	return v, nil
}

// stored copies a block without compression.
func (z *inflater) stored() error {
	z.bits >>= z.nb & 7
	z.nb &^= 7
	lengths, err := z.take(32)
	if err != nil {
		return err
	}
	n := int(lengths & 0xffff)
	if uint32(n)^0xffff != lengths>>16 {
		return errDeflate
	}
	for n > 0 {
		if z.w >= len(z.out)-matchSlack {
			if err := z.pass(); err != nil {
				return err
			}
		}
		if z.nb > 0 {
			z.out[z.w] = byte(z.bits)
			z.w++
			z.bits >>= 8
			z.nb -= 8
			n--
			continue
		}
		if z.pos == len(z.in) {
			if err := z.refill(); err != nil {
				return err
			}
		}
		c := copy(z.out[z.w:min(z.w+n, len(z.out))], z.in[z.pos:])
		z.w += c
		z.pos += c
		n -= c
	}
	return nil
}

// fixed sets the tables of a block with fixed codes.
func (z *inflater) fixed() {
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	buildTable(z.literal[:], literalBits, lengths[:], literalEntry)
	for i := range 32 {
		lengths[i] = 5
	}
	buildTable(z.distance[:], distanceBits, lengths[:32], distanceEntry)
}

// preOrder is the order in which the lengths of the code for code lengths
// are written (RFC 1951, section 3.2.7).
var preOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the codes of a block and sets its tables.
func (z *inflater) dynamic() error {
	header, err := z.take(14)
	if err != nil {
		return err
	}
	nlit, ndist, npre := int(header&31)+257, int(header>>5&31)+1, int(header>>10)+4
	if nlit > maxLiterals || ndist > maxDistances {
		return errDeflate
	}
	var preLengths [19]uint8
	for _, symbol := range preOrder[:npre] {
		n, err := z.take(3)
		if err != nil {
			return err
		}
		preLengths[symbol] = uint8(n)
	}
	if !buildTable(z.pre[:], preBits, preLengths[:], preEntry) {
		return errDeflate
	}
	lengths := z.lengths[:nlit+ndist]
	for i := 0; i < len(lengths); {
		e, err := z.symbol(z.pre[:], preBits)
		if err != nil {
			return err
		}
		symbol := uint8(e >> entryValue)
		if symbol < 16 {
			lengths[i] = symbol
			i++
			continue
		}
		var value uint8
		var base, extra uint
		switch symbol {
		case 16:
			if i == 0 {
				return errDeflate
			}
			value, base, extra = lengths[i-1], 3, 2
		case 17:
			base, extra = 3, 3
		default:
			base, extra = 11, 7
		}
		n, err := z.take(extra)
		if err != nil {
			return err
		}
		stop := i + int(base) + int(n)
		if stop > len(lengths) {
			return errDeflate
		}
		for ; i < stop; i++ {
			lengths[i] = value
		}
	}
	if !buildTable(z.literal[:], literalBits, lengths[:nlit], literalEntry) ||
		!buildTable(z.distance[:], distanceBits, lengths[nlit:], distanceEntry) {
		return errDeflate
	}
	return nil
}

// symbol decodes one symbol and takes no more input than the symbol and its
// extra bits need. The result is an entry whose value has the extra bits added.
func (z *inflater) symbol(table []uint32, first uint) (uint32, error) {
	for {
		// The bits above nb may be wrong. An entry that needs no more
		// than nb bits does not depend on them.
		b, n := z.bits, uint(0)
		e := table[b&(1<<first-1)]
		if e&entrySub != 0 {
			n = first
			b >>= first
			e = table[uint(e>>entryValue)+uint(b)&(1<<(e>>entryCode&entryCodeMask)-1)]
		}
		n += uint(e & entryBits)
		if n > z.nb {
			if err := z.need(z.nb + 1); err != nil {
				return 0, err
			}
			continue
		}
		if e&entrySpecial != 0 && e&entryEnd == 0 {
			return 0, errDeflate
		}
		extra := uint32(b&(1<<(e&entryBits)-1)) >> (e >> entryCode & entryCodeMask)
		z.bits >>= n
		z.nb -= n
		return e + extra<<entryValue, nil
	}
}

// symbols decodes the rest of a block with the present tables.
func (z *inflater) symbols() error {
	for {
		if z.w >= len(z.out)-matchSlack {
			if err := z.pass(); err != nil {
				return err
			}
		}
		z.fast()
		if z.w >= len(z.out)-matchSlack {
			continue
		}
		// The input at hand is nearly used up, or the next symbol is rare.
		e, err := z.symbol(z.literal[:], literalBits)
		if err != nil {
			return err
		}
		if e&entryLiteral != 0 {
			z.out[z.w] = byte(e >> entryValue)
			z.w++
			continue
		}
		if e&entryEnd != 0 {
			return nil
		}
		d, err := z.symbol(z.distance[:], distanceBits)
		if err != nil {
			return err
		}
		length, dist := int(e>>entryValue), int(d>>entryValue)
		if dist > z.w-z.low {
			return errDeflate
		}
		repeat(z.out[z.w-dist:z.w+length], dist)
		z.w += length
	}
}

// fast decodes symbols as long as there is plenty of input at hand and of
// room in the block. It leaves to its caller all that is rare: codes that are longer
// than the first table, the end of the block, and errors.
func (z *inflater) fast() {
	const lmask, dmask = 1<<literalBits - 1, 1<<distanceBits - 1
	in, pos, b, nb := z.in, z.pos, z.bits, z.nb
	out, w := z.out, z.w
	literal, distance := &z.literal, &z.distance
	stop := len(out) - matchSlack

	for w < stop && pos <= len(in)-16 {
		// Fill up to at least 56 bits. The bits above nb that this leaves
		// behind are the same ones that the next round puts there.
		b |= binary.LittleEndian.Uint64(in[pos:]) << (nb & 63)
		pos += int((63 - nb) >> 3)
		nb |= 56

		// A literal of the first table takes at most 11 bits, and a length
		// at most 20, so one filling is enough for two literals and a
		// length.
		e := literal[b&lmask]
		if e&entryLiteral != 0 {
			b >>= e & entryBits
			nb -= uint(e & entryBits)
			out[w] = byte(e >> entryValue)
			w++
			e = literal[b&lmask]
			if e&entryLiteral != 0 {
				b >>= e & entryBits
				nb -= uint(e & entryBits)
				out[w] = byte(e >> entryValue)
				w++
				e = literal[b&lmask]
			}
		}
		if e&(entryLiteral|entrySpecial) != 0 {
			if e&entrySpecial != 0 {
				break
			}
			b >>= e & entryBits
			nb -= uint(e & entryBits)
			out[w] = byte(e >> entryValue)
			w++
			continue
		}
		b |= binary.LittleEndian.Uint64(in[pos:]) << (nb & 63)
		pos += int((63 - nb) >> 3)
		nb |= 56
		length := int(e>>entryValue) + int(b&(1<<(e&entryBits)-1)>>(e>>entryCode&entryCodeMask))
		after := b >> (e & entryBits)
		d := distance[after&dmask]
		dist := int(d>>entryValue) + int(after&(1<<(d&entryBits)-1)>>(d>>entryCode&entryCodeMask))
		if d&entrySpecial != 0 || dist > w-z.low {
			break
		}
		b = after >> (d & entryBits)
		nb -= uint(e&entryBits) + uint(d&entryBits)
		if dist >= 8 {
			// Whole words may write past the match: the room is there, and
			// what follows is overwritten later.
			from := w - dist
			binary.LittleEndian.PutUint64(out[w:], binary.LittleEndian.Uint64(out[from:]))
			binary.LittleEndian.PutUint64(out[w+8:], binary.LittleEndian.Uint64(out[from+8:]))
			for i := 16; i < length; i += 8 {
				binary.LittleEndian.PutUint64(out[w+i:], binary.LittleEndian.Uint64(out[from+i:]))
			}
		} else {
			repeat(out[w-dist:w+length], dist)
		}
		w += length
	}
	z.pos, z.w, z.nb = pos, w, nb
	// More bits than nb are in b. They would be taken a second time.
	z.bits = b & (1<<nb - 1)
}

// repeat fills b with its first dist bytes, over and over.
func repeat(b []byte, dist int) {
	if dist == 1 {
		c := b[0]
		for i := range b {
			b[i] = c
		}
		return
	}
	for i := dist; i < len(b); i++ {
		b[i] = b[i-dist]
	}
}
