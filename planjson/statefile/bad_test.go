// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func mustVersion(s string) addrs.Version {
	v, err := addrs.ParseVersion(s)
	must(err)
	return v
}

// state returns the text of a state with these resources.
func state(resources string) string {
	return `{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{},"resources":[` + resources + `],"check_results":null}`
}

// resource returns the text of a resource with these instances.
func resource(instances string) string {
	return `{"mode":"managed","type":"terraform_data","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[` + instances + `]}`
}

// instance returns the text of an instance with these members besides.
func instance(members string) string {
	return `{"schema_version":0,"attributes":{"id":"x"},"sensitive_attributes":[]` + members + `}`
}

// TestRefused has texts that both tools refuse, as Terraform 1.11.4 did when it was
// asked for "state list", and texts of other kinds.
func TestRefused(t *testing.T) {
	one := state(resource(instance("")))
	for _, tt := range []struct {
		name, text string
		cause      error
		place      string
	}{
		{"empty", "", statefile.ErrEmpty, ""},
		{"blank", " \n", nil, ""},
		{"byte order mark", "\ufeff" + one, nil, ""},
		{"null", "null", statefile.ErrKind, ""},
		{"a list", "[]", statefile.ErrKind, ""},
		{"nothing in it", "{}", statefile.ErrKind, ""},
		{"a shown state", `{"format_version":"1.0","values":{"root_module":{}}}`, statefile.ErrKind, ""},
		{"encrypted", `{"serial":1,"lineage":"l","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`, statefile.ErrEncrypted, ""},
		{"binary", "tfstate\x01\x02", statefile.ErrVersion, ""},
		{"version 0", `{"version":0}`, statefile.ErrVersion, "/version"},
		{"version 1", `{"version":1,"serial":1,"modules":[]}`, statefile.ErrVersion, "/version"},
		{"version 2", `{"version":2}`, statefile.ErrVersion, "/version"},
		{"version 5", `{"version":5,"serial":1,"lineage":"l"}`, statefile.ErrVersion, "/version"},
		{"version is a text", strings.Replace(one, "4", `"4"`, 1), statefile.ErrKind, "/version"},
		{"version with a point", strings.Replace(one, "4", "4.0", 1), statefile.ErrInvalid, "/version"},
		{"text behind", one + "{}", nil, ""},
		{"no release", strings.Replace(one, "1.9.0", "odd", 1), statefile.ErrInvalid, "/terraform_version"},
		{"serial below zero", strings.Replace(one, `"serial":1`, `"serial":-1`, 1), statefile.ErrKind, "/serial"},
		{"serial with exponent", strings.Replace(one, `"serial":1`, `"serial":1e2`, 1), statefile.ErrInvalid, "/serial"},
		{"null resource", state("null"), statefile.ErrKind, "/resources/0"},
		{"ephemeral", strings.Replace(one, "managed", "ephemeral", 1), statefile.ErrInvalid, "/resources/0/mode"},
		{"no mode", strings.Replace(one, "managed", "", 1), statefile.ErrInvalid, "/resources/0/mode"},
		{"module of no form", strings.Replace(one, `"mode"`, `"module":"module.a.b","mode"`, 1), statefile.ErrInvalid, "/resources/0/module"},
		{"module with a placeholder", strings.Replace(one, `"mode"`, `"module":"module.a[*]","mode"`, 1), statefile.ErrInvalid, "/resources/0/module"},
		{"type of two words", strings.Replace(one, "terraform_data", "a b", 1), statefile.ErrInvalid, "/resources/0/type"},
		{"name with a dot", strings.Replace(one, `"a"`, `"a.b"`, 1), statefile.ErrInvalid, "/resources/0/name"},
		{"provider of no form", strings.Replace(one, `provider[\"terraform.io/builtin/terraform\"]`, "junk", 1), statefile.ErrInvalid, "/resources/0/provider"},
		{"provider of a resource with a key", strings.Replace(one, `builtin/terraform\"]`, `builtin/terraform\"].a[\"k\"]`, 1), statefile.ErrInvalid, "/resources/0/provider"},
		{"provider of a resource with a key that an instance had before", strings.Replace(state(resource(instance(`,"provider":"provider[\"terraform.io/builtin/terraform\"].a[\"k\"]"`))+","+strings.Replace(resource(instance("")), `builtin/terraform\"]`, `builtin/terraform\"].a[\"k\"]`, 1)), `"name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]"`, `"name":"b"`, 1), statefile.ErrInvalid, "/resources/1/provider"},
		{"provider of repositories", strings.Replace(one, "terraform.io/builtin/terraform", "terraform-provider-null", 1), statefile.ErrInvalid, "/resources/0/provider"},
		{"null instance", state(resource("null")), statefile.ErrKind, "/resources/0/instances/0"},
		{"null check", strings.Replace(one, `"check_results":null`, `"check_results":[null]`, 1), statefile.ErrKind, "/check_results/0"},
		{"no UTF-8", strings.Replace(one, `"x"`, "\"\xff\"", 1), nil, "/resources/0/instances/0/attributes/id"},
		{"infinite key", state(resource(instance(`,"index_key":1e300`))), statefile.ErrInvalid, "/resources/0/instances/0/index_key"},
		{"no provider", strings.Replace(one, `provider[\"terraform.io/builtin/terraform\"]`, "", 1), statefile.ErrInvalid, "/resources/0/instances/0/provider"},
		{"key is a boolean", state(resource(instance(`,"index_key":true`))), statefile.ErrInvalid, "/resources/0/instances/0/index_key"},
		{"key below zero", state(resource(instance(`,"index_key":-1`))), statefile.ErrInvalid, "/resources/0/instances/0/index_key"},
		{"instance twice", state(resource(instance("") + "," + instance(""))), statefile.ErrInvalid, "/resources/0/instances/1"},
		{"instance twice, far apart", state(resource(instance(`,"index_key":"b"`) + "," + instance(`,"index_key":"a"`) + "," + instance(`,"index_key":"\u0062"`))), statefile.ErrInvalid, "/resources/0/instances/2"},
		{"instance in two resources", state(resource(instance("")) + "," + resource(instance(""))), statefile.ErrInvalid, "/resources/1/instances/0"},
		{"deposed twice", state(resource(instance(`,"deposed":"00000001"`) + "," + instance(`,"deposed":"00000001"`))), statefile.ErrInvalid, "/resources/0/instances/1"},
		{"short deposed key", state(resource(instance(`,"deposed":"01"`))), statefile.ErrInvalid, "/resources/0/instances/0/deposed"},
		{"status", state(resource(instance(`,"status":"odd"`))), statefile.ErrInvalid, "/resources/0/instances/0/status"},
		{"private", state(resource(instance(`,"private":"%"`))), statefile.ErrInvalid, "/resources/0/instances/0/private"},
		{"dependency", state(resource(instance(`,"dependencies":["x"]`))), statefile.ErrInvalid, "/resources/0/instances/0/dependencies/0"},
		{"paths", state(resource(strings.Replace(instance(""), "[]", `{"a":1}`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"step", state(resource(strings.Replace(instance(""), "[]", `[[{"type":"x","value":"y"}]]`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"paths that are an empty object", state(resource(strings.Replace(instance(""), "[]", `{}`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"paths that are an empty text", state(resource(strings.Replace(instance(""), "[]", `""`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"paths that are a number", state(resource(strings.Replace(instance(""), "[]", `0`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"step of an odd type", state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":"a","type":"bogus"}}]]`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"step of an open type", state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":"a","type":"dynamic"}}]]`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"step without a value", state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"type":"string"}}]]`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"step with more", state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":"a","type":"string","x":1}}]]`, 1))), statefile.ErrInvalid, "/resources/0/instances/0/sensitive_attributes"},
		{"schema version 1000.0", state(resource(strings.Replace(instance(""), ":0", ":1000.0", 1))), statefile.ErrInvalid, "/resources/0/instances/0/schema_version"},
		{"schema version 1e3", state(resource(strings.Replace(instance(""), ":0", ":1e3", 1))), statefile.ErrInvalid, "/resources/0/instances/0/schema_version"},
		{"schema version -0", state(resource(strings.Replace(instance(""), ":0", ":-0", 1))), statefile.ErrInvalid, "/resources/0/instances/0/schema_version"},
		{"type of an output", strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":1,"type":"odd"}}`, 1), statefile.ErrInvalid, "/outputs/a/type"},
		{"value of an output", strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":{},"type":"string"}}`, 1), statefile.ErrInvalid, "/outputs/a/value"},
		{"output without a value", strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"type":"string"}}`, 1), statefile.ErrInvalid, "/outputs/a/value"},
		{"check of an address of no form", strings.Replace(one, `"check_results":null`, `"check_results":[{"object_kind":"output","config_addr":"x","status":"pass","objects":null}]`, 1), statefile.ErrInvalid, "/check_results/0/config_addr"},
		{"check of an instance", strings.Replace(one, `"check_results":null`, `"check_results":[{"object_kind":"resource","config_addr":"a.b[0]","status":"pass","objects":null}]`, 1), statefile.ErrInvalid, "/check_results/0/config_addr"},
	} {
		f, err := statefile.Decode([]byte(tt.text))
		e, ok := errors.AsType[*statefile.Error](err)
		if !ok || f != nil {
			t.Errorf("%s: got %v", tt.name, err)
			continue
		}
		if tt.cause != nil && !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v is not %v", tt.name, err, tt.cause)
		}
		if e.Line < 1 || e.Column < 1 || e.Pointer != tt.place {
			t.Errorf("%s: place %q of %v, want %q", tt.name, e.Pointer, err, tt.place)
		}
	}
}

// TestAccepted has odd texts that the tools read.
func TestAccepted(t *testing.T) {
	one := state(resource(instance("")))
	for name, text := range map[string]string{
		"no resources":                 one[:strings.Index(one, `"resources"`)] + `"resources":[]}`,
		"no release":                   strings.Replace(one, "1.9.0", "", 1),
		"a release of two numbers":     strings.Replace(one, "1.9.0", "v1.2", 1),
		"a later release":              strings.Replace(one, "1.9.0", "99.0.0-odd+x", 1),
		"a key with a fraction":        state(resource(instance(`,"index_key":1.5`))),
		"a key above -1":               state(resource(instance(`,"index_key":-0.5`))),
		"a step with a null name":      state(resource(strings.Replace(instance(""), "[]", `[[{"type":"get_attr","value":null}]]`, 1))),
		"numbers that JSON has not":    strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":["+1","01",".5","1.","2p3"],"type":["list","number"]}}`, 1),
		"a provider of Terraform 0.12": strings.Replace(one, "terraform.io/builtin/terraform", "registry.terraform.io/-/aws", 1),
		"an empty key":                 state(resource(instance(`,"index_key":""`))),
		"only a deposed object":        state(resource(instance(`,"deposed":"00000001"`))),
		"instances out of order":       state(resource(instance(`,"index_key":"b"`) + "," + instance(`,"index_key":0`))),
		"a provider of the old form":   strings.Replace(one, `provider[\"terraform.io/builtin/terraform\"]`, "module.m.provider.aws.west", 1),
		"instances in two resources":   state(resource(instance(`,"index_key":0`)) + "," + resource(instance(`,"index_key":1`))),
		"no instances":                 state(resource("")),
		"flat attributes":              state(resource(`{"schema_version":1,"attributes_flat":{"id":"x"}}`)),
		"a check of a later release":   strings.Replace(one, `"check_results":null`, `"check_results":[{"object_kind":"odd","config_addr":"x","status":"pass","objects":null}]`, 1),
		"an output of any type":        strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":{"value":1,"type":"number"},"type":"dynamic"}}`, 1),
		"a null output":                strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":null,"type":"dynamic"}}`, 1),
		"a step to a list":             state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":["a"],"type":["list","string"]}}]]`, 1))),
		"a step of an open type":       state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":{"value":"a","type":"string"},"type":"dynamic"}}]]`, 1))),
		"a step that is null":          state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":null}]]`, 1))),
		"a step with a null key":       state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":null,"type":"string"}}]]`, 1))),
		"a step with a number as text": state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":"1","type":"number"}}]]`, 1))),
		"a step with a bool as text":   state(resource(strings.Replace(instance(""), "[]", `[[{"type":"index","value":{"value":"true","type":"bool"}}]]`, 1))),
		"a null schema version":        state(resource(strings.Replace(instance(""), ":0", ":null", 1))),
		"a bool of a digit":            strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":"1","type":"bool"},"b":{"value":["0"],"type":["list","bool"]}}`, 1),
		"extra members":                strings.Replace(one, `"serial"`, `"odd":[1.0],"serial"`, 1),
		"an instance of its provider":  strings.Replace(state(resource(instance(`,"provider":"provider[\"terraform.io/builtin/terraform\"].a[\"k\"]"`))), `"name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]"`, `"name":"a"`, 1),
	} {
		f, err := statefile.Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if out, err := statefile.Encode(f); err != nil || string(out) != text {
			t.Errorf("%s: encoded as %s, %v", name, out, err)
		}
		if _, err := statefile.Show(f, nil); err != nil {
			t.Errorf("%s: shown: %v", name, err)
		}
	}
}

// TestShow_odd has texts that the tools read, and what they print of them.
func TestShow_odd(t *testing.T) {
	check := func(status string) string {
		return `{"object_kind":"output","config_addr":"output.a","status":"` + status + `","objects":[{"object_addr":"output.a","status":"pass"},{"object_addr":"output.a","status":"` + status + `"}]}`
	}
	shown := `{"address":{"kind":"output_value","name":"a","to_display":"output.a"},"status":"fail","instances":[{"address":{"to_display":"output.a"},"status":"fail"}]}`
	one := state(resource(instance("")))
	for name, tt := range map[string]struct{ text, want string }{
		"a check twice":         {strings.Replace(one, `"check_results":null`, `"check_results":[`+check("error")+","+check("fail")+`]`, 1), `"checks":[` + shown + `]}`},
		"a null name":           {state(resource(strings.Replace(instance(""), "[]", `[[{"type":"get_attr","value":null}]]`, 1))), `"sensitive_values":{}`},
		"binary exponent":       {strings.Replace(one, `"outputs":{}`, `"outputs":{"a":{"value":"+1p-2","type":"number"}}`, 1), `"a":{"sensitive":false,"value":0.25,"type":"number"}`},
		"an identity":           {state(resource(instance(`,"identity":{ "z": 1.50, "a": "<" },"identity_schema_version":1`))), `"identity":{"z":1.50,"a":"\u003c"},"identity_schema_version":1`},
		"identity of Terraform": {strings.Replace(state(resource(instance(`,"identity":{ "z": 1.50, "a": "<" },"identity_schema_version":1`))), "terraform.io/builtin/terraform", "registry.terraform.io/a/b", 1), `"identity":{"a":"\u003c","z":1.5}`},
		"old provider":          {strings.Replace(one, "terraform.io/builtin/terraform", "registry.terraform.io/-/aws", 1), `"provider_name":"registry.terraform.io/-/aws"`},
	} {
		f, err := statefile.Decode([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := statefile.ShowExactly(f, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, err := planjson.Canonical(s); err != nil || !strings.Contains(string(text), tt.want) {
			t.Errorf("%s: shown as %s, %v, without %s", name, text, err, tt.want)
		}
	}
	f, err := statefile.Decode([]byte(state(resource(strings.Replace(instance(""), `{"id":"x"}`, "[]", 1)))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := statefile.Show(f, nil); !errors.Is(err, statefile.ErrInvalid) {
		t.Errorf("attributes that are a list: %v", err)
	}
}

// The error for another document names its kind, and what reads it.
func TestDecode_otherKinds(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"format_version":"1.0","values":{"root_module":{}}}`, `this is a state as "show -json" prints it, not as the tools save it; planjson.DecodeState decodes it`},
		{`{"format_version":"1.2","resource_changes":[]}`, "this is a document of the kind plan, not a state; planjson.Decode decodes it"},
		{`{"format_version":"1.0","provider_schemas":{}}`, "this is a document of the kind schemas, not a state; planjson.Decode decodes it"},
		{`{"@level":"info","@message":"x","@module":"tofu.ui"}` + "\n" + `{"@level":"info","@message":"y","@module":"tofu.ui"}` + "\n", "this is a stream of messages, not a state; package uijson reads it"},
	} {
		_, err := statefile.Decode([]byte(test.text))
		if !errors.Is(err, statefile.ErrKind) || !strings.HasSuffix(err.Error(), ": "+test.want) {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

// The error for the file in which the tools keep the settings of a backend says what it is. It
// does not advise to push it as a state.
func TestBackendSettings(t *testing.T) {
	_, err := statefile.Decode([]byte(`{"version":3,"serial":1,"lineage":"l","backend":{"type":"s3","config":{},"hash":1}}`))
	if !errors.Is(err, statefile.ErrVersion) || !strings.Contains(err.Error(), "settings of a backend") || strings.Contains(err.Error(), "push") {
		t.Error(err)
	}
}
