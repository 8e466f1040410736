// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/detailed"
)

// ErrEdit is the cause of an [hclconfig.Error] for an edit that cannot be made, found
// with errors.Is.
var ErrEdit = errors.New("cannot edit")

// fault returns an Error at offset, or without a place if offset is negative.
func fault(f *hclconfig.File, offset int, err error) *hclconfig.Error {
	e := &hclconfig.Error{Filename: f.Filename(), Err: err}
	if offset >= 0 {
		p := f.Position(int64(offset))
		e.Offset, e.Line, e.Column = p.Offset, p.Line, p.Column
	}
	return e
}

// notWritable returns the error for a value that configuration cannot express.
func notWritable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", hclconfig.ErrKind, fmt.Sprintf(format, args...))
}

// broken returns the text for the first error of HCL, and whether there is one.
func broken(diags hcl.Diagnostics) (string, bool) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return detailed.Text(d.Summary, d.Detail), true
		}
	}
	return "", false
}
