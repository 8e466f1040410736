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
)

var fileKinds = [...]struct {
	name string
	root *Block
}{
	ConfigFile: {"configuration", Root},
	TestFile:   {"test", Test},
	MockFile:   {"mock", MockData},
	QueryFile:  {"query", Query},
}

// String returns "configuration", "test", "mock" or "query".
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
