// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// watchPage is a terminal in the middle of the recorded run.
func watchPage() (string, error) {
	if _, err := exec.LookPath("tmux"); err != nil {
		return "", fmt.Errorf("a terminal is needed: %w", err)
	}
	scratch, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	binary := filepath.Join(scratch, "tofuwire")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = "cmd/tofuwire"
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	socket := filepath.Join(scratch, "tmux")
	tmux := func(args ...string) (string, error) {
		out, err := exec.Command("tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
		return string(out), err
	}
	defer tmux("kill-server")
	// The run stands still after some of its messages.
	command := fmt.Sprintf("{ head -n 32 %s/shop/apply.jsonl; sleep 60; } | %s watch", folder, binary)
	if out, err := tmux("new-session", "-d", "-x", "112", "-y", "20", command); err != nil {
		return "", fmt.Errorf("tmux: %w\n%s", err, out)
	}
	time.Sleep(3 * time.Second)
	screen, err := tmux("capture-pane", "-e", "-p")
	if err != nil {
		return "", fmt.Errorf("tmux: %w\n%s", err, screen)
	}
	return layout(`<pre class="terminal">$ tofu apply -json plan.tfplan | tofuwire watch` + "\n" + colored(strings.TrimRight(screen, "\n ")) + "</pre>"), nil
}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// colors are those of a terminal that can be read on light and dark ground.
var colors = map[int]string{30: "#57606a", 31: "#d1242f", 32: "#2da44e", 33: "#bf8700", 34: "#4493f8", 35: "#a475f9", 36: "#1b9aaa", 37: "", 90: "#8b949e", 91: "#d1242f", 92: "#2da44e", 93: "#bf8700", 94: "#4493f8", 95: "#a475f9", 96: "#1b9aaa"}

// colored turns the escape sequences of a screen into HTML.
func colored(screen string) string {
	var b strings.Builder
	style, at := "", 0
	write := func(text string) {
		if text != "" {
			fmt.Fprintf(&b, `<span style="%s">%s</span>`, style, html.EscapeString(text))
		}
	}
	for _, m := range escape.FindAllStringSubmatchIndex(screen, -1) {
		write(screen[at:m[0]])
		at = m[1]
		for code := range strings.SplitSeq(screen[m[2]:m[3]], ";") {
			n, _ := strconv.Atoi(code)
			switch {
			case n == 0:
				style = ""
			case n == 1:
				style += "font-weight:bold;"
			case n == 2:
				style += "opacity:.65;"
			case n == 39:
				style += "color:inherit;"
			case colors[n] != "":
				style += "color:" + colors[n] + ";"
			}
		}
	}
	write(screen[at:])
	return b.String()
}
