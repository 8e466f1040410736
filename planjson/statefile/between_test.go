// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A recordedMove is a move between two states, and what a tool made of it.
type recordedMove struct {
	Tool, File, Other, From, To string
	Exit                        int
	After                       string `json:"file_after"`
	OtherAfter                  string `json:"other_after"`
}

func recordedMoves() (moves []recordedMove) {
	packed, err := os.ReadFile("testdata/moves.jsonl.gz")
	must(err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	must(err)
	for lines := json.NewDecoder(r); lines.More(); {
		var m recordedMove
		must(lines.Decode(&m))
		moves = append(moves, m)
	}
	return moves
}

// TestMoveTo compares moves between two states with what "state mv -state-out" of Terraform
// 1.11.4 and OpenTofu 1.12.6 made of them.
func TestMoveTo(t *testing.T) {
	moved, refused := 0, 0
	for _, line := range recordedMoves() {
		what := line.Tool + " " + line.From + " " + line.To
		f, err := statefile.Decode([]byte(line.File))
		must(err)
		other := statefile.New(f.TerraformVersion)
		if other.Lineage = "L"; line.Other != "" {
			other, err = statefile.Decode([]byte(line.Other))
			must(err)
		}
		before := objectTexts(f, other)
		err = f.MoveTo(other, addrs.MustParseTarget(line.From), addrs.MustParseTarget(line.To))
		if after := objectTexts(f, other); !slices.Equal(before, after) {
			t.Errorf("%s: the objects were %v and are %v", what, before, after)
		}
		if line.Exit != 0 {
			refused++
			out, err2 := statefile.Encode(f)
			if !errors.Is(err, statefile.ErrRefused) || err2 != nil || string(out) != line.File {
				t.Errorf("%s: refused by the tool, got %v, %v", what, err, err2)
			}
			continue
		}
		moved++
		release := planjson.Release{Tool: addrs.OpenTofu}
		if line.Tool == "terraform" {
			release.Tool = addrs.Terraform
		}
		a, err2 := statefile.CanonicalFor(f, release)
		b, err3 := statefile.CanonicalFor(other, release)
		if err != nil || err2 != nil || err3 != nil || string(a) != line.After || string(b) != line.OtherAfter {
			t.Errorf("%s: %v %v %v, got\n%s\n%s\nwant\n%s\n%s", what, err, err2, err3, a, b, line.After, line.OtherAfter)
		}
	}
	if moved < 30 || refused < 20 {
		t.Errorf("only %d moves and %d refusals", moved, refused)
	}
}

// objectTexts returns what no move changes of the objects of two states.
func objectTexts(files ...*statefile.File) (list []string) {
	for _, f := range files {
		for i := range f.All() {
			list = append(list, string(i.Object.Attributes)+i.Object.Deposed+string(i.Object.Status)+i.Object.Private)
		}
	}
	slices.Sort(list)
	return list
}

func TestMoveToNothing(t *testing.T) {
	f, err := statefile.Decode([]byte(text))
	must(err)
	all := addrs.MustParseTarget("terraform_data.token[0]")
	if err := f.MoveTo(nil, all, all); !errors.Is(err, statefile.ErrAbsent) {
		t.Error(err)
	}
	if err := f.MoveTo(statefile.New("1.12.6"), addrs.Target{}, all); !errors.Is(err, statefile.ErrRefused) || f.Serial != 7 {
		t.Error(err)
	}
	if a, b := statefile.New("1.12.6"), statefile.New("1.12.6"); len(a.Lineage) != 36 || a.Lineage == b.Lineage || a.Serial != 0 {
		t.Errorf("%+v, %+v", a, b)
	}
}

// TestCanonicalForToday writes states of old releases as a release of today does.
func TestCanonicalForToday(t *testing.T) {
	in := state(`{"mode":"managed","type":"t","name":"b","each":"list","provider":"provider.lab","instances":[{"index_key":1,"schema_version":0,"identity_schema_version":0},{"index_key":0,"schema_version":0}]},` +
		`{"mode":"data","type":"terraform_remote_state","name":"a","provider":"provider.terraform","instances":[]}`)
	f, err := statefile.Decode([]byte(in))
	must(err)
	for release, want := range map[string]string{
		"opentofu 1.9.0":    `[{"mode":"data","type":"terraform_remote_state","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[]},{"mode":"managed","type":"t","name":"b","provider":"provider[\"registry.opentofu.org/-/lab\"]","instances":[{"index_key":0,"schema_version":0,"sensitive_attributes":[]},{"index_key":1,"schema_version":0,"sensitive_attributes":[]}]}]`,
		"terraform 1.11.4":  `[{"mode":"data","type":"terraform_remote_state","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[]},{"mode":"managed","type":"t","name":"b","provider":"provider[\"registry.terraform.io/-/lab\"]","instances":[{"index_key":0,"schema_version":0,"sensitive_attributes":[]},{"index_key":1,"schema_version":0,"sensitive_attributes":[],"identity_schema_version":0}]}]`,
		"terraform 0.12.31": `[{"mode":"data","type":"terraform_remote_state","name":"a","provider":"provider.terraform","instances":[]},{"mode":"managed","type":"t","name":"b","each":"list","provider":"provider.lab","instances":[{"index_key":0,"schema_version":0},{"index_key":1,"schema_version":0,"identity_schema_version":0}]}]`,
	} {
		tool, version, _ := strings.Cut(release, " ")
		r := planjson.Release{Tool: addrs.OpenTofu, Version: addrs.MustParseVersion(version)}
		if tool == "terraform" {
			r.Tool = addrs.Terraform
		}
		out, err := statefile.CanonicalFor(f, r)
		must(err)
		var compact bytes.Buffer
		must(json.Compact(&compact, planjson.Value(out).Member("resources")))
		if compact.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", release, &compact, want)
		}
	}
	if out, err := statefile.Encode(f); err != nil || string(out) != in {
		t.Errorf("the state has changed: %v %s", err, out)
	}
	if _, err := statefile.CanonicalFor(&statefile.File{Resources: []*statefile.Resource{nil}}, planjson.Release{}); err == nil {
		t.Error("a nil resource is written")
	}
}

func TestReplaceFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(os.WriteFile(at("a"), []byte("1"), 0o640))
	must(os.WriteFile(at("empty"), nil, 0o600))
	must(os.Symlink("linked", at("link")))
	ctx := context.Background()
	must(statefile.ReplaceFiles(ctx, "state-mv",
		statefile.Replacement{Name: at("new/folder/b"), New: []byte("B")},
		statefile.Replacement{Name: at("a"), Old: []byte("1"), New: []byte("2")},
		statefile.Replacement{Name: at("empty"), New: []byte("E")},
		statefile.Replacement{Name: at("link"), New: []byte("L")}))
	got := map[string]string{}
	for _, name := range []string{"a", "new/folder/b", "empty", "link", "linked"} {
		text, err := os.ReadFile(at(name))
		must(err)
		got[name] = string(text)
	}
	backups, err := filepath.Glob(at("*.backup"))
	must(err)
	if got["a"] != "2" || got["new/folder/b"] != "B" || got["empty"] != "E" || got["linked"] != "L" || len(backups) != 1 {
		t.Errorf("%v, backups %v", got, backups)
	}
	if text, err := os.ReadFile(backups[0]); err != nil || string(text) != "1" {
		t.Errorf("the backup is %q, %v", text, err)
	}
	for _, name := range []string{"a", "new/folder/b"} {
		info, err := os.Stat(at(name))
		must(err)
		if want := map[string]os.FileMode{"a": 0o640, "new/folder/b": 0o600}[name]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}

// TestReplaceFilesNone fails at each step: then no file has changed, and nothing is left.
func TestReplaceFilesNone(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for what, tt := range map[string]struct {
		ctx   context.Context
		other string // the name of the other file
		old   string // what is said to be in a
		cause error
	}{
		"changed meanwhile": {context.Background(), "new/b", "other", statefile.ErrConflict},
		"cancelled":         {cancelled, "new/b", "1", context.Canceled},
		"a folder":          {context.Background(), "sub", "1", nil},
		"below a file":      {context.Background(), "a/b", "1", nil},
		"the same file":     {context.Background(), "link", "1", statefile.ErrLocked},
		"a circle of links": {context.Background(), "circle", "1", nil},
		"a lock's file":     {context.Background(), "sub/b", "1", nil}, // cannot be written
	} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		must(os.WriteFile(at("a"), []byte("1"), 0o600))
		must(os.MkdirAll(at("sub/.b.lock.info"), 0o700))
		must(os.Symlink("a", at("link")))
		must(os.Symlink("circle", at("circle")))
		err := statefile.ReplaceFiles(tt.ctx, "state-mv", statefile.Replacement{Name: at(tt.other), New: []byte("B")}, statefile.Replacement{Name: at("a"), Old: []byte(tt.old), New: []byte("2")})
		if err == nil || tt.cause != nil && !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v", what, err)
		}
		entries, err := os.ReadDir(dir)
		must(err)
		if text, err := os.ReadFile(at("a")); err != nil || string(text) != "1" || len(entries) != 4 {
			t.Errorf("%s: %q, %v, %v", what, text, err, entries)
		}
		if _, err := os.Stat(at("sub/b")); err == nil {
			t.Errorf("%s: sub/b was made", what)
		}
		if err := statefile.ReplaceFiles(context.Background(), "state-mv", statefile.Replacement{Name: at("a"), Old: []byte("1"), New: []byte("2")}); err != nil {
			t.Errorf("%s: a lock is left: %v", what, err)
		}
	}
}

// TestEncryptionOf encrypts again what was encrypted with a passphrase.
func TestEncryptionOf(t *testing.T) {
	ctx := context.Background()
	const passphrase = "a passphrase of the tests"
	first := &statefile.PBKDF2{Name: "key_provider.pbkdf2.z", Passphrase: passphrase, Iterations: 200_000, Hash: "sha256", SaltLength: 20}
	second := &statefile.PBKDF2{Name: "key_provider.pbkdf2.a", Chain: first, Iterations: 210_000}
	original := statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: second}}}
	src, err := original.Encrypt(ctx, []byte(text))
	must(err)
	e, err := statefile.EncryptionOf(ctx, src, passphrase)
	must(err)
	again, err := e.Encrypt(ctx, []byte(strings.Replace(text, `"serial": 7`, `"serial": 8`, 1)))
	must(err)
	if plain, err := original.Decrypt(ctx, again); err != nil || !strings.Contains(string(plain), `"serial": 8`) {
		t.Errorf("the configuration does not open it: %v", err)
	}
	var meta struct {
		Iterations int    `json:"iterations"`
		Hash       string `json:"hash_function"`
		Salt       []byte `json:"salt"`
	}
	var envelope struct{ Meta map[string][]byte }
	must(json.Unmarshal(again, &envelope))
	must(json.Unmarshal(envelope.Meta["key_provider.pbkdf2.z"], &meta))
	if meta.Iterations != 200_000 || meta.Hash != "sha256" || len(meta.Salt) != 20 || bytes.Contains(src, envelope.Meta["key_provider.pbkdf2.z"]) {
		t.Errorf("%+v", meta)
	}
	if _, err := statefile.EncryptionOf(ctx, src, "another passphrase of the tests"); !errors.Is(err, statefile.ErrDecrypt) {
		t.Error(err)
	}
	if _, err := statefile.EncryptionOf(ctx, []byte(text), passphrase); !errors.Is(err, statefile.ErrNotEncrypted) {
		t.Error(err)
	}
}

// FuzzMoveTo moves something between two states: either both stay, or no object is lost or changed,
// and what is written can be read.
func FuzzMoveTo(f *testing.F) {
	for i, line := range recordedMoves() {
		if i < 20 {
			f.Add([]byte(line.File), []byte(line.Other), line.From, line.To)
		}
	}
	f.Fuzz(func(t *testing.T, src, dst []byte, from, to string) {
		a, err := statefile.Decode(src)
		if err != nil {
			return
		}
		b, err := statefile.Decode(dst)
		if err != nil {
			b = statefile.New("1.12.6")
		}
		source, err1 := addrs.ParseTarget(from)
		target, err2 := addrs.ParseTarget(to)
		if err1 != nil || err2 != nil || a.Serial > 1<<60 || b.Serial > 1<<60 {
			return
		}
		before, serials := objectTexts(a, b), [2]uint64{a.Serial, b.Serial}
		textA, errA := statefile.Encode(a)
		textB, errB := statefile.Encode(b)
		err = a.MoveTo(b, source, target)
		if errA != nil || errB != nil {
			return
		}
		if err != nil {
			nowA, _ := statefile.Encode(a)
			nowB, _ := statefile.Encode(b)
			if !bytes.Equal(nowA, textA) || !bytes.Equal(nowB, textB) {
				t.Fatalf("%v, but the states have changed", err)
			}
			return
		}
		if a.Serial != serials[0]+1 || b.Serial != serials[1]+1 {
			t.Errorf("serials %d and %d were %d", a.Serial, b.Serial, serials)
		}
		if after := objectTexts(a, b); !slices.Equal(after, before) {
			t.Errorf("objects before\n%q, after\n%q", before, after)
		}
		for _, s := range []*statefile.File{a, b} {
			text, err := statefile.Encode(s)
			if err == nil {
				_, err = statefile.Decode(text)
			}
			if err != nil {
				t.Errorf("%v in %s", err, text)
			}
		}
	})
}
