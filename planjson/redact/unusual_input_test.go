// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// Wherever a document breaks off, what has been written of it has no secret.
func TestRedactBroken(t *testing.T) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(secretPlan(t))); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for k, src := range []string{compact.String(), secretPlan(t), compact.String(), secretPlan(t)} {
		src = strings.TrimSpace(src)
		var r redact.Redactor
		if k >= 2 {
			r = redact.InWindows(r)
		}
		for n := 0; n < len(src); n += depth.Of(4, 1, 1) * (31 + n%143) {
			for i, from := range []io.Reader{strings.NewReader(src[:n]), io.MultiReader(strings.NewReader(src[:n])), io.MultiReader(strings.NewReader(src[:n]), iotest.ErrReader(broken))} {
				var b bytes.Buffer
				_, err := r.WritePlan(&b, from)
				var e *planjson.Error
				if i < 2 && !errors.As(err, &e) || i == 2 && err != broken {
					t.Fatalf("after %d bytes, reader %d: %v", n, i, err)
				}
				if i < 2 && e.Offset > int64(n) {
					t.Errorf("after %d bytes, reader %d: %v is at %d", n, i, err, e.Offset)
				}
				if left := secretPattern.FindAll(b.Bytes(), -1); left != nil {
					t.Errorf("after %d bytes, reader %d: %q is left", n, i, left)
				}
			}
		}
		// One byte is another one.
		for n := 0; n < len(src); n += 31 + n%161 {
			text := []byte(src)
			text[n] = '}'
			var b bytes.Buffer
			if _, err := r.WritePlan(&b, bytes.NewReader(text)); err != nil {
				continue
			}
			if json.Valid(text) != json.Valid(b.Bytes()) {
				t.Errorf("with a bracket at %d, the output is not valid, or is", n)
			}
		}
	}
}

// A shortWriter fails after some writes.
type shortWriter struct {
	left int
	err  error
}

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// longPlan returns a plan whose parts are longer than what a stream holds.
func longPlan() string {
	long := strings.Repeat("0123456789", 30_000)
	list := strings.Repeat(`{"a":[true,null,"x\\"]},`, 12_000)
	return `{"extra_text":"` + long + `","extra_list":[` + list + `1],"extra_number":` + strings.Repeat("1", 280_000) + `,"format_version":"1.2","variables":{"v":{"value":"public"}},` +
		`"planned_values":{"root_module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"p","schema_version":0,"values":{"x":"` + long + `","pw":"secret001` + long + `"},"sensitive_values":{"pw":true}}]}},` +
		"\n\n  " + `"resource_changes":[` + strings.Repeat(" ", 280_000) + `{"address":"a_b.c","type":"a_b","change":{"actions":["create"],"before":null,"after":{"l":[` + list + `"secret002"],"pw":"secret001"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"l":true,"pw":true}}}],` +
		`"configuration":{"root_module":{"variables":{"v":{}}}},"errored":false}`
}

// Parts of any length, and readers and writers that fail at any place.
func TestRedactLongParts(t *testing.T) {
	src := longPlan()
	for _, keep := range []redact.Unmarked{0, redact.All} {
		r := redact.Redactor{Keep: keep}
		plan, err := planjson.DecodePlan([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Plan(plan); err != nil {
			t.Fatal(err)
		}
		want, err := planjson.Encode(plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []io.Reader{strings.NewReader(src), iotest.HalfReader(strings.NewReader(src))} {
			var b bytes.Buffer
			if _, err := r.WritePlan(&b, from); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if text != string(want) || secretPattern.MatchString(text) {
				t.Errorf("keep %d: the stream differs", keep)
			}
		}
	}
	broken := errors.New("broken")
	r := redact.Redactor{Keep: redact.Extra}
	for _, n := range []int{0, 1, 2, 3, 5, 8} {
		if _, err := r.WritePlan(&shortWriter{n, broken}, strings.NewReader(src)); err != nil && err != broken {
			t.Errorf("%d writes: %v", n, err)
		}
		if _, err := r.WritePlan(&shortWriter{n, broken}, io.MultiReader(strings.NewReader(src))); err != nil && err != broken {
			t.Errorf("%d writes: %v", n, err)
		}
	}
	for n := 0; n < len(src); n += 400_009 {
		if _, err := r.WritePlan(io.Discard, io.MultiReader(strings.NewReader(src[:n]), iotest.ErrReader(broken))); err != broken {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := r.WritePlan(io.Discard, iotest.ErrReader(io.ErrNoProgress)); err != io.ErrNoProgress {
		t.Errorf("got %v", err)
	}
	if _, err := r.WritePlan(io.Discard, stuckReader{}); err != io.ErrNoProgress {
		t.Errorf("got %v", err)
	}
	if _, err := r.WritePlan(io.Discard, &badSeeker{strings.NewReader(src), broken}); err != broken {
		t.Errorf("got %v", err)
	}
}

// A stuckReader never gets anywhere.
type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }

// A badSeeker can be read, and cannot go back.
type badSeeker struct {
	*strings.Reader
	err error
}

func (s *badSeeker) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		return 0, s.err
	}
	return s.Reader.Seek(offset, whence)
}

// Every kind of document is refused with duplicate members.
func TestRedactDuplicates(t *testing.T) {
	var r redact.Redactor
	many := "{" + strings.Repeat(`"z":1,`, 1)
	for i := range 70 { // not sorted
		many += `"` + string(rune('z'-i%26)) + strings.Repeat("x", 1+i/26) + `":1,`
	}
	many += `"q":1}`
	for _, extra := range []string{`"x":1,"x":2`, `"x":1,"\u0078":2`, `"x":{"b":1,"a":2,"b":3}`, `"x":` + strings.Replace(many, `"q":1`, `"z":2`, 1)} {
		text := []byte(`{` + extra + `}`)
		for name, redact := range map[string]func() error{
			"plan":     func() error { return redactText(text, planjson.DecodePlan, r.Plan) },
			"state":    func() error { return redactText(text, planjson.DecodeState, r.State) },
			"config":   func() error { return redactText(text, planjson.DecodeConfig, r.Config) },
			"renderer": func() error { return redactText(text, planjson.DecodeRendererPlan, r.RendererPlan) },
			"shown":    func() error { return redactText(text, planjson.DecodeRendererState, r.RendererState) },
			"validate": func() error { return redactText(text, planjson.DecodeValidate, r.Validate) },
			"show":     func() error { return redactText(text, planjson.DecodeStateShow, r.StateShow) },
			"outputs":  func() error { return redactText([]byte(`{"o":`+string(text)+`}`), planjson.DecodeOutputs, r.Outputs) },
		} {
			if err := redact(); !errors.Is(err, planjson.ErrDuplicate) {
				t.Errorf("%s with %.20s: %v", name, extra, err)
			}
		}
	}
	// Names that only look like duplicates, in objects that are not sorted.
	if err := redactText([]byte(`{"x":`+many+`,"\\\"":[{"b":1,"a":{"b":1}},{"b":1,"a":{"b":1}}]}`), planjson.DecodePlan, r.Plan); err != nil {
		t.Error(err)
	}
}

func redactText[T any](text []byte, decode func([]byte) (*T, error), redact func(*T) (int, error)) error {
	v, err := decode(text)
	if err != nil {
		return err
	}
	_, err = redact(v)
	return err
}

// A plan that a caller has made, and that cannot be encoded, is an error, and
// stays as it is.
func TestRedactHoles(t *testing.T) {
	for name, p := range map[string]*planjson.Plan{
		"nil element":        {ResourceChanges: []*planjson.ResourceChange{nil}},
		"value that is none": {ResourceChanges: []*planjson.ResourceChange{{Change: planjson.Change{After: planjson.Value(`{"a"`)}}}},
		"mark that is none":  {ResourceChanges: []*planjson.ResourceChange{{Change: planjson.Change{AfterSensitive: planjson.Value(`{"a":true`)}}}},
	} {
		old := *p
		if n, err := (redact.Redactor{}).Plan(p); n != 0 || err == nil || len(p.ResourceChanges) != len(old.ResourceChanges) || p.ResourceChanges[0] != old.ResourceChanges[0] {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	renderer := &planjson.RendererPlan{RelevantAttributes: []*planjson.RelevantAttribute{{Resource: "x.y", Attribute: []planjson.Value{planjson.Value(`"m"`), planjson.Value(`"key"`)}}},
		ResourceDrift: []*planjson.ResourceChange{{Address: "x.y", Type: "x", Change: planjson.Change{Before: planjson.Value(`{"m":{"key":1}}`), After: planjson.Value(`{"m":{"key":1}}`), AfterSensitive: planjson.Value(`{"m":true}`)}}}}
	if _, err := (redact.Redactor{}).RendererPlan(renderer); err != nil {
		t.Fatal(err)
	}
	if got := string(renderer.ResourceDrift[0].Change.Before) + string(renderer.RelevantAttributes[0].Attribute[1]); got != `{"m":{}}"(sensitive value)"` {
		t.Errorf("got %s", got)
	}
}

// Kept parts are looked at for what rules and known secrets say.
func TestRedactKept(t *testing.T) {
	const src = `{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"p","schema_version":0,"values":{},"sensitive_values":{},"identity":{"id":"hush","n":1}}]}},` +
		`"checks":[{"address":{"kind":"check","name":"c","to_display":"check.c"},"status":"fail","instances":[{"address":{"to_display":"check.c"},"status":"fail","problems":[{"message":"a \"long\" story"}]}]}],"extra":{"id":"hush"}}`
	const all redact.Unmarked = redact.All
	for _, row := range []struct {
		name string
		r    redact.Redactor
		gone string
		kept string
	}{
		{"everything", redact.Redactor{Keep: all}, `zzz`, `hush|long|"n":1`},
		{"a rule about the type", redact.Redactor{Keep: all, Rules: []redact.Rule{{Type: "a_b", Path: []string{"id"}}}}, `"identity":{"id":"hush`, `long|"n":1`},
		{"a rule about strings", redact.Redactor{Keep: all, Rules: []redact.Rule{{Match: func(_ redact.Place, v planjson.Value) bool {
			s, _ := v.Text()
			return s == "hush"
		}}}}, `"identity":{"id":"hush`, `"n":1`},
		{"a secret", redact.Redactor{Keep: all, Secrets: []string{"hush", "long"}}, `hush|long`, `"n":1`},
		{"nothing", redact.Redactor{}, `long|"extra":{"id"`, `a_b|"n":1`},
	} {
		s, err := planjson.DecodeState([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := row.r.State(s); err != nil {
			t.Fatal(err)
		}
		out, err := planjson.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(row.gone).Match(out) || !regexp.MustCompile(row.kept).Match(out) {
			t.Errorf("%s: got %s", row.name, out)
		}
		var b bytes.Buffer
		if _, err := row.r.WriteState(&b, strings.NewReader(src)); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(out), b.String()); diff != "" {
			t.Errorf("%s: the stream differs: %s", row.name, diff)
		}
	}
}

// Constants of arguments that are sensitive in a change are hidden in the
// configuration too, whatever the key in the address is: not known yet, or
// written by Terraform up to 1.2.
func TestRedactOddKeys(t *testing.T) {
	const plan = `{"format_version":"1.2","terraform_version":"1.14.0",%s,"configuration":{"root_module":{"resources":[` +
		`{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"a","expressions":{"secret":{"constant_value":"hush"}}}],` +
		`"module_calls":{"m":{"source":"./m","module":{"resources":[` +
		`{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"a","expressions":{"secret":{"constant_value":"hush"}}}]}}}}}}`
	const change = `{"address":%q,"mode":"managed","type":"a","name":"b","provider_name":"x","change":{"actions":["create"],"before":null,"after":{"secret":"hush"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"secret":true}}}`
	for _, keys := range [][2]string{{"[*]", "[*]"}, {`["${x}"]`, `["a"]`}, {`["\x01"]`, `["${y}%%{z}"]`}, {`["$${x}"]`, ""}} {
		both := fmt.Sprintf(change, "a.b"+keys[0]) + "," + fmt.Sprintf(change, "module.m"+keys[1]+".a.b"+keys[0])
		deferred := strings.ReplaceAll(both, `{"address"`, `{"reason":"x","resource_change":{"address"`)
		deferred = strings.ReplaceAll(deferred, `"after_sensitive":{"secret":true}}}`, `"after_sensitive":{"secret":true}}}}`)
		for _, list := range []string{`"resource_changes":[` + both + `]`, `"deferred_changes":[` + deferred + `]`} {
			p, err := planjson.DecodePlan(fmt.Appendf(nil, plan, list))
			if err != nil {
				t.Fatal(err)
			}
			var r redact.Redactor
			n, err := r.Plan(p)
			text, err2 := planjson.Encode(p)
			if n == 0 || err != nil || err2 != nil || strings.Contains(string(text), "hush") {
				t.Errorf("keys %q: %d hidden, %v, %v: %s", keys, n, err, err2, text)
			}
		}
	}
}
