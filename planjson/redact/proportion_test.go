// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
)

// list returns n items with their numbers, separated by commas.
func list(n int, format string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
	}
	return strings.Join(items, ",")
}

func nest(n int, open, inside, end string) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
}

// A hostile is a change that is hard to redact.
type hostile struct {
	before, after, beforeSensitive, afterSensitive, paths string
}

func (h hostile) plan() []byte {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	return fmt.Appendf(nil, `{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":"a.b","values":%s,"sensitive_values":{}}]}},`+
		`"resource_changes":[{"address":"a.b","type":"a","change":{"actions":["update"],"before":%s,"after":%s,"after_unknown":{},`+
		`"before_sensitive":%s,"after_sensitive":%s,"replace_paths":[%s]}}],"configuration":{"root_module":{"resources":[{"address":"a.b",`+
		`"type":"a","expressions":{"x":%s}}]}}}`,
		or(h.after, "{}"), or(h.before, "{}"), or(h.after, "{}"), or(h.beforeSensitive, "{}"), or(h.afterSensitive, "{}"), h.paths,
		nest(len(h.before)/1000%400, `{"b":`, `{"constant_value":"secretsecret"}`, "}"))
}

// TestProportion checks that twice the document is about twice the work, for
// documents and options that are hard in one way each. The work is counted in
// bytes looked at, and time is not measured.
func TestProportion(t *testing.T) {
	for _, test := range []struct {
		name string
		r    func(n int) Redactor
		doc  func(n int) hostile
	}{
		{"deep arrays", nil, func(n int) hostile {
			return hostile{before: `{"x":` + nest(n, "[", `"secret text"`, "]") + "}", beforeSensitive: `{"x":` + nest(n, "[", "true", "]") + "}"}
		}},
		{"deep objects", nil, func(n int) hostile {
			return hostile{before: `{"x":` + nest(n, `{"y":`, `"secret text"`, "}") + "}", beforeSensitive: `{"x":` + nest(n, `{"y":`, "true", "}") + "}"}
		}},
		{"a ladder", nil, func(n int) hostile {
			return hostile{
				before:          `{"x":` + nest(n/2, `[{"a":"secret text","b":`, "1", "}]") + "}",
				after:           `{"x":` + nest(n/2, `[{"a":1},{"b":`, "1", "}]") + "}",
				beforeSensitive: `{"x":` + nest(n/2, `[{"a":true,"b":`, "true", "}]") + "}",
				afterSensitive:  `{"x":` + nest(n/2, `[{},{"b":`, "true", "}]") + "}",
			}
		}},
		{"lists of other lengths", nil, func(n int) hostile {
			return hostile{
				before: `{"x":[` + list(n, `{"a":"secret #"}`) + "]}", after: `{"x":[` + list(n+1, `{"a":"secret #"}`) + "]}",
				beforeSensitive: `{"x":[` + list(n, `{"a":true}`) + "]}", afterSensitive: `{"x":[` + list(n+1, `{"a#":true}`) + "]}",
			}
		}},
		{"equal lists", nil, func(n int) hostile {
			same := `{"x":[` + list(n, `{"a":"secret","b":"c"}`) + "]}"
			return hostile{before: same, after: same, beforeSensitive: `{"x":[` + list(n, `{"a":true}`) + "]}"}
		}},
		{"escaped names", nil, func(n int) hostile {
			return hostile{before: "{" + list(n, `"\u0061#":"secret text #"`) + "}", beforeSensitive: "{" + list(n, `"a#":true`) + "}"}
		}},
		{"replace paths", nil, func(n int) hostile {
			return hostile{before: `{"x":{"y":1}}`, beforeSensitive: `{"x":{"y":true}}`, paths: list(n, `["x","y",#,"z"]`)}
		}},
		{"learned secrets", nil, func(n int) hostile {
			return hostile{before: `{"x":[` + list(n, `"secret text #"`) + "]}", beforeSensitive: `{"x":true}`, after: `{"y":[` + list(n, `"has secret text # in it"`) + "]}"}
		}},
		{"names that are secrets", nil, func(n int) hostile {
			return hostile{before: `{"x":[` + list(n, `"secret text #"`) + "]}", beforeSensitive: `{"x":true}`, after: `{"y":{` + list(n, `"secret text #":1`) + "}}"}
		}},
		{"many lines", nil, func(n int) hostile {
			return hostile{before: `{"x":"` + strings.Repeat(`this is a secret line\n`, n) + `"}`, beforeSensitive: `{"x":true}`, after: `{"y":"` + strings.Repeat(`  this is a secret line\n`, n) + `"}`}
		}},
		{"a rule with many **", func(n int) Redactor {
			return Redactor{Rules: []Rule{{Path: []string{"**", "y", "**", "y", "**", "z"}}}}
		}, func(n int) hostile {
			return hostile{before: `{"x":` + nest(n, `{"y":`, `1`, "}") + "}"}
		}},
		{"a rule that asks", func(n int) Redactor {
			return Redactor{Rules: []Rule{{Path: []string{"**"}, Match: func(Place, planjson.Value) bool { return false }}}}
		}, func(n int) hostile {
			return hostile{before: `{"x":` + nest(n, `[`, `1`, "]") + "}"}
		}},
		{"many secrets", func(n int) Redactor {
			return Redactor{Secrets: strings.Split(list(n, "hidden#"), ",")}
		}, func(n int) hostile {
			return hostile{before: `{"x":[` + list(n, `"hidden#"`) + "]}"}
		}},
	} {
		work := func(n int, windows bool) (looked, size int) {
			var r Redactor
			if test.r != nil {
				r = test.r(n)
			}
			r.worked, r.windows = &looked, windows
			src := test.doc(n).plan()
			var out bytes.Buffer
			if _, err := r.WritePlan(&out, bytes.NewReader(src)); err != nil {
				t.Fatal(err)
			}
			return looked, len(src) + out.Len()
		}
		for name, windows := range map[string]bool{"": false, ", long": true} {
			t.Run(test.name+name, func(t *testing.T) {
				n := depth.Of(300, 1000, 1000)
				small, a := work(n, windows)
				large, b := work(2*n, windows)
				if grown, bound := float64(large)/float64(small), 1.3*float64(b)/float64(a); grown > bound {
					t.Errorf("%d bytes look at %d, %d bytes at %d: %.2f times, more than %.2f", a, small, b, large, grown, bound)
				}
				if large > 60*b {
					t.Errorf("%d bytes look at %d", b, large)
				}
			})
		}
	}
}

// TestProportionOptions checks the same for the other options, and for the methods.
func TestProportionOptions(t *testing.T) {
	values := func(n int) string {
		return `{"x":[` + list(n, `"secret text #"`) + `],"y":[` + list(n, `"has secret text # in it"`) + "]}"
	}
	plan := func(n int) []byte {
		return hostile{before: values(n), after: values(n), beforeSensitive: `{"x":true}`}.plan()
	}
	state := func(n int) []byte {
		return []byte(`{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","type":"a","values":` + values(n) + `,"sensitive_values":{"x":true}}]}}}`)
	}
	outputs := func(n int) []byte {
		return []byte(`{` + list(n, `"o#":{"sensitive":true,"type":"string","value":"secret text #"},"p#":{"sensitive":false,"type":"string","value":"has secret text # in it"}`) + `}`)
	}
	config := func(n int) []byte {
		return []byte(`{"format_version":"1.0","root_module":{"variables":{` + list(n, `"v#":{"default":"secret text #","sensitive":true}`) + `},"outputs":{` + list(n, `"o#":{"expression":{"constant_value":"has secret text # in it"}}`) + `}}}`)
	}
	validate := func(n int) []byte {
		return []byte(`{"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[` + list(n, `{"severity":"error","summary":"s","detail":"hidden text #"}`) + `]}`)
	}
	shown := func(n int) []byte {
		return []byte(`{"format_version":"1.0","resource":{"address":"a.b","type":"a","values":` + values(n) + `,"sensitive_values":{"x":true}}}`)
	}
	rendererPlan := func(n int) []byte {
		return []byte(`{"plan_format_version":"1.2","resource_changes":[{"address":"a.b","change":{"actions":["create"],"before":null,"after":` + values(n) + `,"after_sensitive":{"x":true}}}],"provider_format_version":"1.0"}`)
	}
	rendererState := func(n int) []byte {
		return []byte(`{"state_format_version":"1.0","root_module":{"resources":[{"address":"a.b","type":"a","values":` + values(n) + `,"sensitive_values":{"x":true}}]},"provider_format_version":"1.0"}`)
	}
	judged := func(n int) []byte {
		return []byte(`{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","type":"a","mode":"managed","provider_name":"p","values":{` + list(n, `"a#":"secret text #","b#":"has secret text # in it"`) + `},"sensitive_values":{}}]}}}`)
	}
	schemas, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":{"a":{"version":0,"block":{"attributes":{` +
		list(2000, `"a#":{"type":"string","optional":true,"sensitive":true},"b#":{"type":"string","optional":true}`) + `}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	write := func(r Redactor, src []byte) error {
		_, err := r.WritePlan(io.Discard, bytes.NewReader(src))
		return err
	}
	for _, test := range []struct {
		name string
		doc  func(n int) []byte
		r    Redactor
		call func(r Redactor, src []byte) error
	}{
		{"Keep", plan, Redactor{Keep: All}, write},
		{"Text", plan, Redactor{Text: "-"}, write},
		{"OnlyMarked", plan, Redactor{OnlyMarked: true}, write},
		{"MinSecret", plan, Redactor{MinSecret: 1}, write},
		{"NoSpool", plan, Redactor{NoSpool: true}, func(r Redactor, src []byte) error {
			_, err := r.WritePlan(io.Discard, io.MultiReader(bytes.NewReader(src)))
			return err
		}},
		{"Report", plan, Redactor{Report: func(Entry) {}}, write},
		{"Plan", plan, Redactor{}, inMemory(planjson.DecodePlan, Redactor.Plan)},
		{"State", state, Redactor{}, inMemory(planjson.DecodeState, Redactor.State)},
		{"Config", config, Redactor{}, inMemory(planjson.DecodeConfig, Redactor.Config)},
		{"Outputs", outputs, Redactor{}, inMemory(planjson.DecodeOutputs, Redactor.Outputs)},
		{"Validate", validate, Redactor{}, inMemory(planjson.DecodeValidate, Redactor.Validate)},
		{"KnownSecrets", plan, Redactor{}, func(r Redactor, src []byte) error {
			p, err := planjson.DecodePlan(src)
			if err != nil {
				return err
			}
			_, err = r.KnownSecrets(p)
			return err
		}},
		{"Schemas", judged, Redactor{Schemas: schemas}, inMemory(planjson.DecodeState, Redactor.State)},
		{"StateShow", shown, Redactor{}, inMemory(planjson.DecodeStateShow, Redactor.StateShow)},
		{"RendererPlan", rendererPlan, Redactor{}, inMemory(planjson.DecodeRendererPlan, Redactor.RendererPlan)},
		{"RendererState", rendererState, Redactor{}, inMemory(planjson.DecodeRendererState, Redactor.RendererState)},
		{"WriteState", state, Redactor{}, func(r Redactor, src []byte) error {
			_, err := r.WriteState(io.Discard, bytes.NewReader(src))
			return err
		}},
	} {
		work := func(n int, windows bool) (looked, size int) {
			test.r.worked, test.r.windows = &looked, windows
			src := test.doc(n)
			if err := test.call(test.r, src); err != nil {
				t.Fatal(err)
			}
			return looked, len(src)
		}
		for name, windows := range map[string]bool{"": false, ", long": true} {
			t.Run(test.name+name, func(t *testing.T) {
				n := depth.Of(300, 1000, 1000)
				small, a := work(n, windows)
				large, b := work(2*n, windows)
				if grown, bound := float64(large)/float64(small), 1.3*float64(b)/float64(a); small == 0 || grown > bound || large > 60*b {
					t.Errorf("%d bytes look at %d, %d bytes at %d: %.2f times, at most %.2f", a, small, b, large, grown, bound)
				}
			})
		}
	}
}

func inMemory[D planjson.Document](decode func([]byte) (D, error), redact func(Redactor, D) (int, error)) func(Redactor, []byte) error {
	return func(r Redactor, src []byte) error {
		doc, err := decode(src)
		if err != nil {
			return err
		}
		_, err = redact(r, doc)
		return err
	}
}
