// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// A Dialect is a variant of the configuration language.
type Dialect int

// The dialects.
const (
	OpenTofu Dialect = iota
	Terraform
)

// String returns the name of the program, "OpenTofu" or "Terraform".
func (d Dialect) String() string {
	switch d {
	case OpenTofu:
		return "OpenTofu"
	case Terraform:
		return "Terraform"
	}
	return fmt.Sprintf("Dialect(%d)", int(d))
}

// A Release is a release of a dialect's program: 1000 times the major number and
// the minor one. The zero Release is the newest that is known.
type Release int

// The oldest and the newest releases that the tables know.
const (
	OldestOpenTofu  Release = 1006
	NewestOpenTofu  Release = 1013
	OldestTerraform Release = 1000
	NewestTerraform Release = 1017
)

// ParseRelease returns the Release of a text such as "1.9" or "1.9.2".
func ParseRelease(text string) Release {
	r, _ := splitRelease(text)
	return r
}

// splitRelease returns the Release of a text and its patch number, 0 if it has none.
func splitRelease(text string) (r Release, patch int) {
	major, rest, _ := strings.Cut(text, ".")
	minor, last, _ := strings.Cut(rest, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	patch, _ = strconv.Atoi(last)
	return Release(a*1000 + b), patch
}

// CompareSince compares two texts such as "1.9" and "1.9.2".
func CompareSince(a, b string) int {
	ra, pa := splitRelease(a)
	rb, pb := splitRelease(b)
	return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(pa, pb))
}

// A Support says since which release each program has something, and which release
// has it no more. Since: "" for none, "0" for every release that is known, "1.7.2" for a
// patch release, where a [Release] is the last patch release of its kind. Until: "" for
// none.
type Support struct {
	OpenTofu, Terraform           string
	OpenTofuUntil, TerraformUntil string
}

// since returns the Support of what was never taken away.
func since(tofu, terraform string) Support { return Support{OpenTofu: tofu, Terraform: terraform} }

// Everywhere is the support of what every release has.
var Everywhere = since("0", "0")

// Since returns the first release of the program of d that has it, or "" if
// none has.
func (s Support) Since(d Dialect) string {
	if d == Terraform {
		return s.Terraform
	}
	return s.OpenTofu
}

// Until returns the first release of the program of d that has it no more, or "".
func (s Support) Until(d Dialect) string {
	if d == Terraform {
		return s.TerraformUntil
	}
	return s.OpenTofuUntil
}

// In reports whether release r of the program of d has it.
func (s Support) In(d Dialect, r Release) bool {
	first, last := s.Since(d), s.Until(d)
	switch {
	case first == "":
		return false
	case r == 0:
		return last == ""
	}
	return r >= ParseRelease(first) && (last == "" || r < ParseRelease(last))
}

// ProgramOf and ReleaseOf are the two halves of a hclconfig.Dialect, which is one
// number: the program in the lowest bit, the release above it.
func ProgramOf(dialect int) Dialect { return Dialect(dialect & 1) }

// ReleaseOf returns the release: see [ProgramOf].
func ReleaseOf(dialect int) Release { return Release(dialect >> 1) }
