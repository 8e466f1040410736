// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
)

// normalAddresses are target addresses in normal form: they must print as they
// are written.
var normalAddresses = []string{
	`module.a`,
	`module.module`,
	`module.a["x"].module.b[0]`,
	`module.a["x"].data.t.n[0]`,
	`t.n`,
	`t.n[0]`,
	`t.n[""]`,
	`t.n[" "]`,
	`t.n["a\"b\\c"]`,
	`t.n["$${x}"]`,
	`t.n["%%{if}"]`,
	`t.n["$$${"]`,
	`t.n["$$$${"]`,
	`t.n["$"]`,
	`t.n["$$"]`,
	`t.n["$x{"]`,
	`t.n["a.b[0]"]`,
	`t.n["é"]`,
	`t.n["\u00a0"]`,
	`t.n["\u200b"]`,
	`t.n["\ufeff"]`,
	`t.n["\U000e0001"]`,
	`t.n["\u0000"]`,
	`t.n["line\nbreak"]`,
	`t.n["\t\r"]`,
	`t.n["日本語"]`,
	`t.n[9223372036854775807]`,
	`ephemeral.t.n`,
	`data.data.data`,
	`ephemeral.data.module`,
	`_t._n`,
	`t-x.n-y["k"]`,
	`té.ñ`,
	`null_resource.a-b`,
	`var.x`, `local.x`, `count.index`, `provider.a`, `output.x`, `action.a`,
	`module.a[0].module.b["]"].module.c["[\"x\"]"].ephemeral.t.n["."]`,
}

// addressForms are texts that are accepted, but are not in normal form.
var addressForms = []struct{ name, in, want string }{
	{"spaces around the dot", "a . b", "a.b"},
	{"spaces in brackets", "a.b[ 0 ]", "a.b[0]"},
	{"newline in brackets", "a.b[\n0\n]", "a.b[0]"},
	{"CRLF", "a\r\n.b", "a.b"},
	{"line comment", "a.b // c", "a.b"},
	{"hash comment", "a.b # c", "a.b"},
	{"comment in the middle", "a./* c */b # d\n [0]", "a.b[0]"},
	{"byte order mark", "\ufeffa.b", "a.b"},
	{"fraction of zero", "a.b[1.0]", "a.b[1]"},
	{"exponent", "a.b[1e3]", "a.b[1000]"},
	{"negative exponent", "a.b[10e-1]", "a.b[1]"},
	{"exponent with sign", "a.b[1.5E+1]", "a.b[15]"},
	{"leading zero", "a.b[01]", "a.b[1]"},
	{"zeros", "a.b[000]", "a.b[0]"},
	{"zero with exponent", "a.b[0e99]", "a.b[0]"},
	{"largest number with exponent", "a.b[9223372036854775807e0]", "a.b[9223372036854775807]"},
	{"NFD becomes NFC", "a.b[\"e\u0301\"]", `a.b["é"]`},
	{"escaped NFD becomes NFC", `a.b["e\u0301"]`, `a.b["é"]`},
	{"needless escape", `a.b["\u0061"]`, `a.b["a"]`},
	{"literal tab", "a.b[\"\t\"]", `a.b["\t"]`},
	{"literal no-break space", "a.b[\"\u00a0\"]", `a.b["\u00a0"]`},
	{"upper-case hex", `a.b["\U000E0001"]`, `a.b["\U000e0001"]`},
	{"escaped brace", `a.b["$\u007b"]`, `a.b["$${"]`},
	{"module", "module . a [ 0 ] . b . c", "module.a[0].b.c"},
}

// addressErrors are texts that are no target address.
var addressErrors = []struct {
	name, in string
	off      int64
	text     string // part of the message
}{
	{"empty", "", 0, "empty"},
	{"blank", "  ", 0, "empty"},
	{"one name", "a", 1, "ends"},
	{"dot at the end", "a.", 2, "ends"},
	{"no resource name", "module.module.x", 15, "ends"},
	{"data without name", "data.a", 6, "ends"},
	{"two keys on a module", "module.a[0][1]", 11, "the end"},
	{"key instead of a module", `module["a"]`, 6, "dot"},
	{"attribute after a resource", "a.b.c", 3, "'.'"},
	{"attribute after a key", "a.b[0].c", 6, "'.'"},
	{"two keys", "a.b[0][1]", 6, "'['"},
	{"fraction", "a.b[1.5]", 4, "not a whole number"},
	{"too large", "a.b[9223372036854775808]", 4, "not a whole number"},
	{"far too large", "a.b[1e30]", 4, "not a whole number"},
	{"negative", "a.b[-1]", 4, "'-'"},
	{"null", "a.b[null]", 4, "'n'"},
	{"bool", "a.b[true]", 4, "'t'"},
	{"single quotes", "a.b['a']", 4, "'\\''"},
	{"interpolation", `a.b["${x}"]`, 5, "template"},
	{"directive", `a.b["%{x}"]`, 5, "template"},
	{"splat", "a.b[*]", 4, "'*'"},
	{"attribute splat", "a.b.*", 3, "'.'"},
	{"legacy index", "a.b.0", 3, "'.'"},
	{"variable index", "a.b[var.x]", 4, "'v'"},
	{"unknown escape", `a.b["\x41"]`, 5, "escape"},
	{"surrogate", `a.b["\ud800"]`, 5, "escape"},
	{"beyond Unicode", `a.b["\U00110000"]`, 5, "escape"},
	{"short escape", `a.b["\u00"]`, 5, "escape"},
	{"line break in quotes", "a.b[\"a\nb\"]", 6, "line ends"},
	{"open quotes", `a.b["a`, 4, "does not end"},
	{"open quotes after a backslash", `a.b["a\"`, 4, "does not end"},
	{"open bracket", `a.b["a"`, 7, "ends"},
	{"open bracket and number", `a.b[0`, 5, "ends"},
	{"open comment", "a.b /* x", 4, "comment"},
	{"lone carriage return", "a\r.b", 1, "'\\r'"},
	{"NUL", "a.b\x00", 3, "NUL"},
	{"digit first", "a.9", 2, "'9'"},
	{"hyphen first", "-a.b", 0, "'-'"},
	{"invalid UTF-8", "a.b[\"\xff\"]", 5, "UTF-8"},
	{"invalid UTF-8 in a name", "a.b\xff", 3, "expected"},
	{"legacy splat", "a.*.b", 2, "'*'"},
}

func TestTargetNormalForm(t *testing.T) {
	for _, in := range normalAddresses {
		a, ok := checkParse(t, addrs.ParseTarget, in)
		if !ok {
			t.Errorf("%s is not accepted", in)
		} else if got := a.String(); got != in {
			t.Errorf("%s prints as %s", in, got)
		}
	}
}

func TestTargetForms(t *testing.T) {
	for _, tt := range addressForms {
		t.Run(tt.name, func(t *testing.T) {
			a, err := addrs.ParseTarget(tt.in)
			if err != nil || a.String() != tt.want {
				t.Errorf("ParseTarget(%q) = %v, %v, want %s", tt.in, a, err, tt.want)
			}
			if b := addrs.MustParseTarget(tt.want); a != b {
				t.Error("is not equal to its normal form")
			}
		})
	}
}

func TestTargetErrors(t *testing.T) {
	for _, tt := range addressErrors {
		t.Run(tt.name, func(t *testing.T) {
			a, err := addrs.ParseTarget(tt.in)
			var e *addrs.Error
			if !errors.As(err, &e) {
				t.Fatalf("ParseTarget(%q) = %v, %v", tt.in, a, err)
			}
			if e.Offset != tt.off || !strings.Contains(e.Err.Error(), tt.text) {
				t.Errorf("ParseTarget(%q): %v, want offset %d and %q", tt.in, err, tt.off, tt.text)
			}
		})
	}
}

// TestKinds checks which address each parser accepts.
func TestKinds(t *testing.T) {
	accepts := func(in string) []string {
		var kinds []string
		add := func(kind string, err error) {
			if err == nil {
				kinds = append(kinds, kind)
			}
		}
		_, err := addrs.ParseModule(in)
		add("module", err)
		_, err = addrs.ParseModuleInstance(in)
		add("module instance", err)
		_, err = addrs.ParseResource(in)
		add("resource", err)
		_, err = addrs.ParseConfigResource(in)
		add("config resource", err)
		_, err = addrs.ParseAbsResource(in)
		add("abs resource", err)
		_, err = addrs.ParseAbsResourceInstance(in)
		add("abs resource instance", err)
		return kinds
	}
	for _, tt := range []struct {
		in   string
		want string
	}{
		{"", "module, module instance"},
		{"module.a", "module, module instance"},
		{"module.a[0]", "module instance"},
		{"t.n", "resource, config resource, abs resource, abs resource instance"},
		{"data.t.n", "resource, config resource, abs resource, abs resource instance"},
		{"t.n[0]", "abs resource instance"},
		{"module.a.t.n", "config resource, abs resource, abs resource instance"},
		{"module.a[0].t.n", "abs resource, abs resource instance"},
		{"module.a.t.n[0]", "abs resource instance"},
		{"output.n", "resource, config resource, abs resource, abs resource instance"},
		{"module.a[0].output.n", "abs resource, abs resource instance"},
		{"output.n[0]", "abs resource instance"},
		{"data.output.n", "resource, config resource, abs resource, abs resource instance"},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(accepts(tt.in), ", ")); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.in, diff)
		}
	}
}

func TestParts(t *testing.T) {
	a := addrs.MustParseAbsResourceInstance(`module.net["e.u"].module.x[3].data.aws_ami.base["a\"$${b"]`)
	got := map[string]string{
		"module":          a.Module().String(),
		"static module":   a.Module().Module().String(),
		"parent":          a.Module().Parent().String(),
		"grandparent":     a.Module().Parent().Parent().String(),
		"resource":        a.Resource().String(),
		"mode":            string(a.Resource().Mode()),
		"type":            a.Resource().Type(),
		"name":            a.Resource().Name(),
		"implied":         a.Resource().ImpliedProvider(),
		"abs resource":    a.AbsResource().String(),
		"abs module":      a.AbsResource().Module().String(),
		"abs rel":         a.AbsResource().Resource().String(),
		"config":          a.Config().String(),
		"config module":   a.Config().Module().String(),
		"config resource": a.Config().Resource().String(),
	}
	want := map[string]string{
		"module":          `module.net["e.u"].module.x[3]`,
		"static module":   `module.net.module.x`,
		"parent":          `module.net["e.u"]`,
		"grandparent":     ``,
		"resource":        `data.aws_ami.base`,
		"mode":            `data`,
		"type":            `aws_ami`,
		"name":            `base`,
		"implied":         `aws`,
		"abs resource":    `module.net["e.u"].module.x[3].data.aws_ami.base`,
		"abs module":      `module.net["e.u"].module.x[3]`,
		"abs rel":         `data.aws_ami.base`,
		"config":          `module.net.module.x.data.aws_ami.base`,
		"config module":   `module.net.module.x`,
		"config resource": `data.aws_ami.base`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if k, ok := a.Key().Str(); !ok || k != `a"${b` {
		t.Errorf("key %q, %v", k, ok)
	}
	if b := a.Resource().In(a.Module()).Instance(a.Key()); b != a {
		t.Errorf("put together again: %v", b)
	}
}

func TestNewResource(t *testing.T) {
	for _, tt := range []struct {
		mode      addrs.Mode
		typ, name string
		want      string
	}{
		{addrs.Managed, "aws_x", "y", "aws_x.y"},
		{addrs.Data, "data", "y", "data.data.y"},
		{addrs.Ephemeral, "module", "y", "ephemeral.module.y"},
		{addrs.Managed, "data", "y", ""},
		{addrs.Managed, "ephemeral", "y", ""},
		{addrs.Managed, "module", "y", ""},
		{addrs.Managed, "", "y", ""},
		{addrs.Managed, "a.b", "y", ""},
		{addrs.Managed, "a", "1", ""},
		{"list", "a", "b", ""},
		{"", "a", "b", ""},
	} {
		r, err := addrs.NewResource(tt.mode, tt.typ, tt.name)
		if r.String() != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("NewResource(%q, %q, %q) = %v, %v", tt.mode, tt.typ, tt.name, r, err)
		}
		if err == nil && (r != addrs.MustParseResource(tt.want) || r.Mode() != tt.mode || r.Type() != tt.typ || r.Name() != tt.name) {
			t.Errorf("%v: %q, %q, %q", r, r.Mode(), r.Type(), r.Name())
		}
	}
}

// TestStateList checks that the addresses that tofu printed are in normal form.
func TestStateList(t *testing.T) {
	f, err := os.Open("testdata/tofu-1.12.6/state-list.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		if a, ok := checkParse(t, addrs.ParseAbsResourceInstance, lines.Text()); !ok || a.String() != lines.Text() {
			t.Errorf("%s gives %s", lines.Text(), a)
		}
	}
	if n < 50 {
		t.Errorf("only %d lines", n)
	}
}

// TestOrder checks the order of "resource_changes".
func TestOrder(t *testing.T) {
	want := []string{
		"ephemeral.b.b",
		"data.z.a",
		"a.a",
		"a.b",
		"a.b[2]",
		"a.b[10]",
		`a.b[""]`,
		`a.b["10"]`,
		`a.b["2"]`,
		"b.a",
		"module.a.z.z",
		"module.b.a.a",
		"module.b[2].a.a",
		"module.b[10].a.a",
		`module.b["a"].a.a`,
		"module.a.module.a.a.a",
		"module.a[0].module.a.a.a",
	}
	var got []addrs.AbsResourceInstance
	for _, s := range want {
		got = append(got, addrs.MustParseAbsResourceInstance(s))
	}
	slices.Reverse(got)
	slices.SortFunc(got, addrs.AbsResourceInstance.Compare)
	var texts []string
	for _, a := range got {
		texts = append(texts, a.String())
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestErrorText(t *testing.T) {
	_, err := addrs.ParseAbsResourceInstance("aws_x.y[")
	want := `addrs: absolute resource instance "aws_x.y[": offset 8: the address ends where a quoted string or a whole number is expected`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	_, err = addrs.ParseResource(strings.Repeat("é", 1000))
	if n := len(err.Error()); n > 300 {
		t.Errorf("an error text has %d bytes: %v", n, err)
	}
}

func TestMustParse(t *testing.T) {
	for name, f := range map[string]func(){
		"InstanceKey":         func() { addrs.MustParseInstanceKey("x") },
		"Module":              func() { addrs.MustParseModule("x") },
		"ModuleInstance":      func() { addrs.MustParseModuleInstance("x") },
		"Resource":            func() { addrs.MustParseResource("x") },
		"ConfigResource":      func() { addrs.MustParseConfigResource("x") },
		"AbsResource":         func() { addrs.MustParseAbsResource("x") },
		"AbsResourceInstance": func() { addrs.MustParseAbsResourceInstance("x") },
		"Target":              func() { addrs.MustParseTarget("x") },
		"AbsProviderConfig":   func() { addrs.MustParseAbsProviderConfig("x") },
		"Reference":           func() { addrs.MustParseReference("x") },
		"Provider":            func() { addrs.MustParseProvider("x_") },
		"Version":             func() { addrs.MustParseVersion("x") },
		"Constraints":         func() { addrs.MustParseConstraints("x") },
		"Platform":            func() { addrs.MustParsePlatform("x") },
		"ModuleSource":        func() { addrs.MustParseModuleSource("x") },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil {
					t.Errorf("MustParse%s did not panic with an error", name)
				}
			}()
			f()
		}()
	}
}

// TestErrorsOfConstructors checks that functions that make a value from parts, or from
// another value, return an *Error as the parsers do, and the zero value with it.
func TestErrorsOfConstructors(t *testing.T) {
	provider := addrs.MustParseProvider("hashicorp/null")
	for name, f := range map[string]func() (any, any, error){
		"NewResource": func() (any, any, error) {
			v, err := addrs.NewResource(addrs.Managed, "a b", "c")
			return v, addrs.Resource{}, err
		},
		"NewProvider": func() (any, any, error) {
			v, err := addrs.NewProvider("a b", "c", "d")
			return v, addrs.Provider{}, err
		},
		"ImpliedProvider": func() (any, any, error) { v, err := addrs.ImpliedProvider("a b"); return v, addrs.Provider{}, err },
		"WithHost":        func() (any, any, error) { v, err := provider.WithHost("a b"); return v, addrs.Provider{}, err },
		"Child of instance": func() (any, any, error) {
			v, err := addrs.ModuleInstance{}.Child("a b", addrs.NoKey)
			return v, addrs.ModuleInstance{}, err
		},
		"NewAbsProviderConfig": func() (any, any, error) {
			v, err := addrs.NewAbsProviderConfig(addrs.Module{}, provider, "a b", addrs.NoKey)
			return v, addrs.AbsProviderConfig{}, err
		},
		"Resolve": func() (any, any, error) {
			v, err := addrs.ModuleSource{}.Resolve(addrs.MustParseModuleSource("./a"))
			return v, addrs.ModuleSource{}, err
		},
	} {
		got, want, err := f()
		var e *addrs.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v is no *Error", name, err)
		}
		if got != want {
			t.Errorf("%s: %v with an error", name, got)
		}
	}
}
