// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package install is the program install: the providers and modules that a module needs.
package install

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

var text = commandline.Text{
	Arguments: "[DIR]",
	About: `
Install installs the providers and modules that the module in DIR needs, as "tofu init" does,
without tofu. DIR is the current directory by default. It writes DIR/.terraform and the hashes of
DIR/.terraform.lock.hcl. Afterwards "tofu plan" runs without "tofu init", unless the module has a
backend other than the local one.

Tokens, hosts, mirrors, timeouts and retries come from the CLI configuration, and logins for
packages from .netrc. Warnings are lines such as "warning: SOURCE VERSION: TEXT" on standard error.`,
	Exit: `
0 everything is installed
1 something failed and DIR is unchanged
2 a usage error`,
	Example: "tofuwire install -cache ~/.cache/tofu-packages",
}

// A request is what the command line asks for.
type request struct {
	from          supply.Flags
	cache         string
	hash, upgrade bool
	progress      bool
	dir           string
}

// newRequest returns what a command line asks for, and the command line.
func newRequest() (*request, *commandline.Set) {
	r := &request{}
	flags := commandline.New("tofuwire install", text)
	r.from.Add(flags)
	flags.StringVar(&r.cache, "cache", "", "the directory `DIR` of unpacked packages, which processes can share; the default is the plugin cache of the CLI configuration")
	flags.BoolVar(&r.hash, "hash", false, "hash every package in the cache again, even if it has not changed")
	flags.BoolVar(&r.upgrade, "upgrade", false, "select the newest allowed versions, and download modules again")
	flags.Check = func() error {
		r.dir = cmp.Or(flags.Arg(0), ".")
		return nil
	}
	return r, flags
}

// Run is the program; it returns the exit status. It takes the environment of the process.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	r, flags := newRequest()
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	r.progress = flags.Progress(stderr)
	return supply.Run("install", stderr, func(ctx context.Context, environ []string) error { return r.run(ctx, stdout, stderr, environ) })
}

// run is the program. Its error has everything that went wrong.
func (r *request) run(ctx context.Context, stdout, stderr io.Writer, environ []string) error {
	dir, from := r.dir, &r.from
	if err := configdir.Check(dir, from.Terraform); err != nil {
		return err
	}
	s, bar, err := from.Start("install", dir, stderr, environ, r.progress)
	if err != nil {
		return err
	}
	defer bar.Clear()

	j := &job{dir: dir, upgrade: r.upgrade, terraform: from.Terraform, tool: from.Tool(), begin: time.Now()}
	j.modules = s.Modules()
	j.installer = &install.Installer{Client: s.Client, Source: s.Source}
	if r.cache == "" {
		r.cache = s.Config.PluginCacheDir
	}
	if r.cache != "" {
		j.installer.Cache = &install.Cache{Dir: r.cache}
		if !r.hash {
			j.installer.Cache.Stamps = supply.StampsDir(environ)
		}
	}
	if other := otherDataDir(dir, environ); other != "" {
		s.Warn(stderr, "TF_DATA_DIR", "", fmt.Sprintf("everything is written to %s, not to %s; make that a link to the latter", filepath.Join(dir, ".terraform"), printable.Line(other, 200)))
	}
	err = j.run(ctx)
	bar.Clear()
	j.warn(s, stderr)
	if err != nil {
		return err
	}
	return j.summarize(stdout, bar)
}

// otherDataDir returns the directory in which the tools look for what is installed, if it is neither
// .terraform nor where a link of this name leads.
func otherDataDir(dir string, environ []string) string {
	other := ""
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, "TF_DATA_DIR="); ok {
			other = v
		}
	}
	own, err := filepath.Abs(filepath.Join(dir, ".terraform"))
	if abs, err2 := filepath.Abs(other); other == "" || err != nil || err2 == nil && abs == own {
		return ""
	}
	a, err := os.Stat(own)
	b, err2 := os.Stat(other)
	if err == nil && err2 == nil && os.SameFile(a, b) {
		return ""
	}
	return other
}

// A job is one run of the program with its results.
type job struct {
	dir       string
	upgrade   bool
	terraform bool
	tool      addrs.Tool
	modules   *install.Modules
	installer *install.Installer
	begin     time.Time

	tree      *supply.Tree
	providers []install.InstalledProvider
	changes   lockfile.Changes
	backend   string // a note
}

// run does all the work. The order keeps DIR usable after any failure: new files are
// put in their place last, and then the lock file.
func (j *job) run(ctx context.Context) error {
	data := filepath.Join(j.dir, ".terraform")
	defer func() {
		if info, err := os.Lstat(data); err == nil && info.IsDir() { // and no link
			os.Remove(data) // if it is empty
		}
	}()
	release, err := install.LockFile(ctx, filepath.Join(data, "install.lock"))
	if err != nil {
		return err
	}
	defer release()
	// New modules are fetched next to the present ones. An existing directory of this
	// name was left by a process that was killed.
	staging := filepath.Join(data, "modules.new")
	if err := os.RemoveAll(staging); err != nil {
		return err
	}
	defer os.RemoveAll(staging)
	final := filepath.Join(data, "modules")
	j.tree, err = supply.Reader{Modules: j.modules, Into: staging, Final: final, Each: true, Upgrade: j.upgrade, Terraform: j.terraform, Tests: true}.Read(ctx, j.dir)
	if err != nil {
		return err
	}
	name := filepath.Join(j.dir, lockfile.Name)
	before, err := supply.Locks(name)
	if err != nil {
		return err
	}
	selections, err := install.Resolve(ctx, j.installer.Source, j.tree.Required, supply.Prior(before, j.tool), install.Upgrade{All: j.upgrade})
	if err != nil {
		return err
	}
	if j.providers, err = j.installer.Install(ctx, j.dir, selections, before); err != nil {
		return err
	}
	if err := j.placeModules(staging, final); err != nil {
		return err
	}
	j.changes, err = install.UpdateLockFile(ctx, name, j.tool, func(file *lockfile.File) error {
		var locks []lockfile.Lock
		for _, p := range j.providers {
			locks = append(locks, p.Lock)
		}
		if !lockfile.Diff(before, locks).IsSaved() {
			return nil // like the tools, for other constraints alone
		}
		// Like the tools, drop locks that no module needs any more.
		for _, l := range before {
			if _, ok := lockfile.Locks(locks).Get(l.Provider); !ok {
				if err := file.Remove(l.Provider); err != nil {
					return err
				}
			}
		}
		return supply.SetLocks(file, before, locks)
	})
	if err != nil {
		return err
	}
	j.backend, err = supply.InitBackend(j.dir, j.tree.Backends)
	return err
}

// placeModules puts the fetched modules in their place, and then writes the
// manifest.
func (j *job) placeModules(staging, final string) error {
	if len(j.tree.Manifest) <= 1 {
		if old, err := install.ReadManifest(j.dir); err != nil || len(old) == 0 {
			return err // no module is called, and none was before
		}
	}
	if err := os.MkdirAll(final, 0o777); err != nil {
		return err
	}
	for _, m := range j.tree.Fetched {
		target := filepath.Join(final, filepath.Base(m.Package))
		if err := os.RemoveAll(target); err != nil {
			return err
		}
		if err := os.Rename(m.Package, target); err != nil {
			return err
		}
	}
	return j.tree.Manifest.Write(j.dir)
}

// warn prints the warnings about what was installed.
func (j *job) warn(s *supply.Supply, w io.Writer) {
	if j.tree != nil {
		s.WarnModules(w, j.tree.Fetched)
	}
	for _, p := range j.providers {
		name, version := p.Selection.Provider.ForDisplay(), p.Selection.Version.String()
		s.Warn(w, name, version, p.Selection.Warnings...)
		if p.Result != nil {
			s.Warn(w, name, version, p.Result.Warnings...)
			if pkg := p.Result.Package; pkg.Origin == registry.FromElsewhere && lacksZip(p.Selection.Known, pkg.SHA256) {
				s.Warn(w, name, version, "tofu 1.12 cannot install it from an OCI registry by the lock file as it was: that has no zh hash of this zip")
			}
		}
	}
}

// lacksZip reports whether a lock has hashes to compare, but not that of the zip: the only one that
// tofu compares with the blob of an OCI registry.
func lacksZip(known []addrs.Hash, sha256 string) bool {
	return slices.ContainsFunc(known, addrs.Hash.IsPreferred) && !slices.Contains(known, addrs.Hash("zh:"+sha256))
}

// summarize prints the results.
func (j *job) summarize(w io.Writer, bar *supply.Bar) error {
	var b strings.Builder
	if len(j.tree.Fetched) > 0 {
		fmt.Fprintln(&b, "Modules:")
	}
	for _, m := range j.tree.Fetched {
		fmt.Fprintf(&b, "  %-20s %s", filepath.Base(m.Package), printable.Address(m.Source.ForDisplay()))
		if m.Version.IsValid() {
			fmt.Fprintf(&b, " %s", m.Version)
		}
		fmt.Fprintln(&b)
	}
	if len(j.providers) > 0 {
		fmt.Fprintln(&b, "Providers:")
	}
	for _, p := range j.providers {
		s := p.Selection
		fmt.Fprintf(&b, "  %s %s (%s): ", s.Provider.ForDisplay(), s.Version, s.Reason)
		if p.Result != nil && p.Result.Package.Source != "" {
			fmt.Fprintf(&b, "from %s, ", p.Result.Package.Source)
		}
		b.WriteString(p.Note)
		if n := bar.Bytes(s.Provider); n > 0 {
			fmt.Fprintf(&b, ", %s", size(n))
		}
		fmt.Fprintln(&b)
	}
	gained := 0
	for _, c := range j.changes {
		gained += len(c.Gained)
	}
	switch name := filepath.Join(j.dir, lockfile.Name); {
	case len(j.changes) > 0:
		fmt.Fprintf(&b, "%s: %d providers changed, %d hashes added.\n", name, len(j.changes), gained)
	case len(j.providers) > 0:
		fmt.Fprintf(&b, "%s was complete already.\n", name)
	default:
		fmt.Fprintln(&b, "The module needs no providers.")
	}
	if j.backend != "" {
		fmt.Fprintln(&b, j.backend)
	}
	fmt.Fprintf(&b, "%d providers, %d modules fetched, %s in %.1f s.\n", len(j.providers), len(j.tree.Fetched), size(bar.Bytes(addrs.Provider{})), time.Since(j.begin).Seconds())
	_, err := io.WriteString(w, b.String())
	return err
}

// size returns a number of bytes for people.
func size(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
