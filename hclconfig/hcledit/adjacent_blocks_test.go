// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestAdjacentBlocks edits files whose blocks follow one another without a blank
// line. fmt aligns the comments behind them across blocks, also with those of lines
// inside. A file that was as fmt writes it must be so after each edit, and nothing
// but white space of other blocks may differ.
func TestAdjacentBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	edits := map[string]int{}
	for range 3000 {
		var src strings.Builder
		for i := range 1 + rng.IntN(5) {
			name := fmt.Sprintf("%s%d", pick("a", "bcd", "efghijkl"), i)
			src.WriteString(pick("", "", "", "", "# above\n", "\n"))
			fmt.Fprintf(&src, pick(
				"%s = 1%[2]s\nlonger%[1]s = 2%[3]s\nq%[1]s = 3%[4]s\n",
				"locals {\n  longer%[1]s = 1%[2]s\n  %[1]s = 1%[3]s\n}%[4]s\n",
				"locals {%[4]s\n  %[1]s = 1%[3]s\n  longer%[1]s = 1%[2]s\n}\n",
				"locals { %s = 1 }%[3]s\n",
				"locals {%[2]s\n  %[1]s = 1%[3]s\n}%[4]s\n",
				"locals {%[2]s\n  # inside\n  %[1]s = [%[3]s\n    1,%[4]s\n  ]%[2]s\n}%[3]s\n",
				"variable \"%s\" {}%[2]s\n",
				"module \"%s\" {%[2]s\n  source = \"./m\"%[3]s\n  list {%[2]s\n  }%[4]s\n}%[3]s\n",
			), name, pick("", " # o", " # o", " /* o */"), pick("", " # one", " # two"), pick("", " // three"))
		}
		clean, err := hcledit.Format([]byte(src.String()))
		if err != nil {
			t.Fatal(err)
		}
		f, err := hclconfig.ParseNative("main.tf", clean, hclconfig.OpenTofu)
		if err != nil {
			t.Fatal(err)
		}
		e := hcledit.Edit(f)
		blocks := f.Body().Blocks
		if len(blocks) == 0 {
			continue
		}
		b := &blocks[rng.IntN(len(blocks))]
		other := &blocks[rng.IntN(len(blocks))]
		kind := pick("behind", "above", "no comments", "add", "remove", "move", "relabel", "into")
		switch kind {
		case "behind", "above", "no comments":
			c := hcledit.CommentsOf(b)
			switch kind {
			case "behind":
				c.Behind = pick("longer", "x", "")
			case "above":
				c.Above = append(c.Above, "one more")
			default:
				c.Behind, c.Above = "", nil
			}
			e.SetComments(b, c)
		case "add":
			e.Add(nil, hcledit.NewBlock("locals"), pickPlace(rng, other))
		case "remove":
			e.Delete(b)
		case "move":
			e.Move(b, pickPlace(rng, other))
		case "into":
			arguments := f.Body().Arguments
			if len(arguments) == 0 {
				continue
			}
			e.Move(&arguments[rng.IntN(len(arguments))], hcledit.Into(e, b))
		case "relabel":
			if len(b.Labels) == 0 {
				continue
			}
			e.Relabel(b, 0, pick("x", "a_longer_name"))
		}
		out, err := e.Apply()
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, clean)
		}
		edits[kind]++
		want, err := hcledit.Format(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Fatalf("%s %v of\n%s\nnot as fmt has it:\n%s\nbut:\n%s", kind, b.Range(), clean, want, out.Bytes())
		}
	}
	for _, kind := range []string{"behind", "above", "no comments", "add", "remove", "move", "relabel", "into"} {
		if edits[kind] < 50 {
			t.Errorf("%s was tried %d times", kind, edits[kind])
		}
	}
}

func pickPlace(rng *rand.Rand, other *hclconfig.Block) hcledit.Placement {
	switch rng.IntN(4) {
	case 0:
		return hcledit.Before(other)
	case 1:
		return hcledit.After(other)
	case 2:
		return hcledit.First()
	}
	return hcledit.Last()
}
