// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// openZip reads the list of entries of a zip, and checks the properties known
// from it alone: number, sizes and ratio.
func (c *Client) openZip(r io.ReaderAt, size int64) ([]*zip.File, error) {
	limits := c.Limits.withDefaults()
	// The list is read as a whole, so a huge one must be stopped while it is
	// read.
	metered := &meteredReaderAt{r: r, left: 128<<10 + 1024*int64(limits.Files)}
	z, err := zip.NewReader(metered, size)
	if metered.left < 0 {
		return nil, fmt.Errorf("%w: %w: the list of entries is longer than it may be", ErrUnsafeArchive, ErrLimit)
	}
	if isDiskError(err) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsafeArchive, err)
	}
	metered.unmetered = true
	if len(z.File) > limits.Files {
		return nil, fmt.Errorf("%w: %w: %d entries, the limit is %d", ErrUnsafeArchive, ErrLimit, len(z.File), limits.Files)
	}
	total := uint64(0)
	for _, f := range z.File {
		if f.UncompressedSize64 > uint64(limits.Unpacked) {
			total = f.UncompressedSize64
			break
		}
		total += f.UncompressedSize64
	}
	if total > uint64(limits.Unpacked) {
		return nil, fmt.Errorf("%w: %w: it unpacks to %d bytes or more, the limit is %d", ErrUnsafeArchive, ErrLimit, total, limits.Unpacked)
	}
	// Small archives may be as dense as they like.
	if total > 64<<20 && total/uint64(limits.Ratio) > uint64(size) {
		return nil, fmt.Errorf("%w: %w: %d bytes unpack to %d, more than %d times as much", ErrUnsafeArchive, ErrLimit, size, total, limits.Ratio)
	}
	return z.File, nil
}

// A meteredReaderAt fails when more than the allowed number of bytes was read.
type meteredReaderAt struct {
	r         io.ReaderAt
	left      int64
	unmetered bool
}

func (m *meteredReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if !m.unmetered {
		if m.left -= int64(len(p)); m.left < 0 {
			return 0, ErrLimit
		}
	}
	return m.r.ReadAt(p, off)
}

// Unpack unpacks the zip of a provider package, size bytes long, into the new directory
// dir, whose parent must exist. It first unpacks into a temporary directory next to dir and
// then renames that, so dir exists completely or not at all. Unpack replaces nothing: if
// dir exists, the error is fs.ErrExist.
//
// Before it writes anything, Unpack refuses entries that no package needs, with
// ErrUnsafeArchive:
//
//   - names that are absolute or contain "..", a backslash, a colon or a control character;
//   - names that two entries share, even if they differ only in case, unless both are
//     directories;
//   - names that some systems cannot write: too long or too deep, with an empty part, or
//     with a part that ends in a space or a dot; on Windows also its reserved names;
//   - entries below one that is a file, symbolic links and special files;
//   - encrypted entries, unless [Policy.AcceptEncrypted] is set;
//   - everything beyond [Limits] in number, size or ratio, and zips without entries.
//
// Files get mode 0777 if they are executable and otherwise 0666, less the umask; times
// are not kept. OpenTofu turns links into files, writes absolute names below the
// target, and has no limits.
//
// r must not change meanwhile.
func (c *Client) Unpack(ctx context.Context, r io.ReaderAt, size int64, dir string) error {
	fail := func(err error) error { return &Error{Op: "unpack", URL: dir, Err: err} }
	files, err := c.openZip(r, size)
	if err != nil {
		return fail(err)
	}
	if err := checkEntries(files, c.Policy.AcceptEncrypted, c.Limits.withDefaults().Files); err != nil {
		return fail(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return fail(cmp.Or(err, fs.ErrExist))
	}
	tmp, err := mkdirBeside(dir)
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(tmp)
	// The root keeps every path inside, whatever checkEntries may have missed.
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return fail(err)
	}
	budget := c.Limits.withDefaults().Unpacked
	for _, f := range files {
		n, err := unpackEntry(ctx, root, f, budget)
		if err != nil {
			root.Close()
			return fail(err)
		}
		budget -= n
	}
	if err := root.Close(); err != nil {
		return fail(err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return fail(err)
	}
	return nil
}

// mkdirBeside makes a new directory with a name of its own next to dir. Unlike
// os.MkdirTemp, it leaves the mode to the umask.
func mkdirBeside(dir string) (string, error) {
	for range 1000 {
		tmp := filepath.Join(filepath.Dir(dir), fmt.Sprintf(".%s.new-%d", filepath.Base(dir), rand.Uint64()))
		if err := os.Mkdir(tmp, 0o777); !errors.Is(err, fs.ErrExist) {
			return tmp, err
		}
	}
	return "", fs.ErrExist
}

// entryName returns the name of an entry without a slash at its end and parts
// that are ".", which do not matter.
func entryName(f *zip.File) string {
	name := strings.TrimSuffix(f.Name, "/")
	if !strings.HasPrefix(name, "./") && !strings.Contains(name, "/.") && name != "." {
		return name
	}
	parts := strings.Split(name, "/")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "." }), "/")
}

// unpackEntry writes one entry below root.
func unpackEntry(ctx context.Context, root *os.Root, f *zip.File, budget int64) (int64, error) {
	name := filepath.FromSlash(entryName(f))
	if f.FileInfo().IsDir() {
		if name == "" { // the package itself
			return 0, nil
		}
		return 0, root.MkdirAll(name, 0o777)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return 0, err
	}
	mode := fs.FileMode(0o666)
	if f.Mode()&0o111 != 0 {
		mode = 0o777
	}
	r, err := f.Open()
	if err != nil {
		return 0, entryError(f, err)
	}
	defer r.Close()
	w, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(w, io.LimitReader(&contextReader{ctx, r}, budget+1))
	if err := cmp.Or(err, w.Close()); err != nil {
		return 0, entryError(f, err)
	}
	if n > budget {
		return 0, fmt.Errorf("%w: %w: it unpacks to more than the limit", ErrUnsafeArchive, ErrLimit)
	}
	return n, nil
}

// checkEntries refuses the entries that Unpack documents. With the directories that
// have no entry there may be most of them.
func checkEntries(files []*zip.File, acceptEncrypted bool, most int) error {
	if len(files) == 0 {
		return fmt.Errorf("%w: no entries", ErrUnsafeArchive)
	}
	seen := make(map[string]bool, len(files)) // folded name: is it a directory
	for _, f := range files {
		bad := func(reason string) error {
			return fmt.Errorf("%w: entry %q %s", ErrUnsafeArchive, printable.Line(f.Name, 200), reason)
		}
		isDir := f.FileInfo().IsDir()
		if m := f.Mode() &^ fs.ModePerm; m != 0 && m != fs.ModeDir && m&^(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky|fs.ModeDir) != 0 {
			return bad("is a link or a special file")
		}
		if f.Flags&0x1 != 0 && !acceptEncrypted {
			return bad("is encrypted")
		}
		name := entryName(f)
		if name == "" && isDir && !strings.HasPrefix(f.Name, "/") {
			continue
		}
		if reason := badName(name); reason != "" {
			return bad(reason)
		}
		// Every parent is a directory, whether it has an entry or not.
		folded := strings.ToLower(name)
		for i := range len(folded) {
			if folded[i] != '/' {
				continue
			}
			if dir, ok := seen[folded[:i]]; ok && !dir {
				return bad("is below a file")
			}
			seen[folded[:i]] = true
		}
		if dir, ok := seen[folded]; ok && !(dir && isDir) {
			return bad("occurs twice")
		}
		seen[folded] = isDir
		if len(seen) > most {
			return fmt.Errorf("%w: %w: more than %d entries and directories without one", ErrUnsafeArchive, ErrLimit, most)
		}
	}
	return nil
}

// badName returns the reason why name is not a plain relative path, or "".
func badName(name string) string {
	switch {
	case name == "" || strings.HasPrefix(name, "/"):
		return "is absolute"
	case strings.ContainsAny(name, "\\:") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "has a backslash, a colon or a control character"
	case len(name) > 1000 || strings.Count(name, "/") > 30:
		return "has a name that is too long"
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return "leaves the directory or is a reserved name"
	}
	for _, part := range strings.Split(name, "/") {
		switch {
		case part == "..":
			return "leaves the directory"
		case part == "" || part == ".":
			return "has an empty part"
		case len(part) > 255 || strings.HasSuffix(part, " ") || strings.HasSuffix(part, "."):
			return "has a part that some systems cannot write"
		}
	}
	return ""
}

// FindExecutable returns the name of the plugin in the directory of an unpacked
// package of the provider type. As in OpenTofu, it is the first file at the top
// whose name is "terraform-provider-TYPE", alone or followed by "_" or ".". The
// error is fs.ErrNotExist if there is none.
func FindExecutable(dir, typ string) (string, error) {
	names, err := readNames(dir)
	if err != nil {
		return "", &Error{Op: "unpack", URL: dir, Err: err}
	}
	i := slices.IndexFunc(names, func(name string) bool {
		rest, ok := strings.CutPrefix(name, "terraform-provider-"+typ)
		if !ok || rest != "" && rest[0] != '_' && rest[0] != '.' {
			return false
		}
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && !info.IsDir()
	})
	if i < 0 {
		return "", &Error{Op: "unpack", URL: dir, Err: fmt.Errorf("no terraform-provider-%s in the package: %w", typ, fs.ErrNotExist)}
	}
	return names[i], nil
}

// PluginWarning returns a text for people if the tools cannot start the plugin in dir, the
// directory of the unpacked pkg, because its zip did not say that it is executable. Otherwise
// it returns "": on Windows, and for packages of Windows, that does not matter.
func PluginWarning(pkg *Package, dir string) string {
	if pkg == nil || runtime.GOOS == "windows" || pkg.Platform.OS() == "windows" {
		return ""
	}
	name, err := FindExecutable(dir, pkg.Provider.Type())
	if err != nil {
		return ""
	}
	if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode()&0o111 != 0 {
		return ""
	}
	return fmt.Sprintf("the plugin %s is not executable in its package, so that no tool can start it", printable.Line(name, 100))
}
