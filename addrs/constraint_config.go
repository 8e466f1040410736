// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"errors"
	"strings"
)

// ParseConfigConstraints parses version constraints as the configuration
// language accepts them for providers, in required_providers and provider
// blocks. OpenTofu reads these with two libraries (hashicorp/go-version for
// validity, then apparentlymart/go-versions for the meaning), and both must
// agree. In addition to the rules of [ParseConstraints],
//
//   - there is at least one constraint, and no comma at the end,
//   - a version does not end in a dot or a plus sign, and its prerelease and
//     metadata have no empty identifiers,
//   - numbers fit in 63 bits.
func ParseConfigConstraints(s string) (Constraints, error) {
	list, f := scanConstraints(s)
	if f == nil {
		f = checkConfigConstraints(s)
	}
	if f != nil {
		return Constraints{}, f.as(kindConstraints, s)
	}
	return normalConstraints(list), nil
}

// checkConfigConstraints checks the rules of go-version that scanConstraints
// does not check.
func checkConfigConstraints(s string) *fault {
	at := 0
	for part := range strings.SplitSeq(s, ",") {
		text := strings.Trim(part, " \t\r\n\f")
		if text == "" {
			return faultf(at, "a constraint is expected")
		}
		text = strings.TrimLeft(text, "=!<>~ ")
		v, f := scanVersion(text, 0)
		if f != nil || v.end != len(text) {
			return faultf(at, "white space of this kind is not allowed")
		}
		if err := v.checkConfig(text); err != nil {
			return &fault{at, err}
		}
		at += len(part) + 1
	}
	return nil
}

// checkConfig checks v, which was scanned from text, by the rules of
// go-version.
func (v *versionSpec) checkConfig(text string) error {
	const maxInt64 = "9223372036854775807"
	for _, n := range v.nums[:v.count] {
		if compareDigits(trimZeros(n), maxInt64) > 0 {
			return errors.New("a number of the version is too large")
		}
	}
	switch {
	case strings.HasSuffix(text, "."), strings.HasSuffix(text, "+"):
		return errors.New("the version ends too early")
	case strings.Contains(v.pre, ".."), strings.HasSuffix(v.pre, "."):
		return errors.New("the prerelease has an empty identifier")
	case strings.Contains(v.meta, ".."), strings.HasPrefix(v.meta, "."):
		return errors.New("the metadata has an empty identifier")
	}
	return nil
}

// A ConstraintDifference is a constraint that means one thing for providers
// and another for modules and required_version.
type ConstraintDifference struct {
	Constraint Constraint // the constraint as read for providers
	Reason     string     // what differs, in one sentence
}

// ConstraintDifferences returns the constraints in s that mean something else
// where OpenTofu reads them with hashicorp/go-version alone: for modules and
// for required_version. It needs the text as written, because the normal form
// of "~> 1" is also that of "~> 1.0".
// If s is not valid for providers, the error is an [*Error].
func ConstraintDifferences(s string) ([]ConstraintDifference, error) {
	list, f := scanConstraints(s)
	if f != nil {
		return nil, f.as(kindConstraints, s)
	}
	var diffs []ConstraintDifference
	at := 0
	for _, c := range list {
		// scanConstraints accepted the same text, so this cannot fail.
		at = skipSpace(s, at)
		_, end, _ := scanConstraint(s, at)
		if reason := c.difference(s[at:end]); reason != "" {
			diffs = append(diffs, ConstraintDifference{c, reason})
		}
		at = skipSpace(s, end) + 1
	}
	return diffs, nil
}

// difference returns what differs about c, which was written as text.
func (c Constraint) difference(text string) string {
	op, v := c.Operator(), c.Version()
	exact := op == OpEqual || op == OpNotEqual
	switch {
	case op == OpPessimistic && !strings.Contains(text, "."):
		return "for modules this has no upper bound, for providers it stays within the major version"
	case !exact && v.Prerelease() != "":
		return "for modules this also allows prereleases of the same version, for providers only releases"
	case exact && v.Metadata() != "":
		return "for modules build metadata is ignored, for providers it must be the same"
	default:
		return ""
	}
}
