// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Package browsertest drives a headless Chromium in tests of pages.
package browsertest

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

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// A Browser is a headless Chromium that is told what to do through a pipe, by
// the DevTools protocol: messages in JSON, each with a zero byte at its end.
type Browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	id      int
	Faults  []string // exceptions, warnings and requests of the page
}

// Open starts the browser that TOFUWIRE_BROWSER names, a Chromium, or skips the test.
func Open(t *testing.T) *Browser {
	t.Helper()
	name := depth.Tool(t, "browser")
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
	b := &Browser{t: t, in: toW, out: bufio.NewReader(fromR)}
	t.Cleanup(func() {
		b.Call("Browser.close", nil, nil)
		c.Wait()
		toW.Close()
		fromR.Close()
	})
	var target struct{ TargetID string }
	switch err := b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); {
	case errors.Is(err, io.EOF): // it has ended already
		t.Skip("needs a Chromium that runs here")
	case err != nil:
		t.Fatal(err)
	}
	var attached struct{ SessionID string }
	b.Must("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Must(domain+".enable", nil, nil)
	}
	return b
}

// Call calls a method and stores its result. What the page reports meanwhile
// is looked at for faults.
func (b *Browser) Call(method string, params map[string]any, result any) error {
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
			b.Faults = append(b.Faults, answer.Method+string(answer.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			json.Unmarshal(answer.Params, &p)
			if !strings.HasPrefix(p.Request.URL, "file:") && p.Request.URL != "about:blank" {
				b.Faults = append(b.Faults, "request of "+p.Request.URL)
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

func (b *Browser) Must(method string, params map[string]any, result any) {
	b.t.Helper()
	if err := b.Call(method, params, result); err != nil {
		b.t.Fatal(err)
	}
}

// Eval returns the value of an expression in the page. If it is a promise, Eval
// waits for it.
func (b *Browser) Eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.Must("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if e := r.ExceptionDetails; e != nil {
		b.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	return r.Result.Value
}

// Open shows a page in a window of a size, light or dark.
func (b *Browser) Open(page string, width int, scheme string) {
	b.t.Helper()
	name := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.Visit((&url.URL{Scheme: "file", Path: name}).String(), width, scheme)
}

// Visit opens an address in a window of a size, light or dark.
func (b *Browser) Visit(address string, width int, scheme string) {
	b.t.Helper()
	b.Must("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.Must("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.Must("Page.navigate", map[string]any{"url": address}, nil)
	for range 600 {
		if b.Eval("document.readyState") == "complete" && b.Eval("location.href") == address {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatal("the page does not load")
}

// Click clicks on the middle of what a selector finds, as a mouse does.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	at, _ := b.Eval(fmt.Sprintf(`(() => {
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
		b.Must("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// Press presses a key.
func (b *Browser) Press(key string) {
	b.t.Helper()
	code := map[string]int{"Enter": 13, "Tab": 9, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageDown": 34}[key]
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.Must("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}, nil)
	}
}

// Enter writes text into the field that has the focus, in place of what it has.
func (b *Browser) Enter(text string) {
	b.t.Helper()
	b.Eval("document.activeElement.select()")
	b.Must("Input.insertText", map[string]any{"text": text}, nil)
}

// Shoot keeps a picture of the page if the variable BROWSER_SHOTS names a
// folder for it.
func (b *Browser) Shoot(name string, whole bool) {
	b.t.Helper()
	folder := os.Getenv("BROWSER_SHOTS")
	if folder == "" {
		return
	}
	var r struct{ Data string }
	b.Must("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &r)
	png, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
