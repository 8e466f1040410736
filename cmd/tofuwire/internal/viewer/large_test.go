// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package viewer

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// writeLargePlan writes a plan of about size bytes: all instances in the planned
// values, the changes and the prior state, three in four of them with a change.
// It returns how many changes there are.
func writeLargePlan(w io.Writer, size int64) (instances, changes int) {
	const each = 3126 // bytes of an instance, at all places
	n := int(size / each)
	values := func(i int, kind string) string {
		return fmt.Sprintf(`{"ami":"ami-%08x","arn":"arn:aws:ec2:eu-central-1:123456789012:instance/i-%017x","availability_zone":"eu-central-1%c","description":%q,"id":"i-%017x","instance_type":"m5.%dxlarge","metadata_options":[{"http_endpoint":"enabled","http_put_response_hop_limit":1,"http_tokens":"required"}],"network":{"cidr":"10.%d.%d.0/24","public":false,"subnet_id":"subnet-%08x"},"security_groups":["sg-%08x","sg-%08x"],"tags":{"Environment":"production","Name":"web-%d","Owner":"team-%d","Stage":%q},"user_data":null}`,
			i*7, i, 'a'+rune(i%3), strings.Repeat("a server of the fleet; ", 4), i, 1+i%8, i>>8&255, i&255, i, i, i+1, i, i%40, kind)
	}
	head := func(i int) string {
		return fmt.Sprintf(`"address":"module.fleet[%d].aws_instance.web[%d]","mode":"managed","type":"aws_instance","name":"web","index":%d,"provider_name":"registry.opentofu.org/hashicorp/aws"`, i/500, i%500, i%500)
	}
	list := func(one func(i int)) {
		for i := range n {
			if i > 0 {
				io.WriteString(w, ",")
			}
			one(i)
		}
	}
	io.WriteString(w, `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{"resources":[`)
	list(func(i int) {
		fmt.Fprintf(w, `{%s,"schema_version":1,"values":%s,"sensitive_values":{}}`, head(i), values(i, "new"))
	})
	io.WriteString(w, `]}},"resource_changes":[`)
	list(func(i int) {
		actions, before, after := `"update"`, values(i, "old"), values(i, "new")
		switch i % 8 {
		case 0:
			actions, before = `"create"`, "null"
		case 1:
			actions, after = `"delete"`, "null"
		case 2:
			actions = `"delete","create"`
		case 3, 4:
			actions = `"no-op"`
		}
		if actions != `"no-op"` {
			changes++
		}
		fmt.Fprintf(w, `{%s,"change":{"actions":[%s],"before":%s,"after":%s,"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}`, head(i), actions, before, after)
	})
	io.WriteString(w, `],"prior_state":{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{"resources":[`)
	list(func(i int) {
		fmt.Fprintf(w, `{%s,"schema_version":1,"values":%s,"sensitive_values":{"tags":{"Owner":true}}}`, head(i), values(i, "old"))
	})
	io.WriteString(w, `]}}},"configuration":{"root_module":{}},"errored":false}`)
	return n, changes
}

// A large plan opens while the page stays usable: its rows come before the end,
// only those that are seen are drawn. The log has how long the longest task of the
// page took: some 100 ms, if the machine does nothing else.
func TestLargePlanInBrowser(t *testing.T) {
	x := openTab(t, 1280, "light")
	name := filepath.Join(t.TempDir(), "large.json")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	_, changes := writeLargePlan(w, depth.Of[int64](20, 20, 100)<<20)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	var object struct{ Result struct{ ObjectID string } }
	x.until(`document.readyState === "complete"`)
	x.eval(`window.longest = 0; window.rowsAt = 0; window.beganAt = performance.now();
		new MutationObserver(() => { if (!window.rowsAt && document.querySelector("#list .row")) window.rowsAt = performance.now(); }).observe(document.getElementById("list"), { childList: true, subtree: true })`)
	x.Must("Runtime.evaluate", map[string]any{"expression": `document.getElementById("file")`}, &object)
	x.Must("DOM.setFileInputFiles", map[string]any{"files": []string{name}, "objectId": object.Result.ObjectID}, nil)
	began := time.Now()
	x.until(`window.rowsAt > 0`)
	// It can be used while it is read.
	x.eval(`document.getElementById("list").scrollTop = 5000`)
	x.idle()
	took := time.Since(began)
	if s := x.eval(fault); s != "" {
		t.Fatal(s)
	}
	if s := x.eval(`document.getElementById("count").textContent`); s != fmt.Sprintf("%d entries", changes) {
		t.Errorf("%q, want %d entries", s, changes)
	}
	if n, _ := x.Eval(`document.querySelectorAll("#list .row, #list .text").length`).(float64); n < 5 || n > 120 {
		t.Errorf("%v rows are drawn", n)
	}
	opening := x.Eval("longest").(float64)
	first := x.Eval("rowsAt - beganAt").(float64)

	x.eval(`window.longest = 0`)
	x.eval(`document.getElementById("search").focus()`)
	x.Enter("web[15] STAGE")
	x.until(`/ of /.test(document.getElementById("count").textContent)`)
	x.Enter("")
	x.eval(`document.getElementById("search").dispatchEvent(new Event("input"))`)
	x.until(`!/ of /.test(document.getElementById("count").textContent)`)
	for _, order := range []string{"address", "document", "urgency"} {
		x.eval(fmt.Sprintf(`(() => { const e = document.getElementById("order"); e.value = %q; e.dispatchEvent(new Event("change")); })()`, order))
		x.frames()
	}
	x.Click("#open-all")
	x.frames()
	x.eval(`(() => { const e = document.getElementById("list"); e.scrollTop = e.scrollHeight; })()`)
	x.until(`document.querySelectorAll("#list .text").length > 5 && ![...document.querySelectorAll("#list .text")].some((e) => e.textContent === "…")`)
	if n, _ := x.Eval(`document.querySelectorAll("#list .row, #list .text").length`).(float64); n > 120 {
		t.Errorf("%v rows are drawn", n)
	}
	using := x.Eval("longest").(float64)
	t.Logf("%d MiB, %d changes: first rows after %.0f %% of the time; longest task of the page %.0f ms while opening, %.0f ms afterwards; took %v",
		info.Size()>>20, changes, 100*first/float64(took.Milliseconds()), opening, using, took.Round(time.Millisecond))
	x.noFaults()
}
