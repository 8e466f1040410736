// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
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

// A finding is what lint reports as JSON.
type finding struct {
	Rule, Severity, Message string
	Range                   struct {
		Filename   string
		Start, End struct{ Line, Column int }
	}
}

// lintPage shows findings below the lines that they are about.
func lintPage() (string, error) {
	text, err := program("lint", "-format", "json", "../../"+folder+"/shop")
	if err != nil {
		return "", err
	}
	var report struct{ Findings []finding }
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		return "", err
	}
	src, err := os.ReadFile(folder + "/shop/main.tf")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`<div class="editor">`)
	first := len(src)
	for _, f := range report.Findings {
		first = min(first, f.Range.Start.Line)
	}
	shown := 0
	for i, line := range strings.Split(string(src), "\n") {
		n := i + 1
		var here []finding
		for _, f := range report.Findings {
			if f.Range.Start.Line == n {
				here = append(here, f)
			}
		}
		if n < first || shown > 18 {
			continue
		}
		if len(here) == 0 {
			fmt.Fprintf(&b, `<div><span class="n">%d</span>%s</div>`, n, html.EscapeString(line))
			shown++
			continue
		}
		f := here[0]
		from, to := min(f.Range.Start.Column-1, len(line)), len(line)
		if f.Range.End.Line == n {
			to = min(f.Range.End.Column-1, len(line))
		}
		fmt.Fprintf(&b, `<div><span class="n">%d</span>%s<u class="%s">%s</u>%s</div>`, n, html.EscapeString(line[:from]), f.Severity, html.EscapeString(line[from:to]), html.EscapeString(line[to:]))
		shown++
		for _, f := range here {
			fmt.Fprintf(&b, `<div class="lens %s"><span class="n"></span>%s: %s (%s)</div>`, f.Severity, f.Severity, html.EscapeString(f.Message), f.Rule)
			shown++
		}
	}
	b.WriteString("</div>")
	return layout(b.String()), nil
}
