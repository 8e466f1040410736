// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package depth says how deep the tests of this repository go. One variable of
// the environment steers all of them:
//
//	TOFUWIRE_DEPTH=         a fixed sample, the same on every machine: go test ./... takes about a minute
//	TOFUWIRE_DEPTH=full     every case, and inputs of the sizes that the limits are about; .ci/run tests so what a change reaches
//	TOFUWIRE_DEPTH=nightly  every field of every object, and many random edits, with another seed each night
//
// The seed of a nightly run is TOFUWIRE_SEED, a number. Without it a run takes the
// day. A test that fails prints the seed, so that the same one can be tried again.
//
// A test that starts a real program does so only if it is told which:
//
//	TOFUWIRE_TOFU=/usr/bin/tofu  TOFUWIRE_TERRAFORM=/usr/bin/terraform  TOFUWIRE_BROWSER=/usr/bin/chromium
//
// Tests that read configuration of other people find it in TOFUWIRE_CONFIGS, a list of
// folders.
package depth

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The names of the variables.
const (
	variable     = "TOFUWIRE_DEPTH"
	seedVariable = "TOFUWIRE_SEED"
)

// level returns 0 for the sample, 1 for the full depth and 2 for the nightly one.
func level() int {
	switch value := os.Getenv(variable); value {
	case "":
		return 0
	case "full":
		return 1
	case "nightly":
		return 2
	default:
		panic(fmt.Sprintf("%s is %q; it can be empty, full or nightly", variable, value))
	}
}

// Of returns the value for the depth of this run: how many rounds, every
// how manieth case, how large an input.
func Of[T any](sample, full, nightly T) T { return [...]T{sample, full, nightly}[level()] }

// IsFull reports whether more than the sample is to be tried.
func IsFull() bool { return level() > 0 }

// NeedFull skips a test that has no smaller form. The reason says what it costs:
// "it builds programs".
func NeedFull(tb testing.TB, reason string) {
	tb.Helper()
	if !IsFull() {
		tb.Skipf("needs %s=full: %s", variable, reason)
	}
}

// Seed returns where random numbers begin: a fixed number, or that of the
// night. It logs the latter.
func Seed(tb testing.TB) uint64 {
	tb.Helper()
	text := os.Getenv(seedVariable)
	switch {
	case text == "" && level() < 2:
		return 1
	case text == "":
		text = time.Now().UTC().Format("20060102")
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		tb.Fatalf("%s: %v", seedVariable, err)
	}
	tb.Logf("%s=%d", seedVariable, seed)
	return seed
}

// Rand returns random numbers of a test's own: those of a fuzz target or test
// with another name are others.
func Rand(tb testing.TB) *rand.Rand {
	tb.Helper()
	h := fnv.New64a()
	h.Write([]byte(tb.Name()))
	return rand.New(rand.NewPCG(Seed(tb), h.Sum64()))
}

// Tool returns the path of a real program, such as tofu, terraform, browser or patch, that
// the environment names. Without one it skips the test, whatever is on PATH.
func Tool(tb testing.TB, name string) string {
	tb.Helper()
	of := "TOFUWIRE_" + strings.ToUpper(name)
	path := os.Getenv(of)
	if path == "" {
		tb.Skipf("needs %s, the path of a program", of)
	}
	if _, err := os.Stat(path); err != nil {
		tb.Fatalf("%s: %v", of, err)
	}
	return path
}

// Tools returns the paths of those of the programs tofu and terraform that the
// environment names, by their names, and skips the test if it names none.
func Tools(tb testing.TB) map[string]string {
	tb.Helper()
	paths := map[string]string{}
	for _, name := range []string{"tofu", "terraform"} {
		if os.Getenv("TOFUWIRE_"+strings.ToUpper(name)) != "" {
			paths[name] = Tool(tb, name)
		}
	}
	if len(paths) == 0 {
		tb.Skip("needs TOFUWIRE_TOFU or TOFUWIRE_TERRAFORM, the path of a program")
	}
	return paths
}

// Folders returns the folders with configuration of other people that
// TOFUWIRE_CONFIGS lists, in the manner of PATH. Tests read them in place of the fixtures.
func Folders() []string { return filepath.SplitList(os.Getenv("TOFUWIRE_CONFIGS")) }
