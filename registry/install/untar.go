// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"archive/tar"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/registry"
)

// Bounds on the name of an entry, as for packages.
const (
	maxName      = 1000 // bytes
	maxNameDepth = 30
)

// untar unpacks a tar archive, plain or compressed, of the given size into the new
// directory dir, completely or not at all. It leaves out links and special files. A
// name that leads out of the directory is an error.
func untar(ctx context.Context, r io.Reader, size int64, head [4]byte, dir string, limits registry.Limits) error {
	fail := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%w: %w", registry.ErrUnsafeArchive, err)
	}
	zipped := false
	switch {
	case head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(r)
		if err != nil {
			return fail(err)
		}
		r, zipped = z, true
	case string(head[:3]) == "BZh":
		r = bzip2.NewReader(r)
	case string(head[:]) == "\xfd7zX":
		return errors.New("archives in xz cannot be unpacked")
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "module")
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(out)
	if err != nil {
		return err
	}
	defer root.Close()
	left, files := cmp.Or(limits.Unpacked, 4<<30), cmp.Or(limits.Files, 20_000)
	if ratio := cmp.Or(limits.Ratio, 100); size < left/ratio {
		left = min(left, max(size*ratio, 64<<20))
	}
	// Skipped data counts as well: headers, and entries that are left out.
	whole := &io.LimitedReader{R: &contextReader{ctx, r}, N: left + 4096*int64(files) + 1<<20}
	for t := tar.NewReader(whole); ; files-- {
		h, err := t.Next()
		if err == io.EOF {
			// The checksum of gzip comes after the end of the archive. Other data
			// there does not matter, as for the tools.
			if zipped {
				_, err = io.Copy(io.Discard, whole)
			}
			if errors.Is(err, gzip.ErrChecksum) || ctx.Err() != nil {
				return fail(err)
			}
			break
		}
		if err != nil && whole.N <= 0 {
			err = registry.ErrLimit
		}
		if err != nil {
			return fail(err)
		}
		if files <= 0 {
			return fail(registry.ErrLimit)
		}
		name := filepath.FromSlash(strings.TrimSuffix(h.Name, "/"))
		if name == "." || h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		if len(name) > maxName || strings.Count(h.Name, "/") > maxNameDepth {
			return fail(fmt.Errorf("%w: an entry has a name that is too long", registry.ErrLimit))
		}
		if !filepath.IsLocal(name) || strings.ContainsAny(h.Name, "\\\x00") {
			return fail(fmt.Errorf("entry %q leads out of the directory", h.Name))
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o777)
		case tar.TypeReg:
			var n int64
			n, err = untarFile(root, name, h, io.LimitReader(t, left+1))
			if left -= n; left < 0 {
				return fail(registry.ErrLimit)
			}
		}
		if err != nil {
			return fail(err)
		}
	}
	root.Close()
	return os.Rename(out, dir)
}

func untarFile(root *os.Root, name string, h *tar.Header, r io.Reader) (int64, error) {
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return 0, err
	}
	mode := os.FileMode(0o666)
	if h.Mode&0o111 != 0 {
		mode = 0o777
	}
	w, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(w, r)
	return n, cmp.Or(err, w.Close())
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
