// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package comment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	fine = `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[
{"address":"vm.web","mode":"managed","type":"vm","name":"web","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"size":"small","password":"correct-horse-7"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"password":true}}}],
"complete":true,"errored":false,"applyable":true}`
	failed     = `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"errored":true}`
	destroying = `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[
{"address":"vm.old","mode":"managed","type":"vm","name":"old","provider_name":"p","change":{"actions":["delete"],"before":{"size":"small"},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}}],
"complete":true,"errored":false,"applyable":true}`
)

// A fakeForge keeps comments as both forges do.
type fakeForge struct {
	notes   []note
	methods []string
	busy    int    // so many requests are refused with 503 first
	refuse  string // the method that is refused with 403
}

func (f *fakeForge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.methods = append(f.methods, r.Method)
	if f.busy > 0 {
		f.busy--
		http.Error(w, `{"message":"later"}`, http.StatusServiceUnavailable)
		return
	}
	if r.Header.Get("Authorization") != "Bearer t0ken" && r.Header.Get("Private-Token") != "t0ken" {
		http.Error(w, `{"message":"who are you?"}`, http.StatusUnauthorized)
		return
	}
	if r.Method == f.refuse {
		http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
		return
	}
	id, _ := strconv.ParseInt(filepath.Base(r.URL.Path), 10, 64)
	var body struct{ Body string }
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	answer := func(x any) { _ = json.NewEncoder(w).Encode(x) }
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/7/comments") || r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/7/notes"):
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
		answer(f.notes[min((page-1)*size, len(f.notes)):min(page*size, len(f.notes))])
	case r.Method == http.MethodPost:
		n := note{ID: int64(len(f.notes) + 1), Body: body.Body, URL: fmt.Sprintf("https://forge/7#%d", len(f.notes)+1)}
		f.notes = append(f.notes, n)
		w.WriteHeader(http.StatusCreated)
		answer(n)
	case (r.Method == http.MethodPatch || r.Method == http.MethodPut) && id > 0:
		if id%2 == 0 { // somebody else's
			http.Error(w, "{}", http.StatusForbidden)
			return
		}
		f.notes[id-1].Body = body.Body
		answer(f.notes[id-1])
	default:
		http.NotFound(w, r)
	}
}

// A world is a pipeline with a forge.
type world struct {
	t      *testing.T
	dir    string
	forge  *fakeForge
	values map[string]string
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir(), forge: &fakeForge{}}
	server := httptest.NewServer(w.forge)
	t.Cleanup(server.Close)
	w.values = map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t0ken",
		"GITHUB_EVENT_PATH": w.write("event.json", `{"pull_request":{"number":7,"head":{"repo":{"full_name":"O/r"}}}}`),
		"GITHUB_OUTPUT":     filepath.Join(w.dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(w.dir, "summary"),
		"GITHUB_SERVER_URL": "https://forge", "GITHUB_RUN_ID": "99",
	}
	return w
}

func (w *world) write(name, text string) string {
	w.t.Helper()
	name = filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		w.t.Fatal(err)
	}
	return name
}

func (w *world) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(w.dir, name))
	return string(text)
}

// run runs the program and wants an exit status.
func (w *world) run(want int, args ...string) (stdout, stderr string) {
	w.t.Helper()
	var out, errs bytes.Buffer
	p := program{environmentOf(func(name string) string { return w.values[name] }), strings.NewReader(""), &out, &errs, time.Millisecond}
	if code := p.run(args); code != want {
		w.t.Errorf("%q: exit %d, want %d\n%s%s", args, code, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// The second run replaces the comment of the first, among those of others, and runs with other keys
// have comments of their own.
func TestRun_replaces(t *testing.T) {
	w := newWorld(t)
	for range 120 {
		w.forge.notes = append(w.forge.notes, note{ID: int64(len(w.forge.notes) + 1), Body: "look: `<!-- tofuwire net -->`"})
	}
	plan := w.write("plan.json", fine)
	w.run(0, "-key", "net", "-title", "Network", plan)
	w.run(0, "-key", "db", plan)
	w.write("plan.json", destroying)
	stdout, _ := w.run(0, "-key", "net", plan)
	if len(w.forge.notes) != 122 {
		t.Fatalf("%d comments", len(w.forge.notes))
	}
	first, second := w.forge.notes[120].Body, w.forge.notes[121].Body
	if !strings.HasPrefix(first, "<!-- tofuwire net -->\n") || !strings.Contains(first, "vm.old") || strings.Contains(first, "vm.web") {
		t.Errorf("the comment is\n%s", first)
	}
	if !strings.HasPrefix(second, "<!-- tofuwire db -->\n") || !strings.Contains(second, "vm.web") || !strings.Contains(second, "https://forge/o/r/actions/runs/99") {
		t.Errorf("the comment is\n%s", second)
	}
	if strings.Contains(second, "correct-horse-7") {
		t.Error("a secret is in the comment")
	}
	if !strings.Contains(stdout, "comment: https://forge/7#121\n") || !strings.Contains(stdout, "::warning title=tofuwire::") {
		t.Errorf("standard output:\n%s", stdout)
	}
	if s := w.read("summary"); strings.Count(s, "<!-- tofuwire net -->") != 2 {
		t.Errorf("the summary is\n%s", s)
	}
	last := strings.Split(strings.TrimSpace(w.read("output")), "\n")
	last = last[len(last)-4:]
	if last[0] != "comment-url=https://forge/7#121" || last[1] != "errored=false" || !strings.HasPrefix(last[2], `changes={"`) || !strings.Contains(last[2], `"destroy":1`) || last[3] != "path=" {
		t.Errorf("outputs: %q", last)
	}
}

// With -config, blocks are annotated on GitHub.
func TestRun_config(t *testing.T) {
	w := newWorld(t)
	w.write("infra/main.tf", "\nresource \"vm\" \"web\" {\n}\n")
	plan, config := w.write("plan.json", fine), filepath.Join(w.dir, "infra")
	want := "::notice file=" + config + "/main.tf,line=2,endLine=3,col=1,title=1 to create::vm.web\n"
	if stdout, _ := w.run(0, "-config", config, plan); !strings.HasSuffix(stdout, want) {
		t.Errorf("standard output:\n%s", stdout)
	}
	if _, stderr := w.run(2, "-config", w.dir+"/none", plan); !strings.Contains(stderr, "none") || len(w.forge.notes) != 1 {
		t.Errorf("standard error:\n%s, %d comments", stderr, len(w.forge.notes))
	}
}

// A comment with the marker that may not be changed is left alone.
func TestRun_somebodyElse(t *testing.T) {
	w := newWorld(t)
	w.forge.notes = []note{{ID: 1, Body: "x"}, {ID: 2, Body: "<!-- tofuwire net -->\nmine"}}
	w.forge.busy = 2
	w.run(0, "-key", "net", w.write("plan.json", fine))
	if len(w.forge.notes) != 3 || w.forge.notes[1].Body != "<!-- tofuwire net -->\nmine" {
		t.Errorf("%+v", w.forge.notes)
	}
	w.forge.methods, w.forge.busy = nil, 0
	w.run(0, "-key", "net", w.write("plan.json", destroying))
	if !strings.Contains(w.forge.notes[2].Body, "vm.old") || slices.Contains(w.forge.methods, "POST") {
		t.Errorf("%q: %+v", w.forge.methods, w.forge.notes)
	}
}

func TestRun_noComment(t *testing.T) {
	fork := `{"pull_request":{"number":7,"head":{"repo":{"full_name":"somebody/r"}}}}`
	for _, row := range []struct {
		name, said string
		change     func(w *world)
		code       int
	}{
		{"a fork without a token", "no token", func(w *world) { w.write("event.json", fork); w.values["GITHUB_TOKEN"] = "" }, 0},
		{"a fork with a token that reads", "fork", func(w *world) { w.write("event.json", fork); w.forge.refuse = "POST" }, 0},
		{"no pull request", "no pull request", func(w *world) { w.write("event.json", `{"ref":"refs/heads/main"}`) }, 0},
		{"a fork with a token for nothing", "fork", func(w *world) { w.write("event.json", fork); w.forge.refuse = "GET" }, 0},
		{"a token that reads", "may not read or write", func(w *world) { w.forge.refuse = "POST" }, 2},
		{"a wrong token", "who are you?", func(w *world) { w.values["GITHUB_TOKEN"] = "x" }, 2},
		{"a server that is down", "503", func(w *world) { w.forge.busy = 99 }, 2},
		{"a broken event", "event.json", func(w *world) { w.write("event.json", "{") }, 2},
	} {
		w := newWorld(t)
		plan := w.write("plan.json", fine)
		row.change(w)
		if _, stderr := w.run(row.code, plan); !strings.Contains(stderr, row.said) {
			t.Errorf("%s: %s", row.name, stderr)
		}
		if len(w.forge.notes) != 0 || !strings.Contains(w.read("summary"), "vm.web") {
			t.Errorf("%s: %d comments, summary\n%s", row.name, len(w.forge.notes), w.read("summary"))
		}
		if out := w.read("output"); !strings.HasPrefix(out, "comment-url=\nerrored=false\n") {
			t.Errorf("%s: outputs %s", row.name, out)
		}
	}
	w := newWorld(t)
	w.run(0, "-comment=false", "-summary=false", w.write("plan.json", fine))
	if len(w.forge.methods) != 0 || w.read("summary") != "" {
		t.Errorf("%q, %s", w.forge.methods, w.read("summary"))
	}
}

func TestRun_failOn(t *testing.T) {
	w := newWorld(t)
	plans := map[string]string{"fine": w.write("fine.json", fine), "failed": w.write("failed.json", failed), "destroying": w.write("destroying.json", destroying), "none": w.write("none.json", "{}"), "absent": filepath.Join(w.dir, "absent.json")}
	for _, row := range []struct {
		plan, failOn string
		args         []string
		code         int
		errored      bool
	}{
		{"fine", "cannot-judge,destroy,replace", nil, 0, false},
		{"failed", "cannot-judge", nil, 1, true},
		{"failed", "none", nil, 0, true},
		{"failed", "", nil, 0, true},
		{"destroying", "cannot-judge", nil, 0, false},
		{"destroying", "destroy", nil, 1, false},
		{"destroying", "replace", nil, 0, false},
		{"destroying", "difference", []string{"-against", plans["destroying"]}, 0, false},
		{"destroying", "difference", []string{"-against", plans["fine"]}, 1, false},
		{"none", "none", nil, 2, true},
		{"absent", "none", nil, 2, true},
	} {
		os.Remove(filepath.Join(w.dir, "output"))
		w.run(row.code, slices.Concat(row.args, []string{"-key", "k", "-fail-on", row.failOn, plans[row.plan]})...)
		if out := w.read("output"); strings.Contains(out, "errored=true") != row.errored {
			t.Errorf("%s: %s", row.plan, out)
		}
		if len(w.forge.notes) != 1 {
			t.Fatalf("%s: %d comments", row.plan, len(w.forge.notes))
		}
		body := w.forge.notes[0].Body
		if row.code == 2 && (!strings.Contains(body, "could not be read") || !strings.HasPrefix(body, "<!-- tofuwire k -->\n") || strings.Contains(body, "planreport")) || row.plan == "failed" && !strings.Contains(body, "failed") {
			t.Errorf("%s: the comment is\n%s", row.plan, body)
		}
	}
	w.run(2, "-key", "k", filepath.Join(w.dir, "nothing-*.json"))
	if body := w.forge.notes[0].Body; len(w.forge.notes) != 1 || !strings.Contains(body, "no file matches") {
		t.Errorf("no plan: the comment is\n%s", body)
	}
	for _, args := range [][]string{{}, {"-fail-on", "all", plans["fine"]}, {"-fail-on", "difference", plans["fine"]}, {"-nothing"}} {
		w.run(2, args...)
	}
}

func TestRun_gitLab(t *testing.T) {
	w := newWorld(t)
	server := w.values["GITHUB_API_URL"]
	w.values = map[string]string{"GITLAB_CI": "true", "CI_API_V4_URL": server, "CI_PROJECT_ID": "12", "CI_MERGE_REQUEST_IID": "7", "GITLAB_TOKEN": "t0ken", "CI_JOB_URL": "https://forge/jobs/5", "CI_MERGE_REQUEST_PROJECT_URL": "https://forge/o/r"}
	plan := w.write("plan.json", fine)
	counts := filepath.Join(w.dir, "counts.json")
	stdout, _ := w.run(0, "-key", "net", "-counts", counts, plan)
	w.write("plan.json", destroying)
	w.run(0, "-key", "net", plan)
	if len(w.forge.notes) != 1 || !strings.Contains(w.forge.notes[0].Body, "vm.old") || !strings.Contains(w.forge.notes[0].Body, "https://forge/jobs/5") {
		t.Errorf("%+v", w.forge.notes)
	}
	if !strings.Contains(stdout, "https://forge/o/r/-/merge_requests/7#note_1") || strings.Contains(stdout, "::") {
		t.Errorf("standard output: %s", stdout)
	}
	if text := w.read("counts.json"); text != `{"create":1,"delete":0,"update":0}`+"\n" {
		t.Errorf("counts: %s", text)
	}
}

func TestExpand(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"plans/a.json", "plans/b.json", "plans/x/y/c.json", "plans/x/d.txt", "odd/[prod] b.json"} {
		w.write(name, "{}")
	}
	for _, row := range []struct{ pattern, want string }{
		{"plans/*.json", "plans/a.json plans/b.json"},
		{"plans/**/*.json", "plans/a.json plans/b.json plans/x/y/c.json"},
		{"**/c.json", "plans/x/y/c.json"},
		{"pl?ns/[ab].json", "plans/a.json plans/b.json"},
		{"plans/x/*", "plans/x/d.txt"},
		{"plans/a.json", "plans/a.json"},
		{"odd/[prod] b.json", "odd/[prod] b.json"},
		{"plans/nothing/*.json", ""},
		{"plans/[", ""},
	} {
		got, err := expand([]string{filepath.Join(w.dir, filepath.FromSlash(row.pattern))})
		for i, name := range got {
			got[i], _ = filepath.Rel(w.dir, name)
			got[i] = filepath.ToSlash(got[i])
		}
		if strings.Join(got, " ") != row.want || (err == nil) != (row.want != "") {
			t.Errorf("%s: %q, %v", row.pattern, got, err)
		}
	}
}
