// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/uijson"
)

// recordings returns the recordings of real tools, by name.
func recordings(t testing.TB) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") || strings.Contains(path, "render") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel("testdata", path)
		all[filepath.ToSlash(name)] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d recordings", len(all))
	}
	return all
}

func recording(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// messages calls f with each line of a recording that is a message.
func messages(text []byte, f func(line []byte)) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"@level"`)) {
			f(line)
		}
	}
}

// The law: what was not changed comes back byte for byte.
func TestRoundTripRecordings(t *testing.T) {
	for name, text := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			messages(text, func(line []byte) {
				m := decode(t, line)
				if got := encode(t, m); !bytes.Equal(got, line) {
					t.Errorf("not lossless:\n in  %s out %s", line, got)
				}
				if got := encode(t, uijson.Clone(m)); !bytes.Equal(got, line) {
					t.Errorf("clone is not lossless:\n in  %s out %s", line, got)
				}
				if p := m.Problems(); p != nil {
					t.Errorf("problems: %v in %s", p, line)
				}
				for name := range uijson.Extra(m) {
					t.Errorf("extra member %q in %s", name, line)
				}
			})
		})
	}
}

func decode(t testing.TB, line []byte) *uijson.Message {
	t.Helper()
	m, err := uijson.Decode(bytes.Clone(line))
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return m
}

func encode(t testing.TB, m *uijson.Message) []byte {
	t.Helper()
	out, err := uijson.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Members that the package does not know survive in every object.
func TestInjection(t *testing.T) {
	for name, text := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			messages(text, func(line []byte) {
				injected := inject(line)
				m := decode(t, injected)
				if got := encode(t, m); !bytes.Equal(got, injected) {
					t.Fatalf("not lossless:\n in  %s out %s", injected, got)
				}
				for name, v := range uijson.Extra(m) {
					if name != "x-<\u2028>" || v.String() != `[1.0, null]` {
						t.Errorf("extra %q = %s", name, v)
					}
				}
				// An edit leaves them alone as well.
				m.Text += "!"
				edited := encode(t, m)
				if n := bytes.Count(injected, []byte(`"x-<`)); bytes.Count(edited, []byte(`"x-<`)) != n {
					t.Fatalf("an edit lost extra members:\n in  %s out %s", injected, edited)
				}
			})
		})
	}
}

// inject puts one more member at the beginning of every object.
func inject(line []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		out = append(out, c)
		switch {
		case inString && c == '\\':
			i++
			out = append(out, line[i])
		case c == '"':
			inString = !inString
		case c == '{' && !inString:
			out = append(out, `"x-<\u2028>" : [1.0, null]`...)
			if line[i+1] != '}' {
				out = append(out, " , "...)
			}
		}
	}
	return out
}

// longest are the characters that some tools write as an escape, of which the longest is \u003c.
var longest = regexp.MustCompile("[<>&]")

// A change of one field changes the bytes of its member alone, and taking it
// back gives the line again.
func TestEditLocality(t *testing.T) {
	edits := 0
	for _, text := range recordings(t) {
		messages(text, func(line []byte) {
			m := decode(t, line)
			eachScalar(reflect.ValueOf(m).Elem(), func(v reflect.Value) {
				old := reflect.ValueOf(v.Interface())
				size := len("false") // of the old value at most, in the line
				switch v.Kind() {
				case reflect.String:
					size = len(strconv.QuoteToASCII(longest.ReplaceAllString(v.String(), "u003cx")))
					v.SetString(v.String() + "'edited'")
				case reflect.Int, reflect.Int64:
					size = 20
					v.SetInt(v.Int() + 1234567)
				case reflect.Slice:
					size = v.Len()
					v.SetBytes([]byte(`["edited"]`))
				case reflect.Bool:
					v.SetBool(!v.Bool())
				}
				edits++
				edited := encode(t, m)
				if bytes.Equal(edited, line) {
					t.Fatalf("an edit of %v had no effect on %s", v, line)
				}
				if n := changed(line, edited); n > size {
					t.Fatalf("an edit of %v changed %d bytes, of which %d are its own:\n in  %s out %s", v, n, size, line, edited)
				}
				if got := encode(t, decode(t, edited)); !bytes.Equal(got, edited) {
					t.Fatalf("the edited line is not read well: %s", edited)
				}
				v.Set(old)
				if got := encode(t, m); !bytes.Equal(got, line) {
					t.Fatalf("an edit taken back is seen:\n in  %s out %s", line, got)
				}
			})
		})
	}
	if edits < 20000 {
		t.Errorf("only %d edits", edits)
	}
}

// changed returns how many bytes of in are not in the common beginning and end
// of in and out.
func changed(in, out []byte) int {
	a := 0
	for a < len(in) && a < len(out) && in[a] == out[a] {
		a++
	}
	z := 0
	for z < len(in)-a && z < len(out)-a && in[len(in)-1-z] == out[len(out)-1-z] {
		z++
	}
	return len(in) - a - z
}

// eachScalar calls f for each field that is set and is no container.
func eachScalar(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachScalar(v.Elem(), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachScalar(v.Field(i), f)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if !v.IsNil() {
				f(v)
			}
			return
		}
		for i := range v.Len() {
			eachScalar(v.Index(i), f)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			eachScalar(v.MapIndex(k), f)
		}
	default:
		if v.CanSet() && !v.IsZero() {
			f(v)
		}
	}
}

// A message that is made anew is written as OpenTofu writes it: the same
// members, in the same order, with the same escaping.
func TestCanonicalForm(t *testing.T) {
	for name, text := range recordings(t) {
		if !strings.HasPrefix(name, "tofu-1.12") {
			continue // older releases do not count forgotten objects
		}
		messages(text, func(line []byte) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			m := decode(t, line)
			fresh := new(uijson.Message)
			copyFields(reflect.ValueOf(fresh).Elem(), reflect.ValueOf(m).Elem())
			if bytes.Contains(line, []byte(`\ufffd`)) {
				return // a byte that was not UTF-8 cannot be written again
			}
			if got := encode(t, fresh); !bytes.Equal(got, line) {
				t.Errorf("%s:\n in  %s\n out %s", name, line, got)
			}
		})
	}
}

// copyFields copies the exported fields of a struct, deeply.
func copyFields(dst, src reflect.Value) {
	switch src.Kind() {
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			copyFields(dst.Elem(), src.Elem())
		}
	case reflect.Struct:
		for i := range src.NumField() {
			if src.Type().Field(i).IsExported() {
				copyFields(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Slice:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			copyFields(dst.Index(i), src.Index(i))
		}
	case reflect.Map:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeMap(src.Type()))
		for _, k := range src.MapKeys() {
			v := reflect.New(src.Type().Elem()).Elem()
			copyFields(v, src.MapIndex(k))
			dst.SetMapIndex(k, v)
		}
	default:
		dst.Set(src)
	}
}

// Every type of the catalogue has a constant, and the payloads of all of them
// are read into fields. The lines follow the catalogue of members.
func TestCatalogue(t *testing.T) {
	const res = `{"addr":"module.m.a_b.c[\"k<\"]","module":"module.m","resource":"a_b.c[\"k<\"]","implied_provider":"a","resource_type":"a_b","resource_name":"c","resource_key":"k\u003c"}`
	const act = `{"addr":"action.a_b.c","module":"","action":"action.a_b.c","implied_provider":"a","action_type":"a_b","action_name":"c","action_key":null}`
	const rng = `{"filename":"main.tf","start":{"line":1,"column":2,"byte":1},"end":{"line":1,"column":3,"byte":2}}`
	const snip = `{"context":null,"code":"x","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[]}`
	const meta = `{"policy_set_name":"s","policy_set_path":"p","policy_name":"n","file_name":"f","enforcement_level":"e","enforce_index":0}`
	const diag = `{"severity":"error","summary":"s","detail":"","address":"a","range":` + rng + `,"snippet":` + snip + `}`
	tests := []struct{ typ, before, after string }{
		{"version", `"terraform":"1.15.0",`, `,"ui":"1.3"`},
		{"version", `"tofu":"1.12.6",`, `,"ui":"1.2"`},
		{"log", ``, ``},
		{"log", `"state":{"version":4},`, ``},
		{"diagnostic", `"diagnostic":` + diag + `,`, ``},
		{"diagnostic", `"diagnostic":{"severity":"warning","summary":"s","detail":"d","difference":{"before":1.50,"after":[1],"after_unknown":false,"before_sensitive":true,"after_sensitive":false}},`, ``},
		{"diagnostic", `"diagnostic":{"severity":"warning","summary":"s","detail":"d","deprecation_origin_description":"o","policy_range":` + rng + `,"policy_snippet":{"context":"x","code":"","start_line":1,"highlight_start_offset":0,"highlight_end_offset":0,"values":[{"traversal":"a","statement":"is 1"}],"function_call":{"called_as":"f","signature":{"name":"f","params":[{"name":"p","type":"string","description":"d","description_kind":"plain"}],"variadic_param":{"name":"v","type":["list","dynamic"]},"return_type":"bool"}},"test_assertion_expr":{"lhs":"1","rhs":"2","warning":"","show_verbose":false}}},`, ``},
		{"drift_summary", `"changes":{"add":0,"change":1,"remove":0,"operation":"plan"},`, ``},
		{"resource_drift", `"change":{"resource":` + res + `,"action":"update"},`, ``},
		{"planned_change", `"change":{"resource":` + res + `,"previous_resource":` + res + `,"action":"replace","reason":"cannot_update","importing":{"id":"x","identity":{"b":1,"a":2}},"generated_config":"x"},`, ``},
		{"planned_action_invocation", `"invocation":{"action_addr":` + act + `,"lifecycle_trigger":{"triggering_resource":` + res + `,"triggering_event":"AfterCreate","action_trigger_block_index":0,"actions_list_index":1,"on_failure":"ActionOnFailureHalt"}},`, ``},
		{"planned_action_invocation", `"invocation":{"action_addr":` + act + `,"action_trigger":{}},`, ``},
		{"applied_action_invocation", `"invocation":{"action_addr":` + act + `},`, ``},
		{"change_summary", `"changes":{"add":1,"change":2,"import":3,"remove":4,"forget":5,"operation":"apply"},`, ``},
		{"change_summary", `"changes":{"add":1,"change":2,"import":3,"remove":4,"action_invocation":5,"action_fail":6,"operation":"destroy"},`, ``},
		{"outputs", `"outputs":{"a":{"sensitive":false,"deprecated":"x","type":["object",{"x":"number"},["x"]],"value":{"x":12345678901234567890.5}},"b":{"sensitive":true,"action":"create"}},`, ``},
		{"apply_start", `"hook":{"resource":` + res + `,"action":"create","id_key":"id","id_value":"1"},`, ``},
		{"apply_progress", `"hook":{"resource":` + res + `,"action":"create","elapsed_seconds":10},`, ``},
		{"apply_complete", `"hook":{"resource":` + res + `,"action":"update","id_key":"id","id_value":"1","elapsed_seconds":-1},`, ``},
		{"apply_errored", `"hook":{"resource":` + res + `,"action":"delete","elapsed_seconds":0},`, ``},
		{"provision_start", `"hook":{"resource":` + res + `,"provisioner":"local-exec"},`, ``},
		{"provision_progress", `"hook":{"resource":` + res + `,"provisioner":"local-exec","output":"\u001b[1m"},`, ``},
		{"provision_complete", `"hook":{"resource":` + res + `,"provisioner":"local-exec"},`, ``},
		{"provision_errored", `"hook":{"resource":` + res + `,"provisioner":"local-exec"},`, ``},
		{"refresh_start", `"hook":{"resource":` + res + `,"id_key":"id","id_value":"1"},`, ``},
		{"refresh_complete", `"hook":{"resource":` + res + `},`, ``},
		{"ephemeral_op_start", `"hook":{"resource":` + res + `,"action":"open"},`, ``},
		{"ephemeral_op_progress", `"hook":{"resource":` + res + `,"action":"renew","elapsed_seconds":1},`, ``},
		{"ephemeral_op_complete", `"hook":{"resource":` + res + `,"action":"close","elapsed_seconds":1},`, ``},
		{"ephemeral_op_errored", `"hook":{"resource":` + res + `,"action":"open","elapsed_seconds":1},`, ``},
		{"ephemeral_action_started", `"hook":{"resource":` + res + `,"Msg":"Opening..."},`, ``},
		{"ephemeral_action_complete", `"hook":{"resource":` + res + `,"Msg":"Close complete"},`, ``},
		{"action_start", `"hook":{"action":` + act + `,"lifecycle":{"resource":` + res + `,"trigger_index":0,"actions_index":1,"trigger_event":"BeforeCreate","on_failure":"x"}},`, ``},
		{"action_progress", `"hook":{"action":` + act + `,"message":"m","invoke":{}},`, ``},
		{"action_complete", `"hook":{"action":` + act + `},`, ``},
		{"action_errored", `"hook":{"action":` + act + `,"error":"e"},`, ``},
		{"test_abstract", `"test_abstract":{"a.tftest.hcl":["x","y"],"b.tftest.hcl":null},`, ``},
		{"test_file", `"test_file":{"path":"p","progress":"starting"},`, ``},
		{"test_run", `"test_run":{"path":"p","run":"r","progress":"running","elapsed":2001},`, ``},
		{"test_plan", `"test_plan":{"format_version":"1.2"},`, ``},
		{"test_state", `"test_state":{"state_format_version":"1.0"},`, ``},
		{"test_cleanup", `"test_cleanup":{"failed_resources":[{"instance":"a.b","deposed_key":"0123"}],"skipped_resources":[{"instance":"a.c"}]},`, ``},
		{"test_interrupt", `"test_interrupt":{"state":[{"instance":"a.b"}],"states":{"r":[{"instance":"a.c"}]},"planned":["a.d"]},`, ``},
		{"test_summary", `"test_summary":{"status":"pass","passed":1,"failed":0,"errored":0,"skipped":0},`, ``},
		{"test_status", `"test_status":{"status":"pass","duration":1.25},`, ``},
		{"test_retry", ``, ``},
		{"state_lock_acquire", ``, ``},
		{"state_lock_release", ``, ``},
		{"init_output", `"message_code":"initializing_backend_message",`, ``},
		{"output", ``, ``},
		{"list_start", `"list_start":{"address":"list.a.b","resource_type":"a","input_config":{"z":1,"a":2},"sensitive_attribute_paths":["a.b"]},`, ``},
		{"list_resource_found", `"list_resource_found":{"address":"list.a.b","display_name":"d","identity":null,"identity_version":1,"resource_type":"a","resource_object":{"z":1},"config":"c","import_config":"i"},`, ``},
		{"list_complete", `"list_complete":{"address":"list.a.b","resource_type":"a","total":3},`, ``},
		{"policy_info", `"policy_info":{"message":"m","policy_range":` + rng + `,"policy_snippet":` + snip + `,"range":` + rng + `,"snippet":` + snip + `},"policy_metadata":` + meta + `,"result":"AllowResult","target_address":"a.b",`, ``},
		{"policy_diagnostic", `"policy_diagnostic":` + diag + `,`, ``},
		{"policy_result", `"policy_address":"p","policy_metadata":` + meta + `,"result":"DenyResult","target_address":"a.b",`, ``},
		{"policy_query_summary", `"list_block_address":"list.a.b","overall_result":"fail","passed_policies":1,"results":[{"identity":{"x":1},"target_address":"a.b","result":"pass","policies":[{"policy_metadata":` + meta + `,"diagnostics":[` + diag + `],"result":"pass"}]}],`, ``},
		{"migration_errored", `"failure_mode":"error_during_migration",`, ``},
		{"workspace_list", `"current_workspace":"default",`, `,"workspaces":["default","x"]`},
		{"resource_address", ``, ``},
		{"replace_provider", `"from":"a/b/c","resources":["a.b"],"to":"a/b/d",`, ``},
	}
	for _, plain := range strings.Fields(`state_store_provider_installation_start provider_interactive_approval
		provider_interactive_rejection provider_automatic_approval provider_installation_start
		provider_query_use_previous_version provider_query_use_constraints provider_query_use_latest
		provider_version_already_installed provider_version_found_in_cache_dir provider_version_installation_start
		provider_version_installation_complete built_in_provider_available third_party_providers_installed
		provider_lockfile_created provider_lockfile_updated migration_start migration_complete migration_finalized
		migration_source_initialization_start migration_source_initialization_complete
		migration_destination_initialization_start migration_destination_initialization_complete`) {
		tests = append(tests, struct{ typ, before, after string }{plain, ``, ``})
	}
	seen := map[string]bool{}
	for _, test := range tests {
		seen[test.typ] = true
		line := []byte(`{"@level":"info","@message":"m","@module":"tofu.ui","@policy":"true","@testfile":"f","@testrun":"r","@timestamp":"2026-01-02T03:04:05.000000Z",` +
			test.before + `"type":"` + test.typ + `"` + test.after + "}\n")
		m := decode(t, line)
		if m.Type != uijson.Type(test.typ) {
			t.Errorf("type %q read as %q", test.typ, m.Type)
		}
		if p := m.Problems(); p != nil {
			t.Errorf("%s: %v", test.typ, p)
		}
		eachObject(reflect.ValueOf(m), func(o uijson.Object) {
			for name := range uijson.Extra(o) {
				t.Errorf("%s: no field for member %q of %T", test.typ, name, o)
			}
		})
		if got := encode(t, m); !bytes.Equal(got, line) {
			t.Errorf("%s:\n in  %s out %s", test.typ, line, got)
		}
		// Written anew, the members come in the same order.
		fresh := new(uijson.Message)
		copyFields(reflect.ValueOf(fresh).Elem(), reflect.ValueOf(m).Elem())
		if strings.HasPrefix(test.typ, "action_") || m.Changes != nil && !bytes.Contains(line, []byte("forget")) {
			continue // the action is no field; a summary of another tool
		}
		if diff := cmp.Diff(string(bytes.TrimSpace(line)), string(encode(t, fresh))); diff != "" {
			t.Errorf("%s written anew (-tool +ours):\n%s", test.typ, diff)
		}
	}
	listed := typesListed(t)
	for typ := range seen {
		if _, ok := listed[typ]; !ok {
			t.Errorf("testdata/types.txt lacks %s", typ)
		}
	}
	if len(seen) != 78 || len(listed) != len(seen) {
		t.Errorf("%d types, of which testdata/types.txt has %d, want 78", len(seen), len(listed))
	}
}

// typesListed returns what testdata/types.txt says of each type: the name of a
// recording, or "" if there is none.
func typesListed(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[1] != "seen" && f[1] != "never" || f[2] == "" {
			t.Fatalf("types.txt: %q", line)
		}
		if _, twice := listed[f[0]]; twice {
			t.Errorf("types.txt has %s twice", f[0])
		}
		listed[f[0]] = ""
		if f[1] == "seen" {
			listed[f[0]] = f[2]
		}
	}
	return listed
}

// The list of types says rightly which were seen in the output of a tool.
func TestTypesSeen(t *testing.T) {
	listed := typesListed(t)
	seen := map[string]map[string]bool{} // the recordings by type
	for name, text := range recordings(t) {
		messages(text, func(line []byte) {
			typ := string(decode(t, line).Type)
			if seen[typ] == nil {
				seen[typ] = map[string]bool{}
			}
			seen[typ][name] = true
		})
	}
	n := 0
	for typ, name := range listed {
		switch {
		case name == "" && len(seen[typ]) > 0:
			t.Errorf("%s is listed as never seen, and is in %v", typ, seen[typ])
		case name != "" && !seen[typ][name]:
			t.Errorf("%s is not in %s", typ, name)
		case name != "":
			n++
		}
	}
	for typ := range seen {
		if _, ok := listed[typ]; !ok && typ != "" {
			t.Errorf("types.txt lacks %s", typ)
		}
	}
	if n < 47 {
		t.Errorf("only %d types were seen", n)
	}
}

// eachObject calls f for each object of a message.
func eachObject(v reflect.Value, f func(uijson.Object)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if o, ok := v.Interface().(uijson.Object); ok {
			f(o)
		}
		eachObject(v.Elem(), f)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				field := v.Field(i)
				if field.Kind() == reflect.Struct {
					field = field.Addr()
				}
				eachObject(field, f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachObject(v.Index(i), f)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			eachObject(v.MapIndex(k), f)
		}
	}
}

// What all objects can do.
func TestObjects(t *testing.T) {
	objects := 0
	for name, text := range recordings(t) {
		if !strings.HasPrefix(name, "tofu-1.12.6/") {
			continue
		}
		n := 0
		messages(text, func(line []byte) {
			if n++; n > 40 {
				return
			}
			m := decode(t, line)
			var visit func(v reflect.Value)
			visit = func(v reflect.Value) {
				switch v.Kind() {
				case reflect.Pointer:
					if !v.IsNil() {
						visit(v.Elem())
					}
					return
				case reflect.Slice:
					for i := range v.Len() {
						visit(v.Index(i))
					}
					return
				case reflect.Map:
					for _, k := range v.MapKeys() {
						visit(v.MapIndex(k))
					}
					return
				case reflect.Struct:
				default:
					return
				}
				objects++
				o := v.Addr().Interface().(uijson.Object)
				fresh := func() uijson.Object { return reflect.New(v.Type()).Interface().(uijson.Object) }
				clone := uijson.Clone(o)
				if !uijson.Equal(o, clone) || uijson.Equal(o, fresh()) || uijson.Equal(o, nil) {
					t.Fatalf("%s: Equal of %T", name, o)
				}
				if line, column, ok := uijson.Position(o); line != 1 || column < 1 || !ok {
					t.Fatalf("%s: Position of %T: %d, %d, %v", name, o, line, column, ok)
				}
				if _, _, ok := uijson.Position(fresh()); ok {
					t.Fatalf("%s: Position of a new %T", name, o)
				}
				text, err := o.MarshalJSON()
				again := fresh()
				if err2 := again.UnmarshalJSON(text); err != nil || err2 != nil || !uijson.Equal(o, again) {
					t.Fatalf("%s: %T through JSON: %v, %v", name, o, err, err2)
				}
				if err := uijson.SetExtra(clone, "x", uijson.Value("1")); err != nil || uijson.Equal(o, clone) {
					t.Fatalf("%s: SetExtra of %T: %v", name, o, err)
				}
				none := reflect.Zero(reflect.PointerTo(v.Type())).Interface().(uijson.Object)
				if err := uijson.SetExtra(none, "x", nil); uijson.Clone(none) != nil || !errors.Is(err, uijson.ErrAbsent) || !uijson.Equal(none, nil) {
					t.Fatalf("%s: a nil %T: %v", name, o, err)
				}
				for name := range uijson.Extra(none) {
					t.Fatalf("a nil %T has a member %s", o, name)
				}
				for i := range v.NumField() {
					if f := v.Type().Field(i); f.IsExported() {
						known, _, _ := strings.Cut(f.Tag.Get("json"), ",")
						if known == "" {
							known = "action" // of a hook, which has two fields for it
						}
						if err := uijson.SetExtra(clone, known, uijson.Value("1")); err == nil {
							t.Fatalf("%s: a known member of %T was set as an extra one", name, o)
						}
						visit(v.Field(i))
					}
				}
			}
			visit(reflect.ValueOf(m))
		})
	}
	if objects < 4000 {
		t.Errorf("only %d objects", objects)
	}
}
