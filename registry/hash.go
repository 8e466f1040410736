// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// h1 computes the h1 hashes of a zip. It uses Client.H1 if the caller has set
// it, and plainH1 otherwise.
func (c *Client) h1(ctx context.Context, r io.ReaderAt, size int64) ([]addrs.Hash, error) {
	if c.H1 != nil {
		hashes, err := c.H1(ctx, r, size)
		return withScheme(hashes, addrs.SchemeH1), err
	}
	files, err := c.openZip(r, size)
	if err != nil {
		return nil, err
	}
	return plainH1(ctx, files, c.Limits.withDefaults())
}

// plainH1 computes the h1 of the files that the entries unpack to. If several
// entries have one name, the last counts; directories do not count. If the h1
// of the list of entries itself differs, plainH1 returns it second. The hash is
// dirhash.Hash1 of golang.org/x/mod: a SHA-256 over lines of SHA-256, two
// spaces, name, in the order of the names.
func plainH1(ctx context.Context, files []*zip.File, limits Limits) ([]addrs.Hash, error) {
	sums := make(map[*zip.File][]byte, len(files))
	last := make(map[string]*zip.File, len(files))    // by raw name
	unpacks := make(map[string]*zip.File, len(files)) // by clean name
	budget := limits.Unpacked
	for _, f := range files {
		if strings.Contains(f.Name, "\n") {
			return nil, fmt.Errorf("%w: a file name with a newline", ErrUnsafeArchive)
		}
		sum, n, err := sumEntry(ctx, f, budget)
		if err != nil {
			return nil, err
		}
		budget -= n
		sums[f] = sum
		last[f.Name] = f
		if !f.FileInfo().IsDir() {
			unpacks[strings.TrimPrefix(path.Clean(f.Name), "/")] = f
		}
	}
	line := func(f *zip.File, name string) string { return fmt.Sprintf("%x  %s\n", sums[f], name) }

	dir := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(unpacks)) {
		io.WriteString(dir, line(unpacks[name], name))
	}
	raw := sha256.New()
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) }) {
		io.WriteString(raw, line(last[f.Name], f.Name))
	}
	encode := func(sum []byte) addrs.Hash { return addrs.Hash("h1:" + base64.StdEncoding.EncodeToString(sum)) }
	return slices.Compact([]addrs.Hash{encode(dir.Sum(nil)), encode(raw.Sum(nil))}), nil
}

// sumEntry returns the SHA-256 of an entry's content, and its length, which
// must not be above budget.
func sumEntry(ctx context.Context, f *zip.File, budget int64) ([]byte, int64, error) {
	r, err := f.Open()
	if err != nil {
		return nil, 0, entryError(f, err)
	}
	defer r.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(&contextReader{ctx, r}, budget+1))
	if err != nil {
		return nil, 0, entryError(f, err)
	}
	if n > budget {
		return nil, 0, fmt.Errorf("%w: %w: it unpacks to more than the limit", ErrUnsafeArchive, ErrLimit)
	}
	return h.Sum(nil), n, nil
}

// entryError names the entry in an error.
func entryError(f *zip.File, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || isDiskError(err) {
		return err
	}
	return fmt.Errorf("%w: entry %q: %w", ErrUnsafeArchive, printable.Line(f.Name, 200), err)
}

// isDiskError reports whether an error is about a file on disk, such as a full disk or a
// quota, and not about the content of an archive.
func isDiskError(err error) bool {
	var e *fs.PathError
	return errors.As(err, &e)
}

// hasScheme reports whether a hash has the scheme.
func hasScheme(hashes []addrs.Hash, scheme addrs.HashScheme) bool {
	return slices.ContainsFunc(hashes, func(h addrs.Hash) bool { return h.Scheme() == scheme })
}

// withScheme returns the hashes that have the scheme.
func withScheme(hashes []addrs.Hash, scheme addrs.HashScheme) []addrs.Hash {
	var out []addrs.Hash
	for _, h := range hashes {
		if h.Scheme() == scheme {
			out = append(out, h)
		}
	}
	return out
}

// zhOf returns the zh hash of a SHA-256 in hexadecimal.
func zhOf(sum string) addrs.Hash { return addrs.Hash("zh:" + sum) }

// joinHashes returns the texts of hashes, for messages.
func joinHashes(hashes []addrs.Hash) string {
	texts := make([]string, len(hashes))
	for i, h := range hashes {
		texts[i] = h.String()
	}
	return strings.Join(texts, " ")
}

// sortedSet sorts list and removes duplicates.
func sortedSet(list []addrs.Hash) []addrs.Hash {
	slices.Sort(list)
	return slices.Compact(list)
}
