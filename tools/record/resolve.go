// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// resolutionsFile has what tools selected, for the test of install.Resolve.
const resolutionsFile = "registry/install/testdata/resolutions.txt"

// A resolution is one provider, whose version a tool selects.
type resolution struct {
	name        string
	versions    []string // those of the registry
	constraints []string // of the root module, and of two modules that it calls; "" is none
	locked      string   // or ""
	upgrade     bool
	got         string // the version, or "error"
}

// String returns the line of the file.
func (r *resolution) String() string {
	mode := "keep"
	if r.upgrade {
		mode = "upgrade"
	}
	return strings.Join([]string{r.name, strings.Join(r.versions, " "), strings.Join(r.constraints, " ; "), r.locked, mode, r.got}, " | ")
}

// newResolutions makes cases, the same each time.
func newResolutions(n int) []*resolution {
	rnd := rand.New(rand.NewPCG(19, 1))
	pick := func(list []string) string { return list[rnd.IntN(len(list))] }
	pool := []string{"0.1.0", "0.9.9", "0.10.0", "1.0.0-beta.1", "1.0.0-beta.2", "1.0.0-rc1", "1.0.0", "1.0.1", "1.1.0", "1.2.0", "1.2.3", "1.2.10", "1.3.0-alpha", "1.10.0",
		"2.0.0-beta", "2.0.0", "2.0.1+build.5", "2.1.0", "2.5.7", "3.0.0-rc.1", "3.0.0", "10.0.0"}
	operands := append([]string{"0", "1", "1.0", "1.2", "1.10", "2", "2.0", "2.5", "3", "4.0"}, pool...)
	var out []*resolution
	for i := range n {
		r := &resolution{name: fmt.Sprintf("p%d", i), upgrade: i%4 == 3}
		for range 2 + rnd.IntN(12) {
			if v := pick(pool); !slices.Contains(r.versions, v) {
				r.versions = append(r.versions, v)
			}
		}
		for range 3 {
			var terms []string
			for range []int{0, 0, 0, 1, 1, 2}[rnd.IntN(6)] {
				operand := pick(operands)
				if rnd.IntN(3) == 0 {
					operand = pick(r.versions)
				}
				op := pick([]string{"", "!= ", "> ", ">= ", ">= ", ">= ", "< ", "<= ", "<= ", "~> ", "~> "})
				terms = append(terms, op+operand)
			}
			r.constraints = append(r.constraints, strings.Join(terms, ", "))
		}
		if rnd.IntN(3) == 0 {
			r.locked = pick(r.versions)
		}
		out = append(out, r)
	}
	return out
}

// resolutions asks a tool which versions it selects, and writes the file.
func resolutions(ctx context.Context, w io.Writer, bin, root, name string) error {
	all := newResolutions(300)
	var content registrytest.Content
	for _, r := range all {
		p := registrytest.Provider{Namespace: "acme", Type: r.name}
		for _, v := range r.versions {
			p.Versions = append(p.Versions, registrytest.Version{Version: v, Platforms: []string{addrs.CurrentPlatform().String()}})
		}
		content.Providers = append(content.Providers, p)
	}
	server, err := registrytest.NewServer(content)
	if err != nil {
		return err
	}
	defer server.Close()
	for _, upgrade := range []bool{false, true} {
		var batch []*resolution
		for _, r := range all {
			if r.upgrade == upgrade {
				batch = append(batch, r)
			}
		}
		if err := resolveBatch(ctx, w, bin, server, batch, upgrade); err != nil {
			return err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# What %s selects: name | versions of the registry | constraints of three modules | locked | mode | selected.\n", name)
	fmt.Fprintf(&b, "# Made by: go run -C tools/record . -bin BINARY -resolutions\n")
	failed := 0
	for _, r := range all {
		if r.got == "error" {
			failed++
		}
		fmt.Fprintln(&b, r)
	}
	fmt.Fprintf(w, "%d resolutions, %d of them errors\n", len(all), failed)
	return os.WriteFile(filepath.Join(root, resolutionsFile), []byte(b.String()), 0o644)
}

// resolveBatch has all cases in one configuration. Those that fail are taken out, and
// the tool is asked again for the others.
func resolveBatch(ctx context.Context, w io.Writer, bin string, server *registrytest.Server, batch []*resolution, upgrade bool) error {
	failing := regexp.MustCompile(`acme/(p\d+)\b`)
	for try := 1; try <= 8; try++ {
		dir, err := os.MkdirTemp("", "resolve-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := writeBatch(dir, server, batch); err != nil {
			return err
		}
		args := []string{"init", "-input=false", "-no-color"}
		if upgrade {
			args = append(args, "-upgrade")
		}
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+filepath.Join(dir, "ca.pem"), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1", "HOME="+dir, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
		out, err := cmd.CombinedOutput()
		if err == nil {
			fmt.Fprintf(w, "%d cases in run %d\n", len(batch), try)
			return readBatch(dir, server, batch)
		}
		errorsAt := strings.Index(string(out), "Error:")
		if errorsAt < 0 {
			return fmt.Errorf("%s init: %w\n%s", bin, err, out)
		}
		n := len(batch)
		for _, m := range failing.FindAllStringSubmatch(string(out[errorsAt:]), -1) {
			batch = slices.DeleteFunc(slices.Clone(batch), func(r *resolution) bool {
				if r.name == m[1] {
					r.got = "error"
				}
				return r.name == m[1]
			})
		}
		if len(batch) == n {
			return fmt.Errorf("%s init: %w\n%s", bin, err, out)
		}
	}
	return fmt.Errorf("%s fails again and again", bin)
}

// writeBatch writes a module that calls two others, with a lock file.
func writeBatch(dir string, server *registrytest.Server, batch []*resolution) error {
	locks := lockfile.New(filepath.Join(dir, lockfile.Name), addrs.OpenTofu)
	for i, at := range []string{"", "a", "b"} {
		var b strings.Builder
		b.WriteString("terraform {\n  required_providers {\n")
		for _, r := range batch {
			if i > 0 && r.constraints[i] == "" {
				continue
			}
			fmt.Fprintf(&b, "    %s = {\n      source = \"%s/acme/%s\"\n", r.name, server.Host(), r.name)
			if c := r.constraints[i]; c != "" {
				fmt.Fprintf(&b, "      version = %q\n", c)
			}
			b.WriteString("    }\n")
		}
		b.WriteString("  }\n}\n")
		if at == "" {
			b.WriteString("module \"a\" {\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = \"./b\"\n}\n")
		}
		if err := os.MkdirAll(filepath.Join(dir, at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, at, "main.tf"), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	for _, r := range batch {
		if r.locked == "" {
			continue
		}
		p, err := addrs.ParseProvider(server.Host() + "/acme/" + r.name)
		if err != nil {
			return err
		}
		v, err := addrs.ParseVersion(r.locked)
		if err != nil {
			return err
		}
		if err := locks.Set(lockfile.Lock{Provider: p, Version: v}); err != nil {
			return err
		}
	}
	if err := locks.Save(lockfile.SaveOptions{}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ca.pem"), server.CertificatePEM(), 0o644)
}

// readBatch reads what was selected.
func readBatch(dir string, server *registrytest.Server, batch []*resolution) error {
	f, err := lockfile.Load(filepath.Join(dir, lockfile.Name))
	if err != nil {
		return err
	}
	locks := f.Locks()
	for _, r := range batch {
		p, err := addrs.ParseProvider(server.Host() + "/acme/" + r.name)
		if err != nil {
			return err
		}
		l, ok := locks.Get(p)
		if !ok {
			return fmt.Errorf("%s is not locked", r.name)
		}
		r.got = l.Version.String()
	}
	return nil
}
