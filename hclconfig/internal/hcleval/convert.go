// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"fmt"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func BoolOf(v cty.Value) (bool, error) {
	v, err := convert.Convert(v, cty.Bool)
	if err != nil || !v.IsKnown() || v.IsNull() {
		return false, fmt.Errorf("%w: a bool is required", hclconfig.ErrKind)
	}
	return v.True(), nil
}

// TextOf returns v as a string, after the conversion that OpenTofu makes.
func TextOf(v cty.Value) (string, error) {
	v, _ = v.UnmarkDeep()
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", fmt.Errorf("%w: a string is required", hclconfig.ErrKind)
	}
	if v.IsNull() || !v.IsKnown() {
		return "", fmt.Errorf("%w: a string is required, not null", hclconfig.ErrKind)
	}
	return v.AsString(), nil
}
