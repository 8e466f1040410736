// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	goccy "github.com/goccy/go-json"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

func skip(text []byte) error {
	if _, fault := jsonscan.Document(text); fault != jsonscan.OK {
		return fault
	}
	return nil
}

// decoders of plans and states, by implementation. They keep what they have
// decoded in sink, as a program does that goes on to use it.
var sink any

func decodePlan(text []byte) error {
	p, err := planjson.DecodePlan(text)
	sink = p
	return err
}

// decodeConfig is decodePlan for programs that look at the configuration.
func decodeConfig(text []byte) error {
	p, err := planjson.DecodePlan(text)
	sink = p.Config()
	return err
}

func peerPlan(text []byte) error {
	p := new(tfjson.Plan)
	sink = p
	return p.UnmarshalJSON(text)
}

func expPlanDecode(text []byte) error {
	p := new(expPlan)
	sink = p
	return json.Unmarshal(text, p, jsontext.AllowDuplicateNames(true))
}

func gocPlanDecode(text []byte) error {
	p := new(gocPlan)
	sink = p
	return goccy.Unmarshal(text, p)
}

func BenchmarkDecodePlan(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB") {
		text := planInput(b, size)
		compare(b, size, int64(len(text)),
			impl{"skip", func() error { return skip(text) }},
			impl{"tofuwire", func() error { return decodePlan(text) }},
			impl{"go-json-experiment", func() error { return expPlanDecode(text) }},
			impl{"goccy", func() error { return gocPlanDecode(text) }},
			impl{"terraform-json", func() error { return peerPlan(text) }},
		)
	}
}

func BenchmarkDecodeState(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB") {
		text := stateInput(b, size)
		compare(b, size, int64(len(text)),
			impl{"skip", func() error { return skip(text) }},
			impl{"tofuwire", func() error {
				s, err := planjson.DecodeState(text)
				sink = s
				return err
			}},
			impl{"go-json-experiment", func() error {
				s := new(expState)
				sink = s
				return json.Unmarshal(text, s, jsontext.AllowDuplicateNames(true))
			}},
			impl{"goccy", func() error {
				s := new(gocState)
				sink = s
				return goccy.Unmarshal(text, s)
			}},
			impl{"terraform-json", func() error {
				s := new(tfjson.State)
				sink = s
				return s.UnmarshalJSON(text)
			}},
		)
	}
}

// BenchmarkEncodePlan encodes a plan that was not changed, and one in which
// every tenth change was edited.
func BenchmarkEncodePlan(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB") {
		text := planInput(b, size)
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			b.Fatal(err)
		}
		if out, err := planjson.Encode(plan); err != nil || !bytes.Equal(out, text) {
			b.Fatal("not the same bytes", err)
		}
		edited, err := planjson.DecodePlan(text)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < len(edited.ResourceChanges); i += 10 {
			c := edited.ResourceChanges[i]
			c.ActionReason = planjson.ReplaceByRequest
			c.Change.Before = planjson.Value(`{"edited":true}`)
		}
		exp := new(expPlan)
		if err := json.Unmarshal(text, exp, jsontext.AllowDuplicateNames(true)); err != nil {
			b.Fatal(err)
		}
		peer := new(tfjson.Plan)
		if err := peer.UnmarshalJSON(text); err != nil {
			b.Fatal(err)
		}
		compare(b, size, int64(len(text)),
			impl{"tofuwire", func() error { _, err := planjson.Encode(plan); return err }},
			impl{"tofuwire-write", func() error { return planjson.Write(io.Discard, plan) }},
			impl{"tofuwire-edited", func() error { _, err := planjson.Encode(edited); return err }},
			impl{"go-json-experiment", func() error { _, err := json.Marshal(exp); return err }},
			impl{"terraform-json", func() error { _, err := stdjson.Marshal(peer); return err }},
		)
	}
}

// BenchmarkVisitAfter decodes a plan and looks at every scalar of every value
// after the change.
func BenchmarkVisitAfter(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB") {
		text := planInput(b, size)
		want := 0
		compare(b, size, int64(len(text)),
			impl{"tofuwire", func() error {
				plan, err := planjson.DecodePlan(text)
				if err != nil {
					return err
				}
				n := 0
				for _, rc := range plan.ResourceChanges {
					for c := rc.Change.After.Cursor(); c.Next(); {
						if !c.Value().IsNull() {
							n++
						}
					}
				}
				want = n
				return nil
			}},
			impl{"terraform-json", func() error {
				plan := new(tfjson.Plan)
				if err := plan.UnmarshalJSON(text); err != nil {
					return err
				}
				n := 0
				for _, rc := range plan.ResourceChanges {
					n += scalars(rc.Change.After)
				}
				if n != want {
					return fmt.Errorf("%d scalars, want %d", n, want)
				}
				return nil
			}},
		)
	}
}

// scalars counts the scalars in a tree that are not null.
func scalars(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += scalars(e)
		}
		return n
	case []any:
		for _, e := range v {
			n += scalars(e)
		}
		return n
	case nil:
		return 0
	}
	return 1
}

// streamInput returns a reader of a plan of about the size.
func streamInput(b *testing.B, size string) (open func() io.Reader, n int64) {
	b.Helper()
	if _, ok := recorded[size]; ok {
		text := planInput(b, size)
		return func() io.Reader { return bytes.NewReader(text) }, int64(len(text))
	}
	// Too large to keep: what is streamed again and again is made of the
	// largest recording.
	text := planInput(b, "100MB")
	head, changes, tail, err := splitChanges(text)
	if err != nil {
		b.Fatal(err)
	}
	times := 1 + (megabytes[size]<<20-len(text))/(len(changes)+1)
	return func() io.Reader {
			parts := []io.Reader{bytes.NewReader(head)}
			for i := range times {
				if i > 0 {
					parts = append(parts, bytes.NewReader([]byte{','}))
				}
				parts = append(parts, bytes.NewReader(changes))
			}
			return io.MultiReader(append(parts, bytes.NewReader(tail))...)
		},
		int64(len(head) + times*(len(changes)+1) - 1 + len(tail))
}

// splitChanges cuts a plan before the first and after the last element of
// resource_changes.
func splitChanges(text []byte) (head, changes, tail []byte, err error) {
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(plan.ResourceChanges) == 0 {
		return nil, nil, nil, errors.New("no resource changes")
	}
	name := []byte(`"resource_changes":[`)
	start := bytes.Index(text, name) + len(name)
	end, fault := jsonscan.Value(text, start-1, jsonscan.MaxDepth)
	if fault != jsonscan.OK {
		return nil, nil, nil, fault
	}
	return text[:start], text[start : end-1], text[end-1:], nil
}

// BenchmarkStreamChanges reads the resource changes of a plan one by one.
func BenchmarkStreamChanges(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB", "500MB") {
		open, n := streamInput(b, size)
		compare(b, size, n,
			impl{"tofuwire", func() error { return streamChanges(open()) }},
			impl{"jsontext", func() error { return jsontextStream(open()) }},
			impl{"encoding-json", func() error { return encodingStream(open()) }},
		)
	}
}

func streamChanges(r io.Reader) error {
	for c, err := range planjson.ResourceChanges(r) {
		if err != nil {
			return err
		}
		sink = c
	}
	return nil
}

// jsontextStream reads the changes with the token stream of jsontext.
func jsontextStream(r io.Reader) error {
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		if name.String() != "resource_changes" {
			if err := d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			c := new(expChange)
			if err := json.UnmarshalDecode(d, c); err != nil {
				return err
			}
			sink = c
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// encodingStream reads the changes with the decoder of encoding/json.
func encodingStream(r io.Reader) error {
	d := stdjson.NewDecoder(r)
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name != "resource_changes" {
			var raw stdjson.RawMessage
			if err := d.Decode(&raw); err != nil {
				return err
			}
			continue
		}
		if _, err := d.Token(); err != nil {
			return err
		}
		for d.More() {
			c := new(gocChange)
			if err := d.Decode(c); err != nil {
				return err
			}
			sink = c
		}
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	return nil
}
