// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
)

func nest(n int, open, leaf, end string) string {
	return strings.Repeat(open, n) + leaf + strings.Repeat(end, n)
}

func many(n int, item string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(item, "#", fmt.Sprint(i)) + ",")
	}
	return strings.TrimSuffix(b.String(), ",")
}

// A counter counts the bytes written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// TestProportion doubles hostile documents, and counts allocations and the bytes
// that are hashed, in comparison of values and of plans and in all renderings,
// with schemas and without, against text and output.
func TestProportion(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{"set":{"type":["set","string"],"optional":true},"l":{"type":["list","number"],"optional":true}},` +
		`"block_types":{"block":{"nesting_mode":"set","block":{"attributes":{"k":{"type":"string","optional":true},"pw":{"type":"string","optional":true,"sensitive":true}}}}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(n int) (before, after, rest string){
		"deep arrays": func(n int) (string, string, string) {
			return `{"x":` + nest(n, "[", "1", "]") + "}", `{"x":` + nest(n, "[", "2", "]") + "}", ""
		},
		"deep arrays with more elements": func(n int) (string, string, string) {
			return `{"x":` + nest(n, "[0,", "1", ",5]") + "}", `{"x":` + nest(n, "[", "2", ",3]") + "}", ""
		},
		"deep objects": func(n int) (string, string, string) {
			return nest(n, `{"a":`, "1", "}"), nest(n, `{"a":`, "2", "}"), ""
		},
		"ladders": func(n int) (string, string, string) {
			return nest(n, `{"a":1,"b":`, "1", "}"), nest(n, `{"a":1,"b":`, "2", "}"), ""
		},
		"ladders with members in another order": func(n int) (string, string, string) {
			return nest(n, `{"b":`, "1", `,"a":1}`), nest(n, `{"b":`, "2", `,"a":1}`), ""
		},
		"such ladders that come": func(n int) (string, string, string) {
			return "{}", `{"x":` + nest(n, `{"b":`, "2", `,"a":1}`) + "}", ""
		},
		"ladders with a member more on each level": func(n int) (string, string, string) {
			return nest(n, `{"a":`, "1", `,"b":1}`), nest(n, `{"a":`, "2", `}`), ""
		},
		"marked ladders with members in another order": func(n int) (string, string, string) {
			return nest(n, `{"b":`, "1", `,"a":1}`), nest(n, `{"b":`, "2", `,"a":1}`), `,"before_sensitive":` + nest(n, `{"b":`, `{"a":true}`, "}") + `,"after_unknown":` + nest(n, `{"b":`, "true", "}")
		},
		"objects in arrays": func(n int) (string, string, string) {
			return `{"x":` + nest(n, `[{"a":`, "1", "}]") + "}", `{"x":` + nest(n, `[{"a":`, "2", `},{"a":3}]`) + "}", ""
		},
		"wide lists": func(n int) (string, string, string) {
			return `{"l":[` + many(n, "#") + "]}", `{"l":[` + many(n, "7#") + "]}", ""
		},
		"equal lists": func(n int) (string, string, string) {
			return `{"l":[` + many(n, "1") + "]}", `{"l":[2,` + many(n, "1") + "]}", ""
		},
		"escaped names": func(n int) (string, string, string) {
			return `{` + many(n, `"\u0061#":1`) + "}", `{` + many(n, `"\u0061#":2`) + "}", ""
		},
		"replace paths": func(n int) (string, string, string) {
			return `{` + many(n, `"a#":1`) + "}", `{` + many(n, `"a#":2`) + "}", `,"replace_paths":[` + many(n, `["a#"]`) + "]"
		},
		"replace paths to elements": func(n int) (string, string, string) {
			return `{"l":[` + many(n, "1") + "]}", `{"l":[` + many(n, "2") + "]}", `,"replace_paths":[` + many(n, `["l",#]`) + "]"
		},
		"many lines": func(n int) (string, string, string) {
			return `{"x":"` + many(n, `a#\n`) + `"}`, `{"x":"` + many(n, `b#\n`) + `"}`, ""
		},
		"JSON in a string": func(n int) (string, string, string) {
			return `{"x":"` + nest(n, "[", "1", "]") + `"}`, `{"x":"` + nest(n, "[", "2", "]") + `"}`, ""
		},
		"neighbours": func(n int) (string, string, string) {
			return `{"x":"[` + many(n, `{\"a\":[#]},[#,1],#`) + `]"}`, `{"x":"[` + many(n, `{\"a\":[#]},[#,2],#`) + `]"}`, ""
		},
		"white space of JSON": func(n int) (string, string, string) {
			return `{"x":"[` + many(n, `{\"a\":[#]}`) + `]"}`, `{"x":"[ ` + many(n, `{\"a\":[#]}`) + `]"}`, ""
		},
		"kinds of JSON": func(n int) (string, string, string) {
			return `{"x":"{\"o\":{` + many(n, `\"a#\":null`) + `}}"}`, `{"x":"{\"o\":[` + many(n, `{\"a\":[#]}`) + `]}"}`, ""
		},
		"texts in lists": func(n int) (string, string, string) {
			return `{"x":"[` + many(n, `\"a\\n#\"`) + `]"}`, `{"x":"[` + many(n, `\"a\\nb#\"`) + `]"}`, ""
		},
		"wide marks": func(n int) (string, string, string) {
			return `{"l":[` + many(n, "#") + "]}", `{"l":[` + many(n, "7#") + "]}", `,"before_sensitive":{"l":[` + many(n, "true") + `]},"after_sensitive":{"l":[` + many(n, "false") + "]}"
		},
		"deep marks": func(n int) (string, string, string) {
			return nest(n, `{"a":1,"b":`, "1", "}"), nest(n, `{"a":2,"b":`, "2", "}"), `,"before_sensitive":` + nest(n, `{"b":`, `{"a":true}`, "}") + `,"after_unknown":` + nest(n, `{"b":`, "true", "}")
		},
		"marks by name": func(n int) (string, string, string) {
			return `{` + many(n, `"a#":1`) + "}", `{` + many(n, `"a#":2`) + "}", `,"before_sensitive":{` + many(n, `"a#":true`) + `},"after_unknown":{` + many(n, `"b#":true`) + "}"
		},
		"sets": func(n int) (string, string, string) {
			return `{"set":[` + many(n, `"#"`) + "]}", `{"set":[` + many(n, `"7#"`) + "]}", ""
		},
		"sets of blocks with marks": func(n int) (string, string, string) {
			return `{"block":[` + many(n, `{"k":"#","pw":"x"}`) + "]}", `{"block":[` + many(n, `{"k":"7#","pw":"y"}`) + "]}", `,"before_sensitive":{"block":true}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) (cost bounds.Cost, hashed, size float64) {
				before, after, rest := make(n)
				src := `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],"before":` + before +
					`,"after":` + after + `,"after_unknown":{},"before_sensitive":false,"after_sensitive":false` + rest + `}}]}`
				p, err := planjson.DecodePlan([]byte(src))
				if err != nil {
					t.Fatal(err)
				}
				other, err := planjson.DecodePlan([]byte(strings.Replace(src, `"after":`+after, `"after":`+before, 1)))
				if err != nil {
					t.Fatal(err)
				}
				state := func(values string) *planjson.State {
					s, err := planjson.DecodeState([]byte(`{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","schema_version":0,"values":` +
						values + `,"sensitive_values":{"block":true}}]}}}`))
					if err != nil {
						t.Fatal(err)
					}
					return s
				}
				one, two := state(before), state(after)
				d := newDiffer(Options{Schemas: schemas, Unchanged: true})
				d.resource(p.ResourceChanges[0])
				var out counter
				cost = bounds.Of(func() {
					for _, o := range []Options{{}, {Schemas: schemas}, {Unchanged: true}, {Schemas: schemas, Unchanged: true}} {
						diff := Plan(p, o)
						diff.WriteText(&out, TextOptions{})
						diff.WriteText(&out, TextOptions{Color: true, MaxValue: 20})
						diff.WriteMarkdown(&out, MarkdownOptions{})
						diff.WriteMarkdown(&out, MarkdownOptions{MaxBytes: 65536, MaxValue: -1, Title: "T"})
						diff.WriteHTML(&out, TextOptions{})
						diff.WriteHTML(&out, TextOptions{MaxValue: 20})
						Change(p.ResourceChanges[0], o).WriteText(&out, TextOptions{})
						for _, c := range []*Comparison{ComparePlans(p, other, o), CompareStates(one, two, o), ComparePlanWithState(p, one, o)} {
							for _, r := range c.Changed {
								r.WriteText(&out, TextOptions{})
								for a := range r.Object.Leaves() {
									out += counter(len(a.Name) + len(a.Lines()))
								}
							}
						}
					}
				})
				return cost, float64(d.hashes.hashed), float64(len(src) + int(out))
			}
			n := depth.Of(50, 150, 300)
			bounds.Check(t, func() string {
				small, hashed, size := work(n)
				large, hashed2, size2 := work(2 * n)
				if bound := 1.3 * size2 / size; !large.Within(small, bound) || hashed2 > bound*hashed+100 || hashed2 > 4*size2 {
					return fmt.Sprintf("%v bytes: %+v, %v bytes hashed; %v bytes: %+v, %v", size, small, hashed, size2, large, hashed2)
				}
				return ""
			})
		})
	}
}
