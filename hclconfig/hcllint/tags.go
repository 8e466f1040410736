// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// HasTag reports whether a resource has a tag, and whether that is certain, as
// [Values.HasKey] does. It looks in the arguments tags and labels, in nested blocks of type
// tag with a key, and in default_tags and default_labels of the resource's provider
// configuration, which may be inherited from a calling module. A module without a caller is
// treated as the root. [Edits.SetTag] sets a tag.
func (b Block) HasTag(key string) (has, complete bool) {
	x := b.Expression("tags")
	if !x.IsSet() {
		x = b.Expression("labels")
	}
	if has, complete = b.HasKey(x, key); has {
		return has, complete
	}
	blocks, all := b.Nested("tag")
	complete = complete && all
	for _, n := range blocks {
		keys, known := n.Strings(n.Expression("key"))
		if slices.Contains(keys, key) && known {
			return true, true
		}
		complete = complete && known
	}
	if b.pass == nil {
		return false, complete
	}
	r := b.pass.shared.resources()[b.Block]
	if r == nil {
		return has, complete
	}
	p, known := providerFor(b.pass, b.pass.Tree, r.ProviderName(), r.Provider.Alias)
	if p.Block == nil {
		return false, complete && known
	}
	tags := p.Expression("default_labels")
	if nested, all := p.Nested("default_tags"); len(nested) > 0 {
		p.Values = nested[0].Values
		tags = nested[0].Expression("tags")
		complete = complete && all
	}
	has, certain := p.HasKey(tags, key)
	return has, has || complete && certain
}

// providerFor returns the block of a configuration of a provider that a module uses, and
// reports whether it is known which one it is.
func providerFor(p *Pass, t *hclnames.Tree, name, alias string) (Block, bool) {
	for _, c := range t.Module.Providers {
		if c.Name == name && c.Alias.Value == alias {
			return Block{Block: c.Block, Values: Values{evaluator: p.evaluator, tree: t}, overrides: c.OverriddenBy}, true
		}
	}
	if t.Parent == nil {
		return Block{}, alias == "" // without a block the configuration is empty
	}
	for _, m := range t.Call.ProviderMappings() {
		if m.Inner.Name == name && m.Inner.Alias == alias {
			return providerFor(p, t.Parent, m.Outer.Name, m.Outer.Alias)
		}
	}
	if alias != "" {
		return Block{}, false
	}
	return providerFor(p, t.Parent, name, "")
}

// SetTag sets a tag of a resource, in the form that its tags have: an item of the object in
// tags or labels, or in the last argument of merge there, in both results of a conditional; a
// call of merge around any other expression, such as a local value; or a nested block of type
// tag. A resource without tags gets the argument tags, and one of type aws_autoscaling_group a
// block. The value is anything that [hcledit.ValueOf] takes.
//
// Several tags of a block can be set one after the other. The edit fails if the value of tags
// cannot be a map.
func (e *Edits) SetTag(b Block, key string, value any) {
	v, err := hcledit.ValueOf(value)
	if err != nil {
		e.In(b).Set(b.Block, "tags", value) // which fails, and says why
		return
	}
	tag := hcledit.Entry{Key: key, Value: v}
	in, name := b.withTags()
	if in == nil && b.hasTagBlocks() {
		e.setTagBlock(b, tag)
		return
	}
	var edit *hcledit.Editor
	if in == nil {
		in, name, edit = b.Block, "tags", e.In(b)
	} else {
		edit = e.In(in.Argument(name))
	}
	body := &in.Body
	if e.tagged[in] {
		// The form of the value may be another one since the last tag was set.
		if body = edit.Body(in); body == nil {
			return
		}
	}
	if e.tagged == nil {
		e.tagged = map[*hclconfig.Block]bool{}
	}
	e.tagged[in] = true
	if a := body.Argument(name); a != nil {
		setTagIn(edit, a.Expression, tag)
	} else {
		edit.Set(in, name, hcledit.Object(tag))
	}
}

// withTags returns the block that has the argument with the tags, which may be one of an
// override file, and the name of the argument.
func (b Block) withTags() (in *hclconfig.Block, name string) {
	for _, name := range []string{"tags", "labels"} {
		for _, o := range slices.Backward(b.overrides) {
			if o.Argument(name) != nil {
				return o, name
			}
		}
		if b.Block != nil && b.Block.Argument(name) != nil {
			return b.Block, name
		}
	}
	return nil, ""
}

// hasTagBlocks reports whether the tags of a resource are nested blocks.
func (b Block) hasTagBlocks() bool {
	if blocks, _ := b.Nested("tag"); len(blocks) > 0 {
		return true
	}
	return b.Block != nil && b.Type == "resource" && len(b.Labels) > 0 && b.Labels[0] == "aws_autoscaling_group"
}

// setTagBlock sets a tag of a resource whose tags are nested blocks.
func (e *Edits) setTagBlock(b Block, tag hcledit.Entry) {
	for _, n := range b.Body.Nested("tag", 0) {
		if a := n.Argument("key"); n.Type == "tag" && a != nil {
			if text, err := a.Text(); err == nil && text == tag.Key {
				e.In(n).Set(n, "value", tag.Value)
				return
			}
		}
	}
	block := hcledit.NewBlock("tag").Set("key", tag.Key).Set("value", tag.Value).Set("propagate_at_launch", true)
	e.In(b).Add(b.Block, block)
}

// setTagIn sets a tag in an expression.
func setTagIn(e *hcledit.Editor, x hclconfig.Expression, tag hcledit.Entry) {
	parts := x.Parts()
	switch x.Form() {
	case hclconfig.FormObject:
		if len(parts) == 0 && !strings.ContainsAny(x.Raw(), "#/") {
			e.Replace(x, hcledit.Object(tag))
		} else {
			e.Insert(x, tag)
		}
		return
	case hclconfig.FormParentheses:
		setTagIn(e, parts[0], tag)
		return
	case hclconfig.FormConditional:
		setTagIn(e, parts[1], tag)
		setTagIn(e, parts[2], tag)
		return
	case hclconfig.FormLiteral:
		if x.IsNull() {
			e.Replace(x, hcledit.Object(tag))
			return
		}
		e.Insert(x, tag) // which fails
		return
	case hclconfig.FormList, hclconfig.FormTemplate, hclconfig.FormOperation:
		e.Insert(x, tag) // which fails
		return
	case hclconfig.FormCall:
		n := len(parts)
		switch {
		case x.Name() != "merge" || n == 0 || endsInDots(x):
		case parts[n-1].Form() == hclconfig.FormObject:
			setTagIn(e, parts[n-1], tag)
			return
		default:
			e.Insert(x, hcledit.Object(tag))
			return
		}
	}
	e.Replace(x, hcledit.Function("merge", x, hcledit.Object(tag)))
}

// endsInDots reports whether the last argument of a call is expanded.
func endsInDots(x hclconfig.Expression) bool {
	parts := x.Parts()
	f, _, end := x.Place()
	_, _, from := parts[len(parts)-1].Place()
	return strings.Contains(string(f.Bytes()[from:end]), "...")
}
