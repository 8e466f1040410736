// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// hasCode returns a condition: some diagnostic has a code.
func hasCode(code string) func([]diagnostic) bool {
	return func(list []diagnostic) bool {
		for _, d := range list {
			if d.Code == code {
				return true
			}
		}
		return false
	}
}

// is waits until the last list of a file is as wanted.
func (c *client) is(name, what string, holds func([]diagnostic) bool) []diagnostic {
	c.t.Helper()
	uri := uriOf(filepath.Join(c.dir, filepath.FromSlash(name)))
	var list []diagnostic
	c.until(fmt.Sprintf("%s in %s", what, name), func() bool {
		all := c.lists[uri]
		if len(all) > 0 {
			list = all[len(all)-1].Diagnostics
		}
		return len(all) > 0 && holds(list)
	})
	return list
}

func none(list []diagnostic) bool { return len(list) == 0 }

// TestOutside has files that others make, change and remove: the next message of the client shows
// it, also one about another document.
func TestOutside(t *testing.T) {
	c := session(t, map[string]string{"main.tf": "variable \"a\" {}\n", "other/main.tf": "locals {\n  x = 1\n}\n"})
	c.open("main.tf")
	c.last("main.tf", 1)
	c.write("twin.tf", "variable \"a\" {}\n")
	c.open("other/main.tf")
	c.is("twin.tf", "a duplicate", hasCode(codeValidate))
	if err := os.Remove(filepath.Join(c.dir, "twin.tf")); err != nil {
		t.Fatal(err)
	}
	c.notify("textDocument/didSave", `{"textDocument":{"uri":"$DIR/other/main.tf"}}`)
	c.is("twin.tf", "nothing", none)
}

// TestTraceTorn changes a file and its directory while a module is checked: what was found does not
// hold afterwards, although the new text was read as well.
func TestTraceTorn(t *testing.T) {
	for _, torn := range []string{"nothing", "file", "directory"} {
		dir := realPath(t.TempDir())
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("main.tf", "variable \"a\" {}\n")
		v := (&view{disk: newDisk()}).traced()
		look := func() {
			v.ReadDir(nameOf(dir))
			if _, err := v.ReadFile(nameOf(filepath.Join(dir, "main.tf"))); err != nil {
				t.Fatal(err)
			}
		}
		look()
		switch torn {
		case "file":
			write("main.tf", "variable \"other\" {}\n")
		case "directory":
			write("twin.tf", "variable \"a\" {}\n")
		}
		v.disk.stale()
		look()
		if got := v.trace.holds(v); got != (torn == "nothing") {
			t.Errorf("after a change of %s: it holds: %t", torn, got)
		}
	}
}

// TestReadDir changes a list of files, which must not be the one that is remembered.
func TestReadDir(t *testing.T) {
	dir := realPath(t.TempDir())
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	v := &view{disk: newDisk()}
	for range 2 {
		list, err := v.ReadDir(nameOf(dir))
		if err != nil || len(list) != 1 || list[0] == nil || list[0].Name() != "main.tf" {
			t.Fatalf("got %v, %v", list, err)
		}
		clear(list)
	}
}

// TestShadowed has a file that OpenTofu does not read, with a syntax error: it is shown as long as the
// file is open.
func TestShadowed(t *testing.T) {
	c := session(t, map[string]string{"main.tofu": "variable \"a\" {}\n", "main.tf": "variable {\n", "other/main.tf": "locals {}\n"})
	c.open("main.tofu")
	c.is("main.tofu", "a rule", hasCode("terraform_typed_variables"))
	c.open("main.tf")
	c.is("main.tf", "an error", hasCode(codeValidate))
	c.notify("textDocument/didClose", `{"textDocument":{"uri":"$DIR/main.tf"}}`)
	c.is("main.tf", "nothing", none)
	c.open(".terraform.lock.hcl", "provider {\n") // nor does the check read this one
	c.is(".terraform.lock.hcl", "an error", hasCode(codeValidate))
}

// TestLinterFile has settings of the linter that are not saved, and then a syntax error in them.
func TestLinterFile(t *testing.T) {
	const on = "rule \"terraform_typed_variables\" {\n  enabled = true\n}\n"
	c := session(t, map[string]string{"main.tf": "variable \"a\" {}\n", ".tofuwire-lint.hcl": on})
	c.open("main.tf")
	c.open(".tofuwire-lint.hcl")
	c.is("main.tf", "the rule", hasCode("terraform_typed_variables"))
	c.change(".tofuwire-lint.hcl", 2, strings.Replace(on, "true", "false", 1))
	c.is("main.tf", "no rule", func(l []diagnostic) bool { return !hasCode("terraform_typed_variables")(l) })
	c.change(".tofuwire-lint.hcl", 3, "rule {\n")
	c.is(".tofuwire-lint.hcl", "an error", hasCode(codeValidate))
}

// TestFolders has two folders, of which one leaves and comes back.
func TestFolders(t *testing.T) {
	c := session(t, map[string]string{"a/main.tf": "variable \"a\" {}\n", "b/main.tf": "variable \"b\" {}\n"})
	folders := func(added, removed string) {
		c.notify("workspace/didChangeWorkspaceFolders", fmt.Sprintf(`{"event":{"added":[%s],"removed":[%s]}}`, added, removed))
	}
	folders(`{"uri":"$DIR/a","name":"a"},{"uri":"$DIR/b/","name":"b"}`, `{"uri":"$DIR","name":"x"}`)
	c.open("b/main.tf")
	c.is("b/main.tf", "findings", hasCode("terraform_typed_variables"))
	folders("", `{"uri":"$DIR/b","name":"b"}`)
	c.is("b/main.tf", "nothing", none)
	if got := c.call("workspace/symbol", `{"query":"var.b"}`); got != "[]" {
		t.Errorf("symbols of a folder that left: %s", got)
	}
	c.change("b/main.tf", 2, "variable \"bb\" {}\n")
	c.is("b/main.tf", "findings", hasCode("terraform_typed_variables"))
	folders(`{"uri":"$DIR/b","name":"b"}`, "")
	if got := c.call("workspace/symbol", `{"query":"var.bb"}`); strings.Count(got, `"location"`) != 1 {
		t.Errorf("symbols of a folder that came back: %s", got)
	}
}

// TestSchemasCommand writes a file that was not there, and looks anew.
func TestSchemasCommand(t *testing.T) {
	dir := realPath(t.TempDir())
	in, toServer := io.Pipe()
	out, fromServer := io.Pipe()
	schemas := func(context.Context, string) ([]byte, error) { return []byte(labSchemas), nil }
	go func() {
		Serve(t.Context(), in, fromServer, Options{Schemas: schemas})
		fromServer.Close()
	}()
	defer toServer.Close()
	server := newConn(out, toServer)
	go func() {
		server.write(message{ID: json.RawMessage("1"), Method: "initialize", Params: json.RawMessage(fmt.Sprintf(`{"rootUri":%q,"capabilities":{},"initializationOptions":{"schemas":"s.json"}}`, uriOf(dir)))})
		server.write(message{ID: json.RawMessage("2"), Method: "workspace/executeCommand", Params: json.RawMessage(`{"command":"tofuwire.schemas"}`)})
	}()
	for {
		body, err := server.read()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(body, []byte(`"id":2`)) {
			if !bytes.Contains(body, []byte(`"result":null`)) {
				t.Errorf("got %s", body)
			}
			break
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "s.json")); err != nil || string(got) != labSchemas {
		t.Errorf("the file has %q, %v", got, err)
	}
}

const labSchemas = `{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/acme/lab":{"functions":{"twice":{"description":"Two times it.","return_type":"number","parameters":[{"name":"n","type":"number"}]}},"resource_schemas":{"lab_thing":{"version":0,"block":{"attributes":{
	"name":{"type":"string","required":true,"description":"The name."},"size":{"type":"number","required":true}},"block_types":{
	"disk":{"nesting_mode":"list","min_items":1,"block":{"attributes":{"gb":{"type":"number","required":true}}}}}}}}}}}`

const lab = "terraform {\n  required_version = \">= 1.6\"\n  required_providers {\n    lab = {\n      source  = \"acme/lab\"\n      version = \"1.0.0\"\n    }\n  }\n}\n\n"

// TestMissing adds what resources lack, by the schemas.
func TestMissing(t *testing.T) {
	const text = lab + "resource \"lab_thing\" \"a\" {\n  name = \"x\"\n}\n\nresource \"lab_thing\" \"b\" {\n  name = \"x\"\n  size = 1\n\n  disk {}\n}\n"
	c := session(t, map[string]string{"main.tf": text, "s.json": labSchemas}, `{"schemas":"s.json"}`)
	c.open("main.tf")
	for around, want := range map[string]string{
		`"lab_thing" "|a"`: `  size = 0\n\n  disk {\n    gb = 0\n  }`,
		"di|sk {}":         `gb = 0`,
	} {
		at := c.at("main.tf", text, around)
		at = strings.Replace(at, `"position":`, `"range":{"start":`, 1)
		place := at[strings.Index(at, `"start":`)+len(`"start":`):]
		got := c.call("textDocument/codeAction", fmt.Sprintf(`{%s,"end":%s},"context":{"diagnostics":[]}}`, at, place))
		if !strings.Contains(got, want) || !strings.Contains(got, `"diagnostics":[{`) {
			t.Errorf("%s: %s", around, got)
		}
	}
	if got := c.call("textDocument/hover", "{"+c.at("main.tf", text, "na|me = ")+"}"); !strings.Contains(got, "The name.") {
		t.Errorf("got %s", got)
	}
	const call = lab + "locals {\n  n = provider::lab::twice(1)\n}\n"
	c.change("main.tf", 2, call)
	if got := c.call("textDocument/hover", "{"+c.at("main.tf", call, "lab::tw|ice")+"}"); !strings.Contains(got, "twice(n number) number") || !strings.Contains(got, "Two times it.") {
		t.Errorf("got %s", got)
	}
}

// TestRelated has a message with a place in a line of characters that are not ASCII.
func TestRelated(t *testing.T) {
	c := session(t, map[string]string{"b.tf": "/* é👩‍🚀 */ variable \"a\" {}\n", "c.tf": "variable \"a\" {}\n"}, "", strings.Replace(everything, `"utf-8",`, "", 1))
	c.open("c.tf")
	for _, d := range c.is("c.tf", "a duplicate", hasCode(codeValidate)) {
		if d.Code != codeValidate {
			continue
		}
		if len(d.RelatedInformation) != 1 || d.RelatedInformation[0].Location.Range != (textRange{position{0, 13}, position{0, 25}}) || !strings.HasSuffix(d.RelatedInformation[0].Location.URI, "/b.tf") {
			t.Errorf("got %+v", d)
		}
	}
}

// TestLogLevel has the level of the command line until the client sets one.
func TestLogLevel(t *testing.T) {
	for settings, want := range map[string]bool{`{}`: true, `{"log":"off"}`: false, `{"log":"debug"}`: true} {
		var log bytes.Buffer
		s := newServer(t.Context(), newConn(nil, &bytes.Buffer{}), Options{Log: "info", LogTo: &log})
		s.configure(json.RawMessage(settings))
		s.log.printf("info", "something")
		if got := log.Len() > 0; got != want {
			t.Errorf("%s: logged %v", settings, got)
		}
		s.close()
	}
	if status := Command([]string{"-no-color", "--stdio", "-no-progress"}, strings.NewReader(""), io.Discard, io.Discard, "lsp", Options{}); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestLastMeaning opens a document that cannot be parsed; the file on the disk could be.
func TestLastMeaning(t *testing.T) {
	const uses = "output \"o\" {\n  value = var.v\n}\n"
	c := session(t, map[string]string{"main.tf": uses, "v.tf.json": `{"variable": {"v": {}}}`})
	c.open("main.tf")
	c.last("main.tf", 1)
	c.open("v.tf.json", `{"variable": {"v": {}}`)
	c.is("v.tf.json", "an error", hasCode(codeValidate))
	c.is("main.tf", "no error", func(l []diagnostic) bool { return !hasCode(codeValidate)(l) })
	if got := c.call("textDocument/definition", "{"+c.at("main.tf", uses, "var.|v")+"}"); !strings.Contains(got, "v.tf.json") {
		t.Errorf("got %s", got)
	}
}

// TestMemory asks for the symbols of many modules: what is not needed for the open document goes.
func TestMemory(t *testing.T) {
	files := map[string]string{"main.tf": "module \"a\" {\n  source = \"./m0\"\n}\n"}
	for i := range 40 {
		files[fmt.Sprintf("m%d/main.tf", i)] = largeModule(200)
	}
	c := start(t, files)
	s := newServer(t.Context(), newConn(nil, &bytes.Buffer{}), Options{Analyzers: rules.All()})
	defer s.close()
	s.folders = []string{c.dir}
	v := s.view()
	if list, err := workspaceSymbols(s, t.Context(), v, symbolParams{Query: "nothing"}); err != nil || len(list) > 0 {
		t.Fatal(list, err)
	}
	loaded := func() (bytes, modules int) {
		s.disk.mu.Lock()
		defer s.disk.mu.Unlock()
		for _, f := range s.disk.files {
			if f.parsed != nil {
				bytes += len(f.parsed.text)
			}
		}
		s.names.mu.Lock()
		defer s.names.mu.Unlock()
		return bytes, len(s.names.modules)
	}
	before, _ := loaded()
	s.put(&document{uri: uriOf(filepath.Join(c.dir, "m1", "main.tf"))}, []byte("variable \"x\" {}\n"))
	for end := time.Now().Add(waitFor); ; time.Sleep(10 * time.Millisecond) {
		after, modules := loaded()
		if after <= maxSpare && modules <= 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d bytes of %d and %d modules are in memory", after, before, modules)
		}
	}
	if before < 2*maxSpare {
		t.Errorf("only %d bytes were read", before)
	}
}

// TestNothingChanged opens a second document of a module, and asks for no second check.
func TestNothingChanged(t *testing.T) {
	c := start(t, map[string]string{"main.tf": "variable \"a\" {}\n", "b.tf": "variable \"b\" {}\n", "caller/main.tf": "module \"m\" {\n  source = \"../\"\n}\n"})
	s := newServer(t.Context(), newConn(nil, &bytes.Buffer{}), Options{Analyzers: rules.All()})
	defer s.close()
	v := s.view().traced()
	s.check(v, filepath.Join(c.dir, "caller"))
	holds := func(want bool, what string) {
		t.Helper()
		if got := v.trace.holds(s.view()); got != want {
			t.Errorf("%s: %v", what, got)
		}
	}
	holds(true, "at once")
	s.disk.stale()
	holds(true, "looked at again")
	c.write("other/main.tf", "")
	s.disk.stale()
	holds(true, "another directory")
	c.write("caller/terraform.tfvars", "x = 1\n")
	s.disk.stale()
	holds(false, "a file of values")
	v = s.view().traced()
	s.check(v, filepath.Join(c.dir, "caller"))
	c.write("b.tf", "variable \"bb\" {}\n")
	s.disk.stale()
	holds(false, "a file of the called module")
}

// TestPanic has a rule that panics: what the others find stays.
func TestPanic(t *testing.T) {
	c := start(t, map[string]string{"main.tf": "variable \"a\" {}\n"})
	bad := &hcllint.Analyzer{Name: "bad", Doc: "x", Presets: []string{"recommended"}, Run: func(*hcllint.Pass) (any, error) { panic("no") }}
	var log bytes.Buffer
	s := newServer(t.Context(), newConn(nil, &bytes.Buffer{}), Options{Analyzers: append(rules.All(), bad), LogTo: &log})
	defer s.close()
	files := s.check(s.view(), c.dir).files
	if list := files[nameOf(filepath.Join(c.dir, "main.tf"))]; !hasCode("terraform_typed_variables")(list) {
		t.Errorf("got %v", list)
	}
	if !strings.Contains(log.String(), "panicked") {
		t.Errorf("the log has %q", log.String())
	}
}

// TestCancelled cancels a request whose handler does not end.
func TestCancelled(t *testing.T) {
	const method = "test/endless"
	end := make(chan struct{})
	defer close(end)
	handlers[method] = func(*server, context.Context, *view, json.RawMessage) (any, error) {
		<-end
		return nil, nil
	}
	defer delete(handlers, method)
	c := session(t, nil)
	id := c.send(method, "{}")
	c.notify("$/cancelRequest", fmt.Sprintf(`{"id":%s}`, id))
	if m := c.answer(id); m.Error == nil || m.Error.Code != codeCancelled {
		t.Errorf("got %+v", m)
	}
}

// TestWatched has settings that name other files to watch, once the client tells them.
func TestWatched(t *testing.T) {
	caps := strings.Replace(everything, `"workspace":{`, `"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true},`, 1)
	c := session(t, nil, "", caps)
	c.notify("workspace/didChangeConfiguration", `{"settings":{"tofuwire":{"schemas":"all.json","lint":{"config":"rules.hcl"}}}}`)
	c.until("the second registration", func() bool { return len(c.requests) >= 3 })
	var got []string
	for _, r := range c.requests {
		got = append(got, r.Method)
	}
	if want := []string{"client/registerCapability", "client/unregisterCapability", "client/registerCapability"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if last := string(c.requests[2].Params); !strings.Contains(last, `"**/all.json"`) || !strings.Contains(last, `"**/rules.hcl"`) || strings.Contains(last, ".terraform/**") {
		t.Errorf("got %s", last)
	}
}

// TestHoverValues has values that are known by files of values, and secrets.
func TestHoverValues(t *testing.T) {
	const text = "variable \"v\" {\n  default = 1\n}\n\nvariable \"pw\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n\nlocals {\n  known  = \"${var.v}-x\"\n  secret = \"${var.pw}!\"\n}\n"
	c := session(t, map[string]string{"main.tf": text, "terraform.tfvars": "v = 2\n", "z.auto.tfvars.json": `{"v": 3}`})
	c.open("main.tf")
	for around, want := range map[string]string{"|known  =": "3-x", "|secret =": "sensitive", `variable "|pw"`: "sensitive"} {
		if got := c.call("textDocument/hover", "{"+c.at("main.tf", text, around)+"}"); !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", around, got)
		}
	}
	c.change("main.tf", 2, text+"locals {\n  open = nonsensitive(var.pw)\n}\n")
	if got := c.call("textDocument/hover", "{"+c.at("main.tf", text+"locals {\n  open = nonsensitive(var.pw)\n}\n", "|open =")+"}"); strings.Contains(got, "hunter2") {
		t.Errorf("got %s", got)
	}
}
