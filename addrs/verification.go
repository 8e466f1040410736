// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The reasons why a verification fails. The errors of all packages that verify
// wrap these; see [errors.Is].
var (
	// ErrMismatch means that a package, or another file with a checksum, does not
	// match.
	ErrMismatch = errors.New("checksum mismatch")

	// ErrNotVerifiable means that there is no hash to compare a package with.
	// OpenTofu accepts such a package.
	ErrNotVerifiable = errors.New("package cannot be verified")
)

// A Verdict says whether a package has a wanted hash. Only [Match] means that
// it does.
// Its values are [NotVerifiable], [Mismatch] and [Match].
type Verdict int

const (
	// NotVerifiable means that there is nothing to compare. Either no hash is
	// wanted, or all wanted hashes are of a kind that the package does not have:
	// those of unknown schemes and, for a directory, zh. OpenTofu accepts the
	// package silently.
	NotVerifiable Verdict = iota

	// Mismatch means that there were hashes to compare, and none was equal.
	// OpenTofu refuses the package.
	Mismatch

	// Match means that the package has a wanted hash.
	Match
)

// String returns "not verifiable", "mismatch" or "match".
func (v Verdict) String() string {
	switch v {
	case NotVerifiable:
		return "not verifiable"
	case Mismatch:
		return "mismatch"
	case Match:
		return "match"
	}
	return fmt.Sprintf("Verdict(%d)", int(v))
}

// A Verification is the result of [VerifyHashes]. The zero Verification has the
// verdict NotVerifiable.
type Verification struct {
	Verdict Verdict // whether the package has a wanted hash
	Matched []Hash  // the wanted hashes that the package has, in their order, each once
	Reason  string  // why the verdict is not Match, for people
}

// Err returns nil for a [Match], and otherwise an error that wraps [ErrMismatch] or
// [ErrNotVerifiable]. A caller that only looks at errors never lets an unverified
// package pass.
func (v Verification) Err() error {
	cause := ErrNotVerifiable
	switch v.Verdict {
	case Match:
		return nil
	case Mismatch:
		cause = ErrMismatch
	}
	if v.Reason == "" {
		return cause
	}
	return fmt.Errorf("%w: %s", cause, v.Reason)
}

// VerifyHashes compares the hashes of a package with the wanted hashes, such as those
// in a lock file. The caller computed the former from the package itself: every h1, and
// the zh of a zip file. As in OpenTofu, one equal hash is enough: the others may belong
// to packages for other platforms. Only hashes with the schemes [SchemeH1] and
// [SchemeZH] count.
func VerifyHashes(wanted, computed []Hash) Verification {
	var v Verification
	has := make(map[Hash]bool, len(computed)) // and whether it is matched already
	schemes := make(map[HashScheme]bool, 2)
	for _, c := range computed {
		has[c], schemes[c.Scheme()] = false, true
	}
	for _, w := range wanted {
		if !w.IsPreferred() || !schemes[w.Scheme()] {
			continue
		}
		v.Verdict = max(v.Verdict, Mismatch)
		if matched, ok := has[w]; ok && !matched {
			v.Verdict, has[w] = Match, true
			v.Matched = append(v.Matched, w)
		}
	}
	switch {
	case v.Verdict == Match:
	case v.Verdict == Mismatch:
		v.Reason = fmt.Sprintf("the package has %s, none of the %d wanted hashes", joinHashes(computed), len(wanted))
		if len(wanted) == 1 {
			v.Reason = fmt.Sprintf("the package has %s, not the wanted hash", joinHashes(computed))
		}
	case len(computed) == 0:
		v.Reason = "no hash of the package was given"
	case len(wanted) == 0:
		v.Reason = "no hash is wanted"
	default:
		v.Reason = fmt.Sprintf("the package has no hash of the wanted schemes (%s)", schemeList(wanted))
	}
	return v
}

func joinHashes(hashes []Hash) string {
	texts := make([]string, len(hashes))
	for i, h := range hashes {
		texts[i] = string(h)
	}
	return strings.Join(texts, ", ")
}

// schemeList returns the schemes of hashes, each once, but no more than a few.
func schemeList(hashes []Hash) string {
	const most = 8
	var list []string
	for _, h := range hashes {
		s := string(h.Scheme())
		if len(s) > 40 {
			s = s[:40] + "..."
		}
		if s = fmt.Sprintf("%q", s); slices.Contains(list, s) {
			continue
		}
		if len(list) == most {
			return strings.Join(list, ", ") + ", ..."
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}
