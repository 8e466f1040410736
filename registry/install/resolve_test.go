// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

var platforms = []string{"linux_amd64", "darwin_arm64", "windows_amd64", addrs.CurrentPlatform().String()}

// start starts a registry with two providers.
func start(t *testing.T) *registrytest.Server {
	t.Helper()
	version := func(v string) registrytest.Version { return registrytest.Version{Version: v, Platforms: platforms} }
	return registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "null", Versions: []registrytest.Version{version("1.0.0"), version("1.2.0"), version("2.0.0"), version("3.0.0-beta")}},
		{Namespace: "acme", Type: "tool", Versions: []registrytest.Version{version("0.3.1")}},
	}})
}

func provider(s *registrytest.Server, typ string) addrs.Provider {
	return addrs.MustParseProvider(s.Host() + "/acme/" + typ)
}

func TestResolve(t *testing.T) {
	s := start(t)
	null, tool := provider(s, "null"), provider(s, "tool")
	locked := lockfile.Locks{{Provider: null, Version: addrs.MustParseVersion("1.0.0")}}
	need := func(p addrs.Provider, c, place string) install.Requirement {
		return install.Requirement{Provider: p, Constraints: addrs.MustParseConstraints(c), Place: place}
	}
	age := func(_ context.Context, _ addrs.Provider, v addrs.Version) (time.Time, error) {
		return map[string]time.Time{"1.0.0": time.Unix(100, 0), "1.2.0": time.Unix(200, 0), "2.0.0": time.Unix(300, 0)}[v.String()], nil
	}
	tests := []struct {
		name     string
		required []install.Requirement
		prior    lockfile.Locks
		up       install.Upgrade
		want     string // versions and reasons, or part of the error
	}{
		{"newest", []install.Requirement{need(null, "", ""), need(tool, "", "")}, nil, install.Upgrade{}, "2.0.0 newest, 0.3.1 newest"},
		{"constraints of two modules", []install.Requirement{need(null, "< 2.0.0", "a"), need(null, ">= 1.0", "b")}, nil, install.Upgrade{}, "1.2.0 newest"},
		{"locked", []install.Requirement{need(null, "", "")}, locked, install.Upgrade{}, "1.0.0 locked"},
		{"upgrade all", []install.Requirement{need(null, "~> 1.0", "")}, locked, install.Upgrade{All: true}, "1.2.0 upgraded"},
		{"upgrade one", []install.Requirement{need(null, "", "")}, locked, install.Upgrade{Providers: []addrs.Provider{null}}, "2.0.0 upgraded"},
		{"upgrade another", []install.Requirement{need(null, "", "")}, locked, install.Upgrade{Providers: []addrs.Provider{tool}}, "1.0.0 locked"},
		{"not too new", []install.Requirement{need(null, "", "")}, nil, install.Upgrade{Before: time.Unix(250, 0), Published: age}, "1.2.0 newest"},
		{"all too new", []install.Requirement{need(null, "", "")}, nil, install.Upgrade{Before: time.Unix(50, 0), Published: age}, "no version is allowed"},
		{"nobody tells the age", []install.Requirement{need(null, "", "")}, nil, install.Upgrade{Before: time.Unix(50, 0)}, "Published is not"},
		{"built in", []install.Requirement{{Provider: addrs.MustParseProvider("terraform.io/builtin/terraform")}}, nil, install.Upgrade{}, ""},
		{"prerelease by name", []install.Requirement{need(null, "3.0.0-beta", "")}, nil, install.Upgrade{}, "3.0.0-beta newest"},
		{"conflict", []install.Requirement{need(null, "< 1.0.0", "main.tf:3,1"), need(null, "> 1.5.0", "net/main.tf:9,2")}, nil, install.Upgrade{},
			"acme/null: no version is allowed (main.tf:3,1 wants < 1.0.0; net/main.tf:9,2 wants > 1.5.0); there are 4, the newest is 3.0.0-beta"},
		{"no provider", []install.Requirement{need(addrs.Provider{}, "~> 1.0", "main.tf:3,1")}, nil, install.Upgrade{},
			"provider without a valid source: it has no registry, so it cannot be installed (main.tf:3,1 wants ~> 1.0)"},
		{"locked and not allowed", []install.Requirement{need(null, "> 1.5.0", "main.tf:3,1")}, locked, install.Upgrade{}, "version 1.0.0 is locked, but it is not allowed (main.tf:3,1 wants > 1.5.0)"},
		{"two problems", []install.Requirement{need(null, "> 9", ""), need(tool, "> 9", "")}, nil, install.Upgrade{}, "acme/tool: no version is allowed"},
		{"unknown", []install.Requirement{need(provider(s, "missing"), "", "")}, nil, install.Upgrade{}, "not found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.Clear()
			got, err := install.Resolve(t.Context(), s.Registry(), tt.required, tt.prior, tt.up)
			var texts []string
			for _, g := range got {
				texts = append(texts, g.Version.String()+" "+string(g.Reason))
			}
			text := strings.Join(texts, ", ")
			if err != nil {
				text = err.Error()
			}
			if err == nil && text != tt.want || err != nil && (tt.want == "" || !strings.Contains(text, tt.want)) {
				t.Errorf("got %s, want %s", text, tt.want)
			}
			if strings.HasSuffix(tt.want, " locked") && len(s.Requests()) > 0 {
				t.Errorf("%d requests for locked versions", len(s.Requests()))
			}
		})
	}
	if _, err := install.Resolve(t.Context(), s.Registry(), []install.Requirement{need(provider(s, "missing"), "", "")}, nil, install.Upgrade{}); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// What is known and locked is not asked for; a Known that is lost or broken costs
// requests, and nothing else.
func TestLocker_known(t *testing.T) {
	s := start(t)
	dir := t.TempDir()
	l := &install.Locker{Client: s.Registry(), Known: &install.Known{Dir: dir}, Platforms: []addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("darwin_arm64")}}
	selection := []install.Selection{{Provider: provider(s, "null"), Version: addrs.MustParseVersion("1.2.0")}}
	first, err := l.Lock(t.Context(), selection, nil)
	if err != nil {
		t.Fatal(err)
	}
	locks := lockfile.Locks{first[0].Lock}
	count := func(l *install.Locker, prior lockfile.Locks) int {
		t.Helper()
		s.Clear()
		l.Client = s.Registry()
		got, err := l.Lock(t.Context(), selection, prior)
		if err != nil {
			t.Fatal(err)
		}
		if len(prior) > 0 && len(prior[0].Hashes) == len(locks[0].Hashes) && !got[0].Lock.Equal(locks[0]) {
			t.Errorf("got %v", got[0].Lock)
		}
		return s.Count(registrytest.KindZip)
	}
	if n := count(l, locks); n != 0 || len(s.Requests()) != 0 {
		t.Errorf("%d packages, %d requests for a complete lock", n, len(s.Requests()))
	}
	if n := count(&install.Locker{Known: l.Known, Platforms: l.Platforms, Check: true}, locks); n != 2 {
		t.Errorf("%d packages with Check", n)
	}
	if n := count(&install.Locker{Known: &install.Known{Dir: t.TempDir()}, Platforms: l.Platforms}, locks); n != 2 {
		t.Errorf("%d packages without knowledge", n)
	}
	if n := count(&install.Locker{Platforms: l.Platforms}, locks); n != 2 {
		t.Errorf("%d packages without a Known", n)
	}
	partial := locks.Clone()
	for i, h := range partial[0].Hashes {
		if h == s.Package("acme", "null", "1.2.0", "darwin_arm64").H1 {
			partial[0].Hashes = append(partial[0].Hashes[:i:i], partial[0].Hashes[i+1:]...)
			break
		}
	}
	if n := count(l, partial); n != 1 {
		t.Errorf("%d packages for one hash that is missing", n)
	}
}
