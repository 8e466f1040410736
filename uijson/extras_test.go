// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/uijson"
)

func TestDuplicates(t *testing.T) {
	m := decode(t, []byte(`{"hook":{"action":"create","a":1,"a":2},"type":"x","type":"apply_start"}`))
	var got []string
	for d := range m.Duplicates() {
		got = append(got, d.Pointer)
	}
	if diff := cmp.Diff([]string{"/hook/a", "/type"}, got); diff != "" || m.Type != "apply_start" {
		t.Errorf("type %s\n%s", m.Type, diff)
	}
	for d := range m.Duplicates() {
		if want := (uijson.Duplicate{Pointer: "/hook/a", Offset: 33, Line: 1, Column: 34}); d != want {
			t.Errorf("got %+v, want %+v", d, want)
		}
		break
	}
}

func TestExtras(t *testing.T) {
	m := decode(t, []byte(`{"hook":{"x~/":1,"action":{"q":0},"resource":{"addr":"a.b","y":[2]}},"outputs":{"p":{"z":3},"o":{"z":4}},"diagnostic":{"range":{"start":{"w":5}},"snippet":{"values":[{},{"v":6}]}},"x":7,"state":{"u":8}}`))
	var got []string
	for at, v := range m.Extras() {
		got = append(got, at+" "+v.String())
	}
	want := []string{"/x 7", "/diagnostic/range/start/w 5", "/diagnostic/snippet/values/1/v 6", "/hook/x~0~1 1", "/hook/action/q 0", "/hook/resource/y [2]", "/outputs/o/z 4", "/outputs/p/z 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for range m.Extras() {
		break // at once
	}
	n := 0
	for range m.Extras() {
		if n++; n == 6 {
			break // in a map
		}
	}
}
