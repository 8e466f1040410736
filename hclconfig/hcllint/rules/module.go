// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"bytes"
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// startOfFile is the place of findings about a file as a whole.
var startOfFile = addrs.Pos{Line: 1, Column: 1}

// fileNamed returns the file of a module with a name, or with the ending .tofu in place of
// .tf, or nil.
func fileNamed(m *hclconfig.Module, name string) *hclconfig.File {
	for _, f := range m.Files {
		if asTerraform(path.Base(f.Filename())) == name {
			return f
		}
	}
	return nil
}

// asTerraform returns the name of a file as it is without the endings of OpenTofu.
func asTerraform(name string) string {
	if stem, ok := strings.CutSuffix(name, ".tofu"); ok {
		return stem + ".tf"
	}
	return name
}

// inModule returns the name that a file of the module would have.
func inModule(m *hclconfig.Module, name string) string {
	if len(m.Files) == 0 {
		return name
	}
	return path.Join(path.Dir(m.Files[0].Filename()), name)
}

// brokenHas reports whether a file with a syntax error, of which parts could not be read, has
// a word. What is missing elsewhere may be there.
func brokenHas(p *hcllint.Pass, word string) bool {
	for _, f := range p.Module.Files {
		if f.Err() != nil && bytes.Contains(f.Bytes(), []byte(word)) {
			return true
		}
	}
	return false
}

// rangeAt returns the empty place at a position.
func rangeAt(f *hclconfig.File, at addrs.Pos) addrs.Range {
	return addrs.Range{Filename: f.Filename(), Start: at, End: at}
}

// replacing returns the fix that replaces the text of a place. The text is made when the fix
// is: findings may be in each other.
func replacing(message string, f *hclconfig.File, at addrs.Range, text func() string) []hcllint.Fix {
	return editing(message, func(e *hcllint.Edits) { e.Replace(f, at, text()) })
}

// rangeOf returns the place at which a declaration is reported.
func rangeOf(at hcledit.Part) addrs.Range {
	switch at := at.(type) {
	case *hclconfig.Block:
		return hclsource.DefRange(at)
	case *hclconfig.Argument:
		return at.Range()
	}
	return addrs.Range{}
}

// nameOf returns the place of the name of an argument, or of the type and labels of a block.
func nameOf(at hcledit.Part) addrs.Range {
	if a, ok := at.(*hclconfig.Argument); ok {
		return a.NameRange()
	}
	return rangeOf(at)
}

// constant returns a function that returns a text.
func constant(text string) func() string { return func() string { return text } }
