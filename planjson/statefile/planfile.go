// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A PlanFile is what a saved plan holds in addition to the changes: the states before
// planning, and a snapshot of the configuration. The changes themselves are in the
// tool's own protocol buffers, which differ from release to release: "show -json"
// prints them.
type PlanFile struct {
	// Version is the release that made the plan, as its states have it.
	Version string

	// PriorState is the state after refreshing, and PreviousState the one before. In
	// a first plan they have the serial 0 and no lineage. They are nil if the file
	// has none.
	PriorState, PreviousState *File

	// Modules lists the modules of the configuration, including the root, with the
	// key "".
	Modules []PlanModule

	// LockFile is the dependency lock file, as package lockfile reads it.
	LockFile []byte

	files map[string]map[string][]byte // by module key, then name
}

// A PlanModule is a module of a plan's configuration.
type PlanModule struct {
	Key     string `json:"Key"`               // the names of the calls, joined by dots
	Source  string `json:"Source"`            // as in the call
	Version string `json:"Version,omitempty"` // of a module of a registry
	Dir     string `json:"Dir"`               // relative to the folder in which the tool ran; may lead out of it
}

// Limits of a saved plan.
const (
	maxEntries  = 100_000
	maxUnpacked = 1 << 30 // bytes of all that is read
)

// DecodePlanFile reads src, a file that "plan -out" has saved. It does not read the changes
// themselves. An encrypted plan is refused with [ErrEncrypted]: [Decrypt] returns its clear
// text. A text that is not a saved plan is refused with [ErrKind], a damaged or dangerous
// archive with [ErrInvalid], and one of more than 100,000 entries or 1 GiB with [ErrLimit].
func DecodePlanFile(src []byte) (*PlanFile, error) {
	if planjson.KindOf(src) == planjson.DocumentEncrypted {
		return nil, &Error{Err: ErrEncrypted}
	}
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if errors.Is(err, zip.ErrFormat) && !isPlan(src) {
		return nil, &Error{Err: fmt.Errorf("%w: this is not a saved plan", ErrKind)}
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &Error{Err: fmt.Errorf("%w: %w", ErrInvalid, err)}
	}
	if len(z.File) > maxEntries {
		return nil, &Error{Err: fmt.Errorf("%w: more than %d entries", ErrLimit, maxEntries)}
	}
	p := &PlanFile{files: make(map[string]map[string][]byte)}
	r := planReader{plan: p, left: maxUnpacked, seen: make(map[string]bool)}
	for _, f := range z.File {
		if err := r.entry(f); err != nil {
			if _, ok := errors.AsType[*Error](err); ok {
				return nil, err
			}
			return nil, &Error{Err: fmt.Errorf("entry %q: %w", short(f.Name), err)}
		}
	}
	if !r.seen["tfplan"] {
		return nil, &Error{Err: fmt.Errorf("%w: a zip, but not a saved plan", ErrKind)}
	}
	if err := p.check(); err != nil {
		return nil, &Error{Err: err}
	}
	for _, f := range []*File{p.PreviousState, p.PriorState} {
		if f != nil && f.TerraformVersion != "" {
			p.Version = f.TerraformVersion
		}
	}
	return p, nil
}

// A planReader reads the entries of a saved plan.
type planReader struct {
	plan *PlanFile
	left int64 // bytes that may still be read
	seen map[string]bool
}

// entry reads one entry.
func (r *planReader) entry(f *zip.File) (err error) {
	if r.seen[f.Name] {
		return fmt.Errorf("%w: it occurs twice", ErrInvalid)
	}
	r.seen[f.Name] = true
	p := r.plan
	switch f.Name {
	case "tfplan":
		return nil
	case "tfstate":
		p.PriorState, err = r.state(f)
	case "tfstate-prev":
		p.PreviousState, err = r.state(f)
	case ".terraform.lock.hcl":
		p.LockFile, err = r.read(f)
	case "tfconfig/modules.json":
		var text []byte
		if text, err = r.read(f); err == nil {
			if err = json.Unmarshal(text, &p.Modules); err != nil {
				err = fmt.Errorf("%w: %w", ErrInvalid, err)
			}
		}
	default:
		rest, ok := strings.CutPrefix(f.Name, "tfconfig/m-")
		if !ok {
			return nil // of a later release
		}
		key, name, _ := strings.Cut(rest, "/")
		if !plainKey(key) || !plainFile(name) {
			return fmt.Errorf("%w: it is not a file of a module", ErrInvalid)
		}
		if p.files[key] == nil {
			p.files[key] = make(map[string][]byte)
		}
		p.files[key][name], err = r.read(f)
	}
	return err
}

// plainKey reports whether key has the names of module calls, joined by dots.
func plainKey(key string) bool {
	if key == "" {
		return true
	}
	for name := range strings.SplitSeq(key, ".") {
		if !plainName(name) {
			if _, err := addrs.ParseModule("module." + name); err != nil {
				return false
			}
		}
	}
	return true
}

// plainFile reports whether name is that of a file in a folder, on any system.
func plainFile(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\:\x00") && fs.ValidPath(name)
}

// read returns the content of an entry.
func (r *planReader) read(f *zip.File) ([]byte, error) {
	file, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, r.left+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if r.left -= int64(len(text)); r.left < 0 {
		return nil, fmt.Errorf("%w: the archive unpacks to more than %d bytes", ErrLimit, maxUnpacked)
	}
	return text, nil
}

// state reads an entry that is a state.
func (r *planReader) state(f *zip.File) (*File, error) {
	text, err := r.read(f)
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// check checks that the modules have the files that there are.
func (p *PlanFile) check() error {
	keys := make(map[string]bool)
	for _, m := range p.Modules {
		switch {
		case keys[m.Key]:
			return fmt.Errorf("%w: the module %q occurs twice", ErrInvalid, short(m.Key))
		case !plainKey(m.Key):
			return fmt.Errorf("%w: %q is not the key of a module", ErrInvalid, short(m.Key))
		}
		keys[m.Key] = true
	}
	for key := range p.files {
		if !keys[key] {
			return fmt.Errorf("%w: there are files of a module %q that is not listed", ErrInvalid, short(key))
		}
	}
	return nil
}

// Snapshot returns the configuration as a file system, so that the tools can work with
// its files in a folder: each module at its Dir, or at .terraform/modules/KEY if that
// leads out of the folder, with .terraform/modules/modules.json and the lock file. The
// error wraps [ErrInvalid] if two modules have different files of one name at the same
// place.
func (p *PlanFile) Snapshot() (fs.FS, error) {
	if p == nil {
		p = &PlanFile{}
	}
	files := make(map[string][]byte)
	put := func(name string, text []byte) error {
		if old, ok := files[name]; ok && !bytes.Equal(old, text) {
			return &Error{Err: fmt.Errorf("%w: two files are to be at %q", ErrInvalid, short(name))}
		}
		files[name] = text
		return nil
	}
	var manifest struct{ Modules []PlanModule }
	manifest.Modules = []PlanModule{}
	for _, m := range p.Modules {
		m.Dir = placeIn(m)
		manifest.Modules = append(manifest.Modules, m)
		for _, name := range sortedNames(p.files[m.Key]) {
			if err := put(path.Join(m.Dir, name), p.files[m.Key][name]); err != nil {
				return nil, err
			}
		}
	}
	text, err := json.Marshal(manifest)
	if err != nil {
		return nil, &Error{Err: err}
	}
	if err := put(".terraform/modules/modules.json", text); err != nil {
		return nil, err
	}
	if p.LockFile != nil {
		if err := put(".terraform.lock.hcl", p.LockFile); err != nil {
			return nil, err
		}
	}
	for name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, ok := files[dir]; ok {
				return nil, &Error{Err: fmt.Errorf("%w: %q is a file and a folder", ErrInvalid, short(dir))}
			}
		}
	}
	return fileSystem(files)
}

// placeIn returns where in a folder the files of a module go.
func placeIn(m PlanModule) string {
	dir := path.Clean(strings.ReplaceAll(m.Dir, "\\", "/"))
	if m.Dir != "" && fs.ValidPath(dir) && !strings.ContainsAny(dir, ":\x00") {
		return dir
	}
	if m.Key == "" {
		return "."
	}
	return ".terraform/modules/" + m.Key
}

// fileSystem returns a file system with these files.
func fileSystem(files map[string][]byte) (fs.FS, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	names := sortedNames(files)
	for _, name := range names {
		h := &zip.FileHeader{Name: name, Method: zip.Store}
		h.SetMode(0o644)
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			return nil, &Error{Err: err}
		}
	}
	if err := w.Close(); err != nil {
		return nil, &Error{Err: err}
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return nil, &Error{Err: err}
	}
	return z, nil
}
