// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func version3(t *testing.T) ([]byte, *statefile.File) {
	t.Helper()
	src, err := os.ReadFile("testdata/version3/terraform.tfstate")
	if err != nil {
		t.Fatal(err)
	}
	f, err := statefile.Decode(src)
	if err != nil {
		t.Fatal(err)
	}
	return src, f
}

// An unchanged state keeps its text, also as a copy.
func TestVersion3_Unchanged(t *testing.T) {
	src, f := version3(t)
	for _, f := range []*statefile.File{f, statefile.Clone(f)} {
		var b bytes.Buffer
		text, err := statefile.Encode(f)
		if err == nil {
			err = statefile.Write(&b, f)
		}
		if err != nil || !bytes.Equal(text, src) || !bytes.Equal(b.Bytes(), src) {
			t.Errorf("%v, %s", err, text)
		}
	}
}

// An edited one is what Terraform 1.11.4 writes, but for its version, and for the empty line
// at the end that OpenTofu has.
func TestVersion3_ReplaceProvider(t *testing.T) {
	for _, from := range []string{"registry.terraform.io/-/lab", "-/lab"} {
		_, f := version3(t)
		n, err := f.ReplaceProvider(addrs.MustParseProvider(from), addrs.MustParseProvider("registry.terraform.io/acme/lab"))
		if err != nil || n != 5 {
			t.Fatalf("%d resources, %v", n, err)
		}
		got, err := statefile.Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("testdata/version3/replaced-by-terraform-1.11.4.tfstate")
		if err != nil {
			t.Fatal(err)
		}
		version := regexp.MustCompile(`"terraform_version": "[^"]*"`)
		if got := version.ReplaceAllString(strings.TrimSpace(string(got)), ""); got != version.ReplaceAllString(strings.TrimSpace(string(want)), "") {
			t.Errorf("got %s", got)
		}
		if again, err := statefile.Decode(got); err != nil || !statefile.Equal(again, f) {
			t.Errorf("it comes back as another state: %v", err)
		}
	}
}

// Providers keep the addresses that both tools read: OpenTofu refuses registry.terraform.io/-/lab.
func TestVersion3_OtherEdits(t *testing.T) {
	_, f := version3(t)
	target, err := addrs.ParseTarget("module.m")
	if err == nil {
		err = f.Remove(target)
	}
	text, err2 := statefile.Encode(f)
	if err := errors.Join(err, err2); err != nil || f.Serial != 8 || bytes.Contains(text, []byte("module.m")) || !bytes.Contains(text, []byte(`"provider": "provider.lab.west"`)) {
		t.Errorf("%v, %s", err, text)
	}
}

func TestVersion3_Show(t *testing.T) {
	_, f := version3(t)
	s, err := statefile.Show(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := planjson.Encode(s)
	for _, want := range []string{`"address":"module.m.module.n.lab_key.k"`, `"tainted":true`, `"deposed_key":"00000001"`, `"secret":{"sensitive":true,"value":"hunter2-in-the-clear"`, `["list","string"]`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s is missing: %s", want, text)
		}
	}
}

// What Terraform and OpenTofu refuse, and backends' settings, which are no state.
func TestVersion3_Refused(t *testing.T) {
	src, _ := version3(t)
	for old, now := range map[string]string{
		`"serial": 7`:                     `"serial": -7`,
		`"lab_key.b": {`:                  `"lab_key": {`,
		`"lab_key.a.0": {`:                `"lab_key.a.x": {`,
		`"provider": "provider.lab.west"`: `"provider": "provider.lab.${x}"`,
		`"path": [
                "root"
            ]`: `"path": []`,
		`"path": [
                "root",
                "m"`: `"path": [
                "root",
                "m[0]"`,
		`"tainted": true`: `"tainted": "x"`,
		`"id": "id-4",
                            "name": "k"`: `"id": 4`,
		`"terraform_version": "0.11.14"`: `"terraform_version": "x y"`,
	} {
		text := strings.Replace(string(src), old, now, 1)
		if text == string(src) {
			t.Fatal(old)
		}
		if f, err := statefile.Decode([]byte(text)); err == nil || f != nil {
			t.Errorf("%s is accepted", now)
		} else if e, ok := errors.AsType[*statefile.Error](err); !ok || e.Line == 0 {
			t.Errorf("%s: %v", now, err)
		}
	}
	// A state names its backend too.
	named := strings.Replace(string(src), `"serial": 7,`, `"serial": 7, "backend": {"type": "local", "config": {}, "hash": 1},`, 1)
	if _, err := statefile.Decode([]byte(named)); err != nil || planjson.KindOf([]byte(named)) != planjson.DocumentStateFile {
		t.Error(err)
	}
	for _, text := range []string{
		`{"version":3,"terraform_version":"1.11.4","backend":{"type":"local","config":{"path":null,"workspace_dir":null},"hash":2}}`,
		`{"version":3,"serial":1,"lineage":"l","backend":{"type":"s3","config":{},"hash":1},"modules":[{"path":["root"],"outputs":{},"resources":{},"depends_on":[]}]}`,
	} {
		if _, err := statefile.Decode([]byte(text)); !errors.Is(err, statefile.ErrVersion) || !strings.Contains(err.Error(), "settings of a backend") || planjson.KindOf([]byte(text)) != planjson.DocumentBackend {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzVersion3 checks that what decodes keeps its text, and can be written as version 4.
func FuzzVersion3(f *testing.F) {
	src, err := os.ReadFile("testdata/version3/terraform.tfstate")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Add([]byte(`{"version":3,"modules":[{"path":["root"],"outputs":{"a":{"value":[null,{"b":1e400}]}},"resources":{"data.a.b.0":{"primary":{"id":"x","meta":{"schema_version":2}}}}}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := statefile.Decode(src)
		if err != nil || planjson.Value(src).Member("version") == nil || string(planjson.Value(src).Member("version")) != "3" {
			return
		}
		text, err := statefile.Encode(file)
		if err != nil || !bytes.Equal(text, src) {
			t.Fatalf("%v: %s", err, text)
		}
		if text, err = statefile.Canonical(file); err != nil {
			t.Fatal(err)
		}
		again, err := statefile.Decode(text)
		if err != nil || !statefile.Equal(again, file) {
			t.Fatalf("%v: %s", err, text)
		}
	})
}

// A stream has the objects of Decode.
func TestVersion3_Stream(t *testing.T) {
	src, f := version3(t)
	want := make(map[string]statefile.Instance)
	for i := range f.All() {
		want[i.Address.String()+" "+i.Object.Deposed] = i
	}
	if len(want) < 5 {
		t.Fatalf("%d objects", len(want))
	}
	n := 0
	for i, err := range statefile.Instances(bytes.NewReader(src)) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		w := want[i.Address.String()+" "+i.Object.Deposed]
		if w.Object == nil || !statefile.Equal(i.Object, w.Object) || i.Provider != w.Provider || i.Resource.Mode != w.Resource.Mode {
			t.Errorf("%s: %+v, want %+v", i.Address, i.Object, w.Object)
		}
	}
	for l, err := range statefile.List(bytes.NewReader(src)) {
		o, wrong := l.Object()
		if err != nil || wrong != nil || !statefile.Equal(o, want[l.Address.String()+" "+l.Deposed].Object) {
			t.Errorf("%s: %v, %v", l.Address, err, wrong)
		}
		n++
	}
	if n != 2*len(want) {
		t.Errorf("%d objects, want twice %d", n, len(want))
	}
}
