// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// inflateAll decodes a stream that comes in chunks of the given size. It
// returns the content and how many bytes of the stream were used.
func inflateAll(z *inflater, in []byte, chunk int) (content []byte, used int, err error) {
	fed := 0
	z.more = func() ([]byte, error) {
		if fed == len(in) {
			return nil, io.EOF
		}
		n := min(chunk, len(in)-fed)
		fed += n
		return in[fed-n : fed : fed], nil
	}
	// Two buffers in turn, and the one that is not in use spoilt: the
	// inflater must have copied its history.
	a, b := make([]byte, historySize+blockSize), make([]byte, historySize+blockSize)
	z.flush = func(block []byte) ([]byte, error) {
		if len(content)+len(block) > 1<<24 {
			return nil, io.ErrShortBuffer
		}
		content = append(content, block...)
		a, b = b, a
		return a, nil
	}
	z.reset(a)
	err = z.run()
	return content, fed - z.unused(), err
}

// compareInflate reports where the inflater and compress/flate differ.
func compareInflate(z *inflater, in []byte, chunk int) error {
	r := flate.NewReader(bytes.NewReader(in))
	want, wantErr := io.ReadAll(io.LimitReader(r, 1<<24+1))
	if len(want) > 1<<24 {
		return nil
	}
	got, _, err := inflateAll(z, in, chunk)
	if (err == nil) != (wantErr == nil) {
		return fmt.Errorf("error %v, compress/flate has %v", err, wantErr)
	}
	if err == nil && !bytes.Equal(got, want) {
		return fmt.Errorf("content differs from that of compress/flate")
	}
	return nil
}

// randomContent makes content of n bytes with something to compress.
func randomContent(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	alphabet := 1 + r.IntN(255)
	for i := 0; i < n; i++ {
		if i > 0 && r.IntN(20) == 0 && i/50_000%3 != 1 {
			from := i - 1 - r.IntN(min(i, 1+r.IntN(historySize)))
			for k := range min(r.IntN(300), n-i) {
				b[i+k] = b[from+k]
			}
			continue
		}
		if i/50_000%3 == 1 {
			b[i] = byte(r.Uint32()) // nothing to compress: a stored block
			continue
		}
		b[i] = byte(r.IntN(alphabet) * r.IntN(alphabet) / alphabet)
	}
	return b
}

func compressed(content []byte, level int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		panic(err)
	}
	w.Write(content)
	w.Close()
	return b.Bytes()
}

func TestInflate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	z := new(inflater)
	rounds := depth.Of(60, 240, 2400)
	for i := range rounds {
		n := r.IntN(3000)
		if i%8 == 0 {
			n = r.IntN(700_000)
		}
		content := randomContent(r, n)
		stream := compressed(content, r.IntN(12)-2)
		in := append(stream[:len(stream):len(stream)], make([]byte, r.IntN(20))...)
		got, used, err := inflateAll(z, in, 1+r.IntN(70_000))
		if err != nil || !bytes.Equal(got, content) || used != len(stream) {
			t.Fatalf("round %d: %v; %d bytes of %d from %d of %d", i, err, len(got), len(content), used, len(stream))
		}
		for range 5 {
			bad := bytes.Clone(in)
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			if r.IntN(3) == 0 {
				bad = bad[:r.IntN(len(bad))]
			}
			if err := compareInflate(z, bad, 1+r.IntN(70_000)); err != nil {
				t.Fatalf("round %d, damaged: %v\n%x", i, err, bad[:min(len(bad), 2000)])
			}
		}
	}
}

// deflateStreams are short streams that go into the corners of RFC 1951.
var deflateStreams = []struct {
	name, stream string
	valid        bool
}{
	{"nothing", "", false},
	{"empty fixed block", "\x03\x00", true},
	{"empty stored block", "\x01\x00\x00\xff\xff", true},
	{"stored lengths disagree", "\x01\x01\x00\xff\xff", false},
	{"stored block cut short", "\x01\x02\x00\xfd\xffa", false},
	{"block type 3", "\x07\x00", false},
	{"distance before the start", "\x03\x02\x00", false},
	{"run of one byte", "\x4b\x04\x02\x00", true},
	{"fixed length code 286", "\x1b\x03", false},
	{"too many literal codes", "\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", false},
	{"repeat without a length before it", "\x05\xc0\x81\x00\x00\x00\x00\x00\x10\x00", false},
	{"empty code for code lengths", "\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", false},
}

func TestInflateEdgeCases(t *testing.T) {
	for _, d := range deflateStreams {
		t.Run(d.name, func(t *testing.T) {
			z := new(inflater)
			for chunk := 1; chunk < 12; chunk++ {
				if err := compareInflate(z, []byte(d.stream), chunk); err != nil {
					t.Error(err)
				}
				if _, _, err := inflateAll(z, []byte(d.stream), chunk); (err == nil) != d.valid {
					t.Errorf("got error %v, want valid to be %v", err, d.valid)
				}
			}
		})
	}
}

// TestTables builds tables from random code lengths: complete codes, which
// each have to be found again, and others, which have to be refused.
func TestTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var table [literalTable]uint32
	for range 1000 {
		// Split words until there is a code of n symbols.
		n := 2 + r.IntN(285)
		lengths := []uint8{1, 1}
		for len(lengths) < n {
			i := r.IntN(len(lengths))
			if r.IntN(4) == 0 {
				i = len(lengths) - 1 // some deep ones
			}
			if lengths[i] == maxCodeBits {
				continue
			}
			lengths[i]++
			lengths = append(lengths, lengths[i])
		}
		r.Shuffle(n, func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
		if !buildTable(table[:], literalBits, lengths, preEntry) {
			t.Fatal("a complete code is refused")
		}
		seen := make(map[uint32]bool)
		for word := range uint32(1 << maxCodeBits) {
			e := table[word&(1<<literalBits-1)]
			bits := e & entryBits
			if e&entrySub != 0 {
				e = table[e>>entryValue+word>>literalBits&(1<<(e>>entryCode&entryCodeMask)-1)]
				bits = literalBits + e&entryBits
			}
			symbol := e >> entryValue
			if uint8(bits) != lengths[symbol] {
				t.Fatalf("symbol %d has %d bits, want %d", symbol, bits, lengths[symbol])
			}
			seen[symbol] = true
		}
		if len(seen) != n {
			t.Fatalf("%d symbols of %d can be found", len(seen), n)
		}
		if lengths[0]--; lengths[0] > 0 && buildTable(table[:], literalBits, lengths, preEntry) {
			t.Fatal("a code with too many words is accepted")
		}
	}
}

func FuzzInflate(f *testing.F) {
	for _, d := range deflateStreams {
		f.Add([]byte(d.stream), uint16(3))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for level := -2; level < 10; level++ {
		f.Add(compressed(randomContent(r, 500), level), uint16(r.IntN(600)))
	}
	z := new(inflater)
	f.Fuzz(func(t *testing.T, in []byte, chunk uint16) {
		if err := compareInflate(z, in, 1+int(chunk)); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkInflate(b *testing.B) {
	content := randomContent(rand.New(rand.NewPCG(7, 8)), 8<<20)
	in := compressed(content, flate.DefaultCompression)
	z := new(inflater)
	buf := make([]byte, historySize+blockSize)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		rest := in
		z.more = func() ([]byte, error) {
			part := rest[:min(len(rest), chunkSize)]
			rest = rest[len(part):]
			if len(part) == 0 {
				return nil, io.EOF
			}
			return part, nil
		}
		z.flush = func([]byte) ([]byte, error) { return buf, nil }
		z.reset(buf)
		if err := z.run(); err != nil {
			b.Fatal(err)
		}
	}
}
