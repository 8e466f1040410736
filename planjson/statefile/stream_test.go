// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"errors"
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
		"version 3":                      {`{"version":3,"resources":[]}`, 0, statefile.ErrVersion, "/version"},
		"a number of many digits":        {`{"version":` + strings.Repeat("9", 30) + `}`, 0, statefile.ErrVersion, "/version"},
		"a version that is cut":          {`{"version":`, 0, nil, "/version"},
		"a version behind the resources": {`{"resources":[],"version":4}`, 0, statefile.ErrVersion, "/resources"},
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
		n := 0
		var last error
		for i, err := range statefile.Instances(strings.NewReader(tt.text)) {
			if last = err; err == nil {
				n++
				if i.Object == nil || i.Address.Resource().Name() != "a" {
					t.Errorf("%s: %+v", what, i)
				}
			}
		}
		e, ok := errors.AsType[*statefile.Error](last)
		if !ok || n != tt.n || tt.cause != nil && !errors.Is(last, tt.cause) {
			t.Errorf("%s: %d objects, then %v", what, n, last)
			continue
		}
		if lines := strings.Count(tt.text, "\n") + 1; e.Pointer != tt.place || e.Line < 1 || e.Line > lines || e.Column < 1 || e.Offset > int64(len(tt.text)) {
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
