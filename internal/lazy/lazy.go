// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lazy makes regular expressions when they are first used. Compiled at the start, those of
// all packages took a tenth of the processor time of a program that shows a saved plan.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function for the expression that a pattern says. Goroutines may call it
// concurrently; it panics if the pattern is none, so a test that uses it is needed.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
