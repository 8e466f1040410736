// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// FuzzChange: no change makes it panic; nothing is left below a mark; a redacted
// value keeps its kind.
func FuzzChange(f *testing.F) {
	for _, r := range plantest.Recordings(f, "../testdata", "plan") {
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			f.Fatal(err)
		}
		for _, rc := range plan.ResourceChanges[:min(3, len(plan.ResourceChanges))] {
			f.Add([]byte(rc.Change.Before), []byte(rc.Change.After), []byte(rc.Change.AfterUnknown), []byte(rc.Change.BeforeSensitive), []byte(rc.Change.AfterSensitive))
		}
	}
	f.Add([]byte(`{"a":[1,2]}`), []byte(`{"a":[1,null]}`), []byte(`{"a":[false,true]}`), []byte(`{"a":[true]}`), []byte(`{"a":true}`))
	f.Fuzz(func(t *testing.T, before, after, unknown, bs, as []byte) {
		plan := &planjson.Plan{FormatVersion: "1.2", ResourceChanges: []*planjson.ResourceChange{{Address: "a.b", Change: planjson.Change{
			Before: before, After: after, AfterUnknown: unknown, BeforeSensitive: bs, AfterSensitive: as,
		}}}}
		var r redact.Redactor
		if _, err := r.Plan(plan); err != nil {
			return
		}
		c := plan.ResourceChanges[0].Change
		for _, p := range [][3]planjson.Value{{before, bs, c.Before}, {after, as, c.After}} {
			if p[0].Kind() != p[2].Kind() {
				t.Fatalf("%s became %s", p[0], p[2])
			}
			if strings.TrimSpace(string(p[1])) == "true" {
				noneLeft(t, "", p[0], p[2], p[1])
			}
		}
	})
}

// A long plan is redacted in memory that does not grow with it.
func TestRedactStreamMemory(t *testing.T) {
	const change = `{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],"before":{"pw":"SECRET"},"after":{"pw":"SECRET","n":"1"},"after_unknown":{},"before_sensitive":{"pw":true},"after_sensitive":{"pw":true}}},`
	chunk := strings.Repeat(change, 500)
	readers := []io.Reader{strings.NewReader(`{"format_version":"1.2","resource_changes":[`)}
	for range 200 {
		readers = append(readers, strings.NewReader(chunk))
	}
	readers = append(readers, strings.NewReader(strings.TrimSuffix(change, ",")+`],"configuration":{"root_module":{}},"errored":false}`))
	w := &measuringWriter{}
	w.start = bounds.Heap()
	var r redact.Redactor
	n, err := r.WritePlan(w, io.MultiReader(readers...))
	if err != nil {
		t.Fatal(err)
	}
	if n != 2*(200*500+1) || w.found {
		t.Errorf("%d values were replaced", n)
	}
	if w.written < 20<<20 || w.most > 8<<20 {
		t.Errorf("%d bytes took %d bytes of memory", w.written, w.most)
	}
}

// A measuringWriter looks at the memory in use now and then.
type measuringWriter struct {
	start, most, written, next int
	found                      bool
}

func (w *measuringWriter) Write(p []byte) (int, error) {
	w.found = w.found || bytes.Contains(p, []byte("SECRET"))
	if w.written += len(p); w.written > w.next {
		w.next = w.written + 4<<20
		w.most = max(w.most, bounds.Heap()-w.start)
	}
	return len(p), nil
}

// FuzzRedactPlan: a plan that is redacted on the way is the same as in memory,
// to redact it again changes nothing, and one that is read once decodes.
func FuzzRedactPlan(f *testing.F) {
	f.Add([]byte(secretPlan(f)))
	for i, r := range plantest.Recordings(f, "../testdata", "plan") {
		if i%5 == 0 && len(r.Text) < 20_000 {
			f.Add(r.Text)
		}
	}
	f.Add([]byte(`{"configuration":{"root_module":{"variables":{"v":{}}}},"variables":{"v":{"value":1}},"resource_changes":[{"change":{"after":{"a":1},"after_sensitive":{"a":true}}}]}`))
	var r redact.Redactor
	f.Fuzz(func(t *testing.T, src []byte) {
		var stream, short, pipe bytes.Buffer
		n, streamed := redact.InWindows(r).WritePlan(&stream, bytes.NewReader(src))
		k, err := r.WritePlan(&short, bytes.NewReader(src))
		if k != n || fmt.Sprint(err) != fmt.Sprint(streamed) || !bytes.Equal(stream.Bytes(), short.Bytes()) {
			t.Fatalf("%d values, %v: %s\n%d if it is short, %v: %s", n, streamed, stream.Bytes(), k, err, short.Bytes())
		}
		_, piped := r.WritePlan(&pipe, io.MultiReader(bytes.NewReader(src)))
		plan, err := planjson.DecodePlan(bytes.Clone(src))
		if err != nil {
			if streamed == nil {
				t.Fatalf("a stream takes what does not decode: %v", err)
			}
			return
		}
		m, err := r.Plan(plan)
		if errors.Is(err, planjson.ErrDuplicate) && streamed == nil {
			// They stood in what a stream replaces without looking into it.
			out, err := planjson.DecodePlan(stream.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			for d := range planjson.Duplicates(out) {
				t.Fatalf("%s is there twice in %s", d.Pointer, stream.Bytes())
			}
			return
		}
		if errors.Is(streamed, planjson.ErrVersion) {
			return // nothing else refuses it in memory
		}
		if (err == nil) != (streamed == nil) {
			t.Fatalf("in memory %v, in a stream %v", err, streamed)
		}
		if err != nil {
			return
		}
		text, err := planjson.Encode(plan)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, stream.Bytes()) || n != m {
			t.Fatalf("%d values in a stream, %d in memory: %s\n%s", n, m, stream.Bytes(), text)
		}
		var again bytes.Buffer
		if n, err := r.WritePlan(&again, bytes.NewReader(text)); n != 0 || err != nil || !bytes.Equal(again.Bytes(), text) {
			t.Fatalf("%d values again, %v: %s\n%s", n, err, text, again.Bytes())
		}
		if piped != nil {
			return
		}
		if _, err := planjson.DecodePlan(pipe.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}
