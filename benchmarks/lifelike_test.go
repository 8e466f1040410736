// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	stdjson "encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	goccy "github.com/goccy/go-json"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tofuwire/tofuwire/benchmarks/lifelike"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

var realPlans = flag.String("real", "", "a `folder` with plans of other projects, for BenchmarkLife's size=real")

var lifeSizes = map[string]int{"5kB": 5_000, "50kB": 50_000, "500kB": 500_000, "5MB": 5_000_000, "50MB": 50_000_000}

// life returns documents of a size, and their length: one in the shape of life,
// or all plans in the folder that -real names.
func life(b *testing.B, size string, document func(n int, indent bool) []byte, indent bool) (texts [][]byte, length int64) {
	b.Helper()
	if size != "real" {
		text := document(lifeSizes[size], indent)
		return [][]byte{text}, int64(len(text))
	}
	err := filepath.WalkDir(*realPlans, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		// What both libraries read as a plan.
		if new(tfjson.Plan).UnmarshalJSON(text) != nil || !bytes.Contains(text, []byte(`"resource_changes"`)) {
			return nil
		}
		if _, err := planjson.DecodePlan(text); err == nil {
			texts = append(texts, text)
			length += int64(len(text))
		}
		return nil
	})
	if err != nil || len(texts) == 0 {
		b.Fatalf("no plans in %q: %v", *realPlans, err)
	}
	return texts, length
}

func lifeNames() []string {
	names := sizes("5kB", "50kB", "500kB", "5MB", "50MB")
	if *realPlans != "" {
		names = append(names, "real")
	}
	return names
}

// each calls f with each of the texts.
func each(texts [][]byte, f func([]byte) error) func() error {
	return func() error {
		for _, text := range texts {
			if err := f(text); err != nil {
				return err
			}
		}
		return nil
	}
}

// BenchmarkLifePlan decodes plans in the shape that cloud providers give them.
func BenchmarkLifePlan(b *testing.B) {
	for _, size := range lifeNames() {
		texts, n := life(b, size, lifelike.Plan, false)
		compare(b, size, n,
			impl{"skip", each(texts, skip)},
			impl{"tofuwire", each(texts, decodePlan)},
			impl{"tofuwire-config", each(texts, decodeConfig)},
			impl{"go-json-experiment", each(texts, expPlanDecode)},
			impl{"goccy", each(texts, gocPlanDecode)},
			impl{"terraform-json", each(texts, peerPlan)},
		)
		if size == "real" {
			continue
		}
		texts, n = life(b, size, lifelike.Plan, true)
		compare(b, size+"-indented", n, impl{"skip", each(texts, skip)}, impl{"tofuwire", each(texts, decodePlan)}, impl{"goccy", each(texts, gocPlanDecode)})
	}
}

// BenchmarkLifeState decodes states.
func BenchmarkLifeState(b *testing.B) {
	for _, size := range sizes("5kB", "50kB", "500kB", "5MB", "50MB") {
		texts, n := life(b, size, lifelike.State, false)
		compare(b, size, n,
			impl{"tofuwire", each(texts, func(text []byte) error {
				s, err := planjson.DecodeState(text)
				sink = s
				return err
			})},
			impl{"go-json-experiment", each(texts, func(text []byte) error {
				s := new(expState)
				sink = s
				return json.Unmarshal(text, s, jsontext.AllowDuplicateNames(true))
			})},
			impl{"goccy", each(texts, func(text []byte) error {
				s := new(gocState)
				sink = s
				return goccy.Unmarshal(text, s)
			})},
			impl{"terraform-json", each(texts, func(text []byte) error {
				s := new(tfjson.State)
				sink = s
				return s.UnmarshalJSON(text)
			})},
		)
	}
}

// BenchmarkLifeUse decodes plans and does something with them: encodes, redacts
// or compares them.
func BenchmarkLifeUse(b *testing.B) {
	for _, size := range sizes("5kB", "50kB", "500kB", "5MB") {
		texts, n := life(b, size, lifelike.Plan, false)
		decoded := func(use func(p *planjson.Plan) error) func() error {
			return each(texts, func(text []byte) error {
				p, err := planjson.DecodePlan(text)
				if err != nil {
					return err
				}
				return use(p)
			})
		}
		compare(b, size, n,
			impl{"tofuwire-decode", decoded(func(*planjson.Plan) error { return nil })},
			impl{"tofuwire-encode", decoded(func(p *planjson.Plan) error {
				text, err := planjson.Encode(p)
				sink = text
				return err
			})},
			impl{"terraform-json-encode", each(texts, func(text []byte) error {
				p := new(tfjson.Plan)
				if err := p.UnmarshalJSON(text); err != nil {
					return err
				}
				out, err := stdjson.Marshal(p)
				sink = out
				return err
			})},
			impl{"tofuwire-redact", decoded(func(p *planjson.Plan) error {
				_, err := redact.Redactor{}.Plan(p)
				return err
			})},
			impl{"terraform-json-sanitize", each(texts, redactPeer)},
			impl{"tofuwire-diff", decoded(func(p *planjson.Plan) error {
				sink = plandiff.Plan(p, plandiff.Options{})
				return nil
			})},
		)
	}
}
