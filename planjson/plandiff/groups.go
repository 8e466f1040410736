// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"cmp"
	"maps"
	"slices"
)

// destroyedTitle is the heading of what is destroyed.
const destroyedTitle = "Destroyed or replaced"

// few is how many changes are listed without the headings of modules and types.
const few = 5

// A Group is the planned changes of the resources of one type in one module.
type Group struct {
	Module string // the address of the module instance, "" for the root module
	Type   string // of the resources

	// Resources lists the changes as [Diff.ByUrgency] does.
	Resources []*Resource
}

// Groups returns the planned changes by module and type, in the order of their names. The
// root module is first.
func (d *Diff) Groups() []Group {
	if d == nil {
		return nil
	}
	return groupsOf(d.Resources)
}

func groupsOf(list []*Resource) []Group {
	type key struct{ module, typ string }
	groups := make(map[key]*Group)
	for _, r := range byUrgency(list) {
		k := key{r.ModuleAddress, r.Type}
		if groups[k] == nil {
			groups[k] = &Group{Module: k.module, Type: k.typ}
		}
		groups[k].Resources = append(groups[k].Resources, r)
	}
	sorted := make([]Group, 0, len(groups))
	for _, g := range slices.SortedFunc(maps.Values(groups), func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Type, b.Type))
	}) {
		sorted = append(sorted, *g)
	}
	return sorted
}

// Verdict returns the status of the plan in a word or two: "failed", "unsupported",
// "incomplete", "partial" if it defers changes, "check failed", "destroys", "changes",
// "refresh only" or "no changes". The first that applies is the verdict.
func (d *Diff) Verdict() string {
	word, _ := d.verdict()
	return word
}

// verdict returns the verdict with its place in the order of all.
func (d *Diff) verdict() (word string, rank int) {
	if d == nil {
		return "", 0
	}
	s := d.Summary()
	for i, v := range [...]struct {
		holds bool
		word  string
	}{
		{d.State.Errored, "failed"},
		{d.State.Unsupported, "unsupported"},
		{d.State.Incomplete, "incomplete"},
		{len(d.plan().Deferred) > 0 || d.defersActions(), "partial"},
		{len(d.State.Checks) > 0, "check failed"},
		{s.Destroy > 0, "destroys"},
		{d.hasChanges(), "changes"},
		{d.State.RefreshOnly, "refresh only"},
	} {
		if v.holds {
			return v.word, i
		}
	}
	return "no changes", 8
}

// classes are the classes of changes in the order of tables, with their words.
var classes = [...]struct{ class, word string }{
	{"delete", "Destroy"}, {"replace", "Replace"}, {"replace-forget", "Replace, keep the old"}, {"forget", "Forget"}, {"update", "Update"}, {"create", "Create"},
	{"move", "Move"}, {"import", "Import"}, {"read", "Read"}, {"other", "Other"},
}

// table counts changes by class: a row for each list.
type table struct {
	columns []int // of classes
	counts  [][len(classes)]int
}

func tableOf(lists [][]*Resource) *table {
	t := &table{counts: make([][len(classes)]int, len(lists))}
	var sum [len(classes)]int
	place := make(map[string]int)
	for i, c := range classes {
		place[c.class] = i
	}
	for i, list := range lists {
		for _, r := range list {
			words := []string{r.Class()}
			if r.Importing && words[0] != "import" {
				words = append(words, "import")
			}
			if r.isMoved() && words[0] != "move" {
				words = append(words, "move")
			}
			for _, word := range words {
				n := place[word]
				t.counts[i][n]++
				sum[n]++
			}
		}
	}
	for i, n := range sum {
		if n > 0 {
			t.columns = append(t.columns, i)
		}
	}
	return t
}
