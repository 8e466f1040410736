// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/wiretest"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A holder is a Holder or an Eager.
type holder interface {
	wiretest.Object
	Part() *wiretest.Doc
}

// both decodes a text with an object that is made when it is asked for, and with one
// that is made at once, and requires the same error, which it returns.
func both(t *testing.T, text string) (lazy *wiretest.Holder, eager *wiretest.Eager, err error) {
	t.Helper()
	eager, err = wiretest.DecodeEager([]byte(text))
	lazy, lazyErr := wiretest.DecodeHolder([]byte(text))
	if fmt.Sprint(err) != fmt.Sprint(lazyErr) {
		t.Fatalf("%.300q:\n made at once %v\n when asked for %v", text, err, lazyErr)
	}
	return lazy, eager, err
}

// same requires that both encode to the same text, which it returns.
func same(t *testing.T, lazy, eager wiretest.Object, form *wire.Form) string {
	t.Helper()
	want, err := wiretest.EncodeAny(eager, form)
	if err != nil {
		t.Fatal(err)
	}
	got, err := wiretest.EncodeAny(lazy, form)
	if err != nil || !bytes.Equal(want, got) {
		t.Fatalf("%v\n made at once   %s\n when asked for %s", err, want, got)
	}
	return string(got)
}

// hold returns the text of a Holder of a text.
func hold(text string) string { return `{"name":"a" , "part" :` + text + `, "x":[1]}` }

// TestLazyIsLikeStruct compares an object that is made when it is asked for with one
// that is made at once: errors, texts before and after, edits, and moves.
func TestLazyIsLikeStruct(t *testing.T) {
	list := []string{`{}`, `{"name":"a"}`, `null`, `5`, `[]`, `"a"`, ``, `{`, `{"name":5}`, `{"docs":[{"ptr":[]}]}`, `{"map":{"a":null}}`, `{"names":[null]}`,
		`{"next":{"next":{"strings":{"a":1}}}}`, `{} x`, full, full[:len(full)-1], `{"names":["a","a","b"],"names":["c"]}`}
	for _, tt := range texts {
		if len(tt.text) < 10_000 { // deep ones take long
			list = append(list, tt.text)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		list = append(list, randomText(r, 3))
	}
	var canonical wire.Form
	failed := 0
	for _, text := range list {
		for _, text := range []string{hold(text), `{"part":` + text + `,"part":` + text + `}`, `{"part":{"name":"old"},"name":"b","part":` + text + `}`, `{"part":` + text + `,"part":null}`} {
			lazy, eager, err := both(t, text)
			if err != nil {
				failed++
				continue
			}
			if out := same(t, lazy, eager, nil); out != text {
				t.Fatalf("\n in  %s\n out %s", text, out)
			}
			other := decode(t, full)
			for step := range 4 {
				switch seed := r.Uint64(); step {
				case 0:
					same(t, lazy, eager, &canonical)
				case 1: // nobody has asked for the object, but for the codec
					lazy.Text, eager.Text = "t", "t"
				case 2: // in a text of its own
					lazy, eager, _ = both(t, text)
					for _, h := range []holder{lazy, eager} {
						if err := wiretest.SetExtra(h, "extra", wiretest.Value("1")); err != nil {
							t.Fatal(err)
						}
					}
				default:
					for _, h := range []holder{lazy, eager} {
						r := rand.New(rand.NewPCG(seed, 5))
						for range 3 {
							edit(r, h.Part(), other)
						}
					}
				}
				same(t, lazy, eager, nil)
			}
			if c := wiretest.Clone(lazy); c == nil || !wiretest.Equal(c, lazy) {
				t.Fatal("a clone differs")
			}
		}
	}
	if failed < 20 {
		t.Errorf("only %d texts were not valid", failed)
	}
}

// TestLazyDamaged requires the same error for every text that was damaged in one
// byte.
func TestLazyDamaged(t *testing.T) {
	text := hold(full)
	for i := range text {
		for _, c := range []byte{0, '"', '{', ']', ',', '5', 'n', '\\', 0xff} {
			damaged := text[:i] + string([]byte{c}) + text[i+1:]
			lazy, eager, err := both(t, damaged)
			if err == nil {
				same(t, lazy, eager, nil)
			}
		}
		if _, _, err := both(t, text[:i]); err == nil {
			t.Fatalf("%d bytes of the text are valid", i)
		}
	}
}

// TestLazyObject asks for objects.
func TestLazyObject(t *testing.T) {
	h, err := wiretest.DecodeHolder([]byte(hold(full)))
	if err != nil {
		t.Fatal(err)
	}
	c := *h
	var wg sync.WaitGroup
	var parts [8]*wiretest.Doc
	for i := range parts {
		wg.Go(func() {
			if i%2 == 0 {
				same(t, h, h, nil)
			}
			parts[i] = h.Part()
		})
	}
	wg.Wait()
	for _, p := range append(parts[1:], c.Part()) {
		if p != parts[0] {
			t.Fatal("there is more than one object")
		}
	}
	if want, got := typed(decode(t, full)), typed(parts[0]); want != got {
		t.Error(difference(want, got))
	}
	if line, column, ok := wiretest.Position(h.Part()); line != 1 || column != 23 || !ok {
		t.Errorf("line %d, column %d, %v", line, column, ok)
	}
	h.Part().Name = "changed"
	if out := same(t, &c, h, nil); !strings.Contains(out, `"changed"`) {
		t.Errorf("an edit was lost: %s", out)
	}

	var zero wiretest.Holder
	if out := same(t, &zero, &wiretest.Eager{}, nil); !strings.HasPrefix(out, `{"name":"","part":{"name":""`) {
		t.Errorf("an object of the caller: %s", out)
	}
	zero.Part().Name = "b"
	if out := same(t, &zero, &wiretest.Eager{Doc: wiretest.Doc{Name: "b"}}, nil); !strings.Contains(out, `"part":{"name":"b"`) {
		t.Errorf("an object of the caller: %s", out)
	}
}

// TestLazyChangedInput changes the text before the object is asked for, which is
// forbidden, but no reason for a panic.
func TestLazyChangedInput(t *testing.T) {
	for i := range hold(full) {
		text := []byte(hold(full))
		h, err := wiretest.DecodeHolder(text)
		if err != nil {
			t.Fatal(err)
		}
		text[i] ^= 0x5d
		if h.Part() == nil {
			t.Fatal("no object")
		}
		_, _ = wiretest.EncodeAny(h, nil)
	}
}

// TestLazyTinyObjects requires that the limit of memory is the same as for objects
// that are made at once.
func TestLazyTinyObjects(t *testing.T) {
	for _, text := range []string{`{"docs":[` + strings.Repeat("{},", 100_000) + `{}]}`, `{"docs":[` + strings.Repeat(`{"ptr":{}},`, 100_000) + `{}]}`} {
		if _, err := wiretest.DecodeHolder([]byte(hold(text))); !errors.Is(err, wire.ErrLimit) {
			t.Errorf("got %v", err)
		}
	}
	h, err := wiretest.DecodeHolder([]byte(hold(`{"docs":[` + strings.Repeat("{},", 5_000) + `{}]}`)))
	if err != nil || len(h.Part().Docs) != 5_001 {
		t.Errorf("a small text: %v", err)
	}
}
