// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A verifier compares a file with its conversion. It knows nothing of how the
// conversion is done: it looks at the two files, as any reader would.
type verifier struct {
	c            *converter
	native, json *source
	diags        hclconfig.Diagnostics
	failed       []textspan.Span // in the file that was converted
}

// fail reports that the part at s has changed.
func (v *verifier) fail(s textspan.Span, why string) {
	v.failed = append(v.failed, s)
	v.diags = append(v.diags, v.c.f.errorAt(s, "Conversion is not exact", "Read again, the converted file is not the same: %s.", why))
}

// at returns the place of one of two things: the one in the converted file.
func (v *verifier) at(native, json textspan.Span) textspan.Span {
	if v.c.f == v.native {
		return native
	}
	return json
}

// body compares two bodies.
func (v *verifier) body(n, j *body) {
	var escape *body
	if found := j.block("_"); found != nil {
		escape = found.body()
	}
	for i := range n.Arguments {
		a := &n.Arguments[i]
		b := j.argument(a.Name)
		if b == nil && escape != nil {
			b = escape.argument(a.Name)
		}
		if b == nil {
			v.fail(v.at(a.at, textspan.Span{}), "the argument "+a.Name+" is missing")
			continue
		}
		v.argument(a, b)
	}
	blocks := v.blocks(n, j)
	if n.spec.Name == "_" {
		return // it may hold text that JSON can have only there
	}
	for i := range j.Arguments {
		if b := &j.Arguments[i]; n.argument(b.Name) == nil && !blocks[b.Name] {
			if !b.Undecided || b.file.src[b.at.Start] != '[' && b.file.src[b.at.Start] != 'n' {
				v.fail(v.at(textspan.Span{}, b.at), "the argument "+b.Name+" was not there")
			}
		}
	}
}

// blocks compares the blocks of two bodies, and returns which types there are
// in the native one.
func (v *verifier) blocks(n, j *body) map[string]bool {
	if len(n.Blocks) == 0 && len(j.Blocks) == 0 {
		return nil
	}
	types := map[string]bool{}
	index := map[string][]*block{}
	for i := range j.Blocks {
		b := &j.Blocks[i]
		key := blockKey(b)
		index[key] = append(index[key], b)
	}
	read := map[string]bool{}
	for i := range n.Blocks {
		b := &n.Blocks[i]
		types[b.Type] = true
		key := blockKey(b)
		if !read[b.Type] && len(index[key]) == 0 {
			read[b.Type] = true
			found := j.undecided(b.Type, len(b.Labels))
			for k := range found {
				m := &found[k]
				index[blockKey(m)] = append(index[blockKey(m)], m)
			}
		}
		list := index[key]
		if len(list) == 0 {
			if v.elsewhere(n, j, b) {
				continue
			}
			v.fail(v.at(b.typeAt, j.at), "the block "+b.Type+" is missing")
			continue
		}
		index[key] = list[1:]
		v.body(b.body(), list[0].body())
	}
	for _, list := range index {
		for _, b := range list {
			if b.Type == "_" || n.spec.Name == "_" || b.spec == hcllang.Dynamic && v.c.opts.Schema != nil {
				continue
			}
			v.fail(v.at(n.at, b.typeAt), "there is a block "+b.Type+" more")
		}
	}
	v.order(n, j)
	return types
}

// elsewhere reports whether a block is there in another form: under the name
// "_", or as a dynamic block.
func (v *verifier) elsewhere(n, j *body, b *block) bool {
	if escape := j.block("_"); escape != nil && n.spec.Lookup(b.Type).Arg != nil {
		content := escape.body()
		return content.block(b.Type) != nil || len(content.undecided(b.Type, len(b.Labels))) > 0
	}
	for _, d := range j.Blocks {
		if d.Type == "dynamic" && len(d.Labels) == 1 && d.Labels[0] == b.Type {
			return true
		}
	}
	return false
}

func blockKey(b *block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "\x00" + strings.Join(b.Labels, "\x00")
}

// order compares the order of blocks where it matters.
func (v *verifier) order(n, j *body) {
	sequence := func(body *body, typ string) (out []string) {
		for i := range body.Blocks {
			if b := &body.Blocks[i]; b.Type == typ {
				out = append(out, blockKey(b))
			}
		}
		return out
	}
	for _, typ := range []string{"provisioner", "run", "dynamic"} {
		if a := sequence(n, typ); len(a) > 1 {
			b := sequence(j, typ)
			if len(a) == len(b) && !slices.Equal(a, b) {
				v.fail(v.at(n.at, j.at), "blocks of type "+typ+" are in another order")
			}
		}
	}
}

// argument compares two arguments.
func (v *verifier) argument(n, j *argument) {
	if !v.same(n, j) {
		v.fail(v.at(n.at, j.at), "the argument "+n.Name+" differs")
	}
}

func (v *verifier) same(n, j *argument) bool {
	x := n.native
	switch kind := j.kind; {
	case kind == hcllang.KindIgnored:
		return true
	case kind.Templates():
		return sameValue(v.native.src, x, j.expression)
	case kind == hcllang.KindLiteral, kind == hcllang.KindStatic:
		return sameLiteral(n.native, n.lit, j.public.Expression)
	case kind == hcllang.KindProviderRequirement:
		return sameRequirement(n, j)
	case kind == hcllang.KindProviderMap:
		a, ok := n.public.Members()
		b, also := j.public.Members()
		if !ok || !also || len(a) != len(b) {
			return false
		}
		for i := range a {
			tree, _ := a[i].Key.HCL()
			key, isText := keyText(tree)
			if !isText {
				key = a[i].Key.Raw()
			}
			if key != b[i].Name || !sameBare(v.native.expression(a[i].Value), v.json.expression(b[i].Value)) {
				return false
			}
		}
		return true
	}
	return sameBareList(n.expression, j.expression)
}

// constantOf evaluates a constant expression of a native file, within the bounds of [hclconfig.Expression.Constant].
func constantOf(x hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	at := x.Range()
	ctx, meter := hclbound.Constant(at.End.Byte - at.Start.Byte)
	v, diags := hclbound.Bounded(x).Value(ctx)
	if meter.Denied {
		diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Expression not evaluated", Detail: "Evaluating this expression would take more work than a constant should.", Subject: &at})
	}
	return v, diags
}

// sameLiteral compares constants.
func sameLiteral(n hclsyntax.Expression, lit hcllang.Literal, j hclconfig.Expression) bool {
	a, diags := constantOf(n)
	if diags.HasErrors() {
		return true // refused as it is, and reported
	}
	b, more := j.Value(nil)
	if more.HasErrors() {
		return false
	}
	if lit == hcllang.BoolLiteral {
		if c, err := convert.Convert(a, cty.Bool); err == nil {
			a = c
		}
		if c, err := convert.Convert(b, cty.Bool); err == nil {
			b = c
		}
	}
	return sameConstant(a, b)
}

// sameRequirement compares entries of required_providers.
func sameRequirement(n, j *argument) bool {
	a, ok := n.public.Members()
	b, also := j.public.Members()
	if !ok || !also {
		return ok == also && sameLiteral(n.native, hcllang.AnyLiteral, j.public.Expression)
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		switch {
		case a[i].Name != b[i].Name:
			return false
		case a[i].Name == "configuration_aliases":
			x, y := n.file.expression(a[i].Value), j.file.expression(b[i].Value)
			x.kind, y.kind = hcllang.KindReferenceList, hcllang.KindReferenceList
			if !sameBareList(x, y) {
				return false
			}
		default:
			if x, _ := a[i].Value.HCL(); !sameLiteral(x, hcllang.AnyLiteral, b[i].Value) {
				return false
			}
		}
	}
	return true
}

// sameBareList compares references and the like, or lists of them.
func sameBareList(n, j expression) bool {
	a, ok := n.elements()
	b, also := j.elements()
	if !ok || !also {
		return ok == also && sameBare(n, j)
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameBare(a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameBare compares a native expression with the source in a JSON string.
func sameBare(n, j expression) bool {
	if !j.isJSON('"') {
		return false
	}
	text := j.file.jsonText(j.at)
	if text == string(n.file.src[n.at.Start:n.at.End]) {
		return true
	}
	if t, ok := n.native.(*hclsyntax.TemplateExpr); ok {
		if own, ok := literalText(t); ok && own == text {
			return true
		}
	}
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		return false
	}
	x, diags := hcllex.ParseExpression([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors() && sameExpr(n.native, x)
}
