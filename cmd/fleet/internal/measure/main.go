// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Measure makes plans and states of 1 MB on average and measures how fast fleet
// reads them, against the streaming readers alone, and the memory that it takes.
//
//	go run ./internal/measure [-dir DIR] [-documents N] [-workers N] [-rounds N]
//
// Figures are processor time, the least of all rounds, so other work on the machine
// matters little. Compare within one run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/scan"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

var (
	dir       = flag.String("dir", filepath.Join(os.TempDir(), "fleet-measure"), "make documents in `DIR`")
	documents = flag.Int("documents", 100, "how many")
	smaller   = flag.Int("smaller", 1, "make them `N` times smaller")
	workers   = flag.Int("workers", runtime.GOMAXPROCS(0), "how many are read at once when the speed is measured; memory is measured with 8")
	rounds    = flag.Int("rounds", 3, "how often each is measured, in turn")
	only      = flag.Bool("only-make", false, "make the documents, and measure nothing")
	child     = flag.String("child", "", "do only this: stream, stream-redacted, scan-reveal or scan")
	profile   = flag.String("profile", "", "with -child, write a profile of the processor to `FILE`")
)

func main() {
	flag.Parse()
	if *child != "" {
		err := profiled(func() error { return work(*child) })
		if err == nil {
			err = peak()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "measure:", err)
			os.Exit(2)
		}
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(2)
	}
}

// size returns the length of a document: 60 of 100 have 0.2 MB, one 22 MB, and one
// of 1,000 has 100 MB in place of 22.
func size(i int) int {
	switch n := i % 100; {
	case i%1000 == 999:
		return 100e6
	case n == 99:
		return 22e6
	case n%10 == 5 && n < 95:
		return 4e6
	case n%10 < 3:
		return 1e6
	}
	return 200e3
}

func run() error {
	total := int64(0)
	for i := range *documents {
		name := filepath.Join(*dir, fmt.Sprintf("%05d", i/100), fmt.Sprintf("%05d.json", i))
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		text := document(i, size(i)/max(1, *smaller))
		total += int64(len(text))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d documents, %.0f MB\n", *documents, float64(total)/1e6)
	if *only {
		return nil
	}
	seconds := make(map[string]float64)
	kinds := []string{"stream", "stream-redacted", "scan-reveal", "scan"}
	for range max(1, *rounds) {
		for _, what := range kinds {
			took, _, err := measure(what, *workers)
			if err != nil {
				return err
			}
			if least, ok := seconds[what]; !ok || took < least {
				seconds[what] = took
			}
		}
	}
	for _, what := range kinds {
		_, memory, err := measure(what, 8)
		if err != nil {
			return err
		}
		fmt.Printf("%-16s %6.2f s, %5.0f MB/s of one core; peak with 8 workers %s\n", what, seconds[what], float64(total)/1e6/seconds[what], memory)
	}
	fmt.Printf("with %d workers: scan-reveal / stream %.2f, scan / stream-redacted %.2f, scan / stream %.2f\n", *workers,
		seconds["stream"]/seconds["scan-reveal"], seconds["stream-redacted"]/seconds["scan"], seconds["stream"]/seconds["scan"])
	return nil
}

// measure runs a child and returns its processor time and the most memory it had.
func measure(what string, workers int) (seconds float64, memory string, err error) {
	c := exec.Command(os.Args[0], "-dir", *dir, "-documents", fmt.Sprint(*documents), "-workers", fmt.Sprint(workers), "-child", what)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w", what, err)
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), strings.TrimSpace(string(out)), nil
}

// peak prints the most memory that the process has had. That of the process's
// resource usage would include the memory of its parent.
func peak() error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return err
	}
	_, err = fmt.Println(kib/1024, "MiB")
	return err
}

// profiled calls f and writes the profile of it, if that is asked for.
func profiled(f func() error) error {
	if *profile == "" {
		return f()
	}
	out, err := os.Create(*profile)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}

// work is what a child does.
func work(what string) error {
	if strings.HasPrefix(what, "scan") {
		scan.Memory()
		name := filepath.Join(*dir, what+".db")
		os.Remove(name)
		defer os.Remove(name)
		ctx := context.Background()
		o := rows.Options{Reveal: what == "scan-reveal"}
		db, err := inventory.Open(ctx, name, o, "")
		if err != nil {
			return err
		}
		var places []string
		for i := range (*documents + 99) / 100 {
			places = append(places, filepath.Join(*dir, fmt.Sprintf("%05d", i)))
		}
		n := new(scan.Counts)
		if err := scan.Run(ctx, db, places, scan.Options{Rows: o, Workers: *workers}, n); err != nil {
			return err
		}
		if n.Faults.Load() > 0 || n.Documents.Load() < int64(*documents) {
			return fmt.Errorf("%d documents, %d faults", n.Documents.Load(), n.Faults.Load())
		}
		return db.Close()
	}
	for i := range *documents {
		f, err := os.Open(filepath.Join(*dir, fmt.Sprintf("%05d", i/100), fmt.Sprintf("%05d.json", i)))
		if err != nil {
			return err
		}
		if err := stream(f, i%2 == 0, what == "stream-redacted"); err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// stream reads a document with functions that do nothing.
func stream(f *os.File, plan, redacted bool) error {
	var r io.Reader = f
	if redacted {
		in, out := io.Pipe()
		go func() {
			var err error
			if plan {
				_, err = redact.Redactor{}.WritePlan(out, f)
			} else {
				_, err = redact.Redactor{}.WriteState(out, f)
			}
			out.CloseWithError(err)
		}()
		r = in
	}
	resource := func(*planjson.Resource) error { return nil }
	change := func(*planjson.ResourceChange) error { return nil }
	if plan {
		return planjson.ReadPlan(r, planjson.PlanReader{PlannedResource: resource, ResourceChange: change, ResourceDrift: change})
	}
	return planjson.ReadState(r, planjson.StateReader{Resource: resource})
}

// document returns a plan or a state of about n bytes. The same arguments give the
// same bytes.
func document(i, n int) []byte {
	m := rand.New(rand.NewPCG(uint64(i), 7))
	var b strings.Builder
	resource := func(k int, plan bool) {
		address := fmt.Sprintf(`"address":"module.m%d.aws_instance.r[%d]","module_address":"module.m%[1]d","mode":"managed","type":"aws_instance","name":"r","index":%[2]d,"provider_name":"registry.opentofu.org/hashicorp/aws"`, k%7, k)
		values := func() string {
			var v strings.Builder
			fmt.Fprintf(&v, `{"id":"i-%016x","password":"%016x","tags":{"Name":"web-%d","Owner":"team-%d","CostCenter":"%d"}`, m.Uint64(), m.Uint64(), k, m.IntN(20), m.IntN(1000))
			for a := range 20 {
				switch a % 4 {
				case 0:
					fmt.Fprintf(&v, `,"attribute_%d":"arn:aws:service:eu-central-1:%012d:thing/%08x"`, a, m.Int64N(1e12), m.Uint32())
				case 1:
					fmt.Fprintf(&v, `,"attribute_%d":%d`, a, m.IntN(10000))
				case 2:
					fmt.Fprintf(&v, `,"attribute_%d":%t`, a, m.IntN(2) == 0)
				default:
					fmt.Fprintf(&v, `,"attribute_%d":null`, a)
				}
			}
			return v.String() + "}"
		}
		if !plan {
			fmt.Fprintf(&b, `{%s,"schema_version":1,"values":%s,"sensitive_values":{"password":true,"tags":{}}}`, address, values())
			return
		}
		v := values()
		action := "no-op"
		if k%20 == 0 {
			action = "update"
		}
		fmt.Fprintf(&b, `{%s,"change":{"actions":["%s"],"before":%s,"after":%s,"after_unknown":{},"before_sensitive":{"password":true,"tags":{}},"after_sensitive":{"password":true,"tags":{}}}}`,
			address, action, v, strings.Replace(v, `"Owner":"team-`, `"Owner":"the-team-`, 1))
	}
	plan := i%2 == 0
	if plan {
		b.WriteString(`{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[`)
	} else {
		b.WriteString(`{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{"child_modules":[{"address":"module.m","resources":[`)
	}
	for k := 0; k == 0 || b.Len() < n; k++ {
		if k > 0 {
			b.WriteByte(',')
		}
		resource(k, plan)
	}
	if plan {
		b.WriteString(`],"configuration":{"root_module":{}},"timestamp":"2026-11-01T00:00:00Z","errored":false}`)
	} else {
		b.WriteString(`]}]}}}`)
	}
	return []byte(b.String())
}
