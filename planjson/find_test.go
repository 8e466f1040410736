// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tofuwire/tofuwire/planjson"
)

// foundPlan is a small plan with inner objects that are documents if they stand alone.
const foundPlan = `{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{"root_module":{}},"resource_changes":[],"prior_state":{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":{}}},"configuration":{"root_module":{}},"errored":false}`

const (
	foundMessage = `{"@level":"info","@message":"Terraform 1.11.4","@module":"terraform.ui","type":"version"}`
	foundState   = `{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":{}}}`
)

func inUTF16(text string, order binary.AppendByteOrder, mark bool) string {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xFEFF)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func prefixedLines(text, prefix string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}

func TestFind(t *testing.T) {
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(foundPlan), "", "  "); err != nil {
		t.Fatal(err)
	}
	long := indented.String()
	timed := func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			lines[i] = "2026-01-02T03:04:" + string([]byte{'0' + byte(i/10%6), '0' + byte(i%10)}) + ".1234567Z " + line
		}
		return strings.Join(lines, "\n")
	}
	for _, row := range []struct{ name, text, want string }{
		{"unchanged", foundPlan, foundPlan},
		{"white space", " \r\n" + foundPlan + "\r\n\n", " \r\n" + foundPlan + "\r\n\n"},
		{"state file", `{"version":4,"serial":1,"lineage":"x","outputs":{},"resources":[]}`, `{"version":4,"serial":1,"lineage":"x","outputs":{},"resources":[]}`},
		{"text before", "Acquiring state lock. This may take a few moments...\n" + foundPlan + "\n", foundPlan},
		{"text behind", foundPlan + "\nReleasing state lock. {done}\n", foundPlan},
		{"wrapper", "[command]/home/runner/work/_temp/1/terraform-bin show -json p\n" + foundPlan + "\n\n::debug::Terraform exited with code 0.%0A\n::debug::stdout: " + foundPlan + "%0A\n::set-output name=stdout::" + foundPlan + "%0A\n", foundPlan},
		{"debug log", "##[debug]stdout: " + foundPlan + "\n" + foundPlan, foundPlan},
		{"group", "::group::Run tofu show -json p\n\x1b[36;1mtofu show -json p\x1b[0m\n::endgroup::\n" + foundPlan + "\n", foundPlan},
		{"escapes", "\x1b[0m\x1b[1m" + foundPlan + "\x1b[0m\n", foundPlan},
		{"fence", "# Plan\n\n```json\n" + foundPlan + "\n```\n", foundPlan},
		{"fence of lines", "```json\r\n" + long + "\r\n```\r\n", long},
		{"mark", "\ufeff" + foundPlan, foundPlan},
		{"UTF-16", inUTF16(foundPlan+"\r\n", binary.LittleEndian, true), foundPlan},
		{"UTF-16, big", inUTF16(foundPlan, binary.BigEndian, true), foundPlan},
		{"UTF-16 without mark", inUTF16(foundPlan, binary.LittleEndian, false), foundPlan},
		{"UTF-16, big, without mark", inUTF16(foundPlan, binary.BigEndian, false), foundPlan},
		{"UTF-16 with text", inUTF16("Läuft 🎉\r\n"+foundPlan+"\r\nfertig\r\n", binary.LittleEndian, true), foundPlan},
		{"CRLF", strings.ReplaceAll("a\n"+long+"\nb\n", "\n", "\r\n"), strings.ReplaceAll(long, "\n", "\r\n")},
		{"unit", "[live/network] " + foundPlan + "\n", foundPlan},
		{"unit with time", "14:21:33.123 STDOUT [live/network] tofu: " + foundPlan + "\n", foundPlan},
		{"unit before each line", prefixedLines(long, "14:21:33.123 STDOUT [live/network] tofu: "), long},
		{"UTF-16, unit before each line", inUTF16("Läuft\r\n"+prefixedLines(long, "14:21:33.123 STDOUT [live/network] tofu: ")+"\r\nfertig", binary.LittleEndian, true), long},
		{"colour before each line", strings.ReplaceAll(prefixedLines(long, "\x1b[34m[u]\x1b[0m \x1b[32m"), "\n", "\x1b[0m\r\n"), long},
		{"times", timed("Run tofu show {x}\n" + long + "\ndone {\n  x = 1\n}"), long},
		{"times, one line", timed("resource \"a\" \"b\" {\n  x = 1\n}\n" + foundPlan + "\ndone"), foundPlan},
		{"messages around", foundMessage + "\n" + foundPlan + "\n" + foundMessage + "\n", foundPlan},
		{"other objects", `{"level":"debug","valid":true}` + "\n" + foundPlan + "\n{}\n", foundPlan},
		{"NUL", "\x02" + foundPlan + "\x03\x00\x00", foundPlan},
		{"outputs", "> output -json\n" + `{"a":{"sensitive":false,"type":"string","value":"b"}}`, `{"a":{"sensitive":false,"type":"string","value":"b"}}`},
		{"old validate", "x\n" + `{"valid":true,"error_count":0,"warning_count":0,"diagnostics":[]}`, `{"valid":true,"error_count":0,"warning_count":0,"diagnostics":[]}`},
	} {
		found, err := planjson.Find([]byte(row.text))
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if string(found.Text) != row.want {
			t.Errorf("%s: got %.80q, want %.80q", row.name, found.Text, row.want)
		}
		if found.Kind != planjson.KindOf([]byte(row.want)) {
			t.Errorf("%s: kind %q", row.name, found.Kind)
		}
		if !found.UTF16 && !strings.HasPrefix(row.text[found.Offset:], "{") {
			t.Errorf("%s: offset %d", row.name, found.Offset)
		}
		if found.UTF16 && !bytes.Contains([]byte(row.text[found.Offset:found.Offset+2]), []byte("{")) {
			t.Errorf("%s: offset %d", row.name, found.Offset)
		}
		size := int64(len(found.Text))
		if found.UTF16 {
			size *= 2
		}
		if all := found.Before + found.Inside + found.After + size; all > int64(len(row.text)) || all < int64(len(strings.TrimSpace(row.text)))-4 {
			t.Errorf("%s: %d of %d bytes accounted for: %+v", row.name, all, len(row.text), found)
		}
	}
}

func TestFind_refuses(t *testing.T) {
	cut := foundPlan[:len(foundPlan)-40]
	for _, row := range []struct {
		name, text string
		is         error
		want       string
	}{
		{"empty", "", planjson.ErrNoDocument, ""},
		{"text", "Error: no plan {here}\n", planjson.ErrNoDocument, ""},
		{"other JSON", `{"a":1}`, planjson.ErrNoDocument, ""},
		{"list", "[" + foundPlan + "]", planjson.ErrNoDocument, ""},
		{"stream", foundMessage + "\n" + foundMessage + "\n", planjson.ErrKind, "stream"},
		{"message", foundMessage, planjson.ErrKind, "stream"},
		{"zip", "PK\x03\x04" + foundPlan, planjson.ErrKind, "zip"},
		{"twice", foundPlan + "\n" + foundPlan + "\n", nil, "two documents"},
		{"plan and state", foundPlan + "\nx\n" + foundState, nil, "two documents"},
		{"cut", cut, nil, "line 1"},
		{"cut in a log", "text\n" + cut + "\nmore text\n", nil, "begins at line 2 is damaged"},
		{"cut and whole", cut + "\n" + foundPlan, nil, "line 1"},
		{"head cut off", foundPlan[20:], nil, "larger text"},
		{"head of lines cut off", "values\": " + foundState + "\n", nil, "larger text"},
		{"damaged early", strings.Replace(foundPlan, `"terraform_version"`, `x"terraform_version"`, 1), nil, "line 1, column 25"},
		{"part of a list", "x [" + foundPlan + "," + foundPlan + "] {", nil, "larger text"},
		{"prefixed and cut", prefixedLines("{\n\"format_version\":\"1.2\",\n\"planned_values\":{},\n\"resource_changes\":[", "[u] "), nil, "damaged"},
	} {
		found, err := planjson.Find([]byte(row.text))
		var e *planjson.Error
		switch {
		case err == nil:
			t.Errorf("%s: found %.60q", row.name, found.Text)
		case !errors.As(err, &e):
			t.Errorf("%s: %v is no *Error", row.name, err)
		case row.is != nil && !errors.Is(err, row.is):
			t.Errorf("%s: %v is not %v", row.name, err, row.is)
		case !strings.Contains(err.Error(), row.want):
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		case e.Offset > int64(len(row.text)):
			t.Errorf("%s: offset %d", row.name, e.Offset)
		}
	}
}

// A recording that is cut anywhere is never found, nor is a part of it.
func TestFind_cut(t *testing.T) {
	src, err := os.ReadFile("testdata/terraform-1.11.4/drift/plan.drift.json")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(src)-1; i += 1 + len(src)/300 {
		for _, text := range [][]byte{src[:i], src[i:]} {
			if found, err := planjson.Find(text); err == nil && len(bytes.TrimSpace(src))-len(found.Text) > 0 {
				t.Errorf("cut at %d: found %s, %.80s", i, found.Kind, found.Text)
			}
		}
	}
}

// A whole plan beside one that is cut anywhere is refused: it may be the second that counts.
func TestFind_besideCut(t *testing.T) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(foundPlan), &members); err != nil {
		t.Fatal(err)
	}
	members["applyable"] = json.RawMessage("true")
	sorted, _ := json.Marshal(members)
	var indented bytes.Buffer
	json.Indent(&indented, sorted, "", "  ")
	for _, plan := range []string{foundPlan, string(sorted), indented.String()} {
		for i := 1; i < len(plan); i++ {
			texts := []string{plan + plan[:i], plan + "\n" + plan[:i] + "\n"}
			if len(strings.Join(strings.Fields(plan[:i]), "")) > 2 { // a brace in a log is none
				texts = append(texts, plan+"\n"+plan[:i]+"\nError: killed\n", plan[:i]+"\n"+plan)
			}
			for _, text := range texts {
				if found, err := planjson.Find([]byte(text)); err == nil {
					t.Fatalf("cut at %d of %.30q: found %.40s", i, plan, found.Text)
				}
			}
		}
	}
	for _, end := range []string{"resource {", "{ text", "{}", "{ok: 1", `{"@level":"info","@mess`} {
		if _, err := planjson.Find([]byte(foundPlan + "\n" + end)); err != nil {
			t.Errorf("%s: %v", end, err)
		}
	}
}

// A stream of several lines is named as one line of it is.
func TestDecode_stream(t *testing.T) {
	for _, text := range []string{foundMessage, foundMessage + "\n" + foundMessage + "\n"} {
		_, err := planjson.DecodePlan([]byte(text))
		if !errors.Is(err, planjson.ErrKind) || !strings.Contains(err.Error(), "a message of the -json stream, not a plan") {
			t.Errorf("%v", err)
		}
		err = planjson.ReadPlan(strings.NewReader(text), planjson.PlanReader{})
		if !errors.Is(err, planjson.ErrKind) || !strings.Contains(err.Error(), "a message of the -json stream, not a plan") {
			t.Errorf("ReadPlan: %v", err)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte(foundPlan))
	f.Add([]byte("[u] {\n[u] \"format_version\":\"1.0\",\n[u] \"values\":{}\n[u] }\n"))
	f.Add([]byte("\x1b[0m" + foundPlan + "\n" + foundState))
	f.Add([]byte(inUTF16("x"+foundState, binary.BigEndian, true)))
	f.Fuzz(func(t *testing.T, src []byte) {
		found, err := planjson.Find(src)
		if err != nil {
			var e *planjson.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Offset < 0 || e.Offset > int64(len(src)) {
				t.Errorf("%v", err)
			}
			return
		}
		again, err := planjson.Find(found.Text)
		if err != nil || !bytes.Equal(again.Text, found.Text) || again.Kind != found.Kind {
			t.Errorf("found %q, then %v", found.Text, err)
		}
		if found.Before < 0 || found.Inside < 0 || found.After < 0 || found.Offset < 0 || found.Offset >= int64(len(src)) {
			t.Errorf("%+v", found)
		}
		if json.Valid(src) && !bytes.Equal(found.Text, src) {
			t.Errorf("%q is changed", src)
		}
	})
}

// A decoder says that there is text around the document, and what finds it.
func TestDecode_NamesFind(t *testing.T) {
	const plan = `{"format_version":"1.2","resource_changes":[]}`
	for text, want := range map[string]string{
		"a line\n" + plan: "begins in line 2, column 1", "\ufeff" + plan: "Find finds", plan + "\nmore": "begins in line 1, column 1",
		"a line\n" + plan[:20]: "",
	} {
		_, err := planjson.DecodePlan([]byte(text))
		if err == nil || strings.Contains(err.Error(), "Find") != (want != "") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
