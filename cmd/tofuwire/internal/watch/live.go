// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"golang.org/x/term"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A live display redraws the lower part of a terminal: one line for the run, a
// bar, and one line for each running operation. Finished operations move up as
// plain lines.
//
// It needs so little of a terminal that no library is used: those that there are compute tables when
// a program starts, which took more time than most commands.
type live struct {
	mu    sync.Mutex // for all that follows: one goroutine draws, others print lines
	w     io.Writer
	color bool
	model *model
	drawn int // rows of the display
	ended bool

	stop, stopped chan struct{}
}

// frameTime is how long a frame of the display is seen.
const frameTime = 100 * time.Millisecond

func newLive(w io.Writer, t *uitrack.Tracker, width int) *live {
	return &live{w: w, model: &model{tracker: t, snap: t.Snapshot(), width: width, height: 24}, stop: make(chan struct{}), stopped: make(chan struct{})}
}

func (l *live) begin() {
	go func() {
		defer close(l.stopped)
		ticker := time.NewTicker(frameTime)
		defer ticker.Stop()
		for {
			l.draw(nil)
			select {
			case <-l.stop:
				return
			case <-ticker.C:
			}
		}
	}()
}

func (l *live) end() {
	close(l.stop)
	<-l.stopped
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	_, _ = io.WriteString(l.w, l.top()+eraseBelow+showCursor)
}

// What a terminal does on these texts (ECMA-48).
const (
	eraseLine  = "\x1b[K" // the rest of the line
	eraseBelow = "\x1b[J"
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	reset      = "\x1b[m"
)

// top moves the cursor to the first cell of the display.
func (l *live) top() string {
	if l.drawn < 2 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", l.drawn-1)
}

// draw draws the display, below lines that move up. If the terminal fails, the run goes on without a display.
func (l *live) draw(above []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, ok := l.w.(*os.File); ok {
		if width, height, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && height > 0 {
			l.model.width, l.model.height = width, height
		}
	}
	var b strings.Builder
	b.WriteString(hideCursor + l.top())
	for _, line := range above {
		b.WriteString(line + eraseLine + "\n")
	}
	if l.ended {
		_, _ = io.WriteString(l.w, b.String()+showCursor)
		return
	}
	l.model.next()
	lines := l.model.lines()
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(fit(line, l.model.width) + eraseLine)
	}
	l.drawn = len(lines)
	text := b.String() + eraseBelow
	if !l.color {
		text = colored().ReplaceAllString(text, "")
	}
	_, _ = io.WriteString(l.w, text)
}

// colored matches the sequences that color text.
var colored = lazy.Regexp(`\x1b\[[0-9;]*m`)

// inTerminal measures text as terminals do, without the sequences that colour it.
var inTerminal = displaywidth.Options{ControlSequences: true}

// fit returns the beginning of a line that fits a width.
func fit(line string, width int) string {
	if inTerminal.String(line) <= width {
		return line
	}
	return inTerminal.TruncateString(line, width, "") + reset
}

func (l *live) event(ev *uijson.Event) {
	if quiet(ev) {
		return
	}
	if text, ok := line(ev); ok {
		l.above(text)
	}
}

// above prints text above the display, in lines that fit: a longer one would move the display.
func (l *live) above(text string) {
	l.mu.Lock()
	width := l.model.width
	l.mu.Unlock()
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for inTerminal.String(line) > width {
			start := inTerminal.TruncateString(line, width, "")
			if start == "" {
				break // not even one character fits
			}
			lines, line = append(lines, start), line[len(start):]
		}
		lines = append(lines, line)
	}
	l.draw(lines)
}

// foreign shows the tool's standard error above the display.
func (l *live) foreign(io.Writer) io.Writer { return &printer{live: l} }

// quiet reports whether the live part already shows an event.
func quiet(ev *uijson.Event) bool {
	m := ev.Message
	if ev.Kind != uijson.EventMessage {
		return false
	}
	switch m.Type {
	case uijson.TypeApplyStart, uijson.TypeApplyProgress, uijson.TypeRefreshStart, uijson.TypeRefreshComplete,
		uijson.TypeProvisionStart, uijson.TypeProvisionProgress, uijson.TypeProvisionComplete,
		uijson.TypeEphemeralOpStart, uijson.TypeEphemeralOpProgress, uijson.TypeEphemeralOpComplete,
		uijson.TypeEphemeralActionStarted, uijson.TypeEphemeralActionComplete,
		uijson.TypeActionStart, uijson.TypeActionProgress:
		return true
	case uijson.TypeTestRun:
		return m.TestRun != nil && m.TestRun.Status == ""
	case uijson.TypeTestFile:
		return m.TestFile != nil && m.TestFile.Status == ""
	}
	return false
}

// A printer prints whole lines above the display.
type printer struct {
	live *live
	mu   sync.Mutex
	rest []byte
}

func (p *printer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, b...)
	for {
		i := bytes.IndexByte(p.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		p.live.above(uijson.Sanitize(strings.TrimRight(string(p.rest[:i]), "\r")))
		p.rest = p.rest[i+1:]
	}
}

// A model is the state of the display.
type model struct {
	tracker       *uitrack.Tracker
	snap          *uitrack.Snapshot
	width, height int
	frame         int
}

// next moves on to the next frame.
func (m *model) next() {
	m.frame++
	m.snap = m.tracker.Snapshot()
}

// spinner is what turns, frame by frame.
var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

func (m *model) spin() string { return cyan(string(spinner[m.frame%len(spinner)])) }

// The styles of the display.
func styled(code, s string) string { return "\x1b[" + code + "m" + s + reset }
func bold(s string) string         { return styled("1", s) }
func faint(s string) string        { return styled("2", s) }
func red(s string) string          { return styled("31", s) }
func green(s string) string        { return styled("32", s) }
func cyan(s string) string         { return styled("36", s) }

// lines returns the lines of the display, fewer than the terminal has.
func (m *model) lines() []string {
	lines := []string{m.title()}
	if bar, ok := m.bar(); ok {
		lines = append(lines, bar)
	}
	lines = append(lines, m.operations(max(m.height-len(lines)-2, 1))...)
	return lines[:min(len(lines), max(m.height-1, 1))]
}

// title is the line for the whole run.
func (m *model) title() string {
	s := m.snap
	parts := []string{m.spin()}
	if name := strings.TrimSpace(string(s.Tool) + " " + s.Version); name != "" {
		parts = append(parts, bold(uijson.Sanitize(name)))
	}
	phase := string(s.Phase)
	switch {
	case s.Interrupted:
		phase = red("stopping")
	case s.LockWaiting:
		phase = "waiting for the state lock"
	}
	parts = append(parts, phase, faint(duration(s.ElapsedSeconds)))
	if s.ETASeconds != nil {
		parts = append(parts, faint("about "+duration(*s.ETASeconds)+" left"))
	}
	if s.Failed > 0 || s.Errors > 0 {
		parts = append(parts, red(fmt.Sprintf("%d failed", max(s.Failed, s.Errors))))
	}
	if s.Warnings > 0 {
		parts = append(parts, fmt.Sprintf("%d warnings", s.Warnings))
	}
	return strings.Join(parts, " ")
}

// bar shows the progress of an apply or of a test.
func (m *model) bar() (string, bool) {
	s := m.snap
	done, all := s.Done.Add+s.Done.Change+s.Done.Remove, s.Planned.Add+s.Planned.Change+s.Planned.Remove
	if len(s.Tests) > 0 {
		done, all = 0, 0
		for _, f := range s.Tests {
			for _, run := range f.Runs {
				all++
				if run.Status != "" {
					done++
				}
			}
		}
	}
	if all == 0 {
		return "", false
	}
	width := max(min(m.width-20, 50), 10)
	full := int(min(done, all) * int64(width) / all)
	return fmt.Sprintf("  %s%s %d of %d", green(strings.Repeat("━", full)), faint(strings.Repeat("━", width-full)), done, all), true
}

// operations returns a line for each running operation, and the last line of
// its provisioner's output, as far as there is room.
func (m *model) operations(room int) []string {
	var lines []string
	more := 0
	for _, r := range m.snap.Resources {
		c := r.Running()
		if c == nil {
			continue
		}
		if len(lines) >= room {
			more++
			continue
		}
		took := faint(duration(c.Duration(m.snap.Updated).Seconds()))
		lines = append(lines, fmt.Sprintf("  %s %s: %s %s", m.spin(), uijson.Sanitize(r.Addr), doing(c.Action), took))
		if n := len(c.Tail); n > 0 && len(lines) < room {
			lines = append(lines, faint("      "+uijson.Sanitize(c.Provisioner+": "+c.Tail[n-1])))
		}
	}
	for _, f := range m.snap.Tests {
		for _, run := range f.Runs {
			if run.Progress != uijson.TestStarting && run.Progress != uijson.TestRunning && run.Progress != uijson.TestTeardown {
				continue
			}
			if len(lines) >= room {
				more++
				continue
			}
			lines = append(lines, fmt.Sprintf("  %s %s: %s %s", m.spin(), uijson.Sanitize(f.Path), uijson.Sanitize(run.Name), faint(string(run.Progress))))
		}
	}
	if more > 0 {
		lines = append(lines, faint(fmt.Sprintf("  and %d more", more)))
	}
	return lines
}

// duration returns seconds as people read them.
func duration(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}
