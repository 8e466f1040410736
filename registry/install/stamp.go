// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A change is what the system records about a file. The time is that of the last change
// of its content or attributes, which no program can set.
type change struct {
	nanoseconds   int64
	inode, device uint64
	owner         int
}

// A stamp records that the package in a directory was hashed, and the attributes that
// its files had then. While they are the same, the files need not be read again.
type stamp struct {
	Dir   string         `json:"dir"`   // absolute, without links
	Time  int64          `json:"time"`  // before the first file was read, in nanoseconds
	H1    addrs.Hash     `json:"h1"`    // of the files
	Zip   []addrs.Hash   `json:"zip"`   // of the zip they are from; empty if that is not known
	Files []stampedEntry `json:"files"` // all files and directories, the package itself first
}

// A stampedEntry is a file or a directory of a package.
type stampedEntry struct {
	Name   string      `json:"name"`
	Mode   fs.FileMode `json:"mode"`
	Size   int64       `json:"size"`
	MTime  int64       `json:"mtime"`
	CTime  int64       `json:"ctime"`
	Inode  uint64      `json:"inode"`
	Device uint64      `json:"device"`
	Owner  int         `json:"owner"`
}

const (
	maxStamped   = 4096    // entries of a package
	maxStampFile = 4 << 20 // bytes of a file with a stamp

	stampSuffix = ".stamp"
)

// A file that was changed twice within one tick of the file system's clock has the
// times of the first change. A stamp counts only if it is later than the files by more
// than a tick: that of the kernel, or, where times have no fractions, that of a file
// system that counts in seconds, or in two of them.
const (
	tick       = 50 * time.Millisecond
	coarseTick = 2 * time.Second
)

// settled reports whether an entry was last changed well before a moment.
func (e *stampedEntry) settled(moment int64) bool {
	margin := tick
	if e.CTime%int64(time.Second) == 0 {
		margin = coarseTick
	}
	return e.CTime > 0 && max(e.MTime, e.CTime) < moment-int64(margin)
}

// settle waits until a package that was changed just now is old enough for a stamp. The
// processes that wait for a download come at once, and only one of them needs to hash it.
func settle(entries []stampedEntry) {
	var last int64
	for _, e := range entries {
		last = max(last, e.MTime, e.CTime)
	}
	if age := time.Since(time.Unix(0, last)); age >= 0 && age <= tick {
		time.Sleep(tick - age + time.Millisecond)
	}
}

// holds reports whether a package with these entries is still the one of the stamp.
func (s *stamp) holds(dir string, entries []stampedEntry, now time.Time) bool {
	if s.Dir != dir || s.Time > now.UnixNano() || s.H1.Scheme() != addrs.SchemeH1 || !slices.Equal(s.Files, entries) {
		return false
	}
	for i := range entries {
		if !entries[i].settled(s.Time) {
			return false
		}
	}
	return true
}

// surveyEntries returns the attributes of all files and directories of a package. It
// reports false if a stamp cannot cover it: if there are links or special files in it,
// too many entries, or if its file system does not keep the attributes.
func surveyEntries(ctx context.Context, dir string) ([]stampedEntry, bool) {
	if !keepsChanges(dir) {
		return nil, false
	}
	var out []stampedEntry
	errCannot := errors.New("no stamp")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil || len(out) >= maxStamped {
			return errCannot
		}
		info, err := d.Info()
		if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
			return errCannot
		}
		name, err := filepath.Rel(dir, path)
		c, ok := changeOf(info)
		if err != nil || !ok || len(out) > 0 && c.device != out[0].Device { // another file system
			return errCannot
		}
		out = append(out, stampedEntry{filepath.ToSlash(name), info.Mode(), info.Size(), info.ModTime().UnixNano(), c.nanoseconds, c.inode, c.device, c.owner})
		return nil
	})
	return out, err == nil && len(out) > 0
}

// A stampDir is the opened directory of a user's stamps.
type stampDir struct{ root *os.Root }

// openStamps opens the directory with the stamps of the cache, and creates it if
// necessary. It returns nil if stamps are not used.
func (c *Cache) openStamps() *stampDir {
	if c == nil || c.Stamps == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.Stamps), 0o777); err != nil {
		return nil
	}
	if err := os.Mkdir(c.Stamps, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil
	}
	real, err := realPath(c.Stamps)
	if err != nil || c.contains(real) {
		return nil // a program that can write the cache could replace it
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil
	}
	// What was opened counts, whatever its name leads to now.
	info, err := root.Stat(".")
	if err != nil || !private(info) {
		root.Close()
		return nil
	}
	return &stampDir{root}
}

// private reports whether a file belongs to this user and no other user has access to
// it.
func private(info fs.FileInfo) bool {
	c, ok := changeOf(info)
	return ok && c.owner == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}

// trustworthy reports whether only this user or the administrator can have written a
// file. Where the system does not report the owner of a file, it is trusted.
func trustworthy(info fs.FileInfo) bool {
	c, ok := changeOf(info)
	return !ok || (c.owner == os.Geteuid() || c.owner == 0) && info.Mode().Perm()&0o022 == 0
}

// contains reports whether a path without links is below a directory of the cache.
func (c *Cache) contains(path string) bool {
	for _, base := range append(slices.Clone(c.Layers), c.Dir) {
		if base == "" {
			continue
		}
		real, err := realPath(base)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// realPath returns the absolute path without links.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// close closes the directory.
func (d *stampDir) close() {
	if d != nil {
		d.root.Close()
	}
}

// stampName is the name of the stamp of the package in a directory.
func stampName(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:]) + stampSuffix
}

// read returns a stamp, or nil if it is missing or damaged.
func (d *stampDir) read(name string) *stamp {
	f, err := d.root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !private(info) || info.Size() > maxStampFile {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxStampFile))
	if err != nil {
		return nil
	}
	// The first line is the SHA-256 of the second one.
	sum, body, ok := bytes.Cut(text, []byte("\n"))
	want := sha256.Sum256(body)
	var s stamp
	if !ok || string(sum) != hex.EncodeToString(want[:]) || json.Unmarshal(body, &s) != nil {
		return nil
	}
	return &s
}

// write records a stamp, completely or not at all. If that fails, the package is
// hashed again the next time.
func (d *stampDir) write(s *stamp) {
	body, err := json.Marshal(s)
	if err != nil || len(body) > maxStampFile-100 {
		return
	}
	sum := sha256.Sum256(body)
	name := stampName(s.Dir)
	fresh := fmt.Sprintf("%s.new-%d", name, rand.Uint64())
	if d.root.WriteFile(fresh, append([]byte(hex.EncodeToString(sum[:])+"\n"), body...), 0o600) != nil || d.root.Rename(fresh, name) != nil {
		d.root.Remove(fresh)
	}
}

// sweep removes the stamps of packages that do not exist any more, and what killed
// processes left.
func (d *stampDir) sweep() {
	dir, err := d.root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		_, after, ours := strings.Cut(name, stampSuffix)
		if !ours {
			continue
		}
		if after != "" {
			if info, err := d.root.Lstat(name); err == nil && time.Since(info.ModTime()) > time.Hour {
				d.root.Remove(name)
			}
			continue
		}
		s := d.read(name)
		if s != nil {
			_, err = os.Lstat(s.Dir)
		}
		if s == nil || errors.Is(err, fs.ErrNotExist) {
			d.root.Remove(name)
		}
	}
}

// A hashedPackage is the directory of a package with its hashes.
type hashedPackage struct {
	h1  addrs.Hash
	zip []addrs.Hash // those that a stamp has

	// keep records that the hashes were verified, with those of the zip if they are
	// known.
	keep func(zip []addrs.Hash)
}

// hash returns the hashes of the package in a directory: those of its stamp, if that
// holds, or else from its files.
func (c *Cache) hash(ctx context.Context, dir string) (hashedPackage, error) {
	out := hashedPackage{keep: func([]addrs.Hash) {}}
	stamps := c.openStamps()
	defer stamps.close()
	real, err := realPath(dir)
	if stamps == nil || err != nil || !c.contains(real) {
		out.h1, err = hashDir(ctx, dir)
		return out, err
	}
	before, can := surveyEntries(ctx, real)
	if can {
		if s := stamps.read(stampName(real)); s != nil && s.holds(real, before, time.Now()) {
			out.h1, out.zip = s.H1, s.Zip
			out.keep = func(zip []addrs.Hash) {
				if len(zip) > 0 && !slices.Equal(zip, s.Zip) {
					c.writeStamp(s, zip)
				}
			}
			return out, nil
		}
	}
	if can {
		settle(before)
	}
	begin := time.Now()
	if out.h1, err = hashDir(ctx, real); err != nil || !can {
		return out, err
	}
	fresh := &stamp{Dir: real, Time: begin.UnixNano(), H1: out.h1, Files: before}
	if after, ok := surveyEntries(ctx, real); ok && fresh.holds(real, after, time.Now()) {
		out.keep = func(zip []addrs.Hash) { c.writeStamp(fresh, zip) }
	}
	return out, nil
}

// writeStamp records a stamp with the hashes of the zip.
func (c *Cache) writeStamp(s *stamp, zip []addrs.Hash) {
	if stamps := c.openStamps(); stamps != nil {
		defer stamps.close()
		s.Zip = zip
		stamps.write(s)
	}
}
