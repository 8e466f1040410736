// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReport checks the page without a browser: pictures for all that the fleet
// has, nothing from elsewhere, and SVG that is well-formed.
func TestReport(t *testing.T) {
	status, page, stderr := fleet(t, "report", inventoryOf(t))
	if status != exitOK {
		t.Fatal(stderr)
	}
	for _, want := range []string{"Versions by provider", "aws_db_instance.main, delete: 123", "hashicorp/aws 5.10.0: 1", "2026-10-31, replace: 1", "default-src &#39;none&#39;", "2026-10-31, stream: 1"} {
		if !strings.Contains(page, want) && !strings.Contains(page, strings.ReplaceAll(want, "&#39;", "'")) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "http://", "https://", "<link", "<img", "not-for-the-inventory"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	if len(pictures) != 8 {
		t.Errorf("%d pictures", len(pictures))
	}
	for _, p := range pictures {
		for d := xml.NewDecoder(strings.NewReader(p)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, p)
			}
		}
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Error("the page has a number that is not a number")
	}
}

// TestReportHostile has names that try to break out of the page, and an empty
// inventory.
func TestReportHostile(t *testing.T) {
	t.Chdir(t.TempDir())
	state := `{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"</svg><script>alert(1)</script>","name":"b","provider_name":"\"><img src=x onerror=alert(1)>","schema_version":0,"values":{},"sensitive_values":{}}]}}}`
	for name, text := range map[string]string{"state.json": state, "empty.json": `{"format_version":"1.0"}`} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := fleet(t, "scan", "-out", name+".db", name); status != exitOK {
			t.Fatal(stderr)
		}
		status, page, stderr := fleet(t, "report", name+".db")
		if status != exitOK || strings.Contains(page, "<script") || strings.Contains(page, "<img") {
			t.Errorf("%s: %d %s\n%s", name, status, stderr, page)
		}
		if name == "empty.json" && strings.Count(page, "<svg") != 1 {
			t.Errorf("an inventory of one empty state has %d pictures", strings.Count(page, "<svg"))
		}
	}
}
