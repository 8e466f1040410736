// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// shuffled returns a valid value with the members of all its objects in random order.
func shuffled(r *rand.Rand, v planjson.Value) string {
	var items []string
	switch v.Kind() {
	case planjson.KindObject:
		for name, m := range v.Members() {
			items = append(items, string(jsonscan.AppendQuote(nil, name, false))+":"+shuffled(r, m))
		}
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		return "{" + strings.Join(items, ",") + "}"
	case planjson.KindArray:
		for _, e := range v.Elements() {
			items = append(items, shuffled(r, e))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return string(v)
}

// streamed reads a text that Decode reads, as both streams do. They must find what
// Decode finds, or else fail because something comes too late. It reports whether
// they found all.
func streamed(t *testing.T, text string) bool {
	t.Helper()
	f, err := statefile.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%.300s: %v", text, err)
	}
	var want, got []string
	for i := range f.All() {
		want = append(want, i.Address.String()+" "+i.Object.Deposed+" "+i.Provider+" "+string(i.Object.Status))
	}
	for i, e := range statefile.Instances(strings.NewReader(text)) {
		if err = e; e == nil {
			got = append(got, i.Address.String()+" "+i.Object.Deposed+" "+i.Provider+" "+string(i.Object.Status))
		}
	}
	if _, last := listed(t, text); (last == nil) != (err == nil) {
		t.Errorf("%.300s: List: %v, Instances: %v", text, last, err)
	}
	if err != nil {
		if e, ok := errors.AsType[*statefile.Error](err); !ok || !strings.Contains(e.Error(), "only as a whole") || e.Pointer == "" {
			t.Errorf("%.300s: %v", text, err)
		}
		return false
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%.300s: the stream has %q, want %q", text, got, want)
	}
	return true
}

// TestAnyOrder reads recorded states with their members in other orders.
func TestAnyOrder(t *testing.T) {
	r := depth.Rand(t)
	all := recorded()
	found, late := 0, 0
	for n := range depth.Of(200, 2000, 20_000) {
		text := all[n%len(all)].text
		if n >= len(all) {
			text = all[r.IntN(len(all))].text
		}
		if streamed(t, shuffled(r, bytes.TrimSpace(text))) {
			found++
		} else {
			late++
		}
	}
	if found == 0 || late == 0 {
		t.Errorf("%d are read as streams, %d only as a whole", found, late)
	}
}

// TestLate has members of each kind after the instances.
func TestLate(t *testing.T) {
	const provider = `"provider":"provider[\"a.b/c/d\"]"`
	mode, typ, name, list := `"mode":"managed"`, `"type":"t"`, `"name":"a"`, `"instances":[`+instance("")+`]`
	other := `"instances":[` + instance(`,"index_key":1`) + `]`
	for _, tt := range []struct {
		members []string
		ok      bool
	}{
		{[]string{mode, typ, name, provider, list}, true},
		{[]string{typ, name, provider, list, mode}, true},
		{[]string{mode, name, provider, list, typ}, true},
		{[]string{mode, typ, provider, list, name}, true},
		{[]string{mode, typ, name, list, provider}, true},
		{[]string{mode, typ, name, list, provider, `"module":"module.m[0]"`, `"each":"list"`}, true},
		{[]string{list, mode, typ, name, provider, other}, true}, // held back, and replaced
		{[]string{list, other, mode, typ, name, provider}, true},
		{[]string{mode, typ, name, provider, list, other}, false},
		{[]string{mode, typ, name, provider, list, `"module":"module.m[0]"`}, false},
		{[]string{mode, typ, name, provider, list, `"each":"list"`}, false},
		{[]string{mode, typ, name, provider, list, `"mode":"data"`}, false},
		{[]string{mode, typ, name, provider, list, `"type":"u"`}, false},
		{[]string{mode, typ, name, provider, list, `"name":"b"`}, false},
		{[]string{mode, typ, name, provider, list, `"provider":"provider[\"a.b/c/e\"]"`}, false},
		{[]string{mode, typ, name, provider, list, `"module":""`, `"odd":[1]`, mode, provider}, true},
	} {
		text := state("{" + strings.Join(tt.members, ",") + "}")
		if ok := streamed(t, text); ok != tt.ok {
			t.Errorf("%s: read as a stream: %v", text, ok)
		}
	}
	good := "{" + strings.Join([]string{mode, typ, name, provider, list}, ",") + "}"
	if streamed(t, `{"version":4,"resources":[`+good+`],"resources":[]}`) {
		t.Error("two lists of resources are read as a stream")
	}
	for _, text := range []string{`{"resources":[` + good + `],"version":4}`, `{"encrypted_data":"eA==","resources":[` + good + `],"version":4}`} {
		if !streamed(t, text) {
			t.Errorf("%s is not read as a stream", text)
		}
	}
	bad := state("{" + strings.Join([]string{mode, typ, name, provider, list, `"module":"module.a.b"`}, ",") + "}")
	if _, err := listed(t, bad); err == nil {
		t.Error("a module of no form after the instances is accepted")
	}
}

// TestStreamedVersions has versions that both tools refuse.
func TestStreamedVersions(t *testing.T) {
	for version, cause := range map[string]error{`"4"`: statefile.ErrKind, `true`: statefile.ErrKind, `[]`: statefile.ErrKind, `{"a":4}`: statefile.ErrKind, `null`: statefile.ErrKind,
		`4.0`: statefile.ErrInvalid, `4e0`: statefile.ErrInvalid, `40e-1`: statefile.ErrInvalid, `3.0`: statefile.ErrVersion, `-4`: statefile.ErrVersion} {
		text := strings.Replace(state(resource(instance(""))), "4", version, 1)
		if _, err := statefile.Decode([]byte(text)); !errors.Is(err, cause) {
			t.Errorf("%s: decoded: %v", version, err)
		}
		n, err := listed(t, text)
		if e, ok := errors.AsType[*statefile.Error](err); !ok || n != 0 || !errors.Is(err, cause) || e.Pointer != "/version" {
			t.Errorf("%s: %d objects, then %v", version, n, err)
		}
	}
}
