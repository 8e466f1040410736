// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"math/big"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Cost returns how many parts of values a call of a function looks at and makes, at most. It is in proportion to the arguments,
// apart from the functions that multiply them. It stops counting at most.
func Cost(name string, args []cty.Value, most int) int {
	n := multiplied(name, args, most)
	for _, a := range args {
		if n >= most {
			return most
		}
		n += parts(a, most-n)
	}
	return min(n, most)
}

// multiplies reports whether the results of a function can be larger than its arguments are together.
func multiplies(name string) bool {
	switch strings.TrimPrefix(name, "core::") {
	case "csvdecode", "format", "formatlist", "indent", "join", "setproduct":
		return true
	}
	return false
}

// multiplied returns what a call costs in addition to its arguments.
func multiplied(name string, args []cty.Value, most int) int {
	if len(args) == 0 || !multiplies(name) {
		return 0
	}
	switch strings.TrimPrefix(name, "core::") {
	case "csvdecode": // the names of the columns are in each row
		return times(header(text(args[0])), strings.Count(text(args[0]), "\n"), most)
	case "join":
		n := 0
		for _, a := range args[1:] {
			n = min(n+length(a), most)
		}
		return times(n, len(text(args[0])), most)
	case "setproduct":
		n, each := 1, 0
		for _, a := range args {
			l := length(a)
			n = times(n, l, most)
			each += 1 + parts(a, most)/max(l, 1)
		}
		return times(n, each, most)
	case "indent":
		if len(args) < 2 {
			return 0
		}
		return times(1+strings.Count(text(args[1]), "\n"), number(args[0], most), most)
	}
	// The same argument can be in many places of the text.
	verbs := strings.Count(text(args[0]), "%")
	each, all, repeated := len(text(args[0]))+widths(text(args[0]), most), 0, 1
	for _, a := range args[1:] {
		if l := length(a); l > 0 && name != "format" && name != "core::format" {
			repeated = max(repeated, l)
			all = max(all, times(verbs, parts(a, most), most))
		} else {
			each = max(each, times(verbs, parts(a, most), most))
		}
	}
	return min(times(repeated, 2*each, most)+all, most)
}

// header returns the length of the first row of a CSV text.
func header(s string) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '\n' && !quoted:
			return i
		}
	}
	return len(s)
}

func times(a, b, most int) int {
	if a > 0 && b > most/a {
		return most
	}
	return a * b
}

// text returns the text that v is, or "".
func text(v cty.Value) string {
	v, _ = v.Unmark()
	if v.Type() != cty.String || !v.IsKnown() || v.IsNull() {
		return ""
	}
	return v.AsString()
}

// length returns the number of elements of v, or 0.
func length(v cty.Value) int {
	v, _ = v.Unmark()
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return 0
	}
	return v.LengthInt()
}

// number returns the number that v is, with no sign.
func number(v cty.Value, most int) int {
	v, _ = v.Unmark()
	if v.Type() != cty.Number || !v.IsKnown() || v.IsNull() {
		return 0
	}
	f := new(big.Float).Abs(v.AsBigFloat())
	if f.Cmp(big.NewFloat(float64(most))) >= 0 {
		return most
	}
	n, _ := f.Int64()
	return int(n)
}

// widths returns the sum of the numbers behind the percent signs of s.
func widths(s string, most int) int {
	sum := 0
	for i := range len(s) {
		if s[i] != '%' {
			continue
		}
		n := 0
		for j := i + 1; j < len(s) && sum < most && (s[j] < 'a' || s[j] > 'z') && s[j] != '%'; j++ {
			if s[j] < '0' || s[j] > '9' {
				sum, n = sum+n, 0
				continue
			}
			n = min(n*10+int(s[j]-'0'), most)
		}
		sum = min(sum+n, most)
	}
	return sum
}
