// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestInstancesRefused reads streams with faults: the objects before them come first.
func TestInstancesRefused(t *testing.T) {
	one := resource(instance(""))
	early := func(instances string) string {
		return state(`{"instances":[` + instances + `],"mode":"managed","type":"terraform_data","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]"}`)
	}
	for what, tt := range map[string]struct {
		text  string
		n     int
		cause error // nil: none is looked for
		place string
	}{
		"nothing":                        {"", 0, statefile.ErrEmpty, ""},
		"blank":                          {" \n", 0, nil, ""},
		"a list":                         {"[]", 0, statefile.ErrKind, ""},
		"a text":                         {`"x"`, 0, statefile.ErrKind, ""},
		"no version":                     {`{"serial":1}`, 0, statefile.ErrKind, ""},
		"version 2":                      {`{"version":2,"resources":[]}`, 0, statefile.ErrVersion, "/version"},
		"version 3 of a backend":         {`{"version":3,"backend":{"type":"s3"},"modules":[{"path":["root"],"outputs":{},"resources":{}}]}`, 0, statefile.ErrVersion, "/version"},
		"version 3 behind the modules":   {`{"modules":[],"version":3}`, 0, statefile.ErrVersion, "/version"},
		"version 4 behind the modules":   {`{"version":3,"modules":[],"version":4}`, 0, nil, "/version"},
		"a path behind the resources":    {`{"version":3,"modules":[{"resources":{"a.b":{}},"path":["root"]}]}`, 0, nil, "/modules/0/resources"},
		"a second path":                  {`{"version":3,"modules":[{"path":["root"],"path":["root","m"]}]}`, 0, nil, "/modules/0/path"},
		"no path":                        {`{"version":3,"modules":[{}]}`, 0, statefile.ErrInvalid, "/modules/0"},
		"a path that is none":            {`{"version":3,"modules":[{"path":["m"]}]}`, 0, statefile.ErrInvalid, "/modules/0/path"},
		"a path of another kind":         {`{"version":3,"modules":[{"path":"root"}]}`, 0, statefile.ErrKind, "/modules/0/path"},
		"an address that is none":        {`{"version":3,"modules":[{"path":["root"],"resources":{"b.a":{"primary":{}},"a":{}}}]}`, 1, statefile.ErrInvalid, "/modules/0/resources/a"},
		"a resource of another kind":     {`{"version":3,"modules":[{"path":["root"],"resources":{"a.b":[]}}]}`, 0, statefile.ErrKind, "/modules/0/resources/a.b"},
		"an output without value":        {`{"version":3,"modules":[{"path":["root"],"outputs":{"o":{}}}]}`, 0, statefile.ErrInvalid, "/modules/0/outputs/o"},
		"a provider that is none":        {`{"version":3,"modules":[{"path":["root"],"resources":{"a.b":{"provider":"provider.x y"}}}]}`, 0, statefile.ErrInvalid, "/modules/0/resources/a.b"},
		"a number of many digits":        {`{"version":` + strings.Repeat("9", 30) + `}`, 0, statefile.ErrVersion, "/version"},
		"a version that is cut":          {`{"version":`, 0, nil, "/version"},
		"version 3 behind the resources": {`{"resources":[],"version":3}`, 0, statefile.ErrVersion, "/version"},
		"a release that is none":         {`{"version":4,"terraform_version":"x y"}`, 0, statefile.ErrInvalid, ""},
		"a serial with a point":          {`{"version":4,"serial":1.0}`, 0, nil, ""},
		"a serial that is a text":        {`{"version":4,"serial":"1"}`, 0, statefile.ErrKind, ""},
		"an output of another type":      {`{"version":4,"outputs":{"a":{"value":"x","type":"number"}}}`, 0, statefile.ErrInvalid, ""},
		"a null output":                  {`{"version":4,"outputs":{"a":null}}`, 0, statefile.ErrKind, "/outputs/a"},
		"a check of another kind":        {`{"version":4,"check_results":[{"object_kind":"check","config_addr":"a"}]}`, 0, statefile.ErrInvalid, ""},
		"encrypted":                      {`{"serial":1,"lineage":"l","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`, 0, statefile.ErrEncrypted, "/encrypted_data"},
		"text behind":                    {state(one) + "{}", 1, nil, ""},
		"cut in the second":              {state(resource(instance(`,"index_key":0`) + "," + instance(`,"index_key":1`)[:20])), 1, nil, "/resources/0/instances/1"},
		"a null resource":                {state("null"), 0, statefile.ErrKind, "/resources/0"},
		"resources that are none":        {`{"version":4,"resources":{}}`, 0, statefile.ErrKind, "/resources"},
		"a null instance":                {state(resource("null")), 0, statefile.ErrKind, "/resources/0/instances/0"},
		"a type that is none":            {state(strings.Replace(one, `"terraform_data"`, `{}`, 1)), 0, statefile.ErrKind, "/resources/0/type"},
		"a mode that is none":            {state(strings.Replace(one, "managed", "odd", 1)), 0, statefile.ErrInvalid, "/resources/0/instances"},
		"no name":                        {state(`{"mode":"managed","type":"t","provider":"provider[\"a.b/c/d\"]"}`), 0, statefile.ErrInvalid, "/resources/0"},
		"a module that is none":          {state(strings.Replace(one, `"mode"`, `"module":"a","mode"`, 1)), 0, statefile.ErrInvalid, "/resources/0/instances"},
		"paths that are none":            {state(resource(instance(`,"index_key":0`) + `,{"index_key":1,"schema_version":0,"sensitive_attributes":[1]}`)), 1, statefile.ErrInvalid, "/resources/0/instances/1"},
		"an instance twice":              {state(resource(instance("") + "," + instance(""))), 1, statefile.ErrInvalid, "/resources/0/instances/1"},
		"early and twice":                {early(instance("") + "," + instance("")), 1, statefile.ErrInvalid, "/resources/0"},
		"early and null":                 {early("null"), 0, statefile.ErrKind, "/resources/0"},
		"early and cut":                  {early("{")[:120], 0, nil, "/resources/0/instances"},
	} {
		n, last := listed(t, tt.text)
		if m, err := listed(t, "\n"+tt.text); m != n || (err == nil) != (last == nil) {
			t.Errorf("%s: the same on the next line: %d objects, then %v", what, m, err)
		}
		e, ok := errors.AsType[*statefile.Error](last)
		if !ok || n != tt.n || tt.cause != nil && !errors.Is(last, tt.cause) {
			t.Errorf("%s: List found %d objects, then %v", what, n, last)
		} else if e.Pointer != tt.place && tt.place != "" {
			t.Errorf("%s: %+v is at another place than %s", what, e, tt.place)
		}
		n, last = 0, nil
		for i, err := range statefile.Instances(strings.NewReader(tt.text)) {
			if last = err; err == nil {
				n++
				if i.Object == nil || i.Address.Resource().Name() != "a" {
					t.Errorf("%s: %+v", what, i)
				}
			}
		}
		e, ok = errors.AsType[*statefile.Error](last)
		if !ok || n != tt.n || tt.cause != nil && !errors.Is(last, tt.cause) {
			t.Errorf("%s: %d objects, then %v", what, n, last)
			continue
		}
		if lines := strings.Count(tt.text, "\n") + 1; e.Pointer != tt.place && tt.place != "" || e.Line < 1 || e.Line > lines || e.Column < 1 || e.Offset > int64(len(tt.text)) {
			t.Errorf("%s: %+v is at another place than %s", what, e, tt.place)
		}
	}
}

// TestInstancesEarly reads a resource whose instances stand before its name, and one
// with members that no release writes any more.
func TestInstancesEarly(t *testing.T) {
	text := state(`{"instances":[` + instance(`,"index_key":"k"`) + `,` + instance(`,"index_key":"l"`) + `],"module":"module.m","each":"map","odd":[1],"mode":"data","type":"t","name":"a","provider":"provider[\"a.b/c/d\"]"}`)
	for stop := range 3 {
		var got []string
		for i, err := range statefile.Instances(strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, i.Address.String()); len(got) == stop {
				break
			}
		}
		want := []string{`module.m.data.t.a["k"]`, `module.m.data.t.a["l"]`}
		if stop > 0 {
			want = want[:stop]
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("got %v", got)
		}
	}
}

// listed lists a state, and compares what is said of each object with the object and,
// if both come to its end, with Instances. It returns their number and the error.
func listed(t *testing.T, text string) (n int, last error) {
	t.Helper()
	var got, want []string
	say := func(address, provider string, o *statefile.InstanceObject) string {
		line, err := o.MarshalJSON()
		return address + " " + provider + " " + string(line) + errorText(err)
	}
	for l, err := range statefile.List(strings.NewReader(text)) {
		if last = err; err != nil {
			continue
		}
		o, err := l.Object()
		if err != nil || o.Status != l.Status || o.Deposed != l.Deposed || o.Key() != l.Address.Key() {
			t.Errorf("%+v is listed with %+v, %v", o, l, err)
		}
		got = append(got, say(l.Address.String(), l.Provider, o))
		n++
	}
	for i, err := range statefile.Instances(strings.NewReader(text)) {
		if err == nil {
			want = append(want, say(i.Address.String(), i.Provider, i.Object))
		} else if last == nil {
			t.Errorf("List accepts what Instances refuses: %v", err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("List found %q, Instances %q", got, want)
	}
	return n, last
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestList lists objects of all kinds, and breaks out of the loop.
func TestList(t *testing.T) {
	text := state(resource(strings.Join([]string{
		instance(``), instance(`,"deposed":"12345678"`), instance(`,"index_key":0`), instance(`,"index_key":10,"status":"tainted"`),
		instance(`,"index_key":"a","dependencies":["null_resource.a","module.m.data.x.y"]`), instance(`,"index_key":"\u0062"`), instance(`,"index_key":"c","\u0073tatus":"tainted"`),
		instance(`,"index_key":"d","private":"eA==","sensitive_attributes":[[{"type":"get_attr","value":"input"}]]`), instance(`,"index_key":"e","private":"eA==","create_before_destroy":true`),
		instance(`,"index_key":"f","create_before_destroy":false`), instance(`,"index_key":"g","odd":1`),
	}, ",")))
	if n, err := listed(t, text); n != 11 || err != nil {
		t.Errorf("%d objects, %v", n, err)
	}
	var kept []statefile.Listed
	for l, err := range statefile.List(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if kept = append(kept, l); len(kept) == 4 {
			break
		}
	}
	for i, l := range kept {
		if _, err := l.Object(); (err == nil) != (i == 1 || i == 2) { // the deposed one and its successor are decoded
			t.Errorf("%s after the loop: %v", l.Address, err)
		}
	}
	if _, err := (statefile.Listed{}).Object(); err == nil {
		t.Error("a zero Listed has an object")
	}
	for _, bad := range []string{
		`,"private":"%"`, `,"private":1`, `,"dependencies":["a"]`, `,"dependencies":["a_b.c[*]"]`, `,"dependencies":[1]`, `,"dependencies":"a_b.c"`, `,"sensitive_attributes":[1]`, `,"status":"odd"`,
		`,"index_key":true`, `,"schema_version":-1`, `,"create_before_destroy":1`, `,"deposed":"1"`, `,"provider":"odd"`, `,"identity":`, `,"x" 1`,
	} {
		text := state(resource(instance(`,"index_key":"z"`) + "," + instance(bad)))
		if n, err := listed(t, text); n != 1 || err == nil {
			t.Errorf("%s: %d objects, %v", bad, n, err)
		}
	}
}
