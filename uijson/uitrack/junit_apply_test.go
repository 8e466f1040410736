// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// The report has a case for whatever ran, no two cases look the same, and what is left behind
// is an error.
func TestJUnit_Cases(t *testing.T) {
	names, err := filepath.Glob("../testdata/*/*/*.jsonl")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	operations, left := 0, 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tracker := &uitrack.Tracker{Replay: true}
		for ev, err := range uijson.NewReader(bytes.NewReader(text)).Events() {
			if err != nil {
				break
			}
			tracker.Add(ev)
		}
		tracker.End(nil)
		s := tracker.Snapshot()
		var b bytes.Buffer
		if err := uitrack.WriteJUnit(&b, s, "tofu"); err != nil {
			t.Fatal(err)
		}
		var report struct {
			Tests  int `xml:"tests,attr"`
			Errors int `xml:"errors,attr"`
			Suites []struct {
				Cases []struct {
					Name  string `xml:"name,attr"`
					Class string `xml:"classname,attr"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(b.Bytes(), &report); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, suite := range report.Suites {
			for _, c := range suite.Cases {
				if seen[c.Class+" "+c.Name] {
					t.Errorf("%s: two cases %s %s", name, c.Class, c.Name)
				}
				seen[c.Class+" "+c.Name] = true
			}
		}
		if report.Tests == 0 || report.Tests != len(seen) {
			t.Errorf("%s: %d tests: %s", name, report.Tests, b.Bytes())
		}
		for _, r := range s.Resources {
			for _, c := range r.Cycles {
				if c.Action == uijson.ActionCreate && r.Mode == "managed" && len(s.Tests) == 0 {
					operations++
					if !seen[r.Type+" "+r.Addr] && !seen[r.Type+" "+r.Addr+" (create)"] {
						t.Errorf("%s: no case for %s", name, r.Addr)
					}
				}
			}
		}
		for _, f := range s.Tests {
			if len(f.Leftovers) > 0 {
				left++
				if report.Errors == 0 || !strings.Contains(s.Reason, "left behind") {
					t.Errorf("%s: %s: %d errors, %s", name, f.Path, report.Errors, s.Reason)
				}
			}
		}
	}
	if operations < 20 || left == 0 {
		t.Errorf("%d operations, %d files with objects left", operations, left)
	}
}
