// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestSteps makes steps that lost a comment, an edit or a blank line once, or that
// glued two blocks.
func TestSteps(t *testing.T) {
	const head, tail = "locals {\n  x = ", "\n}\n"
	for _, c := range []struct{ name, src, steps, want string }{
		{"sort, shared with the brackets", "[\"10.2.0.0/16\", # office\n    \"10.1.0.0/16\",    # vpn\n  \"10.3.0.0/16\"] # lab", "sort locals.x", "[\"10.1.0.0/16\", # vpn\n    \"10.2.0.0/16\",    # office\n  \"10.3.0.0/16\"] # lab"},
		{"sort, a comment before a comma", `["m" /* em */, "k"]`, "sort locals.x", `["k", "m" /* em */]`},
		{"sort, a line comment first", "{ z = 1 // zed\n    y = 2 }", "sort locals.x", "{ y = 2\n    z = 1 // zed\n  }"},
		{"sort, a line comment last", "[\"b\", # x\n  \"a\"]", "sort locals.x", "[\"a\",\n    \"b\" # x\n  ]"},
		{"insert behind a comment", "[80, 443, # web\n  ]", "insert locals.x[] 8080", "[80, 443, # web\n    8080,\n  ]"},
		{"insert before a comment", "[/* low */ 5]", "insert locals.x[0] 1", "[1, /* low */ 5]"},
		{"remove with a comment", "[1, 2 /* two */]", "rm locals.x[1]", "[1]"},
		{"remove behind a comment", "coalesce(var.p # given\n    , \"d\")", "rm locals.x(1)", "coalesce(var.p # given\n  )"},
		{"insert an item with a colon", "{ a : 1 }", `insert locals.x["b"] 2`, "{ a : 1, b : 2 }"},
		{"insert a key that is no word", "{}", `insert locals.x["a b"] 2`, `{ "a b" = 2 }`},
		{"insert before an expanded argument", "f(a, b...)", "insert locals.x(1) 2", "f(a, 2, b...)"},
		{"remove the last item", "{ a = 1 }", `rm locals.x["a"]`, "{}"},
		{"remove, the comment of the whole stays", "[ # whole\n    1,\n  ]", "rm locals.x[0]", "[ # whole\n  ]"},
		{"wrap a heredoc", "<<EOT\ntext\nEOT", "wrap locals.x trimspace(_)", "trimspace(<<EOT\ntext\nEOT\n  )"},
		{"sort, a heredoc comes before an item on its line", "{ b = 1, a = <<EOT\nt\nEOT\n  }", "sort locals.x", "{ a = <<EOT\nt\nEOT\n    b = 1\n  }"},
		{"move, a comment behind a comma", "[1, /* one */\n    2, 3]", "mv locals.x[1] locals.x[0]", "[2,\n  1 /* one */, 3]"},
		{"insert behind a comment behind a comma", "[1, /* one */ ]", "insert locals.x[] 2", "[1 /* one */, 2, ]"},
		{"remove behind a heredoc with a comment", "[<<EOT\nt\nEOT\n    , # t\n    2\n  ]", "rm locals.x[1]", "[<<EOT\nt\nEOT\n    , # t\n  ]"},
		{"remove behind a comment, a comma, and a comment", "f(1 # one\n    , # two\n    2)", "rm locals.x(1)", "f(1 # one\n    , # two\n  )"},
		{"remove the last element of several lines", "[\n    # one\n    1, # one\n\n  ]", "rm locals.x[0]", "[]"},
		{"remove the last item of several lines", "{\n\n    a = 1\n  }", `rm locals.x["a"]`, "{}"},
		{"remove the last argument of several lines", "f(\n    1\n  )", "rm locals.x(0)", "f()"},
		{"remove, another part on the last line of this one", "[\n    # one\n    f(\n      1\n    ), 2,\n  ]", "rm locals.x[0]", "[\n    2,\n  ]"},
		{"remove, the comment of the one above is as it was", "[\n    1,# one\n    2,\n  ]", "rm locals.x[1]", "[\n    1,# one\n  ]"},
		{"steps see each other", "[1]", "insert locals.x[0] 0;wrap locals.x concat(_, [2]);insert locals.x(1)[0] 9;sort locals.x(1)", "concat([0, 1], [2, 9])"},
		{"an item gets another key", "{ \"a\" = 1, b = 2 }", `mv locals.x["b"] locals.x["c d"]`, "{ \"a\" = 1, \"c d\" = 2 }"},
		{"set keeps comments", "1 # one", "set locals.x 2", "2 # one"},
		{"a value with lines", "1", "set locals.x [\n1,\n]", "[\n    1,\n  ]"},
	} {
		checkSteps(t, c.name, "x.tf", head+c.src+tail, c.steps, head+c.want+tail)
	}
	for _, c := range []struct{ name, file, src, steps, want string }{
		{"blocks are not glued", "x.tf", "output \"a\" {}\noutput \"b\" {}\n\nlocals {}\n", "rm output.b", "output \"a\" {}\n\nlocals {}\n"},
		{"the longer run stays", "x.tf", "locals {}\n\n\noutput \"a\" {}\n\nlocals {}\n", "rm output.a", "locals {}\n\n\nlocals {}\n"},
		{"none at the end", "x.tf", "locals {}\n\noutput \"a\" {}\n", "rm output.a", "locals {}\n"},
		{"none at the beginning of a body", "x.tf", "r { # c\n  a = 1\n\n  b = 2\n}\n", "rm r.a", "r { # c\n  b = 2\n}\n"},
		{"a byte order mark", "x.tf", "\uFEFF# about a\noutput \"a\" {}\n\nlocals {}\n", "rm output.a", "\uFEFFlocals {}\n"},
		{"a comment of several lines that ends before the block", "x.tf", "# one\n/* two\n */ output \"a\" {}\n\nlocals {\n  a = 1\n\n  /*\n   * three */ b = 2\n}\n", "rm output.a;mv locals.b locals.c;rm locals.a", "locals {\n  /*\n   * three */ c = 2\n}\n"},
		{"lines that end with CR LF", "x.tf", "locals {\r\n  x = <<EOT\r\nt\r\nEOT\r\n}\r\n", "wrap locals.x f(_)", "locals {\r\n  x = f(<<EOT\r\nt\r\nEOT\r\n  )\r\n}\r\n"},
		{"references everywhere", "x.tf", "widget \"w\" { x = var.old.b }\ndata \"a\" \"b\" {\n  provisioner \"p\" {\n    c = \"${var.old[0]}\"\n  }\n}\nlocals {\n  a = [for old in var.old : old.x]\n  b = { var = 1, old = var.older }\n}\n", "ref var.old var.new.n",
			"widget \"w\" { x = var.new.n.b }\ndata \"a\" \"b\" {\n  provisioner \"p\" {\n    c = \"${var.new.n[0]}\"\n  }\n}\nlocals {\n  a = [for old in var.new.n : old.x]\n  b = { var = 1, old = var.older }\n}\n"},
		{"out of a block on one line", "x.tf", "a { x = 1 }\n\nb {\n  y = 2\n}\n", "mv a.x b.x", "a {}\n\nb {\n  y = 2\n  x = 1\n}\n"},
		{"out of all blocks", "x.hcl", "a {\n  x = 1 # x\n  y = 2\n}\n", "mv a.x z", "z = 1 # x\n\na {\n  y = 2\n}\n"},
		{"out of all blocks, behind arguments", "x.hcl", "b = 1\n\na {\n  x = 1\n}\n", "mv a.x z", "b = 1\nz = 1\n\na {\n}\n"},
		{"into a block", "x.hcl", "x = 1\n\na {\n  y = 2\n}\n", "mv x a.x", "a {\n  y = 2\n  x = 1\n}\n"},
		{"JSON, out of all blocks", "x.json", `{"a":{"x":1},"b":2}`, `mv b c`, `{"a":{"x":1},"c":2}`},
		{"a header", "x.tf", "resource \"a\" \"b\" { # c\n}\n", "mv resource.a.b data.x.y", "data \"x\" \"y\" { # c\n}\n"},
		{"a path of labels", "x.tf", "provider \"a.b\" \"*\" {\n  x = 1\n}\nprovider \"c\" \"d\" {\n  x = 1\n}\n", `set provider.a\.b.\*.x 2;set provider.c.*.x 3`, "provider \"a.b\" \"*\" {\n  x = 2\n}\nprovider \"c\" \"d\" {\n  x = 3\n}\n"},
		{"other numbers of labels", "x.hcl", "w \"a\" {\n  x = 1\n}\n\nw {\n  x = 1\n}\n", "set w.x 2;set w.a.x 3", "w \"a\" {\n  x = 3\n}\n\nw {\n  x = 2\n}\n"},
		{"one of several", "x.tf", "a {\n  b {\n    x = 1\n  }\n  b {\n    x = 1\n  }\n}\n", "set a.b[1].x 2", "a {\n  b {\n    x = 1\n  }\n  b {\n    x = 2\n  }\n}\n"},
		{"arguments before blocks", "x.tf", "a {\n  b {\n  }\n}\n", "append a.x 1", "a {\n  x = 1\n\n  b {\n  }\n}\n"},
		{"what is in a block on one line stays as it is", "x.tf", "a { x = { k: 1,  l : 2 } }\n", "append a.y 1", "a {\n  x = { k: 1,  l : 2 }\n  y = 1\n}\n"},
		{"what is in a block on one line and others", "x.tf", "a { x = [\n  1,2\n] }  # c\n", "append a.y 1", "a {\n  x = [\n    1,2\n  ]\n  y = 1\n}  # c\n"},
		{"a block on one line", "x.tf", "a {}\n", "append a.x 1", "a {\n  x = 1\n}\n"},
		{"values in no block", "x.tfvars", "a = 1\nb = [1]\nc = {}\nd = f(1)\n", `set a 2;insert b[] 2;insert c["x"] 1;insert d() 2;set a 3;wrap d g(_)`, "a = 3\nb = [1, 2]\nc = { x = 1 }\nd = g(f(1, 2))\n"},
		{"the last of the longest names", "x.tfvars", "a  = 1\nbb = 2\n", "rm bb", "a = 1\n"},
		{"the first of the longest names", "x.tfvars", "bb = 1\na  = 2\n", "rm bb", "a = 2\n"},
		{"for_each of any block", "x.tf", "dynamic \"a\" {\n  labels = []\n}\n", "append dynamic.a.for_each var.x", "dynamic \"a\" {\n  for_each = var.x\n  labels   = []\n}\n"},
		{"for_each of a module", "x.tf", "module \"a\" {\n  source = \"./a\"\n}\n", "append module.a.for_each var.x", "module \"a\" {\n  for_each = var.x\n  source   = \"./a\"\n}\n"},
		{"the source of a resource", "x.tf", "resource \"a\" \"b\" {\n  x = 1\n}\n", "append resource.a.b.source 1", "resource \"a\" \"b\" {\n  x      = 1\n  source = 1\n}\n"},
		{"depends_on before comments", "x.tf", "a {\n  x = 1\n  # y = 1\n}\n", "append a.depends_on [b]", "a {\n  x          = 1\n  depends_on = [b]\n  # y = 1\n}\n"},
		{"depends_on of any block", "x.tf", "check \"a\" {\n  depends_on = []\n}\n", "append check.a.x 1", "check \"a\" {\n  x          = 1\n  depends_on = []\n}\n"},
		{"an argument of the file", "x.tf", "a {}\n", "append x 1", "x = 1\n\na {}\n"},
		{"no last line end, the last block goes", "x.tf", "a {\n}\n\nb {\n}", "rm b", "a {\n}"},
		{"no last line end, the last argument goes", "x.tfvars", "a = 1\r\nb = 2", "rm b", "a = 1"},
		{"no last line end, an argument moves", "x.hcl", "a {\n}\nb = 2", "mv b a.b", "a {\n  b = 2\n}"},
		{"no last line end, what is left is a heredoc", "x.hcl", "a = <<EOT\nt\nEOT\nb = 2", "rm b", "a = <<EOT\nt\nEOT\n"},
		{"no last line end, a heredoc comes", "x.hcl", "a = 1\nb = 2", "set b <<EOT\nt\nEOT", "a = 1\nb = <<EOT\nt\nEOT\n"},
		{"a heredoc comes to the first line, behind a byte order mark", "x.hcl", "\uFEFFa = 1 # a\n", "set a <<EOT\nt\nEOT", "\uFEFF# a\na = <<EOT\nt\nEOT\n"},
		{"no last line end, a heredoc comes elsewhere", "x.hcl", "a = 1\nb = 2", "set a <<EOT\nt\nEOT", "a = <<EOT\nt\nEOT\nb = 2"},
		{"several comments on a line", "x.tf", "# a\n/* b */ # c\na {\n  /* d */ /* e */ # f\n  x = 1\n  # y\n  y = 1\n}\n\nb {\n}\n", "mv a.x b.x;rm a", "b {\n  /* d */ /* e */ # f\n  x = 1\n}\n"},
		{"a comment of several lines moves", "x.tf", "a {\n  /* one\n     two */\n  x = 1\n  b {\n  }\n}\n", "mv a.x a.b.x", "a {\n  b {\n    /* one\n     two */\n    x = 1\n  }\n}\n"},
		{"JSON, a call", "x.tf.json", `{"output":{"o":{"value":"${f(\"a\")}"}}}`, "rm output.o.value(0)", `{"output":{"o":{"value":"${f()}"}}}`},
		{"JSON, values", "x.tf.json", `{"locals":{"a":1}}`, `set locals.a [1, "x", var.y, { k = null }]`, `{"locals":{"a":[1,"x","${var.y}",{"k":null}]}}`},
		{"JSON, a wrap", "x.tf.json", `{"locals":{"a":{"b":1}}}`, "wrap locals.a merge(local.t, _)", `{"locals":{"a":"${merge(local.t, { b = 1 })}"}}`},
		{"JSON, depends_on", "x.tf.json", `{"resource":{"a":{"b":{"depends_on":["var.x"]}}}}`, "insert resource.a.b.depends_on[] var.y;ref var.x var.z", `{"resource":{"a":{"b":{"depends_on":["var.z","var.y"]}}}}`},
		{"JSON, a block", "x.tf.json", `{"resource":{"a":{"b":{},"c":{}}}}`, "mv resource.a.b resource.x.b;rm resource.a.c", `{"resource":{"x":{"b":{}}}}`},
		{"JSON, an object in a string", "x.tf.json", `{"locals":{"a":"${{ a = 1, b = var.old }}"}}`, `set locals.a["a"] 2;mv locals.a["b"] locals.a["c d"];insert locals.a["e"] 3;rm locals.a["a"]`, `{"locals":{"a":"${{ \"c d\" = var.old, e = 3 }}"}}`},
		{"JSON, a wrap of an object in a string", "x.tf.json", `{"locals":{"a":"${{ a = 1, b = var.old }}"}}`, "wrap locals.a f(_)", `{"locals":{"a":"${f({ a = 1, b = var.old })}"}}`},
		{"JSON, a wrap around an object in a string", "x.tf.json", `{"locals":{"a":{"b":["${{ c = var.old }}"]}}}`, "wrap locals.a f(_)", `{"locals":{"a":"${f({ b = [{ c = var.old }] })}"}}`},
		{"JSON, a wrap keeps comments in a string", "x.tf.json", `{"locals":{"a":"${[1, /* c */ 2]}"}}`, "wrap locals.a f(_)", `{"locals":{"a":"${f([1, /* c */ 2])}"}}`},
		{"JSON, empty ones on a line", "x.tf.json", "{\n  \"locals\":{\"a\":[], \"b\":1, \"c\":{}}\n}\n", `insert locals.a[0] 1;set locals.b { x = [1] };insert locals.c["y"] { z = 2 }`, "{\n  \"locals\":{\"a\":[1], \"b\":{\"x\":[1]}, \"c\":{\"y\":{\"z\":2}}}\n}\n"},
		{"JSON, an empty one on a line of its own", "x.tf.json", "{\n  \"locals\": {\n    \"a\": {}\n  }\n}\n", `insert locals.a["x"] 1`, "{\n  \"locals\": {\n    \"a\": {\n      \"x\": 1\n    }\n  }\n}\n"},
		{"JSON, keys", "x.tf.json", `{"locals":{"a":1}}`, `set locals.a { (var.k) = 1, "${var.k}-x" = 2, "${var.l}" = 3, (var.a)["b"] = 4 }`, `{"locals":{"a":{"${var.k}":1,"${var.k}-x":2,"${var.l}":3,"${(var.a)[\"b\"]}":4}}}`},
		{"JSON, a schema would tell", "x.tf.json", `{"resource":{"a":{"b":{"ingress":[{"from_port":1}]}}}}`, `set resource.a.b.ingress[0]["from_port"] 2`, `{"resource":{"a":{"b":{"ingress":[{"from_port":2}]}}}}`},
	} {
		checkSteps(t, c.name, c.file, c.src, c.steps, c.want)
	}
}

// checkSteps makes steps, which are separated by semicolons, in one call and with -each.
func checkSteps(t *testing.T, name, file, src, steps, want string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, each := range []bool{false, true} {
		var args []string
		if each {
			args = append(args, "-each")
		}
		for step := range strings.SplitSeq(steps, ";") {
			args = append(args, "-e", step)
		}
		var out, errs bytes.Buffer
		if code := Run(append(args, path), nil, &out, &errs); code != 0 {
			t.Errorf("%s: exit %d: %s", name, code, errs.String())
		} else if out.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, out.String(), want)
		}
	}
}

// TestReadOnce makes steps of all kinds in each of many blocks: the whole file is read once for all of
// them, in both syntaxes, and a step in a block that has changed reads that block.
func TestReadOnce(t *testing.T) {
	var src strings.Builder
	for i := range 50 {
		fmt.Fprintf(&src, "resource \"a\" \"r%d\" {\n  x = [%d, 0]\n  y = { a = 1 }\n  lifecycle {\n    z = 1\n  }\n}\n\n", i, i)
	}
	for name, steps := range map[string][]string{
		"set":                {"set A.x[0] 1", "set A.x[1] 2", "set A.x 3"},
		"append":             {"append A.w 1", "set A.w 2", "rm A.w"},
		"insert":             {"insert A.x[0] 0", "insert A.x[0] 1", "insert A.y[\"b\"] 1", "insert A.y[\"c\"] 2"},
		"rm":                 {"rm A.x[0]", "rm A.x[0]", "rm A.lifecycle", "rm A"},
		"rm and new":         {"rm A", "new resource.b.N", "append resource.b.N.x [1]", "append resource.b.N.y 1", "insert resource.b.N.x[] 1", "rm resource.b.N.y", "rm resource.b.N", "new resource.b.N"},
		"wrap":               {"wrap A.x f(_)", "set A.x(0)[0] 7", "wrap A.x g(_)"},
		"get":                {"set A.x 1", "get A.x", "append A.w 1", "get A.w"},
		"new in a block":     {"new A provisioner.q", "append A.provisioner.q.command 1", "mv A.provisioner.q A.provisioner.r", "append A.provisioner.r.when 1"},
		"sort":               {"sort A.x", "sort A.x"},
		"a header":           {"set A.x 1", "mv A resource.c.N"},
		"a name":             {"mv A.x A.z", "mv A.z A.x"},
		"an argument":        {"mv A.x resource.a.r0.N"},
		"an element, a key":  {"mv A.x[0] A.x[1]", "mv A.y[\"a\"] A.y[\"b\"]", "rm A.y[\"b\"]"},
		"an argument inside": {"mv A.x A.lifecycle.x", "set A.lifecycle.x 1", "mv A.lifecycle.z A.z"},
	} {
		native, err := hclconfig.ParseNative("x.tf", []byte(src.String()))
		if err != nil {
			t.Fatal(err)
		}
		asJSON, _ := hclconvert.ToJSON(native, hclconvert.Options{})
		for _, f := range []*hclconfig.File{native, asJSON} {
			s, first := &session{e: hcledit.Edit(f), json: f == asJSON, empty: emptyLike(f)}, (*hclconfig.Body)(nil)
			for i := range 50 {
				for _, text := range steps {
					st := step{text: strings.NewReplacer("A", fmt.Sprint("resource.a.r", i), "N", fmt.Sprint("n", i)).Replace(text)}
					if err := st.parse(); err != nil {
						t.Fatal(err)
					}
					if err := s.do(&st); err != nil || s.e.Err() != nil {
						t.Fatalf("%s: %s: %v %v", f.Filename(), st.text, err, s.e.Err())
					}
					if first == nil {
						first = s.body
					}
					if s.body != first {
						t.Fatalf("%s, %s: all is read again for %s", f.Filename(), name, st.text)
					}
				}
			}
		}
	}
}

// TestManySteps wants the same of steps that need no new reading of the file, one after the
// other, as with a reading after each.
func TestManySteps(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.tf")
	src := "# one\nresource \"x\" \"a\" { # first\n  k = [1] # n\n}\nresource \"x\" \"b\" { # second block\n  k = f(1)\n}\n\nlocals {\n  l = [3, 2]\n  m = x.a.k\n}\n"
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, steps := range []string{
		"set resource.x.a.k [2]\nset resource.x.a.k [1, 2]\nset resource.x.a.k[1] 3\nget resource.x.a.k",
		"set resource.x.a.k 1\nget resource.x.b",
		"append resource.x.a.n 1\nset resource.x.a.n 2\nappend resource.x.a.o 3\nget resource.x.a",
		"insert locals.l[] 1\ninsert locals.l[] 0\nsort locals.l\ninsert locals.l[0] 9\nget locals.l[1]",
		"insert resource.x.b.k() 2\nset resource.x.b.k g(1)\ninsert resource.x.b.k() 5\nget resource.x.b.k(1)",
		"mv resource.x.a resource.x.c\nmv resource.x.b resource.x.a\nset resource.x.a.k 7\nset resource.x.c.k 8\nget resource.x.a.k",
		"mv resource.x.a resource.x.c\nnew resource.x.a\nappend resource.x.a.z 1\nset resource.*.*.k 2",
		"new resource.x.d\nappend resource.x.d.z 1\nmv resource.x.d.z resource.x.d.y\nset resource.x.d.y 4",
		"mv resource.x.a.k resource.x.a.n\nset resource.x.a.n 4\nmv resource.x.a.n resource.x.b.n\nset resource.x.b.n 5",
		"ref x.a x.q\nset locals.m x.a.k\nref x.a.k x.r.k\nget locals.m",
		"set locals.l {}\ninsert locals.l[\"a\"] 1\ninsert locals.l[\"b\"] 2\nwrap locals.l f(_)\nset locals.l(0)[\"a\"] 3",
		"rm resource.x.a\nnew resource.x.a\nmv resource.x.b resource.y.b\nappend resource.y.b.q 1\nget resource.y.b",
	} {
		var args []string
		for _, s := range strings.Split(steps, "\n") {
			args = append(args, "-e", s)
		}
		var outs, errs [2]bytes.Buffer
		for i, way := range [][]string{nil, {"-each"}} {
			if code := Run(append(append(way, args...), name), nil, &outs[i], &errs[i]); code != 0 {
				t.Errorf("%q: exit %d: %s", steps, code, errs[i].String())
			}
		}
		if outs[0].String() != outs[1].String() {
			t.Errorf("%q: got\n%s\nwant\n%s", steps, outs[0].String(), outs[1].String())
		}
	}
	// What is taken stays taken.
	for _, steps := range [][2]string{
		{"append resource.x.a.n 1", "append resource.x.a.n 2"}, {"new resource.x.n", "new resource.x.n"}, {"mv resource.x.a resource.x.c", "mv resource.x.b resource.x.c"},
		{"new resource.x.n", "mv resource.x.a resource.x.n"}, {"mv resource.x.a resource.x.c", "set resource.x.a.k 1"}, {"append resource.x.a.n 1", "mv resource.x.a.k resource.x.a.n"},
	} {
		var out, errs bytes.Buffer
		if code := Run([]string{"-e", steps[0], "-e", steps[1], name}, nil, &out, &errs); code == 0 || !strings.Contains(errs.String(), "step 2") {
			t.Errorf("%q: exit %d: %s", steps, code, errs.String())
		}
	}
}

// TestObjectInString wants of an object in a JSON string what is wanted of others: a key that
// is there is taken, and a computed key has no order.
func TestObjectInString(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.tf.json")
	if err := os.WriteFile(name, []byte(`{"locals":{"a":"${{ a = 1, (var.k) = 2 }}"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for step, want := range map[string]string{
		`insert locals.a["a"] 1`: "already a key", "sort locals.a": "not constant", `set locals.a["b"] 1`: "nowhere", `mv locals.a["a"] locals.a["b"]`: "", `get locals.a["a"]`: "",
	} {
		var out, errs bytes.Buffer
		if code := Run([]string{"-e", step, name}, nil, &out, &errs); (code == 0) != (want == "") || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d: %s", step, code, errs.String())
		}
	}
}
