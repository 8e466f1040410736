// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"math"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// Parse parses the text of a configuration file. The extension of the file's
// name says which syntax it is in and what it is for: see [ParseFilename]. If
// it does not, the error is an [*Error] that wraps [ErrFilename], and the File
// is nil. The name serves for places and is not opened.
//
// Otherwise the File is never nil. If the text is not of that syntax, the error
// is an [*Error] that tells the first place, [File.Diagnostics] has them all,
// and the File has what could be read nevertheless. Text of the right syntax
// that OpenTofu would refuse, say for an unknown argument, is no error here:
// that too is among the diagnostics.
//
// The File refers to src, which must not be changed afterwards.
func Parse(filename string, src []byte, opts ...Option) (*File, error) {
	name, ok := ParseFilename(filename)
	if !ok {
		return nil, &Error{Filename: filename, Err: ErrFilename}
	}
	return parse(filename, src, name.Syntax, collect(opts).dialect)
}

// ParseNative is like [Parse] for text in native syntax, whatever the file is
// called. A name that tells nothing makes it a module's file.
func ParseNative(filename string, src []byte, opts ...Option) (*File, error) {
	return parse(filename, src, NativeSyntax, collect(opts).dialect)
}

// ParseJSON is like [Parse] for text in JSON syntax, whatever the file is
// called. A name that tells nothing makes it a module's file.
func ParseJSON(filename string, src []byte, opts ...Option) (*File, error) {
	return parse(filename, src, JSONSyntax, collect(opts).dialect)
}

func parse(filename string, src []byte, syntax Syntax, dialect hcllang.Dialect) (*File, error) {
	name, _ := ParseFilename(filename)
	f := &File{
		name: filename, syntax: syntax, kind: name.Kind, tofu: name.Tofu, override: name.Override,
		dialect: dialect, src: src,
	}
	f.body.file = f
	f.body.spec = hcllang.FileKind(name.Kind).Root()
	if int64(len(src)) > math.MaxInt32 {
		f.src = nil
		f.err = &Error{Filename: filename, Err: ErrTooLarge}
		f.diags = Diagnostics{{Severity: SeverityError, Summary: "File too large", Subject: Range{Filename: filename}}}
		return f, f.err
	}
	f.body.at = textspan.Of(0, int32(len(src)))
	if syntax == JSONSyntax {
		f.readJSON()
	} else {
		f.readNative()
	}
	f.diags = f.diags.sorted()
	return f, f.Err()
}
