// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"bytes"
	"iter"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// Comments returns an iterator over the comments of a native file, in the order of the
// text: the place of each, and its text with the marks, but without the line break after
// it. A file in JSON syntax has none.
func Comments(f *hclconfig.File) iter.Seq2[addrs.Range, string] {
	return func(yield func(addrs.Range, string) bool) {
		if f == nil || f.Syntax() != hclconfig.NativeSyntax {
			return
		}
		src := f.Bytes()
		if bytes.IndexByte(src, '#') < 0 && !bytes.Contains(src, []byte("//")) && !bytes.Contains(src, []byte("/*")) {
			return
		}
		tokens, _ := hclsyntax.LexConfig(src, f.Filename(), hcl.InitialPos)
		for _, t := range tokens {
			if t.Type != hclsyntax.TokenComment {
				continue
			}
			text := bytes.TrimRight(t.Bytes, "\r\n")
			start := int64(t.Range.Start.Byte)
			at := addrs.Range{Filename: f.Filename(), Start: f.Position(start), End: f.Position(start + int64(len(text)))}
			if !yield(at, string(text)) {
				return
			}
		}
	}
}
