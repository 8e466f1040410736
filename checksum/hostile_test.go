// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/checksum"
)

// hashBytes hashes a zip in memory.
func hashBytes(tb testing.TB, h checksum.Hasher, data []byte) (*checksum.Package, error) {
	return h.ZipReaderAt(tb.Context(), "x.zip", bytes.NewReader(data), int64(len(data)))
}

func TestHostileZips(t *testing.T) {
	small := checksum.Hasher{Limits: checksum.Limits{Entries: 2, Bytes: 1000}}
	zeros := strings.Repeat("\x00", 70<<20)
	oneMore := buildZip(t, file{name: "a", content: "1"}, file{name: "b", content: "2"}, file{name: "c", content: "3"})
	tests := []struct {
		name   string
		hasher checksum.Hasher
		data   []byte
		cause  error
		text   string
	}{
		{"slip", checksum.Hasher{}, buildZip(t, file{name: "a/../../evil"}),
			checksum.ErrUnsafeName, `checksum: x.zip: entry "a/../../evil": name may lead out of the package`},
		{"absolute", checksum.Hasher{}, buildZip(t, file{name: "/etc/passwd"}),
			checksum.ErrUnsafeName, `checksum: x.zip: entry "/etc/passwd": name may lead out of the package`},
		{"backslash slip", checksum.Hasher{}, buildZip(t, file{name: `..\evil`}),
			checksum.ErrUnsafeName, `checksum: x.zip: entry "..\\evil": name may lead out of the package`},
		{"drive", checksum.Hasher{}, buildZip(t, file{name: "C:evil"}),
			checksum.ErrUnsafeName, `checksum: x.zip: entry "C:evil": name may lead out of the package`},
		{"NUL", checksum.Hasher{}, buildZip(t, file{name: "a\x00b"}),
			checksum.ErrUnsafeName, `checksum: x.zip: entry "a\x00b": name may lead out of the package`},
		{"newline", checksum.Hasher{}, buildZip(t, file{name: "a\nb"}),
			checksum.ErrNewline, `checksum: x.zip: entry "a\nb": name has a newline`},
		{"newline, lenient", everything, buildZip(t, file{name: "a\nb"}),
			checksum.ErrNewline, `checksum: x.zip: entry "a\nb": name has a newline`},
		{"duplicate", checksum.Hasher{}, buildZip(t, file{name: "a"}, file{name: "a"}),
			checksum.ErrDuplicateName, `checksum: x.zip: entry "a": several entries have this name`},
		{"symbolic link", checksum.Hasher{}, buildZip(t, file{name: "l", content: "/etc/passwd", mode: fs.ModeSymlink | 0o777}),
			checksum.ErrSymlink, `checksum: x.zip: entry "l": symbolic link`},
		{"device", checksum.Hasher{}, buildZip(t, file{name: "d", mode: fs.ModeDevice | 0o644}),
			checksum.ErrSpecialFile, `checksum: x.zip: entry "d": not a regular file`},
		{"named pipe", checksum.Hasher{}, buildZip(t, file{name: "p", mode: fs.ModeNamedPipe | 0o644}),
			checksum.ErrSpecialFile, `checksum: x.zip: entry "p": not a regular file`},
		{"file in a file", checksum.Hasher{}, buildZip(t, file{name: "a"}, file{name: "a/b"}),
			checksum.ErrNameConflict, `checksum: x.zip: entry "a/b": name conflicts with another entry`},
		{"file is a directory", checksum.Hasher{}, buildZip(t, file{name: "a/b"}, file{name: "a"}),
			checksum.ErrNameConflict, `checksum: x.zip: entry "a": name conflicts with another entry`},
		{"no name", checksum.Hasher{}, buildZip(t, file{name: ""}),
			checksum.ErrNameConflict, `checksum: x.zip: name conflicts with another entry`},
		{"too many entries", small, oneMore,
			checksum.ErrLimit, "checksum: x.zip: limit exceeded: more than 2 entries"},
		{"too much content", small, buildZip(t, file{name: "a", content: strings.Repeat("x", 600)}, file{name: "b", content: strings.Repeat("x", 600)}),
			checksum.ErrLimit, `checksum: x.zip: entry "b": limit exceeded: more than 1000 bytes of content`},
		{"bomb", checksum.Hasher{}, buildZip(t, file{name: "zeros", content: zeros}),
			checksum.ErrLimit, `checksum: x.zip: entry "zeros": limit exceeded: content has more than 100 times the size of the zip`},
		{"overlap", checksum.Hasher{}, overlapping(t),
			checksum.ErrOverlap, `checksum: x.zip: entry "b": data overlaps with another entry`},
		{"more content than it says", checksum.Hasher{}, lying(t, -1),
			zip.ErrFormat, `checksum: x.zip: entry "a": zip: not a valid zip file`},
		{"less content than it says", checksum.Hasher{}, lying(t, +1),
			io.ErrUnexpectedEOF, `checksum: x.zip: entry "a": unexpected EOF`},
		{"wrong checksum", checksum.Hasher{}, damaged(t),
			zip.ErrChecksum, `checksum: x.zip: entry "a": zip: checksum error`},
		{"unknown method", checksum.Hasher{}, patched(t, centralMethod, 99),
			zip.ErrAlgorithm, `checksum: x.zip: entry "a": zip: unsupported compression algorithm`},
		{"not a zip", checksum.Hasher{}, []byte("<html>not found</html>"),
			zip.ErrFormat, `checksum: x.zip: zip: not a valid zip file`},
		{"nothing", checksum.Hasher{}, nil,
			zip.ErrFormat, `checksum: x.zip: zip: not a valid zip file`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := hashBytes(t, tt.hasher, tt.data)
			var e *checksum.Error
			if p != nil || !errors.As(err, &e) || !errors.Is(err, tt.cause) || err.Error() != tt.text {
				t.Errorf("got %v, %v\nwant %s", p, err, tt.text)
			}
			// As a stream, it may be refused earlier, or later, but never
			// be accepted.
			if p, err := tt.hasher.Stream(t.Context(), "x.zip", bytes.NewReader(tt.data)); p != nil || !errors.As(err, &e) {
				t.Errorf("stream: got %v, %v", p, err)
			}
		})
	}
}

// Offsets within a record of the central directory, and within a local header.
const (
	centralMethod = 10
	centralSize   = 24 // of the content
	centralOffset = 42
)

// patched builds a zip with the one entry "a" and changes a number of 2 or 4
// bytes in its record in the central directory.
func patched(tb testing.TB, at int, value uint32) []byte {
	tb.Helper()
	data := buildZip(tb, file{name: "a", content: strings.Repeat("content ", 100), raw: true})
	record := data[bytes.LastIndex(data, []byte("PK\x01\x02")):]
	if at == centralMethod {
		binary.LittleEndian.PutUint16(record[at:], uint16(value))
	} else {
		binary.LittleEndian.PutUint32(record[at:], value)
	}
	return data
}

// lying is a zip whose entry has d bytes more than it has.
func lying(tb testing.TB, d int) []byte { return patched(tb, centralSize, uint32(800+d)) }

// damaged is a zip whose entry has another content than its CRC-32 says.
func damaged(tb testing.TB) []byte {
	data := buildZip(tb, file{name: "a", content: "content", stored: true})
	data[bytes.Index(data, []byte("content"))]++
	return data
}

// overlapping is a zip with two entries that are one and the same.
func overlapping(tb testing.TB) []byte {
	data := buildZip(tb, file{name: "a", content: "same", raw: true}, file{name: "b", content: "same", raw: true})
	record := data[bytes.LastIndex(data, []byte("PK\x01\x02")):]
	binary.LittleEndian.PutUint32(record[centralOffset:], 0)
	return data
}

// TestOverlapLenient: what overlaps is hashed as dirhash does, entry by entry.
func TestOverlapLenient(t *testing.T) {
	data := overlapping(t)
	want, err := plainZip(data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := hashBytes(t, everything, data)
	if err != nil || p.H1.String() != want || p.Extracted != p.H1 {
		t.Fatalf("got %v, %v, want %s", p, err, want)
	}
	if len(p.Warnings) != 1 || !errors.Is(p.Warnings[0].Err, checksum.ErrOverlap) {
		t.Errorf("got warnings %v", p.Warnings)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := everything.ZipReaderAt(ctx, "x.zip", bytes.NewReader(data), int64(len(data))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestDirectorySize: a central directory that is too large is not read.
func TestDirectorySize(t *testing.T) {
	var files []file
	for i := range 70 {
		files = append(files, file{name: strings.Repeat("n", 60_000) + strconv.Itoa(i)})
	}
	data := buildZip(t, files...)
	h := checksum.Hasher{Limits: checksum.Limits{Entries: 1000}}
	if _, err := hashBytes(t, h, data); !errors.Is(err, checksum.ErrLimit) {
		t.Errorf("got %v", err)
	}
	if _, err := h.Stream(t.Context(), "x.zip", bytes.NewReader(data)); !errors.Is(err, checksum.ErrLimit) {
		t.Errorf("stream: got %v", err)
	}
	if _, err := hashBytes(t, everything, data); err != nil {
		t.Error(err)
	}
}

func TestDirErrors(t *testing.T) {
	link := func(name, target string) file { return file{name: name, content: target, mode: fs.ModeSymlink} }
	tests := []struct {
		name  string
		files []file
		cause error
		text  string
	}{
		{"newline", []file{{name: "a\nb"}}, checksum.ErrNewline, `: entry "a\nb": name has a newline`},
		{"link to a directory", []file{{name: "d/a"}, link("l", "d")}, nil, `: entry "l": is a directory`},
		{"dangling link", []file{link("sub", "nowhere")}, fs.ErrNotExist, `: entry "sub": `},
		{"too many files", []file{{name: "a"}, {name: "b"}, {name: "c"}, {name: "d"}}, checksum.ErrLimit, ": limit exceeded: more than 3 entries"},
		{"too much content", []file{{name: "a", content: strings.Repeat("x", 101)}}, checksum.ErrLimit, `: entry "a": limit exceeded: more than 100 bytes of content`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := buildDir(t, tt.files...)
			h := checksum.Hasher{Limits: checksum.Limits{Entries: 3, Bytes: 100}}
			p, err := h.Dir(t.Context(), dir)
			if p != nil || err == nil || tt.cause != nil && !errors.Is(err, tt.cause) || !strings.HasPrefix(err.Error(), "checksum: "+dir+tt.text) {
				t.Errorf("got %v, %v, want %s", p, err, tt.text)
			}
		})
	}

	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := checksum.HashDir(t.Context(), plain); err == nil || !strings.HasSuffix(err.Error(), "plain: not a directory") {
		t.Errorf("a file: %v", err)
	}
	if _, err := checksum.HashDir(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := checksum.HashZip(t.Context(), dir); !errors.Is(err, checksum.ErrSpecialFile) {
		t.Errorf("a directory as a zip: %v", err)
	}
	if _, err := checksum.HashZip(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no zip: %v", err)
	}
	if _, err := (checksum.Hasher{}).Path(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no path: %v", err)
	}
}

// TestRootLink: the root may be a link, as in a plugin cache.
func TestRootLink(t *testing.T) {
	dir := buildDir(t, file{name: "package/a.txt", content: "hello\n"}, file{name: "link", content: "package", mode: fs.ModeSymlink})
	p, err := checksum.HashDir(t.Context(), filepath.Join(dir, "link"))
	if err != nil || p.H1.String() != "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=" || p.Name != filepath.Join(dir, "link") {
		t.Errorf("got %v, %v", p, err)
	}
}

// failingFS has one file that cannot be read to its end.
type failingFS struct{ fstest.MapFS }

func (f failingFS) Open(name string) (fs.File, error) {
	file, err := f.MapFS.Open(name)
	if name == "bad" {
		return failingFile{file}, err
	}
	return file, err
}

type failingFile struct{ fs.File }

var errRead = errors.New("the disk is on fire")

func (failingFile) Read([]byte) (int, error) { return 3, errRead }

func TestFSReadError(t *testing.T) {
	fsys := failingFS{fstest.MapFS{"a": {Data: []byte("x")}, "bad": {}, "c": {Data: []byte("y")}}}
	for _, workers := range []int{1, 3} {
		_, err := checksum.Hasher{Workers: workers}.FS(t.Context(), "fs", fsys)
		if !errors.Is(err, errRead) || err.Error() != `checksum: fs: entry "bad": the disk is on fire` {
			t.Errorf("got %v", err)
		}
	}
	special := fstest.MapFS{"dev": {Mode: fs.ModeDevice}}
	if _, err := (checksum.Hasher{Lenient: true}).FS(t.Context(), "fs", special); !errors.Is(err, checksum.ErrSpecialFile) {
		t.Errorf("got %v", err)
	}
}

// A shortReaderAt fails behind an offset.
type shortReaderAt struct {
	r    io.ReaderAt
	from int64
	err  error
}

func (s *shortReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if s.err != nil && off <= s.from && off+int64(len(p)) > s.from {
		return 0, s.err
	}
	return s.r.ReadAt(p, off)
}

func TestReadErrors(t *testing.T) {
	content := strings.Repeat("0123456789", 40_000)
	data := buildZip(t, file{name: "a", content: content, stored: true})
	for _, lenient := range []bool{false, true} {
		h := checksum.Hasher{Lenient: lenient}
		for _, at := range []int64{0, 50, 200_000, int64(len(data)) - 1} {
			r := &shortReaderAt{bytes.NewReader(data), at, errRead}
			if _, err := h.ZipReaderAt(t.Context(), "x", r, int64(len(data))); !errors.Is(err, errRead) {
				t.Errorf("at %d: got %v", at, err)
			}
		}
		if _, err := h.ZipReaderAt(t.Context(), "x", bytes.NewReader(data), -1); err == nil {
			t.Error("a negative size is accepted")
		}
	}
}

// TestFileChangedWhileRead: a file that changes while it is read gives no hash.
func TestFileChangedWhileRead(t *testing.T) {
	data := buildZip(t, file{name: "a", content: strings.Repeat("0123456789", 40_000), stored: true})
	for name, change := range map[string]func(string) error{
		"longer":  func(name string) error { return os.Truncate(name, int64(len(data)+1)) },
		"shorter": func(name string) error { return os.Truncate(name, int64(len(data)-50_000)) },
	} {
		path := writeZip(t, data)
		done := false
		h := checksum.Hasher{Workers: 1, Progress: func(checksum.Progress) {
			if !done {
				done = true
				if err := change(path); err != nil {
					t.Error(err)
				}
			}
		}}
		if _, err := h.Zip(t.Context(), path); !errors.Is(err, checksum.ErrChanged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// The size that the caller gave is not the real one any more.
	p, err := checksum.Hasher{}.ZipReaderAt(t.Context(), "x", truncated{data, 200_000}, int64(len(data)))
	if !errors.Is(err, checksum.ErrChanged) {
		t.Errorf("got %v, %v", p, err)
	}
}

// truncated has its end, but lacks what follows an offset for long reads.
type truncated struct {
	data []byte
	at   int64
}

func (s truncated) ReadAt(p []byte, off int64) (int, error) {
	if len(p) > 100_000 && off+int64(len(p)) > s.at {
		return 0, io.EOF
	}
	return bytes.NewReader(s.data).ReadAt(p, off)
}

// A rawEntry is an entry whose layout the test decides.
type rawEntry struct {
	name, content string
	method        uint16
	descriptor    string // "", "32", "64", "32 signed", "64 signed"
	zip64         bool   // sizes in an extra field of the local header
	before        string // bytes in front of the local header
	ghost         bool   // not in the central directory
	centralCRC    bool   // whether the central directory has a CRC-32 of zero
}

// rawZip writes a zip byte by byte.
func rawZip(entries ...rawEntry) []byte {
	le := binary.LittleEndian
	var b, directory []byte
	count := 0
	for _, e := range entries {
		b = append(b, e.before...)
		offset := len(b)
		data := []byte(e.content)
		crc := crc32.ChecksumIEEE(data)
		if e.method == zip.Deflate {
			data = deflate(data)
		}
		flags := uint16(0)
		compressed, length, localCRC := uint32(len(data)), uint32(len(e.content)), crc
		if e.descriptor != "" {
			flags, compressed, length, localCRC = 8, 0, 0, 0
		}
		var extra []byte
		if e.zip64 {
			extra = le.AppendUint16(nil, 0x9999) // an unknown one
			extra = le.AppendUint16(extra, 2)
			extra = append(extra, "xx"...)
			extra = le.AppendUint16(extra, 1)
			extra = le.AppendUint16(extra, 16)
			extra = le.AppendUint64(extra, uint64(len(e.content)))
			extra = le.AppendUint64(extra, uint64(len(data)))
			compressed, length = 1<<32-1, 1<<32-1
		}
		b = append(b, "PK\x03\x04\x14\x00"...)
		b = le.AppendUint16(b, flags)
		b = le.AppendUint16(b, e.method)
		b = append(b, 0, 0, 0, 0)
		b = le.AppendUint32(b, localCRC)
		b = le.AppendUint32(b, compressed)
		b = le.AppendUint32(b, length)
		b = le.AppendUint16(b, uint16(len(e.name)))
		b = le.AppendUint16(b, uint16(len(extra)))
		b = append(b, e.name...)
		b = append(b, extra...)
		b = append(b, data...)
		if size, signed := strings.CutSuffix(e.descriptor, " signed"); size != "" {
			if signed {
				b = append(b, "PK\x07\x08"...)
			}
			b = le.AppendUint32(b, crc)
			if size == "64" {
				b = le.AppendUint64(b, uint64(len(data)))
				b = le.AppendUint64(b, uint64(len(e.content)))
			} else {
				b = le.AppendUint32(b, uint32(len(data)))
				b = le.AppendUint32(b, uint32(len(e.content)))
			}
		}
		if e.ghost {
			continue
		}
		count++
		if e.centralCRC {
			crc = 0
		}
		directory = append(directory, "PK\x01\x02\x14\x03\x14\x00"...)
		directory = le.AppendUint16(directory, flags)
		directory = le.AppendUint16(directory, e.method)
		directory = append(directory, 0, 0, 0, 0)
		directory = le.AppendUint32(directory, crc)
		directory = le.AppendUint32(directory, uint32(len(data)))
		directory = le.AppendUint32(directory, uint32(len(e.content)))
		directory = le.AppendUint16(directory, uint16(len(e.name)))
		directory = append(directory, 0, 0, 0, 0, 0, 0, 0, 0)
		directory = le.AppendUint32(directory, 0o644<<16)
		directory = le.AppendUint32(directory, uint32(offset))
		directory = append(directory, e.name...)
	}
	start := len(b)
	b = append(b, directory...)
	b = append(b, "PK\x05\x06\x00\x00\x00\x00"...)
	b = le.AppendUint16(b, uint16(count))
	b = le.AppendUint16(b, uint16(count))
	b = le.AppendUint32(b, uint32(len(directory)))
	b = le.AppendUint32(b, uint32(start))
	return append(b, 0, 0)
}

// TestLayouts has zips of every layout that a writer may choose, hashed as
// files and as streams.
func TestLayouts(t *testing.T) {
	text := strings.Repeat("some content ", 30_000)
	tests := []struct {
		name    string
		entries []rawEntry
		stream  bool // whether it can be streamed
	}{
		{"plain", []rawEntry{{name: "a", content: text}, {name: "b", content: text, method: zip.Deflate}}, true},
		{"descriptor 32", []rawEntry{{name: "a", content: text, method: zip.Deflate, descriptor: "32"}, {name: "b"}}, true},
		{"descriptor 64", []rawEntry{{name: "a", content: text, method: zip.Deflate, descriptor: "64"}, {name: "b"}}, true},
		{"descriptor 32 signed", []rawEntry{{name: "a", content: text, method: zip.Deflate, descriptor: "32 signed"}, {name: "b"}}, true},
		{"descriptor 64 signed", []rawEntry{{name: "a", content: text, method: zip.Deflate, descriptor: "64 signed"}, {name: "b"}}, true},
		{"descriptor of nothing", []rawEntry{{name: "a", method: zip.Deflate, descriptor: "32"}, {name: "b", method: zip.Deflate, descriptor: "64 signed"}}, true},
		{"descriptor of a directory", []rawEntry{{name: "a/", descriptor: "32 signed"}, {name: "b"}}, true},
		{"stored with a descriptor", []rawEntry{{name: "a", content: text, descriptor: "32 signed"}}, false},
		{"zip64", []rawEntry{{name: "a", content: text, zip64: true}, {name: "b", content: text, method: zip.Deflate, zip64: true}}, true},
		{"something in front", []rawEntry{{name: "a", content: text, before: "#!/bin/sh\n"}}, false},
		{"something between", []rawEntry{{name: "a", content: text}, {name: "b", content: text, before: "gap"}}, false},
		{"entry that is not in the directory", []rawEntry{{name: "a", content: text, ghost: true}, {name: "b", content: text}}, true},
		{"only such entries", []rawEntry{{name: "a", content: text, ghost: true, method: zip.Deflate}}, true},
		{"CRC-32 of zero", []rawEntry{{name: "a", content: text, centralCRC: true}}, true},
		{"CRC-32 of zero and a descriptor", []rawEntry{{name: "a", content: text, method: zip.Deflate, descriptor: "32", centralCRC: true}}, true},
		{"directory with data", []rawEntry{{name: "a/", content: text}}, true},
		{"unknown method", []rawEntry{{name: "a", content: text, method: 12}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := rawZip(tt.entries...)
			if err := compareZip(t, data); err != nil {
				t.Error(err)
			}
			if err := compareZip(t, append([]byte("in front"), data...)); err != nil {
				t.Error(err)
			}
			_, err := everything.Stream(t.Context(), "p", bytes.NewReader(data))
			if errors.Is(err, checksum.ErrNotStreamable) == tt.stream {
				t.Errorf("stream: %v, want it to be possible: %v", err, tt.stream)
			}
		})
	}
}

// TestStreamCut: a stream that ends early, or that fails, gives no hash.
func TestStreamCut(t *testing.T) {
	data := rawZip(
		rawEntry{name: "a", content: strings.Repeat("a", 300), method: zip.Deflate, descriptor: "32 signed"},
		rawEntry{name: "b", content: "bb", zip64: true},
		rawEntry{name: "d/"},
	)
	for n := range data {
		if p, err := everything.Stream(t.Context(), "p", bytes.NewReader(data[:n])); err == nil {
			t.Errorf("%d bytes of %d give %v", n, len(data), p)
		}
		r := io.MultiReader(bytes.NewReader(data[:n]), failingFile{})
		if _, err := everything.Stream(t.Context(), "p", r); !errors.Is(err, errRead) {
			t.Errorf("%d bytes and an error give %v", n, err)
		}
	}
}

// TestStreamBomb: the limits hold before the central directory is seen.
func TestStreamBomb(t *testing.T) {
	zeros := buildZip(t, file{name: "zeros", content: strings.Repeat("\x00", 70<<20)})
	endless := zeros[:len(zeros)-200] // without a directory
	_, err := checksum.Hasher{}.Stream(t.Context(), "x.zip", bytes.NewReader(endless))
	if want := `checksum: x.zip: entry "zeros": limit exceeded: content has more than 100 times the size of the zip`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	h := checksum.Hasher{Limits: checksum.Limits{Bytes: 1 << 20, Ratio: -1}}
	if _, err := h.Stream(t.Context(), "x.zip", bytes.NewReader(endless)); !errors.Is(err, checksum.ErrLimit) {
		t.Errorf("got %v", err)
	}
}
