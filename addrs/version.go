// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/numlimit"
)

// A Version is the version of a provider or module, such as 1.2.3-beta.1+b5,
// in normal form. The numbers may have up to 309 digits. Two Versions are == if and
// only if all their parts are the same, build metadata included.
//
// The zero Version is not valid; it differs from the version 0.0.0.
type Version struct {
	s string // MAJOR.MINOR.PATCH[-PRERELEASE][+METADATA]
}

const kindVersion = "version"

// maxVersion bounds the bytes of a version as written. Sorting constraints reads a
// version once for each comparison.
const maxVersion = 1024

// ParseVersion parses a version as OpenTofu does for providers (with the
// grammar of the library apparentlymart/go-versions): one to three numbers,
// then a prerelease after a hyphen and build metadata after a plus sign.
// Missing numbers are 0. Leading zeros are removed, and so is a hyphen, a plus
// sign or a dot with nothing after it. A prefix "v", white space, wildcards and
// a fourth number are errors. A version of more than 1,024 bytes, or with a number
// of more than 309 digits, is an error that wraps [ErrLimit].
//
// If s is in normal form, nothing is allocated and the result refers to s.
func ParseVersion(s string) (Version, error) {
	v, f := parseVersion(s)
	return v, f.as(kindVersion, s)
}

// MustParseVersion is like [ParseVersion] but panics on errors.
func MustParseVersion(s string) Version { return must(ParseVersion(s)) }

func parseVersion(s string) (Version, *fault) {
	switch {
	case s == "":
		return Version{}, &fault{0, errors.New("the version is empty")}
	case s[0] == 'v' || s[0] == 'V':
		return Version{}, &fault{0, errors.New(`a version has no "v" before it`)}
	}
	spec, f := scanVersion(s, 0)
	if f == nil && spec.end != len(s) {
		f = faultf(spec.end, "found %q where a number, \"-\", \"+\" or the end is expected", s[spec.end:min(spec.end+1, len(s))])
	}
	if f != nil {
		return Version{}, f
	}
	return Version{spec.text(s, 3)}, nil
}

// A versionSpec is the result of scanVersion: substrings of its input.
type versionSpec struct {
	nums      [3]string // digits; empty if missing
	count     int       // how many numbers there are
	pre, meta string
	end       int
}

// scanVersion reads a version of one to three numbers from s[at:].
func scanVersion(s string, at int) (versionSpec, *fault) {
	v, f := scanVersionText(s, at)
	if f != nil {
		return v, f
	}
	if v.end-at > maxVersion {
		return v, faultf(at, "%w: the version has more than %d bytes", ErrLimit, maxVersion)
	}
	for _, n := range v.nums[:v.count] {
		if !numlimit.Text(n) {
			return v, faultf(at, "%w: a number of the version has too many digits", ErrLimit)
		}
	}
	return v, nil
}

func scanVersionText(s string, at int) (v versionSpec, f *fault) {
	i := at
	for {
		n := digitsLen(s[i:])
		if n == 0 {
			if i < len(s) && (s[i] == '*' || s[i] == 'x' || s[i] == 'X') {
				return v, faultf(i, "wildcards are not allowed; leave out what may vary")
			}
			if v.count == 0 {
				return v, faultf(i, "a number is expected")
			}
			// A dot at the end: the grammar of OpenTofu allows it.
			v.end = i
			return v, nil
		}
		if v.count == len(v.nums) {
			return v, faultf(i, "too many numbers; only major, minor and patch are allowed")
		}
		v.nums[v.count] = s[i : i+n]
		v.count++
		i += n
		if i == len(s) || s[i] != '.' {
			break
		}
		i++
	}
	if i < len(s) && s[i] == '-' {
		n := extraLen(s[i+1:])
		v.pre = s[i+1 : i+1+n]
		i += 1 + n
		if n == 0 {
			// As in OpenTofu, the grammar ends after a hyphen with nothing
			// behind it: no metadata can follow.
			v.end = i
			return v, nil
		}
	}
	if i < len(s) && s[i] == '+' {
		n := extraLen(s[i+1:])
		v.meta = s[i+1 : i+1+n]
		i += 1 + n
	}
	v.end = i
	return v, nil
}

// extraLen returns the length of the prerelease or metadata at the beginning of
// s.
func extraLen(s string) int {
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '-' || s[i] == '.' || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z') {
		i++
	}
	return i
}

// text returns the normal text of v with the given count of numbers (2 or 3).
// The argument in is the text that v is a part of; text returns it if it is
// normal.
func (v *versionSpec) text(in string, count int) string {
	length := count - 1
	for i := range count {
		v.nums[i] = trimZeros(v.nums[i])
		length += len(v.nums[i])
	}
	if v.pre != "" {
		length += 1 + len(v.pre)
	}
	if v.meta != "" {
		length += 1 + len(v.meta)
	}
	// A version that is not normal is longer, or has fewer numbers, than its
	// printed form.
	if length == len(in) && v.count == count {
		return in
	}
	b := make([]byte, 0, length)
	for i := range count {
		if i > 0 {
			b = append(b, '.')
		}
		b = append(b, v.nums[i]...)
	}
	if v.pre != "" {
		b = append(append(b, '-'), v.pre...)
	}
	if v.meta != "" {
		b = append(append(b, '+'), v.meta...)
	}
	return string(b)
}

// trimZeros returns a number without leading zeros; a missing one is 0.
func trimZeros(digits string) string {
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return "0"
	}
	return digits
}

// split returns the parts of v.
func (v Version) split() (core, pre, meta string) {
	core = v.s
	if i := strings.IndexByte(core, '+'); i >= 0 {
		core, meta = core[:i], core[i+1:]
	}
	if i := strings.IndexByte(core, '-'); i >= 0 {
		core, pre = core[:i], core[i+1:]
	}
	return core, pre, meta
}

// IsValid reports whether v is not the zero Version.
func (v Version) IsValid() bool { return v.s != "" }

// Core returns v without prerelease and metadata: the three numbers.
func (v Version) Core() Version {
	core, _, _ := v.split()
	return Version{core}
}

// Prerelease returns the part of v after the hyphen, or "" for a release.
func (v Version) Prerelease() string {
	_, pre, _ := v.split()
	return pre
}

// Metadata returns the build metadata of v: the text after the plus sign.
func (v Version) Metadata() string {
	_, _, meta := v.split()
	return meta
}

// Numbers returns the major, minor and patch number of v. It reports false if
// v is not valid or if a number does not fit in 64 bits.
func (v Version) Numbers() (major, minor, patch uint64, ok bool) {
	core, _, _ := v.split()
	var nums [3]uint64
	for i := range nums {
		var digits string
		digits, core, _ = strings.Cut(core, ".")
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			return 0, 0, 0, false
		}
		nums[i] = n
	}
	return nums[0], nums[1], nums[2], true
}

// String returns the normal text of v, as OpenTofu prints it in lock files.
// The zero Version gives the empty string.
func (v Version) String() string { return v.s }

// Compare returns -1, 0 or +1 by the precedence of Semantic Versioning 2.0.0.
// Versions of the same precedence are ordered by their text, so only the same
// version compares as 0.
//
// OpenTofu orders prereleases differently: it puts the one with fewer dots
// first, 1.0.0-rc before 1.0.0-beta.1. This matters only for bounds in
// [Constraints], which follow OpenTofu.
func (v Version) Compare(other Version) int {
	if v.s == other.s {
		return 0
	}
	// The common beginning is not read again, so sorting similar versions is
	// cheap.
	at, inPrerelease := v.sharedParts(other)
	if inPrerelease {
		pre, _, _ := strings.Cut(v.s[at:], "+")
		otherPre, _, _ := strings.Cut(other.s[at:], "+")
		return cmp.Or(compareIdentifierLists(pre, otherPre), strings.Compare(v.s, other.s))
	}
	core, pre, _ := Version{v.s[at:]}.split()
	otherCore, otherPre, _ := Version{other.s[at:]}.split()
	return cmp.Or(
		compareCores(core, otherCore),
		comparePrereleases(pre, otherPre),
		strings.Compare(v.s, other.s),
	)
}

// sharedParts returns the length of the beginning that v and other share, up to a
// number or identifier that is longer in one of them. It also reports whether
// both have a prerelease and that part belongs to it. Build metadata does not
// count.
func (v Version) sharedParts(other Version) (at int, inPrerelease bool) {
	for i := range min(len(v.s), len(other.s)) {
		c := v.s[i]
		if c != other.s[i] || c == '+' {
			break
		}
		if c == '.' || c == '-' && !inPrerelease {
			at, inPrerelease = i+1, inPrerelease || c == '-'
		}
	}
	return at, inPrerelease
}

// compareCores compares the three numbers of versions. An empty core, of the
// zero Version, comes first.
func compareCores(a, b string) int {
	for a != "" && b != "" {
		var aNum, bNum string
		aNum, a, _ = strings.Cut(a, ".")
		bNum, b, _ = strings.Cut(b, ".")
		if c := compareDigits(aNum, bNum); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compareDigits compares numbers without leading zeros, of any size.
func compareDigits(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// comparePrereleases compares prereleases by the rules of Semantic Versioning:
// identifier by identifier, numbers below words, the shorter list first, and a
// release last. Leading zeros, which the rules forbid, are ignored.
func comparePrereleases(a, b string) int {
	if a == b {
		return 0
	}
	if a == "" || b == "" {
		return cmp.Compare(len(b), len(a))
	}
	return compareIdentifierLists(a, b)
}

// compareIdentifierLists compares the identifiers of two prereleases.
func compareIdentifierLists(a, b string) int {
	for {
		aID, aRest, aMore := strings.Cut(a, ".")
		bID, bRest, bMore := strings.Cut(b, ".")
		if c := compareIdentifiers(aID, bID, true); c != 0 {
			return c
		}
		switch {
		case !aMore && !bMore:
			return 0
		case !aMore:
			return -1
		case !bMore:
			return +1
		}
		a, b = aRest, bRest
	}
}

// compareIdentifiers compares identifiers of prereleases: numbers come before
// words and are ordered by value. If zeros is false, a number is larger if it
// has more digits, even if these are leading zeros.
func compareIdentifiers(a, b string, zeros bool) int {
	aNum, bNum := isDigits(a), isDigits(b)
	switch {
	case aNum && bNum && zeros:
		return compareDigits(trimZeros(a), trimZeros(b))
	case aNum && bNum:
		return compareDigits(a, b)
	case aNum:
		return -1
	case bNum:
		return +1
	default:
		return strings.Compare(a, b)
	}
}

// compareTofu compares by the precedence of OpenTofu (VersionExtra.LessThan in
// go-versions) without build metadata. It differs from [Version.Compare] in
// prereleases: of two with the same beginning, the one with fewer identifiers
// left comes first, before the next identifiers are compared.
func (v Version) compareTofu(other Version) int {
	core, pre, _ := v.split()
	otherCore, otherPre, _ := other.split()
	if c := compareCores(core, otherCore); c != 0 {
		return c
	}
	if pre == "" || otherPre == "" {
		return cmp.Compare(len(otherPre), len(pre))
	}
	return compareExtrasTofu(pre, otherPre)
}

// compareExtrasTofu compares prereleases, or metadata, as OpenTofu does.
func compareExtrasTofu(a, b string) int {
	for {
		aID, aRest, aMore := strings.Cut(a, ".")
		bID, bRest, bMore := strings.Cut(b, ".")
		switch {
		case !aMore && bMore:
			return -1
		case aMore && !bMore:
			return +1
		}
		if c := compareIdentifiers(aID, bID, false); c != 0 || !aMore {
			return c
		}
		a, b = aRest, bRest
	}
}

// MarshalText returns the text of [Version.String]. The error is always nil.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.s), nil }

// UnmarshalText sets v to the version that [ParseVersion] returns for text.
// An empty text gives the zero Version.
func (v *Version) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseVersion) }
