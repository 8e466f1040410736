// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hash

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A recording is what tofu recorded for one package.
type recording struct{ Zip, H1, ZH string }

// packages is where the packages are that the recordings are about.
const packages = "../../../../checksum/testdata/packages"

func recordings(t *testing.T) []recording {
	t.Helper()
	var all []recording
	src, err := os.ReadFile(filepath.Join(packages, "hashes.json"))
	if err == nil {
		err = json.Unmarshal(src, &all)
	}
	if err != nil || len(all) != 30 {
		t.Fatal(len(all), err)
	}
	return all
}

func TestZips(t *testing.T) {
	var paths []string
	var want strings.Builder
	for _, r := range recordings(t) {
		path := filepath.Join(packages, r.Zip)
		paths = append(paths, path)
		want.WriteString(r.H1 + " " + r.ZH + " " + path + "\n")
	}
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), paths, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if stdout.String() != want.String() || stderr.Len() > 0 {
		t.Errorf("got\n%s\n%s\nwant\n%s", &stdout, &stderr, &want)
	}
}

// TestDirectories unpacks each package; the h1 stays the same.
func TestDirectories(t *testing.T) {
	var paths []string
	var want strings.Builder
	for _, r := range recordings(t) {
		z, err := zip.OpenReader(filepath.Join(packages, r.Zip))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.CopyFS(dir, z); err != nil {
			t.Fatal(err)
		}
		z.Close()
		paths = append(paths, dir)
		want.WriteString(r.H1 + " - " + dir + "\n")
	}
	var stdout, stderr bytes.Buffer
	if err := run(t.Context(), paths, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if stdout.String() != want.String() || stderr.Len() > 0 {
		t.Errorf("got\n%s\n%s\nwant\n%s", &stdout, &stderr, &want)
	}
}

func TestWarningsAndErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, entries ...string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, e := range entries {
			if _, err := w.Create(e); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	evil, sub := write("evil.zip", "../evil"), write("sub.zip", "sub/", "sub/a")
	missing := filepath.Join(dir, "missing.zip")

	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{evil, missing, sub}, &stdout, &stderr)
	if err == nil || err.Error() != "2 of 3 packages could not be hashed" {
		t.Errorf("got error %v", err)
	}
	if lines := strings.Count(stdout.String(), "\n"); lines != 1 || !strings.HasSuffix(stdout.String(), " "+sub+"\n") {
		t.Errorf("got\n%s", &stdout)
	}
	for _, want := range []string{
		evil + `: entry "../evil": name may lead out of the package`,
		missing + ": ",
		sub + `: entry "sub/": entry for a directory`,
		sub + ": before extraction, h1 is h1:",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, &stderr)
		}
	}
	stderr.Reset()
	if status := Run(nil, nil, &stdout, &stderr); status != 2 || !strings.HasPrefix(stderr.String(), "tofuwire hash: PATH is missing;") {
		t.Errorf("without arguments: %d, %s", status, &stderr)
	}
}
