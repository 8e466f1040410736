// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"errors"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// unlessCostly returns f with an unknown result, of no known type, where a text that is an argument costs too much. The
// arguments of f are texts.
func unlessCostly(f function.Function, costly func(texts []string) bool) function.Function {
	isCostly := func(args []cty.Value) bool {
		texts := make([]string, len(args))
		for i, a := range args {
			if !a.IsKnown() || a.IsNull() || a.Type() != str {
				return false
			}
			texts[i] = a.AsString()
		}
		return costly(texts)
	}
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if isCostly(args) {
				return dyn, nil
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if isCostly(args) {
				return cty.UnknownVal(t), nil
			}
			return f.Call(args)
		},
	})
}

// maxMatch is how many steps matching a text may take.
const maxMatch = 1 << 18

// matching bounds a function that matches a text with a pattern: it can take one step for each byte and each part of
// the pattern, with its repetitions.
func matching(f function.Function) function.Function {
	return unlessCostly(f, func(texts []string) bool {
		return len(texts) == 2 && patternSize(texts[0]) > maxMatch/(len(texts[1])+1)
	})
}

var errLongClass = errors.New("error parsing regexp: invalid character class range")

// shortClasses returns f, which matches with a pattern, of programs whose patterns do not know the
// long names of classes, such as \p{Letter}.
func shortClasses(f function.Function) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if p, _ := args[0].Unmark(); p.IsKnown() && !p.IsNull() && hasLongClass(p.AsString()) {
				return dyn, function.NewArgError(0, errLongClass)
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// hasLongClass reports whether a pattern has a class with a name that package regexp knows since
// Go 1.25 only.
func hasLongClass(pattern string) bool {
	for {
		i := strings.IndexByte(pattern, '\\')
		if i < 0 || i+2 > len(pattern) {
			return false
		}
		rest := pattern[i+2:]
		if c := pattern[i+1]; c == 'p' || c == 'P' {
			if name, _, ok := strings.Cut(strings.TrimPrefix(rest, "{"), "}"); ok && strings.HasPrefix(rest, "{") && isLongClass(strings.TrimPrefix(name, "^")) {
				return true
			}
		}
		pattern = rest
	}
}

func isLongClass(name string) bool {
	switch name {
	case "ASCII", "Assigned", "Cn", "LC":
		return true
	}
	_, category := unicode.Categories[name]
	_, script := unicode.Scripts[name]
	_, err := syntax.Parse(`\p{`+name+`}`, syntax.Perl)
	return !category && !script && name != "Any" && err == nil
}

// patternSize returns how many parts a pattern has, with its repetitions, or about as many. It is 0 if the pattern is wrong.
func patternSize(pattern string) int {
	x, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	return partsOfPattern(x)
}

func partsOfPattern(x *syntax.Regexp) int {
	n := 1 + len(x.Rune)
	for _, sub := range x.Sub {
		n += partsOfPattern(sub)
	}
	if x.Op == syntax.OpRepeat {
		n *= max(x.Min, x.Max, 1)
	}
	return n
}

// decoding bounds a function that decodes JSON: the document may not nest deeper than a value that means
// something, or have numbers that are out of range.
func decoding(f function.Function) function.Function {
	return unlessCostly(f, func(texts []string) bool { return len(texts) == 1 && !modestJSON(texts[0]) })
}

// modestJSON reports whether a text nests little and has no number that is out of range.
func modestJSON(s string) bool {
	const maxDepth = 100 // as in [hclbound.Weight]
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case c == '[' || c == '{':
			if depth++; depth >= maxDepth {
				return false
			}
		case c == ']' || c == '}':
			depth--
		case c == '-' || '0' <= c && c <= '9':
			from := i
			for i+1 < len(s) && isNumeric(s[i+1]) {
				i++
			}
			if !numlimit.Expression(s[from : i+1]) {
				return false
			}
		}
	}
	return true
}

func isNumeric(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}
