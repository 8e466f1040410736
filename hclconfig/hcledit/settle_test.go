// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// settled has a file in both syntaxes, whose argument a is f(var.old, [1, 2], h(var.old)).
var settled = map[string]string{
	"x.tf":      "locals {\n  a = f(var.old, [1, 2], h(var.old)) # a\n  b = 1\n}\n",
	"x.tf.json": `{"locals": {"a": "${f(var.old, [1, 2], h(var.old))}", "b": 1}}`,
}

// handles are parts of the argument a, found below that many calls around it.
type handles struct {
	block      *hclconfig.Block
	root       hclconfig.Expression
	list, call hclconfig.Expression
}

func handlesOf(f *hclconfig.File, wraps int) handles {
	b := f.Body().Block("locals")
	h := handles{block: b, root: b.Argument("a").Expression}
	x := h.root
	for range wraps {
		x = x.Parts()[0]
	}
	parts := x.Parts()
	h.list, h.call = parts[1], parts[2]
	return h
}

// TestOldHandles makes random edits with handles from before all of them. The result is
// that of the same edits made one at a time with fresh handles.
func TestOldHandles(t *testing.T) {
	refused, all := 0, 0
	for name, src := range settled {
		for trial := range depth.Of(200, 2000, 20000) {
			r := rand.New(rand.NewPCG(depth.Seed(t), uint64(trial)))
			f := mustParse(t, name, src)
			one := f
			old := handlesOf(f, 0)
			e := hcledit.Edit(f)
			wraps := 0
			var script []string
			for k := range 2 + r.IntN(5) {
				op := r.IntN(7)
				edit := func(e *hcledit.Editor, h handles) {
					switch op {
					case 0:
						e.Replace(h.root, hcledit.Function("g", h.root))
					case 1:
						e.Insert(h.list, 10+k)
					case 2:
						e.ReplaceReference(h.call.References()[0], fmt.Sprintf("var.new%d", k))
					case 3:
						e.Replace(h.call, hcledit.Function("k", hcledit.Source("x"), h.call))
					case 4:
						e.Set(h.block, "b", h.root)
					case 5:
						e.Wrap(h.root, "m(_)")
					case 6:
						e.Set(h.block, "c", h.list)
					}
				}
				if op == 3 && trial%2 == 0 {
					continue // it hides the reference in the call from the fresh handle
				}
				script = append(script, fmt.Sprint(op))
				if op == 3 {
					edit(e, old)
					sub := hcledit.Edit(one)
					edit(sub, handlesOf(one, wraps))
					one = apply(t, sub)
					break
				}
				edit(e, old)
				sub := hcledit.Edit(one)
				edit(sub, handlesOf(one, wraps))
				one = apply(t, sub)
				if op == 0 || op == 5 {
					wraps++
				}
			}
			all++
			got, err := e.Apply()
			switch {
			case errors.Is(err, hcledit.ErrEdit):
				refused++
				t.Logf("%s %v: %v", name, script, err)
			case err != nil:
				t.Errorf("%s %v: %v", name, script, err)
			case string(got.Bytes()) != string(one.Bytes()):
				t.Errorf("%s %v: got\n%s\none at a time\n%s", name, script, got.Bytes(), one.Bytes())
			}
			if t.Failed() {
				return
			}
		}
	}
	if refused*100 > all {
		t.Errorf("%d of %d sequences are refused", refused, all)
	}
}

// TestWrapped: an expression that was edited keeps the edit when a call goes around it,
// in whatever order, also after Apply and in another argument.
func TestWrapped(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		edit func(e *hcledit.Editor, b *hclconfig.Block, x hclconfig.Expression)
	}{
		"reference, then call": {"a = g(f(var.new))", func(e *hcledit.Editor, b *hclconfig.Block, x hclconfig.Expression) {
			e.ReplaceReference(x.References()[0], "var.new").Replace(x, hcledit.Function("g", x))
		}},
		"call, then reference": {"a = g(f(var.new))", func(e *hcledit.Editor, b *hclconfig.Block, x hclconfig.Expression) {
			e.Replace(x, hcledit.Function("g", x)).ReplaceReference(x.References()[0], "var.new")
		}},
		"after Apply": {"a = g(f(var.new))", func(e *hcledit.Editor, b *hclconfig.Block, x hclconfig.Expression) {
			e.ReplaceReference(x.References()[0], "var.new").Apply()
			e.Replace(x, hcledit.Function("g", x))
		}},
		"elsewhere": {"a = f(var.new)\n  b = f(var.new)", func(e *hcledit.Editor, b *hclconfig.Block, x hclconfig.Expression) {
			e.ReplaceReference(x.References()[0], "var.new").Set(b, "b", x)
		}},
		"inserted, then call": {"a = g(f(var.old, 1))", func(e *hcledit.Editor, b *hclconfig.Block, x hclconfig.Expression) {
			e.Insert(x, 1).Replace(x, hcledit.Function("g", x))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := mustParse(t, "x.tf", "locals {\n  a = f(var.old)\n}\n")
			b := f.Body().Block("locals")
			e := hcledit.Edit(f)
			c.edit(e, b, b.Argument("a").Expression)
			if got, want := string(apply(t, e).Bytes()), "locals {\n  "+c.want+"\n}\n"; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
