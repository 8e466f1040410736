// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/uijson"
)

// Any program of edits on messages leaves the bytes of what it did not change, and what
// it changed reads back, as in package planjson.
func TestEditPrograms(t *testing.T) {
	types := map[string][][]byte{}
	all := recordings(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		messages(all[name], func(line []byte) {
			if m := decode(t, line); len(line) < 20_000 && len(types[string(m.Type)]) < 100 {
				types[string(m.Type)] = append(types[string(m.Type)], bytes.Clone(line))
			}
		})
	}
	f := plantest.Format{
		Decode: func(text []byte) (any, func() ([]byte, error), error) {
			m, err := uijson.Decode(text)
			return m, func() ([]byte, error) { return uijson.Encode(m) }, err
		},
		Clone:    func(o any) any { return uijson.Clone(o.(uijson.Object)) },
		SetExtra: func(o any, name string, value []byte) error { return uijson.SetExtra(o.(uijson.Object), name, value) },
	}
	names := slices.Sorted(maps.Keys(types))
	for i, name := range names {
		texts := types[name]
		first := depth.Seed(t) - 1
		for k := range depth.Of[uint64](1, 4, 40) {
			seed := first + k
			other := types[names[(uint64(i)+seed)%uint64(len(names))]]
			texts := [][]byte{texts[seed%uint64(len(texts))], texts[(seed*7+1)%uint64(len(texts))], other[seed%uint64(len(other))]}
			program, err := plantest.Edits(f, texts, seed, 30)
			if err != nil {
				t.Errorf("%s, program %d: %v\n\t%s", name, seed, err, strings.Join(program, "\n\t"))
				break
			}
		}
	}
}
