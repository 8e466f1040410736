// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// Options says how [ToJSON] and [ToNative] convert. The zero
// Options is what most callers want.
type Options struct {
	// Schema returns the schema of the body of a block that a provider, a
	// provisioner or a backend defines, such as a resource, and whether it is
	// known. If nil, none is known but those that are built into OpenTofu and
	// Terraform: terraform_data, the provisioners, the backends.
	//
	// The schema tells a nested block from an argument. That matters above
	// all for ToNative, since JSON syntax does not tell them apart; in ToJSON
	// it matters for arguments that are written as blocks. A name that the
	// schema does not have is taken as if there were no schema; but if its
	// Attributes are nil, everything that is not among its Blocks is an
	// argument.
	Schema func(b *hclconfig.Block) (Schema, bool)
	// DropComments leaves the comments out. Each is reported.
	DropComments bool
	// KeepOrder makes ToJSON write arrays at all levels, so that the order of
	// all blocks of the file stays, also where it means nothing: otherwise
	// blocks of one type stand together, and so do those with the same label.
	KeepOrder bool
}

// A converter has what both directions share.
type converter struct {
	f     *source
	opts  Options
	diags hclconfig.Diagnostics
}

// lose reports something that has no exact form in the other syntax.
func (c *converter) lose(s textspan.Span, summary, format string, args ...any) {
	c.diags = append(c.diags, c.f.errorAt(s, summary, format, args...))
}

// note reports something that the reader of the result should know.
func (c *converter) note(s textspan.Span, summary, format string, args ...any) {
	d := c.f.errorAt(s, summary, format, args...)
	d.Severity = hclconfig.SeverityWarning
	c.diags = append(c.diags, d)
}
