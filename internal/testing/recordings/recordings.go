// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package recordings has what releases of OpenTofu and Terraform have printed,
// for the tests of all packages. The folder testdata/releases holds one archive a
// release, TOOL-VERSION.zip.gz: a folder a case, with the files that kept the
// standard output of the commands, the lock files and states that the tool wrote, and
// meta.json, which lists the commands. NAME.tfstate is the state of which NAME.json
// has what show -json printed. The files are compressed together, because
// they are alike.
package recordings

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// archives has the folder releases. It is not compiled into the tests, nor is it in the module's
// zip: tests run in a clone, in a folder of it.
var archives = sync.OnceValues(func() (fs.FS, error) {
	const folder = "internal/testing/recordings/testdata"
	for dir := started; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, folder)
		if _, err := os.Stat(name); err == nil {
			return os.DirFS(name), nil
		}
		if dir == filepath.Dir(dir) {
			return nil, fmt.Errorf("no folder above %s has %s: tests run in a clone of the repository", started, folder)
		}
	}
})

// started is the working directory that the process began in; tests change it.
var started, _ = os.Getwd()

// A Release is the recordings of one release.
type Release struct {
	fs.FS
	Tool    string // tofu or terraform
	Version string // with the pre-release part
}

// String returns the name of the release, as tofu-1.11.14.
func (r Release) String() string { return r.Tool + "-" + r.Version }

// Releases returns the releases that there are recordings of.
func Releases() ([]Release, error) {
	all, err := archives()
	if err != nil {
		return nil, err
	}
	return Open(all)
}

// Open returns the releases whose archives are in the folder releases of a file
// system.
func Open(archives fs.FS) ([]Release, error) {
	names, err := fs.Glob(archives, "releases/*"+Extension)
	if err != nil {
		return nil, err
	}
	var all []Release
	for _, name := range names {
		r, err := Archive(archives, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tool, version, ok := strings.Cut(strings.TrimSuffix(path.Base(name), Extension), "-")
		if !ok {
			return nil, fmt.Errorf("%s is not named after a release", name)
		}
		all = append(all, Release{r, tool, version})
	}
	return all, nil
}

// Extension is that of the archives.
const Extension = ".zip.gz"

// Archive opens one archive.
func Archive(archives fs.FS, name string) (fs.FS, error) {
	text, err := fs.ReadFile(archives, name)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if text, err = io.ReadAll(unpacked); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(text), int64(len(text)))
}

// Pack makes an archive. The files get one time, and their order is that of their
// names.
func Pack(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	z := zip.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		f, err := z.CreateHeader(h)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			return nil, err
		}
	}
	if err := errors.Join(z.Close(), packed.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A File is one recording.
type File struct {
	Name string   // CASE/FILE
	Kind string   // as examples/roundtrip calls it; "" for text for people
	Args []string // the command line without the tool; nil for a lock file, a raw state and what -json-into wrote
	Exit int      // the exit status of the command
	Text []byte
}

// A meta is the file meta.json of a case.
type meta struct {
	Steps []struct {
		Argv   []string `json:"argv"`
		Exit   int      `json:"exit_code"`
		Stdout string   `json:"stdout"`
	} `json:"steps"`
}

// Files returns an iterator over the recordings of r, by case and in the order
// of the commands; last the files that a tool wrote itself. It ends with an error if the archive is
// not as it should be.
func (r Release) Files() iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		cases, err := fs.Glob(r, "*/meta.json")
		if err == nil && len(cases) == 0 {
			err = fmt.Errorf("%s has no case", r)
		}
		if err != nil {
			yield(File{}, err)
			return
		}
		for _, name := range cases {
			files, err := r.filesOf(path.Dir(name))
			if err != nil {
				yield(File{}, fmt.Errorf("%s/%s: %w", r, name, err))
				return
			}
			for _, f := range files {
				if !yield(f, nil) {
					return
				}
			}
		}
	}
}

// filesOf returns the recordings of one case.
func (r Release) filesOf(folder string) ([]File, error) {
	text, err := fs.ReadFile(r, folder+"/meta.json")
	if err != nil {
		return nil, err
	}
	var m meta
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	var files []File
	at := make(map[string]int) // a file that is written again is that of the last command
	for _, step := range m.Steps {
		if step.Stdout == "" || len(step.Argv) < 2 {
			continue
		}
		f := File{Name: folder + "/" + step.Stdout, Args: step.Argv[1:], Exit: step.Exit}
		if f.Text, err = fs.ReadFile(r, f.Name); err != nil {
			return nil, err
		}
		f.Kind = Kind(f.Args, f.Text)
		if i, ok := at[f.Name]; ok {
			files[i] = f
			continue
		}
		at[f.Name] = len(files)
		files = append(files, f)
	}
	for _, of := range [][2]string{{"*.lock.hcl", "lock"}, {"*.into.jsonl", "ui"}, {"*.tfstate", "statefile"}, {"*.tfstate.*", "statefile"}} {
		names, err := fs.Glob(r, folder+"/"+of[0])
		if err != nil {
			return nil, err
		}
		kind := of[1]
		for _, name := range names {
			if _, ok := at[name]; ok {
				continue // printed by a command
			}
			text, err := fs.ReadFile(r, name)
			if err != nil {
				return nil, err
			}
			f := File{Name: name, Kind: kind, Text: text}
			if kind == "statefile" && len(text) == 0 {
				f.Kind = "" // an empty file is no state
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// Kind returns what the command with these arguments printed, as
// examples/roundtrip calls it, or "" for text for people.
func Kind(args []string, text []byte) string {
	words := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if len(words) == 2 && words[0] == "state" && words[1] == "pull" && len(text) > 0 {
		return "statefile"
	}
	if !slices.Contains(args, "-json") || len(words) == 0 {
		return ""
	}
	if line, _, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(line, []byte(`{"@level":`)) {
		return "ui"
	}
	switch command := strings.Join(words[:min(2, len(words))], " "); {
	case len(bytes.TrimSpace(text)) == 0:
		return ""
	case words[0] == "show" && slices.ContainsFunc(args, func(arg string) bool {
		return strings.HasPrefix(arg, "-config") || strings.HasPrefix(arg, "-module")
	}):
		return "config"
	case words[0] == "show":
		if !json.Valid(text) {
			return ""
		}
		var plan struct {
			Planned json.RawMessage `json:"planned_values"`
		}
		if json.Unmarshal(text, &plan) == nil && plan.Planned != nil {
			return "plan"
		}
		return "state"
	case command == "providers schema":
		return "schemas"
	case command == "metadata functions":
		return "functions"
	case command == "workspace list":
		return "workspaces"
	case command == "state show":
		return "state-show"
	case slices.Contains([]string{"validate", "version", "output", "modules"}, words[0]):
		if !json.Valid(text) {
			return ""
		}
		return words[0]
	}
	return "ui"
}
