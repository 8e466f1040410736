// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A recording is a state that a tool has saved, and what show -json of the tool
// printed of it, if that was recorded.
type recording struct {
	name, release string // TOOL-VERSION/CASE/FILE and TOOL-VERSION
	text, shown   []byte
}

// recorded returns the recordings in testdata.
var recorded = sync.OnceValue(func() []recording {
	packed, err := os.Open("testdata/states.zip.gz")
	must(err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	must(err)
	text, err := io.ReadAll(unpacked)
	must(err)
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	must(err)
	var list []recording
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".shown.json") {
			continue
		}
		r := recording{name: f.Name, release: strings.Split(f.Name, "/")[0]}
		r.text, err = fs.ReadFile(z, f.Name)
		must(err)
		r.shown, _ = fs.ReadFile(z, f.Name+".shown.json")
		list = append(list, r)
	}
	return list
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

var allReleases = sync.OnceValue(func() []recordings.Release {
	releases, err := recordings.Releases()
	must(err)
	return releases
})

// schemasOf returns the schemas of the providers that the cases of a release use.
var schemasOf = func() func(release string) *planjson.Schemas {
	all := map[string]*planjson.Schemas{}
	return func(release string) *planjson.Schemas {
		if s, ok := all[release]; ok {
			return s
		}
		releases := allReleases()
		i := slices.IndexFunc(releases, func(r recordings.Release) bool { return r.String() == release })
		text, err := fs.ReadFile(releases[i], "base/providers-schema.json")
		if err != nil {
			text, err = os.ReadFile("../testdata/" + release + "/commands/providers-schema.json")
		}
		must(err)
		s, err := planjson.DecodeSchemas(text)
		must(err)
		for _, p := range s.ProviderSchemas { // only managed resources have versions in the tools
			for _, of := range []map[string]*planjson.Schema{p.DataSourceSchemas, p.EphemeralResourceSchemas} {
				for _, s := range of {
					s.Version = 7
				}
			}
		}
		all[release] = s
		return s
	}
}()

// TestRecorded checks the law, the canonical form and Show with what the tools have
// written.
func TestRecorded(t *testing.T) {
	shown := 0
	for _, r := range recorded() {
		t.Run(r.name, func(t *testing.T) {
			f, err := statefile.Decode(r.text)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := statefile.Encode(f); err != nil || !bytes.Equal(out, r.text) {
				t.Errorf("encoding gives another text, %v", err)
			}
			var w bytes.Buffer
			if err := statefile.Write(&w, f); err != nil || !bytes.Equal(w.Bytes(), r.text) {
				t.Errorf("writing gives another text, %v", err)
			}
			if out, err := statefile.Canonical(f); err != nil || !bytes.Equal(out, r.text) {
				t.Errorf("the canonical form of what a tool wrote is not its text, %v", err)
			}
			var release planjson.Release
			if _, version, _ := strings.Cut(r.release, "-"); strings.HasPrefix(r.release, "terraform") {
				release.Tool = "terraform"
				release.Version = mustVersion(version)
			} else {
				release.Version = mustVersion(version)
			}
			if out, err := statefile.CanonicalFor(f, release); err != nil || !bytes.Equal(out, r.text) {
				t.Errorf("the form of %s is not what it wrote, %v", r.release, err)
			}
			for pointer := range statefile.Extras(f) {
				t.Errorf("extra member %s", pointer)
			}
			if r.shown == nil {
				return
			}
			shown++
			s, err := statefile.Show(f, schemasOf(r.release))
			if err != nil {
				t.Fatal(err)
			}
			out, err := planjson.Canonical(s)
			if err != nil || !bytes.Equal(out, r.shown) {
				t.Errorf("%v: shown as\n%s\nwant\n%s", err, out, r.shown)
			}
		})
	}
	if shown < 78 {
		t.Errorf("only %d states were compared with show -json", shown)
	}
}

// TestShowWithoutSchemas checks what differs from what the tools show: attributes
// may lack, and marks.
func TestShowWithoutSchemas(t *testing.T) {
	for _, r := range recorded() {
		if r.shown == nil {
			continue
		}
		f, err := statefile.Decode(r.text)
		must(err)
		with, err := statefile.Show(f, schemasOf(r.release))
		must(err)
		without, err := statefile.Show(f, nil)
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		index := map[[2]string]*planjson.Resource{}
		for b := range with.AllResources() {
			index[[2]string{b.Address, b.DeposedKey}] = b
		}
		n := 0
		for a := range without.AllResources() {
			b := index[[2]string{a.Address, a.DeposedKey}]
			if b == nil {
				t.Errorf("%s: %s is only there without schemas", r.name, a.Address)
				continue
			}
			n++
			a, b = planjson.Clone(a), planjson.Clone(b)
			a.SensitiveValues, b.SensitiveValues = nil, nil
			for name, v := range a.Values.Members() {
				if w := b.Values.Member(name); !w.Equal(v) && !isWrapped(v) {
					t.Errorf("%s: %s.%s is %s with schemas, %s without", r.name, a.Address, name, w, v)
				}
			}
			a.Values, b.Values = nil, nil
			if !planjson.Equal(a, b) {
				t.Errorf("%s: %s differs in more than values", r.name, a.Address)
			}
		}
		all := 0
		for range with.AllResources() {
			all++
		}
		if n != all {
			t.Errorf("%s: %d of %d objects without schemas", r.name, n, all)
		}
	}
}

// isWrapped reports whether a value has a part of an open type.
func isWrapped(v planjson.Value) bool {
	return bytes.Contains(v, []byte(`"type":`))
}

// TestInstancesAgree checks that the stream, the index and All have the objects of the
// document.
func TestInstancesAgree(t *testing.T) {
	for _, r := range recorded() {
		f, err := statefile.Decode(r.text)
		must(err)
		var inFile []string
		for _, res := range f.Resources {
			for _, o := range res.Instances {
				inFile = append(inFile, path.Join(res.Module, string(res.Mode), res.Type, res.Name, o.Key().String(), o.Deposed))
			}
		}
		i := 0
		index := statefile.NewIndex(f)
		for inst, err := range statefile.Instances(bytes.NewReader(r.text)) {
			if err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
			res := inst.Resource
			if got := path.Join(res.Module, string(res.Mode), res.Type, res.Name, inst.Object.Key().String(), inst.Object.Deposed); got != inFile[i] {
				t.Fatalf("%s: the stream has %s, not %s", r.name, got, inFile[i])
			}
			found, ok := index.Instance(inst.Address, inst.Object.Deposed)
			if !ok || !statefile.Equal(found.Object, inst.Object) || found.Provider != inst.Provider {
				t.Errorf("%s: the index has another object at %s", r.name, inst.Address)
			}
			i++
		}
		if i != len(inFile) {
			t.Errorf("%s: the stream has %d of %d objects", r.name, i, len(inFile))
		}
		var last statefile.Instance
		n := 0
		for inst := range f.All() {
			if n > 0 {
				if c := last.Address.Compare(inst.Address); c > 0 || c == 0 && last.Object.Deposed >= inst.Object.Deposed {
					t.Errorf("%s: %s comes before %s", r.name, last.Address, inst.Address)
				}
			}
			last = inst
			n++
		}
		if n != i {
			t.Errorf("%s: All has %d of %d objects", r.name, n, i)
		}
	}
}
