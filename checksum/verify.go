// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// An Outcome is the answer to whether a package is a wanted one.
// Only [Match] is a yes.
type Outcome int

const (
	// NotVerifiable means that there is nothing to compare with: no hash
	// is wanted, or only such as are not defined for the package, which are
	// those of unknown schemes and, for a directory, zh.
	// OpenTofu accepts the package then.
	NotVerifiable Outcome = iota

	// Mismatch means that the package has none of the wanted hashes.
	Mismatch

	// Match means that the package has one of the wanted hashes.
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
	default:
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
}

// A Verdict is the result of [Verify].
type Verdict struct {
	// Outcome is the answer. Of the zero Verdict it is [NotVerifiable].
	Outcome Outcome

	// Matched has the wanted hashes that the package has, in the order of
	// the wanted ones and without duplicates. Their schemes say how
	// strong the match is: zh is for the exact file, h1 for its content.
	Matched []Hash

	// ExtractedOnly reports a match that OpenTofu does not see when it
	// installs the zip: the h1 that was wanted is the one of the extracted
	// package, and the zip itself has another. See [Package.Extracted].
	ExtractedOnly bool

	err error
}

// Err returns nil for a match, and otherwise an [*Error] with the cause
// [ErrMismatch] or [ErrNotVerifiable].
func (v Verdict) Err() error {
	if v.Outcome == Match {
		return nil
	}
	if v.err == nil { // the zero Verdict
		return &Error{Err: ErrNotVerifiable}
	}
	return v.err
}

// Verify compares p with the wanted hashes, such as those that a lock file
// has for its version. As in OpenTofu, one that matches is enough: the others
// may be those of packages for other platforms.
func Verify(p *Package, wanted []Hash) Verdict {
	var v Verdict
	if p == nil {
		return v
	}
	comparable, asItIs := false, false
	for _, w := range wanted {
		switch {
		case w.Scheme() == addrs.SchemeH1 || w.Scheme() == addrs.SchemeZH && p.Zip:
			comparable = true
		default:
			continue
		}
		if w != p.H1 && w != p.Extracted && w != p.ZH {
			continue
		}
		asItIs = asItIs || w != p.Extracted || w == p.H1
		if !slices.Contains(v.Matched, w) {
			v.Matched = append(v.Matched, w)
		}
	}
	switch {
	case len(v.Matched) > 0:
		v.Outcome = Match
		v.ExtractedOnly = !asItIs
	case comparable:
		v.Outcome = Mismatch
		v.err = &Error{Filename: p.Name, Err: ErrMismatch}
	case len(wanted) == 0:
		v.err = &Error{Filename: p.Name, Err: fmt.Errorf("%w: no hash is wanted", ErrNotVerifiable)}
	default:
		v.err = &Error{Filename: p.Name, Err: fmt.Errorf(
			"%w: wanted hashes have only schemes that do not apply to it: %s", ErrNotVerifiable, schemeList(wanted))}
	}
	return v
}
