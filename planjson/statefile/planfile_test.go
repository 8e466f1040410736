// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// planOf returns a saved plan with these entries, each a name and a text.
func planOf(entries ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		f, err := w.Create(entries[i])
		must(err)
		_, err = f.Write([]byte(entries[i+1]))
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

const planStates = `{"version":4,"terraform_version":"1.12.6","serial":0,"lineage":"","outputs":{},"resources":[],"check_results":null}`

func TestPlanFile(t *testing.T) {
	src := planOf("tfplan", "?", "tfstate", planStates, "tfstate-prev", text, "tfconfig/m-/main.tf", "# root", "tfconfig/m-net/main.tf", "# net",
		"tfconfig/m-net.lib/a.tf", "# lib", "tfconfig/m-out/a.tf.json", "{}",
		"tfconfig/modules.json", `[{"Key":"","Dir":"."},{"Key":"net","Source":"./net","Dir":"net"},{"Key":"net.lib","Source":"acme/lib/x","Version":"1.2.0","Dir":".terraform/modules/net.lib"},{"Key":"out","Source":"../out","Dir":"../out"},{"Key":"win","Source":"..\\w","Dir":"C:\\w"}]`,
		".terraform.lock.hcl", "# lock", "later", "x")
	p, err := statefile.DecodePlanFile(src)
	if err != nil {
		t.Fatal(err)
	}
	if p.Version != "1.12.6" || p.PriorState.Serial != 0 || p.PreviousState.Serial != 7 || len(p.Modules) != 5 || string(p.LockFile) != "# lock" {
		t.Errorf("%+v", p)
	}
	files, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"main.tf": "# root", "net/main.tf": "# net", ".terraform/modules/net.lib/a.tf": "# lib", ".terraform/modules/out/a.tf.json": "{}", ".terraform.lock.hcl": "# lock",
		".terraform/modules/modules.json": `{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"net","Source":"./net","Dir":"net"},{"Key":"net.lib","Source":"acme/lib/x","Version":"1.2.0","Dir":".terraform/modules/net.lib"},` +
			`{"Key":"out","Source":"../out","Dir":".terraform/modules/out"},{"Key":"win","Source":"..\\w","Dir":".terraform/modules/win"}]}`,
	}
	got := map[string]string{}
	must(fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, err2 := fs.ReadFile(files, name)
			got[name], err = string(text), err2
		}
		return err
	}))
	if !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if err := fstest.TestFS(files, slices.Sorted(maps.Keys(want))...); err != nil {
		t.Error(err)
	}
	if _, err := statefile.Decode(src); !errors.Is(err, statefile.ErrKind) {
		t.Errorf("decoded as a state: %v", err)
	}
}

func TestPlanFileRefused(t *testing.T) {
	const modules = `[{"Key":"","Dir":"."},{"Key":"a","Dir":"a"},{"Key":"b","Dir":"b/../a"}]`
	for what, tt := range map[string]struct {
		src   []byte
		cause error
	}{
		"nothing":                 {nil, statefile.ErrKind},
		"no zip":                  {[]byte("x"), statefile.ErrKind},
		"a cut zip":               {planOf("tfplan", "?")[:40], statefile.ErrInvalid},
		"another zip":             {planOf("main.tf", ""), statefile.ErrKind},
		"encrypted":               {[]byte(`{"meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`), statefile.ErrEncrypted},
		"twice":                   {planOf("tfplan", "", "tfplan", ""), statefile.ErrInvalid},
		"a slip":                  {planOf("tfplan", "", "tfconfig/modules.json", modules, "tfconfig/m-a/../../x.tf", ""), statefile.ErrInvalid},
		"a slip of Windows":       {planOf("tfplan", "", "tfconfig/modules.json", modules, `tfconfig/m-a/..\x.tf`, ""), statefile.ErrInvalid},
		"a slip in a key":         {planOf("tfplan", "", "tfconfig/modules.json", `[{"Key":"..","Dir":"/x"}]`, "tfconfig/m-../x.tf", ""), statefile.ErrInvalid},
		"a key that is none":      {planOf("tfplan", "", "tfconfig/modules.json", `[{"Key":"a/b","Dir":"/x"}]`), statefile.ErrInvalid},
		"a key twice":             {planOf("tfplan", "", "tfconfig/modules.json", `[{"Key":"a","Dir":"x"},{"Key":"a","Dir":"y"}]`), statefile.ErrInvalid},
		"a module not listed":     {planOf("tfplan", "", "tfconfig/modules.json", modules, "tfconfig/m-c/x.tf", ""), statefile.ErrInvalid},
		"a list that is none":     {planOf("tfplan", "", "tfconfig/modules.json", "{"), statefile.ErrInvalid},
		"a state that is none":    {planOf("tfplan", "", "tfstate", `{"version":2}`), statefile.ErrVersion},
		"a conflict":              {planOf("tfplan", "", "tfconfig/modules.json", modules, "tfconfig/m-a/x.tf", "1", "tfconfig/m-b/x.tf", "2"), statefile.ErrInvalid},
		"a file and a folder":     {planOf("tfplan", "", "tfconfig/modules.json", `[{"Key":"","Dir":"."},{"Key":"a","Dir":"x.tf"}]`, "tfconfig/m-/x.tf", "", "tfconfig/m-a/y.tf", ""), statefile.ErrInvalid},
		"the lock file's place":   {planOf("tfplan", "", "tfconfig/modules.json", `[{"Key":"a","Dir":".terraform.lock.hcl"}]`, "tfconfig/m-a/x.tf", "", ".terraform.lock.hcl", ""), statefile.ErrInvalid},
		"the list's place":        {planOf("tfplan", "", "tfconfig/modules.json", `[{"Key":"a","Dir":".terraform/modules"}]`, "tfconfig/m-a/modules.json", "x"), statefile.ErrInvalid},
		"the same in both places": {planOf("tfplan", "", "tfconfig/modules.json", modules, "tfconfig/m-a/x.tf", "1", "tfconfig/m-b/x.tf", "1"), nil},
	} {
		p, err := statefile.DecodePlanFile(tt.src)
		if err == nil {
			_, err = p.Snapshot()
		}
		if _, ok := errors.AsType[*statefile.Error](err); ok != (tt.cause != nil) || !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzDecodePlanFile opens damaged plans: no name in a snapshot leads out of it.
func FuzzDecodePlanFile(f *testing.F) {
	f.Add(planOf("tfplan", "?", "tfstate", planStates, "tfconfig/m-/main.tf", "", "tfconfig/modules.json", `[{"Key":"","Dir":"."},{"Key":"a","Dir":"../a"}]`, "tfconfig/m-a/x.tf", ""))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := statefile.DecodePlanFile(src)
		if err != nil {
			if _, ok := errors.AsType[*statefile.Error](err); !ok {
				t.Fatal(err)
			}
			return
		}
		files, err := p.Snapshot()
		if err != nil {
			return
		}
		must(fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			if !fs.ValidPath(name) {
				t.Errorf("a file %q", name)
			}
			return err
		}))
	})
}
