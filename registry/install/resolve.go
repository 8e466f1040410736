// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
)

// A Requirement is one requirement of a provider. There may be several for one
// provider: all their constraints must hold.
type Requirement struct {
	Provider    addrs.Provider    // the required provider
	Constraints addrs.Constraints // the zero Constraints allow every release
	Place       string            // where the requirement is, such as "main.tf:3,1", for errors; may be ""
}

// An Upgrade says which locked versions may change. The zero Upgrade keeps
// every locked version.
type Upgrade struct {
	// All moves every provider to the newest version that is allowed. Providers
	// lists single providers to move.
	All       bool
	Providers []addrs.Provider

	// Before considers only versions published before this time, for providers
	// that move or are new. If zero, all are considered. Published returns the
	// time at which a version was published. Registries do not state it, so the
	// caller must set Published if Before is set.
	Before    time.Time
	Published func(ctx context.Context, p addrs.Provider, v addrs.Version) (time.Time, error)
}

// A Reason says why a version was selected.
// Its values include [Locked], [Newest] and [Upgraded].
type Reason string

// The reasons for a selection.
const (
	Locked   Reason = "locked"   // the lock has it, and the constraints allow it
	Newest   Reason = "newest"   // the lock has no version
	Upgraded Reason = "upgraded" // an [Upgrade] moved it; it may be the same as before
)

// A Selection is the version of a provider that was selected.
type Selection struct {
	Provider    addrs.Provider    // the required provider
	Version     addrs.Version     // the selected version
	Constraints addrs.Constraints // the constraints of all requirements, joined
	Reason      Reason            // the reason for this version
	Warnings    []string          // of the registry, for people

	// Known are the hashes that the lock has for the version, if it has the version.
	Known []addrs.Hash
}

// Resolve selects a version of each required provider, in the order of providers,
// by the rules of "tofu init": the locked version if it is allowed, and otherwise
// the newest version that all constraints allow. Built-in providers are left out.
// Resolve sends no request for a locked version that stays.
//
// The error names every provider without a version, with each of its
// constraints and their places.
func Resolve(ctx context.Context, src registry.Source, required []Requirement, prior lockfile.Locks, up Upgrade) ([]Selection, error) {
	byProvider := map[addrs.Provider][]Requirement{}
	var order []addrs.Provider
	for _, r := range required {
		if r.Provider.IsBuiltIn() {
			continue
		}
		if byProvider[r.Provider] == nil {
			order = append(order, r.Provider)
		}
		byProvider[r.Provider] = append(byProvider[r.Provider], r)
	}
	slices.SortFunc(order, addrs.Provider.Compare)
	out := make([]Selection, len(order))
	problems := make([]error, len(order))
	var wg sync.WaitGroup
	for i, p := range order {
		wg.Go(func() {
			locked, _ := prior.Get(p)
			if out[i], problems[i] = resolve(ctx, src, p, byProvider[p], locked.Version, up); problems[i] != nil {
				problems[i] = fmt.Errorf("provider %s: %w", name(p), problems[i])
			} else if out[i].Version == locked.Version {
				out[i].Known = locked.Hashes
			}
		})
	}
	wg.Wait()
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return out, nil
}

// name returns the name of a provider for an error. The zero Provider has none: its source
// was not valid.
func name(p addrs.Provider) string {
	if !p.IsValid() {
		return "without a valid source"
	}
	return p.ForDisplay()
}

// resolve selects a version of one provider.
func resolve(ctx context.Context, src registry.Source, p addrs.Provider, required []Requirement, locked addrs.Version, up Upgrade) (Selection, error) {
	s := Selection{Provider: p, Reason: Newest}
	if !p.IsValid() || p.IsLegacy() {
		return s, fmt.Errorf("it has no registry, so it cannot be installed (%s)", demands(required))
	}
	for _, r := range required {
		s.Constraints = addrs.JoinConstraints(s.Constraints, r.Constraints)
	}
	moves := up.All || slices.Contains(up.Providers, p)
	if locked.IsValid() && !moves {
		if s.Constraints.Allows(locked) {
			s.Version, s.Reason = locked, Locked
			return s, nil
		}
		return s, fmt.Errorf("version %s is locked, but it is not allowed (%s); an upgrade would move it", locked, demands(required))
	}
	list, err := src.Versions(ctx, p)
	if err != nil {
		return s, err
	}
	s.Warnings = list.Warnings
	available := list.Versions
	if !up.Before.IsZero() {
		if available, err = published(ctx, p, s.Constraints, available, up); err != nil {
			return s, err
		}
	}
	v, ok := (&registry.VersionList{Versions: available}).Newest(s.Constraints)
	if !ok {
		newest := "there are no versions"
		if n := len(list.Versions); n > 0 {
			newest = fmt.Sprintf("there are %d, the newest is %s", n, list.Versions[n-1].Version)
		}
		return s, fmt.Errorf("no version is allowed (%s); %s", demands(required), newest)
	}
	s.Version = v
	if moves && locked.IsValid() {
		s.Reason = Upgraded
	}
	return s, nil
}

// published returns the versions up to the newest one that is allowed and was
// published before up.Before.
func published(ctx context.Context, p addrs.Provider, allowed addrs.Constraints, list []registry.ProviderVersion, up Upgrade) ([]registry.ProviderVersion, error) {
	if up.Published == nil {
		return nil, errors.New("install: Upgrade.Before is set, but Upgrade.Published is not")
	}
	for n := len(list); n > 0; n-- {
		v := list[n-1].Version
		if !allowed.Allows(v) {
			continue
		}
		at, err := up.Published(ctx, p, v)
		if err != nil {
			return nil, err
		}
		if at.Before(up.Before) {
			return list[:n], nil
		}
	}
	return nil, nil
}

// demands lists the requirements with their constraints.
func demands(required []Requirement) string {
	var out []string
	for _, r := range required {
		text := "any version"
		if c := r.Constraints.String(); c != "" {
			text = c
		}
		if r.Place != "" {
			text = r.Place + " wants " + text
		} else {
			text = "wanted: " + text
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}
