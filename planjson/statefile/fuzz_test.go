// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// FuzzDecode checks the laws of whatever decodes: the text comes back, the canonical
// form is that of its own text, the stream has the same objects, and what is shown
// decodes as a shown state.
func FuzzDecode(f *testing.F) {
	for _, r := range recorded() {
		if len(r.text) < 20_000 {
			f.Add(r.text)
		}
	}
	f.Add([]byte(state(resource(instance(`,"index_key":1.5`) + "," + instance(`,"index_key":"\u0062"`)))))
	f.Fuzz(func(t *testing.T, src []byte) {
		text := bytes.Clone(src)
		file, err := statefile.Decode(src)
		if err != nil {
			if e, ok := errors.AsType[*statefile.Error](err); !ok || e.Line < 1 || e.Column < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		if out, err := statefile.Encode(file); err != nil || !bytes.Equal(out, text) {
			t.Fatalf("encoded as %q, %v", out, err)
		}
		checkCanonical(t, file)
		n := 0
		for range file.All() {
			n++
		}
		for _, r := range file.Resources {
			n -= len(r.Instances)
		}
		if n != 0 {
			t.Fatal("All does not have all objects")
		}
		checkShown(t, file)
		checkStream(t, file, text)
	})
}

func checkCanonical(t *testing.T, file *statefile.File) {
	t.Helper()
	out, err := statefile.Canonical(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := statefile.Decode(bytes.Clone(out))
	if err != nil {
		t.Fatalf("the canonical form %q does not decode: %v", out, err)
	}
	if twice, err := statefile.Canonical(again); err != nil || !bytes.Equal(twice, out) {
		t.Fatalf("canonical %q, then %q, %v", out, twice, err)
	}
}

func checkShown(t *testing.T, file *statefile.File) {
	t.Helper()
	shown, err := statefile.Show(file, nil)
	if err != nil {
		return // a value of an open type that is not one
	}
	out, err := planjson.Encode(shown)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := planjson.DecodeState(out); err != nil {
		t.Fatalf("shown as %q: %v", out, err)
	}
}

func checkStream(t *testing.T, file *statefile.File, text []byte) {
	t.Helper()
	for range statefile.Duplicates(file) {
		return // the stream has the first of them, the document the last
	}
	var want []*statefile.InstanceObject
	for _, r := range file.Resources {
		want = append(want, r.Instances...)
	}
	for i, err := range statefile.Instances(bytes.NewReader(text)) {
		if errors.Is(err, statefile.ErrVersion) {
			return // the version comes late
		}
		if err != nil {
			t.Fatalf("the stream fails: %v", err)
		}
		if len(want) == 0 || !statefile.Equal(i.Object, want[0]) {
			t.Fatal("the stream has other objects")
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Fatal("the stream lacks objects")
	}
}
