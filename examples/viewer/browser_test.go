// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/examples/internal/browsertest"
)

// thePage builds the page once for all tests.
var thePage = sync.OnceValues(func() (string, error) {
	b, err := build(context.Background())
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "viewer")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "viewer.html")
	return name, os.WriteFile(name, b.page, 0o600)
})

// A tab is the viewer in a browser.
type tab struct {
	*browsertest.Browser
	t *testing.T
}

// openTab opens the page from a file, as without a server.
func openTab(t *testing.T, width int, scheme string) *tab {
	t.Helper()
	b := browsertest.Open(t)
	name, err := thePage()
	if err != nil {
		t.Fatal(err)
	}
	x := &tab{b, t}
	b.Visit((&url.URL{Scheme: "file", Path: name}).String(), width, scheme)
	x.eval(`window.longest = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) window.longest = Math.max(window.longest, e.duration); }).observe({ type: "longtask" })`)
	return x
}

func (x *tab) eval(expression string) string {
	x.t.Helper()
	return fmt.Sprint(x.Eval(expression))
}

// open chooses files and waits until they are shown or refused.
func (x *tab) open(names ...string) {
	x.t.Helper()
	for i, name := range names {
		full, err := filepath.Abs(name)
		if err != nil {
			x.t.Fatal(err)
		}
		names[i] = full
	}
	var object struct{ Result struct{ ObjectID string } }
	x.Must("Runtime.evaluate", map[string]any{"expression": `document.getElementById("file")`}, &object)
	x.Must("DOM.setFileInputFiles", map[string]any{"files": names, "objectId": object.Result.ObjectID}, nil)
	x.idle()
}

// idle waits until nothing is read any more.
func (x *tab) idle() {
	x.t.Helper()
	time.Sleep(50 * time.Millisecond)
	for range 2400 {
		if x.Eval(`document.getElementById("progress").hidden`) == true {
			x.frames()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	x.t.Fatal("the page does not come to an end")
}

// frames waits until the page has drawn.
func (x *tab) frames() {
	x.t.Helper()
	x.Eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150))))`)
}

// until waits until an expression is true.
func (x *tab) until(expression string) {
	x.t.Helper()
	for range 200 {
		if x.Eval(expression) == true {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	x.t.Fatalf("%s does not become true", expression)
}

func (x *tab) write(name, text string) string {
	x.t.Helper()
	name = filepath.Join(x.t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
	return name
}

// noFaults fails for every exception, warning and request of the page.
func (x *tab) noFaults() {
	x.t.Helper()
	for _, f := range x.Faults {
		if !strings.Contains(f, "request of blob:") && !strings.Contains(f, "request of data:,") {
			x.t.Error(f)
		}
	}
}

const (
	addresses = `[...document.querySelectorAll("#list .row .address")].map((e) => e.textContent).join(" ")`
	texts     = `[...document.querySelectorAll("#list .text")].map((e) => e.textContent).join("\n")`
	fault     = `document.getElementById("fault").hidden ? "" : document.getElementById("fault").textContent`
	title     = `document.getElementById("document").hidden ? "" : document.getElementById("title").textContent`
)

const recordings = "../../planjson/testdata/tofu-1.12.6/"

func TestPlanInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	x.open(recordings + "expressions/plan.2.json")
	if s := x.eval(fault); s != "" {
		t.Fatal(s)
	}
	if s := x.eval(title); s != "Plan: plan.2.json" {
		t.Errorf("the title is %q", s)
	}
	if s := x.eval(addresses); !strings.Contains(s, "lab_blocks.static") {
		t.Errorf("rows: %s", s)
	}
	x.until(`document.querySelectorAll("#list .text").length > 3`)
	x.until(texts + `.includes("forces replacement")`)
	x.Shoot("plan-light", false)
	x.noFaults()
}

