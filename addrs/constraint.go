// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// An Operator says how a version relates to the version of a [Constraint].
// Its values include [OpEqual], [OpNotEqual] and [OpGreater].
type Operator string

// The operators of constraints.
const (
	OpEqual          Operator = "="
	OpNotEqual       Operator = "!="
	OpGreater        Operator = ">"
	OpGreaterOrEqual Operator = ">="
	OpLess           Operator = "<"
	OpLessOrEqual    Operator = "<="
	OpPessimistic    Operator = "~>" // the last given number may grow
)

// A Constraint is one condition on versions, such as ">= 1.2.0" or "~> 1.2",
// in normal form. The zero Constraint is not valid, and allows no version.
type Constraint struct {
	s string // as printed
}

// Constraints are conditions on versions that must all hold. Their form is that
// of OpenTofu's lock files: sorted, without duplicates, with missing numbers
// filled in. Two Constraints are == if and only if this text is the same.
// Different texts may allow the same versions.
//
// The zero Constraints have no condition and allow every release.
type Constraints struct {
	s string // as printed
}

const (
	kindConstraint  = "version constraint"
	kindConstraints = "version constraints"
)

// ParseConstraints parses conditions that are separated by commas, with the
// grammar and the meaning that OpenTofu gives to them for providers (the
// Ruby style of apparentlymart/go-versions). This is how lock files are read;
// the configuration language is stricter, see [ParseConfigConstraints].
//
//	constraints = [ constraint { "," constraint } [ "," ] ]
//	constraint  = [ operator [ " " ] ] version
//	operator    = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~>"
//
// White space around a constraint is ignored. The text may be empty. An operator
// without a version is an error; before a comma, OpenTofu reads ">= ," as ">= 0.0.0".
func ParseConstraints(s string) (Constraints, error) {
	list, f := scanConstraints(s)
	if f != nil {
		return Constraints{}, f.as(kindConstraints, s)
	}
	return normalConstraints(list), nil
}

// MustParseConstraints is like [ParseConstraints] but panics on errors.
func MustParseConstraints(s string) Constraints { return must(ParseConstraints(s)) }

// JoinConstraints returns the conditions of all lists together, as OpenTofu
// joins the constraints that all modules place on one provider.
func JoinConstraints(lists ...Constraints) Constraints {
	var all []Constraint
	for _, c := range lists {
		all = slices.AppendSeq(all, c.All())
	}
	return normalConstraints(all)
}

// scanConstraints reads a list of constraints.
func scanConstraints(s string) ([]Constraint, *fault) {
	var list []Constraint
	for i := skipSpace(s, 0); i < len(s); {
		c, end, f := scanConstraint(s, i)
		if f != nil {
			return nil, f
		}
		list = append(list, c)
		i = skipSpace(s, end)
		if i == len(s) {
			break
		}
		if s[i] != ',' {
			return nil, faultf(i, "found %q where a comma or the end is expected", s[i:i+1])
		}
		i = skipSpace(s, i+1)
	}
	return list, nil
}

// scanConstraint reads one constraint from s[at:] and returns where it ends.
func scanConstraint(s string, at int) (Constraint, int, *fault) {
	i := at
	for i < len(s) && strings.IndexByte("=!<>~^|", s[i]) >= 0 {
		i++
	}
	op := Operator(s[at:i])
	switch op {
	case "":
		op = OpEqual
	case "=", "!=", ">", ">=", "<", "<=", "~>":
		if i < len(s) && s[i] == ' ' {
			i++
		}
	case "=>":
		return Constraint{}, at, faultf(at, "the operator is written >=")
	case "=<":
		return Constraint{}, at, faultf(at, "the operator is written <=")
	case "==":
		return Constraint{}, at, faultf(at, "the operator is written =")
	default:
		return Constraint{}, at, faultf(at, "%s is not an operator", quoteShort(string(op)))
	}
	switch {
	case i < len(s) && s[i] == ' ':
		return Constraint{}, at, faultf(i, "only one space can follow the operator")
	case i < len(s) && (s[i] == 'v' || s[i] == 'V'):
		return Constraint{}, at, faultf(i, `a version has no "v" before it`)
	}
	v, f := scanVersion(s, i)
	if f != nil {
		return Constraint{}, at, f
	}
	count := 3
	if op == OpPessimistic {
		count = max(v.count, 2)
	}
	text := v.text(s[i:v.end], count)
	if op != OpEqual {
		if s[at:i] == string(op)+" " && text == s[i:v.end] {
			text = s[at:v.end]
		} else {
			text = string(op) + " " + text
		}
	}
	return Constraint{text}, v.end, nil
}

// skipSpace returns where the white space at s[i:] ends.
func skipSpace(s string, i int) int {
	return len(s) - len(strings.TrimLeftFunc(s[i:], unicode.IsSpace))
}

// normalConstraints sorts list in place and returns its normal text.
func normalConstraints(list []Constraint) Constraints {
	slices.SortFunc(list, Constraint.Compare)
	list = slices.Compact(list)
	switch len(list) {
	case 0:
		return Constraints{}
	case 1:
		return Constraints(list[0])
	}
	var b strings.Builder
	for i, c := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.s)
	}
	return Constraints{b.String()}
}

// split returns the operator of c and its version as it is printed.
func (c Constraint) split() (Operator, string) {
	if op, version, ok := strings.Cut(c.s, " "); ok {
		return Operator(op), version
	}
	if c.s == "" {
		return "", ""
	}
	return OpEqual, c.s
}

// Operator returns the operator of c, or "" if c is not valid.
func (c Constraint) Operator() Operator {
	op, _ := c.split()
	return op
}

// Version returns the version of c, with missing numbers filled in.
func (c Constraint) Version() Version {
	_, text := c.split()
	v, _ := parseVersion(text) // of a zero Constraint: the zero Version
	return v
}

// upper returns the core of the exclusive upper bound of a pessimistic
// constraint: the next minor version if three numbers are given, otherwise the
// next major version.
func (c Constraint) upper() string {
	_, text := c.split()
	core, _, _ := Version{text}.split()
	major, rest, _ := strings.Cut(core, ".")
	minor, _, three := strings.Cut(rest, ".")
	if three {
		return major + "." + increment(minor) + ".0"
	}
	return increment(major) + ".0.0"
}

// increment adds 1 to a number of any size.
func increment(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}

// Allows reports whether v satisfies c, by the rules of [Constraints.Allows].
func (c Constraint) Allows(v Version) bool { return c.s != "" && Constraints(c).Allows(v) }

// holds reports whether v is in the range of c. Prereleases are treated as
// ordinary versions.
func (c Constraint) holds(v Version) bool {
	op, _ := c.split()
	bound := c.Version()
	switch op {
	case OpEqual:
		return v == bound
	case OpNotEqual:
		return v != bound
	}
	order := v.compareTofu(bound)
	switch op {
	case OpGreater:
		return order > 0
	case OpGreaterOrEqual:
		return order >= 0
	case OpLess:
		return order < 0
	case OpLessOrEqual:
		return order <= 0
	default: // OpPessimistic
		return order >= 0 && v.compareTofu(Version{c.upper()}) < 0
	}
}

// String returns the normal text of c: the operator, a space and the version;
// for OpEqual only the version.
func (c Constraint) String() string { return c.s }

// Compare returns -1, 0 or +1 in the order of lock files: by version, then by
// metadata, then by operator in the order > >= = ~> <= < !=, where ~> with
// three numbers comes before ~> with two.
func (c Constraint) Compare(other Constraint) int {
	if c.s == other.s {
		return 0
	}
	v, w := c.Version(), other.Version()
	return cmp.Or(
		v.compareTofu(w),
		compareMetadata(v.Metadata(), w.Metadata()),
		cmp.Compare(c.rank(), other.rank()),
		strings.Compare(c.s, other.s),
	)
}

// compareMetadata compares build metadata; none comes first.
func compareMetadata(a, b string) int {
	if a == b {
		return 0
	}
	return compareExtrasTofu(a, b)
}

// rank returns the place of the operator of c in the order of lock files.
func (c Constraint) rank() int {
	op, text := c.split()
	switch op {
	case OpGreater:
		return 1
	case OpGreaterOrEqual:
		return 2
	case OpEqual:
		return 3
	case OpPessimistic:
		if core, _, _ := (Version{text}).split(); strings.Count(core, ".") == 2 {
			return 4
		}
		return 5
	case OpLessOrEqual:
		return 6
	case OpLess:
		return 7
	case OpNotEqual:
		return 8
	default:
		return 0
	}
}

// IsEmpty reports whether c has no condition.
func (c Constraints) IsEmpty() bool { return c.s == "" }

// All returns an iterator over the conditions of c, in their normal order.
func (c Constraints) All() iter.Seq[Constraint] {
	return func(yield func(Constraint) bool) {
		for rest := c.s; rest != ""; {
			var one string
			one, rest, _ = strings.Cut(rest, ", ")
			if !yield(Constraint{one}) {
				return
			}
		}
	}
}

// Allows reports whether v satisfies all conditions of c, by the rules of
// OpenTofu for providers:
//
//   - A prerelease satisfies c only if a condition with = names exactly that
//     version.
//   - = and != compare build metadata; the others ignore it.
//   - "~> 1.2.3" allows 1.2.* from 1.2.3 on; "~> 1.2" and "~> 1" allow 1.*
//     from there on.
//   - The version 0.0.0 means "none" and is never allowed.
//
// For modules and for required_version, some texts have another meaning; see
// [ParseModuleConstraints].
func (c Constraints) Allows(v Version) bool {
	if v.s == "" || v.s == "0.0.0" {
		return false
	}
	named := v.Prerelease() == ""
	for one := range c.All() {
		if !one.holds(v) {
			return false
		}
		named = named || one.s == v.s
	}
	return named
}

// Newest returns the newest of the versions that c allows. It reports false if
// there is none. If versions differ only in build metadata, it returns the
// last in the order of [Version.Compare]; OpenTofu leaves that choice open.
func (c Constraints) Newest(versions iter.Seq[Version]) (Version, bool) {
	var newest Version
	for v := range versions {
		if c.Allows(v) && newest.Compare(v) < 0 {
			newest = v
		}
	}
	return newest, newest.IsValid()
}

// String returns the normal text of c, as OpenTofu writes it into lock files.
func (c Constraints) String() string { return c.s }

// Compare returns -1, 0 or +1 by comparing one condition after the other.
func (c Constraints) Compare(other Constraints) int {
	if c.s == other.s {
		return 0
	}
	a, b := c.s, other.s
	for a != "" && b != "" {
		var aOne, bOne string
		aOne, a, _ = strings.Cut(a, ", ")
		bOne, b, _ = strings.Cut(b, ", ")
		if order := (Constraint{aOne}).Compare(Constraint{bOne}); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

// MarshalText returns the text of [Constraints.String]. The error is always nil.
func (c Constraints) MarshalText() ([]byte, error) { return []byte(c.s), nil }

// UnmarshalText sets c to the constraints that [ParseConstraints] returns for
// text.
func (c *Constraints) UnmarshalText(text []byte) error { return unmarshal(c, text, ParseConstraints) }
