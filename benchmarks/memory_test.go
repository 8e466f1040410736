// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// memoryJobs are what BenchmarkMemory has a child process do with a file.
var memoryJobs = map[string]func(name string) error{
	"nothing": func(string) error { return nil },
	"read": func(name string) error {
		_, err := os.ReadFile(name)
		return err
	},
	"decode/tofuwire":           decodeFile(decodePlan),
	"decode/go-json-experiment": decodeFile(expPlanDecode),
	"decode/goccy":              decodeFile(gocPlanDecode),
	"decode/terraform-json":     decodeFile(peerPlan),
	"stream/tofuwire":           streamFile(streamChanges),
	"stream/jsontext":           streamFile(jsontextStream),
	"stream/encoding-json":      streamFile(encodingStream),
}

func decodeFile(decode func([]byte) error) func(string) error {
	return func(name string) error {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return decode(text)
	}
}

func streamFile(stream func(io.Reader) error) func(string) error {
	return func(name string) error {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return stream(f)
	}
}

// BenchmarkMemory reports the peak memory of a process that decodes or
// streams one plan.
func BenchmarkMemory(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB", "500MB") {
		name := planFile(b, size)
		for _, job := range []string{"nothing", "read", "stream/tofuwire", "stream/jsontext", "stream/encoding-json", "decode/tofuwire", "decode/go-json-experiment", "decode/goccy", "decode/terraform-json"} {
			if size == "500MB" && strings.HasPrefix(job, "decode/") && job != "decode/tofuwire" {
				continue // gigabytes
			}
			b.Run(fmt.Sprintf("size=%s/impl=%s", size, strings.ReplaceAll(job, "/", "-")), func(b *testing.B) {
				peak := 0.0
				for b.Loop() {
					peak = max(peak, peakMemory(b, job, name))
				}
				b.ReportMetric(peak, "peak-MiB")
			})
		}
	}
}

// planFile writes a plan of about the size to a file and returns its name.
func planFile(b *testing.B, size string) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "plan.json")
	open, _ := streamInput(b, size)
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err := io.Copy(w, open()); err != nil {
		b.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return name
}

// BenchmarkRedactMemory reports the peak memory of a process that redacts one
// plan: in memory, from a file to a writer, and from a pipe to a writer. The
// process is a small program of its own, because the collector gives a program
// that holds much more room.
func BenchmarkRedactMemory(b *testing.B) {
	child := filepath.Join(b.TempDir(), "planpeak")
	if out, err := exec.Command("go", "build", "-o", child, "./planpeak").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, size := range sizes("1MB", "10MB", "100MB", "500MB") {
		name := planFile(b, size)
		for _, impl := range []string{"none", "stream", "pipe", "memory", "terraform-json"} {
			if impl == "memory" && megabytes[size] > 100 || impl == "terraform-json" && megabytes[size] > 10 {
				continue // gigabytes, or minutes
			}
			b.Run(fmt.Sprintf("size=%s/impl=%s", size, impl), func(b *testing.B) {
				peak := 0.0
				for b.Loop() {
					out, err := exec.Command(child, impl, name).CombinedOutput()
					if err != nil {
						b.Fatalf("%v\n%s", err, out)
					}
					kib, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
					if err != nil {
						b.Fatal(err)
					}
					peak = max(peak, kib/1024)
				}
				b.ReportMetric(peak, "peak-MiB")
			})
		}
	}
}

// peakMemory runs a job in a child process and returns its peak memory in MiB.
func peakMemory(b *testing.B, job, name string) float64 {
	b.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestMemoryChild$", "-test.v")
	c.Env = append(os.Environ(), "MEMORY_JOB="+job, "MEMORY_FILE="+name)
	out, err := c.CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 64)
			if err != nil {
				b.Fatal(err)
			}
			return n / 1024
		}
	}
	b.Skip("this system does not tell the peak memory of a process")
	return 0
}

// TestMemoryChild is the process that BenchmarkMemory measures.
func TestMemoryChild(t *testing.T) {
	job, ok := memoryJobs[os.Getenv("MEMORY_JOB")]
	if !ok {
		t.Skip("only for BenchmarkMemory")
	}
	if err := job(os.Getenv("MEMORY_FILE")); err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Print(line)
		}
	}
}
