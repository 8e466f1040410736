// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// Sources asks several sources, like the provider_installation block of the CLI
// configuration. The versions of a provider are those of all methods that may
// install it, and the first method that has the chosen version supplies it.
type Sources []Method

// A Method is a source with the providers that it may install.
type Method struct {
	// Source supplies the packages.
	Source Source

	// Include are the providers that this method is for; if empty, it is for
	// all. Exclude are those that it is not for. Exclude wins.
	Include, Exclude []cliconfig.Pattern
}

// allows reports whether the method may install p.
func (m Method) allows(p addrs.Provider) bool {
	for _, pt := range m.Exclude {
		if pt.Match(p) {
			return false
		}
	}
	for _, pt := range m.Include {
		if pt.Match(p) {
			return true
		}
	}
	return len(m.Include) == 0
}

// Versions returns the versions that any of the methods for p has. If several
// have a version, the entry of the first counts. A method that does not have p
// is skipped; any other error is returned. If no method has p, the error is
// ErrNotFound and names every place that was searched.
func (s Sources) Versions(ctx context.Context, p addrs.Provider) (*VersionList, error) {
	out := &VersionList{}
	seen := map[addrs.Version]bool{}
	found := false
	var missing []error
	for _, m := range s {
		if !m.allows(p) {
			continue
		}
		list, err := m.Source.Versions(ctx, p)
		if errors.Is(err, ErrNotFound) {
			missing = append(missing, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		found = true
		out.Warnings = append(out.Warnings, list.Warnings...)
		for _, v := range list.Versions {
			if !seen[v.Version] {
				seen[v.Version] = true
				out.Versions = append(out.Versions, v)
			}
		}
	}
	if !found {
		return nil, &Error{Op: "versions", For: p.ForDisplay(), Err: fmt.Errorf("%w: %s %s", ErrNotFound, p.ForDisplay(), searched(missing))}
	}
	out.sort()
	return out, nil
}

// Package returns the package from the first method for p that has it. Calling
// Versions first is not necessary: with a version from a lock and a directory as
// the first method, no registry is asked. A method that does not have the package
// is skipped. Any other error is returned; as in OpenTofu, so is the error of a
// network mirror that does not have the version. If no method has the package, the
// error names every place that was searched. It is ErrNotFound if none of them has
// the version for any platform, and otherwise ErrUnsupportedPlatform.
func (s Sources) Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error) {
	var missing []error
	for _, m := range s {
		if !m.allows(p) {
			continue
		}
		pkg, err := m.Source.Package(ctx, p, v, platform)
		_, mirror := m.Source.(*NetworkMirror)
		if errors.Is(err, ErrUnsupportedPlatform) || errors.Is(err, ErrNotFound) && !mirror {
			missing = append(missing, err)
			continue
		}
		return pkg, err
	}
	cause := ErrNotFound
	if len(missing) == 0 || slices.ContainsFunc(missing, func(err error) bool { return errors.Is(err, ErrUnsupportedPlatform) }) {
		cause = ErrUnsupportedPlatform
	}
	return nil, &Error{Op: "package", For: p.ForDisplay(), Err: fmt.Errorf("%w: %s %s for %s %s", cause, p.ForDisplay(), v, platform, searched(missing))}
}

// searched describes the places that were searched without success.
func searched(missing []error) string {
	if len(missing) == 0 {
		return "(no installation method is for this provider)"
	}
	var b strings.Builder
	b.WriteString("in none of the sources")
	for _, err := range missing {
		fmt.Fprintf(&b, "; %s", strings.TrimPrefix(err.Error(), "registry: "))
	}
	return b.String()
}
