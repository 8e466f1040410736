// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/planjson"
)

// A browser is a headless Chromium that is told what to do through a pipe, by
// the DevTools protocol: messages in JSON, each with a zero byte at its end.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	id      int
	faults  []string // exceptions, warnings and requests of the page
}

// openBrowser starts the browser, or skips the test if there is none.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a run without -short: a browser takes seconds")
	}
	var name string
	for _, candidate := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(candidate); err == nil {
			name = path
			break
		}
	}
	if name == "" {
		t.Skip("needs Chromium on PATH")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	toR, toW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, name, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	c.ExtraFiles = []*os.File{toR, fromW} // 3 and 4
	if err := c.Start(); err != nil {
		t.Skip("needs a Chromium that can be started:", err)
	}
	toR.Close()
	fromW.Close()
	b := &browser{t: t, in: toW, out: bufio.NewReader(fromR)}
	t.Cleanup(func() {
		b.call("Browser.close", nil, nil)
		c.Wait()
		toW.Close()
		fromR.Close()
	})
	var target struct{ TargetID string }
	switch err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); {
	case errors.Is(err, io.EOF): // it has ended already
		t.Skip("needs a Chromium that runs here")
	case err != nil:
		t.Fatal(err)
	}
	var attached struct{ SessionID string }
	b.must("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.must(domain+".enable", nil, nil)
	}
	return b
}

// call calls a method and stores its result. What the page reports meanwhile
// is looked at for faults.
func (b *browser) call(method string, params map[string]any, result any) error {
	b.id++
	message := map[string]any{"id": b.id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		return err
	}
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			return err
		}
		var answer struct {
			ID     int
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &answer); err != nil {
			return err
		}
		switch answer.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			b.faults = append(b.faults, answer.Method+string(answer.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			json.Unmarshal(answer.Params, &p)
			if !strings.HasPrefix(p.Request.URL, "file:") && p.Request.URL != "about:blank" {
				b.faults = append(b.faults, "request of "+p.Request.URL)
			}
		}
		if answer.ID != b.id {
			continue
		}
		if answer.Error != nil {
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(answer.Result, result)
	}
}

func (b *browser) must(method string, params map[string]any, result any) {
	b.t.Helper()
	if err := b.call(method, params, result); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression in the page.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Text string }
	}
	b.must("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Text)
	}
	return r.Result.Value
}

// open shows a page in a window of a size, light or dark.
func (b *browser) open(page string, width int, scheme string) {
	b.t.Helper()
	name := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.must("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.must("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.must("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: name}).String()}, nil)
	for range 600 {
		if b.eval("document.readyState") == "complete" && b.eval("location.protocol") == "file:" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatal("the page does not load")
}

// click clicks on the middle of what a selector finds, as a mouse does.
func (b *browser) click(selector string) {
	b.t.Helper()
	at, _ := b.eval(fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		if (!e) return null;
		e.scrollIntoView({ block: "center", inline: "center" });
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, selector)).([]any)
	if len(at) != 2 {
		b.t.Fatalf("there is no %s", selector)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.must("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// press presses a key.
func (b *browser) press(key string) {
	b.t.Helper()
	code := map[string]int{"Enter": 13, "Tab": 9, "Escape": 27}[key]
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.must("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
	}
}

// enter writes text into the field that has the focus, in place of what it has.
func (b *browser) enter(text string) {
	b.t.Helper()
	b.eval("document.activeElement.select()")
	b.must("Input.insertText", map[string]any{"text": text}, nil)
}

// shown returns the addresses of the changes that are to be seen.
func (b *browser) shown() string {
	b.t.Helper()
	s, _ := b.eval(`[...document.querySelectorAll("#changes > details")].filter((d) => d.offsetHeight > 0).map((d) => d.dataset.address).join(" ")`).(string)
	return s
}

// shoot keeps a picture of the page if the variable PLANREPORT_SHOTS names a
// folder for it.
func (b *browser) shoot(name string, whole bool) {
	b.t.Helper()
	folder := os.Getenv("PLANREPORT_SHOTS")
	if folder == "" {
		return
	}
	var r struct{ Data string }
	b.must("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &r)
	png, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

const (
	evilKey  = "</script><script>window.hacked=1</script>\"'\n\u202e&<img src=x onerror=hacked()>"
	evilText = "<svg onload=\"window.hacked=2\">\u2028'\"</pre></details>"
)

// browserPlan has a change of every class, a graph, and hostile names.
func browserPlan(t *testing.T) string {
	t.Helper()
	p := &planjson.Plan{FormatVersion: "1.2", TerraformVersion: "<1.12.6>", Timestamp: "2026-01-01T00:00:00Z", Errored: true}
	add := func(address, typ, name string, before, after any, actions ...planjson.Action) *planjson.ResourceChange {
		rc := &planjson.ResourceChange{Address: address, Mode: "managed", Type: typ, Name: name, ProviderName: "p", Change: planjson.Change{Actions: actions, AfterUnknown: planjson.Value("{}")}}
		for _, x := range []struct {
			to *planjson.Value
			v  any
		}{{&rc.Change.Before, before}, {&rc.Change.After, after}} {
			v, err := planjson.ValueOf(x.v)
			if err != nil {
				t.Fatal(err)
			}
			*x.to = v
		}
		p.ResourceChanges = append(p.ResourceChanges, rc)
		return rc
	}
	type object = map[string]any
	text := strings.Repeat("a long line of text ", 12)
	add("aws_network.main", "aws_network", "main", nil, object{"cidr": "10.0.0.0/16", "note": text}, planjson.ActionCreate)
	add(fmt.Sprintf("aws_subnet.each[%q]", evilKey), "aws_subnet", "each", object{"id": "s-1", "zone": "a", "tags": object{"Env": "prod"}}, object{"id": "s-1", "zone": "b", "tags": object{"Env": "prod", evilText: evilKey}}, planjson.ActionUpdate)
	add(`aws_subnet.each["plain"]`, "aws_subnet", "each", object{"id": "s-2", "zone": "a"}, object{"id": "s-2", "zone": "c"}, planjson.ActionUpdate)
	replaced := add("module.web.aws_instance.web[0]", "aws_instance", "web", object{"ami": "ami-1", "policy": `{"a":[1,2]}`, "script": "#!/bin/sh\necho one\necho two\n"}, object{"ami": "ami-2", "policy": `{"a":[1,3]}`, "script": "#!/bin/sh\necho one\necho 2\n"}, planjson.ActionDelete, planjson.ActionCreate)
	replaced.Change.ReplacePaths = []planjson.Value{planjson.Value(`["ami"]`)}
	add("aws_db.old", "aws_db", "old", object{"name": "old", "size": 5}, nil, planjson.ActionDelete)
	add("data.aws_ami.latest", "aws_ami", "latest", nil, object{"filter": "x"}, planjson.ActionRead).Mode = "data"
	add("aws_db.forgotten", "aws_db", "forgotten", object{"name": "kept", "size": 5}, nil, planjson.ActionForget)
	add("aws_db.moved", "aws_db", "moved", object{"name": "m"}, object{"name": "m"}, planjson.ActionNoOp).PreviousAddress = "aws_db.before"
	add("aws_db.imported", "aws_db", "imported", object{"name": "i"}, object{"name": "i"}, planjson.ActionNoOp).Change.Importing = &planjson.Importing{ID: "i-1"}
	drift := *p.ResourceChanges[2]
	p.ResourceDrift = []*planjson.ResourceChange{&drift}
	p.OutputChanges = map[string]*planjson.Change{evilText: {Actions: planjson.Actions{planjson.ActionCreate}, After: planjson.Value(`"x"`)}}
	p.ActionInvocations = []*planjson.ActionInvocation{{Address: "action.run.hook", Type: "run", Name: "hook", ConfigValues: planjson.Value(`{"cmd":"ls"}`)}}
	p.Checks = []*planjson.Check{{Status: "fail", Instances: []*planjson.CheckInstance{{Status: "fail", Address: planjson.CheckInstanceAddress{ToDisplay: "check." + evilKey}, Problems: []*planjson.CheckProblem{{Message: evilText}}}}}}
	refers := func(list ...string) map[string]*planjson.Expression {
		return map[string]*planjson.Expression{"x": {References: list}}
	}
	resource := func(address string, refs ...string) *planjson.ResourceConfig {
		typ, name, _ := strings.Cut(strings.TrimPrefix(address, "data."), ".")
		r := &planjson.ResourceConfig{Address: address, Mode: "managed", Type: typ, Name: name, Expressions: refers(refs...)}
		if strings.HasPrefix(address, "data.") {
			r.Mode = "data"
		}
		return r
	}
	p.Configuration.RootModule = planjson.ModuleConfig{
		Resources: []*planjson.ResourceConfig{
			resource("aws_network.main"), resource("aws_subnet.each", "aws_network.main.id", "aws_network.main"), resource("aws_db.old"), resource("aws_db.forgotten"),
			resource("aws_db.moved", "aws_subnet.each"), resource("aws_db.imported", "aws_subnet.each"), resource("data.aws_ami.latest"),
		},
		ModuleCalls: map[string]*planjson.ModuleCall{"web": {Source: "./web", Expressions: map[string]*planjson.Expression{"subnet": {References: []string{"aws_subnet.each"}}, "ami": {References: []string{"data.aws_ami.latest.id", "data.aws_ami.latest"}}},
			Module: &planjson.ModuleConfig{Resources: []*planjson.ResourceConfig{resource("aws_instance.web", "var.subnet", "var.ami")}, Variables: map[string]*planjson.VariableConfig{"subnet": {}, "ami": {}}}}},
	}
	src, err := planjson.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return report(t, string(src), "-format", "html")
}

// The page works in a browser: the filter, the chips and the graph do what they
// say, nothing is loaded, and no name in the plan becomes part of the page.
func TestPageInBrowser(t *testing.T) {
	b := openBrowser(t)
	page := browserPlan(t)
	b.open(page, 1280, "light")
	if n := b.eval(`document.scripts.length`); n != 1.0 {
		t.Errorf("%v scripts", n)
	}
	if x := b.eval(`String(window.hacked) + document.querySelectorAll("img, svg svg, [onload], [onerror]").length`); x != "undefined0" {
		t.Errorf("the plan has got into the page: %v", x)
	}
	all := b.shown()
	if n := len(strings.Split(all, "aws_")) - 1; n != 10 {
		t.Errorf("%d changes are shown: %s", n, all)
	}
	b.shoot("wide-light", true)

	// Chips.
	for class, gone := range map[string]string{"delete": "aws_db.old", "update": "aws_subnet.each", "replace": "module.web.aws_instance.web[0]", "action": "action.run.hook", "output": "output.", "forget": "aws_db.forgotten", "move": "aws_db.moved", "import": "aws_db.imported"} {
		b.click(`.chip[data-class="` + class + `"]`)
		now := b.shown()
		if strings.Count(now, gone) >= strings.Count(all, gone) {
			t.Errorf("%s is still shown without %s: %s", gone, class, now)
		}
		if b.eval(`document.querySelector('.chip[data-class="`+class+`"]').getAttribute("aria-pressed")`) != "false" {
			t.Errorf("the chip %s is not off", class)
		}
		b.click(`.chip[data-class="` + class + `"]`)
		if b.shown() != all {
			t.Errorf("after %s not all is shown again", class)
		}
	}
	b.click(`.chip[data-class="drift"]`)
	if now := b.shown(); strings.Count(now, `each["plain"]`) != 1 {
		t.Errorf("drift is not told from the plan: %s", now)
	}
	b.click(`.chip[data-class="drift"]`)

	// The filter.
	b.click("#search")
	for _, row := range []struct{ words, want string }{
		{"ami-2", "module.web.aws_instance.web[0]"},
		{"INSTANCE ami-1", "module.web.aws_instance.web[0]"},
		{"hook", "action.run.hook"},
		{"instance subnet", ""},
		{"aws_db.old", "aws_db.old"},
	} {
		b.enter(row.words)
		if now := b.shown(); now != row.want {
			t.Errorf("%q shows %q, want %q", row.words, now, row.want)
		}
		if hidden := b.eval(`document.getElementById("none").hidden`); hidden != (row.want != "") {
			t.Errorf("%q: the note about nothing is hidden: %v", row.words, hidden)
		}
	}
	b.shoot("filtered", false)
	b.enter("")
	b.eval(`document.getElementById("search").dispatchEvent(new Event("input"))`)
	if b.shown() != all {
		t.Error("an empty filter does not show all")
	}

	// All of them.
	b.click("#close")
	if n := b.eval(`document.querySelectorAll("#changes > details[open]").length`); n != 0.0 {
		t.Errorf("%v are open", n)
	}
	b.click("#open")
	if n := b.eval(`document.querySelectorAll("#changes > details:not([open])").length`); n != 0.0 {
		t.Errorf("%v are closed", n)
	}
	b.click("#changes > details > summary")
	if open := b.eval(`document.querySelector("#changes > details").open`); open != false {
		t.Error("a change does not close")
	}

	// The graph: a click on a box shows its changes, another one all.
	b.click(`.node[data-node="aws_subnet.each"]`)
	if now := b.shown(); strings.Count(now, "aws_subnet.each[") != 3 || strings.Contains(now, "aws_db") || strings.Contains(now, "aws_network") {
		t.Errorf("the box shows %q", now)
	}
	if n := b.eval(`document.querySelectorAll(".node.near").length`); n != 5.0 {
		t.Errorf("%v boxes are near", n)
	}
	b.shoot("picked", false)
	b.click(`.node[data-node="aws_subnet.each"]`)
	if b.shown() != all {
		t.Errorf("not all is shown again: %s", b.shown())
	}
	b.click(`.node[data-node="module.web.aws_instance.web"]`)
	if now := b.shown(); now != "module.web.aws_instance.web[0]" {
		t.Errorf("the box shows %q", now)
	}
	if text := b.eval(`document.getElementById("only").textContent`); text != "Only module.web.aws_instance.web ×" {
		t.Errorf("the button says %q", text)
	}
	b.click("#only")
	if b.shown() != all || b.eval(`document.getElementById("only").offsetHeight`) != 0.0 {
		t.Errorf("not all is shown again: %s", b.shown())
	}
	b.eval(`document.querySelector('.node[data-node="aws_db.old"]').focus()`)
	b.press("Enter")
	if now := b.shown(); now != "aws_db.old" {
		t.Errorf("Enter shows %q", now)
	}
	b.press("Escape")
	if b.shown() != all {
		t.Errorf("Escape does not show all again: %s", b.shown())
	}

	// Narrow and dark; nothing is wider than the window.
	for _, view := range []struct {
		name, scheme string
		width        int
	}{{"wide-dark", "dark", 1280}, {"narrow-light", "light", 390}, {"narrow-dark", "dark", 390}} {
		b.open(page, view.width, view.scheme)
		if wide := b.eval(`document.documentElement.scrollWidth - innerWidth`); wide.(float64) > 0 {
			t.Errorf("%s: the page is %v wider than the window", view.name, wide)
		}
		if b.shown() != all {
			t.Errorf("%s: not all is shown", view.name)
		}
		b.shoot(view.name, true)
	}
	for _, fault := range b.faults {
		t.Error(fault)
	}
}

// A plan of 5,000 instances, each of which refers to all of another block: the
// search answers at once, and what is drawn stays small.
func TestManyInstancesInBrowser(t *testing.T) {
	b := openBrowser(t)
	b.open(report(t, string(manyInstances(5000)), "-format", "html"), 1280, "light")
	if ms, _ := b.eval(`performance.getEntriesByType("navigation")[0].domComplete`).(float64); ms <= 0 || ms > 10_000 {
		t.Errorf("the page takes %v ms to open", ms)
	}
	for _, row := range []struct {
		words string
		found float64
	}{{"x.b[4", 30}, {`x.b[2499]`, 1}, {"nothing", 0}} {
		took := b.eval(fmt.Sprintf(`(() => {
			const find = document.getElementById("find");
			const start = performance.now();
			find.value = %q;
			find.dispatchEvent(new Event("input"));
			return performance.now() - start;
		})()`, row.words))
		if ms, _ := took.(float64); ms > 500 { // some milliseconds, if the machine does nothing else
			t.Errorf("%q takes %v ms", row.words, took)
		}
		if n := b.eval(`document.querySelectorAll("#found button").length`); n != row.found {
			t.Errorf("%q finds %v", row.words, n)
		}
	}
	b.eval(`(() => { const find = document.getElementById("find"); find.value = "x.b[7]"; find.dispatchEvent(new Event("input")); })()`)
	b.click("#found button")
	if n := b.eval(`document.querySelectorAll("#near .node").length`); n != 61.0 {
		t.Errorf("%v boxes", n)
	}
	if text := b.eval(`document.querySelector("#near").textContent.includes("and 2440 more")`); text != true {
		t.Error("it does not say how many there are")
	}
	b.click(`#near .node`)
	if n := b.eval(`document.querySelectorAll("#near .node").length`); n != 61.0 {
		t.Errorf("%v boxes", n)
	}
	for _, fault := range b.faults {
		t.Error(fault)
	}
}
