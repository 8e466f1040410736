// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// addresses knows which object is at a place of a file.
type addresses map[string]*addressedFile

// An addressedFile has the objects of a file, in the order of the text: the blocks, and the
// arguments within them that are objects of their own.
type addressedFile struct{ blocks, arguments []addressed }

// An addressed part of a file is a block or a local value.
type addressed struct {
	start, end int
	address    string
}

// addressesOf returns those of a module: the address of a declaration, or the type and the
// labels of another block. Arguments of blocks that have no address of their own, such as
// locals and required_providers, are told apart.
func addressesOf(m *hclconfig.Module) addresses {
	out := addresses{}
	declared := map[*hclconfig.Block]string{}
	for d := range m.Declarations() {
		if d.Argument == nil {
			declared[d.Block] = d.Address
		}
	}
	for _, f := range m.Files {
		list := &addressedFile{}
		for i := range f.Body().Blocks {
			b := &f.Body().Blocks[i]
			_, start, end := b.Place()
			address, ok := declared[b]
			if !ok {
				address = strings.Join(append([]string{b.Type}, b.Labels...), ".")
			}
			list.blocks = append(list.blocks, addressed{start, end, address})
			if b.Type == "locals" {
				list.add("local.", &b.Body)
			}
			for n := range b.Body.BlocksOfType("required_providers") {
				list.add("required_providers.", &n.Body)
			}
		}
		for _, l := range [][]addressed{list.blocks, list.arguments} {
			slices.SortStableFunc(l, func(a, b addressed) int { return cmp.Compare(a.start, b.start) })
		}
		out[f.Filename()] = list
	}
	return out
}

func (l *addressedFile) add(prefix string, b *hclconfig.Body) {
	for i := range b.Arguments {
		a := &b.Arguments[i]
		_, start, end := a.Place()
		l.arguments = append(l.arguments, addressed{start, end, prefix + a.Name})
	}
}

// of returns the address of the innermost object at a place, or "".
func (a addresses) of(at addrs.Range) string {
	f := a[at.Filename]
	if f == nil {
		return ""
	}
	for _, list := range [][]addressed{f.arguments, f.blocks} {
		i, found := slices.BinarySearchFunc(list, int(at.Start.Offset), func(x addressed, o int) int { return cmp.Compare(x.start, o) })
		if !found {
			i--
		}
		if i >= 0 && i < len(list) && int(at.Start.Offset) < list[i].end {
			return list[i].address
		}
	}
	return ""
}
