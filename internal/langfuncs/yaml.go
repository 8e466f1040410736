// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"errors"
	"strings"

	"github.com/tofuwire/tofuwire/internal/lazy"
	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// maxYAMLAliases is how many references to other parts a YAML text may have: each can
// double what the text means.
const maxYAMLAliases = 8

// maxYAMLNesting is how many brackets and dashes, each possibly a level, a YAML text
// may have.
const maxYAMLNesting = 1000

var (
	// yamlListMerge finds a merge of a list, which older releases refuse.
	yamlListMerge = lazy.Regexp(`<<\s*:\s*(\[|-\s)`)
	// yamlSign finds a plain scalar that older releases take for a number without digits.
	yamlSign = lazy.Regexp(`(?m)(^|:\s+|-\s+|[\[{,]\s*)(\+|[-+]?_+)\s*($|[\]},]|\s#)`)
	// yamlNumber finds what older releases may take for a number, and newer ones for a text.
	yamlNumber = lazy.Regexp(`[0-9]_|_[0-9]|[-+]0[ox]`)
)

// newYAML returns yamldecode. Older releases refuse merges of lists and scalars of signs
// alone, and the oldest do not say what an empty document is.
func newYAML(lists, signs, empty bool) function.Function {
	decode := func(text string) (cty.Value, error) {
		switch {
		case strings.Count(text, "*") > maxYAMLAliases, strings.Count(text, "[")+strings.Count(text, "{")+strings.Count(text, "- ")+strings.Count(text, "? ") > maxYAMLNesting:
			return cty.DynamicVal, nil
		case !lists && yamlListMerge().MatchString(text):
			return cty.DynamicVal, errors.New("cannot merge a tuple into a mapping")
		case !signs && yamlSign().MatchString(text):
			return cty.DynamicVal, errors.New("cannot parse a number without digits")
		}
		t, err := yaml.Standard.ImpliedType([]byte(text))
		if err != nil {
			return cty.DynamicVal, err
		}
		v, err := yaml.Standard.Unmarshal([]byte(text), t)
		if err != nil || !empty && v.IsNull() || !signs && yamlNumber().MatchString(text) || Weight(v) > MaxWeight {
			return cty.DynamicVal, err
		}
		return v, nil
	}
	return function.New(&function.Spec{
		Params: params([]cty.Type{str}),
		Type: func(args []cty.Value) (cty.Type, error) {
			if !args[0].IsKnown() {
				return dyn, nil
			}
			v, err := decode(args[0].AsString())
			return v.Type(), err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return decode(args[0].AsString()) },
	})
}
