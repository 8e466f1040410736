// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
)

// functionCard describes a function of the language.
func functionCard(name string, d hclconfig.Dialect) (card, bool) {
	s, ok := hclfuncs.Signatures(d)[name]
	if !ok {
		return card{}, false
	}
	return card{title: s.String(name), text: s.Description}, true
}
