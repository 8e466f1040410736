// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// tainted returns the state of text after an edit.
func tainted(t *testing.T) *statefile.File {
	t.Helper()
	f, err := statefile.Decode([]byte(text))
	must(err)
	must(f.SetTainted(addrs.MustParseAbsResourceInstance("terraform_data.token[0]"), true))
	return f
}

// files returns the names and contents of the files in a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(err)
		m[e.Name()] = string(b)
	}
	return m
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "terraform.tfstate")
	must(os.WriteFile(name, []byte(text), 0o640))
	f := tainted(t)
	want, err := statefile.Encode(f)
	must(err)
	written, err := statefile.Save(context.Background(), name, f, "taint")
	if err != nil || !written {
		t.Fatal(written, err)
	}
	there := files(t, dir)
	if len(there) != 2 || there["terraform.tfstate"] != string(want) {
		t.Errorf("%v", there)
	}
	for file, content := range there {
		if file != "terraform.tfstate" && (content != text || !strings.HasPrefix(file, "terraform.tfstate.") || !strings.HasSuffix(file, ".backup")) {
			t.Errorf("the backup is %s: %s", file, content)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if written, err := statefile.Save(context.Background(), name, f, "taint"); err != nil || written || len(files(t, dir)) != 2 {
		t.Errorf("once more: %v, %v", written, err)
	}
	f.Serial++
	if written, err := statefile.Save(context.Background(), name, f, "taint"); err != nil || !written || len(files(t, dir)) != 3 {
		t.Errorf("in the same second: %v, %v, %v", written, err, files(t, dir))
	}
	made := filepath.Join(dir, "new", "s")
	must(os.Mkdir(filepath.Dir(made), 0o700))
	if written, err := statefile.Save(context.Background(), made, f, "taint"); err != nil || !written || len(files(t, filepath.Dir(made))) != 1 {
		t.Errorf("a new file: %v, %v", written, err)
	}
}

// TestSaveRefused checks that nothing is written that must not be.
func TestSaveRefused(t *testing.T) {
	for what, tt := range map[string]struct {
		there string
		cause error
	}{
		"another lineage":              {strings.Replace(text, "5a0fcfe8", "00000000", 1), statefile.ErrConflict},
		"a higher serial":              {strings.Replace(text, `"serial": 7`, `"serial": 9`, 1), statefile.ErrConflict},
		"the same with other content":  {strings.Replace(text, `"serial": 7`, `"serial": 8`, 1), statefile.ErrConflict},
		"a file that does not decode":  {`{"version":2}`, statefile.ErrVersion},
		"a file that is something odd": {"x", nil},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "terraform.tfstate")
		must(os.WriteFile(name, []byte(tt.there), 0o600))
		before := files(t, dir)
		written, err := statefile.Save(context.Background(), name, tainted(t), "taint")
		if _, ok := errors.AsType[*statefile.Error](err); !ok || written || tt.cause != nil && !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v, %v", what, written, err)
		}
		after := files(t, dir)
		if len(after) != len(before) || after["terraform.tfstate"] != tt.there {
			t.Errorf("%s: there is %v", what, after)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	name := filepath.Join(dir, "s")
	if written, err := statefile.Save(ctx, name, tainted(t), ""); !errors.Is(err, context.Canceled) || written || len(files(t, dir)) != 0 {
		t.Errorf("cancelled: %v, %v", written, err)
	}
	must(os.WriteFile(name, []byte(text), 0o600))
	if written, err := statefile.Save(ctx, name, tainted(t), ""); !errors.Is(err, context.Canceled) || written || len(files(t, dir)) != 1 {
		t.Errorf("cancelled: %v, %v", written, err)
	}
	if _, err := statefile.Save(context.Background(), filepath.Join(dir, "none", "s"), tainted(t), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := statefile.Save(context.Background(), name, nil, ""); !errors.Is(err, statefile.ErrAbsent) {
		t.Errorf("nil: %v", err)
	}
}

// TestSavePlaces saves through a symbolic link, to an empty file, and to places where
// it cannot be.
func TestSavePlaces(t *testing.T) {
	dir := t.TempDir()
	f := tainted(t)
	want, err := statefile.Encode(f)
	must(err)
	must(os.WriteFile(filepath.Join(dir, "s"), nil, 0o600))
	if err := os.Symlink("s", filepath.Join(dir, "link")); err == nil {
		if written, err := statefile.Save(context.Background(), filepath.Join(dir, "link"), f, ""); err != nil || !written {
			t.Errorf("through a link: %v, %v", written, err)
		}
		if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 || files(t, dir)["s"] != string(want) {
			t.Errorf("the link is %v, %v", info, err)
		}
	}
	for what, name := range map[string]string{"a folder": filepath.Join(t.TempDir(), "d"), "a name without room for another": filepath.Join(t.TempDir(), strings.Repeat("n", 244))} {
		if what == "a folder" {
			must(os.Mkdir(name, 0o700))
		}
		written, err := statefile.Save(context.Background(), name, f, "")
		left, err2 := os.ReadDir(filepath.Dir(name))
		must(err2)
		for _, e := range left {
			if !e.IsDir() {
				t.Errorf("%s: %s is left", what, e.Name())
			}
		}
		if _, ok := errors.AsType[*statefile.Error](err); !ok {
			t.Errorf("%s: %v, %v", what, written, err)
		}
	}
}

// TestSaveReplaces saves over what the tools take for nothing: a state without lineage, and an
// empty file, of which they keep no backup.
func TestSaveReplaces(t *testing.T) {
	const none = `{"version":4,"terraform_version":"1.12.6","serial":7,"lineage":"","outputs":{},"resources":[],"check_results":null}`
	for _, old := range []string{none, ""} {
		dir := t.TempDir()
		name := filepath.Join(dir, "terraform.tfstate")
		must(os.WriteFile(name, []byte(old), 0o640))
		f := tainted(t)
		if written, err := statefile.Save(context.Background(), name, f, "taint"); err != nil || !written {
			t.Errorf("%q: %v %v", old, written, err)
		}
		if n := len(files(t, dir)); n != 1+min(len(old), 1) {
			t.Errorf("%q: %d files", old, n)
		}
	}
}

// TestCompressed reads a state that a store has compressed. What was not changed keeps its bytes.
func TestCompressed(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	must(errors.Join(err, z.Close()))
	packed := b.Bytes()
	f, err := statefile.Decode(packed)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := statefile.Encode(f); err != nil || !bytes.Equal(out, packed) {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	n := 0
	for _, err := range statefile.Instances(bytes.NewReader(packed)) {
		must(err)
		n++
	}
	if want := 0; n == want {
		t.Error("no instances")
	}
	f.Serial++
	plain, err := statefile.Decode([]byte(text))
	must(err)
	plain.Serial++
	want, _ := statefile.Encode(plain)
	if out, err := statefile.Encode(f); err != nil || !bytes.Equal(out, want) {
		t.Errorf("%s %v", out, err)
	}
	for _, bad := range [][]byte{packed[:20], packed[:3], append([]byte("\x1f\x8b\x08"), make([]byte, 100)...)} {
		if _, err := statefile.Decode(bad); !errors.Is(err, statefile.ErrInvalid) {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
		for _, err := range statefile.Instances(bytes.NewReader(bad)) {
			if err == nil {
				t.Error("an instance of damaged text")
			}
		}
	}
	b.Reset()
	z.Reset(&b)
	for range 70 {
		_, err := z.Write(make([]byte, 1<<20))
		must(err)
	}
	must(z.Close())
	if _, err := statefile.Decode(b.Bytes()); !errors.Is(err, statefile.ErrLimit) {
		t.Error(err)
	}
}
