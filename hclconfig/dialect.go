// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Dialect is a variant of the configuration language: that of one release of a
// program. The zero Dialect is that of the newest release of OpenTofu that this package
// supports. Dialects differ in the files that are read, in blocks and arguments, and in
// the meaning of some JSON strings. For [addrs.OpenTofu] use OpenTofu, for [addrs.Terraform]
// Terraform, with [Dialect.At] for a release.
type Dialect int

const (
	// OpenTofu is the language of tofu, of the newest release: 1.13.
	OpenTofu = Dialect(hcllang.OpenTofu)
	// Terraform is the language of terraform, of the newest release: 1.17.
	Terraform = Dialect(hcllang.Terraform)
)

// At returns the dialect of the program of d as of release v. Only the first two numbers of v count. The zero
// Version is the newest release. Releases before 1.0 count as the newest. Package hclcheck then reports
// features that the release does not have. Reading stays lenient.
func (d Dialect) At(v addrs.Version) Dialect {
	release := 0
	if major, minor, _, ok := v.Numbers(); ok && 0 < major && major < 1000 && minor < 1000 {
		release = int(major*1000 + minor)
	}
	return Dialect(d.tool()) | Dialect(release)<<1
}

// Program returns the dialect of the same program, of the newest release: [OpenTofu]
// or [Terraform].
func (d Dialect) Program() Dialect { return Dialect(d.tool()) }

func (d Dialect) tool() hcllang.Dialect { return hcllang.ProgramOf(int(d)) }

func (d Dialect) release() hcllang.Release { return hcllang.ReleaseOf(int(d)) }

// String returns the name of the program and the release, if there is one:
// "OpenTofu", "Terraform 1.5".
func (d Dialect) String() string {
	if d < 0 || d>>1 != 0 && d>>1 < 1000 {
		return fmt.Sprintf("Dialect(%d)", int(d))
	}
	if d>>1 == 0 {
		return d.tool().String()
	}
	return fmt.Sprintf("%s %d.%d", d.tool(), d>>1/1000, d>>1%1000)
}

func (d Dialect) apply(o *options) { o.dialect = d }

// An Option configures [Parse], [ParseJSON], [ParseNative] and [LoadModule].
// Later options override earlier ones. A [Dialect] is an Option.
type Option interface{ apply(*options) }

type options struct {
	dialect Dialect
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

// A Workspace is an [Option] of hclnames.LoadTree: the name of the selected workspace, which is the
// value of terraform.workspace. If it is empty, it does nothing. Functions of this package ignore it.
type Workspace string

func (Workspace) apply(*options) {}

func collect(opts []Option) options {
	var o options
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&o)
		}
	}
	return o
}

// A Kind says how OpenTofu reads an argument: which expressions it allows
// there, and the meaning of a JSON string there. The same JSON string "${a}" is
// a reference in one kind, plain text in another and an error in a third.
// Its values include [KindExpression], [KindStatic] and [KindLiteral].
type Kind uint8

const (
	// KindExpression is any expression. In JSON every string, and every
	// property name, is a template.
	KindExpression = Kind(hcllang.KindExpression)
	// KindStatic is an expression that is evaluated while the configuration is
	// loaded, from variables, local values, path, terraform and the language's
	// own functions only. JSON is read as for KindExpression. Since OpenTofu 1.8;
	// in Terraform such arguments are of KindLiteral.
	KindStatic = Kind(hcllang.KindStatic)
	// KindLiteral is a constant. In JSON, strings stand for themselves, and
	// "${" has no meaning.
	KindLiteral = Kind(hcllang.KindLiteral)
	// KindType is a type constraint; in JSON a string that holds one.
	KindType = Kind(hcllang.KindType)
	// KindReference is a reference; in JSON a string that holds it bare.
	KindReference = Kind(hcllang.KindReference)
	// KindReferenceList is a list of references.
	KindReferenceList = Kind(hcllang.KindReferenceList)
	// KindAttributeList is a list of references that are relative to the
	// resource, or the keyword all. Only ignore_changes is of this kind.
	KindAttributeList = Kind(hcllang.KindAttributeList)
	// KindKeyword is a bare word; in JSON a string.
	KindKeyword = Kind(hcllang.KindKeyword)
	// KindKeywordList is a list of bare words.
	KindKeywordList = Kind(hcllang.KindKeywordList)
	// KindSource is an expression that JSON holds as a string of native
	// source, not as a template.
	KindSource = Kind(hcllang.KindSource)
	// KindSourceList is a list of those.
	KindSourceList = Kind(hcllang.KindSourceList)
	// KindProviderReference names a provider configuration: aws, aws.west or
	// aws.by_region[each.key].
	KindProviderReference = Kind(hcllang.KindProviderReference)
	// KindProviderMap maps names of provider configurations to others.
	KindProviderMap = Kind(hcllang.KindProviderMap)
	// KindProviderRequirement is one entry of required_providers: a version
	// constraint or an object of literals.
	KindProviderRequirement = Kind(hcllang.KindProviderRequirement)
	// KindIgnored is accepted and not examined.
	KindIgnored = Kind(hcllang.KindIgnored)
)

// String returns the kind in words.
func (k Kind) String() string { return hcllang.Kind(k).String() }
