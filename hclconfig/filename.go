// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Syntax is one of the two ways to write configuration.
type Syntax uint8

const (
	// NativeSyntax is the syntax for people: variable "x" { ... }.
	NativeSyntax Syntax = iota
	// JSONSyntax is the syntax for programs: {"variable": {"x": { ... }}}.
	JSONSyntax
)

// String returns "native" or "JSON".
func (s Syntax) String() string {
	if s == JSONSyntax {
		return "JSON"
	}
	return "native"
}

// A FileKind says what a file is for, which decides what may stand in it.
type FileKind uint8

const (
	// ConfigFile is a part of a module: .tf, .tofu, .tf.json, .tofu.json.
	ConfigFile = FileKind(hcllang.ConfigFile)
	// TestFile holds tests of a module: .tftest.hcl, .tofutest.hcl and the
	// same in JSON.
	TestFile = FileKind(hcllang.TestFile)
	// MockFile holds mock data for tests: Terraform's .tfmock.hcl and .tfmock.json.
	MockFile = FileKind(hcllang.MockFile)
	// QueryFile holds Terraform's queries: .tfquery.hcl and .tfquery.json.
	QueryFile = FileKind(hcllang.QueryFile)
)

// String returns "configuration", "test", "mock" or "query".
func (k FileKind) String() string {
	return hcllang.FileKind(k).String()
}

// A Filename is what the name of a file says about it.
type Filename struct {
	Kind   FileKind // what the file is for
	Syntax Syntax   // native, or JSON if the name ends in .json
	// Tofu reports whether the extension is one that only OpenTofu reads,
	// such as .tofu; such a file is read instead of the one that has the
	// same name with .tf.
	Tofu bool
	// Override reports whether the file overrides others: its name without
	// the extension is "override" or ends in "_override".
	Override bool
	// Stem is the name without directory and extension.
	Stem string
}

// An extension is one that makes a file part of a module.
type extension struct {
	suffix string
	name   Filename
}

// The order is that of opentofu: internal/configs/parser_config_dir.go; the
// first match decides.
var extensions = [...]extension{
	{".tf", Filename{}},
	{".tf.json", Filename{Syntax: JSONSyntax}},
	{".tftest.hcl", Filename{Kind: TestFile}},
	{".tftest.json", Filename{Kind: TestFile, Syntax: JSONSyntax}},
	{".tofu", Filename{Tofu: true}},
	{".tofu.json", Filename{Syntax: JSONSyntax, Tofu: true}},
	{".tofutest.hcl", Filename{Kind: TestFile, Tofu: true}},
	{".tofutest.json", Filename{Kind: TestFile, Syntax: JSONSyntax, Tofu: true}},
	{".tfmock.hcl", Filename{Kind: MockFile}},
	{".tfmock.json", Filename{Kind: MockFile, Syntax: JSONSyntax}},
	{".tfquery.hcl", Filename{Kind: QueryFile}},
	{".tfquery.json", Filename{Kind: QueryFile, Syntax: JSONSyntax}},
}

// ParseFilename reports what the name of a file says about it, and whether it
// is the name of a configuration file at all. Hidden files and the backup
// files of editors are not. The name may have directories before it.
func ParseFilename(filename string) (Filename, bool) {
	base := path.Base(strings.ReplaceAll(filename, `\`, "/"))
	if ignored(base) {
		return Filename{}, false
	}
	for _, e := range extensions {
		if stem, ok := strings.CutSuffix(base, e.suffix); ok {
			n := e.name
			n.Stem = stem
			n.Override = stem == "override" || strings.HasSuffix(stem, "_override")
			return n, true
		}
	}
	return Filename{}, false
}

// ignored reports whether OpenTofu skips a directory entry of that name,
// because it is hidden or an editor's.
func ignored(base string) bool {
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") ||
		strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#")
}

// tofuVariant returns the name of the file that OpenTofu reads instead of
// name, if both exist; ok is false if there is no such name.
func tofuVariant(name string) (variant string, ok bool) {
	for _, e := range extensions {
		if stem, found := strings.CutSuffix(name, e.suffix); found && strings.HasPrefix(e.suffix, ".tf") && e.name.Kind <= TestFile {
			return stem + ".tofu" + strings.TrimPrefix(e.suffix, ".tf"), true
		}
	}
	return "", false
}
