// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// Options configures [ToJSON] and [ToNative]. The zero Options suits most
// callers.
type Options struct {
	// Schema returns the schema of the body of a block that a provider, a
	// provisioner or a backend defines, such as a resource, or nil if it is not
	// known: [hclconfig.Schemas.Of] finds it. If Schema is nil, only the schemas built
	// into OpenTofu and Terraform are known: terraform_data, the provisioners, the
	// backends.
	//
	// The schema distinguishes nested blocks and arguments. This matters most for
	// ToNative, because JSON syntax does not distinguish them; in ToJSON it matters
	// for arguments that are written as blocks. A name that the schema does not have
	// is treated as if there were no schema. But if the schema's Attributes are nil,
	// every name outside its Blocks is an argument.
	Schema func(b *hclconfig.Block) *hclconfig.BlockSchema
	// Unwrap makes ToNative read a string that is one ${ } as what is inside, where JSON syntax
	// takes a bare type, reference or keyword: programs such as hcl2json write "${string}".
	Unwrap bool
	// DropComments leaves the comments out. Each is reported.
	DropComments bool
	// KeepOrder makes ToJSON write arrays at all levels. The order of all
	// blocks of the file then stays, even where it has no meaning. If false,
	// blocks of one type are put together, and so are those with the same
	// label.
	KeepOrder bool
}

// A converter is the common part of both directions.
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
