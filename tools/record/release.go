// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/semver"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// A commonCase is run with every release: the file steps.json of a
// folder of internal/testing/recordings/cases.
type commonCase struct {
	If    string       `json:"if"` // for which releases, see [applies]
	Steps []commonStep `json:"steps"`
}

// A commonStep is one thing that is done, for the releases that If names.
type commonStep struct {
	If     string `json:"if,omitempty"`
	Use    string `json:"use,omitempty"`    // as in [Step]
	Add    string `json:"add,omitempty"`    // likewise
	Remove string `json:"remove,omitempty"` // likewise, also a folder
	Write  string `json:"write,omitempty"`  // likewise, with Text
	Text   string `json:"text,omitempty"`
	Kept   string `json:"kept,omitempty"` // as Save in [Step], with As
	As     string `json:"as,omitempty"`
	Lock   string `json:"lock,omitempty"`   // a file that somebody else locks
	Unlock int    `json:"unlock,omitempty"` // and unlocks

	// Argv is a command line; the first word means the tool. The archive
	// keeps it with what became of it.
	Argv   []string          `json:"argv,omitempty"`
	Env    map[string]string `json:"env,omitempty"`
	Signal *commonSignal     `json:"signal,omitempty"`
	Exit   *int              `json:"exit_code,omitempty"`
	Stdout string            `json:"stdout,omitempty"`
}

// A commonSignal is sent after a line that a regular expression matches.
type commonSignal struct {
	After  string  `json:"after_stdout_matched"`
	Signal string  `json:"signal"`
	Twice  bool    `json:"twice,omitempty"`
	Delay  float64 `json:"delay,omitempty"` // in seconds
}

// packedConfig is the CLI configuration that a step names for the mirror of zip
// files, packedMirror the folder.
const (
	packedConfig = "cli-packed.tfrc"
	packedMirror = "/mirror/packed"
	labVersion   = "1.5.0"
)

// lockInfo is the file in which a tool names the holder of the lock of the state, with
// what it says of somebody else.
const (
	lockInfo = ".terraform.tfstate.lock.info"
	somebody = `{"ID":"1234","Operation":"OperationTypeApply","Info":"","Who":"somebody","Version":"1.0.0","Created":"2026-01-01T00:00:00Z","Path":"terraform.tfstate"}`
)

// applies reports whether a list of conditions, such as "terraform>=1.9 tofu",
// allows a release. Each begins with a tool; without a comparison it allows all
// releases of that tool, and a tool that is not named is not allowed. Without
// conditions all are.
func applies(conditions, tool, version string) (bool, error) {
	if conditions == "" {
		return true, nil
	}
	core, _, _ := strings.Cut(version, "-")
	for _, c := range strings.Fields(conditions) {
		m := condition.FindStringSubmatch(c)
		if m == nil {
			return false, fmt.Errorf("the condition %q is not well-formed", c)
		}
		if m[1] != tool {
			continue
		}
		order := semver.Compare("v"+core, "v"+m[3])
		switch m[2] {
		case "", ">=":
			return m[2] == "" || order >= 0, nil
		case "<":
			return order < 0, nil
		}
	}
	return false, nil
}

var condition = regexp.MustCompile(`^(tofu|terraform)(?:(>=|<)([0-9]+\.[0-9]+(?:\.[0-9]+)?))?$`)

// RecordRelease runs the common cases with a binary and writes the archive of
// its release. Other cases in the archive stay.
func RecordRelease(ctx context.Context, w io.Writer, o options, bin, tool, version string, only *regexp.Regexp) error {
	scratch, err := os.MkdirTemp("", "record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	cases := filepath.Join(root, "internal", "testing", "recordings", "cases")
	names, err := filepath.Glob(filepath.Join(cases, "*", "steps.json"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("%s has no cases, %v", cases, err)
	}
	sources := NewMirrors(root, o.providers, scratch, w)
	sources.lab = labVersion
	files := make(map[string][]byte)
	for _, name := range names {
		folder := filepath.Dir(name)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var c commonCase
		if err := json.Unmarshal(text, &c); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ok, err := applies(c.If, tool, version); err != nil || !ok || !only.MatchString(filepath.Base(folder)) {
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		fmt.Fprintf(w, "== %s, with %s %s\n", filepath.Base(folder), tool, version)
		r := &commonRun{sources: sources, folder: folder, bin: bin, tool: tool, version: version}
		made, err := r.run(ctx, c, scratch)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(folder), err)
		}
		for name, data := range made {
			if bytes.Contains(data, []byte(scratch)) {
				return fmt.Errorf("%s/%s names the temporary folder", filepath.Base(folder), name)
			}
			files[filepath.Base(folder)+"/"+name] = data
		}
	}
	folder := filepath.Join(root, "internal", "testing", "recordings", "testdata")
	if err := otherCases(folder, tool+"-"+version, files); err != nil {
		return err
	}
	text, err := recordings.Pack(files)
	if err != nil {
		return err
	}
	if o.out != "" {
		return os.WriteFile(filepath.Join(o.out, tool+"-"+version+recordings.Extension), text, 0o644)
	}
	return os.WriteFile(filepath.Join(folder, "releases", tool+"-"+version+recordings.Extension), text, 0o644)
}

// otherCases adds the files of the cases of a release's archive that have not
// been run.
func otherCases(folder, release string, files map[string][]byte) error {
	run := make(map[string]bool)
	for file := range files {
		run[strings.Split(file, "/")[0]] = true
	}
	releases, err := recordings.Open(os.DirFS(folder))
	if err != nil {
		return err
	}
	for _, r := range releases {
		if r.String() != release {
			continue
		}
		return fs.WalkDir(r, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || run[strings.Split(name, "/")[0]] {
				return err
			}
			files[name], err = fs.ReadFile(r, name)
			return err
		})
	}
	return nil
}

// A commonRun is the state of a common case that is running.
type commonRun struct {
	sources            *Mirrors
	folder             string // of the case
	bin, tool, version string

	c      *run // its working folder, in which configuration is laid
	packed *Source
	locked io.Closer
}

// run does the steps of a case and returns the files for the archive.
func (r *commonRun) run(ctx context.Context, c commonCase, scratch string) (map[string][]byte, error) {
	source, err := r.sources.Source(&Script{Providers: "mirror"})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if r.packed, err = r.sources.Source(&Script{Providers: "packed"}); err != nil {
		return nil, err
	}
	defer r.packed.Close()
	dir, err := os.MkdirTemp(scratch, "case-")
	if err != nil {
		return nil, err
	}
	r.c = &run{source: source, home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work")}
	if err := errors.Join(os.Mkdir(r.c.home, 0o755), os.Mkdir(r.c.work, 0o755)); err != nil {
		return nil, err
	}
	for name, config := range map[string]string{"mirror.tfrc": source.Config, packedConfig: r.packed.Config} {
		if err := os.WriteFile(filepath.Join(r.c.home, name), []byte(config), 0o644); err != nil {
			return nil, err
		}
	}
	files := make(map[string][]byte)
	var done []commonStep
	for i, s := range c.Steps {
		ok, err := applies(s.If, r.tool, r.version)
		if err == nil && ok {
			err = r.step(ctx, &s, files)
			done = append(done, s)
		}
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if r.locked != nil {
		r.locked.Close()
	}
	for i := range done {
		done[i].If = ""
	}
	meta := map[string]any{"case": filepath.Base(r.folder), "tool": r.tool, "version": r.version, "platform": runtime.GOOS + "_" + runtime.GOARCH, "steps": done}
	text, err := json.MarshalIndent(meta, "", " ")
	if err != nil {
		return nil, err
	}
	files["meta.json"] = append(text, '\n')
	if lock, err := os.ReadFile(r.c.path(".terraform.lock.hcl")); err == nil {
		files["terraform.lock.hcl"] = lock
	}
	return files, nil
}

// step does one step. A command gets its exit status, and files its output.
func (r *commonRun) step(ctx context.Context, s *commonStep, files map[string][]byte) error {
	switch {
	case s.Use != "":
		for _, name := range r.c.laid {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		r.c.laid = nil
		return r.c.lay(filepath.Join(r.folder, s.Use))
	case s.Add != "":
		return r.c.lay(filepath.Join(r.folder, s.Add))
	case s.Remove != "":
		return os.RemoveAll(r.c.path(s.Remove))
	case s.Write != "":
		return r.c.write(s.Write, []byte(s.Text))
	case s.Kept != "":
		data, err := os.ReadFile(r.c.path(s.Kept))
		if err == nil {
			files[s.As] = data
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil // what the tool did not write
		}
		return err
	case s.Lock != "":
		if err := os.WriteFile(r.c.path(lockInfo), []byte(somebody), 0o644); err != nil {
			return err
		}
		var err error
		r.locked, err = lockFile(r.c.path(s.Lock))
		return err
	case s.Unlock != 0:
		err := r.locked.Close()
		r.locked = nil
		return errors.Join(err, os.Remove(r.c.path(lockInfo)))
	case s.Argv != nil:
		return r.command(ctx, s, files)
	}
	return errors.New("the step says nothing")
}

var signals = map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM, "SIGKILL": syscall.SIGKILL}

func (r *commonRun) command(ctx context.Context, s *commonStep, files map[string][]byte) error {
	s.Argv = slices.Clone(s.Argv)
	s.Argv[0] = r.tool
	args := slices.Clone(s.Argv[1:])
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], packedMirror, r.packed.Mirror)
	}
	config := "mirror.tfrc"
	cmd := exec.CommandContext(ctx, r.bin, args...)
	cmd.Dir = r.c.work
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.c.home, "LANG=C.UTF-8", "CHECKPOINT_DISABLE=1"}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		if name == "TF_CLI_CONFIG_FILE" {
			config = s.Env[name]
			continue
		}
		cmd.Env = append(cmd.Env, name+"="+s.Env[name])
	}
	cmd.Env = append(cmd.Env, "TF_CLI_CONFIG_FILE="+filepath.Join(r.c.home, config))
	var out bytes.Buffer
	watch := &watcher{out: &out}
	cmd.Stdout, cmd.Stderr = watch, io.Discard
	cmd.WaitDelay = 10 * time.Second // providers that outlive a tool that crashed hold its output
	if s.Signal != nil {
		sig, ok := signals[s.Signal.Signal]
		if !ok {
			return fmt.Errorf("no signal %q", s.Signal.Signal)
		}
		watch.signal = sig
		watch.delay = time.Duration(s.Signal.Delay * float64(time.Second))
	}
	if err := watch.start(cmd, s.interrupt()); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return err
	}
	_ = watch.done() // a release that prints no such line has ended by itself
	code := cmd.ProcessState.ExitCode()
	if code < 0 && s.Signal != nil {
		code = -int(watch.signal.(syscall.Signal))
	}
	s.Exit = &code
	if s.Stdout != "" {
		files[s.Stdout] = bytes.Clone(out.Bytes())
		if name := rawName(s.Stdout); name != "" {
			if text := rawState(r.c.work, s.Argv[1:], out.Bytes()); text != nil {
				files[name] = text
			}
		}
	}
	return ctx.Err()
}

// interrupt returns the signal of a step as a script has it.
func (s *commonStep) interrupt() *Interrupt {
	if s.Signal == nil {
		return nil
	}
	i := &Interrupt{After: s.Signal.After, Times: 1}
	if s.Signal.Twice {
		i.Times = 2
	}
	return i
}
