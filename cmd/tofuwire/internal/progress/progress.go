// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package progress shows on a terminal how much of a large document has been read.
package progress

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// Large is the size in bytes from which progress is shown.
const Large = 50_000_000

// A Reader shows how much it has read, after a second, in a line that goes at the end.
type Reader struct {
	r           io.Reader
	w           io.Writer
	size, done  int64
	begin, last time.Time
	interrupt   chan os.Signal
}

// NewReader returns a Reader that shows progress on w; if w is nil, it shows nothing. The size is -1
// if it is not known.
func NewReader(r io.Reader, size int64, w io.Writer) *Reader {
	return &Reader{r: r, w: w, size: size, begin: time.Now()}
}

// Of returns a Reader of a file, or of standard input.
func Of(f io.Reader, w io.Writer) *Reader {
	size := int64(-1)
	if file, ok := f.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	return NewReader(f, size, w)
}

func (p *Reader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.done += int64(n)
	switch now := time.Now(); {
	case p.w == nil:
	case err != nil:
		p.Close()
	case max(p.size, p.done) >= Large && now.Sub(p.begin) >= time.Second && now.Sub(p.last) >= 100*time.Millisecond:
		p.last = now
		p.show()
	}
	return n, err
}

// show draws the line over itself.
func (p *Reader) show() {
	if p.interrupt == nil {
		p.interrupt = make(chan os.Signal, 1)
		signal.Notify(p.interrupt, os.Interrupt)
		go func(c chan os.Signal) {
			if _, ok := <-c; ok { // the line must not stay
				fmt.Fprint(p.w, "\r\x1b[K")
				os.Exit(130)
			}
		}(p.interrupt)
	}
	line := fmt.Sprintf("read %.1f MB", float64(p.done)/1e6)
	if p.size > 0 {
		const width = 30
		filled := int(min(p.done, p.size) * width / p.size)
		line = fmt.Sprintf("[%s%s] %.1f of %.1f MB", strings.Repeat("=", filled), strings.Repeat(" ", width-filled), float64(p.done)/1e6, float64(p.size)/1e6)
	}
	fmt.Fprint(p.w, "\r\x1b[K"+line)
}

// Close removes the line.
func (p *Reader) Close() {
	if p.interrupt != nil {
		signal.Stop(p.interrupt)
		close(p.interrupt)
		p.interrupt = nil
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
