// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// errDirectory and errNotDirectory say that a path leads to the wrong thing.
var (
	errDirectory    = errors.New("is a directory")
	errNotDirectory = errors.New("not a directory")
)

// Dir hashes the directory dir, an unpacked package. If dir is a symbolic
// link to a directory, as in a plugin cache, it is followed.
//
// All files at any depth count, by their content and their path below dir.
// Modes, times and empty directories do not. A symbolic link to a file counts
// as a file, with a warning; one to a directory is an error, as in OpenTofu.
// Files that are neither, such as named pipes and devices, are an error with
// the cause [ErrSpecialFile] and are not opened.
func (h Hasher) Dir(ctx context.Context, dir string) (*Package, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fail(dir, "", plain(err))
	}
	info, err := os.Stat(root)
	if err != nil {
		return nil, fail(dir, "", plain(err))
	}
	if !info.IsDir() {
		return nil, fail(dir, "", errNotDirectory)
	}
	return h.tree(ctx, dir, tree{
		walk: func(visit fs.WalkDirFunc) error { return filepath.WalkDir(root, visit) },
		name: func(path string) (string, error) {
			rel, err := filepath.Rel(root, path)
			return filepath.ToSlash(rel), err
		},
		stat: os.Stat,
		open: func(path string) (fs.File, error) { return os.Open(path) },
	})
}

// FS hashes a tree of files, such as one from [os.DirFS] or an [embed.FS], like
// [Hasher.Dir]. The name is only for the result and for errors.
func (h Hasher) FS(ctx context.Context, name string, fsys fs.FS) (*Package, error) {
	return h.tree(ctx, name, tree{
		walk: func(visit fs.WalkDirFunc) error { return fs.WalkDir(fsys, ".", visit) },
		name: func(path string) (string, error) { return path, nil },
		stat: func(path string) (fs.FileInfo, error) { return fs.Stat(fsys, path) },
		open: fsys.Open,
	})
}

// A tree is where the files of a package are.
type tree struct {
	walk func(fs.WalkDirFunc) error             // as [filepath.WalkDir]
	name func(path string) (string, error)      // the slash-separated name of a path
	stat func(path string) (fs.FileInfo, error) // follows symbolic links
	open func(path string) (fs.File, error)
}

// A treeFile is a file of a tree.
type treeFile struct {
	name, path string
	size       int64
	index      int // its place in the order of the tree
}

// files returns the files of t, in the order of a walk, with warnings about
// them.
func (t tree) files(ctx context.Context, limits Limits) (files []treeFile, warnings []Warning, err error) {
	err = t.walk(func(path string, d fs.DirEntry, err error) error {
		name, nameErr := t.name(path)
		if err = cmp.Or(err, nameErr, ctx.Err()); err != nil {
			return fail("", name, plain(err))
		}
		if d.IsDir() {
			return nil
		}
		if strings.Contains(name, "\n") {
			return fail("", name, ErrNewline)
		}
		if err := limits.checkEntries(len(files) + 1); err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && d.Type()&fs.ModeSymlink != 0 {
			warnings = append(warnings, Warning{Entry: name, Err: ErrSymlink})
			info, err = t.stat(path)
		}
		switch {
		case err != nil:
			return fail("", name, plain(err))
		case info.IsDir():
			return fail("", name, errDirectory)
		case !info.Mode().IsRegular():
			return fail("", name, ErrSpecialFile)
		}
		files = append(files, treeFile{name: name, path: path, size: info.Size(), index: len(files)})
		return nil
	})
	return files, warnings, err
}

// A treeJob is the state that the goroutines hashing one tree share.
type treeJob struct {
	h      Hasher
	tree   tree
	name   string
	limits Limits
	total  int64
	lines  []line // by the index of the file

	mu     sync.Mutex
	queue  []treeFile // files that no goroutine has begun
	done   int64      // how many bytes have been read
	err    error      // the error of the first file, in order, that failed
	failed int        // the index of that file
}

// tree hashes the files of t.
func (h Hasher) tree(ctx context.Context, name string, t tree) (*Package, error) {
	limits := h.Limits.withDefaults()
	files, warnings, err := t.files(ctx, limits)
	if err != nil {
		return nil, fail(name, "", err)
	}
	j := &treeJob{h: h, tree: t, name: name, limits: limits, queue: files, lines: make([]line, len(files))}
	for _, f := range files {
		j.total += f.size
	}
	workers := min(h.workers(), len(files))
	if workers > 1 {
		// The largest files come first, so no goroutine begins a large one at
		// the end.
		sort.SliceStable(j.queue, func(a, b int) bool { return j.queue[a].size > j.queue[b].size })
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() { j.work(ctx) })
		}
		wg.Wait()
	} else {
		j.work(ctx)
	}
	if j.err != nil {
		return nil, fail(name, "", j.err)
	}
	p := &Package{Name: name, Size: j.done, Files: len(j.lines), Top: topNames(j.lines), Warnings: warnings}
	if p.H1, err = sumLines(j.lines); err != nil {
		return nil, fail(name, "", err)
	}
	p.Extracted = p.H1
	return p, nil
}

// work hashes files until there are none left or one has failed.
func (j *treeJob) work(ctx context.Context) {
	content := sha256.New()
	buf := make([]byte, chunkSize)
	for {
		j.mu.Lock()
		if j.err != nil || len(j.queue) == 0 {
			j.mu.Unlock()
			return
		}
		f := j.queue[0]
		j.queue = j.queue[1:]
		j.mu.Unlock()

		content.Reset()
		if err := j.read(ctx, content, f.path, buf); err != nil {
			j.mu.Lock()
			if j.err == nil || f.index < j.failed {
				j.err, j.failed = fail("", f.name, plain(err)), f.index
			}
			j.mu.Unlock()
			return
		}
		j.lines[f.index].name = f.name
		content.Sum(j.lines[f.index].sum[:0])
	}
}

// read hashes the content of one file.
func (j *treeJob) read(ctx context.Context, content hash.Hash, path string, buf []byte) error {
	f, err := j.tree.open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		n, err := f.Read(buf)
		content.Write(buf[:n])
		if err := j.add(int64(n)); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
}

// add counts n bytes that have been read.
func (j *treeJob) add(n int64) error {
	if n == 0 {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done += n
	j.h.progress(j.name, j.done, j.total)
	return j.limits.checkBytes(uint64(j.done), -1)
}
