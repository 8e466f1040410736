// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestPlot checks that the pictures show the figures that the page has.
func TestPlot(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	text, err := os.ReadFile(filepath.Join(docs, "benchmarks.md"))
	if err != nil {
		t.Fatal(err)
	}
	bars := readBars(string(text))
	if len(bars) < 15 {
		t.Errorf("only %d rows were read: %+v", len(bars), bars)
	}
	for name, c := range themes {
		got, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Fatal(err)
		}
		want := draw(bars, c)
		if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("%s shows other figures than benchmarks.md: go run ./plot", name)
		}
		for d := xml.NewDecoder(bytes.NewReader(want)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestReadBars(t *testing.T) {
	got := readBars("## p\n| measure | peer | goal | measured |\n|---|---|---|---|\n| decode: time; allocations | terraform-json | 0.1; 1 | 0.03 (more) |\n| - allocations | terraform-json | 1 | 0.5 |\n| - time | our skip | 1 | 0.7 |\n| - to a writer | the same | 1 | 0.003 |\n")
	want := []bar{{"p", "decode", "terraform-json", 0.03}, {"p", "decode, allocations", "terraform-json", 0.5}, {"p", "decode, to a writer", "terraform-json", 0.003}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
