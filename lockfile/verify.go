// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"slices"
	"strings"
)

// An Outcome is the result of checking a package against a lock. Only [Match]
// is a yes. The values are those of checksum.Outcome.
type Outcome int

const (
	// NotVerifiable means that the lock has no hash of a scheme that could be
	// compared: none at all, only ones of unknown schemes, or only "zh" hashes
	// for a package that is a directory. tofu accepts such a package
	// silently; the caller decides.
	NotVerifiable Outcome = iota

	// Mismatch means that there were hashes to compare, and none was equal.
	// tofu refuses such a package.
	Mismatch

	// Match means that a recorded hash is one of the package.
	Match
)

// String returns "not verifiable", "mismatch" or "match".
func (o Outcome) String() string {
	switch o {
	case NotVerifiable:
		return "not verifiable"
	case Mismatch:
		return "mismatch"
	case Match:
		return "match"
	}
	return fmt.Sprintf("Outcome(%d)", int(o))
}

// A Verdict is the result of [Lock.Verify].
type Verdict struct {
	Outcome Outcome // whether the package may be used; of the zero Verdict NotVerifiable
	Matched []Hash  // the hashes that are recorded and were computed
	Reason  string  // why the outcome is not Match
}

// Verify compares the hashes of a package, which the caller computed from the
// package itself (every "h1" and the "zh" of a zip file, "h1" of a directory:
// what Computed of checksum.Package returns), with those that l records. Like tofu it is content with one equal hash of a
// known scheme. That the package is of the right provider and version is not
// checked, the hashes say it.
func (l Lock) Verify(computed ...Hash) Verdict {
	recorded := PreferredHashes(l.Hashes)
	isRecorded := setOf(recorded)
	var v Verdict
	comparable := false
	for _, h := range PreferredHashes(computed) {
		if isRecorded[h] && !slices.Contains(v.Matched, h) {
			v.Matched = append(v.Matched, h)
		}
		if slices.ContainsFunc(recorded, func(r Hash) bool { return r.Scheme() == h.Scheme() }) {
			comparable = true
		}
	}
	switch {
	case len(v.Matched) > 0:
		v.Outcome = Match
	case comparable:
		v.Outcome = Mismatch
		v.Reason = fmt.Sprintf("none of the hashes of the package (%s) is recorded for %s %s", join(computed), l.Provider, l.Version)
	case len(computed) == 0:
		v.Reason = "no hash of the package was given"
	case len(l.Hashes) == 0:
		v.Reason = fmt.Sprintf("no hash is recorded for %s %s", l.Provider, l.Version)
	case len(recorded) == 0:
		v.Reason = fmt.Sprintf("the hashes that are recorded for %s %s have unknown schemes (%s)", l.Provider, l.Version, schemes(l.Hashes))
	default:
		v.Reason = fmt.Sprintf("the hashes that are recorded for %s %s have other schemes (%s) than those of the package (%s)",
			l.Provider, l.Version, schemes(recorded), schemes(computed))
	}
	return v
}

// Err returns nil for a Match, and otherwise an [*Error] that wraps
// [ErrMismatch] or [ErrNotVerifiable]. So a caller that only looks at errors
// never lets an unverified package pass.
func (v Verdict) Err() error {
	switch v.Outcome {
	case Match:
		return nil
	case Mismatch:
		return &Error{Err: fmt.Errorf("%w: %s", ErrMismatch, v.Reason)}
	}
	return &Error{Err: fmt.Errorf("%w: %s", ErrNotVerifiable, v.Reason)}
}

func join(hashes []Hash) string {
	texts := make([]string, len(hashes))
	for i, h := range hashes {
		texts[i] = string(h)
	}
	return strings.Join(texts, ", ")
}

// schemes returns the schemes of hashes, each once.
func schemes(hashes []Hash) string {
	var list []string
	for _, h := range hashes {
		if s := string(h.Scheme()); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return strings.Join(list, ", ")
}
