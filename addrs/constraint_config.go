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

// configSpace is the white space of go-version.
const configSpace = " \t\r\n\f"

// checkConfigConstraints checks the rules of go-version that scanConstraints
// does not check.
func checkConfigConstraints(s string) *fault {
	at := 0
	for part := range strings.SplitSeq(s, ",") {
		text := strings.Trim(part, configSpace)
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

// ParseModuleConstraints parses version constraints as OpenTofu reads them for
// modules of a registry, with hashicorp/go-version. In contrast to
// [ParseConfigConstraints],
//
//   - any white space may follow an operator, and a "v" may precede a version;
//   - "~> 1" has no upper bound: it becomes ">= 1.0.0";
//   - a prerelease can only be selected by one constraint that is written as
//     "1.0.0-rc1" or "=1.0.0-rc1". With "= 1.0.0-rc1" OpenTofu finds nothing:
//     that becomes "1.0.0-rc1, != 1.0.0-rc1".
//
// Versions of more than three numbers are refused, though OpenTofu compares
// with them. ModuleVersionList of package registry applies the result.
func ParseModuleConstraints(s string) (Constraints, error) {
	var list []Constraint
	at := 0
	for part := range strings.SplitSeq(s, ",") {
		spelled := spellForProviders(part)
		c, end, f := scanConstraint(spelled, 0)
		if f == nil && end != len(spelled) {
			f = faultf(end, "found %q where a comma or the end is expected", spelled[end:end+1])
		}
		if f == nil {
			f = checkConfigConstraints(spelled)
		}
		if f != nil {
			f.off = at + len(part) - len(strings.TrimLeft(part, configSpace))
			return Constraints{}, f.as(kindConstraints, s)
		}
		list = append(list, c)
		at += len(part) + 1
	}
	all := normalConstraints(list)
	if v := Constraint(all).Version(); v.s == all.s && v.Prerelease() != "" && strings.ContainsAny(strings.Trim(s, configSpace), ","+configSpace) {
		return Constraints{v.s + ", != " + v.s}, nil
	}
	return all, nil
}

// spellForProviders spells one constraint on a module as for a provider.
func spellForProviders(s string) string {
	s = strings.Trim(s, configSpace)
	version := strings.TrimLeft(s, "=!<>~")
	operator := Operator(s[:len(s)-len(version)])
	version = strings.TrimLeft(version, configSpace)
	if len(version) > 1 && version[0] == 'v' && '0' <= version[1] && version[1] <= '9' {
		version = version[1:]
	}
	if operator == OpPessimistic && version != "" && strings.Trim(version, "0123456789") == "" {
		operator = OpGreaterOrEqual
	}
	if operator == "" {
		return version
	}
	return string(operator) + " " + version
}
