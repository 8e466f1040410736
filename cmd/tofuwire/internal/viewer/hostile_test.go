// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package viewer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// evil is text that would do something if it became a part of the page.
const evil = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><svg onload=window.hacked=3>'"` + "\u202e"

// No text of a document becomes a part of the page.
func TestHostileNamesInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	q := string(quoted)
	address, err := json.Marshal(fmt.Sprintf("a.b[%s]", q))
	if err != nil {
		t.Fatal(err)
	}
	plan := `{"format_version":"1.2","terraform_version":` + q + `,"timestamp":` + q + `,"planned_values":{"root_module":{}},"resource_changes":[{"address":` + string(address) + `,"mode":"managed","type":` + q + `,"name":` + q + `,"index":` + q + `,"provider_name":` + q +
		`,"action_reason":` + q + `,"change":{"actions":["create"],"before":null,"after":{` + q + `:` + q + `},"after_unknown":{},"before_sensitive":false,"after_sensitive":{` + q + `:false}}}],"output_changes":{` + q + `:{"actions":["create"],"before":null,"after":` + q + `,"after_unknown":false,"before_sensitive":false,"after_sensitive":false}},
"checks":[{"address":{"kind":"check","name":"c","to_display":` + q + `},"status":"fail","instances":[{"address":{"to_display":` + q + `},"status":"fail","problems":[{"message":` + q + `}]}]}],"configuration":{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"p","schema_version":0,"expressions":{}}]}}}`
	messages := ""
	for _, m := range []string{
		`{"@level":"info","@message":` + q + `,"@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00Z","type":"version","tofu":` + q + `,"ui":"1.2"}`,
		`{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:01Z","type":"apply_start","hook":{"action":"create","resource":{"addr":` + string(address) + `,"module":"","resource":"a.b","implied_provider":"a","resource_type":"a","resource_name":"b","resource_key":null}}}`,
		`{"@level":"error","@message":"e","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:02Z","type":"diagnostic","diagnostic":{"severity":"error","summary":` + q + `,"detail":` + q + `,"address":` + string(address) + `}}`,
	} {
		messages += m + "\n"
	}
	for _, document := range []struct{ name, text string }{
		{"plan.json", plan},
		{"run.jsonl", messages},
		{"<img src=x onerror=window.hacked=4>.json", `{"format_version":"1.0"}`},
		{".terraform.lock.hcl", "provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n}\n# " + evil + "\n"},
		{"outputs.json", `{` + q + `:{"sensitive":false,"type":"string","value":` + q + `}}`},
		{"broken.json", `{"format_version":"1.2","planned_values":{` + q + `: ` + evil + `}}`},
	} {
		x.open(x.write(document.name, document.text))
		if s := x.eval(fault); (s != "") != (document.name == "broken.json") {
			t.Errorf("%s: %s", document.name, s)
		}
		for _, view := range []string{"graph", "timeline", "redact"} {
			if x.Eval(`!document.getElementById("document").hidden && !!document.getElementById("tab-`+view+`")`) != true {
				continue
			}
			x.Click("#tab-" + view)
			x.frames()
			if view == "redact" {
				x.Click(`#redaction button[type="submit"]`)
				x.idle()
			}
			if view == "graph" {
				x.eval(`void document.getElementById("find").focus()`)
				x.Enter("a")
				x.until(`document.querySelectorAll("#found button").length > 0`)
				x.Click("#found button")
				x.until(`document.querySelectorAll("#near .node").length > 0`)
			}
		}
		x.eval(`void document.getElementById("tab-changes")?.click()`)
		x.eval(`void document.getElementById("open-all").click()`)
		x.frames()
		if s := x.eval(`String(window.hacked) + document.querySelectorAll("img, iframe, object, embed, [onload], [onerror], svg svg").length`); s != "undefined0" {
			t.Errorf("%s has got into the page: %s", document.name, s)
		}
		if n := x.Eval(`document.querySelectorAll("script:not([type])").length`); n != 1.0 {
			t.Errorf("%s: %v scripts", document.name, n)
		}
	}
	x.noFaults()
}

// What cannot be shown says why, and the page goes on.
func TestFaultsInBrowser(t *testing.T) {
	x := openTab(t, 390, "dark")
	for _, row := range []struct{ name, text, want string }{
		{"empty.json", "", "empty.json: the file is empty"},
		{"broken.json", "{\n  \"format_version\": \"1.2\",\n  \"planned_values\": {\"a\": tru }\n}", "line 3, column"},
		{"picture.png", "\x89PNG\r\n\x1a\n\x00\x00", "this is not a document of OpenTofu"},
		{"package.json", `{"name":"x"}`, "none of the documents"},
		{"terraform.tfstate", `{"serial":1,"lineage":"x","meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"AAAA","encryption_version":"v0"}`, "OpenTofu has encrypted"},
		{"deep.json", `{"format_version":"1.2","planned_values":` + strings.Repeat("[", 100_000), "deep"},
		{".terraform.lock.hcl", "a = " + strings.Repeat("[", 100_000), "nest"},
	} {
		x.open(x.write(row.name, row.text))
		if s := x.eval(fault); !strings.Contains(s, row.want) {
			t.Errorf("%s: %q, want %q", row.name, s, row.want)
		}
		if row.name == "broken.json" {
			if s := x.eval(`document.querySelector("#fault pre").textContent`); !strings.Contains(s, `"planned_values"`) {
				t.Errorf("the place is %q", s)
			}
		}
	}
	if wide := x.Eval(`document.documentElement.scrollWidth - innerWidth`).(float64); wide > 0 {
		t.Errorf("the page is %v wider than the window", wide)
	}
	x.Shoot("fault-narrow-dark", false)
	x.open(recordings + "expressions/plan.2.json")
	if s := x.eval(fault) + x.eval(title); s != "Plan: plan.2.json" {
		t.Errorf("afterwards: %s", s)
	}
	if wide := x.Eval(`document.documentElement.scrollWidth - innerWidth`).(float64); wide > 0 {
		t.Errorf("the page is %v wider than the window", wide)
	}
	x.Shoot("plan-narrow-dark", false)
	x.noFaults()
}

// Everything that can be used has a name for screen readers.
func TestNamesInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	x.Must("Accessibility.enable", nil, nil)
	x.open(recordings + "actions/plan.change.json")
	for _, view := range []string{"changes", "graph", "redact"} {
		x.Click("#tab-" + view)
		x.frames()
		var tree struct {
			Nodes []struct {
				Ignored    bool
				Role, Name struct{ Value any }
				Properties []struct {
					Name  string
					Value struct{ Value any }
				}
			}
		}
		x.Must("Accessibility.getFullAXTree", nil, &tree)
		count := 0
		for _, n := range tree.Nodes {
			focusable := false
			for _, p := range n.Properties {
				focusable = focusable || p.Name == "focusable" && p.Value.Value == true
			}
			role := fmt.Sprint(n.Role.Value)
			if n.Ignored || !focusable && role != "treeitem" || role == "RootWebArea" {
				continue
			}
			count++
			if name, _ := n.Name.Value.(string); strings.TrimSpace(name) == "" {
				t.Errorf("%s: a %s has no name", view, role)
			}
		}
		if count < 8 {
			t.Errorf("%s: only %d things can be used", view, count)
		}
	}
	// Printing writes the rows out.
	x.Click("#tab-changes")
	x.Click("#open-all")
	x.frames()
	x.Must("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	x.eval(`window.dispatchEvent(new Event("beforeprint"))`)
	if s := x.eval(`document.body.innerText`); !strings.Contains(s, "lab_") || strings.Contains(s, "Choose files") {
		t.Errorf("on paper: %s", s)
	}
	x.Shoot("print", false)
	x.noFaults()
}

// The page asks for nothing and may not: neither its text nor its policy, as a
// server sends it.
func TestPageIsAlone(t *testing.T) {
	depth.NeedFull(t, "the program is compiled")
	b, err := build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?s)<script type="text/plain" id="wasm">.*?</script>`).ReplaceAllString(string(b.page), "")
	outside := regexp.MustCompile(`(?i)<(link rel="(?:style|pre)|img|iframe|script src|object|embed)|@import|(?-i:url)\((?:[^#]|$)| src=|\bfetch\(|XMLHttp|WebSocket|EventSource|sendBeacon|innerHTML|insertAdjacent|document\.write|\beval\(|new Function|\{\{`)
	if found := outside.FindString(text); found != "" {
		t.Errorf("the page has %q", found)
	}
	for _, want := range []string{"default-src 'none'", "connect-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "require-trusted-types-for 'script'"} {
		if !strings.Contains(text, want) {
			t.Errorf("the policy has no %q", want)
		}
	}
	if strings.Contains(b.policy, "unsafe-inline") {
		t.Errorf("the policy is %s", b.policy)
	}
	ctx, stop := context.WithCancel(context.Background())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- serve(ctx, listener, b) }()
	resp, err := http.Get("http://" + listener.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(bufio.NewReader(resp.Body))
	resp.Body.Close()
	if err != nil || string(body) != string(b.page) || !strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), b.policy) {
		t.Errorf("%v, %v", resp.Header, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	t.Logf("program: %d bytes, %d compressed; page: %d bytes", b.raw, b.packed, len(b.page))
}

func TestCommandLine(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-listen", "0.0.0.0:0"}, {"-listen", ":80"}, {"-listen", "example.com:80"}, {"-listen", "x"}, {"-nothing"}} {
		if status := Run(args, nil, io.Discard, io.Discard); status != 2 {
			t.Errorf("%q is taken: %d", args, status)
		}
	}
	t.Setenv("PATH", t.TempDir())
	err := run(context.Background(), &options{out: filepath.Join(t.TempDir(), "x.html")}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "go command") {
		t.Errorf("without a go command: %v", err)
	}
	if _, err := os.Stat("x.html"); err == nil {
		t.Error("a file is written")
	}
}

// TestReadPage reads a page as the archives of releases have it, with its policy.
func TestReadPage(t *testing.T) {
	b, err := assemble([]byte("program"), []byte("glue"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "viewer.html")
	if got, err := readPage(name); got != nil || err != nil {
		t.Errorf("without a file: %v, %v", got, err)
	}
	if err := os.WriteFile(name, b.page, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := readPage(name); err != nil || string(got.page) != string(b.page) || got.policy != b.policy {
		t.Errorf("%v, %v", got, err)
	}
	// Documents that come with the page cannot become part of it, whatever they and their names hold.
	document := filepath.Join(t.TempDir(), `"><script>x<.json`)
	if err := os.WriteFile(document, []byte("</script><!--loaded-->"), 0o666); err != nil {
		t.Skip("needs a system that has such names:", err)
	}
	if err := b.load([]string{document, document}, new(planfile.Inputs), io.Discard); err != nil {
		t.Fatal(err)
	}
	const want = `<script type="text/plain" class="loaded" data-name="&#34;&gt;&lt;script&gt;x&lt;.json">PC9zY3JpcHQ+PCEtLWxvYWRlZC0tPg==</script>` + "\n"
	if strings.Count(string(b.page), want+want+loadedMark) != 1 {
		t.Errorf("the page has not the documents:\n%s", b.page)
	}
	if err := b.load([]string{document + "x"}, new(planfile.Inputs), io.Discard); err == nil {
		t.Error("a document that is not there is loaded")
	}
	if err := (&built{page: []byte("<html>")}).load([]string{document}, new(planfile.Inputs), io.Discard); err == nil {
		t.Error("another page is taken")
	}
	if err := os.WriteFile(name, []byte("<html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readPage(name); err == nil {
		t.Error("another page is taken")
	}
}

// Values that are nested more deeply than any real one are shown. Those that are
// too much for the stack of the worker are refused before that, and what is open
// stays open.
func TestDeepValuesInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	x.open(recordings + "expressions/plan.2.json")
	for _, depth := range []int{100, 490, 500, 990, 9900} {
		for _, ends := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			value := strings.Repeat(ends[0], depth) + "1" + strings.Repeat(ends[1], depth)
			plan := `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["update"],"before":{"x":` + value + `},"after":{"x":[` + value + `],"y":` + value + `},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}],"configuration":{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"p","schema_version":0,"expressions":{"x":{"constant_value":` + value + `}}}]}}}`
			before := x.Eval(`document.querySelectorAll("#opened .doc").length`).(float64)
			x.open(x.write("deep.json", plan))
			s, opened := x.eval(fault+"+"+title), x.Eval(`document.querySelectorAll("#opened .doc").length`)
			if depth >= 500 {
				if !strings.Contains(s, "more than 500 levels deep") || opened != before {
					t.Fatalf("%d of %s: %s; %v documents are open", depth, ends[0], s, opened)
				}
				continue
			}
			if s != "Plan: deep.json" || opened != before+1 {
				t.Fatalf("%d of %s: %s; %v documents are open", depth, ends[0], s, opened)
			}
			x.Click("#tab-graph")
			x.until(`document.querySelectorAll("#picture .node").length === 1`)
			x.Click("#tab-redact")
			x.Click(`#redaction button[type="submit"]`)
			x.idle()
			x.until(`!document.getElementById("save").hidden`)
			if s := x.eval(fault); s != "" {
				t.Fatalf("%d of %s: %s", depth, ends[0], s)
			}
		}
	}
	x.noFaults()
}

// If the worker ends, as when it runs out of memory, the page says so, closes what
// was open, and goes on with another worker.
func TestWorkerEndsInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	x.Must("Page.enable", nil, nil)
	x.Must("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `window.Worker = class extends Worker {
		postMessage(message, ...rest) {
			if (!window.ends || !message.method) return super.postMessage(message, ...rest);
			window.ends = false;
			setTimeout(() => this.onmessage({ data: { dead: "out of memory" } }));
		}
	}`}, nil)
	x.Must("Page.reload", nil, nil)
	time.Sleep(200 * time.Millisecond)
	x.until(`document.readyState === "complete"`)
	opened := func() any { return x.Eval(`document.querySelectorAll("#opened .doc").length`) }
	for range 2 {
		x.open(recordings + "expressions/plan.2.json")
		if s := x.eval(fault + "+" + title); s != "Plan: plan.2.json" || opened() != 1.0 {
			t.Fatalf("%s; %v documents are open", s, opened())
		}
		x.eval(`window.ends = true`)
		x.open(recordings + "actions/plan.change.json")
		if s := x.eval(fault); !strings.Contains(s, "plan.change.json: The document is too much for this page: out of memory") || opened() != 0.0 {
			t.Fatalf("%s; %v documents are open", s, opened())
		}
	}
	x.noFaults()
}
