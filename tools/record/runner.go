// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
)

// A Recording is the output of one step.
type Recording struct {
	Name string   // as the script calls it
	Keep []string // the files that keep it, as in [Step.Keep]
	Race string   // as in [Step.Race]
	Data []byte
	Raw  bool // a raw state, which older recordings do not have

	Encryption string // the text of TF_ENCRYPTION that opens it, "" if it is not encrypted
}

// A Runner runs scripts with one binary.
type Runner struct {
	Root    string // of the module
	Binary  string // absolute
	Sources *Mirrors
	Scratch string // a temporary folder
	From    string // if not empty, recordings that -out kept are read instead
}

// A run is the state of one script that is running.
type run struct {
	*Runner
	script *Script
	source *Source
	home   string
	work   string
	laid   []string // the configuration files in the working folder
}

// Run does the steps of a script in a new working folder and returns what they
// gave. A step with another exit status than in the script is an error in wrong,
// and does not stop the run.
func (r *Runner) Run(ctx context.Context, s *Script) (recs []Recording, wrong []error, err error) {
	if r.From != "" {
		recs, err = r.read(s)
		return recs, nil, err
	}
	source, err := r.Sources.Source(s)
	if err != nil {
		return nil, nil, err
	}
	defer source.Close()
	dir, err := os.MkdirTemp(r.Scratch, "case-")
	if err != nil {
		return nil, nil, err
	}
	c := &run{Runner: r, script: s, source: source, home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work")}
	for _, d := range []string{c.home, c.work} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range []string{".terraformrc", ".tofurc"} {
		if source.Config == "" {
			break
		}
		if err := os.WriteFile(filepath.Join(c.home, name), []byte(source.Config), 0o644); err != nil {
			return nil, nil, err
		}
	}
	for i := range s.Steps {
		step := &s.Steps[i]
		data, err := c.step(ctx, step)
		var exit *exitError
		if errors.As(err, &exit) {
			wrong = append(wrong, fmt.Errorf("step %d: %w", i+1, err))
		} else if err != nil {
			return recs, wrong, fmt.Errorf("step %d: %w", i+1, err)
		}
		if name := step.name(); name != "" {
			rec, err := r.recording(s, step, data)
			if err != nil {
				return recs, wrong, fmt.Errorf("step %d: %w", i+1, err)
			}
			recs = append(recs, rec)
		}
		if keep := step.raw(); keep != nil {
			if text := rawState(c.work, step.Run, data); text != nil {
				recs = append(recs, Recording{Name: rawName(step.Stdout), Keep: keep, Race: step.Race, Data: text, Raw: true})
			}
		}
	}
	return recs, wrong, nil
}

// recording returns what a step made.
func (r *Runner) recording(s *Script, step *Step, data []byte) (rec Recording, err error) {
	rec = Recording{Name: step.name(), Keep: step.keep(), Race: step.Race, Data: data}
	if step.Save != "" && step.Encryption != "" {
		rec.Encryption, err = encryption(r.Root, s, step.Encryption)
	}
	return rec, err
}

// read returns the recordings that an earlier run kept.
func (r *Runner) read(s *Script) ([]Recording, error) {
	var recs []Recording
	for i := range s.Steps {
		step := &s.Steps[i]
		if len(step.keep()) == 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.From, filepath.FromSlash(s.Case), s.Name(), step.name()))
		if err != nil {
			return recs, err
		}
		rec, err := r.recording(s, step, data)
		if err != nil {
			return recs, err
		}
		recs = append(recs, rec)
		if keep := step.raw(); keep != nil {
			text, err := os.ReadFile(filepath.Join(r.From, filepath.FromSlash(s.Case), s.Name(), rawName(step.Stdout)))
			if err == nil {
				recs = append(recs, Recording{Name: rawName(step.Stdout), Keep: keep, Race: step.Race, Data: text, Raw: true})
			} else if !errors.Is(err, fs.ErrNotExist) {
				return recs, err
			}
		}
	}
	return recs, nil
}

// step does one step and returns its output.
func (c *run) step(ctx context.Context, s *Step) ([]byte, error) {
	cases := filepath.Join(c.Root, "tools", "record", "cases", filepath.FromSlash(c.script.Case))
	switch {
	case s.Use != "":
		for _, name := range c.laid {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		c.laid = nil
		return nil, c.lay(filepath.Join(cases, s.Use))
	case s.Add != "":
		return nil, c.lay(filepath.Join(cases, s.Add))
	case s.Remove != "":
		err := os.Remove(c.path(s.Remove))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // a generated file that an older version did not generate
		}
		return nil, err
	case s.Write != "":
		return nil, c.write(s.Write, []byte(s.Text))
	case s.Copy != "":
		data, err := os.ReadFile(filepath.Join(c.Root, filepath.FromSlash(s.Copy)))
		if err != nil {
			return nil, err
		}
		return nil, c.write(s.To, data)
	case s.Save != "":
		return os.ReadFile(c.path(s.Save))
	case s.Run != nil:
		return c.command(ctx, s)
	case s.Constraints != "":
		return c.constraints(ctx, s.Constraints)
	case s.Validated != "":
		return c.validated(ctx, s.Validated)
	}
	return nil, nil
}

func (c *run) path(name string) string { return filepath.Join(c.work, filepath.FromSlash(name)) }

// lay copies a folder of configuration into the working folder.
func (c *run) lay(from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return c.write(filepath.ToSlash(rel), data)
	})
}

// write writes a file of the working folder. If it is configuration, the next
// [Step.Use] removes it.
func (c *run) write(name string, data []byte) error {
	file := c.path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "out/") {
		c.laid = append(c.laid, file)
	}
	return os.WriteFile(file, data, 0o644)
}

// An exitError is another exit status than expected.
type exitError struct {
	args      []string
	got, want int
	said      string
}

func (e *exitError) Error() string {
	return fmt.Sprintf("%s: exit status %d, not %d\n%s", strings.Join(e.args, " "), e.got, e.want, e.said)
}

// command does a step that runs the tool.
func (c *run) command(ctx context.Context, s *Step) ([]byte, error) {
	args := make([]string, len(s.Run))
	for i, arg := range s.Run {
		args[i] = strings.NewReplacer("{mirror}", c.source.Mirror, "{network}", c.source.Network).Replace(arg)
	}
	var env []string
	if s.Encryption != "" {
		text, err := encryption(c.Root, c.script, s.Encryption)
		if err != nil {
			return nil, err
		}
		env = append(env, "TF_ENCRYPTION="+text)
	}
	stdout, stderr, status, err := c.tool(ctx, args, s.Interrupt, s.Merged, env...)
	if err == nil && status != s.Exit {
		err = &exitError{s.Run, status, s.Exit, said(stdout, stderr)}
	}
	return stdout, err
}

// said returns what a tool said last: with -json, that is on standard output.
func said(stdout, stderr []byte) string {
	if len(bytes.TrimSpace(stderr)) > 0 {
		return string(stderr)
	}
	return string(stdout[max(0, len(stdout)-2000):])
}

// tool runs the tool, with more in its environment, and returns its exit status.
func (c *run) tool(ctx context.Context, args []string, interrupt *Interrupt, merged bool, env ...string) (out, text []byte, status int, err error) {
	cmd := exec.CommandContext(ctx, c.Binary, args...)
	cmd.Dir = c.work
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "TOFUWIRE_PROGRAM=" + os.Getenv("TOFUWIRE_PROGRAM"), "HOME=" + c.home, "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8", "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
	}, append(slices.Clone(c.source.Env), env...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stderr = &stderr
	watch := &watcher{out: &stdout}
	if merged {
		cmd.Stderr = watch // the same writer, so that os/exec uses one pipe
	}
	cmd.Stdout = watch
	if err := watch.start(cmd, interrupt); err != nil {
		return nil, nil, 0, err
	}
	err = cmd.Wait()
	if err := watch.done(); err != nil {
		return stdout.Bytes(), nil, 0, err
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, nil, 0, err
	}
	return stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode(), nil
}

// Part returns what a file of the module keeps of a recording.
func Part(keep string, data []byte) ([]byte, error) {
	_, part := cut(keep)
	if part == "" {
		return data, nil
	}
	var doc struct {
		Configuration   json.RawMessage `json:"configuration"`
		ResourceChanges []struct {
			Address string `json:"address"`
			Index   any    `json:"index"`
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	switch part {
	case "configuration":
		if doc.Configuration == nil {
			return nil, errors.New("there is no configuration")
		}
		return append(doc.Configuration, '\n'), nil
	case "instances":
		for _, r := range doc.ResourceChanges {
			fmt.Fprintf(&b, "{\"address\": %s, \"index\": %s}\n", ascii(r.Address), ascii(r.Index))
		}
	case "references":
		var config struct {
			RootModule struct {
				Outputs map[string]struct {
					Expression struct {
						References []string `json:"references"`
					} `json:"expression"`
				} `json:"outputs"`
			} `json:"root_module"`
		}
		if err := json.Unmarshal(doc.Configuration, &config); err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(config.RootModule.Outputs)) {
			var texts []string
			for _, ref := range config.RootModule.Outputs[name].Expression.References {
				texts = append(texts, ascii(ref))
			}
			fmt.Fprintf(&b, "[%s]\n", strings.Join(texts, ", "))
		}
	}
	return b.Bytes(), nil
}

// ascii returns a scalar as JSON in ASCII.
func ascii(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A decoded scalar can always be encoded.
	_ = enc.Encode(v)
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		switch {
		case r < 0x7f:
			out.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}
