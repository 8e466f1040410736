// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"testing"

	"github.com/tofuwire/tofuwire/cmd/internal/testing/browsertest"
)

// TestReportInBrowser opens the page in Chromium, wide and narrow, light and dark.
func TestReportInBrowser(t *testing.T) {
	b := browsertest.Open(t)
	_, text, stderr := fleet(t, "report", inventoryOf(t))
	if stderr != "" {
		t.Fatal(stderr)
	}
	for _, view := range []struct {
		name, scheme string
		width        int
	}{{"fleet-wide-light", "light", 1280}, {"fleet-wide-dark", "dark", 1280}, {"fleet-narrow-light", "light", 390}} {
		b.Open(text, view.width, view.scheme)
		if wide := b.Eval(`document.documentElement.scrollWidth - innerWidth`); wide.(float64) > 0 {
			t.Errorf("%s: the page is %v wider than the window", view.name, wide)
		}
		if n := b.Eval(`[...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().height > 20).length`); n != 8.0 {
			t.Errorf("%s: %v pictures are seen", view.name, n)
		}
		if n := b.Eval(`[...document.querySelectorAll("svg rect")].filter(r => getComputedStyle(r).fill === "rgb(0, 0, 0)").length`); n != 0.0 {
			t.Errorf("%s: %v bars have no colour", view.name, n)
		}
		b.Shoot(view.name, true)
	}
	b.Click("summary")
	if open := b.Eval(`document.querySelector("details").open && document.querySelector("table").offsetHeight > 0`); open != true {
		t.Error("the numbers do not open")
	}
	for _, fault := range b.Faults {
		t.Error(fault)
	}
}
