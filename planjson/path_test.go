// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
)

func TestParsePath(t *testing.T) {
	for path, want := range map[string][]any{
		``:                               nil,
		`id`:                             {"id"},
		`network[0].subnet`:              {"network", 0, "subnet"},
		`tags["a b"]`:                    {"tags", "a b"},
		`["k.8s"].x`:                     {"k.8s", "x"},
		`[2][0]`:                         {2, 0},
		`metadata[0].labels["a\"$${b}"]`: {"metadata", 0, "labels", `a"${b}`},
		"a[\"e\u0301\"]":                 {"a", "\u00e9"},
		`for.each.var`:                   {"for", "each", "var"},
	} {
		got, err := planjson.ParsePath(path)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", path, err, diff)
		}
		text := planjson.FormatPath(got...)
		if again, err := planjson.ParsePath(text); err != nil || cmp.Diff(want, again) != "" || !strings.ContainsRune(path, '\u0301') && text != path {
			t.Errorf("%s: written as %s: %v", path, text, err)
		}
	}
	for path, want := range map[string]string{
		`.a`:                      `path ".a": offset 0: `,
		`a.`:                      `path "a.": offset 2: `,
		`a[*].b`:                  `path "a[*].b": offset 2: `,
		`a b`:                     `path "a b": offset 2: `,
		`[`:                       `path "[": offset 1: `,
		`a[1.5]`:                  `path "a[1.5]": [1.5] is not an index`,
		`a[99999999999999999999]`: `is not an index`,
		`upper(a)`:                `offset 5: `,
	} {
		steps, err := planjson.ParsePath(path)
		if _, ok := errors.AsType[*planjson.Error](err); !ok || steps != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", path, steps, err, want)
		}
	}
}

// The labels of blocks can be any text.
func TestAllExpressions_labels(t *testing.T) {
	c, err := planjson.DecodeConfig([]byte(`{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","expressions":{
"zone":{"a.b c":{"size":{"constant_value":1}},"":{"size":{"constant_value":3}},"é":{"size":{"constant_value":4}},"left":{"disk":[{"size":{"constant_value":2}}]}},"x-1":{}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for at, e := range planjson.AllExpressions(c.RootModule.Resources[0].Expressions) {
		got[at] = e.ConstantValue.String()
		if _, err := planjson.ParsePath(at); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(map[string]string{`zone["a.b c"].size`: "1", `zone[""].size`: "3", "zone.é.size": "4", "zone.left.disk[0].size": "2", "x-1": ""}, got); diff != "" {
		t.Error(diff)
	}
}
