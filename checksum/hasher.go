// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
)

// A Hasher calculates the hashes of packages. The zero Hasher is ready to use:
// it refuses dangerous packages and has moderate limits. Its methods are safe
// for concurrent use, as long as no goroutine changes its fields.
//
// The memory that a Hasher needs does not depend on the size of a package or
// its files: it is under 2 MiB for each package being hashed, plus some hundred
// bytes for each entry.
type Hasher struct {
	// Lenient makes the Hasher accept names and kinds of entries that a sound
	// package does not have. The causes [ErrUnsafeName], [ErrDuplicateName],
	// [ErrSymlink], [ErrSpecialFile], [ErrOverlap] and [ErrNameConflict] become
	// warnings, and the hashes are those that OpenTofu and
	// golang.org/x/mod/sumdb/dirhash calculate. Special files in a directory
	// remain errors, because reading one may never end. The limits still apply.
	Lenient bool

	// Limits bounds the cost of a package.
	Limits Limits

	// Workers is the number of files of a directory, or of packages in
	// [Hasher.All], that are read at a time. If zero, it is the number of
	// processors that Go uses. With 1, everything happens in the caller's
	// goroutine; otherwise a single zip is decompressed and hashed in two.
	Workers int

	// Progress, if not nil, is called as hashing goes on, about every 128 KiB.
	// Calls for one package do not overlap; with [Hasher.All] those for
	// different packages may.
	Progress func(Progress)
}

// Limits bounds the cost of one package. In each field, zero means the default
// and a negative value means no limit. A package beyond a limit gives an
// [*Error] with the cause [ErrLimit].
type Limits struct {
	// Entries is the greatest number of entries of a zip, or of files in a
	// directory. The default is 20,000.
	Entries int

	// Bytes is the greatest number of bytes that the files of a package
	// may have together, extracted. The default is 4 GiB.
	Bytes int64

	// Ratio bounds the size of the files together, as a multiple of the size of
	// the zip, once they have more than 64 MiB. The default is 100. Real
	// packages have less than 10, and more than 1032 is impossible unless
	// entries overlap.
	Ratio int
}

// The defaults of [Limits].
const (
	defaultEntries = 20_000
	defaultBytes   = 4 << 30
	defaultRatio   = 100

	// ratioFree is the size of the files together, in bytes, from which the
	// ratio counts.
	ratioFree = 64 << 20
)

// withDefaults returns l with defaults in place of zeros and the greatest
// values in place of negative ones.
func (l Limits) withDefaults() Limits {
	l.Entries = limit(l.Entries, defaultEntries, math.MaxInt)
	l.Bytes = limit(l.Bytes, defaultBytes, math.MaxInt64)
	l.Ratio = limit(l.Ratio, defaultRatio, math.MaxInt)
	return l
}

// limit returns the limit that value selects.
func limit[T int | int64](value, standard, greatest T) T {
	switch {
	case value == 0:
		return standard
	case value < 0:
		return greatest
	default:
		return value
	}
}

// checkEntries returns an error if n entries are too many.
func (l Limits) checkEntries(n int) error {
	if n > l.Entries {
		return fmt.Errorf("%w: more than %d entries", ErrLimit, l.Entries)
	}
	return nil
}

// checkBytes returns an error if content of the given size is too much, or
// too much for a zip of size zipped. If zipped is negative, there is no zip.
func (l Limits) checkBytes(content uint64, zipped int64) error {
	if content > uint64(l.Bytes) {
		return fmt.Errorf("%w: more than %d bytes of content", ErrLimit, l.Bytes)
	}
	if zipped >= 0 && content > ratioFree && content/uint64(l.Ratio) > uint64(zipped) {
		return fmt.Errorf("%w: content has more than %d times the size of the zip", ErrLimit, l.Ratio)
	}
	return nil
}

// A Progress reports how far the hashing of one package has come.
type Progress struct {
	Name string // the package, as in [Package.Name]
	Done int64  // how many bytes of the zip, or of the files of the directory, have been read

	// Total is the size of the zip, or of the files of the directory
	// together. It is -1 for a stream, whose size is not known.
	Total int64
}

// progress calls h.Progress if there is one.
func (h Hasher) progress(name string, done, total int64) {
	if h.Progress != nil {
		h.Progress(Progress{Name: name, Done: done, Total: total})
	}
}

// workers returns how many goroutines h may use.
func (h Hasher) workers() int {
	if h.Workers > 0 {
		return h.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// HashZip hashes the zip file name with the zero [Hasher].
func HashZip(ctx context.Context, name string) (*Package, error) {
	return Hasher{}.Zip(ctx, name)
}

// HashDir hashes the directory dir with the zero [Hasher].
func HashDir(ctx context.Context, dir string) (*Package, error) {
	return Hasher{}.Dir(ctx, dir)
}

// Path hashes a package that is either a directory or a zip file, as
// [Hasher.Dir] or [Hasher.Zip] does. Symbolic links are followed.
func (h Hasher) Path(ctx context.Context, name string) (*Package, error) {
	return h.path(ctx, name, nil)
}

// path is Path. It uses m, if not nil, and only the caller's goroutine.
func (h Hasher) path(ctx context.Context, name string, m *machine) (*Package, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fail(name, "", plain(err))
	}
	if info.IsDir() {
		if m != nil {
			h.Workers = 1
		}
		return h.Dir(ctx, name)
	}
	return h.zip(ctx, name, m)
}

// Zip hashes the zip file name. Symbolic links are followed.
//
// The file is read once, from start to end; see the package's comment. It must
// not change meanwhile: if its size or time of modification changes, the error
// has the cause [ErrChanged].
func (h Hasher) Zip(ctx context.Context, name string) (*Package, error) {
	return h.zip(ctx, name, nil)
}

func (h Hasher) zip(ctx context.Context, name string, m *machine) (*Package, error) {
	// Stat comes before opening, because opening a named pipe would wait for a
	// writer.
	info, err := os.Stat(name)
	if err != nil {
		return nil, fail(name, "", plain(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fail(name, "", ErrSpecialFile)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fail(name, "", plain(err))
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, fail(name, "", plain(err))
	}
	p, err := h.zipReaderAt(ctx, name, f, info.Size(), m)
	after, statErr := f.Stat()
	if statErr == nil && (after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime())) {
		return nil, fail(name, "", ErrChanged)
	}
	return p, err
}

// ZipReaderAt hashes a zip that has size bytes at r. The name is only for the
// result and for errors. The content must not change meanwhile.
func (h Hasher) ZipReaderAt(ctx context.Context, name string, r io.ReaderAt, size int64) (*Package, error) {
	return h.zipReaderAt(ctx, name, r, size, nil)
}

// plain removes the operation and the path from an error of the file system.
// The [Error] around it has the name already.
func plain(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return e.Err
	}
	return err
}
