// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// compare compares one pair and returns the differences.
func compare(file, old, new string, s *Script) []string {
	if s == nil {
		s = &Script{}
	}
	return Compare([]Pair{{File: file, Old: []byte(old), New: []byte(new)}}, s)[0].Diffs
}

const pet = `{"values":{"root_module":{"resources":[{"address":"random_pet.p","type":"random_pet","values":{"id":"NAME","keepers":{"a":"KEEP"}}}]},"outputs":{"o":{"value":"pre-NAME-post"}}}}`

func petWith(name, keep string) string {
	return strings.NewReplacer("NAME", name, "KEEP", keep).Replace(pet)
}

// TestCompare_runs has recordings that differ as two runs may differ.
func TestCompare_runs(t *testing.T) {
	for _, test := range []struct{ name, file, old, new string }{
		{"timestamp of a plan", "p.json", `{"timestamp":"2026-01-01T00:00:00Z"}`, `{"timestamp":"2027-01-01T00:00:00Z"}`},
		{"timestamp of a message", "u.jsonl", `{"@timestamp":"1"}` + "\n", `{"@timestamp":"2"}` + "\n"},
		{"time that passes", "u.jsonl", `{"@message":"a: complete after 1s [id=x]","hook":{"resource":{"addr":"a","resource_type":"random_pet"},"id_key":"id","id_value":"x","elapsed_seconds":1}}`, `{"@message":"a: complete after 1m2s [id=y]","hook":{"resource":{"addr":"a","resource_type":"random_pet"},"id_key":"id","id_value":"y","elapsed_seconds":62}}`},
		{"made up, and what follows", "s.json", petWith("old-name", "k"), petWith("other", "k")},
		{"lines about two things", "u.jsonl", `{"hook":{"resource":{"addr":"a"}}}` + "\n" + `{"hook":{"resource":{"addr":"b"}}}` + "\n", `{"hook":{"resource":{"addr":"b"}}}` + "\n" + `{"hook":{"resource":{"addr":"a"}}}` + "\n"},
		{"renewed twice", "u.jsonl", `{"hook":{"resource":{"addr":"a"},"action":"renew"}}` + "\n", `{"hook":{"resource":{"addr":"a"},"action":"renew"}}` + "\n" + `{"hook":{"resource":{"addr":"a"},"action":"renew"}}` + "\n"},
		{"still running", "u.jsonl", `{"type":"version"}` + "\n", `{"type":"version"}` + "\n" + `{"type":"test_run","test_run":{"elapsed":2003}}` + "\n"},
		{"diagnostics", "v.json", `{"diagnostics":[{"summary":"a"},{"summary":"b"}]}`, `{"diagnostics":[{"summary":"b"},{"summary":"a"}]}`},
		{"cycle", "v.json", `{"diagnostics":[{"summary":"Cycle: a, b (expand)"}]}`, `{"diagnostics":[{"summary":"Cycle: b (expand), a"}]}`},
		{"deposed", "s.json", `{"deposed_key":"01234567","x":"(deposed object 01234567)"}`, `{"deposed_key":"89abcdef","x":"(deposed object 89abcdef)"}`},
		{"hashes of built packages", "l.hcl", "provider \"h/example/lab\" {\n    \"h1:aaa=\",\n}\n", "provider \"h/example/lab\" {\n    \"h1:bbb=\",\n}\n"},
	} {
		if diffs := compare(test.file, test.old, test.new, nil); diffs != nil {
			t.Errorf("%s: %q", test.name, diffs)
		}
	}
}

// TestDiffer has recordings that differ as they may not.
func TestDiffer(t *testing.T) {
	for _, test := range []struct{ name, file, old, new string }{
		{"timestamp elsewhere", "p.json", `{"a":{"timestamp":"2026"}}`, `{"a":{"timestamp":"2027"}}`},
		{"message", "u.jsonl", `{"@message":"a: complete after 1s"}`, `{"@message":"b: complete after 2s"}`},
		{"identifier that is not made up", "u.jsonl", `{"hook":{"resource":{"addr":"a","resource_type":"aws_pet"},"id_key":"id","id_value":"old-name"}}`, `{"hook":{"resource":{"addr":"a","resource_type":"aws_pet"},"id_key":"id","id_value":"other"}}`},
		{"white space", "p.json", `{"a":1}`, `{"a": 1}`},
		{"white space at the end", "p.json", "{\"a\":1}\n", `{"a":1}`},
		{"order of members", "p.json", `{"a":1,"b":1}`, `{"b":1,"a":1}`},
		{"spelling", "p.json", `{"a":"<"}`, `{"a":"\u003c"}`},
		{"number", "p.json", `{"a":1}`, `{"a":1.0}`},
		{"more members", "p.json", `{"a":1}`, `{"a":1,"b":2}`},
		{"fewer members", "p.json", `{"a":1,"b":2}`, `{"a":1}`},
		{"not made up", "s.json", petWith("old-name", "k"), petWith("old-name", "l")},
		{"made up, but not what follows", "s.json", petWith("old-name", "k"), strings.Replace(petWith("other", "k"), "pre-other", "pre-another", 1)},
		{"another type", "s.json", strings.ReplaceAll(petWith("old-name", "k"), "random_pet", "aws_pet"), strings.ReplaceAll(petWith("other", "k"), "random_pet", "aws_pet")},
		{"order about one thing", "u.jsonl", `{"type":"apply_start","hook":{"resource":{"addr":"a"}}}` + "\n" + `{"type":"apply_complete","hook":{"resource":{"addr":"a"}}}` + "\n", `{"type":"apply_complete","hook":{"resource":{"addr":"a"}}}` + "\n" + `{"type":"apply_start","hook":{"resource":{"addr":"a"}}}` + "\n"},
		{"a line more", "u.jsonl", `{"type":"version"}` + "\n", `{"type":"version"}` + "\n" + `{"type":"version"}` + "\n"},
		{"foreign line", "u.jsonl", "panic\n", "panick\n"},
		{"order of other lists", "p.json", `{"references":["a","b"]}`, `{"references":["b","a"]}`},
		{"hash of another provider", "l.hcl", "provider \"h/acme/widget\" {\n    \"h1:aaa=\",\n}\n", "provider \"h/acme/widget\" {\n    \"h1:bbb=\",\n}\n"},
		{"scheme of a hash", "l.hcl", "provider \"h/example/lab\" {\n    \"h1:aaa=\",\n}\n", "provider \"h/example/lab\" {\n    \"zh:aaa=\",\n}\n"},
		{"text", "a.txt", "a\n", "b\n"},
		{"shape of a made-up value", "s.json", `{"r":{"type":"lab_thing","values":{"a":"id-0123456789"}}}`, `{"r":{"type":"lab_thing","values":{"a":"id-x"}}}`},
	} {
		if diffs := compare(test.file, test.old, test.new, nil); diffs == nil {
			t.Errorf("%s: no difference", test.name)
		}
	}
}

// What a script lists may differ, and nothing else.
func TestCompare_varyingMembers(t *testing.T) {
	s := &Script{Varies: []Varies{{Path: "/o/value", Why: "test"}}, Unordered: []string{"list"}}
	if diffs := compare("a.json", `{"o":{"value":1},"list":[1,2]}`, `{"o":{"value":2},"list":[2,1]}`, s); diffs != nil {
		t.Error(diffs)
	}
	if diffs := compare("a.json", `{"p":{"value":1},"lists":[1,2]}`, `{"p":{"value":2},"lists":[2,1]}`, s); len(diffs) != 3 {
		t.Error(diffs)
	}
}

// What is learned in one recording holds in the others of the case.
func TestCompare_otherRecordings(t *testing.T) {
	pairs := []Pair{
		{File: "u.jsonl", Old: []byte(`{"@message":"made old-name"}`), New: []byte(`{"@message":"made other"}`)},
		{File: "s.json", Old: []byte(petWith("old-name", "k")), New: []byte(petWith("other", "k"))},
		{File: "o.json", Old: []byte(`"old-name"`), New: []byte(`"third"`)},
	}
	for i, v := range Compare(pairs, &Script{}) {
		if (v.Diffs != nil) != (i == 2) || v.Same {
			t.Errorf("%s: %q", v.File, v.Diffs)
		}
	}
}

func TestPart(t *testing.T) {
	const plan = `{"resource_changes":[{"address":"a.b[\"é\"]","index":"é💩"},{"address":"c","index":1}],"configuration":{"root_module":{"outputs":{"o":{"expression":{"references":["x<y"]}}}}}}`
	for keep, want := range map[string]string{
		"f":               plan,
		"f#configuration": `{"root_module":{"outputs":{"o":{"expression":{"references":["x<y"]}}}}}` + "\n",
		"f#instances":     `{"address": "a.b[\"\u00e9\"]", "index": "\u00e9\ud83d\udca9"}` + "\n" + `{"address": "c", "index": 1}` + "\n",
		"f#references":    `["x<y"]` + "\n",
	} {
		got, err := Part(keep, []byte(plan))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", keep, got, err)
		}
	}
	for _, src := range []string{"", "{", `{"a":1}`} {
		if _, err := Part("f#configuration", []byte(src)); err == nil {
			t.Errorf("no error for %q", src)
		}
	}
}

func TestGrouped(t *testing.T) {
	for line, want := range map[string]string{
		"panic: x": "foreign",
		`{"type":"apply_progress","hook":{"resource":{"addr":"a"}}}`:                               "",
		`{"type":"ephemeral_op_start","hook":{"action":"renew","resource":{"addr":"a"}}}`:          "renewed ephemeral_op_start a",
		`{"type":"apply_start","hook":{"resource":{"addr":"a"}}}`:                                  "resource a",
		`{"type":"planned_change","change":{"action":"delete","resource":{"addr":"a"}}}`:           "planned_change delete a",
		`{"type":"diagnostic","diagnostic":{"summary":"s"}}`:                                       `diagnostic {"summary":"s"}`,
		`{"@message":"Installing acme/widget v1.0.0..."}`:                                          "provider acme/widget",
		`{"type":"log","@message":"tf.example.test:8443/acme/widget v1.0.0: Using previously..."}`: "provider tf.example.test:8443/acme/widget",
		`{"@message":"Initializing the backend..."}`:                                               "run",
		`{"type":"outputs"}`: "run",
	} {
		if got := Grouped([]byte(line)); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}
