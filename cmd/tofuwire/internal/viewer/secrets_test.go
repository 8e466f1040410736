// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package viewer

import (
	"fmt"
	"strings"
	"testing"
)

// markedSecrets are documents with the secret "sesame" where its place is marked as
// sensitive, written as SECRET.
var markedSecrets = []struct{ name, text string }{
	{"plan.json", `{"format_version":"1.2","terraform_version":"1.12.6","variables":{"pw":{"value":SECRET}},
"planned_values":{"outputs":{"o":{"sensitive":true,"type":"string","value":SECRET}},"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"pw":SECRET,"n":1},"sensitive_values":{"pw":true}}]}},
"resource_drift":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["update"],"before":{"pw":SECRET,"n":1},"after":{"pw":SECRET,"n":2},"after_unknown":{},"before_sensitive":{"pw":true},"after_sensitive":{"pw":true}}}],
"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["delete","create"],"before":{"pw":SECRET,"list":[{"x":SECRET}],"n":1},"after":{"pw":"other","list":[{"x":SECRET},2],"n":2},"after_unknown":{"id":true},"before_sensitive":{"pw":true,"list":[{"x":true}]},"after_sensitive":{"pw":true,"list":[{"x":true}]},"replace_paths":[["pw"]]}},
{"address":"a.c","mode":"managed","type":"a","name":"c","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"all":SECRET},"after_unknown":{},"before_sensitive":false,"after_sensitive":true}}],
"output_changes":{"o":{"actions":["update"],"before":SECRET,"after":SECRET,"after_unknown":false,"before_sensitive":true,"after_sensitive":true}},
"prior_state":{"format_version":"1.0","terraform_version":"1.12.6","values":{"outputs":{"o":{"sensitive":true,"type":"string","value":SECRET}},"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"pw":SECRET},"sensitive_values":{"pw":true}}]}}},
"configuration":{"root_module":{"outputs":{"o":{"sensitive":true,"expression":{"references":["var.pw"]}}},"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"p","expressions":{"pw":{"references":["var.pw"]}},"schema_version":0},{"address":"a.c","mode":"managed","type":"a","name":"c","provider_config_key":"p","expressions":{"all":{"references":["a.b.pw","a.b"]}},"schema_version":0}],"variables":{"pw":{"default":SECRET,"sensitive":true}}}}}`},
	{"state.json", `{"format_version":"1.0","terraform_version":"1.12.6","values":{"outputs":{"o":{"sensitive":true,"type":"string","value":SECRET}},"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"pw":SECRET,"n":[1,SECRET]},"sensitive_values":{"pw":true,"n":[false,true]}}],"child_modules":[{"address":"module.m","resources":[{"address":"module.m.a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"pw":{"x":SECRET}},"sensitive_values":{"pw":true},"deposed_key":"12345678"}]}]}}}`},
	{"outputs.json", `{"o":{"sensitive":true,"type":"string","value":SECRET},"m":{"sensitive":true,"type":["map","string"],"value":{"a":SECRET}}}`},
	{"run.jsonl", `{"@level":"info","@message":"Outputs: 1","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00.000000Z","outputs":{"o":{"sensitive":true,"type":"string","value":SECRET}},"type":"outputs"}` + "\n"},
}

// No view shows a value that its document marks as sensitive, however it is spelled: not
// in the text, not in an attribute, and not to the search.
func TestMarkedSecretsInBrowser(t *testing.T) {
	for _, spelling := range []string{`"open sesame"`, `"open s\u0065s\u0061me"`} {
		x := openTab(t, 1280, "light")
		for i := range markedSecrets {
			name := markedSecrets[i].name
			x.open(x.write(name, strings.ReplaceAll(markedSecrets[i].text, "SECRET", spelling)))
			if s := x.eval(fault); s != "" {
				t.Fatalf("%s: %s", name, s)
			}
			views := 0
			for _, view := range []string{"changes", "graph", "timeline", "redact"} {
				if x.Eval(`(() => { const e = document.getElementById("tab-`+view+`"); return !!e && !e.hidden && e.offsetParent !== null; })()`) != true {
					continue
				}
				views++
				x.Click("#tab-" + view)
				x.frames()
				switch view {
				case "redact":
					x.Click(`#redaction button[type="submit"]`)
					x.idle()
				case "changes":
					x.eval(`void document.getElementById("open-all").click()`)
					x.frames()
				}
				if s := x.eval(`(document.documentElement.outerHTML.match(/.{0,80}sesame.{0,20}/) || [""])[0]`); s != "" {
					t.Errorf("%s, %s: the page has %q", name, view, s)
				}
			}
			if views < 1 {
				t.Errorf("%s: no views", name)
			}
			x.eval(`void document.getElementById("tab-changes")?.click()`)
			x.eval(`void document.getElementById("search").focus()`)
			x.Enter("sesame")
			x.frames()
			x.frames()
			if s := x.eval(`document.getElementById("count").textContent`); s != "Nothing matches." && s != "0 entries" {
				t.Errorf("%s: the search says %q: %s", name, s, x.eval(addresses+" + "+texts))
			}
			x.Press("Escape")
			if s := fmt.Sprint(x.Eval(`document.title + location.href`)); strings.Contains(s, "sesame") {
				t.Errorf("%s: %s", name, s)
			}
		}
		x.noFaults()
	}
}
