// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"sync"
)

// defaultMaxLine is the longest line that a reader keeps, in bytes, if MaxLine
// does not say otherwise. The longest lines of real streams carry state dumps and
// provider schemas, and are a few megabytes long.
const defaultMaxLine = 16 << 20

// An Option configures a [Reader]. Later options override earlier ones.
type Option interface{ apply(*config) }

type config struct {
	maxLine int
	ahead   int
	tee     io.Writer
	unwrap  func(line []byte) []byte
	hold    bool
}

type option func(*config)

func (o option) apply(c *config) { o(c) }

// MaxLine sets the longest line that is kept, in bytes without its line end.
// A longer one becomes an event of [EventOversize]. If n is not positive, there
// is no limit. Without this option it is 16 MiB.
func MaxLine(n int) Option {
	return option(func(c *config) {
		if c.maxLine = n; n <= 0 {
			c.maxLine = math.MaxInt
		}
	})
}

// Tee makes the reader write to w every byte that it reads, unchanged, in the
// order of the stream and before the events that are made from it. This
// includes bytes read by [Reader.Drain] or after the end of a loop.
//
// A failing w does not disturb the reading: nothing is written after the first
// error, which [Reader.TeeErr] returns. A slow w slows the reader down.
func Tee(w io.Writer) Option {
	return option(func(c *config) { c.tee = w })
}

// Unwrap sets a hook that finds the message on a line that another program has wrapped: [UnwrapMember],
// or one of your own. It is called with each line that is not itself a message, without its line end.
// It returns the message, or nil if there is none. A message after other text is found without a hook.
// The result may be other bytes or a part of the line; an edited event then keeps the rest of the line
// around the message. The hook must not keep or change the line.
func Unwrap(f func(line []byte) []byte) Option {
	return option(func(c *config) { c.unwrap = f })
}

// ReadAhead makes a separate goroutine read the source, up to limit bytes ahead
// of the consumer. It decouples a child process from a consumer that is slow at
// times: as long as the limit is not reached, the child never waits. Without
// it, there is only the buffer of the operating system's pipe, usually 64 KiB.
func ReadAhead(limit int) Option {
	return option(func(c *config) { c.ahead = limit })
}

// Hold makes the reader leave the source alone when a loop over its events ends
// early. A second loop then continues where the first one stopped. The caller
// is then responsible for reading the source to its end, by another loop or by
// [Reader.Drain].
func Hold() Option {
	return option(func(c *config) { c.hold = true })
}

// A Reader reads a message stream and whatever else is on it.
//
// No content of the stream ends the reading: long lines, foreign text and invalid JSON become
// events. Only the end of the stream or an error of the source ends it.
//
// Messages are found after other text on their line, several on one line, and on both
// sides of a line that is too long. A stream in UTF-16, as PowerShell writes one to a
// file, is read like one in UTF-8: events keep its bytes, and columns count bytes of
// UTF-8.
//
// # Leaving early
//
// A process whose output is not read blocks, and one whose pipe is closed is killed
// by SIGPIPE: for OpenTofu this means created objects that are not in the state, and
// a state lock that stays. Therefore, breaking out of the loop does not stop the
// reading. Unless [Hold] is given, a goroutine reads and discards until the source
// ends. Call [Reader.Drain] to wait for that: with exec.Cmd, before Wait, which
// closes the pipe.
//
// A Reader owns its source: no other reader may use it, even after an early
// end. Its methods must not be called concurrently.
type Reader struct {
	lines    lines
	cfg      config
	tee      *tee
	decoder  decoder
	used     bool
	joined   bool // something follows the last object on its line
	clean    cleanText
	wide     []byte // of a line in UTF-16: what follows, in UTF-8, and where that is
	wideAt   int64
	inWide   bool          // such a line is being looked at
	wideRest int           // so many of its bytes follow
	drained  chan struct{} // closed when the source has been read to its end
	once     sync.Once
	failure  error // of the source; read it after drained is closed
}

// NewReader returns a reader of the stream src. It never closes src: the caller
// may do so once the stream has ended or [Reader.Drain] has returned.
func NewReader(src io.Reader, opts ...Option) *Reader {
	r := &Reader{cfg: config{maxLine: defaultMaxLine}, drained: make(chan struct{})}
	for _, o := range opts {
		if o != nil {
			o.apply(&r.cfg)
		}
	}
	if r.cfg.ahead > 0 {
		src = newReadAhead(src, r.cfg.ahead)
	}
	if r.cfg.tee != nil {
		r.tee = &tee{src: src, w: r.cfg.tee}
		src = r.tee
	}
	r.lines = lines{src: src, max: r.cfg.maxLine, number: 1}
	return r
}

// Events returns an iterator over the events of the stream, in order. Each
// event is a value of its own and may be kept. It then keeps up to 256 KiB of
// the stream in memory; to avoid that, keep the result of [Event.Clone].
//
// Each pair has either an event or an error, and an error comes last. A regular
// end of the stream yields no error; one in the middle of a message yields
// io.ErrUnexpectedEOF, in an [*Error], after the event of [EventPartial]; an
// error of the source is yielded as it is.
//
// The stream can be read once. See [Reader] for the effect of breaking out of the
// loop.
func (r *Reader) Events() iter.Seq2[*Event, error] {
	return r.events(false)
}

// Borrowed is like [Reader.Events], but the event and its message are reused,
// and valid only until the next one. A line then costs no allocation. Their
// strings stay valid, but keep up to 256 KiB of the stream in memory: use
// strings.Clone for those that are kept. Use [Event.Clone] or [Clone] to keep
// more.
func (r *Reader) Borrowed() iter.Seq2[*Event, error] {
	return r.events(true)
}

func (r *Reader) events(reuse bool) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		r.begin(reuse, false)
		finished := false
		defer func() {
			if !finished {
				r.left()
			}
		}()
		partial := int64(-1)
		ev := new(Event)
		window := r.lines.windows
		for {
			line, err := r.lines.next()
			if err != nil {
				finished = true
				if err := r.ended(err, partial); err != nil {
					yield(nil, err)
				}
				return
			}
			if !reuse {
				if r.lines.windows != window {
					// An event keeps the part of the stream around it, no more.
					window = r.lines.windows
					r.decoder.messages.fresh()
					r.decoder.events.fresh()
				}
				ev = r.decoder.events.take(maxEvents)
			}
			r.classify(ev, line)
			if partial = -1; ev.Kind == EventPartial {
				partial = ev.Offset
			}
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// begin prepares a loop. If an earlier loop was left without Hold, the stream
// is being discarded and there is nothing for this one to read. A loop that
// reuses does so with the memory of each line, a bare one needs no strings of
// the lines.
func (r *Reader) begin(reuse, bare bool) {
	if r.used && !r.cfg.hold {
		r.left()
		<-r.drained
	}
	r.used = true
	if !reuse && r.lines.reuse {
		// The window may be overwritten; give the new events one of their own.
		r.lines.buf = bytes.Clone(r.lines.buf)
	}
	r.lines.reuse, r.lines.bare = reuse, bare
	if r.decoder.reuse != reuse {
		r.decoder.reuse, r.decoder.msg = reuse, nil
	}
}

// ended closes r because of the error of its last line, and returns the one to report: none for
// the end of the stream, unless a part of a message, which begins at partial if that is not
// negative, came last.
func (r *Reader) ended(err error, partial int64) error {
	r.close(err)
	switch {
	case err != io.EOF:
		return err
	case partial >= 0:
		return &Error{Offset: partial, Line: int(r.lines.number), Column: 1, Err: io.ErrUnexpectedEOF}
	}
	return nil
}

// close marks the source as read to its end.
func (r *Reader) close(err error) {
	r.once.Do(func() {
		if err != io.EOF {
			r.failure = err
		}
		close(r.drained)
	})
}

// left is called when a loop ends before the stream does.
func (r *Reader) left() {
	if r.cfg.hold {
		return
	}
	r.once.Do(func() {
		go func() {
			defer close(r.drained)
			r.failure = r.discard()
		}()
	})
}

// discard reads the source to its end.
func (r *Reader) discard() error {
	r.lines.lo, r.lines.hi, r.lines.seen, r.lines.lent = 0, 0, 0, ""
	err := r.lines.err
	buf := make([]byte, windowSize)
	for idle := 0; err == nil || errors.Is(err, ErrTruncated); {
		var n int
		if n, err = r.lines.src.Read(buf); n > 0 || err != nil {
			idle = 0
		} else if idle++; idle > 100 {
			err = io.ErrNoProgress
		}
	}
	r.lines.err = err
	if err == io.EOF {
		return nil
	}
	return err
}

// Drain reads the rest of the stream without looking at it, and returns when
// the source ends. It returns the error with which it ended, nil for a regular
// end. After a loop that reached the end of the stream it returns at once.
func (r *Reader) Drain() error {
	r.once.Do(func() {
		r.failure = r.discard()
		close(r.drained)
	})
	<-r.drained
	return r.failure
}

// TeeErr returns the first error of the writer given to [Tee], if there was
// one. It must not be called while the stream is being read.
func (r *Reader) TeeErr() error {
	if r.tee == nil {
		return nil
	}
	return r.tee.err
}

// A tee is a reader that also writes all bytes it reads.
type tee struct {
	src io.Reader
	w   io.Writer
	err error
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.src.Read(p)
	if n > 0 && n <= len(p) && t.err == nil {
		m, werr := t.w.Write(p[:n])
		if werr == nil && m < n {
			werr = io.ErrShortWrite
		}
		t.err = werr
	}
	return n, err
}
