// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-json/sanitize"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

const planRecordings = "../planjson/testdata"

var planFeatures = []feature{
	{
		what: "decode and encode gives the same bytes",
		cases: []featureCase{
			samePlan("tofu-1.12.6/actions/plan.json"),
			samePlan("terraform-1.11.4/actions/plan.json"),
			sameState("tofu-1.12.6/actions/state.json", false),
			sameState("terraform-1.11.4/actions/state.json", true),
			sameState("terraform-1.11.4/values/state.json", true),
			{"every recorded plan and state", func(t *testing.T) bool { return sameOf(t, "plan") == 1 && sameOf(t, "state") == 1 },
				func(t *testing.T) bool { return peerSameOf(t, "plan") == 1 && peerSameOf(t, "state") == 1 }, true, false},
			{"half of the recorded states", func(t *testing.T) bool { return sameOf(t, "state") >= 0.5 }, func(t *testing.T) bool { return peerSameOf(t, "state") >= 0.5 }, true, true},
			{"one recorded plan", func(t *testing.T) bool { return sameOf(t, "plan") > 0 }, func(t *testing.T) bool { return peerSameOf(t, "plan") > 0 }, true, false},
		},
		note: "half of the states, no plan",
	},
	{
		what: "nothing in a plan is lost; null and absent differ",
		cases: []featureCase{
			survives("an extra member of a plan", planWith(`"x_new":1`), `"x_new":1`, true, false),
			survives("an extra member of a change", planWith(`"resource_changes":[{"address":"a.b","change":{"actions":["create"],"x_new":1}}]`), `"x_new":1`, true, false),
			survives("errored", planWith(`"errored":true`), `"errored":true`, true, false),
			survives("applyable", planWith(`"applyable":true`), `"applyable":true`, true, false),
			survives("complete", planWith(`"complete":true`), `"complete":true`, true, true),
			survives("the type of a variable", configWith(`"variables":{"v":{"type":"string"}}`), `"type":"string"`, true, false),
			survives("a nested block of nesting mode single", resourceWith(`"timeouts":{"create":{"constant_value":"5m"}}`), `"constant_value":"5m"`, true, false),
			survives("nested blocks of nesting mode list", resourceWith(`"network":[{"name":{"constant_value":"5m"}}]`), `"constant_value":"5m"`, true, true),
			survives("a constant beside references", resourceWith(`"name":{"constant_value":"5m","references":["var.x"]}`), `"constant_value":"5m"`, true, false),
			nullAbsent("after of a change", planWith(`"resource_changes":[{"address":"a.b","change":{"actions":["delete"]%s}}]`), `,"after":null`,
				func(p *planjson.Plan) planjson.Value { return p.ResourceChanges[0].Change.After }),
			nullAbsent("before of a change", planWith(`"resource_changes":[{"address":"a.b","change":{"actions":["create"]%s}}]`), `,"before":null`,
				func(p *planjson.Plan) planjson.Value { return p.ResourceChanges[0].Change.Before }),
			nullAbsent("value of a variable", planWith(`"variables":{"v":{%s}}`), `"value":null`,
				func(p *planjson.Plan) planjson.Value { return p.Variables["v"].Value }),
			nullAbsent("default of a variable", configWith(`"variables":{"v":{%s}}`), `"default":null`,
				func(p *planjson.Plan) planjson.Value { return p.Config().RootModule.Variables["v"].Default }),
		},
		note: "not `errored`, `applyable`, `timeouts` blocks, nulls, new members",
	},
	{
		what: "numbers are exact",
		cases: []featureCase{
			number("9007199254740993", true),
			number("12345678901234567890.5", true),
			number("0.100000000000000005551115123125", true),
			number("-0", true),
			number("1.0", true),
			number("1e400", true),
			survives("in the prior state", planWith(`"prior_state":{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","values":{"n":9007199254740993}}]}}}`), `"n":9007199254740993`, true, false),
			survives("in the configuration", resourceWith(`"n":{"constant_value":9007199254740993}`), `"constant_value":9007199254740993`, true, false),
			{"1e400 in the prior state", decodesPlan(bigPriorState), peerDecodesPlan(bigPriorState), true, false},
		},
		note: "not in `prior_state` and `configuration`",
	},
	{
		what: "a plan of a newer format version can be read",
		cases: []featureCase{
			{"minor", decodesPlan(`{"format_version":"1.99"}`), peerDecodesPlan(`{"format_version":"1.99"}`), true, true},
			{"major", decodesPlan(`{"format_version":"2.0"}`), peerDecodesPlan(`{"format_version":"2.0"}`), true, false},
			{"major, on request refused", refusesPlan(`{"format_version":"2.0"}`), peerRefusesPlan(`{"format_version":"2.0"}`), true, true},
		},
		note: "the next major version is always refused, here by `CheckVersion`",
	},
	{
		what:  "errors with line, column and JSON pointer",
		cases: errorCases(planWith("\n" + `"resource_changes":[{"address":"a.b"},{"address":5}]`)),
		note:  "offset and member",
	},
	{
		what: "a plan can be read in flat memory",
		cases: []featureCase{
			{"32 MiB", streamsFlat, peerStreamsFlat, true, false},
		},
	},
	{
		what:  "redaction leaves no marked secret",
		cases: redactionCases,
		note:  "not in drift and configuration; some plans make it panic",
	},
}

// planWith returns a plan with some more members.
func planWith(members string) string {
	return `{"format_version":"1.2","terraform_version":"1.12.6",` + members + `}`
}

// configWith returns a plan with members of the root module's configuration.
func configWith(members string) string {
	return planWith(`"configuration":{"root_module":{` + members + `}}`)
}

// resourceWith returns a plan with expressions of a resource's configuration.
func resourceWith(expressions string) string {
	return configWith(`"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","expressions":{` + expressions + `},"schema_version":0}]`)
}

// bigPriorState has a number that no float64 can be.
var bigPriorState = planWith(`"prior_state":{"format_version":"1.0","values":{"outputs":{"n":{"sensitive":false,"value":1e400,"type":"number"}}}}`)

func decodesPlan(text string) func(*testing.T) bool {
	return func(*testing.T) bool {
		_, err := planjson.DecodePlan([]byte(text))
		return err == nil
	}
}

func peerDecodesPlan(text string) func(*testing.T) bool {
	return func(*testing.T) bool { return new(tfjson.Plan).UnmarshalJSON([]byte(text)) == nil }
}

func refusesPlan(text string) func(*testing.T) bool {
	return func(t *testing.T) bool {
		p, err := planjson.DecodePlan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return errors.Is(planjson.CheckVersion(p), planjson.ErrVersion)
	}
}

func peerRefusesPlan(text string) func(*testing.T) bool {
	return func(*testing.T) bool { return new(tfjson.Plan).UnmarshalJSON([]byte(text)) != nil }
}

// reencode decodes and encodes a plan.
func reencode(t *testing.T, text []byte) []byte {
	t.Helper()
	p, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := planjson.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// peerReencode does the same, with exact numbers as far as the peer has them.
func peerReencode(t *testing.T, text []byte) []byte {
	t.Helper()
	var p tfjson.Plan
	p.UseJSONNumber(true)
	if err := p.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func planRecording(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(planRecordings, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// same compares without white space at the end, which json.Marshal cannot know.
func same(a, b []byte) bool { return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) }

func samePlan(name string) featureCase {
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			text := planRecording(t, name)
			return bytes.Equal(reencode(t, text), text)
		},
		peer:    func(t *testing.T) bool { return peerPlanSurvives(planRecording(t, name)) },
		oursHas: true,
	}
}

func sameState(name string, peer bool) featureCase {
	return featureCase{
		name:    name,
		ours:    func(t *testing.T) bool { return stateSurvives(t, planRecording(t, name)) },
		peer:    func(t *testing.T) bool { return peerStateSurvives(planRecording(t, name)) },
		oursHas: true,
		peerHas: peer,
	}
}

func stateSurvives(t *testing.T, text []byte) bool {
	s, err := planjson.DecodeState(text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := planjson.Encode(s)
	return err == nil && bytes.Equal(out, text)
}

func peerStateSurvives(text []byte) bool {
	var s tfjson.State
	s.UseJSONNumber(true)
	if err := s.UnmarshalJSON(text); err != nil {
		return false
	}
	out, err := json.Marshal(&s)
	return err == nil && same(out, text)
}

func peerPlanSurvives(text []byte) bool {
	var p tfjson.Plan
	p.UseJSONNumber(true)
	if err := p.UnmarshalJSON(text); err != nil {
		return false
	}
	out, err := json.Marshal(&p)
	return err == nil && same(out, text)
}

// sameOf returns how many of the recorded documents of a kind, as a share of
// all, survive decoding and encoding.
func sameOf(t *testing.T, kind string) float64 {
	return share(t, kind, func(text []byte) bool {
		if kind == "state" {
			return stateSurvives(t, text)
		}
		return bytes.Equal(reencode(t, text), text)
	})
}

func peerSameOf(t *testing.T, kind string) float64 {
	survives := peerPlanSurvives
	if kind == "state" {
		survives = peerStateSurvives
	}
	return share(t, kind, survives)
}

func share(t *testing.T, kind string, survives func([]byte) bool) float64 {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(planRecordings, "*", "*", kind+"*.json"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d recordings: %v", len(names), err)
	}
	n := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if survives(text) {
			n++
		}
	}
	t.Logf("%s: %d of %d", kind, n, len(names))
	return float64(n) / float64(len(names))
}

// survives looks for a part of a plan in what decoding and encoding makes of it.
func survives(name, text, part string, ours, peer bool) featureCase {
	return featureCase{
		name:    name,
		ours:    func(t *testing.T) bool { return bytes.Contains(reencode(t, []byte(text)), []byte(part)) },
		peer:    func(t *testing.T) bool { return bytes.Contains(peerReencode(t, []byte(text)), []byte(part)) },
		oursHas: ours,
		peerHas: peer,
	}
}

// number is about a number among the planned values of a resource.
func number(text string, peer bool) featureCase {
	return survives(text, planWith(`"resource_changes":[{"address":"a.b","change":{"actions":["create"],"before":null,"after":{"n":`+text+`}}}]`),
		`"n":`+text+`}`, true, peer)
}

// nullAbsent decodes a plan with a null, and one without it, and asks for the
// difference: ours the value itself, the peer anything at all.
func nullAbsent(name, format, null string, get func(*planjson.Plan) planjson.Value) featureCase {
	with, without := fmt.Sprintf(format, null), fmt.Sprintf(format, "")
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			p, err := planjson.DecodePlan([]byte(with))
			if err != nil {
				t.Fatal(err)
			}
			q, err := planjson.DecodePlan([]byte(without))
			if err != nil {
				t.Fatal(err)
			}
			return get(p).IsNull() && get(p) != nil && get(q) == nil && !get(q).IsNull()
		},
		peer: func(t *testing.T) bool {
			var p, q tfjson.Plan
			if err := p.UnmarshalJSON([]byte(with)); err != nil {
				t.Fatal(err)
			}
			if err := q.UnmarshalJSON([]byte(without)); err != nil {
				t.Fatal(err)
			}
			return !reflect.DeepEqual(p, q)
		},
		oursHas: true,
	}
}

// errorCases are about the error for a plan whose second line has the number 5
// where a text must be.
func errorCases(text string) []featureCase {
	offset := int64(strings.LastIndexByte(text, '5'))
	ours := func(t *testing.T) *planjson.Error {
		_, err := planjson.DecodePlan([]byte(text))
		var e *planjson.Error
		if !errors.As(err, &e) {
			t.Fatalf("%v", err)
		}
		return e
	}
	peer := func(t *testing.T) *json.UnmarshalTypeError {
		err := new(tfjson.Plan).UnmarshalJSON([]byte(text))
		var e *json.UnmarshalTypeError
		if !errors.As(err, &e) {
			t.Fatalf("%v", err)
		}
		return e
	}
	return []featureCase{
		{"offset", func(t *testing.T) bool { return ours(t).Offset == offset },
			func(t *testing.T) bool { return peer(t).Offset == offset+1 }, true, true}, // the end of the value
		{"member", func(t *testing.T) bool { return strings.HasSuffix(ours(t).Pointer, "/address") },
			func(t *testing.T) bool { return strings.HasSuffix(peer(t).Field, "resource_changes.address") }, true, true},
		{"element of the list", func(t *testing.T) bool { return ours(t).Pointer == "/resource_changes/1/address" },
			func(t *testing.T) bool { return strings.Contains(peer(t).Error(), "1") }, true, false},
		{"line and column", func(t *testing.T) bool {
			return ours(t).Line == 2 && ours(t).Column == int(offset)-strings.IndexByte(text, '\n') && strings.Contains(ours(t).Error(), "line 2")
		}, func(t *testing.T) bool { return strings.Contains(peer(t).Error(), "line") }, true, false},
	}
}

// A planSource is a plan of many changes that is made while it is read.
type planSource struct {
	changes int
	rest    string
	started bool
}

const sourceChange = `{"address":"a.b","mode":"managed","type":"a","name":"b","change":{"actions":["create"],"before":null,"after":{"text":"0123456789012345678901234567890123456789"}}}`

func newPlanSource(size int) *planSource { return &planSource{changes: size / len(sourceChange)} }

func (s *planSource) Read(p []byte) (int, error) {
	if s.rest == "" {
		switch {
		case !s.started:
			s.started = true
			s.rest = `{"format_version":"1.2","resource_changes":[` + sourceChange
		case s.changes > 0:
			s.changes--
			s.rest = "," + sourceChange
		case s.changes == 0:
			s.changes--
			s.rest = "]}"
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// liveMiB returns how many MiB are alive on the heap.
func liveMiB() int { return bounds.Heap() >> 20 }

// flatSize is the size of the plan, and flatLimit what may be alive, in MiB,
// while it is read.
const (
	flatSize  = 32 << 20
	flatLimit = 8
)

func streamsFlat(t *testing.T) bool {
	before, peak, n := liveMiB(), 0, 0
	for rc, err := range planjson.ResourceChanges(newPlanSource(flatSize)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%20000 == 0 {
			peak = max(peak, liveMiB()-before)
		}
		runtime.KeepAlive(rc)
	}
	return n > 100000 && peak < flatLimit
}

// peerStreamsFlat takes the way in that the peer has: all of the text, and all
// of the plan.
func peerStreamsFlat(t *testing.T) bool {
	before := liveMiB()
	text, err := io.ReadAll(newPlanSource(flatSize))
	if err != nil {
		t.Fatal(err)
	}
	var p tfjson.Plan
	if err := p.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	peak := liveMiB() - before
	runtime.KeepAlive(text)
	runtime.KeepAlive(p)
	return peak < flatLimit
}

// The cases of redaction have the secret "hunter2" in one place each, marked
// where the format can mark it.
var redactionCases = []featureCase{
	redacts("resource_changes", redactable(`"resource_changes":[{"address":"a.b","change":{"actions":["update"],"before":{"p":"hunter2"},"after":{"p":"hunter2"},"before_sensitive":{"p":true},"after_sensitive":{"p":true}}}]`, ``), true),
	redacts("planned_values", redactable(`"resource_changes":[{"address":"a.b","change":{"actions":["create"],"after":{"p":"hunter2"},"after_sensitive":{"p":true}}}]`,
		`"resources":[{"address":"a.b","values":{"p":"hunter2"},"sensitive_values":{"p":true}}]`), true),
	redacts("output_changes", redactable(`"output_changes":{"o":{"actions":["create"],"before":null,"after":"hunter2","before_sensitive":true,"after_sensitive":true}}`, ``), true),
	redacts("variables", sensitiveVariable(`"variables":{"v":{"value":"hunter2"}}`, ``), true),
	redacts("resource_drift", redactable(`"resource_drift":[{"address":"a.b","change":{"actions":["update"],"before":{"p":"hunter2"},"after":{"p":"x"},"before_sensitive":{"p":true},"after_sensitive":{"p":true}}}]`, ``), false),
	redacts("the default of a sensitive variable", sensitiveVariable(`"variables":{"v":{"value":"x"}}`, `"default":"hunter2",`), false),
	redacts("a resource that is sensitive as a whole", redactable(`"resource_changes":[{"address":"a.b","change":{"actions":["create"],"after":{"p":"hunter2"},"after_sensitive":true}}]`,
		`"resources":[{"address":"a.b","values":{"p":"hunter2"},"sensitive_values":{"p":true}}]`), false),
	redacts("a plan without planned_values", planWith(`"variables":{"v":{"value":"hunter2"}},"configuration":{"root_module":{"variables":{"v":{"sensitive":true}}}}`), false),
	redacts("a plan without configuration", planWith(`"resource_changes":[{"address":"a.b","change":{"actions":["create"],"after":{"p":"hunter2"},"after_sensitive":{"p":true}}}]`), false),
}

// redactable returns a plan with members of its own and of planned_values.
func redactable(members, planned string) string {
	return planWith(`"planned_values":{"root_module":{` + planned + `}},` + members + `,"configuration":{"root_module":{}}`)
}

func sensitiveVariable(members, config string) string {
	return planWith(`"planned_values":{"root_module":{}},` + members + `,"configuration":{"root_module":{"variables":{"v":{` + config + `"sensitive":true}}}}`)
}

func redacts(name, text string, peer bool) featureCase {
	const secret = "hunter2"
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			if !strings.Contains(text, secret) {
				t.Fatal("the plan has no secret")
			}
			p, err := planjson.DecodePlan([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if n, err := new(redact.Redactor).Plan(p); err != nil || n == 0 {
				t.Fatal(n, err)
			}
			out, err := planjson.Encode(p)
			return err == nil && !bytes.Contains(out, []byte(secret))
		},
		peer: func(t *testing.T) (has bool) {
			var p tfjson.Plan
			if err := p.UnmarshalJSON([]byte(text)); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if v := recover(); v != nil {
					t.Logf("panic: %v", v)
					has = false
				}
			}()
			q, err := sanitize.SanitizePlan(&p)
			if err != nil {
				t.Fatal(err)
			}
			out, err := json.Marshal(q)
			return err == nil && !bytes.Contains(out, []byte(secret))
		},
		oursHas: true,
		peerHas: peer,
	}
}
