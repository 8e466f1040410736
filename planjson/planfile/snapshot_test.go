// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/planjson/planfile"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// planOf returns a saved plan with these entries, each a name and a text, and with those that a
// plan must have.
func planOf(entries ...string) []byte {
	for _, e := range [][2]string{{"tfplan", "?"}, {"tfstate", planStates}, {"tfstate-prev", planStates}, {"tfconfig/modules.json", `[{"Key":"","Dir":"."}]`}} {
		if !slices.Contains(entries, e[0]) {
			entries = append(entries, e[0], e[1])
		}
	}
	return zipOf(entries...)
}

func zipOf(entries ...string) []byte {
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

func must(err error) {
	if err != nil {
		panic(err)
	}
}

const planStates = `{"version":4,"terraform_version":"1.12.6","serial":0,"lineage":"","outputs":{},"resources":[],"check_results":null}`

func TestPlanFile(t *testing.T) {
	src := planOf("tfplan", "?", "tfstate", planStates, "tfstate-prev", strings.Replace(planStates, `"serial":0`, `"serial":7`, 1), "tfconfig/m-/main.tf", "# root", "tfconfig/m-net/main.tf", "# net",
		"tfconfig/m-net.lib/a.tf", "# lib", "tfconfig/m-out/a.tf.json", "{}",
		"tfconfig/modules.json", `[{"Key":"","Dir":"."},{"Key":"net","Source":"./net","Dir":"net"},{"Key":"net.lib","Source":"acme/lib/x","Version":"1.2.0","Dir":".terraform/modules/net.lib"},{"Key":"out","Source":"../out","Dir":"../out"},{"Key":"win","Source":"..\\w","Dir":"C:\\w"}]`,
		".terraform.lock.hcl", "# lock", "later", "x")
	p, err := planfile.Open(src, planfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prior, err := p.PriorState()
	must(err)
	previous, err := p.PreviousState()
	must(err)
	modules, err := p.Modules()
	must(err)
	if prior.Serial != 0 || previous.Serial != 7 || len(modules) != 5 {
		t.Errorf("%+v %+v %+v", prior, previous, modules)
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
		"nothing":                 {nil, planfile.ErrKind},
		"no zip":                  {[]byte("x"), planfile.ErrKind},
		"a cut zip":               {planOf()[:40], planfile.ErrInvalid},
		"another zip":             {zipOf("main.tf", ""), planfile.ErrKind},
		"encrypted":               {[]byte(`{"meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`), planfile.ErrEncrypted},
		"twice":                   {planOf("tfplan", "?", "tfplan", ""), planfile.ErrInvalid},
		"a slip":                  {planOf("tfplan", "?", "tfconfig/modules.json", modules, "tfconfig/m-a/../../x.tf", ""), planfile.ErrInvalid},
		"a slip of Windows":       {planOf("tfplan", "?", "tfconfig/modules.json", modules, `tfconfig/m-a/..\x.tf`, ""), planfile.ErrInvalid},
		"a slip in a key":         {planOf("tfplan", "?", "tfconfig/modules.json", `[{"Key":"..","Dir":"/x"}]`, "tfconfig/m-../x.tf", ""), planfile.ErrInvalid},
		"a key that is none":      {planOf("tfplan", "?", "tfconfig/modules.json", `[{"Key":"a/b","Dir":"/x"}]`), planfile.ErrInvalid},
		"a key twice":             {planOf("tfplan", "?", "tfconfig/modules.json", `[{"Key":"a","Dir":"x"},{"Key":"a","Dir":"y"}]`), planfile.ErrInvalid},
		"a module not listed":     {planOf("tfplan", "?", "tfconfig/modules.json", modules, "tfconfig/m-c/x.tf", ""), planfile.ErrInvalid},
		"a list that is none":     {planOf("tfplan", "?", "tfconfig/modules.json", "{"), planfile.ErrInvalid},
		"a conflict":              {planOf("tfplan", "?", "tfconfig/modules.json", modules, "tfconfig/m-a/x.tf", "1", "tfconfig/m-b/x.tf", "2"), planfile.ErrInvalid},
		"a file and a folder":     {planOf("tfplan", "?", "tfconfig/modules.json", `[{"Key":"","Dir":"."},{"Key":"a","Dir":"x.tf"}]`, "tfconfig/m-/x.tf", "", "tfconfig/m-a/y.tf", ""), planfile.ErrInvalid},
		"the lock file's place":   {planOf("tfplan", "?", "tfconfig/modules.json", `[{"Key":"a","Dir":".terraform.lock.hcl"}]`, "tfconfig/m-a/x.tf", "", ".terraform.lock.hcl", ""), planfile.ErrInvalid},
		"the list's place":        {planOf("tfplan", "?", "tfconfig/modules.json", `[{"Key":"a","Dir":".terraform/modules"}]`, "tfconfig/m-a/modules.json", "x"), planfile.ErrInvalid},
		"the same in both places": {planOf("tfplan", "?", "tfconfig/modules.json", modules, "tfconfig/m-a/x.tf", "1", "tfconfig/m-b/x.tf", "1"), nil},
	} {
		p, err := planfile.Open(tt.src, planfile.Options{})
		if err == nil {
			_, err = p.Snapshot()
		}
		if _, ok := errors.AsType[*planfile.Error](err); ok != (tt.cause != nil) || !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestIncomplete opens plans without entries that the tools need.
func TestIncomplete(t *testing.T) {
	for what, src := range map[string][]byte{
		"a state":        zipOf("tfplan", "?", "tfstate-prev", planStates, "tfconfig/modules.json", "[]"),
		"a state before": planOf("tfstate-prev", ""),
		"modules":        zipOf("tfplan", "?", "tfstate", planStates, "tfstate-prev", planStates),
	} {
		f, err := planfile.Open(src, planfile.Options{})
		if err == nil {
			_, err = f.JSON(nil)
		}
		if e, ok := errors.AsType[*planfile.Error](err); !ok || !errors.Is(err, planfile.ErrInvalid) || e.Entry == "tfplan" {
			t.Errorf("without %s: %v", what, err)
		}
	}
	f, err := planfile.Open(zipOf("tfplan", "?", "tfstate", planStates, "tfconfig/modules.json", "[]"), planfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.JSON(nil); err == nil || !strings.Contains(err.Error(), "Terraform 0.15") {
		t.Errorf("a plan as Terraform 0.15 writes it: %v", err)
	}
}

// TestZeros opens archives with entries of many zeros: they cost nothing unless they are asked for, and
// are refused when they are.
func TestZeros(t *testing.T) {
	zeros := string(make([]byte, 300<<20))
	for _, entry := range []string{"later", "tfstate-prev", "tfconfig/m-/x.tf"} {
		src := planOf(entry, zeros)
		bounds.AtMost(t, entry, 512<<20, func() {
			f, err := planfile.Open(src, planfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.JSON(nil)
			if err == nil {
				t.Errorf("%s: the plan is no plan, and is shown", entry)
			}
			if entry != "later" {
				_, err = f.PreviousState()
				if entry != "tfstate-prev" {
					_, err = f.Snapshot()
				}
				if !errors.Is(err, planfile.ErrLimit) {
					t.Errorf("%s: %v", entry, err)
				}
			}
		})
	}
}

// The error for another document says what it is and what to do.
func TestPlanFile_OtherKinds(t *testing.T) {
	for text, want := range map[string]string{
		`{"remote_plan_format":1,"run_id":"run-1","hostname":"h"}`:                                        `"show -json" of the file prints the plan`,
		`{"version":3,"serial":1,"lineage":"l","backend":{"type":"s3","config":{"bucket":"b"},"hash":1}}`: `"state pull" prints the state`,
		`{"format_version":"1.2"}`: "this is not a saved plan",
	} {
		_, err := planfile.Open([]byte(text), planfile.Options{})
		if !errors.Is(err, planfile.ErrKind) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
