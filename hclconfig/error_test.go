// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		file, src, text string
		cause           error
	}{
		{"a.tf.json", "{\n  'a': 1\n}", `hclconfig: a.tf.json:2,3: syntax error: expected a member name in double quotes: JSON strings are in double quotes`, hclconfig.ErrSyntax},
		{"a.tf.json", "", `hclconfig: a.tf.json:1,1: syntax error: unexpected end of JSON text: an empty configuration in JSON syntax is {}`, hclconfig.ErrSyntax},
		{"a.tf.json", `{"a":True}`, `hclconfig: a.tf.json:1,6: syntax error: expected a value: the only bare words in JSON are true, false and null`, hclconfig.ErrSyntax},
		{"a.tf.json", `{"a":+1}`, `hclconfig: a.tf.json:1,6: syntax error: expected a value: a number begins with a digit or a minus sign`, hclconfig.ErrSyntax},
		{"a.tf.json", `{"a"=1}`, `hclconfig: a.tf.json:1,5: syntax error: expected ':' after a member name: a colon separates a property's name from its value`, hclconfig.ErrSyntax},
		{"a.tf.json", `{"locals":` + strings.Repeat("[", 10001), `hclconfig: a.tf.json:1,10010: limit exceeded: more than 10000 arrays and objects inside each other`, hclconfig.ErrLimit},
		{"a.tf", "a = " + strings.Repeat("[", 10001), `hclconfig: a.tf:1,10005: limit exceeded: more than 10000 brackets and operators inside each other`, hclconfig.ErrLimit},
		{"a.tf", "a = \n", `hclconfig: a.tf:1,5: syntax error: invalid expression: expected the start of an expression, but found an invalid expression token`, hclconfig.ErrSyntax},
		{"a.txt", "", `hclconfig: a.txt: not the name of a configuration file`, hclconfig.ErrFilename},
	} {
		f, err := hclconfig.Parse(c.file, []byte(c.src))
		var own *hclconfig.Error
		if !errors.As(err, &own) || !errors.Is(err, c.cause) {
			t.Errorf("%.20q: %v is not of the right kind", c.src, err)
			continue
		}
		if err.Error() != c.text {
			t.Errorf("%.20q:\n got %s\nwant %s", c.src, err, c.text)
		}
		if (f == nil) != (c.cause == hclconfig.ErrFilename) {
			t.Errorf("%.20q: the file is %v", c.src, f)
		}
		if f != nil && !errors.Is(f.Err(), c.cause) {
			t.Errorf("%.20q: Err gives %v", c.src, f.Err())
		}
	}
}

// TestPartial shows that what comes before, and in native syntax after, a
// syntax error can be read.
func TestPartial(t *testing.T) {
	f, err := hclconfig.Parse("a.tf.json", []byte(`{"variable":{"x":{"default":1,"type":"any"},"y":{"default":[}},"output":{}}`))
	if err == nil || len(f.Config().Variables) != 2 || f.Config().Variables[0].Default.Raw() != "1" {
		t.Errorf("%v, %v", err, f.Config().Variables)
	}
	f, err = hclconfig.Parse("a.tf", []byte("variable \"x\" {\n  default = \n}\nvariable \"y\" {\n  default = 1\n}\n"))
	if err == nil || len(f.Config().Variables) != 2 || f.Config().Variables[1].Default.Raw() != "1" {
		t.Errorf("%v, %v", err, f.Config().Variables)
	}
}
