// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package tag

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A tagger adds tags to resources.
type tagger struct {
	tags     []hcledit.Entry
	schemas  *hclconfig.Schemas // may be nil
	module   *hclconfig.Module
	dir      string
	stderr   io.Writer
	reported int
}

// names are the arguments that hold tags.
var names = []string{"tags", "labels"}

// holds reports whether a schema has an argument that can hold tags: a map of texts, not an object
// with its own members.
func holds(schema *hclconfig.BlockSchema, name string) bool {
	if schema == nil {
		return false
	}
	a, ok := schema.Attributes[name]
	return ok && a.Nested == nil && (a.Optional || a.Required) && (a.Type.Equals(cty.Map(cty.String)) || a.Type.Equals(cty.Map(cty.DynamicPseudoType)))
}

// resource tags one resource.
func (t *tagger) resource(e *hcledit.Editor, b *hclconfig.Block) {
	if len(b.Labels) == 0 {
		return
	}
	schema := t.schemas.Of(t.module, b)
	none := b.Argument("tags") == nil && b.Argument("labels") == nil
	switch {
	case schema != nil && !holds(schema, "tags") && !holds(schema, "labels"):
		t.note(b, "its type cannot have tags or labels")
	case t.schemas != nil && schema == nil && none:
		t.note(b, "the schemas do not contain its type")
	case t.schemas == nil && none:
		t.note(b, "it has neither tags nor labels; use -schemas to find out whether it can have them")
	}
	for _, name := range names {
		a := b.Argument(name)
		switch {
		case a != nil && schema != nil && !holds(schema, name):
			// The schema says that it is no map.
		case a != nil:
			if reason := t.argument(e, a.Expression, holds(schema, name)); reason != "" {
				p := a.Expression.Range().Start
				fmt.Fprintf(t.stderr, "%s:%d,%d: %s of %s.%s cannot be changed safely: %s\n", filepath.Join(t.dir, a.File().Filename()), p.Line, p.Column,
					name, b.Labels[0], b.Labels[len(b.Labels)-1], reason)
				t.reported++
			}
		case holds(schema, name) && !(name == "labels" && holds(schema, "tags")):
			e.Set(b, name, hcledit.Object(t.tags...))
		}
	}
}

// note names a resource that gets no tags.
func (t *tagger) note(b *hclconfig.Block, why string) {
	p := b.DefRange().Start
	fmt.Fprintf(t.stderr, "%s:%d,%d: %s is not tagged: %s\n", filepath.Join(t.dir, b.File().Filename()), p.Line, p.Column, strings.Join(b.Labels, "."), why)
}

// argument changes the value of an argument. It returns the reason if it
// cannot.
func (t *tagger) argument(e *hcledit.Editor, x hclconfig.Expression, isMap bool) string {
	if reason := t.safe(x, isMap); reason != "" {
		return reason
	}
	if !t.missing(x) {
		return ""
	}
	t.inside(e, x)
	return ""
}

// safe returns the reason why an expression cannot be tagged, or "".
func (t *tagger) safe(x hclconfig.Expression, isMap bool) string {
	parts := x.Parts()
	switch x.Form() {
	case hclconfig.FormObject:
		members, _ := x.Members()
		for _, m := range members {
			if m.Computed {
				return "a key is not constant"
			}
		}
		return ""
	case hclconfig.FormParentheses:
		return t.safe(parts[0], isMap)
	case hclconfig.FormConditional:
		if reason := t.safe(parts[1], isMap); reason != "" {
			return reason
		}
		return t.safe(parts[2], isMap)
	case hclconfig.FormCall:
		switch x.Name() {
		case "merge":
			if len(parts) > 0 && endsInDots(x) {
				return "the arguments of merge are a list"
			}
			if n := len(parts); n > 0 && parts[n-1].Form() == hclconfig.FormObject {
				return t.safe(parts[n-1], isMap)
			}
			return ""
		case "tomap":
			return ""
		}
	case hclconfig.FormLiteral:
		if isMap && x.IsNull() {
			return ""
		}
		return "it is not a map"
	case hclconfig.FormList, hclconfig.FormTemplate, hclconfig.FormOperation:
		return "it is not a map"
	case hclconfig.FormFor:
		if raw := x.Source(); raw != "" && raw[0] == '{' {
			return "its keys are not constant"
		}
		return "it is not a map"
	}
	if isMap || t.isMap(x, 0) {
		return ""
	}
	return "it may not be a map"
}

// isMap reports whether the module says that a reference is to a map.
func (t *tagger) isMap(x hclconfig.Expression, depth int) bool {
	if x.Form() != hclconfig.FormReference || depth > 10 {
		return false
	}
	for _, v := range t.module.Variables {
		if "var."+v.Name == x.Name() {
			typ, _, err := v.Type.TypeConstraint()
			return err == nil && (typ.IsMapType() || typ.IsObjectType())
		}
	}
	for _, l := range t.module.Locals {
		if "local."+l.Name != x.Name() {
			continue
		}
		switch l.Argument.Form() {
		case hclconfig.FormObject:
			return true
		case hclconfig.FormCall:
			return l.Argument.Expression.Name() == "merge" || l.Argument.Expression.Name() == "tomap"
		case hclconfig.FormReference:
			return t.isMap(l.Argument.Expression, depth+1)
		}
	}
	return false
}

// endsInDots reports whether the last argument of a call is expanded.
func endsInDots(x hclconfig.Expression) bool {
	parts := x.Parts()
	rest := x.File().Bytes()[parts[len(parts)-1].Range().End.Offset:x.Range().End.Offset]
	return strings.Contains(string(rest), "...")
}

// missing reports whether a tag is missing in x, or has another value.
func (t *tagger) missing(x hclconfig.Expression) bool {
	parts := x.Parts()
	switch x.Form() {
	case hclconfig.FormObject:
		members, _ := x.Members()
		has := map[string]string{}
		for _, m := range members {
			if s, err := m.Value.Text(); err == nil {
				has[m.Name] = s
			} else {
				delete(has, m.Name)
			}
		}
		for _, tag := range t.tags {
			want, err := text(tag.Value)
			if s, ok := has[tag.Key]; err != nil || !ok || s != want {
				return true
			}
		}
		return false
	case hclconfig.FormParentheses:
		return t.missing(parts[0])
	case hclconfig.FormConditional:
		return t.missing(parts[1]) || t.missing(parts[2])
	case hclconfig.FormCall:
		if n := len(parts); x.Name() == "merge" && n > 0 && parts[n-1].Form() == hclconfig.FormObject {
			return t.missing(parts[n-1])
		}
	}
	return true
}

// text returns the text of a value that is one.
func text(v hcledit.Value) (string, error) {
	f, err := hcledit.Build("x.tf", []*hcledit.BlockBuilder{hcledit.NewBlock("locals").Set("x", v)})
	if err != nil {
		return "", err
	}
	return f.Config().Locals[0].Argument.Text()
}

// inside adds the tags to an expression.
func (t *tagger) inside(e *hcledit.Editor, x hclconfig.Expression) {
	parts := x.Parts()
	switch x.Form() {
	case hclconfig.FormObject:
		if len(parts) == 0 && !strings.ContainsAny(x.Raw(), "#/") {
			e.Replace(x, hcledit.Object(t.tags...))
			return
		}
		if t.missing(x) {
			for _, tag := range t.tags {
				e.Insert(x, tag)
			}
		}
		return
	case hclconfig.FormParentheses:
		t.inside(e, parts[0])
		return
	case hclconfig.FormConditional:
		t.inside(e, parts[1])
		t.inside(e, parts[2])
		return
	case hclconfig.FormCall:
		if n := len(parts); x.Name() == "merge" && n > 0 {
			if parts[n-1].Form() == hclconfig.FormObject {
				t.inside(e, parts[n-1])
			} else {
				e.Insert(x, hcledit.Object(t.tags...))
			}
			return
		}
	}
	e.Replace(x, t.tagged(x))
}

// tagged returns x with the tags, as a new expression.
func (t *tagger) tagged(x hclconfig.Expression) hcledit.Value {
	if x.Form() == hclconfig.FormLiteral && x.IsNull() {
		return hcledit.Object(t.tags...)
	}
	return hcledit.Function("merge", x, hcledit.Object(t.tags...))
}
