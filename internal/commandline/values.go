// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package commandline

import (
	"fmt"
	"slices"
	"strings"
)

// Choice defines an option that has one of the values.
func (s *Set) Choice(p *string, name, value, usage string, values ...string) {
	s.StringVar(p, name, value, usage)
	f := s.Lookup(name)
	f.Value = &choice{p, values}
	s.Offer(name, func() []string { return values })
}

type choice struct {
	p      *string
	values []string
}

func (c *choice) String() string {
	if c.p == nil {
		return ""
	}
	return *c.p
}

func (c *choice) Set(value string) error {
	if !slices.Contains(c.values, value) {
		return Unknown("value", value, c.values)
	}
	*c.p = value
	return nil
}

// Strings defines an option that may be repeated.
func (s *Set) Strings(p *[]string, name, usage string) {
	s.Func(name, usage+"; may be repeated", func(value string) error { *p = append(*p, value); return nil })
}

// List defines an option with values that are separated by commas, which may be repeated. The kind
// is what an error calls a value.
func (s *Set) List(p *[]string, name, usage, kind string, values func() []string) {
	s.Func(name, usage, func(list string) error {
		for value := range strings.SplitSeq(list, ",") {
			value = strings.TrimSpace(value)
			if allowed := values(); !slices.Contains(allowed, value) {
				return Unknown(kind, value, allowed)
			}
			*p = append(*p, value)
		}
		return nil
	})
	s.OfferList(name, values)
}

// Offer says which values completion offers for an option.
func (s *Set) Offer(name string, values func() []string) { s.values[name] = values }

// OfferList is Offer for values that are separated by commas.
func (s *Set) OfferList(name string, values func() []string) {
	s.lists[name] = true
	s.Offer(name, values)
}

// Offered returns what completion offers for an option, and whether they can be joined by commas.
func (s *Set) Offered(name string) (values []string, isList bool) {
	if f := s.values[name]; f != nil {
		values = f()
	}
	return values, s.lists[name]
}

// Unknown returns the error for a value that is none of those that are allowed. It lists them, if
// they are few.
func Unknown(kind, value string, allowed []string) error {
	text := fmt.Sprintf("unknown %s %q;%s", kind, value, DidYouMean(value, allowed))
	if few := 16; len(allowed) > few {
		return fmt.Errorf("%s -h lists them", text)
	}
	return fmt.Errorf("%s %s", text, Or(allowed))
}

// DidYouMean returns the part of an error that names the nearest of some words, or "".
func DidYouMean(typed string, names []string) string {
	if near := Nearest(typed, names); near != "" {
		return fmt.Sprintf(" did you mean %q?", near)
	}
	return ""
}

// Or returns words as in "a, b or c".
func Or(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// Nearest returns the name with the fewest changes of a character: inserted, removed, replaced, or
// two neighbors swapped. There are at most two, and less than half of the longer name. Among
// equals, it is the first by name; if there is none, "".
func Nearest(typed string, names []string) string {
	best, least := "", 3
	for _, name := range slices.Sorted(slices.Values(names)) {
		longer := max(len([]rune(typed)), len([]rune(name)))
		if d := distance([]rune(typed), []rune(name)); d > 0 && d < least && 2*d < longer {
			best, least = name, d
		}
	}
	return best
}

// distance returns the number of changes that turn a into b.
func distance(a, b []rune) int {
	if d := len(a) - len(b); d > 2 || d < -2 || len(a) > 100 {
		return 3
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
