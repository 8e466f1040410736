// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// stream redacts what src holds, which is read from its beginning several times.
func (r Redactor) stream(t typeID, w io.Writer, src io.Reader) (int, error) {
	s, ok := src.(io.ReadSeeker)
	if ok {
		_, err := s.Seek(0, io.SeekCurrent)
		ok = err == nil
	}
	if !ok && r.NoSpool {
		return r.runBlind(t, w, src)
	}
	start, length := int64(0), int64(0)
	if ok {
		var err error
		if start, err = s.Seek(0, io.SeekCurrent); err != nil {
			return 0, err
		}
		if end, err := s.Seek(0, io.SeekEnd); err == nil {
			length = end - start
		}
		if _, err = s.Seek(start, io.SeekStart); err != nil {
			return 0, err
		}
	}
	if !r.windows && length <= maxShortFile {
		text, rest, all := short(src, int(length))
		if all {
			n, _, err := r.run(t, true, w, func() (io.Reader, []byte, error) { return nil, text, nil })
			return n, err
		}
		src = io.MultiReader(bytes.NewReader(text), rest)
	}
	if !ok {
		f, err := spool(src)
		if err != nil {
			return 0, err
		}
		defer f.close()
		s = f
	}
	n, _, err := r.run(t, true, w, func() (io.Reader, []byte, error) {
		_, err := s.Seek(start, io.SeekStart)
		return s, nil, err
	})
	return n, err
}

// maxShort is the length up to which a document is short: it is read once and
// kept, because that takes less time. That of a file is known before.
const (
	maxShort     = 1 << 20
	maxShortFile = 4 << 20
)

// short returns all of a short document that is valid, and true; or what it read
// until it knew that there is none, and what comes after that. The length may be
// known, or is 0.
func short(src io.Reader, length int) (text []byte, rest io.Reader, all bool) {
	text = make([]byte, 0, max(length+1, 32<<10))
	limit := max(length+1, maxShort)
	from := &progressReader{r: src}
	for len(text) < limit {
		if len(text) == cap(text) {
			text = slices.Grow(text, min(len(text), limit-len(text)))
		}
		n, err := from.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if err != nil {
			_, fault := jsonscan.Document(text)
			return text, failed{err}, err == io.EOF && fault == jsonscan.OK
		}
	}
	return text, src, false
}

// A failed reader is one that has failed, or has come to its end.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// A spooled is a temporary file.
type spooled struct {
	*os.File
	named bool
}

// spool copies src to a temporary file that only its owner can read. Where the
// system allows it, the file has no name by then.
func spool(src io.Reader) (*spooled, error) {
	file, err := os.CreateTemp("", "tofuwire-")
	if err != nil {
		return nil, err
	}
	f := &spooled{file, true}
	if runtime.GOOS != "windows" {
		f.named = os.Remove(file.Name()) != nil
	}
	if _, err = io.Copy(file, &progressReader{r: src}); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *spooled) close() {
	f.Close()
	if f.named {
		os.Remove(f.Name())
	}
}

// A progressReader fails if its reader has nothing again and again, and hides
// what else that can do.
type progressReader struct {
	r     io.Reader
	empty int
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if n > 0 || err != nil {
		p.empty = 0
		return n, err
	}
	if p.empty++; p.empty > 100 {
		return 0, io.ErrNoProgress
	}
	return 0, nil
}
