// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Installtimes measures how long tofuwire install takes with a cache that is shared or
// warm, against a tofu or terraform with its own plugin cache.
//
//	go run ./installtimes [-tool PATH] [-runs N] [-processes N] [-install PATH] [-work DIR]
//
// It serves 20 signed providers of 1 MB to 100 MB, 337 MB in all, from a registry on
// loopback. In every run it measures in turn:
//
//   - one process that fills an empty cache;
//   - N processes that fill an empty cache together, each for a module of its own;
//   - the warm cache: a new module with a complete lock file, by our program, by our
//     program with every package hashed, and by the tool;
//   - the same module again, by our program and by the tool.
//
// It prints the medians of the wall and processor times and of the ratios in one run. The registry
// shares the processors with the measured programs.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// sizes are those of the packages, in MB.
var sizes = []int{100, 60, 40, 30, 20, 15, 12, 10, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1}

func main() {
	var b bench
	flag.StringVar(&b.tool, "tool", "", "`path` of tofu or terraform; without it, only our program is measured")
	flag.StringVar(&b.install, "install", "", "`path` of tofuwire; if empty, it is built")
	flag.StringVar(&b.work, "work", "", "`directory` to work in; if empty, a temporary one")
	flag.IntVar(&b.processes, "processes", 8, "how many processes share a cache")
	flag.IntVar(&b.runs, "runs", 7, "how many runs")
	flag.Parse()
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "installtimes:", err)
		os.Exit(1)
	}
}

// A bench has the programs and directories of a measurement.
type bench struct {
	tool, install, work string
	processes, runs     int

	server *registrytest.Server
	ca     string
	times  map[string][]spent // by what was measured, one a run
}

// spent is how long processes took together, and their processor time.
type spent struct{ wall, cpu time.Duration }

// run measures and prints.
func (b *bench) run() error {
	tmp, err := os.MkdirTemp(b.work, "installtimes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	b.work = tmp
	if b.install == "" {
		b.install = filepath.Join(tmp, "tofuwire")
		if out, err := exec.Command("go", "build", "-C", "../cmd/tofuwire", "-o", b.install).CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	if b.tool != "" {
		if b.tool, err = exec.LookPath(b.tool); err == nil {
			b.tool, err = filepath.Abs(b.tool)
		}
		if err != nil {
			return err
		}
	}
	if b.install, err = filepath.Abs(b.install); err != nil {
		return err
	}
	if err := b.serve(); err != nil {
		return err
	}
	defer b.server.Close()
	b.times = map[string][]spent{}
	// The files of the packages and what a server makes once are there then.
	if err := b.fill("first", 1); err != nil {
		return err
	}
	clear(b.times)
	if err := b.prepare(); err != nil {
		return err
	}
	for range b.runs {
		if err := b.fill("one", 1); err != nil {
			return err
		}
		if err := b.fill("many", b.processes); err != nil {
			return err
		}
		if err := b.warm(); err != nil {
			return err
		}
	}
	b.print()
	return nil
}

// serve starts the registry.
func (b *bench) serve() error {
	var content registrytest.Content
	platform := addrs.CurrentPlatform().String()
	for i, size := range sizes {
		noise := make([]byte, size*1_000_000)
		rand.NewChaCha8([32]byte{byte(i)}).Read(noise)
		typ := fmt.Sprint("p", i)
		name := filepath.Join(b.work, typ+".zip")
		zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-" + typ + "_v1.0.0", Mode: 0o755, Content: string(noise)})
		if err := os.WriteFile(name, zip, 0o644); err != nil {
			return err
		}
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: typ, Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: []string{platform}, File: func(string) string { return name }},
		}})
	}
	var err error
	if b.server, err = registrytest.NewServer(content); err != nil {
		return err
	}
	for i := range sizes {
		b.server.Package("acme", fmt.Sprint("p", i), "1.0.0", platform) // it is hashed now
	}
	b.ca = filepath.Join(b.work, "ca.pem")
	return os.WriteFile(b.ca, b.server.CertificatePEM(), 0o644)
}

// module writes a module that needs all providers, with a lock file if there is one.
func (b *bench) module(dir string, lock []byte) error {
	var text strings.Builder
	text.WriteString("terraform {\n  required_providers {\n")
	for i := range sizes {
		fmt.Fprintf(&text, "    p%d = { source = \"%s/acme/p%d\" }\n", i, b.server.Host(), i)
	}
	text.WriteString("  }\n}\n")
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text.String()), 0o644)
	}
	if err == nil && lock != nil {
		err = os.WriteFile(filepath.Join(dir, ".terraform.lock.hcl"), lock, 0o644)
	}
	return err
}

// command returns a command whose home is a directory.
func (b *bench) command(home, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "SSL_CERT_FILE=" + b.ca, "TF_CLI_CONFIG_FILE=" + os.DevNull, "CHECKPOINT_DISABLE=1",
		"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "TMPDIR=" + os.TempDir()}
	return cmd
}

// timed runs commands at the same time and records how long they take together.
func (b *bench) timed(what string, cmds ...*exec.Cmd) error {
	errs := make([]error, len(cmds))
	start := time.Now()
	var wg sync.WaitGroup
	for i, cmd := range cmds {
		wg.Go(func() {
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil {
				errs[i] = fmt.Errorf("%s: %w\n%s", cmd, err, out.Bytes())
			}
		})
	}
	wg.Wait()
	t := spent{wall: time.Since(start)}
	for _, cmd := range cmds {
		if s := cmd.ProcessState; s != nil {
			t.cpu += s.UserTime() + s.SystemTime()
		}
	}
	b.times[what] = append(b.times[what], t)
	return errors.Join(errs...)
}

// fill measures how long processes take to fill an empty cache. It checks that each
// package is downloaded once.
func (b *bench) fill(what string, processes int) error {
	top := filepath.Join(b.work, what)
	defer os.RemoveAll(top)
	var cmds []*exec.Cmd
	for i := range processes {
		dir := filepath.Join(top, fmt.Sprint(i))
		if err := b.module(dir, nil); err != nil {
			return err
		}
		cmds = append(cmds, b.command(filepath.Join(top, "home"), dir, b.install, "install", "-cache", filepath.Join(top, "cache"), "."))
	}
	before := b.server.Count(registrytest.KindZip)
	if err := b.timed(what, cmds...); err != nil {
		return err
	}
	if n := b.server.Count(registrytest.KindZip) - before; n != len(sizes) {
		return fmt.Errorf("%d downloads of %d packages", n, len(sizes))
	}
	return nil
}

// The warm caches, and the homes of the programs that use them.
func (b *bench) path(name string) string { return filepath.Join(b.work, "warm", name) }

// ours is our program with its warm cache.
func (b *bench) ours(dir string, args ...string) *exec.Cmd {
	return b.command(b.path("home"), dir, b.install, slices.Concat([]string{"install"}, args, []string{"-cache", b.path("cache"), "."})...)
}

// theirs is the tool with its own warm cache.
func (b *bench) theirs(dir string) *exec.Cmd {
	cmd := b.command(b.path("toolhome"), dir, b.tool, "init", "-input=false", "-no-color")
	cmd.Env = append(cmd.Env, "TF_PLUGIN_CACHE_DIR="+b.path("toolcache"))
	return cmd
}

// prepare fills the caches that are warm.
func (b *bench) prepare() error {
	for _, dir := range []string{"home", "cache", "toolhome", "toolcache"} {
		if err := os.MkdirAll(b.path(dir), 0o755); err != nil {
			return err
		}
	}
	module := b.path("module")
	if err := b.module(module, nil); err != nil {
		return err
	}
	// The second time, the files are old enough for stamps.
	for range 2 {
		if err := b.timed("prepare", b.ours(module)); err != nil {
			return err
		}
		time.Sleep(3 * time.Second)
		if err := os.RemoveAll(filepath.Join(module, ".terraform")); err != nil {
			return err
		}
	}
	if b.tool == "" {
		return nil
	}
	return b.timed("prepare", b.theirs(module))
}

// warm measures with the warm caches. It checks that our program sends no request.
func (b *bench) warm() error {
	lock, err := os.ReadFile(b.path("module/.terraform.lock.hcl"))
	if err != nil {
		return err
	}
	ours, hashed, theirs := b.path("ours"), b.path("hashed"), b.path("theirs")
	for _, dir := range []string{ours, hashed, theirs} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := b.module(dir, lock); err != nil {
			return err
		}
	}
	before := len(b.server.Requests())
	if err := b.timed("warm", b.ours(ours)); err != nil {
		return err
	}
	if err := b.timed("again", b.ours(ours)); err != nil {
		return err
	}
	if err := b.timed("hashed", b.ours(hashed, "-hash")); err != nil {
		return err
	}
	if n := len(b.server.Requests()) - before; n != 0 {
		return fmt.Errorf("%d requests with a warm cache", n)
	}
	if b.tool == "" {
		return nil
	}
	if err := b.timed("tool", b.theirs(theirs)); err != nil {
		return err
	}
	return b.timed("tool again", b.theirs(theirs))
}

// print prints medians.
func (b *bench) print() {
	row := func(name, what, of string) {
		times, base := b.times[what], b.times[of]
		if len(times) == 0 {
			return
		}
		fmt.Printf("%-34s", name)
		for _, get := range []func(spent) time.Duration{func(s spent) time.Duration { return s.wall }, func(s spent) time.Duration { return s.cpu }} {
			var values []time.Duration
			var ratios []float64
			for i := range times {
				values = append(values, get(times[i]))
				if len(base) == len(times) {
					ratios = append(ratios, float64(get(times[i]))/float64(get(base[i])))
				}
			}
			fmt.Printf(" %8.3f s", median(values).Seconds())
			if len(ratios) > 0 {
				fmt.Printf(" %6.3f (%.3f to %.3f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
			}
		}
		fmt.Println()
	}
	fmt.Printf("%d runs; medians of the wall time and of the processor time, with the ratio to the first of the group (least to most)\n", b.runs)
	row("empty cache, one process", "one", "")
	row(fmt.Sprintf("empty cache, %d processes", b.processes), "many", "one")
	row("warm cache, the tool", "tool", "")
	row("warm cache, install", "warm", "tool")
	row("warm cache, install -hash", "hashed", "tool")
	row("the same module again, the tool", "tool again", "")
	row("the same module again, install", "again", "tool again")
}

// median returns the middle of some values.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
