// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
)

// pathOf returns the steps of a reference after its subject.
func pathOf(ref addrs.Reference) string {
	if !ref.HasRemaining() {
		return ""
	}
	var b strings.Builder
	for step := range ref.Remaining() {
		b.WriteString(step.String())
	}
	return strings.TrimPrefix(b.String(), ".")
}

// overlap reports whether one of two paths leads to a part of the other, or to
// the same.
func overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return isPart(b, a)
}

// isPart reports whether a path leads to a part of another one, or to the same.
func isPart(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (of == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// withoutKey returns the address of a module instance without its last key.
func withoutKey(address string) string {
	for i := 0; i < len(address); i++ {
		if address[i] == '[' {
			end := plantext.KeyEnd(address, i)
			if end >= len(address)-1 {
				return address[:i]
			}
			i = end
		}
	}
	return address
}

// parentOf returns the address of the module instance around another one.
func parentOf(address string) string {
	last := 0
	for i := 0; i < len(address); i++ {
		switch {
		case address[i] == '[':
			i = plantext.KeyEnd(address, i)
		case strings.HasPrefix(address[i:], ".module."):
			last = i
			i += len(".module.") - 1
		}
	}
	return address[:last]
}

// ends returns where an address in front of a path can end, the longest first.
func ends(text string) []int {
	var all []int
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '.':
			all = append(all, i)
		case '[':
			all = append(all, i)
			i = plantext.KeyEnd(text, i)
		}
	}
	all = append(all, len(text))
	slices.Reverse(all)
	return all
}
