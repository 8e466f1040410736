// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import "fmt"

// A FileKind says what a file is for, which decides what may stand in it. The
// kinds are described in package hclconfig.
type FileKind uint8

// The kinds of files.
const (
	ConfigFile FileKind = iota
	TestFile
	MockFile
	QueryFile
	MigrationFile
	ValuesFile
)

var fileKinds = [...]struct {
	name string
	root *Block
	// since is for the extensions that both programs have, tofu for the others.
	since, tofu Support
}{
	ConfigFile:    {"configuration", Root, Everywhere, since("1.8", "")},
	TestFile:      {"test", Test, since("0", "1.6"), since("1.8", "")},
	MockFile:      {"mock", MockData, since("", "1.7"), Support{}},
	QueryFile:     {"query", Query, since("", "1.14"), Support{}},
	MigrationFile: {"migration", Ignored, since("", "1.16"), Support{}},
	ValuesFile:    {"values", Values, Everywhere, Support{}},
}

// Support says which releases read files of kind k; tofu is set for the extensions
// that only OpenTofu reads.
func (k FileKind) Support(tofu bool) Support {
	if int(k) >= len(fileKinds) {
		return Support{}
	}
	if tofu {
		return fileKinds[k].tofu
	}
	return fileKinds[k].since
}

// String returns "configuration", "test", "mock", "query", "migration" or "values".
func (k FileKind) String() string {
	if int(k) < len(fileKinds) {
		return fileKinds[k].name
	}
	return fmt.Sprintf("FileKind(%d)", uint8(k))
}

// Root describes what may stand at the root of a file of kind k.
func (k FileKind) Root() *Block {
	if int(k) < len(fileKinds) {
		return fileKinds[k].root
	}
	return Root
}

// Inner returns the Block of a nested block of that type in a body that s
// describes.
func (s *Block) Inner(typ string) *Block {
	if b := s.Lookup(typ).Block; b != nil {
		return b
	}
	if s.Rest.Open() {
		return s.Nested()
	}
	return Ignored
}
