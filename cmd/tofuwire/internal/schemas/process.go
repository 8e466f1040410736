// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin/runner"
)

// A process is the program of a provider.
type process struct {
	executable, dir string
	pass            []string // names of variables that it gets

	tmp    string
	stderr *tail
	group  *group
}

// prepare makes the directory for temporary files. Providers that are killed leave their sockets
// and other files there.
func (p *process) prepare() (clean func(), err error) {
	if p.tmp, err = os.MkdirTemp("", "tw-"); err != nil { // short: it is a part of the names of sockets
		return nil, err
	}
	p.stderr, p.group = &tail{}, &group{}
	return func() { os.RemoveAll(p.tmp) }, nil
}

// kill ends the program and its children.
func (p *process) kill() { p.group.kill() }

// said returns the end of what the program wrote to its standard error.
func (p *process) said() string {
	if text := p.stderr.text(); text != "" {
		return "; it wrote:\n" + text
	}
	return ""
}

// run makes the command of the program.
func (p *process) run(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
	cmd.Path, cmd.Args, cmd.Dir = p.executable, []string{p.executable}, p.dir
	cmd.Stdin = nil
	cmd.Err = nil
	cmd.Env = append(p.environment(), cmd.Env...)
	ownGroup(cmd)
	r := &running{cmd: cmd, group: p.group}
	var err error
	if r.stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	r.stderr, err = cmd.StderrPipe()
	return r, err
}

// environment returns what the program sees of the environment.
func (p *process) environment() []string {
	out := []string{"TMPDIR=" + p.tmp}
	names := append([]string{"PATH", "HOME"}, p.pass...)
	if runtime.GOOS == "windows" {
		out = append(out, "TEMP="+p.tmp, "TMP="+p.tmp)
		names = append(names, "SystemRoot", "USERPROFILE")
	}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// A running is a process as go-plugin sees it.
type running struct {
	cmd            *exec.Cmd
	group          *group
	stdout, stderr io.ReadCloser
}

func (r *running) Start(context.Context) error { return r.group.start(r.cmd) }

func (r *running) Wait(context.Context) error { return r.cmd.Wait() }

func (r *running) Kill(context.Context) error {
	r.group.kill()
	return nil
}

func (r *running) Stdout() io.ReadCloser           { return r.stdout }
func (r *running) Stderr() io.ReadCloser           { return r.stderr }
func (r *running) Name() string                    { return r.cmd.Path }
func (r *running) Diagnose(context.Context) string { return "" }

func (r *running) ID() string {
	if r.cmd.Process == nil {
		return ""
	}
	return strconv.Itoa(r.cmd.Process.Pid)
}

func (r *running) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (r *running) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// A group is a process with its children. It is safe for concurrent use.
type group struct {
	mu      sync.Mutex
	process *os.Process
	killed  bool
}

func (g *group) start(cmd *exec.Cmd) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.killed {
		return errors.New("killed before its start")
	}
	err := cmd.Start()
	if err == nil {
		g.process = cmd.Process
	}
	return err
}

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.process != nil && !g.killed {
		killGroup(g.process)
	}
	g.killed = true
}

// A tail keeps the last lines that were written to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const (
	maxTail      = 1 << 12
	maxTailLines = 10
)

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-maxTail):]...)
	t.buf = t.buf[max(0, len(t.buf)-maxTail):]
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(string(bytes.ToValidUTF8(bytes.TrimSpace(t.buf), nil)), "\n")
	return strings.Join(lines[max(0, len(lines)-maxTailLines):], "\n")
}
