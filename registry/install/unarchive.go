// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tofuwire/tofuwire/registry"
)

// Bounds on the name of an entry, as for packages.
const (
	maxName      = 1000 // bytes
	maxNameDepth = 30
)

// unarchive unpacks an archive of the given size and kind into the new directory dir,
// completely or not at all. Like the tools, it makes no links
// and no special files, but regular files with the data of their entries: a link in a
// zip has the name of its target, and one in a tar has nothing. An entry replaces an
// earlier one of the same name. A name that leads out of the directory is an error.
// It returns warnings.
func (m *Modules) unarchive(ctx context.Context, f *os.File, size int64, kind, dir string) ([]string, error) {
	client := m.Client
	var head [4]byte
	f.ReadAt(head[:], 0)
	if kind == sniffed {
		kind = kindOf(head)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "module")
	if err := os.Mkdir(out, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(out)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	limits := client.Limits
	// Larger limits are as good as none, and their sums must not overflow.
	u := &unpacker{
		ctx: ctx, root: root, dirs: map[string]bool{".": true},
		left:  min(cmp.Or(limits.Unpacked, 4<<30), math.MaxInt64/8),
		files: min(cmp.Or(limits.Files, 20_000), math.MaxInt32),
	}
	if ratio := cmp.Or(limits.Ratio, 100); size < u.left/ratio {
		u.left = min(u.left, max(size*ratio, 64<<20))
	}
	if kind == "zip" {
		err = u.unzip(f, size, client.Policy.AcceptEncrypted)
	} else {
		err = u.untar(io.NewSectionReader(f, 0, size), kind, m.Xz)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && kindOf(head) != kind && !isDiskError(err) {
		err = fmt.Errorf("the source states the format %s, but the archive is not in this format: %w", kind, err)
	}
	if err == nil && u.entries == 0 {
		err = errors.New("no entries")
	}
	if isDiskError(err) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", registry.ErrUnsafeArchive, err)
	}
	root.Close()
	return u.warnings(), os.Rename(out, dir)
}

// kindOf returns the kind of an archive by its first bytes.
func kindOf(head [4]byte) string {
	switch {
	case string(head[:2]) == "PK":
		return "zip"
	case head[0] == 0x1f && head[1] == 0x8b:
		return "tar.gz"
	case string(head[:3]) == "BZh":
		return "tar.bz2"
	case string(head[:]) == "\xfd7zX":
		return "tar.xz"
	}
	return "tar" // which no tool takes
}

// isDiskError reports whether an error is one of the disk: it is full, there is a quota,
// it may not be written. Names that collide with others, or that no directory can have,
// are faults of the archive.
func isDiskError(err error) bool {
	var e *fs.PathError
	var number syscall.Errno
	if !errors.As(err, &e) || !errors.As(e.Err, &number) {
		return false // or a path that leads out of the directory
	}
	switch number {
	case syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENOENT:
		return false
	}
	return true
}

// An unpacker writes the entries of one archive below root.
type unpacker struct {
	ctx     context.Context
	root    *os.Root
	left    int64           // how many bytes may follow
	files   int             // how many entries, and directories without one, may follow
	entries int             // how many there were
	dirs    map[string]bool // that exist
	links   int             // how many entries were links
	link    string          // the name of the first
}

// warnings returns what people should know about the archive.
func (u *unpacker) warnings() []string {
	if u.links == 0 {
		return nil
	}
	text := fmt.Sprintf("the link %.100q in the archive became a file without the content of its target, as in the tools", u.link)
	if u.links > 1 {
		text += fmt.Sprintf("; so did %d more", u.links-1)
	}
	return []string{text}
}

// note counts an entry that is a link.
func (u *unpacker) note(name string, link bool) {
	if !link {
		return
	}
	if u.links++; u.links == 1 {
		u.link = name
	}
}

// mkdir makes a directory with those above it. Each new one counts, as a short name of
// an entry may need many.
func (u *unpacker) mkdir(dir string) error {
	if u.dirs[dir] {
		return nil
	}
	for up := dir; !u.dirs[up]; up = filepath.Dir(up) {
		if u.files--; u.files < 0 {
			return registry.ErrLimit
		}
		u.dirs[up] = true
	}
	return u.root.MkdirAll(dir, 0o777)
}

// entry writes an entry with the data of r.
func (u *unpacker) entry(name string, isDir, executable bool, r io.Reader) error {
	if u.files--; u.files < 0 {
		return registry.ErrLimit
	}
	u.entries++
	if len(name) > maxName || strings.Count(name, "/") > maxNameDepth {
		return fmt.Errorf("%w: an entry has a name that is too long", registry.ErrLimit)
	}
	local := filepath.FromSlash(path.Clean(name))
	if strings.Contains(name, `\`) {
		return fmt.Errorf("entry %q has a backslash in its name, which is a separator on some systems", name)
	}
	if !filepath.IsLocal(local) || strings.HasPrefix(name, "/") || strings.Contains(name, "\x00") || slices.Contains(strings.Split(name, "/"), "..") {
		return fmt.Errorf("entry %q leads out of the directory", name)
	}
	if isDir {
		if !u.dirs[local] {
			u.files++ // the entry has counted
		}
		return u.mkdir(local)
	}
	if err := u.mkdir(filepath.Dir(local)); err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	if executable {
		mode = 0o777
	}
	w, err := u.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	n, err := io.Copy(w, io.LimitReader(&contextReader{u.ctx, r}, u.left+1))
	if u.left -= n; u.left < 0 {
		err = registry.ErrLimit
	}
	return cmp.Or(err, w.Close())
}

// unzip unpacks a zip.
func (u *unpacker) unzip(r io.ReaderAt, size int64, acceptEncrypted bool) error {
	// The list of entries is read as a whole: a huge one must be stopped meanwhile.
	list := &limitedReaderAt{r: r, left: 128<<10 + 1024*int64(u.files)}
	z, err := zip.NewReader(list, size)
	if list.left < 0 {
		return fmt.Errorf("%w: the list of entries is longer than it may be", registry.ErrLimit)
	}
	if err != nil {
		return err
	}
	list.left = math.MaxInt64
	for _, f := range z.File {
		if f.Flags&1 != 0 && !acceptEncrypted {
			return fmt.Errorf("entry %q is encrypted", f.Name)
		}
		r, err := f.Open()
		if err == nil {
			u.note(f.Name, f.Mode()&fs.ModeSymlink != 0)
			err = u.entry(f.Name, f.FileInfo().IsDir(), f.Mode()&0o111 != 0, r)
			r.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A limitedReaderAt fails when more than left bytes were read.
type limitedReaderAt struct {
	r    io.ReaderAt
	left int64
}

func (r *limitedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, registry.ErrLimit
	}
	return r.r.ReadAt(p, off)
}

// untar unpacks a compressed tar of a kind.
func (u *unpacker) untar(r io.Reader, kind string, xz func(io.Reader) (io.Reader, error)) error {
	zipped := kind == "tar.gz"
	var err error
	switch kind {
	case "tar.gz":
		r, err = gzip.NewReader(r)
	case "tar.bz2":
		r = bzip2.NewReader(r)
	case "tar.xz":
		if xz == nil {
			return errors.New("archives in xz cannot be unpacked here")
		}
		r, err = xz(r)
	default:
		return errors.New("it is neither a zip nor a tar that is compressed by gzip, bzip2 or xz")
	}
	if err != nil {
		return err
	}
	// Skipped data counts as well: headers, and what follows the archive.
	whole := &io.LimitedReader{R: &contextReader{u.ctx, r}, N: u.left + 4096*int64(u.files) + 1<<20}
	for t := tar.NewReader(whole); ; {
		h, err := t.Next()
		if err == io.EOF {
			// The checksum of gzip comes after the end of the archive. Other data
			// there does not matter, as for the tools.
			if zipped {
				_, err = io.Copy(io.Discard, whole)
			}
			if errors.Is(err, gzip.ErrChecksum) {
				return err
			}
			return nil
		}
		if err != nil {
			if whole.N <= 0 {
				err = registry.ErrLimit
			}
			return err
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		u.note(h.Name, h.Typeflag == tar.TypeLink || h.Typeflag == tar.TypeSymlink)
		if err := u.entry(h.Name, h.FileInfo().IsDir(), h.Mode&0o111 != 0, t); err != nil {
			return err
		}
	}
}

// A contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}
