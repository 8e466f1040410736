// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestTextAsTofu_recordings compares the text with what the command show printed for the same
// plan: all lines of all resources and outputs.
func TestTextAsTofu_recordings(t *testing.T) {
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("testdata/shown/tofu-1.12.6", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	plan, err := planjson.DecodePlan(read("plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := planjson.DecodeSchemas(read("providers-schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range plandiff.Plan(plan, plandiff.Options{Schemas: schemas, Unchanged: true}).Resources {
		for a := range r.Object.All() {
			steps, err := planjson.ParsePath(a.String())
			if diff := cmp.Diff(a.Path(), steps); diff != "" && len(a.Path()) > 0 || err != nil {
				t.Errorf("%s: the path %s does not come back: %v %s", r.Address, a, err, diff)
			}
		}
	}
	var b strings.Builder
	if err := plandiff.Plan(plan, plandiff.Options{Schemas: schemas}).WriteText(&b, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want, got := shownBlocks(string(read("show.txt"))), shownBlocks(b.String())
	if len(want) != 44 {
		t.Errorf("%d resources, with the outputs", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// shownBlocks returns the resources in a text by the lines above them, and the
// outputs.
func shownBlocks(text string) map[string]string {
	blocks := make(map[string]string)
	var head, block strings.Builder
	outputs := false
	for line := range strings.Lines(text) {
		line = strings.Replace(line, "is not in configuration)", "is not in the configuration)", 1) // other words
		switch {
		case strings.EqualFold(line, "Changes to outputs:\n"):
			outputs = true
		case strings.HasPrefix(line, "Plan: "):
		case line == "\n" && head.Len() == 0: // between resources
		case outputs:
			block.WriteString(line)
		case strings.HasPrefix(line, "  # "):
			head.WriteString(line)
		case head.Len() > 0:
			block.WriteString(line)
			if line == "    }\n" {
				blocks[head.String()] = block.String()
				head.Reset()
				block.Reset()
			}
		}
	}
	blocks["outputs"] = block.String()
	return blocks
}
