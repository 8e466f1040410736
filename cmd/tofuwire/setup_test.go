// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSetupAction runs the step of setup/action.yml: the program is on PATH only if the hash is in the
// list and the attestation was verified, for the release that was asked for.
func TestSetupAction(t *testing.T) {
	if err := exec.Command("bash", "-c", "command -v curl && command -v tar && command -v sha256sum").Run(); err != nil {
		t.Skip("needs curl, tar and sha256sum, as the machines of GitHub have them: ", err)
	}
	text, err := os.ReadFile("../../setup/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, script, found := strings.Cut(string(text), "\n      run: |\n")
	if !found {
		t.Fatal("setup/action.yml has no script")
	}
	script = regexp.MustCompile(`(?m)^        `).ReplaceAllString(script, "")

	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	a := tar.NewWriter(z)
	_ = a.WriteHeader(&tar.Header{Name: "tofuwire", Mode: 0o755, Size: 1})
	_, _ = a.Write([]byte("x"))
	_ = a.Close()
	_ = z.Close()
	const name = "tofuwire_0.3.0_linux_amd64.tar.gz"
	good := fmt.Sprintf("%x  %s\n", sha256.Sum256(archive.Bytes()), name)
	for _, test := range []struct {
		title, sums, verified string // what gh does
		env                   []string
		installed             bool
	}{
		{"all is well", good, "true", nil, true},
		{"another hash", fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), name), "true", nil, false},
		{"a list without the archive", strings.Replace(good, name, "x"+name, 1), "true", nil, false},
		{"no attestation", good, "false", nil, false},
		{"provenance is not asked for", good, "false", []string{"PROVENANCE=false"}, true},
		{"another answer", good, "true", []string{"PROVENANCE=no"}, false},
		{"no version", good, "true", []string{"VERSION="}, false},
		{"the release of the action", good, "true", []string{"VERSION=", "RELEASE=v0.3.0"}, true},
		{"a version that is a path", good, "true", []string{"VERSION=v0.3.0/../v0.3.0"}, false},
		{"a release that is not there", good, "true", []string{"VERSION=v0.4.0"}, false},
	} {
		dir := t.TempDir()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/v0.3.0/SHA256SUMS":
				fmt.Fprint(w, test.sums)
			case "/v0.3.0/" + name:
				_, _ = w.Write(archive.Bytes())
			default:
				http.NotFound(w, r)
			}
		}))
		gh := "#!/bin/sh\necho \"$@\" >" + filepath.Join(dir, "asked") + "\n" + test.verified + "\n"
		if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(gh), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "-c", script)
		cmd.Env = append([]string{"PATH=" + dir + ":" + os.Getenv("PATH"), "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP=" + dir, "VERSION=v0.3.0", "RELEASE=", "PROVENANCE=true",
			"TOFUWIRE_RELEASES=" + server.URL, "GITHUB_PATH=" + filepath.Join(dir, "path"), "GITHUB_OUTPUT=" + filepath.Join(dir, "output")}, test.env...)
		out, err := cmd.CombinedOutput()
		server.Close()
		path, _ := os.ReadFile(filepath.Join(dir, "path"))
		if (err == nil) != test.installed || (len(path) > 0) != test.installed {
			t.Errorf("%s: %v, PATH %q\n%s", test.title, err, path, out)
		}
		asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
		if test.title == "all is well" && !strings.Contains(string(asked), "attestation verify "+name+" --repo tofuwire/tofuwire --signer-workflow tofuwire/tofuwire/.github/workflows/release.yml --source-ref refs/tags/v0.3.0") {
			t.Errorf("gh was asked %q", asked)
		}
	}
}
