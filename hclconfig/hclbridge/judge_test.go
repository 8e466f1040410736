// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestJudge compares bodies with those of HCL's own parsers: each is read with ten schemas
// that nobody wrote for it, directly and by packages that read bodies.
func TestJudge(t *testing.T) {
	files, bodies := 0, 0
	for _, fx := range judged(t) {
		f, err := hclconfig.Parse(fx.Name, fx.Src)
		if f == nil {
			continue
		}
		p := hclparse.NewParser()
		parse := p.ParseHCL
		if f.Syntax() == hclconfig.JSONSyntax {
			parse = p.ParseJSON
		}
		peer, _ := parse(fx.Src, fx.Name)
		if peer == nil || peer.Body == nil {
			continue
		}
		ours := hclbridge.File(f)
		j := judge{t: t, r: rand.New(rand.NewPCG(1, uint64(len(fx.Src)))), peer: peer, ours: ours}
		j.compare(fx.Name, peer.Body, hclbridge.Body(f.Body()))
		if err == nil && f.Syntax() == hclconfig.NativeSyntax {
			// Also the bodies of blocks by themselves.
			for i := range f.Body().Blocks {
				inner := peer.Body.(*hclsyntax.Body).Blocks[i]
				j.compare(fx.Name+" "+inner.Type, inner.Body, hclbridge.Body(&f.Body().Blocks[i].Body))
			}
		}
		j.navigation(fx.Name, f)
		files, bodies = files+1, bodies+j.bodies
		if t.Failed() {
			return
		}
	}
	if files < depth.Of(50, 300, 1000) || bodies < 200 {
		t.Errorf("only %d files, %d bodies", files, bodies)
	}
	t.Logf("%d files, %d bodies", files, bodies)
}

// judged returns the files to compare: those of testdata, and variants with faults.
func judged(t *testing.T) []configshow.Fixture {
	files := configshow.Fixtures(t, "../testdata", "../hclconvert/testdata", "../hcllint/rules/testdata")
	files = append(files, oddities...)
	every := depth.Of(12, 2, 1)
	var out []configshow.Fixture
	for i, fx := range files {
		if len(fx.Src) > 3<<10 && depth.Of(true, true, false) || i%every != 0 && i < len(files)-len(oddities) {
			continue
		}
		out = append(out, fx)
		r := rand.New(rand.NewPCG(2, uint64(i)))
		for range depth.Of(1, 1, 2) {
			if len(fx.Src) == 0 {
				continue
			}
			at := r.IntN(len(fx.Src))
			broken := slices.Concat(fx.Src[:at], fx.Src[min(at+1+r.IntN(4), len(fx.Src)):])
			out = append(out, configshow.Fixture{Name: fx.Name, Src: broken})
		}
	}
	return out
}

// oddities are texts that the language does not have.
var oddities = []configshow.Fixture{
	{Name: "labels.tf", Src: []byte("variable \"a\" \"b\" {}\nresource \"a\" {\n}\nlocals \"x\" { a = 1 }\nresource a b c { d {} }\n")},
	{Name: "dynamic.tf", Src: []byte("a {\n  dynamic {\n    content {}\n  }\n  dynamic \"ing\" \"x\" {\n    for_each = [1]\n    content {\n      y = ing.value\n    }\n  }\n}\n")},
	{Name: "oneline.tf", Src: []byte("provider \"p\" { region = 1 }\nx { y = 2 }")},
	{Name: "broken.tf", Src: []byte("a {\n  b = \n  c {\n")},
	{Name: "a.tf.json", Src: []byte(`{"import":"x","check":[1],"variable":"v","output":[],"resource":{"a":{}},"locals":{"l":{"a":1}}}`)},
	{Name: "b.tf.json", Src: []byte(`{"variable":{"a":{"b":{}}},"dynamic":null,"moved":[{"from":"a.b"},2,null],"//":"c","terraform":{"dynamic":{"x":{"for_each":[1],"content":{"k":1}}}}}`)},
	{Name: "c.tf.json", Src: []byte(`[{"a":1,"a":2},{"a":3},"x",{"provider":[{"p":{"r":"\u00e9${x}"}},{"p":{}}]}]`)},
	{Name: "d.tf.json", Src: []byte("{\n\t\"a\": {\"b\": 1,}\n}")},
	{Name: "e.tf.json", Src: []byte(`"text"`)},
}

type judge struct {
	t          *testing.T
	r          *rand.Rand
	peer, ours *hcl.File
	bodies     int
}

// compare reads both bodies with ten schemas.
func (j *judge) compare(name string, peer, ours hcl.Body) {
	j.bodies++
	attrs, blocks := names(peer)
	for k := range 10 {
		schema := j.schema(k, attrs, blocks)
		j.same(name, schema, peer, ours)
		want, _, _ := peer.PartialContent(schema)
		got, _, _ := ours.PartialContent(schema)
		if k > 0 || len(want.Blocks) != len(got.Blocks) {
			continue
		}
		for i, b := range want.Blocks {
			if i < 12 {
				j.compare(name+" "+b.Type, b.Body, got.Blocks[i].Body)
			}
		}
	}
}

// names returns the names that a body has.
func names(b hcl.Body) (attrs []string, blocks map[string]int) {
	blocks = map[string]int{}
	if native, ok := b.(*hclsyntax.Body); ok {
		for _, n := range native.Blocks {
			blocks[n.Type] = len(n.Labels)
		}
		return slices.Sorted(maps.Keys(native.Attributes)), blocks
	}
	all, _ := b.JustAttributes()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%2 == 0 || strings.HasSuffix(name, "s") {
			blocks[name] = len(name) % 3
			continue
		}
		attrs = append(attrs, name)
	}
	return attrs, blocks
}

// schema makes schema k: 0 and 1 fit, the others have other names, labels and kinds.
func (j *judge) schema(k int, attrs []string, blocks map[string]int) *hcl.BodySchema {
	s := &hcl.BodySchema{}
	for _, name := range attrs {
		switch n := j.r.IntN(4 + k); {
		case n == 4 || n == 5:
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: name + "x", Required: true})
		case n == 6 || n == 7:
			s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: name, LabelNames: labels(j.r.IntN(3))})
		case n == 8:
		default:
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: name, Required: j.r.IntN(2) == 0})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		switch n := j.r.IntN(4 + k); {
		case n == 4:
			if len(name) < 2 {
				continue
			}
			s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: name[:len(name)-1] + "y", LabelNames: labels(1)})
		case n == 5 || n == 6:
			s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: name, LabelNames: labels(j.r.IntN(4))})
		case n == 7:
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: name})
		case n == 8:
		default:
			s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: name, LabelNames: labels(blocks[name])})
		}
	}
	return s
}

func labels(n int) []string {
	names := []string{"type", "name", "third", "fourth"}
	for len(names) < n {
		names = append(names, fmt.Sprint("label", len(names)))
	}
	return names[:n]
}

// same compares all that both bodies answer for a schema.
func (j *judge) same(name string, schema *hcl.BodySchema, peer, ours hcl.Body) {
	want, got := answers(j.peer, peer, schema), answers(j.ours, ours, schema)
	for i, line := range want {
		if i >= len(got) || got[i] != line {
			other := ""
			if i < len(got) {
				other = got[i]
			}
			j.t.Errorf("%s, schema %+v:\n got  %s\n want %s", name, *schema, other, line)
			return
		}
	}
	if len(got) > len(want) {
		j.t.Errorf("%s: more than HCL: %s", name, got[len(want)])
	}
}

// answers are the answers of b, one a line.
func answers(f *hcl.File, b hcl.Body, schema *hcl.BodySchema) []string {
	var out []string
	faults := func(what string, diags hcl.Diagnostics) {
		// HCL walks maps: its own order is not the same twice.
		var lines []string
		for _, d := range diags {
			var text bytes.Buffer
			// Some places of HCL end before they begin. Writing takes most of the time of the test.
			if what == "content" && (d.Subject == nil || d.Subject.End.Byte >= d.Subject.Start.Byte && (d.Context == nil || d.Context.End.Byte >= d.Context.Start.Byte)) {
				_ = hcl.NewDiagnosticTextWriter(&text, map[string]*hcl.File{"": f, b.MissingItemRange().Filename: f}, 78, false).WriteDiagnostic(&hcl.Diagnostic{
					Severity: d.Severity, Summary: d.Summary, Detail: d.Detail, Subject: d.Subject, Context: d.Context})
			}
			said := d.Error()
			if what == "hcldec" { // its schema is made of a map: which of several names is suggested is left to chance
				said, _, _ = strings.Cut(said, " Did you mean")
			}
			lines = append(lines, fmt.Sprintf("%s: %s %v %v\n%s", what, said, d.Subject, d.Context, text.String()))
		}
		slices.Sort(lines)
		out = append(out, lines...)
	}
	show := func(what string, c *hcl.BodyContent, diags hcl.Diagnostics) {
		out = append(out, fmt.Sprint(what, " missing at ", c.MissingItemRange))
		out = append(out, attributes(what, c.Attributes)...)
		for _, n := range c.Blocks {
			out = append(out, fmt.Sprint(what, n.Type, n.Labels, n.DefRange, n.TypeRange, n.LabelRanges, n.Body.MissingItemRange()))
		}
		faults(what, diags)
	}
	c, diags := b.Content(schema)
	show("content", c, diags)
	c, rest, diags := b.PartialContent(schema)
	show("partial", c, diags)
	c, diags = rest.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "name"}}})
	show("rest", c, diags)
	for _, b := range []hcl.Body{b, rest} {
		attrs, diags := b.JustAttributes()
		out = append(out, attributes("just", attrs)...)
		faults("just", diags)
	}
	ctx := &hcl.EvalContext{}
	c, diags = dynblock.Expand(b, ctx).Content(schema)
	show("expanded", c, diags)
	v, diags := hcldec.Decode(b, specOf(schema), ctx)
	out = append(out, fmt.Sprintf("hcldec %#v", v))
	faults("hcldec", diags)
	var variables []string
	for _, t := range hcldec.Variables(b, specOf(schema)) {
		variables = append(variables, fmt.Sprint("variables ", t.RootName(), t.SourceRange()))
	}
	slices.Sort(variables)
	out = append(out, variables...)
	var into struct {
		Name  hcl.Expression `hcl:"name,optional"`
		Nodes []struct {
			Type   string   `hcl:"type,label"`
			Name   string   `hcl:"name,label"`
			Remain hcl.Body `hcl:",remain"`
		} `hcl:"resource,block"`
		Values []struct {
			Name   string   `hcl:"name,label"`
			Remain hcl.Body `hcl:",remain"`
		} `hcl:"variable,block"`
		Remain hcl.Body `hcl:",remain"`
	}
	faults("gohcl", gohcl.DecodeBody(b, ctx, &into))
	for _, n := range into.Nodes {
		out = append(out, fmt.Sprint("gohcl ", n.Type, n.Name, n.Remain.MissingItemRange()))
	}
	for _, n := range into.Values {
		out = append(out, fmt.Sprint("gohcl ", n.Name, n.Remain.MissingItemRange()))
	}
	return out
}

func attributes(what string, attrs hcl.Attributes) []string {
	var out []string
	for _, a := range slices.SortedFunc(maps.Values(attrs), func(a, b *hcl.Attribute) int { return cmp.Compare(a.Name, b.Name) }) {
		v, diags := a.Expr.Value(nil)
		out = append(out, fmt.Sprintf("%s %s %v %v %v %#v %v", what, a.Name, a.Range, a.NameRange, a.Expr.Range(), v, diags))
		for _, t := range a.Expr.Variables() {
			out = append(out, fmt.Sprint(what, a.Name, t.RootName(), t.SourceRange()))
		}
	}
	return out
}

// specOf returns a specification that reads what the schema has.
func specOf(schema *hcl.BodySchema) hcldec.Spec {
	out := hcldec.ObjectSpec{}
	for _, a := range schema.Attributes {
		out["a:"+a.Name] = &hcldec.AttrSpec{Name: a.Name, Type: cty.DynamicPseudoType, Required: a.Required}
	}
	for _, b := range schema.Blocks {
		inner := hcldec.ObjectSpec{"v": &hcldec.AttrSpec{Name: "value", Type: cty.DynamicPseudoType}}
		for i, name := range b.LabelNames {
			inner["l"+name] = &hcldec.BlockLabelSpec{Index: i, Name: name}
		}
		out["b:"+b.Type] = &hcldec.BlockTupleSpec{TypeName: b.Type, Nested: inner}
	}
	return out
}

// navigation compares what editors and writers of diagnostics ask a file for.
func (j *judge) navigation(name string, f *hclconfig.File) {
	type contextual interface{ ContextString(offset int) string }
	for range 40 {
		at := j.r.IntN(len(j.peer.Bytes) + 1)
		pos := hcl.Pos{Byte: at}
		want := fmt.Sprint(j.peer.Nav.(contextual).ContextString(at), j.peer.AttributeAtPos(pos) != nil, len(j.peer.BlocksAtPos(pos)), j.peer.OutermostExprAtPos(pos) != nil)
		got := fmt.Sprint(j.ours.Nav.(contextual).ContextString(at), j.ours.AttributeAtPos(pos) != nil, len(j.ours.BlocksAtPos(pos)), j.ours.OutermostExprAtPos(pos) != nil)
		if want != got {
			j.t.Errorf("%s at %d: %s, want %s", name, at, got, want)
		}
	}
	if !bytes.Equal(j.ours.Bytes, f.Bytes()) {
		j.t.Errorf("%s: the text differs", name)
	}
}
