// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// What is looked for among very many things is found without going through all of them:
// going through them, each of these streams would take seconds.
func TestTracker_many(t *testing.T) {
	const n = 30000
	line := func(typ, members string) string {
		return fmt.Sprintf(`{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00.000000Z",%s,"type":%q}`+"\n", members, typ)
	}
	hook := func(addr, action string) string {
		return fmt.Sprintf(`"hook":{"resource":{"addr":%q,"resource_type":"a"},"action":%q}`, addr, action)
	}
	track := func(lines func(i int) string) *uitrack.Snapshot {
		t.Helper()
		var b bytes.Buffer
		for i := range n {
			b.WriteString(lines(i))
		}
		var tracker uitrack.Tracker
		for ev, err := range uijson.NewReader(&b).Borrowed() {
			if err != nil {
				t.Fatal(err)
			}
			tracker.Add(ev)
		}
		return tracker.Snapshot()
	}

	for name, run := range map[string]func(i int) string{
		"other names": func(i int) string { return fmt.Sprint("r", i) },
		"one name":    func(int) string { return "r" },
	} {
		s := track(func(i int) string {
			at := fmt.Sprintf(`"@testfile":"f","@testrun":%q`, run(i))
			return line("test_run", fmt.Sprintf(`%s,"test_run":{"path":"f","run":%q,"status":"fail"}`, at, run(i))) +
				line("diagnostic", at+`,"diagnostic":{"severity":"error","summary":"s","detail":""}`)
		})
		if len(s.Tests) != 1 || len(s.Tests[0].Runs) != n || s.Tests[0].Runs[n-1].Name != run(n-1) || s.Tests[0].Runs[n-1].Status != uijson.TestFail {
			t.Errorf("runs with %s are not all there", name)
		}
	}
	left := track(func(i int) string {
		return line("test_cleanup", fmt.Sprintf(`"@testfile":"f","test_cleanup":{"failed_resources":[{"instance":"a.b%d"},{"instance":"a.b0"}]}`, i))
	})
	if len(left.Tests) != 1 || len(left.Tests[0].Leftovers) != n {
		t.Error("objects that are left are not all there")
	}
	for _, end := range []string{line("outputs", `"outputs":{}`), line("change_summary", `"changes":{"add":1,"operation":"apply"}`)} {
		for action, want := range map[string]uitrack.Status{"read": uitrack.StatusFailed, "create": uitrack.StatusRunning} {
			s := track(func(i int) string {
				begin := ""
				if i == 0 {
					begin = line("apply_start", hook("a.first", "create"))
				}
				return begin + line("apply_start", hook(fmt.Sprint("a.b", i), action)) + end
			})
			if len(s.Resources) != n+1 || s.Resources[n].Status != want || s.Resources[0].Status != uitrack.StatusRunning {
				t.Errorf("%s: %d resources, the last one %s", action, len(s.Resources), s.Resources[len(s.Resources)-1].Status)
			}
		}
	}
}
