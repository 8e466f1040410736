// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// A signature is what "metadata functions -json" says of a function.
type signature struct {
	ReturnType json.RawMessage `json:"return_type"`
	Parameters []struct {
		Type json.RawMessage `json:"type"`
	} `json:"parameters"`
	Variadic *struct {
		Type json.RawMessage `json:"type"`
	} `json:"variadic_parameter"`
}

// TestSignatures compares the tables with what the programs say of themselves.
func TestSignatures(t *testing.T) {
	for _, c := range []struct {
		file    string
		program langfuncs.Program
		minor   int
	}{
		{"tofu-1.12.6.json", langfuncs.OpenTofu, 12},
		{"terraform-1.11.4.json", langfuncs.Terraform, 11},
	} {
		src, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Signatures map[string]signature `json:"function_signatures"`
		}
		if err := json.Unmarshal(src, &doc); err != nil {
			t.Fatal(err)
		}
		table := langfuncs.Table(c.program, c.minor)
		for name, want := range doc.Signatures {
			f, ok := table[name]
			if !ok {
				t.Errorf("%s: no %s", c.file, name)
				continue
			}
			if got, want := len(f.Params()), len(want.Parameters); got != want {
				t.Errorf("%s: %s has %d parameters, want %d", c.file, name, got, want)
				continue
			}
			for i, p := range f.Params() {
				if c.program == langfuncs.Terraform && i == 0 && strings.TrimPrefix(name, "core::") == "templatestring" {
					continue // terraform says string, and takes anything that is not known
				}
				if got := typeText(t, p.Type); got != string(want.Parameters[i].Type) {
					t.Errorf("%s: parameter %d of %s is %s, want %s", c.file, i, name, got, want.Parameters[i].Type)
				}
			}
			if (f.VarParam() != nil) != (want.Variadic != nil) {
				t.Errorf("%s: %s: variadic parameter %v, want %v", c.file, name, f.VarParam(), want.Variadic)
			}
		}
		for name := range table {
			// The two are there for their error only, and not listed.
			if _, ok := doc.Signatures[name]; !ok && !slices.Contains([]string{"map", "list"}, strings.TrimPrefix(name, "core::")) {
				t.Errorf("%s: there is no function %s", c.file, name)
			}
		}
	}
}

func typeText(t *testing.T, typ cty.Type) string {
	if typ.IsCapsuleType() {
		return `"dynamic"` // the argument of try and can, which is not evaluated first
	}
	src, err := ctyjson.MarshalType(typ)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// TestReleases: a function that is newer than a release is not in its table.
func TestReleases(t *testing.T) {
	for _, c := range []struct {
		program langfuncs.Program
		minor   int
		name    string
		want    bool
	}{
		{langfuncs.OpenTofu, 6, "urldecode", false},
		{langfuncs.OpenTofu, 7, "urldecode", true},
		{langfuncs.OpenTofu, 99, "urldecode", true},
		{langfuncs.OpenTofu, 6, "core::upper", false},
		{langfuncs.OpenTofu, 10, "ephemeralasnull", false},
		{langfuncs.Terraform, 10, "ephemeralasnull", true},
		{langfuncs.Terraform, 11, "cidrcontains", false},
		{langfuncs.Terraform, 5, "upper", true},
		{langfuncs.Terraform, 2, "startswith", false},
		{langfuncs.Terraform, 4, "strcontains", false},
	} {
		if _, got := langfuncs.Table(c.program, c.minor)[c.name]; got != c.want {
			t.Errorf("program %d, 1.%d, %s: %t", c.program, c.minor, c.name, got)
		}
	}
}

// TestLongClasses: the long names of classes in patterns are newer than the short ones, and known
// without regard to case.
func TestLongClasses(t *testing.T) {
	for pattern, long := range map[string]bool{`\p{Letter}`: true, `\P{decimal number}`: true, `[\p{lu}]`: true, `\p{ASCII}`: true, `\p{^Letter}`: true,
		`\p{L}`: false, `\pL`: false, `\p{Greek}`: false, `\\p{Letter}`: false, `a`: false} {
		for _, c := range []struct {
			program langfuncs.Program
			minor   int
			takes   bool
		}{{langfuncs.OpenTofu, 10, !long}, {langfuncs.OpenTofu, 11, true}, {langfuncs.Terraform, 13, !long}, {langfuncs.Terraform, 14, true}} {
			table := langfuncs.Table(c.program, c.minor)
			_, find := table["regexall"].Call([]cty.Value{cty.StringVal(pattern), cty.StringVal("a")})
			_, replace := table["replace"].Call([]cty.Value{cty.StringVal("a"), cty.StringVal("/" + pattern + "/"), cty.StringVal("b")})
			if (find == nil) != c.takes || (replace == nil) != c.takes {
				t.Errorf("program %d, 1.%d, %s: %v, %v", c.program, c.minor, pattern, find, replace)
			}
		}
	}
}

// TestLimits: calls whose results are too large have unknown ones, in no time.
func TestLimits(t *testing.T) {
	table := langfuncs.Table(langfuncs.OpenTofu, 12)
	n := func(i int64) cty.Value { return cty.NumberIntVal(i) }
	long := cty.StringVal(strings.Repeat("a", 6000))
	list := make([]cty.Value, 2000)
	for i := range list {
		list[i] = cty.StringVal(strings.Repeat("b", i))
	}
	for name, args := range map[string][]cty.Value{
		"pow":        {n(10), n(1 << 40)},
		"indent":     {n(1 << 40), cty.StringVal("a\nb\n")},
		"format":     {cty.StringVal("%0999999999d"), n(1)},
		"formatlist": {cty.StringVal(strings.Repeat("%[1]s", 300)), cty.ListVal(list)},
		"join":       {long, cty.ListVal(list)},
		"setproduct": {cty.ListVal(list), cty.ListVal(list)},
	} {
		v, err := table[name].Call(args)
		if err != nil || v.IsKnown() {
			t.Errorf("%s: %#v, %v", name, v.Type(), err)
		}
	}
	// What does not multiply has no limit here.
	strs := make([]cty.Value, 1<<15)
	for i := range strs {
		strs[i] = cty.StringVal(strconv.Itoa(i % (1 << 14)))
	}
	many := cty.ListVal(strs)
	for name, args := range map[string][]cty.Value{
		"join": {cty.StringVal(", "), many}, "concat": {many, many}, "distinct": {many}, "sort": {many}, "tolist": {cty.TupleVal(strs)},
		"formatlist": {cty.StringVal("%s-x"), many}, "setproduct": {cty.ListVal(strs[:2]), cty.TupleVal(strs)}, "jsonencode": {many},
		"upper": {cty.StringVal(strings.Repeat("a", 1<<20))},
	} {
		v, err := table[name].Call(args)
		if err != nil || !v.IsKnown() {
			t.Errorf("%s: %#v, %v", name, v.Type(), err)
		}
		if name == "distinct" && v.LengthInt() != 1<<14 {
			t.Errorf("distinct: %d", v.LengthInt())
		}
	}
	v, err := table["format"].Call([]cty.Value{cty.StringVal("%05d %s"), n(7), cty.StringVal("x")})
	if err != nil || !v.RawEquals(cty.StringVal("00007 x")) {
		t.Errorf("format: %#v, %v", v, err)
	}
}

// TestConversions: the type of a conversion is known, whatever it converts. The marks of a
// value without a type are lost in lookup.
func TestConversions(t *testing.T) {
	v, err := langfuncs.Table(langfuncs.OpenTofu, 99)["toset"].Call([]cty.Value{cty.DynamicVal})
	if err != nil || !v.Type().IsSetType() {
		t.Errorf("%#v, %v", v, err)
	}
	v, err = langfuncs.Table(langfuncs.Terraform, 11)["lookup"].Call([]cty.Value{cty.DynamicVal.Mark(langfuncs.Sensitive), cty.StringVal("k")})
	if err != nil || v.IsMarked() {
		t.Errorf("%#v, %v", v, err)
	}
}

// TestNothingKnown: no function refuses unknown values without a type.
func TestNothingKnown(t *testing.T) {
	for _, program := range []langfuncs.Program{langfuncs.OpenTofu, langfuncs.Terraform} {
		for name, f := range langfuncs.Table(program, 99) {
			n := len(f.Params())
			if n > 0 && f.Params()[0].Type.IsCapsuleType() || strings.HasSuffix(name, "map") && !strings.HasPrefix(strings.TrimPrefix(name, "core::"), "t") && !strings.Contains(name, "zip") || strings.HasSuffix(name, "list") && strings.TrimPrefix(name, "core::") == "list" {
				continue // not evaluated first, or not there any more
			}
			if f.VarParam() != nil {
				n++
			}
			for _, v := range []cty.Value{cty.DynamicVal, cty.DynamicVal.Mark(langfuncs.Sensitive)} {
				if f.VarParam() != nil && f.VarParam().Type.IsCapsuleType() {
					continue
				}
				args := make([]cty.Value, n)
				for i := range args {
					p := f.VarParam()
					if i < len(f.Params()) {
						p = &f.Params()[i]
					}
					args[i] = v
					if !p.Type.IsCapsuleType() {
						args[i], _ = convert.Convert(v, p.Type) // as an expression does it
					}
				}
				if _, err := f.Call(args); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}
