// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// rawStates returns the recorded raw states, and some whose order no tool would write.
func rawStates(t *testing.T) map[string][]byte {
	t.Helper()
	packed, err := os.Open(root + "planjson/statefile/testdata/states.zip.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	states := make(map[string][]byte)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".shown.json") {
			continue
		}
		if states[f.Name], err = fs.ReadFile(z, f.Name); err != nil {
			t.Fatal(err)
		}
	}
	if len(states) < 50 {
		t.Fatalf("only %d recordings", len(states))
	}
	resource := func(module, mode, name string, instances ...string) string {
		if module != "" {
			module = fmt.Sprintf(`"module":%q,`, module)
		}
		return fmt.Sprintf(`{%s"mode":%q,"type":"lab_thing","name":%q,"provider":"provider[\"registry.opentofu.org/hashicorp/lab\"]","instances":[%s]}`,
			module, mode, name, strings.Join(instances, ","))
	}
	instance := func(more, id string) string {
		return fmt.Sprintf(`{%s"schema_version":1,"attributes":{"z":%[2]q,"id":%[2]q,"secret":"hunter2-%[2]s"},"sensitive_attributes":[[{"type":"get_attr","value":"secret"}]]}`, more, id)
	}
	states["odd order"] = fmt.Appendf(nil, `{"resources":[%s],"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"l","check_results":[%s],"outputs":{%s}}`,
		strings.Join([]string{
			resource("module.b", "managed", "x", instance(`"index_key":10,`, "b10"), instance(`"index_key":9,`, "b9")),
			resource(`module.a["hunter2-k"].module.c`, "managed", "x", instance(`"index_key":"hunter2-k",`, "k"), instance("", "plain")),
			resource("", "managed", "x", instance(`"deposed":"12345678",`, "old"), instance("", "new")),
			resource("module.b", "data", "x", instance("", "data")),
			resource("module.b", "managed", "x", instance(`"index_key":1,"status":"tainted",`, "b1")),
		}, ","),
		`{"object_kind":"output_value","config_addr":"output.z","status":"pass","objects":[]},`+
			`{"object_kind":"var","config_addr":"var.z","status":"pass","objects":[{"object_addr":"var.z","status":"pass"}]},`+
			`{"object_kind":"later","config_addr":"later.z","status":"pass","objects":[]},`+
			`{"object_kind":"check","config_addr":"check.a","status":"fail","objects":[{"object_addr":"check.a","status":"fail","failure_messages":["b","a"]}]}`,
		`"z":{"value":1,"type":"number"},"a":{"value":{"b":[true]},"type":["object",{"b":["list","bool"]}],"sensitive":true}`)
	return states
}

// TestRawStates compares the rows of raw states with those of what show -json prints of
// them, as package statefile makes it. Their places are in the raw state.
func TestRawStates(t *testing.T) {
	seen := make(map[string]int)
	for name, text := range rawStates(t) {
		f, err := statefile.Decode(text)
		if errors.Is(err, statefile.ErrEncrypted) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		state, err := statefile.Show(f, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		shown, err := planjson.Canonical(state)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, o := range []rows.Options{{Reveal: true}, {}, {KeepUnmarked: true}} {
			d, got, err := read("terraform.tfstate", text, o)
			if err != nil || d.Kind != "state" {
				t.Fatalf("%s: %s, %v", name, d.Kind, err)
			}
			_, want, err := read("shown.json", shown, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(anywhere(want), anywhere(got)); diff != "" {
				t.Errorf("%s, %+v: %s", name, o, diff)
			}
			for _, r := range got {
				seen[r.Relation.Name]++
				fits(t, name, r)
				rawPlace(t, name, text, o.Reveal, r)
			}
		}
	}
	for _, r := range []*rows.Relation{rows.Instances, rows.Resources, rows.Outputs, rows.Checks, rows.Providers, rows.Documents} {
		if seen[r.Name] == 0 {
			t.Errorf("no rows of %s", r.Name)
		}
	}
}

// TestUnfitPaths has paths of sensitive parts that fit no value, or lead into a value of an open
// type.
func TestUnfitPaths(t *testing.T) {
	step := func(name string) string { return `{"type":"get_attr","value":"` + name + `"}` }
	for _, path := range []string{step("open") + "," + step("secret"), step("open") + "," + step("missing"), step("missing")} {
		text := fmt.Appendf(nil, `{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"lab_thing","name":"a",`+
			`"provider":"provider[\"registry.opentofu.org/hashicorp/lab\"]","instances":[{"schema_version":0,"attributes":{"id":"i",`+
			`"open":{"value":{"secret":"hunter2-x/1"},"type":["object",{"secret":"string"}]}},"sensitive_attributes":[[%s]]}]}],"check_results":null}`, path)
		_, got, err := read("terraform.tfstate", text, rows.Options{})
		if err != nil || len(got) == 0 {
			t.Fatalf("%s: %v", path, err)
		}
		if all := fmt.Sprintf("%+v", got); strings.Contains(all, "hunter2-x/1") {
			t.Errorf("%s: %s", path, all)
		}
		if _, got, _ = read("terraform.tfstate", text, rows.Options{Reveal: true}); !strings.Contains(fmt.Sprintf("%+v", got), "hunter2-x/1") {
			t.Errorf("%s: not revealed", path)
		}
	}
}

// anywhere returns rows as sorted texts without documents and places.
func anywhere(list []rows.Row) (texts []string) {
	for _, r := range list {
		cells := slices.Clone(r.Cells)
		for i, c := range r.Relation.Columns {
			switch c.Name {
			case "document", "sha256", "bytes", "offset", "serial", "lineage": // show -json prints neither of the last two
				cells[i] = nil
			}
		}
		texts = append(texts, fmt.Sprintf("%s %q", r.Relation.Name, cells))
	}
	slices.Sort(texts)
	return texts
}

// rawPlace checks that a row's place is that of its object in a raw state.
func rawPlace(t *testing.T, name string, text []byte, revealed bool, r rows.Row) {
	t.Helper()
	at, ok := cell(r, "offset").(int64)
	if !ok {
		return
	}
	object := make(map[string]json.RawMessage)
	if err := json.NewDecoder(bytes.NewReader(text[at:])).Decode(&object); err != nil {
		t.Fatalf("%s: %s at %d: %v", name, r.Relation.Name, at, err)
	}
	same := true
	switch r.Relation {
	case rows.Instances:
		index, _ := cell(r, "key").(string)
		deposed, _ := cell(r, "deposed").(string)
		same = (string(object["index_key"]) == index || !revealed) && strings.Trim(string(object["deposed"]), `"`) == deposed && object["schema_version"] != nil
		if attributes, ok := cell(r, "attributes").(string); ok && revealed && object["attributes"] != nil {
			id := planjson.Value(object["attributes"]).Member("id")
			same = same && id.Equal(planjson.Value(attributes).Member("id"))
		}
	case rows.Outputs:
		same = (cell(r, "sensitive") == true) == (string(object["sensitive"]) == "true") && object["value"] != nil
		if value, ok := cell(r, "value").(string); ok && revealed {
			same = same && planjson.Value(object["value"]).Equal(planjson.Value(value))
		}
	case rows.Checks:
		same = string(object["config_addr"]) == fmt.Sprintf("%q", cell(r, "address"))
	}
	if !same {
		t.Errorf("%s: %s %q is not at %d: %s", name, r.Relation.Name, r.Cells, at, object)
	}
}

// TestRawStateTwice reads raw states with members that occur twice: there are more objects
// than the state has.
func TestRawStateTwice(t *testing.T) {
	const one = `{"mode":"managed","type":"a","name":"b","provider":"provider[\"registry.opentofu.org/hashicorp/a\"]","instances":[{"schema_version":0,"attributes":{"id":"x"}}]}`
	for _, more := range []string{`"resources":[` + one + `],"resources":[]`, `"resources":[` + strings.Replace(one, `"instances"`, `"instances":[{},{}],"instances"`, 1) + `]`} {
		for _, o := range []rows.Options{{}, {Reveal: true}} {
			_, _, err := read("terraform.tfstate", []byte(`{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{},`+more+`,"check_results":null}`), o)
			var fault *rows.Fault
			if !errors.As(err, &fault) || fault.Line != 1 || fault.Offset == 0 || !strings.Contains(fault.Error(), "twice") {
				t.Errorf("%s: %v", more, err)
			}
		}
	}
}
