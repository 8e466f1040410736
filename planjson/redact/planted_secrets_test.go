// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

type object = map[string]any

// spellings are the forms that package redact promises to find a secret in.
var spellings = []func(s string) string{
	func(s string) string { return s },
	func(s string) string { return "before " + s + " after" },
	func(s string) string { return s + s },
	func(s string) string { return quoted(s) },
	func(s string) string { return quoted(quoted(s)) },
	func(s string) string { return `{"k":` + quoted(`["`+strings.Trim(quoted(s), `"`)+`"]`) + `}` },
	func(s string) string { return `{` + quoted(s) + `:1}` },
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	func(s string) string { return base64.URLEncoding.EncodeToString([]byte("user:" + s)) },
	func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte("ab" + s + "cd")) },
	func(s string) string { return wrapped(base64.StdEncoding.EncodeToString([]byte("user:" + s + ":end"))) },
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte(`{"k":` + quoted(s) + `}`)) },
	func(s string) string { return "https://x/?q=" + url.QueryEscape(s) },
	func(s string) string { return "https://x/" + url.PathEscape(s) },
	func(s string) string { return strings.ToLower(url.QueryEscape("/"))[:3] + url.QueryEscape(s) },
	norm.NFC.String,
	norm.NFD.String,
	func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r", ""), "\n", "\r\n") },
	func(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") },
	func(s string) string { return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s) },
	func(s string) string {
		return `x = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{").Replace(s) + `"`
	},
	html.EscapeString,
	inLines(16, "\n    "), inLines(20, "\n"), inLines(64, "\r"), inLines(76, "\r\n"),
	func(s string) string { // docker's configuration
		return b64(`{"auths":{"r.example.com":{"auth":"` + b64("robot:"+s) + `"}}}`)
	},
	func(s string) string { // cloud-init with parts
		return b64("Content-Type: multipart/mixed; boundary=\"B==\"\nMIME-Version: 1.0\n\n--B==\nContent-Transfer-Encoding: base64\n\n" + inLines(76, "\n")("#!/bin/sh\nexport PW="+s+"\n") + "\n--B==--\n")
	},
	func(s string) string { return b64(gzipped("#cloud-config\npw: " + quoted(s) + "\n")) },
	func(s string) string { return b64(gzipped(inLines(76, "\n")("key: " + s))) },
	func(s string) string {
		return "powershell -EncodedCommand " + b64(utf16le("Set-Pw '"+strings.ReplaceAll(s, "'", "''")+"'"))
	},
	func(s string) string { return b64(utf16le(s)) },
	func(s string) string { return hex.EncodeToString([]byte(s)) },
	func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte("user:" + s))) },
	func(s string) string { return hex.EncodeToString([]byte(b64(s))) },
	func(s string) string { return "https://x/?next=" + url.QueryEscape("https://y/?q="+url.QueryEscape(s)) },
	func(s string) string { return b64(url.QueryEscape(s)) },
	func(s string) string { return "echo '" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
	func(s string) string { return "echo '" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" },
	func(s string) string { return "pw: '" + strings.ReplaceAll(s, "'", "''") + "'" },
	func(s string) string { return `pw = "` + strings.NewReplacer(`"`, `""`, "%", "%%").Replace(s) + `"` },
	func(s string) string {
		return "<pw>" + entities.ReplaceAllStringFunc(s, func(c string) string { return fmt.Sprintf("&#x%x;", []rune(c)[0]) }) + "</pw>"
	},
	func(s string) string {
		return `pw = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
	},
	func(s string) string { return "pw = " + strings.ReplaceAll(s, "%", "%%") },
	func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r", ""), "\n", "\r") },
	func(s string) string {
		return quoted(`{"a":` + quoted(`{"b":`+quoted(`{"c":`+quoted(s)+`}`)+`}`) + `}`)
	},
	func(s string) string { return b64(b64(b64("user:" + s))) },
	func(s string) string { return `url = "` + strings.ReplaceAll(url.QueryEscape(s), "%", "%%") + `"` },
	func(s string) string { return "1,\"" + strings.ReplaceAll(`{"k":`+quoted(s)+`}`, `"`, `""`) + "\"" },
	func(s string) string { return "k: '" + strings.ReplaceAll(`{"k":`+quoted(s)+`}`, "'", "''") + "'" },
}

// entities are the characters that a careful program writes as numbers in XML.
var entities = regexp.MustCompile(`[^A-Za-z0-9]`)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// inLines encodes a text in base64 and breaks it into lines.
func inLines(width int, between string) func(s string) string {
	return func(s string) string {
		s = b64("user:" + s)
		var lines []string
		for len(s) > width {
			lines = append(lines, s[:width])
			s = s[width:]
		}
		return "data: |" + between + strings.Join(append(lines, s), between) + between
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func utf16le(s string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return string(b)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// wrapped breaks a text into lines of 76 bytes.
func wrapped(s string) string {
	var b strings.Builder
	for len(s) > 76 {
		b.WriteString(s[:76] + "\n")
		s = s[76:]
	}
	return b.String() + s
}

// A planter makes plans with a secret that is marked at one place, and written
// at another.
type planter struct {
	plan object
}

// homes are the places at which a value is marked.
var homes = []func(p *planter, secret any){
	func(p *planter, s any) {
		p.change("t.home", []string{"update"}, object{"pw": s}, object{"pw": "x"}, "before")
	},
	func(p *planter, s any) {
		p.change("t.home", []string{"update"}, object{"pw": "x"}, object{"pw": s}, "after")
	},
	func(p *planter, s any) {
		p.change("t.home", []string{"delete", "create"}, object{"l": []any{1, s}}, object{"l": []any{2, s}}, "list")
	},
	func(p *planter, s any) { p.change("t.home", []string{"create"}, nil, object{"pw": s}, "after") },
	func(p *planter, s any) { p.change("t.home", []string{"delete"}, object{"pw": s}, nil, "before") },
	func(p *planter, s any) { p.change("t.home", []string{"forget"}, object{"pw": s}, nil, "before") },
	func(p *planter, s any) {
		p.change("t.home", []string{"delete"}, object{"pw": s}, nil, "before")["deposed"] = "12345678"
	},
	func(p *planter, s any) {
		p.change("t.home", []string{"no-op"}, object{"pw": s}, object{"pw": s}, "after")["previous_address"] = "t.was"
	},
	func(p *planter, s any) {
		p.plan["resource_drift"] = []any{p.change("t.home", []string{"update"}, object{"pw": s}, object{"pw": "y"}, "before")}
	},
	func(p *planter, s any) {
		p.plan["deferred_changes"] = []any{object{"reason": "x", "resource_change": p.change("t.home", []string{"create"}, nil, object{"pw": s}, "after")}}
	},
	func(p *planter, s any) {
		p.plan["output_changes"] = object{"home": object{"actions": []string{"create"}, "before": nil, "after": s, "after_unknown": false, "before_sensitive": false, "after_sensitive": true}}
	},
	func(p *planter, s any) {
		p.plan["planned_values"].(object)["outputs"] = object{"home": object{"sensitive": true, "type": "string", "value": s}}
	},
	func(p *planter, s any) {
		p.plan["variables"] = object{"home": object{"value": s}}
		p.root()["variables"] = object{"home": object{"sensitive": true}}
	},
	func(p *planter, s any) {
		p.plan["planned_values"].(object)["root_module"] = object{"resources": []any{p.resource("t.home", object{"pw": s}, object{"pw": true})}}
	},
	func(p *planter, s any) {
		p.plan["prior_state"] = object{"format_version": "1.0", "values": object{"root_module": object{"child_modules": []any{object{"address": "module.m",
			"resources": []any{p.resource("module.m.t.home", object{"m": object{"k": s}}, object{"m": true})}}}}}}
	},
	func(p *planter, s any) {
		p.plan["action_invocations"] = []any{object{"address": "action.a.home", "type": "a", "name": "home", "provider_name": "p", "config_values": object{"pw": s}, "config_sensitive": object{"pw": true}}}
	},
}

func (p *planter) root() object { return p.plan["configuration"].(object)["root_module"].(object) }

func (p *planter) resource(address string, values, marks object) object {
	return object{"address": address, "mode": "managed", "type": "t", "name": "n", "provider_name": "p", "schema_version": 0, "values": values, "sensitive_values": marks}
}

// change adds a change, and returns it.
func (p *planter) change(address string, actions []string, before, after object, marked string) object {
	none := func(o object) any {
		if o == nil {
			return nil
		}
		return o
	}
	c := object{"actions": actions, "before": none(before), "after": none(after), "after_unknown": object{}, "before_sensitive": object{}, "after_sensitive": object{}}
	switch marked {
	case "list":
		c["after_sensitive"] = object{"l": []any{false, true}}
	case "":
	default:
		c[marked+"_sensitive"] = object{"pw": true}
	}
	rc := object{"address": address, "mode": "managed", "type": "t", "name": address[strings.LastIndexByte(address, '.')+1:], "provider_name": "p", "change": c}
	p.plan["resource_changes"] = append(p.plan["resource_changes"].([]any), rc)
	return rc
}

// strays are places without a mark.
var strays = []func(p *planter, text string){
	func(p *planter, s string) { p.change("t.stray", []string{"create"}, nil, object{"public": s}, "") },
	func(p *planter, s string) {
		p.change("t.stray", []string{"update"}, object{"l": []any{"a", s}}, object{"l": []any{"b", s}, "o": object{s: 1}}, "")
	},
	func(p *planter, s string) {
		p.change("t.stray", []string{"update"}, object{"a": 1}, object{"a": 2}, "")["change"].(object)["replace_paths"] = []any{[]any{"a", s}}
	},
	func(p *planter, s string) {
		p.change("t.stray", []string{"update"}, object{"a": 1}, object{"a": 2}, "")["change"].(object)["importing"] = object{"id": s}
	},
	func(p *planter, s string) {
		p.change("t.stray", []string{"update"}, object{"a": 1}, object{"a": 2}, "")["change"].(object)["importing"] = object{"identity": object{"x": []any{s}}}
	},
	func(p *planter, s string) {
		p.change("t.stray", []string{"update"}, object{"a": 1}, object{"a": 2}, "")["change"].(object)["generated_config"] = "a = " + s
	},
	func(p *planter, s string) {
		rc := p.change("t.stray", []string{"no-op"}, object{"a": 1}, object{"a": 1}, "")
		rc["address"], rc["index"] = "t.stray["+quoted(s)+"]", s
	},
	func(p *planter, s string) {
		p.plan["relevant_attributes"] = []any{object{"resource": "t.stray", "attribute": []any{"a", s}}}
	},
	func(p *planter, s string) {
		p.plan["checks"] = []any{object{"address": object{"kind": "check", "name": "c", "to_display": "check.c"}, "status": "fail",
			"instances": []any{object{"address": object{"to_display": "t.x[" + quoted(s) + "]", "instance_key": s}, "status": "fail", "problems": []any{object{"message": s}}}}}}
	},
	func(p *planter, s string) {
		p.plan["output_changes"] = object{"stray": object{"actions": []string{"create"}, "before": nil, "after": object{"x": s}, "after_unknown": false, "before_sensitive": false, "after_sensitive": false}}
	},
	func(p *planter, s string) {
		p.root()["resources"] = []any{object{"address": "t.stray", "mode": "managed", "type": "t", "name": "stray", "provider_config_key": "p", "schema_version": 0,
			"expressions": object{"a": object{"constant_value": s}, "b": object{"references": []any{"var.m[" + quoted(s) + "]", "var.m"}}}, "for_each_expression": object{"constant_value": s}}}
	},
	func(p *planter, s string) {
		p.root()["outputs"] = object{"stray": object{"expression": object{"constant_value": s}, "description": s, "depends_on": []any{s}}}
	},
	func(p *planter, s string) {
		p.root()["module_calls"] = object{"m": object{"source": s, "expressions": object{"a": object{"constant_value": s}}, "version_constraint": s}}
	},
	func(p *planter, s string) { p.plan["an_extra_member"] = []any{object{s: s}} },
	func(p *planter, s string) {
		p.plan["planned_values"].(object)["outputs"] = object{"stray": object{"sensitive": false, "type": []any{"object", object{s: "string"}}, "value": object{s: s}}}
	},
}

// plant makes a plan with a secret.
func plant(secret any, text string, home, stray int) []byte {
	p := &planter{plan: object{
		"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": object{"root_module": object{}}, "resource_changes": []any{},
		"configuration": object{"provider_config": object{}, "root_module": object{}}, "timestamp": "2020-01-01T00:00:00Z", "errored": false,
	}}
	// Both use some of the same members.
	homes[home](p, secret)
	was := p.plan["output_changes"]
	outputs := p.plan["planned_values"].(object)["outputs"]
	strays[stray](p, text)
	if o, ok := was.(object); ok {
		for k, v := range o {
			p.plan["output_changes"].(object)[k] = v
		}
	}
	if o, ok := outputs.(object); ok {
		for k, v := range o {
			p.plan["planned_values"].(object)["outputs"].(object)[k] = v
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p.plan); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// identifier is the form of names that a document can declare.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// shortNumber is a number without an exponent.
var shortNumber = regexp.MustCompile(`^[-+]?[0-9]*\.?[0-9]*$`)

// isOdd is the documented rule for texts that are looked for.
func isOdd(s string) bool {
	t := strings.TrimSpace(s)
	var lines strings.Builder
	for line := range strings.Lines(s) {
		lines.WriteString(strings.TrimSpace(line))
	}
	if lines.Len() < 6 || t != s || !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) || strings.Contains("(sensitive value)", s) || strings.Contains(s, "(sensitive value)") {
		return false
	}
	if plain.MatchString(s) || identifier.MatchString(s) || shortNumber.MatchString(s) && strings.Count(s, ".")+5 >= len(strings.TrimLeft(s, "+-")) {
		return false
	}
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) }) && t != "false"
}

// checkPlanted redacts a planted plan in all ways, and looks for the text.
func checkPlanted(t *testing.T, secret, text string, home, stray int) {
	t.Helper()
	if bytes.Contains(plant("-", "-", home, stray), []byte(secret)) {
		return // it is a part of text that every document has
	}
	src := plant(secret, text, home, stray)
	for _, r := range []redact.Redactor{{}, {Keep: redact.All}} {
		results := ways(t, r, "plan", src)
		for way, out := range results {
			if !bytes.Equal(out, results["memory"]) {
				t.Fatalf("%s is not what it is in memory: %s\n%s", way, out, results["memory"])
			}
		}
		out := results["memory"]
		for _, s := range texts(t, out) {
			if strings.Contains(s, secret) || strings.Contains(s, text) {
				t.Fatalf("home %d, stray %d: %q, planted as %q, is left in %q of %s", home, stray, secret, text, s, out)
			}
		}
		var again bytes.Buffer
		if n, err := r.WritePlan(&again, bytes.NewReader(out)); n != 0 || err != nil || !bytes.Equal(again.Bytes(), out) {
			t.Fatalf("redacted again, %d values differ, %v: %s\n%s", n, err, out, again.Bytes())
		}
		plan, err := planjson.DecodePlan(out)
		if err != nil {
			t.Fatal(err)
		}
		var shown bytes.Buffer
		d := plandiff.Plan(plan, plandiff.Options{Unchanged: true})
		if d.WriteText(&shown, plandiff.TextOptions{}) != nil || d.WriteMarkdown(&shown, plandiff.MarkdownOptions{}) != nil || d.WriteHTML(&shown, plandiff.TextOptions{}) != nil {
			t.Fatal("it is not rendered")
		}
	}
	var once bytes.Buffer
	if _, err := (redact.Redactor{NoSpool: true}).WritePlan(&once, pipe{bytes.NewReader(src)}); err != nil {
		t.Fatal(err)
	}
	if home < 13 && stray < 5 {
		for _, s := range texts(t, once.Bytes()) {
			if strings.Contains(s, secret) {
				t.Fatalf("read once: %q is left in %q", secret, s)
			}
		}
	}
}

var oddSecrets = []string{
	"hunter2!x", "pässwörd-Ärger", "a\"b\\c$d{e}", "-----BEGIN KEY-----\nMIIBVgIBADANBgkqhkiG9w0B\nAQEFAASCAUAwggE8AgEAAkEA\n-----END KEY-----",
	"p@ss w0rd/with+all=%&<>'", "${secret}%{x}", "first line of it\n\n  second, indented line\nthird", strings.Repeat("long-1x!", 30), "日本語の秘密です", "tab\there\u2028x", "123456789012",
}

// TestPlantedEverywhere plants each secret at each place in each spelling.
func TestPlantedEverywhere(t *testing.T) {
	every := depth.Of(251, 7, 1)
	for i, secret := range oddSecrets {
		for k, spell := range spellings {
			for home := range homes {
				for stray := range strays {
					if (i+3*k+5*home+7*stray)%every != 0 {
						continue
					}
					checkPlanted(t, secret, spell(secret), home, stray)
				}
			}
		}
	}
}

// FuzzRedact plants secrets.
func FuzzRedact(f *testing.F) {
	for i, s := range oddSecrets {
		for k := range spellings {
			if (i+k)%depth.Of(5, 1, 1) != 0 {
				continue // each secret and each spelling is there, but not each pair
			}
			f.Add(s, uint8(k), uint8(i+k), uint8(3*i+k))
		}
	}
	f.Fuzz(func(t *testing.T, secret string, spelling, home, stray uint8) {
		if !isOdd(secret) {
			return // not looked for outside of its own place
		}
		checkPlanted(t, secret, spellings[int(spelling)%len(spellings)](secret), int(home)%len(homes), int(stray)%len(strays))
	})
}
