// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var styleArgumentOrder = &hcllint.Analyzer{
	Name: "style_argument_order",
	Doc: `Arguments should be in the order of the style guides.

In resources and module calls, count or for_each comes first, then the arguments, the blocks,
lifecycle, and depends_on last. In variables the order is type, description, default,
sensitive, nullable, and the validation blocks; in outputs description, value, sensitive.

	resource "aws_vpc" "a" {
	  cidr_block = "10.0.0.0/16"
	  count      = 2              # finding: count comes first
	}

Each block has one finding, at the first part that is out of order. The rule looks at native syntax
only. The fix moves the part.`,
	URL:      page("style_argument_order"),
	Severity: hcllint.Notice,
	Presets:  []string{presetStyle},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range p.Module.Files {
			if f.Syntax() != hclconfig.NativeSyntax {
				continue
			}
			for i := range f.Body().Blocks {
				if b := &f.Body().Blocks[i]; partOrders[b.Type] != nil {
					checkOrder(p, b)
				}
			}
		}
		return nil, nil
	},
}

// The places of the parts whose order the style guides give. Other arguments have the place 10,
// other blocks 20.
var (
	metaOrder  = map[string]int{"count": 1, "for_each": 1, "lifecycle": 30, "depends_on": 31}
	partOrders = map[string]map[string]int{
		"resource": metaOrder, "data": metaOrder, "module": metaOrder, "ephemeral": metaOrder,
		"variable": {"type": 1, "description": 2, "default": 3, "sensitive": 4, "nullable": 5},
		"output":   {"description": 1, "value": 2, "sensitive": 3},
	}
)

// A bodyPart is an argument or a block of a body.
type bodyPart struct {
	hcledit.Part
	name         string
	start, place int
}

// checkOrder reports the first part of a block that should come before one above it.
func checkOrder(p *hcllint.Pass, b *hclconfig.Block) {
	parts := partsInOrder(b)
	for i := 1; i < len(parts); i++ {
		if parts[i].place >= parts[i-1].place {
			continue
		}
		late := parts[i]
		first := slices.IndexFunc(parts, func(q bodyPart) bool { return q.place > late.place })
		d := hcllint.Diagnostic{Range: nameOf(late.Part), Message: fmt.Sprintf("%s should come before %s", late.name, parts[first].name)}
		if before := parts[first]; before.name != late.name && sameKind(before.Part, late.Part) {
			d.Fixes = editing("Move it", func(e *hcllint.Edits) { e.In(b).Move(late.Part, hcledit.Before(before.Part)) })
		}
		p.Report(d)
		return
	}
}

func sameKind(a, b hcledit.Part) bool {
	_, isBlock := a.(*hclconfig.Block)
	_, isOther := b.(*hclconfig.Block)
	return isBlock == isOther
}

// partsInOrder returns the parts of a block in the order of the text.
func partsInOrder(b *hclconfig.Block) []bodyPart {
	order := partOrders[b.Type]
	var parts []bodyPart
	add := func(part hcledit.Part, name string, otherwise int) {
		_, start, _ := part.Place()
		place, ok := order[name]
		if !ok {
			place = otherwise
		}
		parts = append(parts, bodyPart{part, name, start, place})
	}
	for i := range b.Body.Arguments {
		if a := &b.Body.Arguments[i]; b.Type != "module" || a.Name != "source" && a.Name != "version" && a.Name != "providers" {
			add(a, a.Name, 10)
		}
	}
	for i := range b.Body.Blocks {
		add(&b.Body.Blocks[i], b.Body.Blocks[i].Type, 20)
	}
	slices.SortFunc(parts, func(a, b bodyPart) int { return cmp.Compare(a.start, b.start) })
	return parts
}
