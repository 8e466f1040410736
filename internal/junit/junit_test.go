// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package junit_test

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/junit"
)

// hostile has what readers of JUnit's XML lose or take for something else.
const hostile = "a \"b\" 'c' <d> & ]]> \x00\x1b\xff\uFFFE\r\nsecond\tline]]>]]>"

// TestWrite reads a report with another parser, and looks for what readers do not take.
func TestWrite(t *testing.T) {
	r := &junit.Report{Name: hostile, Suites: []junit.Suite{
		{Name: hostile, Output: hostile, Cases: []junit.Case{
			{Name: "a\nb", Class: "tests/unit\\x.tftest.hcl", File: "tests/unit/x.tftest.hcl", Line: 3, Failure: &junit.Reason{Message: hostile, Type: "error", Text: hostile}},
			{Name: "a b", Class: "tests/unit/x.tftest.hcl", Time: "0.500", Error: &junit.Reason{Message: hostile}},
			{Name: "a b", Class: "tests/unit/x.tftest.hcl", Skipped: &junit.Reason{}},
		}},
		{Name: "other", Cases: []junit.Case{{Name: "a b", Class: "tests.unit.x.tftest.hcl"}}},
	}}
	var b strings.Builder
	if err := junit.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Output string `xml:"system-out"`
			Cases  []struct {
				Name    string `xml:"name,attr"`
				Class   string `xml:"classname,attr"`
				Failure struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if got.Tests != 4 || got.Failures != 1 || got.Errors != 1 || got.Skipped != 1 {
		t.Errorf("counts are %+v", got)
	}
	text := "a \"b\" 'c' <d> & ]]> \uFFFD\uFFFD\uFFFD\uFFFD\nsecond\tline]]>]]>" // a reader of XML makes one line feed of CR LF
	if f := got.Suites[0].Cases[0].Failure; f.Text != text || got.Suites[0].Output != text || f.Message != strings.NewReplacer("\n", " ", "\t", " ").Replace(text) {
		t.Errorf("text is %q, message %q", f.Text, f.Message)
	}
	seen := map[string]bool{}
	for _, s := range got.Suites {
		for _, c := range s.Cases {
			if seen[c.Class+"\x00"+c.Name] || strings.ContainsAny(c.Class, `/\`) {
				t.Errorf("case %s of %s", c.Name, c.Class)
			}
			seen[c.Class+"\x00"+c.Name] = true
		}
	}
	if found := regexp.MustCompile(`&#|system-err|="[^"]*\n`).FindString(b.String()); found != "" {
		t.Errorf("%q in %s", found, b.String())
	}
}
