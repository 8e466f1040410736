// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package viewer

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/cmd/internal/testing/browsertest"
)

// pageFolder has the page while the tests run.
var pageFolder string

func TestMain(m *testing.M) {
	code := m.Run()
	if pageFolder != "" {
		os.RemoveAll(pageFolder)
	}
	os.Exit(code)
}

// thePage builds the page once for all tests.
var thePage = sync.OnceValues(func() (string, error) {
	b, err := build(context.Background())
	if err != nil {
		return "", err
	}
	if pageFolder, err = os.MkdirTemp("", "viewer"); err != nil {
		return "", err
	}
	name := filepath.Join(pageFolder, "viewer.html")
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
	for range 2400 {
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
	fault     = `(document.getElementById("fault").hidden ? "" : document.getElementById("fault").textContent)`
	title     = `(document.getElementById("document").hidden ? "" : document.getElementById("title").textContent)`
)

const recordings = "../../../../planjson/testdata/tofu-1.12.6/"

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

// Each kind of document is shown for what it is.
// A document that comes with the page is open at once.
func TestLoadedInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	b, err := build(context.Background())
	if err == nil {
		err = b.load([]string{recordings + "expressions/plan.2.json"}, new(planfile.Inputs), io.Discard)
	}
	if err != nil {
		t.Fatal(err)
	}
	x.Visit((&url.URL{Scheme: "file", Path: x.write("viewer.html", string(b.page))}).String(), 1280, "light")
	x.until(title + ` === "Plan: plan.2.json"`)
	x.until(addresses + `.includes("lab_blocks.static")`)
	x.noFaults()
}

func TestKindsInBrowser(t *testing.T) {
	x := openTab(t, 1280, "dark")
	x.open(recordings + "actions/state.json")
	if s := x.eval(title); s != "State: state.json" {
		t.Errorf("the title is %q, %s", s, x.eval(fault))
	}
	x.eval(`void document.getElementById("search").focus()`)
	x.Enter("sensitive value")
	x.until(`/ of /.test(document.getElementById("count").textContent)`)
	x.Click("#open-all")
	x.until(texts + `.includes("(sensitive value)")`)
	x.Shoot("state-dark", false)

	x.open("../../../../uijson/testdata/tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl")
	if s := x.eval(title); !strings.HasPrefix(s, "Messages of a run: ") {
		t.Errorf("the title is %q, %s", s, x.eval(fault))
	}
	x.Click("#tab-timeline")
	x.until(`document.querySelectorAll("#bars .row").length > 3`)
	end := x.eval(`document.getElementById("frame").textContent`)
	x.eval(`(() => { const e = document.getElementById("time"); e.value = 0; e.dispatchEvent(new Event("input")); })()`)
	x.until(`document.querySelectorAll("#bars .row.later").length > 1`)
	if start := x.eval(`document.getElementById("frame").textContent`); start == end || !strings.Contains(start, "Phase") {
		t.Errorf("the run begins as it ends: %q", start)
	}
	x.Click("#play")
	x.until(`Number(document.getElementById("time").value) > 0.2`)
	x.Click("#play")
	x.Shoot("timeline-dark", false)

	lock := x.write(".terraform.lock.hcl", "provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n}\n")
	x.open(lock)
	if s := x.eval(addresses); s != "registry.opentofu.org/a/b" {
		t.Errorf("the lock file shows %q", s)
	}
	x.eval(`void document.getElementById("paste").click()`)
	x.eval(`void document.getElementById("text").focus()`)
	x.Enter(`{"a":{"sensitive":false,"type":"string","value":"b"}}`)
	x.Click(`#pasted button[type="submit"]`)
	x.idle()
	if s := x.eval(title); s != "Outputs: pasted text" {
		t.Errorf("the title is %q, %s", s, x.eval(fault))
	}
	if n := x.Eval(`document.querySelectorAll("#opened .doc").length`); n != 4.0 {
		t.Errorf("%v documents are open", n)
	}
	x.noFaults()
}

// Two files that are dropped together are compared.
func TestCompareInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	files := ""
	for _, name := range []string{"state.json", "state.change.json"} {
		text, err := os.ReadFile(recordings + "actions/" + name)
		if err != nil {
			t.Fatal(err)
		}
		quoted, err := json.Marshal(string(text))
		if err != nil {
			t.Fatal(err)
		}
		files += fmt.Sprintf("dropped.items.add(new File([%s], %q));\n", quoted, name)
	}
	x.eval(`(() => {
		const dropped = new DataTransfer();
		` + files + `
		document.body.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: dropped }));
		if (document.getElementById("overlay").hidden) throw new Error("no note about dropping");
		if (document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: dropped }))) throw new Error("the browser opens it itself");
	})()`)
	x.until(title + ` === "Comparison: state.json and state.change.json"`)
	x.idle()
	if s := x.eval(addresses); s == "" {
		t.Error("there are no differences")
	}
	if x.Eval(`document.getElementById("overlay").hidden`) != true {
		t.Error("the note about dropping stays")
	}
	x.Shoot("compare-light", false)
	x.noFaults()
}

// The preview says what is hidden without saying it, and the file that is saved
// has none of it.
func TestRedactInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	const secret = "s3cr3t-value-of-a-token"
	x.open(x.write("plan.json", `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},
"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"token":"`+secret+`","copy":"x `+secret+` y","mine":"other-words"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"token":true}}}],"configuration":{}}`))
	x.Click("#tab-redact")
	x.eval(`void document.getElementById("secrets").focus()`)
	x.Enter("other-words")
	x.Click(`#redaction button[type="submit"]`)
	x.idle()
	x.until(`document.querySelectorAll("#hidden .row").length === 3`)
	if s := x.eval(`document.getElementById("hidden").textContent`); !strings.Contains(s, "/resource_changes/0/change/after/token") || !strings.Contains(s, "a.b") {
		t.Errorf("the preview says %q", s)
	}
	x.Shoot("redact-light", false)
	dir := t.TempDir()
	x.Must("Page.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": dir}, nil)
	x.Click("#save")
	var text []byte
	for range 100 {
		if text, _ = os.ReadFile(filepath.Join(dir, "plan.redacted.json")); len(text) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
		x.eval("1")
	}
	if s := string(text); !strings.Contains(s, `"copy":`) || strings.Contains(s, secret) || strings.Contains(s, "other-words") {
		t.Errorf("the file has %q", s)
	}
	if s := x.eval(`document.body.innerText`); strings.Contains(s, secret) {
		t.Error("the page shows the secret")
	}
	x.noFaults()
}

// The list is for the keyboard, chips and search narrow it, and the graph leads
// to it.
func TestListInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	x.open(recordings + "actions/plan.change.json")
	all := x.eval(`document.getElementById("count").textContent`)
	x.Click("#close-all")
	x.frames()
	x.eval(`void document.getElementById("list").focus()`)
	active := `document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant"))`
	position := func() string { x.frames(); return x.eval(active + `.id`) }
	x.Press("Home")
	if s := position(); s != "list-0" {
		t.Errorf("Home goes to %s", s)
	}
	x.Press("ArrowDown")
	if s := position(); s != "list-1" {
		t.Errorf("the arrow goes to %s", s)
	}
	x.Press("Enter")
	x.until(active + `.getAttribute("aria-expanded") === "true"`)
	x.Press("ArrowDown")
	if s := position(); s != "list-1-0" {
		t.Errorf("the arrow goes to %s", s)
	}
	x.until(active + `.textContent.includes("#")`)
	x.Press("ArrowLeft")
	x.Press("ArrowLeft")
	x.frames()
	if s := x.eval(active + `.getAttribute("aria-expanded")`); s != "false" {
		t.Errorf("after the arrow to the left, it is open: %s", s)
	}
	x.Press("End")
	if s := x.eval(`(async () => { await new Promise((d) => setTimeout(d, 200)); const e = ` + active + `; return e.getAttribute("aria-posinset") === e.getAttribute("aria-setsize"); })()`); s != "true" {
		t.Error("End does not go to the end")
	}

	kinds, _ := x.Eval(`[...document.querySelectorAll("#chips .chip")].map((e) => e.dataset.kind)`).([]any)
	if len(kinds) < 2 {
		t.Fatalf("the kinds are %v", kinds)
	}
	for _, kind := range kinds {
		chip := fmt.Sprintf(`#chips .chip[data-kind="%s"]`, kind)
		x.Click(chip)
		x.frames()
		if s := x.eval(`document.getElementById("count").textContent`); s == all || x.eval(`document.querySelector('`+chip+`').getAttribute("aria-pressed")`) != "false" {
			t.Errorf("without %s: %s", kind, s)
		}
		x.Click(chip)
	}
	x.eval(`void document.getElementById("search").focus()`)
	x.Enter("no such thing at all")
	x.until(`document.getElementById("count").textContent === "Nothing matches."`)
	x.Press("Escape")
	x.until(fmt.Sprintf(`document.getElementById("count").textContent === %q`, all))

	x.Click("#tab-graph")
	x.until(`document.querySelectorAll("#picture .node").length > 1`)
	x.Shoot("graph-light", false)
	x.eval(`void document.getElementById("find").focus()`)
	x.Enter("lab")
	x.until(`document.querySelectorAll("#found button").length > 0`)
	x.Click("#found button")
	x.until(`document.querySelectorAll("#near .node").length > 0`)
	node := x.eval(`document.querySelector("#picture .node").dataset.node`)
	x.Click("#picture .node")
	x.frames()
	if s := x.eval(`document.getElementById("only").textContent`); s != "Only "+node+" ×" {
		t.Errorf("the button says %q", s)
	}
	if s := x.eval(addresses); !strings.HasPrefix(s, node) {
		t.Errorf("the box shows %q, want %q", s, node)
	}
	x.noFaults()
}
