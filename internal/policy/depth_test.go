// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestDepth checks that one variable of the environment says how deep all tests
// go, see internal/testing/depth: none has flags but to write golden files, none
// asks for -short, and none starts a program because it is on PATH. None counts memory or
// goroutines of the process, in which the runtime has a part, but by internal/testing/bounds.
func TestDepth(t *testing.T) {
	found := regexp.MustCompile(`testing\.Short\(|exec\.LookPath\(|\bflag\.\w+\("[^"]*"|\bruntime\.(ReadMemStats|NumGoroutine)\(`)
	allowed := regexp.MustCompile(`flag\.Bool\("update|flag\.Lookup\("test\.|flag\.Set\(`) // the last sets one that a library has
	files := 0
	for _, name := range goFiles(t) {
		if !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(strings.TrimPrefix(name, "cmd/"), "internal/testing/") {
			continue
		}
		files++
		if strings.HasPrefix(name, "benchmarks/") || name == "internal/policy/depth_test.go" || name == "internal/testing/bounds/measure.go" {
			continue // a module of its own, whose benchmarks have arguments
		}
		for _, call := range found.FindAllString(string(read(t, name)), -1) {
			if !allowed.MatchString(call) {
				t.Errorf("%s has %s: see internal/testing/depth and bounds", name, call)
			}
		}
	}
	if files < 300 {
		t.Errorf("only %d files with tests", files)
	}
}
