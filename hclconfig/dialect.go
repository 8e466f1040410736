// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import "github.com/tofuwire/tofuwire/internal/hcllang"

// A Dialect is a variant of the configuration language. The zero Dialect is
// OpenTofu. The two differ in which files are read, in some blocks and
// arguments, and in what a JSON string means in a few places; the rules
// followed are those of OpenTofu 1.12 and Terraform 1.11.
type Dialect int

const (
	// OpenTofu is the language of tofu.
	OpenTofu = Dialect(hcllang.OpenTofu)
	// Terraform is the language of terraform.
	Terraform = Dialect(hcllang.Terraform)
)

// String returns the name of the program, "OpenTofu" or "Terraform".
func (d Dialect) String() string { return hcllang.Dialect(d).String() }

func (d Dialect) apply(o *options) { o.dialect = hcllang.Dialect(d) }

// An Option configures [Parse], [ParseJSON], [ParseNative] and [LoadModule].
// Later options override earlier ones. A [Dialect] is an Option.
type Option interface{ apply(*options) }

type options struct {
	dialect hcllang.Dialect
	tests   bool
	testDir string
}

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
