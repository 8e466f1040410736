// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Names of the entries that a saved plan has.
const (
	entryPlan     = "tfplan"
	entryPrior    = "tfstate"
	entryPrevious = "tfstate-prev"
	entryLock     = ".terraform.lock.hcl"
	entryModules  = "tfconfig/modules.json"
	entrySchemas  = "tfschemas" // OpenTofu 1.13
	modulePrefix  = "tfconfig/m-"
)

// Limits of an archive. The tools reach a ratio of 37.
const (
	maxEntries   = 100_000
	freeUnpacked = 64 << 20 // bytes that any archive may unpack to
	maxRatio     = 100      // bytes more for each byte of the file
	maxDeflate   = 1032     // the ratio that deflate can reach
)

// An archive is the zip that a saved plan is. Nothing is unpacked before it is asked for.
type archive struct {
	entries map[string]*zip.File
	files   map[string][]string // names of the files of a module, by its key, in the order of the archive
	size    uint64              // of the zip, in bytes

	mu   sync.Mutex
	left int64 // bytes that may still be unpacked
}

func openArchive(src []byte) (*archive, error) {
	switch planjson.KindOf(src) {
	case planjson.DocumentEncrypted:
		return nil, &Error{Offset: -1, Err: ErrEncrypted}
	case planjson.DocumentCloudPlan, planjson.DocumentLockInfo, planjson.DocumentBackend:
		_, err := planjson.Decode(src) // says what it is and what to do
		if e, ok := errors.AsType[*planjson.Error](err); ok {
			err = e.Err
		}
		return nil, &Error{Offset: -1, Err: fmt.Errorf("%w: this is not a saved plan: %w", ErrKind, err)}
	case planjson.DocumentPlanFile:
	default:
		if !bytes.Contains(src, []byte("PK\x05\x06")) { // bytes may stand before a zip
			return nil, &Error{Offset: -1, Err: fmt.Errorf("%w: this is not a saved plan", ErrKind)}
		}
	}
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &Error{Offset: -1, Err: invalid("%w", err)}
	}
	if len(z.File) > maxEntries {
		return nil, &Error{Offset: -1, Err: fmt.Errorf("%w: more than %d entries", ErrLimit, maxEntries)}
	}
	a := &archive{entries: make(map[string]*zip.File, len(z.File)), files: make(map[string][]string), size: uint64(len(src)), left: freeUnpacked + maxRatio*int64(len(src))}
	for _, f := range z.File {
		if err := a.add(f); err != nil {
			return nil, inEntry(f.Name, err)
		}
	}
	if a.entries[entryPlan] == nil {
		return nil, &Error{Offset: -1, Err: fmt.Errorf("%w: a zip, but not a saved plan", ErrKind)}
	}
	return a, nil
}

// complete returns an error if the archive lacks an entry without which the tools refuse a plan.
func (a *archive) complete() error {
	for _, name := range []string{entryPlan, entryPrior, entryPrevious, entryModules} {
		switch f := a.entries[name]; {
		case f == nil && name == entryPrevious:
			return &Error{Entry: name, Offset: -1, Err: invalid("the plan lacks it, as those of Terraform 0.15 and older do; \"show -json\" of that release prints them")}
		case f == nil:
			return &Error{Entry: name, Offset: -1, Err: invalid("the plan lacks it")}
		case f.UncompressedSize64 == 0:
			return &Error{Entry: name, Offset: -1, Err: invalid("it is empty")}
		}
	}
	return nil
}

// add adds an entry.
func (a *archive) add(f *zip.File) error {
	if a.entries[f.Name] != nil {
		return invalid("it occurs twice")
	}
	a.entries[f.Name] = f
	rest, ok := strings.CutPrefix(f.Name, modulePrefix)
	if !ok || strings.HasSuffix(f.Name, "/") {
		return nil
	}
	key, name, _ := strings.Cut(rest, "/")
	if !plainKey(key) || !plainFile(name) {
		return invalid("it is not a file of a module")
	}
	a.files[key] = append(a.files[key], name)
	return nil
}

// plainKey reports whether key has the names of module calls, joined by dots.
func plainKey(key string) bool {
	if key == "" {
		return true
	}
	_, err := addrs.ParseModule("module." + strings.ReplaceAll(key, ".", ".module."))
	return err == nil
}

// plainFile reports whether name is that of a file in a folder, on any system.
func plainFile(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\:\x00") && fs.ValidPath(name)
}

// read returns the content of an entry, nil if there is none.
func (a *archive) read(name string) ([]byte, error) {
	f := a.entries[name]
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, &Error{Entry: name, Offset: -1, Err: invalid("%w", err)}
	}
	defer r.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	tooLarge := &Error{Entry: name, Offset: -1, Err: fmt.Errorf("%w: the archive unpacks to far more bytes than it has", ErrLimit)}
	if f.UncompressedSize64 > uint64(a.left) {
		return nil, tooLarge
	}
	var b bytes.Buffer // of the size that the entry says it has, if it can have it
	b.Grow(int(min(f.UncompressedSize64, maxDeflate*min(f.CompressedSize64, a.size))) + bytes.MinRead)
	n, err := io.Copy(&b, io.LimitReader(r, a.left+1))
	if a.left -= n; a.left < 0 {
		a.left = 0
		return nil, tooLarge
	}
	if err != nil {
		return nil, &Error{Entry: name, Offset: -1, Err: invalid("%w", err)}
	}
	return b.Bytes(), nil
}
