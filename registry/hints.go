// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// majors returns the major protocol versions that the caller speaks.
func (c *Client) majors() []int {
	if c.Protocols == nil {
		return []int{5, 6}
	}
	return c.Protocols
}

// speaks reports whether the caller speaks one of the protocols, such as "5.1".
// An empty list is accepted, and so is any list if the caller names no
// protocol.
func (c *Client) speaks(protocols []string) (bool, error) {
	majors := c.majors()
	if len(protocols) == 0 || len(majors) == 0 {
		return true, nil
	}
	found := false
	for _, p := range protocols {
		major, err := protocolMajor(p)
		if err != nil {
			return false, err
		}
		found = found || slices.Contains(majors, major)
	}
	return found, nil
}

// protocolMajor returns the first number of a protocol version.
func protocolMajor(p string) (int, error) {
	for _, part := range strings.Split(p, ".") {
		if _, err := strconv.ParseUint(part, 10, 31); err != nil {
			return 0, fmt.Errorf("%q is not a protocol version", printable.Line(p, 40))
		}
	}
	first, _, _ := strings.Cut(p, ".")
	return strconv.Atoi(first)
}

// suggest returns the newest release of the list that speaks one of the major
// protocol versions, or false if there is none. It skips versions for which the
// source names no protocol.
func (l *VersionList) suggest(majors []int) (addrs.Version, bool) {
	for _, v := range slices.Backward(l.Versions) {
		if v.Version.Prerelease() != "" {
			continue
		}
		for _, p := range v.Protocols {
			if major, err := protocolMajor(p); err == nil && slices.Contains(majors, major) {
				return v.Version, true
			}
		}
	}
	return addrs.Version{}, false
}

// unsupportedProtocol explains that pkg speaks another protocol, and suggests
// another version. Unlike OpenTofu, it never suggests the version of pkg.
func (c *Client) unsupportedProtocol(ctx context.Context, pkg *Package) error {
	err := fmt.Errorf("%w: %s %s speaks %s, not %s", ErrUnsupportedProtocol, pkg.Provider.ForDisplay(), pkg.Version,
		printable.Line(strings.Join(pkg.Protocols, ", "), 100), joinInts(c.majors()))
	list, listErr := c.Versions(ctx, pkg.Provider)
	if listErr != nil {
		return err
	}
	rest := &VersionList{Versions: slices.DeleteFunc(slices.Clone(list.Versions), func(v ProviderVersion) bool { return v.Version == pkg.Version })}
	v, ok := rest.suggest(c.majors())
	if !ok {
		return err
	}
	return fmt.Errorf("%w; version %s would fit", err, v)
}

// missingPackage explains a 404 for a package. It names the available platforms
// if the registry lists them, or says that the registry does not know the
// version or the provider.
func (c *Client) missingPackage(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) error {
	err := fmt.Errorf("%w: %s %s for %s", ErrUnsupportedPlatform, p.ForDisplay(), v, platform)
	list, listErr := c.Versions(ctx, p)
	if errors.Is(listErr, ErrNotFound) {
		return fmt.Errorf("%w: the registry does not know the provider %s", ErrNotFound, p.ForDisplay())
	}
	if listErr != nil {
		return err
	}
	known, ok := list.Lookup(v)
	if !ok {
		return fmt.Errorf("%w: the registry does not know version %s of %s", ErrNotFound, v, p.ForDisplay())
	}
	if len(known.Platforms) == 0 {
		return err
	}
	return fmt.Errorf("%w; there are packages for %s", err, joinPlatforms(known.Platforms))
}

func joinPlatforms(list []addrs.Platform) string {
	var names []string
	for _, p := range list[:min(len(list), 30)] {
		names = append(names, printable.Line(p.String(), 40))
	}
	return strings.Join(names, ", ")
}

func joinInts(list []int) string {
	var names []string
	for _, n := range list {
		names = append(names, strconv.Itoa(n))
	}
	return strings.Join(names, " or ")
}
