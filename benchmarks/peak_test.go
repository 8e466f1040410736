// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/benchmarks/peak"
)

// reportPeak runs a process for each turn of b, and reports the highest of the
// peaks of memory that the processes print.
func reportPeak(b *testing.B, command func() *exec.Cmd) {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Skip("needs Linux, which reports the peak memory of a process")
	}
	most := 0.0
	for b.Loop() {
		out, err := command().CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		_, line, ok := strings.Cut("\n"+string(out), "\n"+peak.Prefix)
		line, _, _ = strings.Cut(line, "\n")
		kib, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		if !ok || err != nil {
			b.Fatalf("the process printed no peak: %v\n%s", err, out)
		}
		most = max(most, kib/1024)
	}
	b.ReportMetric(most, "peak-MiB")
}

// buildChild builds the program in a folder of this module and returns its
// name.
func buildChild(b *testing.B, dir string) string {
	b.Helper()
	child := filepath.Join(b.TempDir(), filepath.Base(dir))
	if out, err := exec.Command("go", "build", "-o", child, "./"+dir).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return child
}
