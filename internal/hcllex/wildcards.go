// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Wildcards returns a reference with [*] for keys in the normal spelling, and
// whether text is one.
func Wildcards(text string) (string, bool) {
	const key = `["*"]`
	parts := strings.ReplaceAll(text, "[*]", key)
	if parts == text || TooDeep([]byte(parts), false) >= 0 {
		return "", false
	}
	t, diags := hclsyntax.ParseTraversalAbs([]byte(parts), "", hcl.InitialPos)
	return strings.ReplaceAll(TraversalText(t), key, "[*]"), !diags.HasErrors()
}
