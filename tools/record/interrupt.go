// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"
)

// beforeInterrupt is how long what begins together with the line that matched
// must also begin.
const beforeInterrupt = 300 * time.Millisecond

// betweenInterrupts is how long a tool has to see that it was interrupted
// before it is interrupted again.
const betweenInterrupts = time.Second

// A watcher keeps what a tool prints, and interrupts the tool when it prints a
// certain line.
type watcher struct {
	mu     sync.Mutex
	out    *bytes.Buffer
	line   int // where the line begins that is being written
	when   *regexp.Regexp
	times  int
	sent   bool
	signal os.Signal     // the interrupt, if nil
	delay  time.Duration // [beforeInterrupt], if 0
	tool   *os.Process
	timers []*time.Timer
}

// start starts the tool. If i is not nil, it is interrupted.
func (w *watcher) start(cmd *exec.Cmd, i *Interrupt) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i != nil {
		when, err := regexp.Compile(i.After)
		if err != nil {
			return err
		}
		w.when, w.times = when, i.Times
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w.tool = cmd.Process
	return nil
}

// Write keeps what the tool printed and looks at each whole line.
func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out.Write(p)
	for {
		text := w.out.Bytes()[w.line:]
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return len(p), nil
		}
		w.line += n + 1
		if w.when != nil && !w.sent && w.when.Match(text[:n]) {
			w.sent = true
			if w.signal == nil {
				w.signal = os.Interrupt
			}
			for i := range w.times {
				w.timers = append(w.timers, time.AfterFunc(cmp.Or(w.delay, beforeInterrupt)+time.Duration(i)*betweenInterrupts, func() {
					// If the tool has ended already, its exit status shows it.
					_ = w.tool.Signal(w.signal)
				}))
			}
		}
	}
}

// done is called when the tool has ended. It reports an interrupt that could
// not be sent.
func (w *watcher) done() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.timers {
		t.Stop()
	}
	if w.when != nil && !w.sent {
		return fmt.Errorf("no line matched %q: the tool was not interrupted", w.when)
	}
	return nil
}
