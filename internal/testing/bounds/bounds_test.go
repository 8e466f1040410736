// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// caseVariable asks the test binary to run one row once and to print how long it took.
const caseVariable = "TOFUWIRE_BOUNDS_CASE"

// timesVariable turns the comparison of processor times on. It has a part of the names of the cases, or "all".
const timesVariable = "TOFUWIRE_BOUNDS"

// limit is how many times as much a doubled size may take, with the sizes of what is written taken into account.
const limit = 2.3

func TestMain(m *testing.M) {
	if text := os.Getenv(caseVariable); text != "" {
		os.Exit(one(text))
	}
	os.Exit(m.Run())
}

// A trial is a row with a shape.
type trial struct {
	row   Row
	shape Shape
}

func (c trial) String() string {
	return fmt.Sprintf("%s: %s, %s", c.row.Name, c.shape.Format, c.shape.Name)
}

func trials() []trial {
	var out []trial
	for _, r := range Rows() {
		for _, s := range Shapes() {
			if slices.Contains(r.Formats, s.Format) {
				out = append(out, trial{r, s})
			}
		}
	}
	return out
}

// run runs a trial on its n parts, and returns the size of what it reads and writes, how many bytes are allocated, and how
// often something is: that counts steps.
func (c trial) run(n int) (size int, cost Cost) {
	src := []byte(c.shape.Make(n))
	cost = Of(func() { size = len(src) + c.row.Run(src) })
	return size, cost
}

// maxAllocated is how many times as many bytes are allocated for twice the size, at most: the mean of two doublings, with what is
// rounded. Of a square it is 4. maxSteps is that of allocations, which are not rounded.
const (
	maxAllocated = 3
	maxSteps     = 2.4
)

// What is allocated grows in proportion to the size, and so do the steps. The sample has one trial in eight.
func TestAllocated(t *testing.T) {
	every := depth.Of(8, 1, 1)
	for i, c := range trials() {
		// What nests goes to another parser from some depth on: only times are compared.
		if i%every != 0 || strings.HasPrefix(c.shape.Name, "deep ") || c.shape.Name == "splats" || budgeted[c.shape.Name] || c.square() {
			continue
		}
		n := max(c.shape.Size/2, 50)
		c.run(n) // what is made once
		Check(t, func() string {
			small, a := c.run(n)
			large, b := c.run(4 * n)
			mean := func(a, b uint64) float64 {
				return math.Sqrt(float64(b) / float64(max(a, 1)) * 4 / (float64(large) / float64(small)))
			}
			for _, count := range []struct {
				what        string
				a, b, least uint64
				limit       float64
			}{{"bytes", a.Bytes, b.Bytes, 1 << 20, maxAllocated}, {"allocations", a.Mallocs, b.Mallocs, 10_000, maxSteps}} {
				if ratio := mean(count.a, count.b); count.b > count.least && ratio > count.limit {
					return fmt.Sprintf("%s: %d %s for a size of %d, %d for %d: %.2f times as many for each doubling", c, count.a, count.what, small, count.b, large, ratio)
				}
			}
			return ""
		})
	}
}

// budgeted are shapes whose square is what the budget of evaluation is for: they are within it, where they are small.
var budgeted = map[string]bool{"uses of a large value": true, "chain of merges": true, "regular expressions": true, "doubling": true,
	"comparisons of a large value": true, "copies of a text": true, "loops over a large value": true, "uses of a large default": true, "rows of CSV": true}

// squares are rows with formats, and trials, that are known to take the square, with the reason.
var squares = map[string]string{
	"bridge: native, conditional of lists": "the expression is HCL's own: SECURITY.md says so",
	"edit, native":                         "a block without the layout of fmt is read and laid out for each edit, and some shapes are such blocks; the others are counted in hcledit",
}

func (c trial) square() bool {
	return squares[c.row.Name+", "+string(c.shape.Format)] != "" || squares[c.String()] != ""
}

// one runs a trial in a process of its own.
func one(text string) int {
	name, number, _ := strings.Cut(text, "@")
	n, _ := strconv.Atoi(number)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	for _, c := range trials() {
		if c.String() != name {
			continue
		}
		src := []byte(c.shape.Make(n))
		begin := used()
		out := c.row.Run(src)
		fmt.Printf("%d %d\n", used()-begin, len(src)+out)
		return 0
	}
	return 1
}

// timed returns the least processor time of some runs, in microseconds, and the size.
func timed(t *testing.T, c trial, n, runs int) (least int64, size int) {
	t.Helper()
	for range runs {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s@%d", caseVariable, c, n), "GOMAXPROCS=1")
		out, err := cmd.CombinedOutput()
		var micro int64
		if err == nil {
			_, err = fmt.Sscan(string(out), &micro, &size)
		}
		if err != nil {
			t.Fatalf("%s of %d: %v\n%.2000s", c, n, err, out)
		}
		if least == 0 || micro < least {
			least = micro
		}
	}
	return least, size
}

// The processor time of a doubled size, the least of five processes, is not more than 2.3 times as long. The sizes
// are made larger until a trial takes so long that it can be measured, and the budget of evaluation is used up. If a doubling
// takes longer, the next two must too, because caches that are too small for the larger size and the garbage collector make steps.
func TestTime(t *testing.T) {
	want := os.Getenv(timesVariable)
	if want == "" {
		t.Skipf("needs %s=all, or a part of the names of the trials: .ci/run bounds", timesVariable)
	}
	for _, c := range trials() {
		if want != "all" && !strings.Contains(c.String(), want) || c.square() {
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			n := c.shape.Size
			if budgeted[c.shape.Name] {
				n *= 8
			}
			micro, _ := timed(t, c, n, 1)
			for micro < 20_000 && n < 200*c.shape.Size {
				n *= 2
				micro, _ = timed(t, c, n, 1)
			}
			if micro < 5000 {
				t.Skipf("needs an input that takes 5 milliseconds: %d parts take %d microseconds", n, micro)
			}
			for _, runs := range []int{1, 5, 5, 5} {
				ratio := doubled(t, c, n, runs)
				if ratio <= limit {
					return
				}
				if runs == 5 {
					n *= 2
				}
			}
			t.Errorf("more than %v times as long for twice the size, three times in a row", limit)
		})
	}
}

// doubled returns how many times as long a trial takes for 2n parts than for n, with what it reads and writes taken into account.
func doubled(t *testing.T, c trial, n, runs int) float64 {
	t.Helper()
	a, half := timed(t, c, n, runs)
	b, whole := timed(t, c, 2*n, runs)
	// What is written may end at a limit: it counts where it grows more than what is read.
	ratio := float64(b) / float64(max(a, 1)) * 2 / max(2, float64(whole)/float64(half))
	t.Logf("%d bytes: %d ms; %d bytes: %d ms; %.2f", half, a/1000, whole, b/1000, ratio)
	return ratio
}
