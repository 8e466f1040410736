// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package depth_test

import (
	"os"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

func TestOf(t *testing.T) {
	for value, want := range map[string]int{"": 1, "full": 2, "nightly": 3} {
		t.Setenv("TOFUWIRE_DEPTH", value)
		if got := depth.Of(1, 2, 3); got != want {
			t.Errorf("%q: %d", value, got)
		}
		if depth.IsFull() != (value != "") {
			t.Errorf("%q: IsFull is %v", value, depth.IsFull())
		}
	}
	t.Setenv("TOFUWIRE_DEPTH", "long")
	defer func() {
		if recover() == nil {
			t.Error("a value that there is not was taken")
		}
	}()
	depth.IsFull()
}

// The sample is the same every time; a night has its own seed, which can be repeated.
func TestSeed(t *testing.T) {
	t.Setenv("TOFUWIRE_SEED", "")
	t.Setenv("TOFUWIRE_DEPTH", "full")
	if seed := depth.Seed(t); seed != 1 {
		t.Errorf("seed %d", seed)
	}
	a, b := depth.Rand(t).Uint64(), depth.Rand(t).Uint64()
	t.Setenv("TOFUWIRE_DEPTH", "nightly")
	if seed := depth.Seed(t); seed < 20260101 {
		t.Errorf("seed %d", seed)
	}
	t.Setenv("TOFUWIRE_SEED", "7")
	if seed := depth.Seed(t); seed != 7 {
		t.Errorf("seed %d", seed)
	}
	if c := depth.Rand(t).Uint64(); a != b || a == c {
		t.Error(a, b, c)
	}
}

// A program on PATH is not one that a test was told of.
func TestTool(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TOFUWIRE_TOFU", self)
	if depth.Tool(t, "tofu") != self {
		t.Error("another program")
	}
	t.Setenv("TOFUWIRE_TERRAFORM", "")
	skipped := false
	t.Run("none", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		depth.Tool(t, "terraform")
	})
	if !skipped {
		t.Error("not skipped")
	}
}
