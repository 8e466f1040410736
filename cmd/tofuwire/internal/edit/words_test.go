// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run runs the program with a file and steps.
func run(t *testing.T, name, src string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	status = Run(append(args, path), strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), status
}

// TestStepsFile reads comments and continued lines of a file of steps.
func TestStepsFile(t *testing.T) {
	for _, c := range []struct{ name, steps, want string }{
		{"comments", "# one\n  \t# two \\\nset locals.x 2\n#\\\n", "2"},
		{"a comment in a value", "set locals.x [ \\\n  # one\\\n  1, \\\n]\n", "[\n    # one\n    1,\n  ]"},
		{"a byte order mark", "\ufeff# x\nset locals.x 3\n", "3"},
		{"blank lines", "\n  \r\n# x\r\nset locals.x 3\r\n", "3"},
		{"a continued last line", "set locals.x \\\n4\\", "4"},
	} {
		steps := filepath.Join(t.TempDir(), "steps")
		if err := os.WriteFile(steps, []byte(c.steps), 0o666); err != nil {
			t.Fatal(err)
		}
		out, errs, _ := run(t, "x.tf", "locals {\n  x = 1\n}\n", "-f", steps)
		if want := "locals {\n  x = " + c.want + "\n}\n"; out != want {
			t.Errorf("%s: got\n%s%s\nwant\n%s", c.name, out, errs, want)
		}
	}
}

// TestGetInString gets parts of the code in a JSON string as expressions.
func TestGetInString(t *testing.T) {
	const src = `{"locals": {"a": "${f([\"x\", \"y${z}\"], {\"k\" = 1 > 2}, <<E\nt\nE\n)}", "b": ["${c}", "\u0041"]}}`
	for address, want := range map[string]string{
		"locals.a(0)[0]":   `"x"`,
		"locals.a(0)":      `["x", "y${z}"]`,
		"locals.a(0)[1]":   `"y${z}"`,
		`locals.a(1)["k"]`: "1 > 2",
		"locals.b[0]":      `"${c}"`,
		"locals.b[1]":      `"\u0041"`,
		"locals.b":         `["${c}", "\u0041"]`,
	} {
		if out, errs, _ := run(t, "x.tf.json", src, "-e", "get "+address); out != want+"\n" {
			t.Errorf("%s: got %s%s, want %s", address, out, errs, want)
		}
	}
}

// TestAdds: the message of set names the step that adds what is not there, and that step works.
func TestAdds(t *testing.T) {
	for _, c := range []struct{ name, src, address, step string }{
		{"x.tf", "resource \"a\" \"b\" {\n  x = { k = 1 }\n}\n", "resource.a.b.count", "append resource.a.b.count adds this argument"},
		{"x.tf", "resource \"a\" \"b\" {\n  x = { k = 1 }\n}\n", `resource.a.b.x["l m"]`, `insert resource.a.b.x["l m"] adds this item`},
		{"x.tf.json", `{"locals": {"x": {"y": 1}}}`, "locals.z", "append locals.z adds this argument"},
		{"x.tf.json", `{"locals": {"x": {"y": 1}}}`, `locals.x["z"]`, `insert locals.x["z"] adds this item`},
		{"x.tf", "locals {\n  x = [1]\n}\n", "locals.x[7]", ""},
		{"x.tf", "locals {\n  x = [1]\n}\n", "locals.x.y", ""},
		{"x.tf", "locals {\n  x = 1\n}\n", "resource.a.b.count", ""},
	} {
		_, errs, status := run(t, c.name, c.src, "-e", "set "+c.address+" 2")
		want := "tofuwire edit: step 1: the address leads nowhere"
		if c.step != "" {
			want += "; " + c.step
		}
		if errs != want+"\n" || status != 1 {
			t.Errorf("%s: %d, %s, want %s", c.address, status, errs, want)
		}
		step, _, _ := strings.Cut(c.step, " adds ")
		if step == "" {
			continue
		}
		if _, errs, status := run(t, c.name, c.src, "-e", step+" 2"); status != 0 {
			t.Errorf("%s: %s", step, errs)
		}
	}
}

// TestNowhere: the message names the item that is there. What it names is an address that works.
func TestNowhere(t *testing.T) {
	for _, c := range []struct{ name, src, address, item string }{
		{"x.hcl", "inputs = {\n  vpc_id = 1\n}\n", "inputs.vpc_id", `inputs["vpc_id"]`},
		{"x.hcl", "inputs = {\n  a = { b = 1 }\n}\n", "inputs.a.b", `inputs["a"]["b"]`},
		{"x.tf", "module \"a.b\" {\n  x = { \"c ${d}\" = [1] }\n}\n", `module.a\.b.x.c\ ${d}[0]`, ""},
		{"x.tf", "module \"a.b\" {\n  x = { \"c $${d}\" = [1] }\n}\n", `module.a\.b.x.c\ ${d}[0]`, `module.a\.b.x["c $${d}"][0]`},
		{"x.tf.json", `{"locals": {"x": {"y": 1}}}`, "locals.x.y", `locals.x["y"]`},
		{"x.hcl", "inputs = {\n  vpc_id = 1\n}\n", "inputs.vpc", ""},
	} {
		_, errs, status := run(t, c.name, c.src, "-e", "set "+c.address+" 2")
		want := "tofuwire edit: step 1: the address leads nowhere"
		if c.item != "" {
			want += ", but there is " + c.item
		}
		if errs != want+"\n" || status != 1 {
			t.Errorf("%s: %d, %s, want %s", c.address, status, errs, want)
		}
		if c.item == "" {
			continue
		}
		if _, errs, status := run(t, c.name, c.src, "-e", "set "+c.item+" 2"); status != 0 {
			t.Errorf("%s: %s", c.item, errs)
		}
	}
}
