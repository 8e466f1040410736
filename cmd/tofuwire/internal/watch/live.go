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
	"sync/atomic"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A live display redraws the lower part of a terminal: one line for the run, a
// bar, and one line for each running operation. Finished operations move up as
// plain lines.
type live struct {
	w       io.Writer
	program *tea.Program
	model   *model
	done    chan struct{}
}

func newLive(w io.Writer, t *uitrack.Tracker, width int) *live {
	m := &model{
		tracker: t,
		spin:    spinner.New(spinner.WithSpinner(spinner.MiniDot)),
		snap:    t.Snapshot(),
		width:   width,
		height:  24,
	}
	// The keyboard is not ours: standard input is the stream, or the tool's.
	p := tea.NewProgram(m, tea.WithOutput(oneAtATime(w)), tea.WithInput(nil), tea.WithoutSignalHandler())
	m.columns.Store(int64(width))
	return &live{w: w, program: p, model: m, done: make(chan struct{})}
}

// oneAtATime returns a writer to w that several goroutines can share, because
// the library draws with one and prints lines with another. A file must stay a
// file, from which the library finds the terminal.
func oneAtATime(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		return &sharedFile{File: f}
	}
	return &sharedWriter{w: w}
}

type sharedFile struct {
	*os.File
	mu sync.Mutex
}

func (f *sharedFile) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.File.Write(b)
}

// WriteString hides that of the file.
func (f *sharedFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *sharedWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(b)
}

func (l *live) begin() {
	go func() {
		defer close(l.done)
		// If the terminal fails, the run goes on without a display.
		_, _ = l.program.Run()
	}()
}

func (l *live) end() {
	l.program.Send(endMsg{})
	<-l.done
	if rows := l.model.rows; rows > 1 {
		_, _ = io.WriteString(l.w, "\r"+ansi.CursorUp(rows-1)+ansi.EraseScreenBelow)
	}
}

func (l *live) event(ev *uijson.Event) {
	if quiet(ev) {
		return
	}
	if text, ok := line(ev); ok {
		l.above(text)
	}
}

// above prints text above the display, in lines that fit. More text than the
// screen holds, printed at once, would push the display up and out of it.
func (l *live) above(text string) {
	width := int(l.model.columns.Load())
	for line := range strings.SplitSeq(ansi.Hardwrap(text, width, true), "\n") {
		l.program.Println(line)
	}
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

// endMsg says that the run has ended.
type endMsg struct{}

// A model is the state of the display.
type model struct {
	tracker       *uitrack.Tracker
	spin          spinner.Model
	snap          *uitrack.Snapshot
	width, height int
	ended         bool
	rows          int          // height of the display so far
	columns       atomic.Int64 // width, for other goroutines
}

func (m *model) Init() tea.Cmd { return m.spin.Tick }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.columns.Store(int64(msg.Width))
	case endMsg:
		// One more frame, an empty one of the same height. It needs a moment
		// to be drawn.
		m.ended = true
		return m, tea.Tick(time.Second/4, func(time.Time) tea.Msg { return tea.QuitMsg{} })
	case spinner.TickMsg:
		m.snap = m.tracker.Snapshot()
		var cmd tea.Cmd
		m.spin, cmd = m.spin.Update(msg)
		return m, cmd
	}
	return m, nil
}

// The styles of the display.
var (
	bold  = lipgloss.NewStyle().Bold(true)
	faint = lipgloss.NewStyle().Faint(true)
	red   = lipgloss.NewStyle().Foreground(lipgloss.Red)
	green = lipgloss.NewStyle().Foreground(lipgloss.Green)
	cyan  = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
)

func (m *model) View() tea.View {
	if m.ended {
		return tea.NewView(strings.Repeat("\n", max(m.rows-1, 0)))
	}
	lines := []string{m.title()}
	if bar, ok := m.bar(); ok {
		lines = append(lines, bar)
	}
	lines = append(lines, m.operations(max(m.height-len(lines)-2, 1))...)
	// The lines that move up are inserted above the display, which fails if its
	// height changes at the same time. Therefore it never shrinks.
	m.rows = min(max(m.rows, len(lines)), max(m.height-1, 1))
	for len(lines) < m.rows {
		lines = append(lines, "")
	}
	for i, l := range lines {
		lines[i] = lipgloss.NewStyle().MaxWidth(m.width).Render(l)
	}
	return tea.NewView(strings.Join(lines, "\n"))
}

// title is the line for the whole run.
func (m *model) title() string {
	s := m.snap
	parts := []string{cyan.Render(m.spin.View())}
	if name := strings.TrimSpace(string(s.Tool) + " " + s.Version); name != "" {
		parts = append(parts, bold.Render(uijson.Sanitize(name)))
	}
	phase := string(s.Phase)
	switch {
	case s.Interrupted:
		phase = red.Render("stopping")
	case s.LockWaiting:
		phase = "waiting for the state lock"
	}
	parts = append(parts, phase, faint.Render(duration(s.ElapsedSeconds)))
	if s.ETASeconds != nil {
		parts = append(parts, faint.Render("about "+duration(*s.ETASeconds)+" left"))
	}
	if s.Failed > 0 || s.Errors > 0 {
		parts = append(parts, red.Render(fmt.Sprintf("%d failed", max(s.Failed, s.Errors))))
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
	return fmt.Sprintf("  %s%s %d of %d", green.Render(strings.Repeat("━", full)), faint.Render(strings.Repeat("━", width-full)), done, all), true
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
		took := faint.Render(duration(c.Duration(m.snap.Updated).Seconds()))
		lines = append(lines, fmt.Sprintf("  %s %s: %s %s", cyan.Render(m.spin.View()), uijson.Sanitize(r.Addr), doing(c.Action), took))
		if n := len(c.Tail); n > 0 && len(lines) < room {
			lines = append(lines, faint.Render("      "+uijson.Sanitize(c.Provisioner+": "+c.Tail[n-1])))
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
			lines = append(lines, fmt.Sprintf("  %s %s: %s %s", cyan.Render(m.spin.View()), uijson.Sanitize(f.Path), uijson.Sanitize(run.Name), faint.Render(string(run.Progress))))
		}
	}
	if more > 0 {
		lines = append(lines, faint.Render(fmt.Sprintf("  and %d more", more)))
	}
	return lines
}

// duration returns seconds as people read them.
func duration(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}
