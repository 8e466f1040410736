// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
)

// A Tool is a program that writes lock files. They all write the same, except for
// the header. The zero Tool is OpenTofu.
type Tool int

const (
	OpenTofu  Tool = iota // the command "tofu"
	Terraform             // the command "terraform"
)

// String returns the name of the tool's command.
func (t Tool) String() string {
	switch t {
	case OpenTofu:
		return "tofu"
	case Terraform:
		return "terraform"
	}
	return fmt.Sprintf("Tool(%d)", int(t))
}

// header returns the comment that the tool begins a lock file with.
func (t Tool) header() string {
	return "# This file is maintained automatically by \"" + t.String() + " init\".\n" +
		"# Manual edits may be lost in future updates.\n"
}

// Canonical returns the bytes that the tool saves for l: all locks in the order
// of their providers, hashes sorted and without duplicates. It does not change
// l. A lock without a version gets 0.0.0, as in tofu.
//
// The format is that of SaveLocksToBytes in OpenTofu's internal/depsfile.
func (l Locks) Canonical(tool Tool) []byte {
	normal := l.Normal()
	size := len(tool.header())
	for _, lock := range normal {
		size += 160
		for _, h := range lock.Hashes {
			size += len(h) + 8
		}
	}
	out := make([]byte, 0, size)
	out = append(out, tool.header()...)
	for _, lock := range normal {
		out = append(out, '\n')
		out = appendBlock(out, lock, "\n")
		out = append(out, '\n')
	}
	return out
}

// Canonical returns the bytes that the tool saves once it changes anything in
// the file. All comments are lost then, and so is every layout of one's own.
// If the file has errors tofu does not get so far, and the result has what
// could be read.
func (f *File) Canonical(tool Tool) []byte {
	if f == nil {
		return nil
	}
	return f.Locks().Canonical(tool)
}

// appendBlock appends the canonical text of a block, up to its closing brace,
// with lines that end in eol.
func appendBlock(out []byte, l Lock, eol string) []byte {
	version := l.Version.String()
	if version == "" {
		version = "0.0.0"
	}
	out = append(out, "provider "...)
	out = appendQuoted(out, l.Provider.String())
	out = append(out, " {"...)
	out = append(out, eol...)
	if l.Constraints.IsEmpty() {
		out = append(out, "  version = "...)
		out = appendQuoted(out, version)
	} else {
		out = append(out, "  version     = "...)
		out = appendQuoted(out, version)
		out = append(out, eol...)
		out = append(out, "  constraints = "...)
		out = appendQuoted(out, l.Constraints.String())
	}
	out = append(out, eol...)
	if len(l.Hashes) > 0 {
		out = append(out, "  hashes = "...)
		out = appendHashes(out, l.Hashes, "  ", eol)
		out = append(out, eol...)
	}
	return append(out, '}')
}

// appendHashes appends the canonical text of a list of hashes, as the value of
// an attribute that is indented by indent.
func appendHashes(out []byte, hashes []Hash, indent, eol string) []byte {
	out = append(out, '[')
	out = append(out, eol...)
	for _, h := range hashes {
		out = append(out, indent...)
		out = append(out, "  "...)
		out = appendQuoted(out, string(h))
		out = append(out, ',')
		out = append(out, eol...)
	}
	out = append(out, indent...)
	return append(out, ']')
}

// quoted returns s as a string of HCL.
func quoted(s string) string { return string(appendQuoted(nil, s)) }

// appendQuoted appends s as a string of HCL, with the escapes that the writer
// of the HCL library uses (hclwrite.TokensForValue).
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i, r := range s {
		switch r {
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		case '"', '\\':
			out = append(out, '\\', byte(r))
		case '$', '%':
			out = append(out, byte(r))
			if strings.HasPrefix(s[i+1:], "{") {
				out = append(out, byte(r))
			}
		default:
			switch {
			case unicode.IsPrint(r):
				out = utf8.AppendRune(out, r)
			case r < 0x10000:
				out = fmt.Appendf(out, `\u%04x`, r)
			default:
				out = fmt.Appendf(out, `\U%08x`, r)
			}
		}
	}
	return append(out, '"')
}

// isNormal reports whether s is the same after it was written to a file and
// read again: HCL strings are valid UTF-8 in the normal form C of Unicode.
func isNormal(s string) bool {
	return isASCII(s) || utf8.ValidString(s) && cty.NormalizeString(s) == s
}
