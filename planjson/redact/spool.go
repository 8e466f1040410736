// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"io"
	"os"
	"runtime"
)

// stream redacts what src holds, which is read from its beginning several times.
func (r Redactor) stream(t typeID, w io.Writer, src io.Reader) (int, error) {
	s, ok := src.(io.ReadSeeker)
	if ok {
		_, err := s.Seek(0, io.SeekCurrent)
		ok = err == nil
	}
	if !ok {
		if r.NoSpool {
			return r.runBlind(t, w, src)
		}
		f, err := spool(src)
		if err != nil {
			return 0, err
		}
		defer f.close()
		s = f
	}
	start, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	n, _, err := r.run(t, true, w, func() (io.Reader, []byte, error) {
		_, err := s.Seek(start, io.SeekStart)
		return s, nil, err
	})
	return n, err
}

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
