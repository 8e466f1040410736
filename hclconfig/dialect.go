// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Dialect is a variant of the configuration language. The zero Dialect is
// OpenTofu. The two differ in which files are read, in some blocks and
// arguments, and in what a JSON string means in a few places; the rules
// followed are those of OpenTofu 1.12 and Terraform 1.11.
type Dialect int

const (
	// OpenTofu is the language of tofu.
	OpenTofu Dialect = iota
	// Terraform is the language of terraform.
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

// An Option configures [Parse], [ParseJSON], [ParseNative] and [LoadModule].
// Later options override earlier ones. A [Dialect] is an Option.
type Option interface{ apply(*options) }

type options struct {
	dialect Dialect
	tests   bool
	testDir string
}

func (d Dialect) apply(o *options) { o.dialect = d }

type testOption string

func (t testOption) apply(o *options) { o.tests, o.testDir = true, string(t) }

// TestDirectory makes [LoadModule] read test files as well, from the module's own
// directory and from its subdirectory dir. If dir is empty, it is "tests".
func TestDirectory(dir string) Option {
	if dir == "" {
		dir = defaultTestDir
	}
	return testOption(dir)
}

const defaultTestDir = "tests"

func collect(opts []Option) options {
	var o options
	for _, opt := range opts {
		opt.apply(&o)
	}
	return o
}

// A Support says since which release each program has something.
type Support struct {
	// OpenTofu and Terraform are the first releases, such as "1.9". Empty
	// means that the program does not have it at all; "0" that every release
	// has it which this package knows of (OpenTofu 1.6, Terraform 1.5).
	OpenTofu, Terraform string
}

// everywhere is the support of what every release has.
var everywhere = Support{"0", "0"}

// Since returns the first release of the program of d that has it, or "" if
// none has.
func (s Support) Since(d Dialect) string {
	if d == Terraform {
		return s.Terraform
	}
	return s.OpenTofu
}

// In reports whether release v of the program of d has it. A pre-release
// counts as the release it leads to.
func (s Support) In(d Dialect, v addrs.Version) bool {
	since := s.Since(d)
	if since == "" {
		return false
	}
	first, err := addrs.ParseVersion(since + ".0")
	if err != nil {
		return true // "0": everywhere
	}
	return v.Compare(first) >= 0 || v.Core() == first
}

// String returns the support in words, such as
// "OpenTofu >= 1.9; not in Terraform".
func (s Support) String() string {
	return oneSupport("OpenTofu", s.OpenTofu) + "; " + oneSupport("Terraform", s.Terraform)
}

func oneSupport(program, since string) string {
	switch since {
	case "":
		return "not in " + program
	case "0":
		return "any " + program
	}
	return program + " >= " + since
}
