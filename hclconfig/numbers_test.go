// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// A number whose text takes minutes to make is an error with its place, and its bytes stay. Without the bounds, this
// test does not end.
func TestExpression_numbersOutOfRange(t *testing.T) {
	zeros := "1" + strings.Repeat("0", 100_000)
	for _, number := range []string{
		"1e10000000", "1e9999999", "1e-9999999", "0.00001e-999", zeros, "0." + zeros, "-1e1000", "1e999 * 1e10", "1e-999 / 1e10",
		"1e600 * 1e600 / 1e600", `1 + "1e9999999"`, `-"1e9999999"`, `"1e9999999" % 7`,
		"[for a in [1e308]: [for b in [a * a]: [for c in [b * b]: [for d in [c * c]: d * d]]]][0][0][0][0]",
		"{ (1e9999999) = 1 }", "{ 1e9999999 = 1 }", "true ? 1e9999999 : 0", "[1, [2, 1e1400]]",
	} {
		const before = "variable \"v\" {\n  type    = any\n  default = "
		native := before + number + "\n}\n"
		checkOutOfRange(t, "a.tf", native, "v", len(before), number)
		const template = "variable \"v\" {\n  type    = string\n  default = "
		checkOutOfRange(t, "a.tf", template+"\"x${"+number+"}\"\n}\n", "v", len(template), number)
		literal := strings.TrimLeft(number, "-0123456789.e") == ""
		if literal {
			const inJSON = `{"variable": {"v": {"type": "string", "default": `
			checkOutOfRange(t, "a.tf.json", inJSON+number+"}}}", "v", len(inJSON), number)
		}
		if !strings.Contains(number, `"`) {
			const inLocals = `{"locals": {"v": `
			checkOutOfRange(t, "a.tf.json", inLocals+`"x${`+number+`}"}}`, "v", len(inLocals), number)
		}
	}
}

func checkOutOfRange(t *testing.T, name, src, of string, start int, number string) {
	t.Helper()
	show := number[:min(len(number), 60)]
	m, err := hclconfig.LoadModule(fstest.MapFS{name: {Data: []byte(src)}}, ".")
	if err != nil {
		t.Fatalf("%s: %s: %v", name, show, err)
	}
	if string(m.Files[0].Bytes()) != src {
		t.Errorf("%s: %s: the bytes differ", name, show)
	}
	var x hclconfig.Expression
	for _, v := range m.Variables {
		if x = v.Default; v.Name == of {
			if _, err := v.TypedDefault(); !errors.Is(err, hclconfig.ErrLimit) && !strings.Contains(err.Error(), "has too many digits") {
				t.Errorf("%s: %s: TypedDefault: %v", name, show, err)
			}
		}
	}
	for _, l := range m.Locals {
		x = l.Argument.Expression
	}
	_, err = x.Constant()
	var at *hclconfig.Error
	if !errors.As(err, &at) || int(at.Offset) < start || int(at.Offset) >= start+len(x.Raw()) {
		t.Errorf("%s: %s: Constant: %v, not an error with a place in the expression", name, show, err)
		return
	}
	if !errors.Is(err, hclconfig.ErrLimit) && !strings.Contains(err.Error(), "has too many digits") {
		t.Errorf("%s: %s: Constant: %v", name, show, err)
	}
	if _, err := x.Text(); err == nil {
		t.Errorf("%s: %s: Text: no error", name, show)
	}
}

// Numbers within the bounds are computed as before.
func TestExpression_numbersInRange(t *testing.T) {
	for in, want := range map[string]string{
		"1e400": "1" + strings.Repeat("0", 400), "1e-308 * 1e308": "1", "1e308 / 1e300": "100000000", "0e9999999": "0",
		`-"7" + "8"`: "1", "[1, 2, 3][1]": "2", `"${1 + 2}e9999999"`: "3e9999999", `"1e9999999"`: "1e9999999", "17 % 5": "2",
	} {
		x, err := hclconfig.ParseExpression("a.tf", []byte(in), hclconfig.NativeSyntax, hclconfig.KindExpression)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Text(); err != nil || got != want {
			t.Errorf("%s = %.40s, %v, want %.40s", in, got, err, want)
		}
	}
}

// An index that is out of range cannot be read as another one.
func TestParse_indexOutOfRange(t *testing.T) {
	for _, ref := range []string{"aws_a.b[1e9999999]", "aws_a.b." + strings.Repeat("9", 5000), "aws_a.b[1" + strings.Repeat("0", 100_000) + "].c"} {
		src := "locals {\n  a = " + ref + "\n}\n"
		f, err := hclconfig.Parse("a.tf", []byte(src))
		var at *hclconfig.Error
		if !errors.As(err, &at) || at.Line != 2 || string(f.Bytes()) != src {
			t.Errorf("%.40s: %v", ref, err)
		}
	}
}
