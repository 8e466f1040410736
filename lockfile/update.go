// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// Select returns the version of a provider that "tofu init" installs, out of
// the available ones. Without a lock (nil), or to upgrade, it is the newest
// version that the constraints allow; the error is [ErrNoVersion] if there is
// none. Otherwise it is the locked version. The error is [ErrLockedVersion] if
// the constraints no longer allow that, and [ErrVersionGone] if it is no longer
// available.
func Select(locked *Lock, allowed addrs.Constraints, available []addrs.Version, upgrade bool) (addrs.Version, error) {
	if locked == nil || upgrade || !locked.Version.IsValid() {
		v, ok := allowed.Newest(slices.Values(available))
		if !ok {
			return v, &Error{Err: fmt.Errorf("%w %q", ErrNoVersion, allowed)}
		}
		return v, nil
	}
	switch v := locked.Version; {
	case !allowed.Allows(v):
		return addrs.Version{}, &Error{Err: fmt.Errorf("%s %s: %w %q", locked.Provider, v, ErrLockedVersion, allowed)}
	case !slices.Contains(available, v):
		return addrs.Version{}, &Error{Err: fmt.Errorf("%s %s: %w", locked.Provider, v, ErrVersionGone)}
	default:
		return v, nil
	}
}

// An Install describes a package that was obtained.
type Install struct {
	Version     addrs.Version     // of the package
	Constraints addrs.Constraints // of the whole configuration

	// Package has the hashes computed from the package itself: "h1" of its
	// files, and "zh" if it is a zip file.
	Package []Hash

	// Signed has the hashes of all platforms in a SHA256SUMS document with a
	// valid signature.
	Signed []Hash

	// Reported has the unsigned hashes that a registry or a trusted mirror
	// reports: those of an unsigned SHA256SUMS document or of a "packages"
	// object.
	Reported []Hash

	// EnforceSignatures ignores Reported, like the environment variable
	// OPENTOFU_ENFORCE_GPG_VALIDATION=true.
	EnforceSignatures bool

	// Tool is the tool whose rules apply. Terraform never counts Reported.
	Tool addrs.Tool

	// AllowUnverifiable accepts a package that cannot be compared with any
	// recorded hash, as tofu does. Examples are a directory when only "zh"
	// hashes are known, and any package when all hashes have unknown schemes. If
	// false, such a package is an error.
	AllowUnverifiable bool
}

// trusted returns the hashes that are recorded for p in addition to those of
// the package itself. Unsigned ones count only for providers of the default
// registry, because many are not signed there.
func (in Install) trusted(p addrs.Provider) []Hash {
	if in.Tool != addrs.Terraform && !in.EnforceSignatures && p.Host() == addrs.DefaultHost {
		return UnionHashes(preferredHashes(in.Signed), preferredHashes(in.Reported))
	}
	return UnionHashes(preferredHashes(in.Signed))
}

// Installed returns the lock as "tofu init" records it after an install. l is
// the lock before; if there was none, it has only the provider.
//
// If the version is the same, the package must match a recorded hash. All new hashes
// are then added, and the old ones of known schemes are kept. If l has no hashes,
// the package is trusted at first use. The errors are [addrs.ErrMismatch] and
// [addrs.ErrNotVerifiable]. If the version differs, the old hashes are dropped.
//
// If the right package is installed already, tofu skips these steps and leaves
// the lock unchanged.
func (l Lock) Installed(in Install) (Lock, error) {
	next, err := l.next(in)
	if err != nil || l.Version != in.Version {
		return next, err
	}
	if len(l.Hashes) > 0 {
		err := l.Verify(in.Package...).Err()
		if err != nil && !(in.AllowUnverifiable && errors.Is(err, addrs.ErrNotVerifiable)) {
			return Lock{}, err
		}
	}
	next.Hashes = UnionHashes(preferredHashes(l.Hashes), next.Hashes)
	return next, nil
}

// Relocked returns the lock as "tofu providers lock" records it after it
// obtained a package for one more platform. Like tofu, it keeps all old hashes
// but does not compare the package with them: it trusts the registry again. The
// version must be that of l, if l has one ([ErrInvalid]).
func (l Lock) Relocked(in Install) (Lock, error) {
	next, err := l.next(in)
	if err != nil {
		return Lock{}, err
	}
	if l.Version.IsValid() && l.Version != in.Version {
		return Lock{}, &Error{Err: invalid("%s is locked to version %s, not %s", l.Provider, l.Version, in.Version)}
	}
	next.Hashes = UnionHashes(l.Hashes, next.Hashes)
	return next, nil
}

// next returns the lock of a first install.
func (l Lock) next(in Install) (Lock, error) {
	next := Lock{l.Provider, in.Version, in.Constraints, UnionHashes(in.Package, in.trusted(l.Provider))}
	if err := next.check(); err != nil {
		return Lock{}, &Error{Err: err}
	}
	return next, nil
}

// Keep returns the locks of the given providers, in their order in l. "tofu
// init" ends with this step: it drops locks that neither configuration nor
// state needs.
func (l Locks) Keep(needed ...addrs.Provider) Locks {
	keep := make(map[addrs.Provider]bool, len(needed))
	for _, p := range needed {
		keep[p] = true
	}
	var out Locks
	for _, lock := range l {
		if keep[lock.Provider] {
			out = append(out, lock)
		}
	}
	return out
}

// FromTerraform returns l with a lock on registry.opentofu.org for each
// provider hashicorp/* on registry.terraform.io that has none yet. The new lock
// has the same version and constraints, and no hashes, because OpenTofu builds
// those providers itself. "tofu init" does the same to a configuration that comes
// from Terraform. The old locks stay until [Locks.Keep] drops them.
func FromTerraform(l Locks) Locks {
	out := slices.Clone(l)
	have := l.byProvider()
	for _, lock := range l {
		if lock.Provider.Host() != addrs.TerraformHost || lock.Provider.Namespace() != "hashicorp" {
			continue
		}
		p, err := lock.Provider.WithHost(addrs.DefaultHost)
		if _, ok := have[p]; err != nil || ok {
			continue
		}
		next := Lock{Provider: p, Version: lock.Version, Constraints: lock.Constraints}
		have[p] = next
		out = append(out, next)
	}
	return out
}

// IsSaved reports whether "tofu init" writes the lock file for this difference.
// It does so for other providers, versions or hashes, but not if only
// constraints differ.
func (c Changes) IsSaved() bool { return c.Selections() || c.Hashes() }
