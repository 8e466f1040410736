// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux && !race

package checksum_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestPeakMemory runs itself in processes of its own, which hash a small and
// a large package and tell the peak of their memory.
func TestPeakMemory(t *testing.T) {
	if name := os.Getenv("CHECKSUM_PEAK_OF"); name != "" {
		peakChild(t, name)
		return
	}
	if testing.CoverMode() != "" {
		t.Skip("needs a run without -cover, which takes memory of its own")
	}
	content := benchmarkContent()[:4<<20]
	var files []file
	for i := range depth.Of(4, 8, 8) {
		files = append(files, file{name: fmt.Sprint(i), content: content})
	}
	small, large := writeZip(t, buildZip(t, file{name: "a", content: "a"})), writeZip(t, buildZip(t, files...))
	bounds.Check(t, func() string {
		// A file in memory as a whole is 4 MB.
		if a, b := peakOf(t, small), peakOf(t, large); b > a+3<<10 {
			return fmt.Sprintf("the peak is %d KiB for a byte and %d KiB for a large package", a, b)
		}
		return ""
	})
}

// peakOf returns the peak of the memory of a process that hashes a package,
// in KiB.
func peakOf(t *testing.T, name string) (kib int) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestPeakMemory$", "-test.v")
	c.Env = append(os.Environ(), "CHECKSUM_PEAK_OF="+name)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "VmHWM:")
	if n, err := fmt.Sscan(rest, &kib); n != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	return kib
}

// peakChild hashes the package and prints the peak.
func peakChild(t *testing.T, name string) {
	if _, err := (checksum.Hasher{Workers: 2}).Zip(context.Background(), name); err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("needs /proc to read the peak:", err)
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Print(line)
		}
	}
}
