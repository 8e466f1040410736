// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import "fmt"

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

// A Support says since which release each program has something: "" for none,
// "0" for every release that is known.
type Support struct{ OpenTofu, Terraform string }

// Everywhere is the support of what every release has.
var Everywhere = Support{"0", "0"}

// Since returns the first release of the program of d that has it, or "" if
// none has.
func (s Support) Since(d Dialect) string {
	if d == Terraform {
		return s.Terraform
	}
	return s.OpenTofu
}
