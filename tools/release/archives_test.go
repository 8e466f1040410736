// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// tiny is a repository with the program and the viewer.
var tiny = map[string]string{
	"LICENSE":                "do as you like\n",
	"go.mod":                 "module example.com/lib\n\ngo 1.26.0\n",
	"lib.go":                 "package lib\n\nconst Name = \"lib\"\n",
	"cmd/tofuwire/go.mod":    "module example.com/lib/cmd/tofuwire\n\ngo 1.26.0\n\nrequire example.com/lib v0.0.0-00010101000000-000000000000\n\nreplace example.com/lib => ../..\n",
	"cmd/tofuwire/README.md": "# tofuwire\n",
	"cmd/tofuwire/main.go":   "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"example.com/lib\"\n)\n\nfunc main() {\n\tswitch os.Args[1] {\n\tcase \"view\":\n\t\tos.WriteFile(os.Args[3], []byte(\"a page\"), 0o644)\n\tcase \"__manual\":\n\t\tos.WriteFile(os.Args[2]+\"/tofuwire.1\", []byte(\".TH\"), 0o644)\n\tcase \"completion\":\n\t\tfmt.Print(os.Args[2])\n\t}\n\tfmt.Println(lib.Name)\n}\n",
}

// TestArchives makes the archives of a release twice: they have the program, the page and the licence,
// a list of what the program was built from, and the same bytes.
func TestArchives(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system whose archive is a tar file, which this test reads")
	}
	r := lay(t, tiny)
	commit, _, err := r.release("v0.3.0")
	if err != nil {
		t.Fatal(err)
	}
	some := platforms
	if !depth.IsFull() { // Go's own packages are compiled for each
		some = []string{runtime.GOOS + "_" + runtime.GOARCH}
	}
	archive := "tofuwire_0.3.0_" + some[0] + ".tar.gz"
	read := func() map[string][]byte {
		dir := t.TempDir()
		if err := r.archives("v0.3.0", commit, dir, some); err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		return files
	}
	files := read()
	if len(files) != 2*len(some)+2 {
		t.Errorf("there are %q", slices.Sorted(maps.Keys(files)))
	}
	for name, text := range read() {
		if !bytes.Equal(text, files[name]) {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	if got := strings.Count(string(files["SHA256SUMS"]), "\n"); got != len(files)-1 {
		t.Errorf("SHA256SUMS has %d lines", got)
	}
	if got, want := members(t, files[archive]), []string{"LICENSE", "README.md", "completions/_tofuwire", "completions/tofuwire.bash", "completions/tofuwire.fish", "completions/tofuwire.ps1", "man/tofuwire.1", "tofuwire*", "viewer.html"}; !slices.Equal(got, want) {
		t.Errorf("an archive has %q", got)
	}
	var b bom
	if err := json.Unmarshal(files[strings.TrimSuffix(archive, ".tar.gz")+".cdx.json"], &b); err != nil {
		t.Fatal(err)
	}
	if b.Metadata.Component.PURL != "pkg:golang/example.com/lib/cmd/tofuwire@v0.3.0" || b.Metadata.Component.Name != "tofuwire" || len(b.Components) != 2 || b.Components[1].PURL != "pkg:golang/example.com/lib@v0.3.0" {
		t.Errorf("%+v", b)
	}
}

// members returns the names of what is in an archive, with a star behind what can be executed.
func members(t *testing.T, text []byte) (names []string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Mode&0o111 != 0 {
			h.Name += "*"
		}
		names = append(names, h.Name)
	}
}
