// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"regexp"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// Documentation returns the description of a variable or an output. Without one it is the
// text of the comments above the block, or in JSON that of its property "//".
func Documentation(b Block) string {
	if texts, _ := b.Strings(b.Expression("description")); len(texts) == 1 && strings.TrimSpace(texts[0]) != "" {
		return texts[0]
	}
	if b.Block == nil {
		return ""
	}
	return strings.Join(hcledit.CommentsOf(b.Block).Above, "\n")
}

// Origins returns the objects of the tree that the value of an expression of the module
// depends on, the nearest first: those that it refers to, those that they refer to, and so
// on, through local values, variables, module calls and resources.
func (p *Pass) Origins(x hclconfig.Expression) []*hclnames.Node {
	g := p.Graph()
	prefix := p.Tree.Path()
	if prefix != "" {
		prefix += "."
	}
	var out []*hclnames.Node
	seen := map[*hclnames.Node]bool{}
	add := func(n *hclnames.Node) {
		if n != nil && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, r := range x.References() {
		add(nodeOf(g, prefix, r))
	}
	for i := 0; i < len(out); i++ {
		for _, e := range out[i].Needs {
			add(e.To)
		}
	}
	return out
}

// nodeOf returns the node that a reference names, the most exact one that there is.
func nodeOf(g *hclnames.Graph, prefix string, r hclconfig.Reference) *hclnames.Node {
	steps := strings.FieldsFunc(r.Text, func(c rune) bool { return c == '.' || c == '[' || c == ']' })
	if len(steps) > 2 && steps[0] == "module" {
		// module.net.id, and module.net["a"].id
		for _, output := range steps[2:] {
			if n := g.Node(prefix + "module." + steps[1] + ".output." + output); n != nil {
				return n
			}
		}
	}
	for n := min(3, len(steps)); n >= 2; n-- {
		if node := g.Node(prefix + strings.Join(steps[:n], ".")); node != nil {
			return node
		}
	}
	return nil
}

// Exact returns the version that constraints allow, if it is the only one: "1.2.3" or
// "= 1.2.3".
func Exact(c addrs.Constraints) (addrs.Version, bool) {
	var out addrs.Version
	found := false
	for one := range c.All() {
		if one.Operator() != addrs.OpEqual || found {
			return addrs.Version{}, false
		}
		out, found = one.Version(), true
	}
	return out, found
}

// conventions are the named forms of names.
var conventions = map[string]*regexp.Regexp{
	"snake_case":       regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`),
	"mixed_snake_case": regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)*$`),
	"kebab-case":       regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`),
	"none":             regexp.MustCompile(``),
}

// FollowsConvention reports whether a name has a form: "snake_case", "mixed_snake_case" (with
// upper case letters), "kebab-case" or "none", which is any. Another convention is a regular
// expression, and the error is that of [regexp.Compile].
func FollowsConvention(name, convention string) (bool, error) {
	form := conventions[convention]
	if form == nil {
		var err error
		if form, err = regexp.Compile(convention); err != nil {
			return false, err
		}
	}
	return form.MatchString(name), nil
}
