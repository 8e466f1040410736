// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"runtime"
	"strings"
)

// A Platform is an operating system and a processor architecture that provider
// packages are built for, such as linux_amd64. The names are those of Go's
// GOOS and GOARCH. The zero Platform is not valid.
type Platform struct{ s string }

const kindPlatform = "platform"

// ParsePlatform parses a platform of the form OS_ARCH. Like OpenTofu it accepts
// any two words, whether such a platform exists or not. Unlike OpenTofu it also
// refuses empty words, slashes and control characters, because platforms become
// parts of file names and URLs.
func ParsePlatform(s string) (Platform, error) {
	return newPlatform(s, strings.IndexByte(s, '_'))
}

// MustParsePlatform is like [ParsePlatform] but panics on errors.
func MustParsePlatform(s string) Platform { return must(ParsePlatform(s)) }

// newPlatform checks the platform s whose operating system ends at cut.
func newPlatform(s string, cut int) (Platform, error) {
	switch {
	case cut < 0:
		return Platform{}, faultf(len(s), "an underscore is missing between operating system and architecture").as(kindPlatform, s)
	case cut == 0:
		return Platform{}, faultf(0, "the operating system is empty").as(kindPlatform, s)
	case cut == len(s)-1:
		return Platform{}, faultf(len(s), "the architecture is empty").as(kindPlatform, s)
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f || c == '/' || c == '\\' || c == '_' && i != cut {
			return Platform{}, faultf(i, "the byte %q is not allowed in a platform", rune(c)).as(kindPlatform, s)
		}
	}
	return Platform{s}, nil
}

// CurrentPlatform returns the platform that this program was built for.
func CurrentPlatform() Platform { return Platform{runtime.GOOS + "_" + runtime.GOARCH} }

// IsValid reports whether p is not the zero Platform.
func (p Platform) IsValid() bool { return p.s != "" }

// OS returns the operating system of p, such as "linux".
func (p Platform) OS() string {
	os, _, _ := strings.Cut(p.s, "_")
	return os
}

// Arch returns the architecture of p, such as "amd64".
func (p Platform) Arch() string {
	_, arch, _ := strings.Cut(p.s, "_")
	return arch
}

// String returns p as OS_ARCH. The zero Platform gives the empty string.
func (p Platform) String() string { return p.s }

// Compare returns -1, 0 or +1: by operating system, then by architecture.
func (p Platform) Compare(other Platform) int {
	return cmp.Or(strings.Compare(p.OS(), other.OS()), strings.Compare(p.Arch(), other.Arch()))
}

// MarshalText returns the text of [Platform.String]. The error is always nil.
func (p Platform) MarshalText() ([]byte, error) { return []byte(p.s), nil }

// UnmarshalText sets p to the platform that [ParsePlatform] returns for text.
// An empty text gives the zero Platform.
func (p *Platform) UnmarshalText(text []byte) error { return unmarshal(p, text, ParsePlatform) }
