// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// twoProviders starts a registry in which two has no package for darwin.
func twoProviders(t *testing.T) (*registrytest.Server, []install.Selection, []addrs.Platform) {
	t.Helper()
	s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "one", Versions: []registrytest.Version{{Version: "1.0.0", Platforms: []string{"linux_amd64", "darwin_arm64"}}}},
		{Namespace: "acme", Type: "two", Versions: []registrytest.Version{{Version: "1.0.0", Platforms: []string{"linux_amd64"}}}},
	}})
	v := addrs.MustParseVersion("1.0.0")
	return s, []install.Selection{{Provider: provider(s, "one"), Version: v}, {Provider: provider(s, "two"), Version: v}},
		[]addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("darwin_arm64")}
}

// collect returns the stages of each package, and the error. It checks what holds for
// all events.
func collect(t *testing.T, call func(context.Context) error) (map[string]string, error) {
	t.Helper()
	stages, bytes := map[string]string{}, map[string]int64{}
	var last error
	for e, err := range install.Watch(t.Context(), call) {
		if err != nil {
			last = err
			continue
		}
		if last != nil {
			t.Error("an event after the error")
		}
		key := e.Provider.Type() + " " + e.Platform.String()
		if (e.Stage == install.Failed) != (e.Err != nil) || e.Version.String() != "1.0.0" {
			t.Errorf("%s: %+v", key, e)
		}
		if e.Stage == install.Downloading {
			if e.Done < bytes[key] || e.Total >= 0 && e.Done > e.Total {
				t.Errorf("%s: %d bytes after %d, of %d", key, e.Done, bytes[key], e.Total)
			}
			bytes[key] = e.Done
			if strings.HasSuffix(stages[key], "downloading ") {
				continue
			}
		}
		stages[key] += string(e.Stage) + " "
	}
	for key, list := range stages {
		if strings.Contains(list, "ready") && strings.Contains(list, "downloading") && bytes[key] == 0 {
			t.Errorf("%s: no bytes", key)
		}
	}
	return stages, last
}

// The plan says what Lock will ask for; the events are that, step by step; what was
// found before an error need not be asked for again.
func TestWatch_lock(t *testing.T) {
	s, selections, platforms := twoProviders(t)
	l := &install.Locker{Client: s.Registry(), Platforms: platforms, Known: &install.Known{Dir: t.TempDir()}}
	plan := func(prior lockfile.Locks) (known string) {
		for _, p := range l.Plan(t.Context(), selections, prior) {
			if p.Known != "" {
				known += p.Selection.Provider.Type() + " " + p.Platform.String() + ", "
			}
		}
		return known
	}
	if got := plan(nil); got != "" || len(l.Plan(t.Context(), selections, nil)) != 4 || len(s.Requests()) != 0 {
		t.Errorf("known %q, %d requests", got, len(s.Requests()))
	}
	const all = "asking downloading checking ready "
	var found []install.LockedProvider
	run := func(prior lockfile.Locks) (map[string]string, error) {
		return collect(t, func(ctx context.Context) (err error) {
			found, err = l.Lock(ctx, selections, prior)
			return err
		})
	}
	stages, err := run(nil)
	want := map[string]string{"one linux_amd64": all, "one darwin_arm64": all, "two linux_amd64": all, "two darwin_arm64": "asking failed "}
	if err == nil || !maps.Equal(stages, want) {
		t.Errorf("got %v, %v", stages, err)
	}
	var locks lockfile.Locks
	for _, p := range found {
		locks = append(locks, p.Lock)
	}
	if len(locks) != 2 || len(locks[0].Hashes) != 4 || len(locks[1].Hashes) != 2 || found[1].Packages[1].Result != nil {
		t.Fatalf("got %+v", found)
	}
	if got := plan(locks); got != "one linux_amd64, one darwin_arm64, two linux_amd64, " {
		t.Errorf("known %q", got)
	}
	before := s.Count(registrytest.KindZip)
	stages, err = run(locks)
	want = map[string]string{"one linux_amd64": "kept ", "one darwin_arm64": "kept ", "two linux_amd64": "kept ", "two darwin_arm64": "asking failed "}
	if err == nil || !maps.Equal(stages, want) || s.Count(registrytest.KindZip) != before {
		t.Errorf("got %v, %v, %d packages", stages, err, s.Count(registrytest.KindZip)-before)
	}
	l = &install.Locker{Client: l.Client, Platforms: platforms, Known: l.Known, Check: true}
	if got := plan(locks); got != "" {
		t.Errorf("known %q, although everything is asked for", got)
	}
}

// Installing and mirroring have the same events. To leave the loop ends the work.
func TestWatch(t *testing.T) {
	s, selections, platforms := twoProviders(t)
	c, dir, mirror := s.Registry(), t.TempDir(), &install.Mirror{Dir: t.TempDir()}
	var prior lockfile.Locks
	for i, want := range []string{"asking downloading ready ", "kept "} {
		stages, err := collect(t, func(ctx context.Context) error {
			in := &install.Installer{Client: c, Platform: platforms[0]}
			got, err := in.Install(ctx, dir, selections, prior)
			for _, p := range got {
				prior = append(prior, p.Lock)
			}
			return err
		})
		if err != nil || !maps.Equal(stages, map[string]string{"one linux_amd64": want, "two linux_amd64": want}) {
			t.Errorf("%d: got %v, %v", i, stages, err)
		}
		stages, err = collect(t, func(ctx context.Context) error {
			_, err := mirror.Add(ctx, c, nil, selections, platforms[:1])
			return err
		})
		if err != nil || !maps.Equal(stages, map[string]string{"one linux_amd64": want, "two linux_amd64": want}) {
			t.Errorf("%d: got %v, %v", i, stages, err)
		}
	}
	var cause error
	for range install.Watch(t.Context(), func(ctx context.Context) error {
		_, cause = (&install.Locker{Client: s.Registry(), Platforms: platforms[:1]}).Lock(ctx, selections, nil)
		return cause
	}) {
		break
	}
	if !errors.Is(cause, context.Canceled) {
		t.Errorf("got %v", cause)
	}
}
