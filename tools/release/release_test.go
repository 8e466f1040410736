// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small is a repository of a library with three modules below it, of which
// one requires another, and with modules that are no part of a release.
var small = map[string]string{
	"LICENSE":                  "do as you like\n",
	"go.mod":                   "module example.com/lib\n\ngo 1.26.0\n",
	"lib.go":                   "package lib\n\nconst Name = \"lib\"\n",
	"cmd/tool/go.mod":          "module example.com/lib/cmd/tool\n\ngo 1.26.0\n\nrequire (\n\texample.com/lib v0.0.0-00010101000000-000000000000\n\texample.com/lib/wing v0.0.0-00010101000000-000000000000\n)\n\nreplace (\n\texample.com/lib => ../..\n\texample.com/lib/wing => ../../wing\n)\n",
	"cmd/tool/main.go":         "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/lib\"\n\t\"example.com/lib/wing\"\n)\n\nfunc main() { fmt.Println(lib.Name, wing.Name) }\n",
	"wing/go.mod":              "module example.com/lib/wing\n\ngo 1.26.0\n\nrequire example.com/lib v0.0.0-00010101000000-000000000000\n\nreplace example.com/lib => ../\n",
	"wing/wing.go":             "package wing\n\nimport \"example.com/lib\"\n\nconst Name = lib.Name + \" and wing\"\n",
	"benchmarks/go.mod":        "module example.com/lib/benchmarks\n\ngo 1.26.0\n\nrequire example.com/lib v0.0.0-00010101000000-000000000000\n\nreplace example.com/lib => ../\n",
	"benchmarks/b.go":          "package benchmarks\n\nimport _ \"example.com/lib\"\n",
	"wing/testdata/x/go.mod":   "module example.com/elsewhere\n\nreplace example.com/lib => ../\n",
	"wing/testdata/go.mod":     "module example.com/lib/wing/testdata\n",
	"docs/schemas/a.json":      "{\n  \"$id\": \"https://raw.githubusercontent.com/example.com/lib/v0.2.0/docs/schemas/a.json\",\n  \"title\": \"v0.2.0\"\n}\n",
	"docs/schemas/README.md":   "https://raw.githubusercontent.com/example.com/other/v0.2.0/docs/schemas/a.json\n",
	".pre-commit-hooks.yaml":   "- additional_dependencies: [example.com/lib/cmd/tofuwire@latest]\n- additional_dependencies: [example.com/lib/cmd/tofuwire@latest]\n",
	"action.yml":               "      env:\n        RELEASE: \"\" # x\n",
	"setup/action.yml":         "      env:\n        RELEASE: \"\" # x\n",
	"tools/provider/go.mod":    "module example.com/provider\n",
	"tools/provider/provid.go": "package provider\n",
}

// lay makes a repository with a commit of some files.
func lay(t *testing.T, files map[string]string) repository {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]string{"NAME": "a", "EMAIL": "a@example.com"} {
		t.Setenv("GIT_AUTHOR_"+name, value)
		t.Setenv("GIT_COMMITTER_"+name, value)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	r := repository(dir)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "all"}} {
		if _, err := r.git(nil, nil, args...); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// A release is a commit beside main, from which a module proxy serves what users get
// and install, with the hashes that the go command computes itself.
func TestRelease(t *testing.T) {
	r := lay(t, small)
	commit, tags, err := r.release("v0.3.0")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"v0.3.0", "wing/v0.3.0", "cmd/tool/v0.3.0"}; !slices.Equal(tags, want) {
		t.Errorf("tags %q, want %q", tags, want)
	}
	if out, err := r.git(nil, nil, "status", "--porcelain"); out != "" || err != nil {
		t.Errorf("the work tree changed: %s %v", out, err)
	}
	if out, _ := r.git(nil, nil, "rev-list", "--count", "HEAD"); out != "1" {
		t.Errorf("main has %s commits", out)
	}
	changed, err := r.git(nil, nil, "diff", "--name-only", "HEAD", commit)
	if err != nil || strings.Contains(changed, "testdata") || strings.Contains(changed, "provider") || strings.Contains(changed, ".go\n") {
		t.Errorf("the commit changes %s, %v", changed, err)
	}
	for _, name := range []string{"cmd/tool/go.mod", "wing/go.mod", "benchmarks/go.mod"} {
		text, err := r.git(nil, nil, "show", commit+":"+name)
		if err != nil || strings.Contains(text, "replace") || !strings.Contains(text, "example.com/lib v0.3.0") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	want := strings.Replace(small["docs/schemas/a.json"], "lib/v0.2.0/", "lib/v0.3.0/", 1)
	if text, err := r.git(nil, nil, "show", commit+":docs/schemas/a.json"); text+"\n" != want || err != nil {
		t.Errorf("a schema: %v\n%s", err, text)
	}
	for name, want := range map[string]string{
		".pre-commit-hooks.yaml": strings.Repeat("- additional_dependencies: [example.com/lib/cmd/tofuwire@v0.3.0]\n", 2),
		"action.yml":             "      env:\n        RELEASE: v0.3.0 # x\n",
		"setup/action.yml":       "      env:\n        RELEASE: v0.3.0 # x\n",
	} {
		if text, err := r.git(nil, nil, "show", commit+":"+name); text+"\n" != want || err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if strings.Contains(changed, "README") {
		t.Error("an address of another repository was changed")
	}

	// What the go command says of the hashes: with the go.sum of the commit, and no more.
	proxy := t.TempDir()
	if err := r.proxy("v0.3.0", commit, proxy); err != nil {
		t.Fatal(err)
	}
	if _, err := r.git(nil, nil, "-c", "advice.detachedHead=false", "checkout", "-q", commit); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	goCommand := func(dir string, args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy), "GONOSUMDB=example.com/lib", "GOFLAGS=-modcacherw", "GOWORK=off", "GOTOOLCHAIN=local",
			"GOMODCACHE="+filepath.Join(bin, "mod"), "GOBIN="+bin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for _, dir := range []string{"wing", "cmd/tool"} {
		goCommand(filepath.Join(string(r), dir), "list", "-mod=readonly", "-deps", "./...")
		goCommand(filepath.Join(string(r), dir), "mod", "tidy", "-diff")
	}
	goCommand(t.TempDir(), "install", "example.com/lib/cmd/tool@latest")
	if out, err := exec.Command(filepath.Join(bin, "tool")).CombinedOutput(); err != nil || string(out) != "lib lib and wing\n" {
		t.Errorf("%s %v", out, err)
	}
}

// What cannot be released is refused.
func TestRelease_refused(t *testing.T) {
	foreign := map[string]string{}
	for name, text := range small {
		foreign[name] = text
	}
	foreign["wing/go.mod"] += "\nreplace example.com/other => ../other\n"
	if _, _, err := lay(t, foreign).release("v0.3.0"); err == nil || !strings.Contains(err.Error(), "example.com/other") {
		t.Errorf("a replacement of something else: %v", err)
	}
	for _, version := range []string{"0.3.0", "v0.3", "v2.0.0", "latest", "v0.0.0-00010101000000-000000000000", "v1.0.0+x"} {
		if _, _, err := lay(t, small).release(version); err == nil {
			t.Errorf("%s was released", version)
		}
	}
}
