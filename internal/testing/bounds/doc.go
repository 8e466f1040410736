// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package bounds says of every function that takes text, a reader or a file system how its time and memory grow: in
// proportion to what it reads plus what it writes.
//
// A [Shape] makes documents of a kind in any size: deep, wide, long, equal, distinct, escaped, commented. A [Row] gives such
// documents to functions. The test compares how often something is allocated for a size and for larger ones, and how many bytes, and
// .ci/run bounds the processor time, which sees work that allocates nothing. The policy test fails for a function
// without a row: see [Covered].
package bounds

// A Format is a kind of document.
type Format string

// The formats of shapes.
const (
	Native   Format = "native"   // configuration
	JSON     Format = "json"     // configuration in JSON
	Override Format = "override" // two files of configuration with a line of dashes between them; the second overrides
	Types    Format = "types"    // an expression that is a type
	Lock     Format = "lock"     // a lock file
	Plan     Format = "plan"     // a plan
	State    Format = "state"    // a raw state
	Stream   Format = "stream"   // messages
	Version  Format = "version"  // a version or a constraint
	Address  Format = "address"  // an address
	Registry Format = "registry" // a document of a registry
	Sums     Format = "sums"     // a list of hashes with its signature
	CLI      Format = "cli"      // a CLI configuration
)

// A Shape makes documents of one form.
type Shape struct {
	Name   string
	Format Format
	// Make returns a document with n parts, whose size grows with n.
	Make func(n int) string
	// Size is how many parts take some milliseconds.
	Size int
}

// A Row runs functions on documents of some formats.
type Row struct {
	Name    string
	Formats []Format
	// Run returns how many bytes the functions made.
	Run func(src []byte) (out int)
	// Functions are those that the row is about, as in "hclconfig.Parse".
	Functions []string
}
