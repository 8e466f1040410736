// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A step is a step of action.yml.
type step struct {
	env map[string]string
	run string
}

// readAction returns the defaults of the inputs and the steps of action.yml. It reads the YAML that
// is there, and no other.
func readAction(t *testing.T) (defaults map[string]string, steps []step) {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	defaults = map[string]string{}
	section, input := "", ""
	unquoted := func(s string) string { return strings.Trim(strings.TrimSpace(s), `"`) }
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case indent == 0 && strings.HasSuffix(trimmed, ":"):
			section = trimmed
		case section == "inputs:" && indent == 2:
			input = strings.TrimSuffix(trimmed, ":")
		case section == "inputs:" && strings.HasPrefix(trimmed, "default:"):
			defaults[input] = unquoted(strings.TrimPrefix(trimmed, "default:"))
		case section == "runs:" && strings.HasPrefix(trimmed, "- name:"):
			steps = append(steps, step{env: map[string]string{}})
		case section == "runs:" && len(steps) > 0 && steps[len(steps)-1].run != "" && indent >= 8 || trimmed == "" && len(steps) > 0:
			steps[len(steps)-1].run += strings.TrimPrefix(strings.TrimRight(line, "\n"), "        ") + "\n"
		case section == "runs:" && trimmed == "run: |":
			steps[len(steps)-1].run = "\n"
		case section == "runs:" && indent == 8:
			name, value, _ := strings.Cut(trimmed, ":")
			value, _, _ = strings.Cut(value, " #")
			steps[len(steps)-1].env[name] = unquoted(value)
		}
	}
	if len(steps) != 2 || len(defaults) < 8 {
		t.Fatalf("action.yml is read as %d steps and %d inputs", len(steps), len(defaults))
	}
	return defaults, steps
}

// A pullRequest is a fake of GitHub with one pull request and releases.
type pullRequest struct {
	mu       sync.Mutex
	comments []map[string]any
	release  map[string][]byte // files
}

func (p *pullRequest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if file, ok := strings.CutPrefix(r.URL.Path, "/releases/"); ok {
		if p.release[file] == nil {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(p.release[file])
		return
	}
	if r.Header.Get("Authorization") != "Bearer t0ken" {
		http.Error(w, "{}", http.StatusUnauthorized)
		return
	}
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	switch {
	case r.Method == "GET" && r.URL.Path == "/repos/o/r/issues/7/comments":
		_ = json.NewEncoder(w).Encode(p.comments)
	case r.Method == "POST" && r.URL.Path == "/repos/o/r/issues/7/comments":
		body["id"], body["html_url"] = len(p.comments)+1, "https://forge/7#1"
		p.comments = append(p.comments, body)
		_ = json.NewEncoder(w).Encode(body)
	case r.Method == "PATCH" && r.URL.Path == "/repos/o/r/issues/comments/1":
		p.comments[0]["body"] = body["body"]
		_ = json.NewEncoder(w).Encode(p.comments[0])
	default:
		http.NotFound(w, r)
	}
}

// A job runs the steps of the action as GitHub does.
type job struct {
	t        *testing.T
	dir, bin string
	forge    *pullRequest
	defaults map[string]string
	steps    []step
	env      map[string]string
}

// newJob builds the program and starts the fake.
func newJob(t *testing.T) *job {
	if err := exec.Command("bash", "-c", ":").Run(); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash, which the steps are for: ", err)
	}
	j := &job{t: t, dir: t.TempDir(), bin: t.TempDir(), forge: &pullRequest{comments: []map[string]any{}, release: map[string][]byte{}}}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(j.bin, "tofuwire"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := httptest.NewServer(j.forge)
	t.Cleanup(server.Close)
	j.defaults, j.steps = readAction(t)
	j.write("event.json", `{"pull_request":{"number":7,"head":{"repo":{"full_name":"o/r"}}}}`)
	j.env = map[string]string{
		"PATH": j.bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME": j.dir, "RUNNER_TEMP": j.dir, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
		"GITHUB_ACTIONS": "true", "GITHUB_ACTION": "report", "GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "o/r", "GITHUB_WORKSPACE": j.dir,
		"GITHUB_EVENT_PATH": filepath.Join(j.dir, "event.json"), "GITHUB_OUTPUT": filepath.Join(j.dir, "output"),
		"GITHUB_STEP_SUMMARY": filepath.Join(j.dir, "summary"), "GITHUB_PATH": filepath.Join(j.dir, "path"), "TOFUWIRE_RELEASES": server.URL + "/releases",
	}
	return j
}

func (j *job) write(name, text string) {
	j.t.Helper()
	if err := os.WriteFile(filepath.Join(j.dir, name), []byte(text), 0o666); err != nil {
		j.t.Fatal(err)
	}
}

func (j *job) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(j.dir, name))
	return string(text)
}

// run runs a step with inputs and returns its exit status and output.
func (j *job) run(n int, inputs map[string]string) (int, string) {
	j.t.Helper()
	values := maps.Clone(j.defaults)
	values["token"] = "t0ken" // what github.token is
	maps.Copy(values, inputs)
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", j.steps[n].run)
	c.Dir = j.dir
	for name, value := range j.env {
		c.Env = append(c.Env, name+"="+value)
	}
	for name, value := range j.steps[n].env {
		value = regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`).ReplaceAllStringFunc(value, func(s string) string {
			return values[strings.TrimSuffix(strings.TrimPrefix(s, "${{ inputs."), " }}")]
		})
		c.Env = append(c.Env, name+"="+value)
	}
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		j.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

const (
	firstPlan = `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[
{"address":"vm.web","mode":"managed","type":"vm","name":"web","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"size":"small"},"after_unknown":{},"before_sensitive":false,"after_sensitive":false}}],"complete":true,"errored":false,"applyable":true}`
	failedPlan = `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"errored":true}`
)

// TestAction runs the step of action.yml that reports: a second run updates the comment, a pull
// request of a fork gets the summary, a failed plan fails the job.
func TestAction(t *testing.T) {
	j := newJob(t)
	j.write("plan.json", firstPlan)
	j.write("approved.json", firstPlan)
	for i, inputs := range []map[string]string{{"plan": "plan.json", "title": "It's \"ours\" $HOME"}, {"plan": "*.json\nplan.json\n", "approved": "approved.json\napproved.json\n"}} {
		if i == 1 { // both plans are read
			os.Remove(filepath.Join(j.dir, "event.json"))
			j.env["GITHUB_EVENT_PATH"], j.env["GITHUB_REF"] = "", "refs/pull/7/merge"
		}
		if code, out := j.run(1, inputs); code != 0 || len(j.forge.comments) != 1 {
			t.Fatalf("run %d: exit %d, %d comments\n%s", i, code, len(j.forge.comments), out)
		}
	}
	body := j.forge.comments[0]["body"].(string)
	if !strings.Contains(body, "<!-- tofuwire . -->") || !strings.Contains(body, "approved") {
		t.Errorf("the comment is\n%s", body)
	}
	out := j.read("output")
	if !strings.Contains(out, "comment-url=https://forge/7#1\nerrored=false\nchanges={") || !strings.Contains(out, "path="+filepath.Join(j.dir, "tofuwire-report.md")) || j.read("tofuwire-report.md") != body {
		t.Errorf("outputs:\n%s", out)
	}

	// No token: the summary, and nothing else.
	os.Remove(filepath.Join(j.dir, "summary"))
	j.forge.comments = []map[string]any{}
	code, text := j.run(1, map[string]string{"plan": "plan.json", "token": ""})
	if code != 0 || len(j.forge.comments) != 0 || !strings.Contains(j.read("summary"), "vm.web") {
		t.Errorf("a fork: exit %d, %d comments\n%s", code, len(j.forge.comments), text)
	}

	j.write("plan.json", failedPlan)
	for failOn, want := range map[string]int{"cannot-judge": 1, "": 0} {
		if code, text := j.run(1, map[string]string{"plan": "plan.json", "fail-on": failOn}); code != want || !strings.Contains(text, "::error ") {
			t.Errorf("a failed plan, fail-on %q: exit %d\n%s", failOn, code, text)
		}
	}
	if code, text := j.run(1, map[string]string{"plan": "no-such-*.json"}); code != 2 {
		t.Errorf("no plan: exit %d\n%s", code, text)
	}
	if code, text := j.run(1, map[string]string{"plan": "plan.json", "reveal": "perhaps"}); code != 2 {
		t.Errorf("a wrong input: exit %d\n%s", code, text)
	}
}

// TestActionInstall runs the step of action.yml that installs: an archive is taken only if its hash
// is in the list.
func TestActionInstall(t *testing.T) {
	j := newJob(t)
	if err := exec.Command("bash", "-c", "command -v curl && command -v tar && command -v sha256sum").Run(); err != nil {
		t.Skip("needs curl, tar and sha256sum, as the machines of GitHub have them: ", err)
	}
	if code, out := j.run(0, nil); code != 0 || j.read("path") != "" {
		t.Errorf("the program on PATH: exit %d\n%s", code, out)
	}
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	a := tar.NewWriter(z)
	script := "#!/bin/sh\necho installed\n"
	_ = a.WriteHeader(&tar.Header{Name: "tofuwire", Mode: 0o755, Size: int64(len(script))})
	_, _ = a.Write([]byte(script))
	_ = a.Close()
	_ = z.Close()
	const name = "tofuwire_0.3.0_linux_amd64.tar.gz"
	j.forge.release["v0.3.0/"+name] = archive.Bytes()
	for sums, want := range map[string]int{
		fmt.Sprintf("%x  %s\n", sha256.Sum256(archive.Bytes()), name):         0,
		fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte("other")), name):         1,
		fmt.Sprintf("%x  %s\n", sha256.Sum256(archive.Bytes()), "x"+name+"x"): 1,
	} {
		j.forge.release["v0.3.0/SHA256SUMS"] = []byte(sums)
		os.Remove(filepath.Join(j.dir, "path"))
		code, out := j.run(0, map[string]string{"version": "v0.3.0"})
		if (code == 0) != (want == 0) {
			t.Errorf("%s exit %d\n%s", sums, code, out)
		}
		path := strings.TrimSpace(j.read("path"))
		if (path == "") != (want != 0) {
			t.Errorf("%s PATH %q", sums, path)
		}
		if path != "" {
			if out, err := exec.Command(filepath.Join(path, "tofuwire")).Output(); err != nil || string(out) != "installed\n" {
				t.Errorf("%v, %q", err, out)
			}
		}
	}
	if code, _ := j.run(0, map[string]string{"version": "v0.4.0"}); code == 0 {
		t.Error("a release that is not there is installed")
	}
}

// TestGitLabTemplate runs the script of templates/gitlab.yml with a fake of GitLab.
func TestGitLabTemplate(t *testing.T) {
	j := newJob(t)
	text, err := os.ReadFile("../../templates/gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	_, rest, _ := strings.Cut(string(text), "\n  script:\n")
	rest, _, _ = strings.Cut(rest, "\n  artifacts:\n")
	for _, part := range strings.Split("\n"+rest, "\n    - |\n")[1:] {
		scripts = append(scripts, regexp.MustCompile(`(?m)^      `).ReplaceAllString(part, ""))
	}
	if len(scripts) != 2 {
		t.Fatalf("%d scripts", len(scripts))
	}
	var notes []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Body string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		list := []map[string]any{}
		for i, n := range notes {
			list = append(list, map[string]any{"id": i + 1, "body": n})
		}
		switch {
		case r.Header.Get("Private-Token") != "t0ken":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == "GET" && r.URL.Path == "/projects/12/merge_requests/7/notes":
			_ = json.NewEncoder(w).Encode(list)
		case r.Method == "POST" && r.URL.Path == "/projects/12/merge_requests/7/notes":
			notes = append(notes, body.Body)
			_, _ = w.Write([]byte(`{"id":1}`))
		case r.Method == "PUT" && r.URL.Path == "/projects/12/merge_requests/7/notes/1":
			notes[0] = body.Body
			_, _ = w.Write([]byte(`{"id":1}`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	variables := map[string]string{"PATH": j.env["PATH"], "GITLAB_CI": "true", "CI_API_V4_URL": server.URL, "CI_PROJECT_ID": "12", "CI_MERGE_REQUEST_IID": "7", "TOFUWIRE_TOKEN": "t0ken", "CI_PROJECT_DIR": j.dir}
	for _, m := range regexp.MustCompile(`(?m)^    (TOFUWIRE_[A-Z_]+): (.*)$`).FindAllStringSubmatch(string(text), -1) {
		variables[m[1]] = strings.Trim(m[2], `"`)
	}
	run := func(want int) string {
		t.Helper()
		c := exec.Command("sh", "-c", strings.Join(scripts, "\n"))
		c.Dir = j.dir
		for _, name := range slices.Sorted(maps.Keys(variables)) {
			c.Env = append(c.Env, name+"="+variables[name])
		}
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != want {
			t.Errorf("%v, want exit status %d\n%s", err, want, out)
		}
		return string(out)
	}
	j.write("plan.json", firstPlan)
	run(0)
	variables["TOFUWIRE_TITLE"] = "Shop"
	run(0)
	if len(notes) != 1 || !strings.Contains(notes[0], "Shop") || !strings.Contains(notes[0], "vm.web") {
		t.Errorf("%q", notes)
	}
	if s := j.read("tofuwire.json"); s != `{"create":1,"delete":0,"update":0}`+"\n" || j.read("tofuwire.md") != notes[0] {
		t.Errorf("counts %s", s)
	}
	variables["TOFUWIRE_PLAN"] = "none.json"
	run(2)
	if !strings.Contains(notes[0], "could not be read") {
		t.Errorf("%q", notes)
	}
}
