// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
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
	if src, err := os.ReadFile("testdata/version3/terraform.tfstate"); err == nil {
		f.Add(src)
	}
	f.Add([]byte(`{"version":3,"Modules":[{"Path":["root","m"],"outputs":{},"RESOURCES":{"a.b.1":{"primary":{"id":"x"},"deposed":[{"id":"y"}]}}}]}`))
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
		checkShown(t, file, nil)
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

// FuzzShow checks what Show makes of anything that decodes, with the schemas of a
// release and without: it decodes as a state, it has the objects of the document, and
// the document is as before.
func FuzzShow(f *testing.F) {
	const release = "tofu-1.12.6"
	for _, r := range recorded() {
		if len(r.text) < 10_000 {
			f.Add(r.text, r.release == release)
		}
	}
	for _, attributes := range []string{`{"id":null}`, `{"input":{"value":[1],"type":["tuple",["number"]]},"output":{"value":1,"type":"dynamic"}}`, `{"a":[{"b":1e400}],"a":0}`, `[]`} {
		f.Add([]byte(state(resource(`{"schema_version":0,"attributes":`+attributes+`,"sensitive_attributes":[[{"type":"get_attr","value":"a"},{"type":"index","value":{"value":0,"type":"number"}}]]}`))), false)
	}
	f.Add([]byte(state(resource(`{"schema_version":0,"attributes_flat":{"id":"1","tags.%":"1"},"deposed":"00000001"}`))), true)
	schemas := schemasOf(release)
	f.Fuzz(func(t *testing.T, src []byte, with bool) {
		text := bytes.Clone(src)
		file, err := statefile.Decode(src)
		if err != nil {
			return
		}
		if with {
			checkShown(t, file, schemas)
		} else {
			checkShown(t, file, nil)
		}
		if out, err := statefile.Encode(file); err != nil || !bytes.Equal(out, text) {
			t.Fatalf("showing has changed the state to %q, %v", out, err)
		}
	})
}

// checkShown checks the laws of Show: what it gives decodes as a state, and has the
// objects of the document with their addresses.
func checkShown(t *testing.T, file *statefile.File, schemas *planjson.Schemas) {
	t.Helper()
	shown, err := statefile.Show(file, schemas)
	if err != nil {
		if _, ok := errors.AsType[*statefile.Error](err); !ok {
			t.Fatalf("an error of another type: %v", err)
		}
		return // a value that is not of its type
	}
	out, err := planjson.Encode(shown)
	if err != nil {
		t.Fatal(err)
	}
	again, err := planjson.DecodeState(bytes.Clone(out))
	if err != nil {
		t.Fatalf("shown as %q: %v", out, err)
	}
	var got, want []string
	for r := range again.AllResources() {
		address, err := r.Addr()
		key, err2 := r.IndexKey()
		if err != nil || err2 != nil || address.Key() != key {
			t.Fatalf("shown as %q with the index %v: %v, %v", r.Address, key, err, err2)
		}
		got = append(got, address.String()+" "+r.DeposedKey)
	}
	for i := range file.All() {
		want = append(want, i.Address.String()+" "+i.Object.Deposed)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("the objects %q are shown as %q", want, got)
	}
}

// checkStream3 is checkStream for version 3, whose objects come in the order of the text.
func checkStream3(t *testing.T, file *statefile.File, text []byte) {
	t.Helper()
	has := make(map[string]bool)
	for i, err := range statefile.Instances(bytes.NewReader(text)) {
		if err != nil {
			return // only Decode reads all orders of the members
		}
		has[i.Address.String()+" "+i.Object.Deposed] = true
	}
	for i := range file.All() {
		if !has[i.Address.String()+" "+i.Object.Deposed] {
			t.Fatalf("the stream lacks %s", i.Address)
		}
	}
}

func checkStream(t *testing.T, file *statefile.File, text []byte) {
	t.Helper()
	for range statefile.Duplicates(file) {
		return // the stream has the first of them, the document the last
	}
	if string(planjson.Value(text).Member("version")) == "3" {
		checkStream3(t, file, text)
		return
	}
	var want []*statefile.InstanceObject
	for _, r := range file.Resources {
		want = append(want, r.Instances...)
	}
	for i, err := range statefile.Instances(bytes.NewReader(text)) {
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
	listed(t, string(text))
}
