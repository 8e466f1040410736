// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
)

// functionCard describes a function of the language or, if there are schemas, of a provider.
func functionCard(name string, m *hclconfig.Module, schemas *hclconfig.Schemas) (card, bool) {
	s, ok := hclfuncs.Signatures(m.Dialect())[name]
	if parts := strings.Split(name, "::"); !ok && len(parts) == 3 && parts[0] == "provider" {
		var f hclconfig.FunctionSchema
		f, ok = schemas.Functions(m, parts[1])[parts[2]]
		s = signatureOf(f)
	}
	if !ok {
		return card{}, false
	}
	return card{title: s.String(name), text: s.Description}, true
}

func signatureOf(f hclconfig.FunctionSchema) hclfuncs.Signature {
	out := hclfuncs.Signature{Description: f.Description, Result: f.Result, Variadic: (*hclfuncs.Parameter)(f.Variadic)}
	for _, p := range f.Parameters {
		out.Parameters = append(out.Parameters, hclfuncs.Parameter(p))
	}
	return out
}
