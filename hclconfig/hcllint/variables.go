// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"maps"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
)

// variables returns the values that the configuration of a linter gives to the variables of
// the module in a directory: those of its files of values, then those that it names.
func (s *settings) variables(dir string, read readFile) (map[string]cty.Value, error) {
	out := map[string]cty.Value{}
	for _, name := range s.varFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		src, err := read.bytes(name)
		if err == nil {
			var values map[string]cty.Value
			values, err = hclnames.ParseValues(name, src)
			maps.Copy(out, values)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, v := range s.vars {
		name, text, _ := strings.Cut(v, "=")
		out[name] = cty.StringVal(text)
		if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
			if x, err := hclconfig.ParseExpression(name, []byte(text), hclconfig.NativeSyntax, hclconfig.KindLiteral); err == nil {
				if value, err := x.Constant(); err == nil {
					out[name] = value
				}
			}
		}
	}
	return out, nil
}
