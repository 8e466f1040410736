// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// TestRefused has calls that fail for their arguments or for the files.
func TestRefused(t *testing.T) {
	files := fstest.MapFS{"bytes": {Data: []byte("\xff\xfe")}, "dir/x": {Data: []byte("x")}, "bad.tpl": {Data: []byte("${")}}
	ctx := &hcl.EvalContext{Functions: hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{FS: files})}
	for _, text := range []string{
		`file("bytes")`, `file("dir")`, `file("none")`, `filebase64("none")`, `pathexpand("~ann/x")`, `pathexpand("~")`, `file("~/x")`,
		`fileset(".", "[")`, `fileset(".", "{a")`, `templatefile("bad.tpl", {})`, `templatefile("dir/x", "x")`, `templatefile("dir/x", { "1x" = 1 })`,
		`templatestring("$${nope}", {})`, `templatestring("$${1 + []}", {})`, `bcrypt("x", 1, 2)`, `base64gunzip("H4sI")`, `rsadecrypt("eA==", "x")`, `uuidv5("x", "y")`,
		`cidrhost("10.0.0.0/30", 9)`, `cidrcontains("10.0.0.0/8", "x")`, `transpose({ a = null })`, `lookup(tomap({ k = "v" }), "z")`,
	} {
		if got, summary := evaluate(t, ctx, text); summary == "" {
			t.Errorf("%s: got %s", text, got)
		}
	}
	for text, want := range map[string]string{`fileexists("dir/x")`: "true", `fileset("dir", "{x,y}")`: `["x"]`, `fileset(".", "**/x")`: `["dir/x"]`, `file("/dir/x")`: `"x"`, `length(filesha1("dir/x"))`: "40", `lookup(tomap({ k = "v" }), "k")`: `"v"`, `abspath("/a/./b")`: `"/a/b"`} {
		if got, summary := evaluate(t, ctx, text); got != want {
			t.Errorf("%s: got %s%q, want %s", text, got, summary, want)
		}
	}
	none := &hcl.EvalContext{Functions: hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{})}
	if got, summary := evaluate(t, none, `file("x")`); summary == "" {
		t.Errorf("without files: got %s", got)
	}
}

// TestTerraform has what only Terraform does: its templatestring takes a reference.
func TestTerraform(t *testing.T) {
	ctx := &hcl.EvalContext{
		Functions: hclfuncs.Functions(hclconfig.Terraform, hclfuncs.Options{}),
		Variables: map[string]cty.Value{"t": cty.StringVal("[${x}]"), "secret": cty.StringVal("${x}").Mark(langfuncs.Sensitive), "no": cty.UnknownVal(cty.String)},
	}
	for text, want := range map[string]string{`templatestring(t, { x = 1 })`: `"[1]"`, `templatestring(secret, { x = "y" })`: `"y"`} {
		if got, summary := evaluate(t, ctx, text); got != want {
			t.Errorf("%s: got %s%q, want %s", text, got, summary, want)
		}
	}
	for _, text := range []string{`templatestring("x", {})`, `templatestring(t, {})`, `templatestring(none, {})`} {
		if got, summary := evaluate(t, ctx, text); summary == "" {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

func TestMarks(t *testing.T) {
	f := hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{})
	v, err := f["ephemeralasnull"].Call([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x").Mark(langfuncs.Ephemeral), "b": cty.True})})
	if err != nil || !v.RawEquals(cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.String), "b": cty.True})) {
		t.Errorf("got %#v, %v", v, err)
	}
	one, err := f["uuid"].Call(nil)
	if err != nil || len(one.AsString()) != 36 || one.AsString()[14] != '4' {
		t.Errorf("got %#v, %v", one, err)
	}
	if again, _ := f["uuid"].Call(nil); again.RawEquals(one) {
		t.Error("two identifiers are the same")
	}
	if now, err := f["timestamp"].Call(nil); err != nil || !strings.HasSuffix(now.AsString(), "Z") {
		t.Errorf("got %#v, %v", now, err)
	}
	signatures := hclfuncs.Signatures(hclconfig.OpenTofu)
	for name, want := range map[string]string{
		"transpose": "transpose(values map(list(string))) map(list(string))", "setunion": "setunion(first_set set(any), other_sets set(any)...) set(any)", "uuid": "uuid() string",
	} {
		if got := signatures[name].String(name); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
