// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// A Script is what was done with one tool in one case.
type Script struct {
	// Case is the folder below cases/, Tool and Version are from the name of
	// the file, for example "tofu" and "1.12.6".
	Case, Tool, Version string `json:"-"`

	// Providers says where the tool finds providers: one of [Sources]. If
	// empty, in the filesystem mirror.
	Providers string `json:"providers"`

	// Skip is the reason why the script is not run, if it cannot be.
	Skip string `json:"skip"`

	// Varies lists what differs from run to run because the configuration
	// computes it from what a provider makes up.
	Varies []Varies `json:"varies"`

	// Unordered names members whose lists a made-up value sorts.
	Unordered []string `json:"unordered"`

	// Steps are in the order in which they are done.
	Steps []Step `json:"steps"`
}

// A Varies is a place whose value may differ in the recordings of one script.
type Varies struct {
	Path string `json:"path"` // the end of the path, as in [Place]
	Why  string `json:"why"`
}

// A Step is one thing that is done. Exactly one of Note, Use, Add, Remove,
// Write, Copy, Save, Constraints, Validated and Run is set.
type Step struct {
	// Note says why the next steps are done.
	Note string `json:"note"`

	// Use is a folder of the case. The configuration that earlier steps laid
	// into the working folder is removed, and the files of this one are copied
	// there. All else in the working folder stays. Add copies without removing.
	Use, Add string

	// Remove is a file of the working folder.
	Remove string

	// Write is a file of the working folder that gets Text.
	Write string
	Text  string

	// Copy is a file of this module, from its root, that is copied to the file
	// To of the working folder.
	Copy, To string

	// Save is a file of the working folder, whose content is a recording with
	// the name As.
	Save, As string

	// Constraints is a file of this module, from its root, each line of which
	// says what a tool made of some version constraints. The lines of the
	// script's tool are remade. Validated is such a file, whose lines have
	// small files and what the tool said of them.
	Constraints, Validated string

	// Run has the arguments of the tool, Exit its exit status, and Stdout the
	// name of the recording of its standard output. The arguments "{mirror}"
	// and "{network}" are replaced, see [Source].
	Run    []string
	Exit   int
	Stdout string

	// Interrupt, if not nil, says when the tool is interrupted.
	Interrupt *Interrupt

	// Keep lists the files of this module, from its root, that keep the
	// recording. With "#configuration" after it, the file keeps only the value
	// of the member of that name of a plan, with a newline; with "#instances",
	// the address and index of each resource change in a line; with
	// "#references", the references of each output in a line.
	Keep []string

	// Race is the reason why the recording depends on chance, if it does: on
	// the speed of parallel work, or on the order of a map. The script is then run again
	// until the recording is what it was, or given up after some tries.
	Race string

	// Encryption is a file of the case, with the text of TF_ENCRYPTION for Run. With
	// Save, it opens the file, which the tool has encrypted. In it "{case}" stands for
	// the folder of the case.
	Encryption string

	// Merged means that standard error goes where standard output goes.
	Merged bool
}

// An Interrupt sends the signal INT as soon as a line of standard output
// matches the regular expression After; again, a moment later, if Times is 2.
type Interrupt struct {
	After string `json:"after"`
	Times int    `json:"times"`
}

// Name returns the tool and version, such as "tofu-1.12.6".
func (s *Script) Name() string { return s.Tool + "-" + s.Version }

// name returns the name of the recording that a step makes, "" if none.
func (s *Step) name() string {
	switch {
	case s.Save != "":
		return s.As
	case s.rows() != "":
		return path.Base(s.rows())
	}
	return s.Stdout
}

// keep returns the files that keep the recording of a step.
func (s *Step) keep() []string {
	if rows := s.rows(); rows != "" {
		return []string{rows}
	}
	return s.Keep
}

// raw returns the files that keep the raw state of which a step keeps what "show
// -json" prints, if it prints a state: they lie beside.
func (s *Step) raw() []string {
	if _, ok := isShow(s.Run); !ok || rawName(s.Stdout) == "" {
		return nil
	}
	var files []string
	for _, keep := range s.Keep {
		if name := rawName(keep); name != "" {
			files = append(files, name)
		}
	}
	return files
}

// rows returns the file of a step that remakes the lines of one.
func (s *Step) rows() string { return s.Constraints + s.Validated }

// cut splits an entry of [Step.Keep] at the "#".
func cut(keep string) (file, part string) {
	file, part, _ = strings.Cut(keep, "#")
	return file, part
}

// parts are what a file can keep of a recording.
var parts = []string{"", "configuration", "instances", "references"}

// ParseScript reads the script of a case. The name of the file gives the tool
// and its version.
func ParseScript(file string, src []byte) (*Script, error) {
	s := &Script{Case: path.Dir(file)}
	base := strings.TrimSuffix(path.Base(file), ".json")
	var ok bool
	if s.Tool, s.Version, ok = strings.Cut(base, "-"); !ok || !semver.IsValid("v"+s.Version) {
		return nil, fmt.Errorf("%s: the name is not TOOL-VERSION.json", file)
	}
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is text behind the script", file)
	}
	if s.Providers == "" {
		s.Providers = "mirror"
	}
	if _, ok := Sources[s.Providers]; !ok {
		return nil, fmt.Errorf("%s: there is no source of providers %q", file, s.Providers)
	}
	for i := range s.Steps {
		if err := s.Steps[i].check(); err != nil {
			return nil, fmt.Errorf("%s: step %d: %w", file, i+1, err)
		}
	}
	return s, nil
}

// check reports the faults of a step.
func (s *Step) check() error {
	kinds := 0
	for _, set := range []bool{s.Note != "", s.Use != "", s.Add != "", s.Remove != "", s.Write != "", s.Copy != "", s.Save != "", s.Constraints != "", s.Validated != "", s.Run != nil} {
		if set {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return errors.New("not exactly one of note, use, add, remove, write, copy, save, constraints, validated and run")
	case len(s.Keep) > 0 && s.name() == "":
		return errors.New("keep without a name for the recording")
	case s.Save != "" && s.As == "", s.Copy != "" && s.To == "":
		return errors.New("no name to copy to")
	case s.Run == nil && (s.Exit != 0 || s.Stdout != "" || s.Interrupt != nil || s.Merged || s.Race != ""):
		return errors.New("exit, stdout, interrupt, merged and race are for run")
	case s.Encryption != "" && s.Run == nil && s.Save == "":
		return errors.New("encryption is for run and save")
	case s.Interrupt != nil && (s.Interrupt.Times < 1 || s.Interrupt.Times > 2):
		return errors.New("interrupt: times is 1 or 2")
	}
	for _, keep := range s.Keep {
		if _, part := cut(keep); !slices.Contains(parts, part) {
			return fmt.Errorf("keep: there is no part %q", part)
		}
	}
	return nil
}

// LoadScripts reads all scripts below the folder cases of the module at root,
// ordered by case, tool and version.
func LoadScripts(root string) ([]*Script, error) {
	dir := filepath.Join(root, "tools", "record", "cases")
	var scripts []*Script
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), "config") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".json" {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		s, err := ParseScript(filepath.ToSlash(rel), src)
		if err == nil {
			scripts = append(scripts, s)
		}
		return err
	})
	slices.SortStableFunc(scripts, func(a, b *Script) int {
		if c := strings.Compare(a.Case+" "+a.Tool, b.Case+" "+b.Tool); c != 0 {
			return c
		}
		return semver.Compare("v"+a.Version, "v"+b.Version)
	})
	return scripts, err
}

// Choose returns the scripts that a tool of the given version runs: its own or,
// if there are none, of each case that of the newest version.
func Choose(scripts []*Script, tool, version string) []*Script {
	var own, newest []*Script
	for _, s := range scripts { // ordered by case and version
		if s.Tool != tool {
			continue
		}
		if s.Version == version {
			own = append(own, s)
		}
		if n := len(newest); n > 0 && newest[n-1].Case == s.Case {
			newest[n-1] = s
		} else {
			newest = append(newest, s)
		}
	}
	if own != nil {
		return own
	}
	return newest
}
