// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
)

// Any program of edits on documents of one kind leaves the bytes of what it did not
// change, and what it changed reads back: fields, lists and maps; objects that are
// shared, moved, cloned and copied by value within a document and between two; extra
// members; a configuration before and after somebody asked for it.
func TestEditPrograms(t *testing.T) {
	kinds := map[string][][]byte{}
	for _, r := range recordings(t) {
		if len(r.text) < 30_000 && !(r.kind == "outputs" && !strings.Contains(string(r.text), `"sensitive"`)) {
			kinds[r.kind] = append(kinds[r.kind], r.text)
		}
	}
	for kind, texts := range kinds {
		f := plantest.Format{
			Decode: func(text []byte) (any, func() ([]byte, error), error) {
				d, err := decodeAs(kind, text)
				return d.value, func() ([]byte, error) { return encodeAll(d) }, err
			},
			Clone: func(o any) any { return planjson.Clone(o.(planjson.Object)) },
			SetExtra: func(o any, name string, value []byte) error {
				return planjson.SetExtra(o.(planjson.Object), name, value)
			},
			Lazy: func(o any) (string, any) {
				if p, ok := o.(*planjson.Plan); ok {
					return "configuration", p.Config()
				}
				return "", nil
			},
		}
		first := depth.Seed(t) - 1
		for i := range depth.Of[uint64](1, 6, 60) {
			seed := first + i
			texts := [][]byte{texts[seed%uint64(len(texts))], texts[(seed*7+1)%uint64(len(texts))]}
			program, err := plantest.Edits(f, texts, seed, 30)
			if err != nil {
				t.Errorf("%s, program %d: %v\n\t%s", kind, seed, err, strings.Join(program, "\n\t"))
				break
			}
		}
	}
}

// encodeAll encodes a document at once in several goroutines: in memory, to a writer,
// and as its clone, which must be equal. All must give the same.
func encodeAll(d document) ([]byte, error) {
	out, err := d.encode()
	if err != nil {
		return nil, err
	}
	faults := make(chan error, 4)
	same := func(what string, f func() ([]byte, error)) {
		go func() {
			got, err := f()
			if err == nil && !bytes.Equal(got, out) {
				err = fmt.Errorf("got %.300s", got)
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", what, err)
			}
			faults <- err
		}()
	}
	o := d.value.(planjson.Object)
	same("encoded again", d.encode)
	same("written", d.write)
	same("cloned", func() ([]byte, error) {
		c := planjson.Clone(o)
		if !planjson.Equal(c, o) {
			return nil, errors.New("not equal")
		}
		text, err := c.MarshalJSON()
		if want, err := o.MarshalJSON(); err != nil || !bytes.Equal(text, want) {
			return nil, fmt.Errorf("the clone is %.300s", text)
		}
		return out, err
	})
	same("in canonical form", func() ([]byte, error) {
		for range d.extras {
		}
		text, err := d.canonical()
		if err == nil && !json.Valid(text) {
			err = fmt.Errorf("%.300s", text)
		}
		return out, err
	})
	return out, errors.Join(<-faults, <-faults, <-faults, <-faults)
}
