// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Limit bounds the bytes and members that are read.
type Limit struct {
	// Bytes is the length of a document, unpacked. If zero, it is 4 GiB, which
	// is the limit of package planjson.
	Bytes int64

	// Memory is the length up to which a document that does not come from a file
	// is held in memory. A longer one is copied to a temporary file without a
	// name. If zero, it is 1 MiB.
	Memory int64

	// Inflated is the length from which a packed document is refused if it is more
	// than 500 times as long as packed: no tool writes such documents, and one text of
	// gigabytes would have to be held in memory. If zero, it is 256 MiB.
	Inflated int64
}

// maxRatio is how many times as long as packed a long document may be. Plans of a
// thousand equal resources reach 60.
const maxRatio = 500

// ErrLimit is the error for a document that is too large.
var ErrLimit = errors.New("too large")

// maxNesting is how many archives may be inside of each other.
const maxNesting = 4

// A Found is a document, or what may be one.
type Found struct {
	Place    string // of the item or, in an archive, with the name of the member after "!"
	Name     string // name of the file, without .gz
	Modified time.Time
	Content  io.ReadSeeker // valid during the call
}

// Documents opens the item and calls yield for each document in it: the item
// itself, or the members of an archive (.zip, .tar, .tar.gz, .tgz, .gz), by its
// name, or the states in a dump of a store, by its content. Gzip is known by its content too.
// Members are read one by one.
//
// For a member that cannot be read, fault is called, and Documents goes on unless
// that returns an error. An item that cannot be opened, and the errors of yield, end it.
func (it Item) Documents(ctx context.Context, limit Limit, yield func(Found) error, fault func(place string, err error) error) error {
	if limit.Bytes == 0 {
		limit.Bytes = 4 << 30
	}
	if limit.Memory == 0 {
		limit.Memory = 1 << 20
	}
	if limit.Inflated == 0 {
		limit.Inflated = 256 << 20
	}
	r, err := it.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	u := unpacker{limit, func(f Found) error { return stopping(yield(f)) }, func(place string, err error) error { return stopping(fault(place, err)) }}
	err = u.open(it.Place, it.Place, it.Modified, r, 0)
	var stop *stop
	if errors.As(err, &stop) {
		return stop.error
	}
	return err
}

// A stop is an error of the caller's functions. It ends the reading of all
// archives.
type stop struct{ error }

func stopping(err error) error {
	if err != nil {
		return &stop{err}
	}
	return nil
}

type unpacker struct {
	limit Limit
	yield func(Found) error
	fault func(string, error) error
}

// open passes on a document, or opens an archive.
func (u *unpacker) open(place, name string, modified time.Time, r io.Reader, depth int) error {
	lower := strings.ToLower(name)
	has := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
	}
	switch {
	case depth >= maxNesting && has(".tar", ".tgz", ".gz", ".zip"):
		return fmt.Errorf("%w: archives are nested more than %d levels deep", ErrLimit, maxNesting)
	case has(".tar"):
		return u.tar(place, r, depth)
	case has(".tar.gz", ".tgz"):
		z, err := u.gunzip(r)
		if err != nil {
			return err
		}
		return u.tar(place, z, depth)
	case has(".gz"):
		z, err := u.gunzip(r)
		if err != nil {
			return err
		}
		return u.open(place, name[:len(name)-len(".gz")], modified, z, depth+1)
	case has(".zip"):
		return u.zip(place, modified, r, depth)
	}
	s, ok := r.(io.ReadSeeker)
	if !ok {
		b := bufio.NewReader(r)
		if head, _ := b.Peek(len(gzipMagic)); string(head) == gzipMagic { // whatever its name is
			return u.compressed(place, name, modified, b, depth)
		}
		var done func()
		var err error
		if s, done, err = u.seekable(b); err != nil {
			return err
		}
		defer done()
	} else if head := make([]byte, len(gzipMagic)); isGzip(s, head) {
		return u.compressed(place, name, modified, s, depth)
	} else if n, err := s.Seek(0, io.SeekEnd); err == nil {
		if n > u.limit.Bytes {
			return fmt.Errorf("%w: %d bytes, the limit is %d", ErrLimit, n, u.limit.Bytes)
		}
		if _, err := s.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	if isDump, err := u.dump(place, modified, s, depth); isDump || err != nil {
		return err
	}
	return u.yield(Found{place, name, modified, s})
}

// gzipMagic begins what is compressed by gzip, as Kubernetes and Consul keep states.
const gzipMagic = "\x1f\x8b\x08"

// isGzip looks at the beginning of a file.
func isGzip(s io.ReadSeeker, head []byte) bool {
	n, _ := io.ReadFull(s, head)
	_, err := s.Seek(0, io.SeekStart)
	return err == nil && string(head[:n]) == gzipMagic
}

// compressed opens what gzip has compressed without saying so in its name.
func (u *unpacker) compressed(place, name string, modified time.Time, r io.Reader, depth int) error {
	if depth >= maxNesting {
		return fmt.Errorf("%w: archives are nested more than %d levels deep", ErrLimit, maxNesting)
	}
	z, err := u.gunzip(r)
	if err != nil {
		return err
	}
	return u.open(place, name, modified, z, depth+1)
}

// gunzip reads what r has packed.
func (u *unpacker) gunzip(r io.Reader) (io.Reader, error) {
	packed := &counter{r: r}
	z, err := gzip.NewReader(bufio.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return &inflated{r: z, limit: u.limit.Inflated, packed: func() int64 { return packed.n }}, nil
}

// A counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// An inflated reader ends if far more comes out than has been packed.
type inflated struct {
	r        io.Reader
	n, limit int64
	packed   func() int64
}

func (i *inflated) Read(b []byte) (int, error) {
	n, err := i.r.Read(b)
	if i.n += int64(n); i.n > i.limit && i.n/maxRatio > i.packed() {
		return n, fmt.Errorf("%w: more than %d times its compressed size", ErrLimit, maxRatio)
	}
	return n, err
}

// seekable holds what r has in memory or in a temporary file.
func (u *unpacker) seekable(r io.Reader) (io.ReadSeeker, func(), error) {
	var b bytes.Buffer
	n, err := io.CopyN(&b, r, min(u.limit.Memory, u.limit.Bytes)+1)
	if err == io.EOF {
		return bytes.NewReader(b.Bytes()), func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.CreateTemp("", "fleet-")
	if err != nil {
		return nil, nil, err
	}
	named := runtime.GOOS == "windows" || os.Remove(f.Name()) != nil
	done := func() {
		f.Close()
		if named {
			os.Remove(f.Name())
		}
	}
	_, err = b.WriteTo(f)
	if err == nil {
		var more int64
		more, err = io.Copy(f, io.LimitReader(r, u.limit.Bytes-n+1))
		if n += more; err == nil && n > u.limit.Bytes {
			err = fmt.Errorf("%w: more than %d bytes", ErrLimit, u.limit.Bytes)
		}
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return f, done, nil
}

// member opens a member of an archive.
func (u *unpacker) member(archive, name string, modified time.Time, r io.Reader, depth int) error {
	name = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, "\\", "/")), "/")
	if skipped(name) {
		return nil
	}
	place := archive + "!" + name
	err := u.open(place, name, modified, r, depth+1)
	var ended *stop
	if err == nil || errors.As(err, &ended) {
		return err
	}
	return u.fault(place, err)
}

func (u *unpacker) tar(place string, r io.Reader, depth int) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := u.member(place, h.Name, h.ModTime, onlyReader{t}, depth); err != nil {
			return err
		}
	}
}

func (u *unpacker) zip(place string, modified time.Time, r io.Reader, depth int) error {
	s, ok := r.(io.ReadSeeker)
	if !ok {
		var done func()
		var err error
		if s, done, err = u.seekable(r); err != nil {
			return err
		}
		defer done()
	}
	size, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	at, ok := s.(io.ReaderAt)
	if !ok {
		return errors.New("the archive cannot be read at random")
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if f.Name == "tfplan" { // a saved plan, not an archive of documents
			if _, err := s.Seek(0, io.SeekStart); err != nil {
				return err
			}
			return u.yield(Found{place, strings.TrimSuffix(place, ".zip"), modified, s})
		}
	}
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		r, err := f.Open()
		if err == nil {
			packed := min(f.CompressedSize64, uint64(size)) // it may lie
			err = u.member(place, f.Name, f.Modified, &inflated{r: r, limit: u.limit.Inflated, packed: func() int64 { return int64(packed) }}, depth)
			r.Close()
			if err != nil {
				return err
			}
			continue
		}
		if err := u.fault(place+"!"+f.Name, err); err != nil {
			return err
		}
	}
	return nil
}

// onlyReader hides what else a reader can do.
type onlyReader struct{ io.Reader }
