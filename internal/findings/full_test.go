// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/findings"
)

// report returns findings in one line of source, at bytes.
func report(line string, places ...[2]int) *findings.Report {
	text := []byte("# first\n" + line + "\n")
	r := &findings.Report{Tool: "lint", Program: "acme lint", Text: func(string) []byte { return text }}
	for _, p := range places {
		f := findings.Finding{Rule: "r", Severity: "error", Message: "one\r\ntwo\x1b[2J\u0085", URL: "https://x"}
		f.Range.Filename = "a\x1b.tf"
		f.Range.Start = addrs.Pos{Line: 2, Column: int(p[0] + 1), Offset: int64(8 + p[0])}
		f.Range.End = addrs.Pos{Line: 2, Column: 1, Offset: int64(8 + p[1])}
		r.Findings = append(r.Findings, f)
	}
	return r
}

func written(t *testing.T, format string, r *findings.Report) string {
	t.Helper()
	var out strings.Builder
	if err := findings.Write(&out, format, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFull has the source of findings, and the marker.
func TestFull(t *testing.T) {
	long := "\ta = \"" + strings.Repeat("x", 200) + "\" + var.b + \"" + strings.Repeat("y", 200) + "\""
	for _, row := range []struct {
		line     string
		from, to int
		want     []string
	}{
		{"a = b", 4, 5, []string{"2 | a = b", "  |     ^"}},
		{"a = b", 4, 4, []string{"2 | a = b", "  |     ^"}},
		{"a = b\r", 4, 60, []string{"2 | a = b", "  |     ^"}},
		{"a = b", 5, 5, []string{"2 | a = b", "  |      ^"}},
		{"\ta =\tb", 1, 6, []string{"2 | \ta =\tb", "  | \t^^^\t^"}},
		{`a = "日e` + "\u0301" + `"`, 4, 12, []string{`2 | a = "日e` + "\u0301" + `"`, "  |     ^^^^^"}},
		{"a = \x1b[1m b", 4, 5, []string{`2 | a = \x1b[1m b`, "  |     ^^^^"}},
		{long, 210, 215, []string{`2 | ...xxx`, `" + var.b + "`, "yyy..."}},
	} {
		out := written(t, "full", report(row.line, [2]int{row.from, row.to}))
		if !strings.HasPrefix(out, "a\\x1b.tf\n\n  2:") || !strings.HasSuffix(out, "\n        r  https://x\n\n1 finding in 1 file: 1 error, 0 warnings, 0 notices\n") || !strings.Contains(out, "one two\\x1b[2J\\u0085\n") {
			t.Errorf("%q:\n%s", row.line, out)
		}
		for _, want := range row.want {
			if !strings.Contains(out, want) {
				t.Errorf("%q: no %q in\n%s", row.line, want, out)
			}
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, " | ") && len([]rune(strings.TrimSuffix(line, "\n"))) > 80 {
				t.Errorf("too wide: %s", line)
			}
		}
	}
	r := report("a = b", [2]int{0, 1}, [2]int{4, 5})
	r.Findings[1].Severity, r.Findings[1].Fixable = "notice", true
	r.Findings[1].Related = []findings.Related{{Range: r.Findings[0].Range, Message: "here"}}
	r.Findings[0].Range.Start = addrs.Pos{}
	out := written(t, "full", r)
	if !strings.Contains(out, "        see a\\x1b.tf:0,0: here\n") && !strings.Contains(out, "        see a\\x1b.tf:2,1: here\n") || !strings.Contains(out, "\n2 findings in 1 file: 1 error, 0 warnings, 1 notice; 1 can be fixed with -fix\n") || strings.Count(out, "2 | a = b") != 1 {
		t.Error(out)
	}
	if r.Colors = true; strings.ReplaceAll(strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[36m", "").Replace(written(t, "full", r)), "\x1b[0m", "") != out {
		t.Error("colors change the text")
	}
	if out := written(t, "text", &findings.Report{}); out != "" {
		t.Error(out)
	}
}

// TestTools reads checkstyle and rdjson.
func TestTools(t *testing.T) {
	r := report(`a = "日${b}"`, [2]int{8, 12})
	r.Findings[0].Fix = &findings.Fix{Edits: []findings.Edit{{Filename: "a\x1b.tf", Start: 16, End: 20, Text: "c"}}}
	r.Faults = []findings.ReadFailure{{Message: "not read"}}
	var doc struct {
		Version string `xml:"version,attr"`
		Files   []struct {
			Errors []struct {
				Line     string `xml:"line,attr"`
				Column   string `xml:"column,attr"`
				Severity string `xml:"severity,attr"`
				Source   string `xml:"source,attr"`
			} `xml:"error"`
		} `xml:"file"`
	}
	if err := xml.Unmarshal([]byte(written(t, "checkstyle", r)), &doc); err != nil || doc.Version != "4.3" || len(doc.Files) != 2 {
		t.Fatalf("%v, %+v", err, doc)
	}
	if e, f := doc.Files[0].Errors[0], doc.Files[1].Errors[0]; e.Line != "2" || e.Column != "9" || e.Source != "acme.r" || f.Line != "" || f.Source != "acme" || f.Severity != "error" {
		t.Errorf("%+v %+v", e, f)
	}
	type position struct{ Line, Column int }
	type span struct{ Start, End position }
	var rd struct {
		Source      struct{ Name string }
		Diagnostics []struct {
			Severity    string
			Location    struct{ Range *span }
			Suggestions []struct {
				Range span
				Text  string
			}
		}
	}
	if err := json.Unmarshal([]byte(written(t, "rdjson", r)), &rd); err != nil || rd.Source.Name != "acme" || len(rd.Diagnostics) != 2 || rd.Diagnostics[1].Location.Range != nil {
		t.Fatalf("%v, %+v", err, rd)
	}
	d := rd.Diagnostics[0]
	if want := (span{position{2, 9}, position{2, 13}}); d.Severity != "ERROR" || *d.Location.Range != want || len(d.Suggestions) != 1 || d.Suggestions[0].Range != want || d.Suggestions[0].Text != "c" {
		t.Errorf("%+v", d)
	}
}
