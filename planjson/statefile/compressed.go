// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

var gzipMagic = []byte("\x1f\x8b\x08")

// isCompressed reports whether a text is in gzip's format. Its name says nothing: the stores
// that compress have no names of files.
func isCompressed(src []byte) bool { return bytes.HasPrefix(src, gzipMagic) }

// How large a text may become: honest states grow to at most some dozens of times.
const (
	minDecompressed = 64 << 20
	maxRatio        = 256
)

// decompressed returns the text in src.
func decompressed(src []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, compressionError(err)
	}
	limit := max(minDecompressed, maxRatio*int64(len(src)))
	text, err := io.ReadAll(io.LimitReader(z, limit+1))
	switch {
	case err != nil:
		return nil, compressionError(err)
	case int64(len(text)) > limit:
		return nil, &Error{Err: fmt.Errorf("%w: the compressed text grows to more than %d bytes", ErrLimit, limit)}
	}
	return text, nil
}

func compressionError(err error) error {
	return &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the text is compressed by gzip, and damaged: %w", ErrInvalid, err)}
}

// plainReader returns a reader of the text that r has, which may be compressed.
func plainReader(r io.Reader) io.Reader {
	return &lazyReader{from: r}
}

// A lazyReader looks at the beginning of a text when it is read first.
type lazyReader struct {
	from io.Reader
	text io.Reader
}

func (l *lazyReader) Read(p []byte) (int, error) {
	if l.text == nil {
		b := bufio.NewReader(l.from)
		l.text = b
		if head, _ := b.Peek(len(gzipMagic)); isCompressed(head) {
			z, err := gzip.NewReader(b)
			if err != nil {
				return 0, compressionError(err)
			}
			l.text = z
		}
	}
	return l.text.Read(p)
}
