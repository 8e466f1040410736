// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// Rare differences as text, with a schema that has everything.
func TestDiffRare(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{
		"attributes":{"tup":{"type":["tuple",["string","number"]]},"none":{},"m":{"type":["map","string"]},"d":{"type":"dynamic"},"ports":{"type":["list","number"]},
			"hide":{"nested_type":{"nesting_mode":"list","attributes":{"pw":{"type":"string","sensitive":true},"k":{"type":"string"}}}},
			"odd":{"nested_type":{"nesting_mode":"cube","attributes":{}}}},
		"block_types":{"b":{"nesting_mode":"list","block":{"attributes":{"x":{"type":"number"},"s":{"type":"string"}}}},"empty":{"nesting_mode":"single"}}}}},
		"action_schemas":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, change, want string }{
		{"tuple grows", `{"before":{"tup":["a"]},"after":{"tup":["a",1,2]}}`, "~ tup = [\n\"a\",\n+ 1,\n+ 2,\n]"},
		{"tuple shrinks", `{"before":{"tup":["a",1]},"after":{"tup":["b"]}}`, "~ tup = [\n~ \"a\" -> \"b\",\n- 1,\n]"},
		{"moved with a secret", `{"before":{"hide":[{"k":"1"},{"k":"2"},{"k":"3"}]},"after":{"hide":[{"k":"3"},{"k":"1"},{"k":"2"}]}}`,
			"~ hide = [\n~ (sensitive value), # moved from [2]\n# (2 unchanged elements hidden)\n]"},
		{"moved object", `{"before":{"l":[{"k":"1"},{"k":"2"},{"k":"3"}]},"after":{"l":[{"k":"3"},{"k":"1"},{"k":"2"}]}}`,
			"~ l = [\n~ (the same element), # moved from [2]\n# (2 unchanged elements hidden)\n]"},
		{"all of it forces", `{"actions":["delete","create"],"before":{"a":1},"after":{"a":2},"replace_paths":[[]]}`, "~ a = 1 -> 2"},
		{"null forces", `{"before":{"a":1,"z":null},"after":{"a":2,"z":null},"replace_paths":[["z"]]}`, "~ a = 1 -> 2\n~ z = (unchanged) # forces replacement"},
		{"blocks of another kind", `{"before":{"b":["x"]},"after":{"b":[{"x":1}]},"replace_paths":[["b",0]]}`, "- b \"x\"\n+ b { # forces replacement\n+ x = 1\n}"},
		{"blocks of which nothing is known", `{"before":null,"after":{"none":1},"after_unknown":{"b":true}}`, "+ none = 1\n\n+ b (known after apply)"},
		{"blocks of which nothing is known any more", `{"before":{"b":[{"x":1}]},"after":{},"after_unknown":{"b":true}}`, "~ b [\n- {\n- x = 1\n},\n] -> (known after apply)"},
		{"no blocks, and nothing is known any more", `{"before":{"b":[]},"after":{},"after_unknown":{"b":true}}`, "+ b (known after apply)"},
		{"empty strings for none", `{"before":{"x":null,"y":"","z":"a"},"after":{"x":"","y":null,"z":""}}`, "~ z = \"a\" -> \"\""},
		{"nothing but empty strings for none", `{"before":{"x":null,"y":""},"after":{"x":"","y":null}}`, "+ x = \"\"\n- y = \"\" -> null"},
		{"an empty string that forces", `{"before":{"x":null,"z":"a"},"after":{"x":"","z":"b"},"replace_paths":[["x"]]}`, "+ x = \"\" # forces replacement\n~ z = \"a\" -> \"b\""},
		{"empty strings in a new object", `{"before":null,"after":{"x":"","z":"a","b":[{"s":"","x":1}]}}`, "+ z = \"a\"\n\n+ b {\n+ x = 1\n}"},
		{"nothing but empty strings in a new object", `{"before":null,"after":{"x":""}}`, "+ x = \"\""},
		{"blocks that differ in nothing else", `{"before":{"b":[{"s":null},{"s":"a"},{"x":1}],"z":1},"after":{"b":[{"s":""},{"s":"b"},{"x":1}],"z":1}}`,
			"# (1 unchanged attribute hidden)\n\n~ b {\n~ s = \"a\" -> \"b\"\n}\n\n# (2 unchanged blocks hidden)"},
		{"all blocks differ in nothing else", `{"before":{"b":[{"s":null},{"s":"","x":2},{"x":1}],"z":1},"after":{"b":[{"s":""},{"x":2},{"x":1}],"z":2}}`, "~ z = 1 -> 2\n\n# (3 unchanged blocks hidden)"},
		{"empty strings that stay", `{"before":{"x":"","y":"k","z":"a","b":[{"x":1,"s":""},{"s":"","x":2}]},"after":{"x":"","y":"k","z":"b","b":[{"x":1,"s":""},{"s":"","x":3}]}}`,
			"~ z = \"a\" -> \"b\"\n# (1 unchanged attribute hidden)\n\n~ b {\n~ x = 2 -> 3\n}\n\n# (1 unchanged block hidden)"},
		{"nothing but empty strings and blocks", `{"before":{"x":"","b":[{"x":1}]},"after":{"x":"","b":[{"x":2}]}}`, "~ b {\n~ x = 1 -> 2\n}"},
		{"an empty string in a map", `{"before":{"m":{"k":1},"z":1},"after":{"m":{"k":1,"s":""},"z":1}}`, "~ m = {\n+ \"s\" = \"\"\n# (1 unchanged element hidden)\n}\n# (1 unchanged attribute hidden)"},
		{"an empty string that becomes an object", `{"before":{"d":"","z":1},"after":{"d":{"a":1},"z":1}}`, "~ d = \"\" -> {\n+ a = 1\n}\n# (1 unchanged attribute hidden)"},
		{"nothing but null", `{"before":null,"after":{"o":{"x":null}}}`, "+ o = {}"},
		{"object of two kinds", `{"before":[1],"after":{"a":1}}`, "- [\n- 1,\n],\n+ {\n+ a = 1\n},"},
		{"a text that was empty", `{"before":{"s":""},"after":{"s":"\n\nx\n"}}`, "~ s = <<-EOT\n\n+\n+ x\nEOT"},
		{"long text", `{"before":{"s":"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nold\n"},"after":{"s":"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nnew\n"}}`,
			"~ s = <<-EOT\n# (7 unchanged lines hidden)\n8\n9\n10\n- old\n+ new\nEOT"},
		{"one line less", `{"before":{"s":"1\n2\n3\n4\nold\n"},"after":{"s":"1\n2\n3\n4\nnew\n"}}`,
			"~ s = <<-EOT\n# (1 unchanged line hidden)\n2\n3\n4\n- old\n+ new\nEOT"},
		{"the last line end", `{"before":{"s":"1\n"},"after":{"s":"1"}}`, "~ s = <<-EOT\n# (1 unchanged line hidden)\nEOT"},
		{"moved in a list of numbers", `{"before":{"ports":[1,2,3]},"after":{"ports":[2,3,1]}}`, "~ ports = [\n# (1 unchanged element hidden)\n3,\n~ 1, # moved from [0]\n]"},
		{"invalid", `{"before":{"a":1},"after":"x"}`, "- {\n- a = 1 -> null\n},\n+ \"x\","},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := new(planjson.Change)
			if err := c.UnmarshalJSON([]byte(row.change)); err != nil {
				t.Fatal(err)
			}
			d := plandiff.Change(&planjson.ResourceChange{Address: "t.x", Mode: "managed", Type: "t", Name: "x", ProviderName: "p", Change: *c}, plandiff.Options{Schemas: schemas})
			var lines []string
			for _, line := range strings.Split(strings.TrimSpace(d.Text()), "\n") {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
			got := strings.Join(lines[2:len(lines)-1], "\n")
			if row.name == "all of it forces" && !strings.HasSuffix(lines[1], "# forces replacement") {
				t.Errorf("got %s", lines[1])
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Loops over a difference can be left.
func TestDiffBreak(t *testing.T) {
	d := plandiff.Change(&planjson.ResourceChange{Change: planjson.Change{Before: planjson.Value(`{"a":{"b":1,"c":2},"d":3}`), After: planjson.Value(`{"a":{"b":2,"c":3},"d":4}`)}}, plandiff.Options{})
	for stop := 1; stop < 5; stop++ {
		n := 0
		for range d.Object.All() {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("%d steps, want %d", n, stop)
		}
	}
	for stop := 1; stop < 3; stop++ {
		n := 0
		for range d.Object.Leaves() {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("%d leaves, want %d", n, stop)
		}
	}
}

// Objects as no tool writes them are compared as others: with white space,
// members in any order, escaped names, and names that only one has.
func TestDiffSpellings(t *testing.T) {
	const want = "b changed 2 -> 3; pw changed -> sensitive"
	for _, row := range [][2]string{
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{"a":1,"b":3,"pw":"y","z":[1]}`},
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{ "a":1,"b":3,"pw":"y","z":[1]}`},
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{"a":1,"b":3,"pw":"y","z":[ 1 ] }`},
		{`{"a":1, "b":2,"pw":"x","z":[1]}`, `{"a":1,"b":3,"pw":"y","z":[1]}`},
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{"z":[1],"a":1,"b":3,"pw":"y"}`},
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{"\u0061":1,"b":3,"\u0070w":"y","z":[1]}`},
		{`{"a":1,"b":2,"pw":"x","z":[1],"zz":null}`, `{"a":1,"b":3,"pw":"y","z":[1]}`},
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{"a":1,"b":3,"pw":"y","z":[1],"zz":null}`},
		{`{"a":1,"b":2,"pw":"x","z":[1]}`, `{"0":null,"a":1,"b":3,"pw":"y","z":[1]}`},
		{`{"a":1,"b":2,"pw":"w","pw":"x","z":[1]}`, `{"a":1,"b":3,"pw":"x","pw":"y","z":[1]}`},
	} {
		for _, marks := range [][2]string{{`{"pw":true}`, `{"pw":true}`}, {`{"pw":true}`, `{ "pw" : true }`}, {`{"pw":true,"q":false}`, `{"pw":true}`}} {
			rc := &planjson.ResourceChange{Change: planjson.Change{Before: planjson.Value(row[0]), After: planjson.Value(row[1]), AfterUnknown: planjson.Value(`{}`),
				BeforeSensitive: planjson.Value(marks[0]), AfterSensitive: planjson.Value(marks[1])}}
			d := plandiff.Change(rc, plandiff.Options{})
			var got []string
			for a := range d.Object.Leaves() {
				got = append(got, leaf(a))
			}
			if diff := cmp.Diff(want, strings.Join(got, "; ")); diff != "" || d.Object.Hidden != 2 {
				t.Errorf("%s %s: %d hidden, %s", row, marks, d.Object.Hidden, diff)
			}
		}
	}
}
