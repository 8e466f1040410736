// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
)

// header returns the comment with which a tool begins a lock file.
func header(tool addrs.Tool) string {
	return "# This file is maintained automatically by \"" + command(tool) + " init\".\n" +
		"# Manual edits may be lost in future updates.\n"
}

// command returns the name of a tool's command. All but Terraform count as OpenTofu.
func command(tool addrs.Tool) string {
	if tool != addrs.Terraform {
		tool = addrs.OpenTofu
	}
	return string(tool)
}

// Canonical returns the bytes that the tool saves for l: all locks in the order
// of their providers, hashes sorted and without duplicates. It does not change
// l. As in tofu, a lock without a version gets 0.0.0.
//
// The format is that of SaveLocksToBytes in OpenTofu's internal/depsfile.
func (l Locks) Canonical(tool addrs.Tool) []byte {
	normal := l.Normal()
	size := len(header(tool))
	for _, lock := range normal {
		size += 160
		for _, h := range lock.Hashes {
			size += len(h) + 8
		}
	}
	out := make([]byte, 0, size)
	out = append(out, header(tool)...)
	for _, lock := range normal {
		out = append(out, '\n')
		out = appendBlock(out, lock, "\n")
		out = append(out, '\n')
	}
	return out
}

// Canonical returns the bytes that the tool saves as soon as it changes
// anything in the file. They have no comments and the layout of the tool;
// hcledit.Format lays out the text of a file and keeps the comments. If
// the file has errors, tofu would not save it; the result then has everything
// that could be read.
func (f *File) Canonical(tool addrs.Tool) []byte {
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
