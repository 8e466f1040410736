// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package source finds documents: in files, directories, archives and buckets.
package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"
)

// An Item is a file or an object of a bucket. It may be an archive with many
// documents.
type Item struct {
	Place    string    // path or URL
	Named    bool      // whether the caller named it, instead of a directory, a pattern or a bucket it is in
	Bytes    int64     // its length
	Modified time.Time // zero if it is not known

	// Bucket and Key are the URL of the bucket and the name in it, if it is an
	// object.
	Bucket, Key string
}

func (it Item) open(ctx context.Context) (io.ReadCloser, error) {
	if it.Bucket == "" {
		return os.Open(filepath.FromSlash(it.Place))
	}
	bucket, err := OpenBucket(ctx, it.Bucket)
	if err != nil {
		return nil, err
	}
	return bucket.NewReader(ctx, it.Key, nil)
}

// List calls yield for each item of places, in the order of places and, within one,
// of the names. A place is
//
//   - a file;
//   - a directory, with all that is below it, but without the directories .git
//     and .terraform, without links and without anything that is no regular file;
//   - a pattern as of filepath.Match, if no file has that name;
//   - the URL of a bucket, such as s3://BUCKET/PREFIX?region=REGION, with all objects
//     whose names begin with the prefix or, if it is a pattern as of path.Match, match it.
//
// For a place that cannot be read, fault is called, and List goes on unless that
// returns an error. Errors of yield and ctx end it.
func List(ctx context.Context, places []string, yield func(Item) error, fault func(place string, err error) error) error {
	for _, place := range places {
		l := lister{ctx, yield, fault}
		if err := l.place(place); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ReadList reads places from r: one on each line. Empty lines are ignored.
func ReadList(r io.Reader) (places []string, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if line := strings.TrimRight(s.Text(), "\r"); line != "" {
			places = append(places, line)
		}
	}
	return places, s.Err()
}

type lister struct {
	ctx   context.Context
	yield func(Item) error
	fault func(string, error) error
}

func (l *lister) place(place string) error {
	if scheme, _, ok := strings.Cut(place, "://"); ok && scheme != "" {
		return l.bucket(place)
	}
	info, err := os.Stat(place)
	switch {
	case err == nil && info.IsDir():
		return l.directory(place)
	case err == nil:
		return l.file(place, info, true)
	case !strings.ContainsAny(place, "*?["):
		return l.fault(place, err)
	}
	matches, err := filepath.Glob(place)
	if err != nil {
		return l.fault(place, err)
	}
	if len(matches) == 0 {
		return l.fault(place, errors.New("no file matches"))
	}
	for _, match := range matches {
		info, err := os.Stat(match)
		switch {
		case err != nil:
			err = l.fault(match, err)
		case info.IsDir():
			err = l.directory(match)
		default:
			err = l.file(match, info, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *lister) file(place string, info fs.FileInfo, named bool) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		if named {
			return l.fault(place, errors.New("not a regular file"))
		}
		return nil
	}
	return l.yield(Item{Place: filepath.ToSlash(place), Named: named, Bytes: info.Size(), Modified: info.ModTime()})
}

func (l *lister) directory(dir string) error {
	found := false
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return l.fault(name, err)
		}
		if d.IsDir() {
			if base := d.Name(); name != dir && (base == ".git" || base == ".terraform") {
				return fs.SkipDir
			}
			return l.ctx.Err()
		}
		if !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return l.fault(name, err)
		}
		found = true
		return l.file(name, info, false)
	})
	if err == nil && !found {
		return l.fault(dir, errors.New("there is no file in this directory"))
	}
	return err
}

// bucket lists a bucket.
func (l *lister) bucket(place string) error {
	root, prefix, err := SplitURL(place)
	if err != nil {
		return l.fault(place, err)
	}
	bucket, err := OpenBucket(l.ctx, root)
	if err != nil {
		return l.fault(place, err)
	}
	literal, pattern := prefix, ""
	if i := strings.IndexAny(prefix, "*?["); i >= 0 {
		literal, pattern = prefix[:i], prefix
	}
	found := false
	for objects := bucket.List(&blob.ListOptions{Prefix: literal}); ; {
		o, err := objects.Next(l.ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			if l.ctx.Err() != nil {
				return l.ctx.Err()
			}
			return l.fault(place, err)
		}
		if pattern != "" {
			ok, err := path.Match(pattern, o.Key)
			if err != nil {
				return l.fault(place, err)
			}
			if !ok {
				continue
			}
		}
		if o.IsDir || skipped(o.Key) {
			continue
		}
		found = true
		if err := l.yield(object(root, place, o)); err != nil {
			return err
		}
	}
	if !found {
		return l.fault(place, errors.New("the bucket has no such object"))
	}
	return nil
}

// skipped reports whether an object is in a directory that is not read.
func skipped(key string) bool {
	key = "/" + key
	return strings.Contains(key, "/.git/") || strings.Contains(key, "/.terraform/")
}

func object(root, place string, o *blob.ListObject) Item {
	key := o.Key
	return Item{Place: JoinURL(root, key), Named: strings.HasSuffix(place, "/"+key), Bytes: o.Size, Modified: o.ModTime, Bucket: root, Key: key}
}

// buckets has the buckets that are open, by URL. Each is opened once and stays
// open as long as the program runs, because that can take requests.
var buckets struct {
	sync.Mutex
	open map[string]*blob.Bucket
}

// OpenBucket opens a bucket by its URL. The caller must not close it.
func OpenBucket(ctx context.Context, root string) (*blob.Bucket, error) {
	buckets.Lock()
	defer buckets.Unlock()
	if b := buckets.open[root]; b != nil {
		return b, nil
	}
	b, err := blob.OpenBucket(context.WithoutCancel(ctx), root)
	if err != nil {
		return nil, err
	}
	if buckets.open == nil {
		buckets.open = make(map[string]*blob.Bucket)
	}
	buckets.open[root] = b
	return b, nil
}

// SplitURL splits the URL of objects into that of their bucket and the name or
// prefix of the objects. The path of a URL file:///DIR is that of the bucket; a
// prefix in it comes after "!".
func SplitURL(place string) (bucket, prefix string, err error) {
	base, query, ok := strings.Cut(place, "?")
	if ok && strings.ContainsAny(query, "*[") {
		return "", "", fmt.Errorf("%s: the query must not contain a pattern", place)
	}
	if ok {
		query = "?" + query
	}
	scheme, rest, _ := strings.Cut(base, "://")
	if scheme == "file" {
		dir, prefix, _ := strings.Cut(rest, "!")
		return scheme + "://" + dir + query, prefix, nil
	}
	host, prefix, _ := strings.Cut(rest, "/")
	if scheme == "" || host == "" && scheme != "mem" {
		return "", "", fmt.Errorf("%s: expected SCHEME://BUCKET/PREFIX", place)
	}
	return scheme + "://" + host + query, prefix, nil
}

// JoinURL is the reverse of [SplitURL] for one object. The query, which may have
// keys, is not part of it.
func JoinURL(bucket, key string) string {
	base, _, _ := strings.Cut(bucket, "?")
	if strings.HasPrefix(base, "file://") {
		return strings.TrimSuffix(base, "/") + "/" + key
	}
	return base + "/" + key
}
