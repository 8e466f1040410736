// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test program play the tool, when wrapper starts it, and
// wrapper, when a test needs it as a process of its own.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("WRAPPER_TEST_MAIN") != "":
		os.Unsetenv("WRAPPER_TEST_MAIN")
		main()
	case os.Getenv("WRAPPER_TEST_TOOL") != "":
		os.Exit(fakeMain(os.Getenv("WRAPPER_TEST_TOOL"), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// A step is what the fake tool does for one command.
type step struct {
	Files  []string // recordings that are printed, one after the other
	Text   string   // printed after them
	Huge   int      // before all that, a message of so many bytes
	Many   int      // and so many short messages
	Stderr string
	Delay  int // milliseconds before each line of the files
	Exit   int

	PauseAt string // before the first line with this text, the tool waits
	Signal  bool   // for a signal
	Gate    string // and for this file, and counts signals until then
	StopAt  string // before the first line with this text, the printing ends

	Cut   int    // at the end, half a line of so many bytes is printed,
	Kill  bool   // and the tool is killed
	Touch string // this file is made in the current folder
	Alter bool   // the plan file is changed
}

// fakeMain is the fake tool. It writes what happens to it into the file "log"
// of its folder, and does what the file "script" says.
func fakeMain(folder string, args []string) int {
	note := func(format string, args ...any) {
		f, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(f, format+"\n", args...)
		f.Close()
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	note("%s", strings.Join(args, " "))

	text, err := os.ReadFile(filepath.Join(folder, "script"))
	if err != nil {
		panic(err)
	}
	var script map[string]step
	if err := json.Unmarshal(text, &script); err != nil {
		panic(err)
	}
	command := args[0]
	if command == "init" && !slices.Contains(args, "-json") {
		command = "init as text"
	}
	s := script[command]
	last := args[len(args)-1]
	switch plan, isPlan := strings.CutPrefix(last, "-out="); {
	case isPlan:
		if err := os.WriteFile(plan, []byte("the plan of the test"), 0o600); err != nil {
			panic(err)
		}
	case command == "apply":
		content, err := os.ReadFile(last)
		note("applies %q, %v", content, err)
	case s.Alter:
		if err := os.WriteFile(last, []byte("another plan"), 0o600); err != nil {
			panic(err)
		}
	}
	if s.Touch != "" {
		if err := os.WriteFile(s.Touch, []byte("{}"), 0o600); err != nil {
			panic(err)
		}
	}
	fmt.Fprint(os.Stderr, s.Stderr)
	if s.Huge > 0 {
		printMessage(strings.Repeat("x", s.Huge))
	}
	for range s.Many {
		printMessage("one of many")
	}
	out := read(s.Files)
	for line := range bytes.Lines(out) {
		if s.PauseAt != "" && bytes.Contains(line, []byte(s.PauseAt)) {
			note("signals: %d", wait(signals, s.Gate, s.Signal, note))
			s.PauseAt = ""
		}
		if s.StopAt != "" && bytes.Contains(line, []byte(s.StopAt)) {
			break
		}
		time.Sleep(time.Duration(s.Delay) * time.Millisecond)
		os.Stdout.Write(line)
	}
	fmt.Print(s.Text)
	if s.Cut > 0 {
		os.Stdout.Write(out[:s.Cut])
	}
	if s.Kill {
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		time.Sleep(time.Minute)
	}
	note("ends")
	return s.Exit
}

// wait waits for a signal, if one is needed, and for the file gate, and returns
// how many signals came. It gives up after a while.
func wait(signals <-chan os.Signal, gate string, needed bool, note func(string, ...any)) int {
	n := 0
	for range 3000 {
		select {
		case <-signals:
			n++
			note("hears a signal")
			continue
		case <-time.After(10 * time.Millisecond):
		}
		if _, err := os.Stat(gate); (gate == "" || err == nil) && (n > 0 || !needed) {
			break
		}
	}
	time.Sleep(50 * time.Millisecond) // one more may be under way
	return n + len(signals)
}

func printMessage(text string) {
	fmt.Printf(`{"@level":"info","@message":"%s","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z"}`+"\n", text)
}

func read(files []string) []byte {
	var all []byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all = append(all, text...)
	}
	return all
}

// A fake is the fake tool as a test sees it.
type fake struct {
	t      *testing.T
	folder string // for script and log
	dir    string // the module
}

// newFake makes the test program the tool that wrapper will run.
func newFake(t *testing.T, script map[string]step) *fake {
	t.Helper()
	f := &fake{t, t.TempDir(), t.TempDir()}
	text, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.folder, "script"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WRAPPER_TEST_TOOL", f.folder)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // or else each process waits a second with -race
	// What wrapper keeps of a run must not stay behind.
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	if runtime.GOOS == "windows" {
		for _, s := range script {
			if s.Kill || s.Signal {
				t.Skip("needs a system with signals")
			}
		}
	}
	return f
}

// run runs wrapper with the fake tool.
func (f *fake) run(options ...string) (code int, out string) {
	f.t.Helper()
	var b trigger
	code = run(f.args(options), nil, &b, &b)
	return code, b.String()
}

func (f *fake) args(options []string) []string {
	self, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	return append(append([]string{"-tofu", self}, options...), f.dir)
}

// log returns what has happened to the tool, one line each.
func (f *fake) log() string {
	text, err := os.ReadFile(filepath.Join(f.folder, "log"))
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	return string(text)
}

// hears waits until the tool has had a signal: two that follow each other too
// closely would be one.
func (f *fake) hears() {
	for range 3000 {
		if strings.Contains(f.log(), "hears a signal") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.t.Error("no signal has reached the tool")
}

// ran returns the commands that the tool was asked for.
func (f *fake) ran() string {
	var commands []string
	for line := range strings.Lines(f.log()) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if slices.Contains([]string{"init", "plan", "show", "apply"}, command) {
			commands = append(commands, command)
		}
	}
	return strings.Join(commands, " ")
}

// isPrivate reports whether only its owner can read a file, as far as the system
// says.
func isPrivate(t *testing.T, name string) bool {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0
}

// The recordings are those of the packages.
func ui(names ...string) []string {
	for i, name := range names {
		names[i] = absolute(filepath.Join("..", "..", "..", "..", "uijson", "testdata", "tofu-1.12.6", filepath.FromSlash(name)))
	}
	return names
}

func document(name string) []string {
	return []string{absolute(filepath.Join("..", "..", "..", "..", "planjson", "testdata", "tofu-1.12.6", filepath.FromSlash(name)))}
}

func absolute(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		panic(err)
	}
	return path
}
