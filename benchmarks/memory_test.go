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
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/benchmarks/peak"
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
				reportPeak(b, func() *exec.Cmd {
					c := exec.Command(os.Args[0], "-test.run=^TestMemoryChild$", "-test.v")
					c.Env = append(os.Environ(), "MEMORY_JOB="+job, "MEMORY_FILE="+name)
					return c
				})
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
// plan: in memory, from a file to a writer, and from a pipe to a writer; or that
// reads its resource changes one by one. The process is a small program of its
// own, because the collector gives a program that holds much more room.
func BenchmarkRedactMemory(b *testing.B) {
	child := buildChild(b, "planpeak")
	for _, size := range sizes("1MB", "10MB", "100MB", "500MB") {
		name := planFile(b, size)
		for _, impl := range []string{"none", "changes", "stream", "pipe", "memory", "terraform-json"} {
			if impl == "memory" && megabytes[size] > 100 || impl == "terraform-json" && megabytes[size] > 10 {
				continue // gigabytes, or minutes
			}
			b.Run(fmt.Sprintf("size=%s/impl=%s", size, impl), func(b *testing.B) {
				reportPeak(b, func() *exec.Cmd { return exec.Command(child, impl, name) })
			})
		}
	}
}

// TestMemoryChild is the process that BenchmarkMemory measures.
func TestMemoryChild(t *testing.T) {
	job, ok := memoryJobs[os.Getenv("MEMORY_JOB")]
	if !ok {
		t.Skip("needs to be started by BenchmarkMemory")
	}
	if err := job(os.Getenv("MEMORY_FILE")); err != nil {
		t.Fatal(err)
	}
	if err := peak.Print(); err != nil {
		t.Fatal(err)
	}
}
