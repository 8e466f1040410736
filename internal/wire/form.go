// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strconv"
	"strings"
)

// A Form says in whose form [Encoder.Canonical] writes. The zero Form is that of the
// newest OpenTofu.
type Form struct {
	Terraform bool
	Version   int  // of Terraform, 1006 for 1.6; 0 for the newest
	Asked     bool // write what such a release writes, even if the text was read without it
}

// A terraformForm is how Terraform writes the objects of a table.
type terraformForm struct {
	order []uint8
	omit  uint64  // members that are not written if zero
	since []since // from when on members are always written
	until []since // and up to when
}

// A since is the first version that always writes a member, or does so no more.
type since struct {
	bit     uint64
	version int
}

// inTerraform adds to t how Terraform writes such objects. Each rule is one of
//
//	a<b     a comes right before b
//	-a      a is not written if it is zero
//	a@1.6   likewise before this version
//	a!0.15  a is written even if it is zero before this version
//
// It panics if a rule is wrong: a test of the generated code finds that.
func (t *Table) inTerraform(rules []string) {
	f := &terraformForm{order: append([]uint8(nil), t.order...)}
	for _, rule := range rules {
		if name, ok := strings.CutPrefix(rule, "-"); ok {
			f.omit |= 1 << t.number(name)
		} else if i := strings.IndexAny(rule, "@!"); i > 0 {
			s := since{1 << t.number(rule[:i]), parseVersion(rule[i+1:])}
			if rule[i] == '!' {
				f.until = append(f.until, s)
			} else {
				f.since = append(f.since, s)
			}
		} else if name, next, ok := strings.Cut(rule, "<"); ok {
			k, n := uint8(t.number(name)), uint8(t.number(next))
			order := make([]uint8, 0, len(f.order))
			for _, other := range f.order {
				if other == n {
					order = append(order, k)
				}
				if other != k {
					order = append(order, other)
				}
			}
			f.order = order
		} else {
			panic("wire: " + rule)
		}
	}
	t.terraform = f
}

// parseVersion returns a version such as 1.6 as [Form] has it.
func parseVersion(text string) int {
	major, minor, ok := strings.Cut(text, ".")
	a, err := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if !ok || err != nil || err2 != nil {
		panic("wire: no version " + text)
	}
	return 1000*a + b
}

// number returns the number of a member that must be there.
func (t *Table) number(name string) int {
	k, ok := t.index[name]
	if !ok {
		panic("wire: no member " + name)
	}
	return k
}

// layout returns the order in which the members of an object are written, and
// which of them are written even if zero. In canonical form those are not
// added that the tool left out.
func (e *Encoder) layout(src *Source, t *Table) (order []uint8, always uint64) {
	order, always = t.order, t.always
	if !e.canonical {
		return order, always
	}
	if f := t.terraform; f != nil && e.form.Terraform {
		order = f.order
		always &^= f.omit
		for _, s := range f.since {
			if e.form.Version != 0 && e.form.Version < s.version {
				always &^= s.bit
			}
		}
		for _, s := range f.until {
			if e.form.Version != 0 && e.form.Version < s.version {
				always |= s.bit
			}
		}
	}
	if !e.form.Asked && src.doc != nil && src.seen&seenMade == 0 {
		always &= src.seen
	}
	return order, always
}

// TerraformOrder reports in whose order the text of an object with this source
// has its members: false for t's own, true for that of Terraform. It
// reports false for ok if the text is in neither order, or does not tell them
// apart.
func (s *Source) TerraformOrder(t *Table) (terraform, ok bool) {
	if s.doc == nil || t.ready().terraform == nil {
		return false, false
	}
	own := ordered(s, t, t.order)
	other := ordered(s, t, t.terraform.order)
	return other, own != other
}

// ordered reports whether the members of an object that t knows come in this
// order.
func ordered(s *Source, t *Table, order []uint8) bool {
	rank := make([]int, len(order))
	for r, k := range order {
		rank[k] = r
	}
	x := cursor{doc: s.doc, text: s.doc.text, i: int(s.start)}
	var err error
	defer x.catch(&err) // of a text that was changed in place
	last := -1
	ok := true
	x.eachMember(func(tok []byte) bool {
		if k := t.lookup(unquote(tok)); k >= 0 {
			ok = ok && last < rank[k]
			last = rank[k]
		}
		x.skip()
		return ok
	})
	return ok
}
