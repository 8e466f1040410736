// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/planjson"
)

var update = flag.Bool("update", false, "write the golden files")

const root = "../../../../"

// recordings calls f for each document of the recordings that fleet reads.
func recordings(t *testing.T, f func(name string, text []byte)) {
	t.Helper()
	n := 0
	for _, dir := range []string{"planjson/testdata/tofu-1.12.6", "planjson/testdata/terraform-1.11.4", "uijson/testdata/tofu-1.12.6", "lockfile/testdata/tofu-1.12.6", "hclconfig/testdata"} {
		err := filepath.WalkDir(root+dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil {
				n++
				f(filepath.ToSlash(path), text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 300 {
		t.Fatalf("only %d recordings", n)
	}
}

// read returns the rows of a text.
func read(name string, text []byte, o rows.Options) (*rows.Document, []rows.Row, error) {
	d, err := rows.Identify(context.Background(), name, bytes.NewReader(text))
	if err != nil {
		return d, nil, err
	}
	var list []rows.Row
	err = d.Rows(context.Background(), o, func(r rows.Row) error {
		list = append(list, r)
		return nil
	})
	return d, list, err
}

func cell(r rows.Row, column string) any {
	for i, c := range r.Relation.Columns {
		if c.Name == column {
			return r.Cells[i]
		}
	}
	return nil
}

// TestRecordings checks the rows of all recordings: they have the types of their
// columns, and their offsets lead to the objects that they are made of.
func TestRecordings(t *testing.T) {
	seen := make(map[string]int)
	recordings(t, func(name string, text []byte) {
		for _, o := range []rows.Options{{}, {Reveal: true}, {KeepUnmarked: true}} {
			d, list, err := read(name, text, o)
			var fault *rows.Fault
			if errors.Is(err, rows.ErrUnknown) || errors.As(err, &fault) && strings.Contains(name, "broken") {
				return
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			seen["document "+d.Kind]++
			for _, r := range list {
				seen[r.Relation.Name]++
				check(t, name, text, d, r)
			}
		}
	})
	for _, r := range rows.Relations() {
		if seen[r.Name] == 0 && r != rows.Sources && r != rows.Faults {
			t.Errorf("no recording has a row of %s", r.Name)
		}
	}
	for _, kind := range []string{"plan", "state", rows.KindStream, rows.KindLock, rows.KindConfiguration, "config", "validate", "modules"} {
		if seen["document "+kind] == 0 {
			t.Errorf("no recording is a %s", kind)
		}
	}
}

// fits checks that a row has the types of its columns.
func fits(t *testing.T, name string, r rows.Row) {
	t.Helper()
	if len(r.Cells) != len(r.Relation.Columns) {
		t.Fatalf("%s: %d cells for %d columns of %s", name, len(r.Cells), len(r.Relation.Columns), r.Relation.Name)
	}
	for i, c := range r.Relation.Columns {
		good := false
		switch v := r.Cells[i].(type) {
		case nil:
			good = c.Null
		case string:
			good = c.Type == rows.Text || c.Type == rows.Time && len(v) == 24 && v[10] == 'T' || c.Type == rows.JSON && json.Valid([]byte(v))
		case int64:
			good = c.Type == rows.Int
		case bool:
			good = c.Type == rows.Bool
		}
		if !good {
			t.Errorf("%s: %s.%s is %#v", name, r.Relation.Name, c.Name, r.Cells[i])
		}
	}
}

func check(t *testing.T, name string, text []byte, d *rows.Document, r rows.Row) {
	t.Helper()
	fits(t, name, r)
	at, ok := cell(r, "offset").(int64)
	if !ok || r.Relation == rows.Faults {
		return
	}
	if at < 0 || at > int64(len(text)) {
		t.Fatalf("%s: %s at %d of %d bytes", name, r.Relation.Name, at, len(text))
	}
	var object map[string]any
	switch d.Kind {
	case rows.KindLock, rows.KindConfiguration:
		if !bytes.HasPrefix(text[at:], []byte("provider")) && r.Relation == rows.LockEntries {
			t.Errorf("%s: lock entry at %d: %.20q", name, at, text[at:])
		}
		return
	case rows.KindStream:
		if r.Relation != rows.Runs && json.NewDecoder(bytes.NewReader(text[at:])).Decode(&object) != nil && r.Relation != rows.Faults {
			t.Errorf("%s: %s at %d: %.40q", name, r.Relation.Name, at, text[at:])
		}
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(text[at:]))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		t.Fatalf("%s: %s at %d: %.40q: %v", name, r.Relation.Name, at, text[at:], err)
	}
	switch r.Relation {
	case rows.Instances, rows.Drift:
		if object["type"] != cell(r, "type") || object["name"] != cell(r, "name") {
			t.Errorf("%s: %v is at the place of %v", name, r.Cells, object["address"])
		}
	case rows.Outputs:
		if object["sensitive"] != cell(r, "sensitive") {
			t.Errorf("%s: %v is at the place of %v", name, r.Cells, object)
		}
	case rows.Changes:
		if rc, ok := object["resource_change"].(map[string]any); ok {
			object = rc
		}
		if object["type"] != cell(r, "type") || object["name"] != cell(r, "name") {
			t.Errorf("%s: %v is at the place of %v", name, r.Cells, object["address"])
		}
	case rows.Modules:
		if object["source"] != cell(r, "source") {
			t.Errorf("%s: %v is at the place of %v", name, r.Cells, object["source"])
		}
	case rows.Requirements:
		if object["full_name"] != cell(r, "provider") {
			t.Errorf("%s: %v is at the place of %v", name, r.Cells, object["full_name"])
		}
	case rows.Checks:
		if object["status"] != cell(r, "status") {
			t.Errorf("%s: %v is at the place of %v", name, r.Cells, object)
		}
	}
}

// TestAgainstDecode compares the rows of plans and states with the decoded
// documents.
func TestAgainstDecode(t *testing.T) {
	n := 0
	recordings(t, func(name string, text []byte) {
		d, list, err := read(name, text, rows.Options{Reveal: true})
		if err != nil || d.Kind != "plan" && d.Kind != "state" {
			return
		}
		var want, got []string
		resource := func(r *planjson.Resource) {
			want = append(want, fmt.Sprintln("instance", r.Address, r.DeposedKey, r.Tainted, r.Values))
		}
		outputs := func(outputs map[string]*planjson.Output) {
			for name, o := range outputs {
				want = append(want, fmt.Sprintln("output", name, o.Sensitive, notNull(o.Type), notNull(o.Value)))
			}
		}
		if d.Kind == "plan" {
			p, err := planjson.DecodePlan(text)
			if err != nil {
				t.Fatal(err)
			}
			outputs(p.PlannedValues.Outputs)
			for r := range p.PlannedValues.AllResources() {
				resource(r)
			}
			for in, c := range p.AllChanges() {
				switch {
				case in == "resource_drift":
					want = append(want, fmt.Sprintln("drift", c.Address))
				case c.Resource != nil && !(c.Change.Actions.IsNoOp() && c.Resource.PreviousAddress == "" && c.Change.Importing == nil && in == "resource_changes"):
					want = append(want, fmt.Sprintln("change", c.Address, c.Change.Actions.Destroys(), c.Resource.ActionReason))
				}
			}
		} else {
			s, err := planjson.DecodeState(text)
			if err != nil {
				t.Fatal(err)
			}
			for r := range s.AllResources() {
				resource(r)
			}
			if s.Values != nil {
				outputs(s.Values.Outputs)
			}
		}
		for _, r := range list {
			text := func(column string) string { s, _ := cell(r, column).(string); return s }
			switch r.Relation {
			case rows.Instances:
				got = append(got, fmt.Sprintln("instance", text("address"), text("deposed"), cell(r, "tainted"), text("attributes")))
			case rows.Outputs:
				got = append(got, fmt.Sprintln("output", text("name"), cell(r, "sensitive"), text("type"), text("value")))
			case rows.Drift:
				got = append(got, fmt.Sprintln("drift", text("address")))
			case rows.Changes:
				got = append(got, fmt.Sprintln("change", text("address"), cell(r, "destroys"), text("reason")))
			}
		}
		n += len(want)
		order := cmp.Transformer("set", func(list []string) map[string]int {
			m := make(map[string]int)
			for _, s := range list {
				m[s]++
			}
			return m
		})
		if diff := cmp.Diff(want, got, order); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	})
	if n < 500 {
		t.Errorf("only %d objects were compared", n)
	}
}

// notNull returns the text of a value, nothing for null.
func notNull(v planjson.Value) string {
	if v.IsNull() {
		return ""
	}
	return string(v)
}

// TestRedacted checks that rows are the same objects with and without secrets,
// and that secrets are gone.
func TestRedacted(t *testing.T) {
	const secret = "hunter2-and-more-words"
	plan := fmt.Sprintf(`{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{"resources":[
{"address":"a_b.c[\"%[2]s\"]","mode":"managed","type":"a_b","name":"c","index":%[1]q,"provider_name":"registry.opentofu.org/x/a","schema_version":0,"values":{"password":%[1]q,"note":"is %[2]s"},"sensitive_values":{"password":true}}]}},
"resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"registry.opentofu.org/x/a","change":{"actions":["update"],"before":{"password":"old","note":"x"},"after":{"password":%[1]q,"note":"is %[2]s"},"after_unknown":{},"before_sensitive":{"password":true},"after_sensitive":{"password":true}}}],
"configuration":{"provider_config":{"a":{"name":"a","full_name":"registry.opentofu.org/x/a","version_constraint":"~> 1.0"}},"root_module":{"module_calls":{"m":{"source":"git::https://user:%[2]s@example.com/m.git?ref=v1&token=%[2]s","module":{}}}}},
"checks":[{"address":{"kind":"check","name":"k","to_display":"check.k"},"status":"fail","instances":[{"address":{"to_display":"check.k"},"status":"fail","problems":[{"message":"it is %[2]s"}]}]}],
"timestamp":"2026-11-01T10:00:00Z","errored":false}`, secret, secret)
	state := fmt.Sprintf(`{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":true,"value":{"p":%[1]q},"type":["object",{"p":"string"}]}},"root_module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"p","schema_version":1,"values":{"s":%[1]q},"sensitive_values":{"s":true}}]}}}`, secret)
	stream := fmt.Sprintf(`{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":"2026-11-01T10:00:00.000000Z","tofu":"1.12.6","type":"version","ui":"1.2"}
{"@level":"error","@message":"Error: x","@module":"tofu.ui","@timestamp":"2026-11-01T10:00:01.000000Z","diagnostic":{"severity":"error","summary":"x","detail":"it is %s"},"type":"diagnostic"}
`, secret)
	for name, text := range map[string]string{"plan.json": plan, "state.json": state, "run.jsonl": stream} {
		_, open, err := read(name, []byte(text), rows.Options{Reveal: true})
		if err != nil {
			t.Fatal(err)
		}
		_, hidden, err := read(name, []byte(text), rows.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// A sensitive attribute is the same on both sides when it is redacted.
		open = slices.DeleteFunc(open, func(r rows.Row) bool { return r.Relation == rows.ChangedAttributes && cell(r, "path") == "password" })
		if len(open) != len(hidden) {
			t.Fatalf("%s: %d rows, redacted %d", name, len(open), len(hidden))
		}
		shown := 0
		for _, r := range open {
			shown += bytes.Count(r.AppendText(nil), []byte(secret))
		}
		for i := range open {
			if open[i].Relation != hidden[i].Relation || cell(open[i], "offset") != cell(hidden[i], "offset") {
				t.Errorf("%s: %v, redacted %v", name, open[i].Cells, hidden[i].Cells)
			}
			if line := hidden[i].AppendText(nil); bytes.Contains(line, []byte(secret)) {
				t.Errorf("%s: the secret is in %s", name, line)
			}
		}
		if shown == 0 {
			t.Errorf("%s: the secret is nowhere even when revealed", name)
		}
	}
}

// TestAddresses checks the module and the resource of addresses that follow each
// other, each of which must have what it has alone.
func TestAddresses(t *testing.T) {
	addresses := []string{"a_b.c[0]", "a_b.c[1]", "a_b.c[10]", "a_b.c[01]", "a_b.c", "module.m[0].a_b.c[2]", "module.m[1].a_b.c[2]", "module.m[1].a_b.c[3]", `module.m["x"].a_b.c["4"]`,
		`module.m["x"].a_b.c["5"]`, "data.a_b.c[1]", "a_b.c[2]", "[1]", "[2]", "a_b.[3]", "a_b.c[]", "a_b.c[1]]", "a_b.c[1234567890123]", "a_b.c[2234567890123]", "1]", "]", ""}
	text := func(list []string) []byte {
		var b strings.Builder
		for i, a := range list {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, `{"address":%q,"mode":"managed","type":"a_b","name":"c","provider_name":"p","schema_version":0,"values":{},"sensitive_values":{}}`, a)
		}
		return fmt.Appendf(nil, `{"format_version":"1.0","values":{"root_module":{"resources":[%s]}}}`, b.String())
	}
	modules := func(list []string) (modules []any, resources map[any]int64) {
		_, all, err := read("state.json", text(list), rows.Options{Reveal: true})
		if err != nil {
			t.Fatal(err)
		}
		resources = make(map[any]int64)
		for _, r := range all {
			switch r.Relation {
			case rows.Instances:
				modules = append(modules, cell(r, "module"))
			case rows.Resources:
				resources[cell(r, "address")] += cell(r, "instances").(int64)
			}
		}
		return modules, resources
	}
	got, gotResources := modules(addresses)
	want, wantResources := []any(nil), make(map[any]int64)
	for _, a := range addresses {
		alone, resources := modules([]string{a})
		want = append(want, alone...)
		for name, n := range resources {
			wantResources[name] += n
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modules (-alone +together):\n%s", diff)
	}
	if diff := cmp.Diff(wantResources, gotResources); diff != "" {
		t.Errorf("resources (-alone +together):\n%s", diff)
	}
	if len(got) != len(addresses) || got[5] != "module.m[0]" || got[8] != `module.m["x"]` {
		t.Errorf("%d modules: %q", len(got), got)
	}
}

// pieces reads n bytes at once at most.
type pieces struct {
	*bytes.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.Reader.Read(b[:min(len(b), p.n)]) }

// TestPieces reads a state whose skipped values have quotes and backslashes at
// all places, in pieces of all lengths: the offsets are the same.
func TestPieces(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"format_version":"1.0","values":{"root_module":{"resources":[`)
	for i, s := range []string{``, `\\`, `\"`, `\\\"`, `a\\\\`, `]}`, `\\]}`, `\"]}`, `{[`, `é\u005c\"`} {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"address":"a_b.c[%d]","mode":"managed","type":"a_b","name":"c","provider_name":"p","schema_version":0,"values":{"x%s":["%[2]s",{"%[2]s":[]}]},"sensitive_values":{}}`, i, s)
	}
	b.WriteString(`]}}}`)
	text := []byte(b.String())
	var want []any
	for at := 0; ; at++ {
		next := bytes.Index(text[at:], []byte(`{"address"`))
		if next < 0 {
			break
		}
		at += next
		want = append(want, int64(at))
	}
	for n := 1; n <= len(text); n++ {
		d, err := rows.Identify(context.Background(), "state.json", pieces{bytes.NewReader(text), n})
		if err != nil {
			t.Fatal(n, err)
		}
		var got []any
		err = d.Rows(context.Background(), rows.Options{Reveal: true}, func(r rows.Row) error {
			if r.Relation == rows.Instances {
				got = append(got, cell(r, "offset"))
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("in pieces of %d bytes the offsets are %v, want %v: %v", n, got, want, err)
		}
	}
}

// TestGolden compares the rows of some recordings with files.
func TestGolden(t *testing.T) {
	for name, path := range map[string]string{
		"plan":   "planjson/testdata/tofu-1.12.6/checks/plan.errored.json",
		"drift":  "planjson/testdata/tofu-1.12.6/drift/plan.json",
		"state":  "planjson/testdata/tofu-1.12.6/apply-trouble/state.deposed.json",
		"config": "planjson/testdata/tofu-1.12.6/registry-modules/show-config.json",
		"stream": "uijson/testdata/tofu-1.12.6/apply-trouble/apply.failures.jsonl",
	} {
		text, err := os.ReadFile(root + path)
		if err != nil {
			t.Fatal(err)
		}
		_, list, err := read(path, text, rows.Options{KeepUnmarked: true})
		if err != nil {
			t.Fatal(name, err)
		}
		var got []byte
		for _, r := range list {
			got = r.AppendText(got)
		}
		golden := "testdata/" + name + ".rows"
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFaults has documents with faults. None of their rows may be kept, and the
// place must be that in the document.
func TestFaults(t *testing.T) {
	plan := `{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[{"address":"a.b","type":"a","name":"b","change":{"actions":["create"]}}]`
	for _, tt := range []struct{ name, text, line, what string }{
		{"plan.json", plan, "line 1, column 153", "unexpected end of JSON text"},
		{"plan.json", plan + ",\n\"checks\":5}", "line 2, column 10", "expected an array"},
		{"plan.json", plan + ",\n\"checks\":[{},{\"status\":7}]}", "line 2, column 24", "expected a string"},
		{"plan.json", plan + ",\n\"timestamp\":5}", "line 2, column 13", "expected a string"},
		{"plan.json", plan + ",\n" + `"resource_changes":[]}`, "line 2, column", "duplicate member"},
		{"plan.json", plan + ",\n" + `"configuration":{"root_module":{"resources":[{"address":1}]}}}`, "line 2, column 57", "expected a string, found a number"},
		{"plan.json", strings.Replace(plan, `"1.2"`, `"9.0"`, 1) + "}", "", `unsupported format version "9.0"`},
		{"state.json", `{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","values":{"x":nul}}]}}}`, "line 1, column 97", "invalid literal"},
		{"terraform.tfstate", `{"version":2,"lineage":"x","serial":1,"modules":[]}`, "line 1, column 12 (/version)", "unsupported version"},
		{".terraform.lock.hcl", "provider \"registry.opentofu.org/a/b\" {\n  version = \n}\n", "line 2, column 13", "expression"},
		{"main.tf", "resource \"a\" \"b\" {\n", "line 1, column 18", "block"},
		{"validate.json", `{"format_version":"1.0","valid":true,"error_count":0,"warning_count":0,"diagnostics":[{"severity":1}]}`, "line 1, column 99 (/diagnostics/0/severity)", "expected a string"},
	} {
		for _, o := range []rows.Options{{}, {Reveal: true}} {
			d, err := rows.Identify(context.Background(), tt.name, strings.NewReader(tt.text))
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			n := 0
			err = d.Rows(context.Background(), o, func(rows.Row) error { n++; return nil })
			var fault *rows.Fault
			if !errors.As(err, &fault) || !strings.Contains(err.Error(), tt.line) || !strings.Contains(err.Error(), tt.what) {
				t.Errorf("%s %+v: %v, want %s: %s", tt.name, o, err, tt.line, tt.what)
				continue
			}
			if !o.Reveal && n > 0 {
				t.Errorf("%s: %d rows before the fault %v", tt.name, n, err)
			}
			broken := d.Broken(fault)
			if len(broken) != 2 || cell(broken[0], "complete") != false || cell(broken[1], "message") != fault.Err.Error() {
				t.Errorf("%s: rows %v", tt.name, broken)
			}
			for _, r := range broken {
				check(t, tt.name, []byte(tt.text), d, r)
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	for name, text := range map[string]string{
		"README.md": "# Read me\n", "empty": "", "package.json": `{"name":"x","version":"1"}`, "list.json": `[1,2]`, "x.json": `{`, "main.tf.bak": "a {}\n", "binary": "\x00\x01\x02",
	} {
		if d, err := rows.Identify(context.Background(), name, strings.NewReader(text)); !errors.Is(err, rows.ErrUnknown) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

// TestKindByContent gives documents names that say nothing.
func TestKindByContent(t *testing.T) {
	n := 0
	recordings(t, func(name string, text []byte) {
		d, err := rows.Identify(context.Background(), name, bytes.NewReader(text))
		if err != nil || d.Kind == rows.KindConfiguration {
			return
		}
		other, err := rows.Identify(context.Background(), "document", bytes.NewReader(text))
		if d.Kind == rows.KindLock && !bytes.Contains(text, []byte("hashes")) {
			return // nothing in it says that it is one
		}
		if n++; err != nil || other.Kind != d.Kind || other.ID != d.ID {
			t.Errorf("%s is a %s; by content alone: %v, %v", name, d.Kind, other, err)
		}
	})
	if n < 100 {
		t.Errorf("only %d documents", n)
	}
}

// counting counts the bytes read.
type counting struct {
	io.ReadSeeker
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.ReadSeeker.Read(p)
	c.n += int64(n)
	return n, err
}

// TestProportion doubles a document: the bytes read and the rows double as well.
func TestProportion(t *testing.T) {
	work := func(resources int) (bytes, n int64) {
		text := plan(resources)
		c := &counting{ReadSeeker: strings.NewReader(text)}
		d, err := rows.Identify(context.Background(), "plan.json", c)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Rows(context.Background(), rows.Options{}, func(rows.Row) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		if c.n > 5*int64(len(text)) {
			t.Errorf("%d bytes were read of %d", c.n, len(text))
		}
		return c.n, n
	}
	bytes1, rows1 := work(1000)
	bytes2, rows2 := work(2000)
	if rows2 < 19*rows1/10 || rows2 > 2*rows1 || bytes2 > 22*bytes1/10 {
		t.Errorf("%d bytes and %d rows for the half, %d and %d for the whole", bytes1, rows1, bytes2, rows2)
	}
}

// plan returns a plan of many resources.
func plan(resources int) string {
	var planned, changes strings.Builder
	for i := range resources {
		if i > 0 {
			planned.WriteString(",")
			changes.WriteString(",")
		}
		fmt.Fprintf(&planned, `{"address":"a_b.c[%d]","mode":"managed","type":"a_b","name":"c","index":%[1]d,"provider_name":"registry.opentofu.org/x/a","schema_version":0,"values":{"n":%[1]d},"sensitive_values":{}}`, i)
		fmt.Fprintf(&changes, `{"address":"a_b.c[%d]","mode":"managed","type":"a_b","name":"c","index":%[1]d,"provider_name":"registry.opentofu.org/x/a","change":{"actions":["update"],"before":{"n":0},"after":{"n":%[1]d},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}`, i)
	}
	return `{"format_version":"1.2","planned_values":{"root_module":{"resources":[` + planned.String() + `]}},"resource_changes":[` + changes.String() + `],"configuration":{"root_module":{}}}`
}

// TestCancel ends the reading of a document in its middle.
func TestCancel(t *testing.T) {
	for _, o := range []rows.Options{{}, {Reveal: true}} {
		ctx, cancel := context.WithCancel(context.Background())
		d, err := rows.Identify(ctx, "plan.json", strings.NewReader(plan(5000)))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = d.Rows(ctx, o, func(rows.Row) error {
			if n++; n == 10 {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || n > 9000 {
			t.Errorf("%+v: %v after %d rows", o, err, n)
		}
		if _, err := rows.Identify(ctx, "plan.json", strings.NewReader(plan(10))); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	stop := errors.New("stop")
	d, err := rows.Identify(context.Background(), "plan.json", strings.NewReader(plan(5000)))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Rows(context.Background(), rows.Options{}, func(rows.Row) error { return stop }); err != stop {
		t.Error(err)
	}
}
