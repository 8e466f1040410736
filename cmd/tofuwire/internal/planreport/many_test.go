// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// stackOf is the text of a plan with one change of each kind of actions.
func stackOf(members string, actions ...string) string {
	var list []string
	for i, a := range actions {
		list = append(list, fmt.Sprintf(`{"address":"a_b.c[%d]","mode":"managed","type":"a_b","name":"c","index":%d,"change":{"actions":[%s],"before":{"x":1},"after":{"x":2}}}`, i, i, a))
	}
	return `{"format_version":"1.2","planned_values":{},"resource_changes":[` + strings.Join(list, ",") + `]` + members + `}`
}

// stacks writes plans into folders, and returns the paths.
func stacks(t *testing.T, plans ...string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range plans {
		name := filepath.Join(dir, fmt.Sprintf("stack-%d", i), "plan.json")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	return files
}

// Many plans are one report: the failed one is first, then the one that destroys; a failed one
// among them gives the exit status 2, and the summary has all counts.
func TestManyPlans(t *testing.T) {
	files := stacks(t, stackOf(""), stackOf("", `"create"`, `"update"`), stackOf("", `"delete"`, `"delete","create"`, `"forget"`), "a log\n"+stackOf(`,"errored":true`, `"create"`)+"\n", stackOf(`,"complete":false`, `"create"`))
	order := []string{"stack-3", "stack-4", "stack-2", "stack-1", "stack-0"}
	for _, format := range []string{"md", "text", "html"} {
		for _, place := range []string{"github", "plain"} {
			summary := filepath.Join(t.TempDir(), "s.json")
			var out, errs strings.Builder
			code := Run(append([]string{"-format", format, "-for", place, "-key", "a/b", "-summary", summary, "-title", "Nightly <b>", "-run-url", "https://ci.example/1?a=(b)"}, files...), nil, &out, &errs)
			if code != 2 || !strings.Contains(errs.String(), "stack-3/plan.json: skipped") {
				t.Fatalf("%s: %d, %s", format, code, errs.String())
			}
			at := 0
			for _, name := range order {
				if format == "text" {
					break // in the order of the arguments
				}
				i := strings.Index(out.String()[at:], name)
				if i < 0 {
					t.Fatalf("%s: %s is not next:\n%s", format, name, out.String())
				}
				at += i
			}
			for _, want := range []string{"stack-0", "no changes", "failed", "incomplete", "destroys", "Nightly", "https://ci.example/1"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s: there is no %q\n%s", format, want, out.String())
				}
			}
			if place == "plain" && format == "md" && strings.Contains(strings.ReplaceAll(out.String(), "`", ""), "<") {
				t.Errorf("there is HTML:\n%s", out.String())
			}
			src, err := os.ReadFile(summary)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Errored, Empty bool
				Reasons        []string
				Changes        map[string]int
				Differences    *int
				Marker         string
				Plans          []struct {
					Name, Verdict string
					Errored       bool
					Changes       map[string]int
				}
			}
			if err := json.Unmarshal(src, &got); err != nil {
				t.Fatal(err)
			}
			if !got.Errored || got.Empty || !slices.Equal(got.Reasons, []string{"errored", "incomplete"}) || got.Differences != nil || len(got.Plans) != 5 || got.Plans[3].Verdict != "failed" || got.Plans[2].Name != "stack-2" || got.Plans[2].Changes["destroy"] != 2 ||
				got.Changes["add"] != 4 || got.Changes["destroy"] != 2 || got.Changes["replace"] != 1 || got.Changes["forget"] != 1 || got.Changes["change"] != 1 {
				t.Errorf("%s", src)
			}
			if format == "md" && !strings.HasPrefix(out.String(), got.Marker+"\n") {
				t.Errorf("the marker is not %q:\n%.200s", got.Marker, out.String())
			}
		}
	}
	if code := Run(append([]string{"-format", "md"}, append(files, "run.go")...), nil, io.Discard, io.Discard); code != 1 {
		t.Errorf("with a file that has no plan: %d", code)
	}
}

// Each plan has its approved one.
func TestManyAgainst(t *testing.T) {
	files := stacks(t, stackOf("", `"create"`), stackOf("", `"update"`))
	for _, row := range []struct {
		against []string
		want    string
	}{{files, `"differences": 0`}, {[]string{files[1], files[0]}, `"differences": `}} {
		summary := filepath.Join(t.TempDir(), "s.json")
		out := reported(t, "", append([]string{"-format", "md", "-summary", summary, "-against", row.against[0], "-against", row.against[1]}, files...)...)
		src, _ := os.ReadFile(summary)
		same := row.against[0] == files[0]
		if same != strings.Contains(out, "does the same as the approved one") || same == strings.Contains(out, "differs from the approved one") || !strings.Contains(string(src), row.want) {
			t.Errorf("%v: %s\n%s", row.against, out, src)
		}
	}
}

// Names are what differs in the paths.
func TestNames(t *testing.T) {
	for _, row := range []struct{ files, want string }{
		{"a/net/plan.json a/app/plan.json", "net app"},
		{"net.json app.json", "net app"},
		{"./x/net.json x/app.json", "net app"},
		{"a/net/plan.json b/net/plan.json", "a b"},
		{"a/x/plan.json a/y/z/plan.json", "x y/z"},
		{"a/plan.json -", "a/plan standard input"},
		{"a/b.json a/b.log", "a/b.json a/b.log"},
	} {
		if got := strings.Join(names(strings.Fields(row.files)), " "); got != row.want {
			t.Errorf("%s: %s, not %s", row.files, got, row.want)
		}
	}
}

// Nothing in a key ends the marker.
func TestMarker(t *testing.T) {
	for _, row := range []struct{ key, place, want string }{
		{"stacks/net", "github", "<!-- tofuwire stacks/net -->"},
		{"a--b --> <b>\nx", "github", "<!-- tofuwire a-%2Db -%2D%3E %3Cb%3E%0Ax -->"},
		{"---", "gitlab", "<!-- tofuwire -%2D- -->"},
		{"a) b", "plain", "[//]: # (tofuwire a%29 b)"},
		{"", "github", ""},
	} {
		if got := (&options{key: row.key, place: row.place}).marker(); got != row.want {
			t.Errorf("%q: %s", row.key, got)
		}
	}
}

// What differs from the approved plan in a secret is said without the secret.
func TestAgainstHidden(t *testing.T) {
	plan := func(secret string) string {
		return strings.ReplaceAll(`{"format_version":"1.2","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","change":{"actions":["create"],"before":null,"after":{"secret":"SECRET","copy":"x SECRET","open":"SECRET1"},"after_sensitive":{"secret":true}}}]}`, "SECRET", secret)
	}
	files := stacks(t, plan("swordfish-1"), plan("swordfish-2"))
	for _, format := range []string{"md", "text", "html"} {
		out := reported(t, "", "-format", format, "-against", files[0], files[1])
		if strings.Contains(out, "swordfish") || !strings.Contains(out, "differs from the approved one in 3 places") || !strings.Contains(out, "after.secret: (sensitive value) -&gt; (sensitive value)") && format == "html" {
			t.Errorf("%s:\n%s", format, out)
		}
	}
	p, err := planjson.DecodePlan([]byte(plan("swordfish-1")))
	if err != nil || len(p.ResourceChanges) != 1 {
		t.Fatal(err)
	}
}
