// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// recordedTests are addresses that tools have written into documents, though no
// configuration can have them.
var recordedTests = []struct{ in, normal string }{
	{`lab_thing.x[*]`, `lab_thing.x[*]`},
	{`module.m[*].lab_switch.in[*]`, `module.m[*].lab_switch.in[*]`},
	{`module.m["*"].module.n[*].data.t.n`, `module.m["*"].module.n[*].data.t.n`},
	{`t.n["\x00\a\x7f"]`, `t.n["\u0000\u0007\u007f"]`},
	{`t.n["$${a}"]`, `t.n["$${a}"]`}, // a string of the language
	{`t.n["\xff"]`, "t.n[\"\ufffd\"]"},
}

func TestRecordedAddresses(t *testing.T) {
	for _, tt := range recordedTests {
		a, ok := checkParse(t, addrs.ParseAbsResourceInstance, tt.in)
		if !ok || a.String() != tt.normal {
			t.Errorf("%s prints as %s, want %s", tt.in, a, tt.normal)
			continue
		}
		checkEverything(t, tt.in, tt.normal, "t.n[0]")
		if got := a.Resource().In(a.Module()).Instance(a.Key()); got != a {
			t.Errorf("%s: the parts make %s", tt.in, got)
		}
		if m, err := addrs.ParseModuleInstance(a.Module().String()); err != nil || m != a.Module() {
			t.Errorf("%s: module %s, %v", tt.in, m, err)
		}
		wild := strings.Contains(tt.in, "[*]")
		if a.IsPlaceholder() != wild || a.Module().IsPlaceholder() != strings.HasPrefix(tt.in, "module") && wild {
			t.Errorf("%s: placeholder is %v, that of the module %v", tt.in, a.IsPlaceholder(), a.Module().IsPlaceholder())
		}
		if _, err := addrs.ParseTarget(tt.in); (err == nil) != (tt.in == tt.normal && !wild) {
			t.Errorf("%s as a target: %v", tt.in, err)
		}
		if a.Target().IsValid() == wild || a.AbsResource().Target().IsValid() == a.Module().IsPlaceholder() || a.Module().Target().IsValid() && a.Module().IsPlaceholder() {
			t.Errorf("%s: wrong targets %v, %v", tt.in, a.Target(), a.AbsResource().Target())
		}
		for _, parse := range []func(string) (addrs.Reference, error){addrs.ParseReference, addrs.ParsePlanReference} {
			if r, err := parse(a.Resource().String() + a.Key().String()); wild && a.Key() == addrs.WildcardKey() && err == nil {
				t.Errorf("%s is a reference: %v", tt.in, r)
			}
		}
	}
}

func TestWildcardKey(t *testing.T) {
	k := addrs.WildcardKey()
	if k.String() != "[*]" || !k.IsValid() || k.IsNone() {
		t.Errorf("%s: valid %v, none %v", k, k.IsValid(), k.IsNone())
	}
	if _, ok := k.Int(); ok {
		t.Error("it is a number")
	}
	if _, ok := k.Str(); ok || k == addrs.StringKey("*") {
		t.Error("it is a string")
	}
	order := []addrs.InstanceKey{addrs.NoKey, k, addrs.IntKey(0), addrs.StringKey("")}
	for i, a := range order {
		for j, b := range order {
			if c := a.Compare(b); (c < 0) != (i < j) || (c > 0) != (i > j) {
				t.Errorf("%v and %v compare as %d", a, b, c)
			}
		}
	}
	for _, bad := range []string{"[*", "[**]", "[*0]", `["*]`, "*", "[+]"} {
		if _, err := addrs.ParseInstanceKey(bad); err == nil {
			t.Errorf("%s is a key", bad)
		}
	}
	for _, bad := range []string{`t.n["\q"]`, "t.n[\"${\xff}\"]", "t.n[\"${\n}\"]", `t.n["${"a"}"]`, `t.n["\400"]`,
		`t.n["${x}"]`, `module.a["%{if}"].t.n`, `t.n["\x01${}"]`, `t.n["$${a}${b}"]`, `t.n["$$${b}${c}"]`} {
		if a, err := addrs.ParseAbsResourceInstance(bad); err == nil {
			t.Errorf("%q is an address: %v", bad, a)
		}
	}
}

// Documents of Terraform up to 1.2 have keys in the quotes of Go, also those that would be templates.
func TestParseRecordedResourceInstance(t *testing.T) {
	for in, want := range map[string]string{
		`t.n["${x}"]`:                   `t.n["$${x}"]`,
		`module.a["%{if}"].t.n["${b}"]`: `module.a["%%{if}"].t.n["$${b}"]`,
		`t.n["\u00a0${}"]`:              `t.n["\u00a0$${}"]`,
		`t.n["$${a}${b}"]`:              `t.n["$$${a}$${b}"]`, // a Go string as a whole
		`t.n["$${a}"]`:                  `t.n["$${a}"]`,       // a string of the language
		`module.m["a"].data.t.n[*]`:     `module.m["a"].data.t.n[*]`,
	} {
		if a, err := addrs.ParseRecordedResourceInstance(in); err != nil || a.String() != want {
			t.Errorf("%s: %v, %v", in, a, err)
		}
	}
	r := addrs.MustParseResource("data.t.n")
	if c := r.InConfig(addrs.MustParseModuleInstance(`module.m["a"].module.n`).Module()); c.String() != "module.m.module.n.data.t.n" || c.Resource() != r {
		t.Error(c)
	}
	if (addrs.Resource{}).InConfig(addrs.Module{}).IsValid() {
		t.Error("a resource that is not valid")
	}
}

// TestEveryGoKey checks that each key that Go prints otherwise than the language
// does comes back, unless its text is one of the language too.
func TestEveryGoKey(t *testing.T) {
	for _, tt := range keyTests {
		in := "t.n[" + strconv.Quote(tt.key) + "]"
		a, err := addrs.ParseAbsResourceInstance(in)
		if err != nil {
			if !strings.Contains(err.Error(), "template") || !strings.Contains(tt.key, "{") {
				t.Errorf("%s: %v", in, err)
			}
			continue
		}
		if key, _ := a.Key().Str(); key != tt.key && !strings.Contains(tt.key, "$${") && !strings.Contains(tt.key, "%%{") {
			t.Errorf("%s: the key is %q", in, key)
		}
	}
}
