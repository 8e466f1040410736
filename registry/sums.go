// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// sums is a SHA256SUMS document. OpenTofu reads it twice, in two ways that do
// not agree. Here it is read once, and the two ways are methods.
type sums struct {
	lines []sumsLine
	blank int // the number of the first blank line, or 0
}

// A sumsLine is a line that is not blank.
type sumsLine struct {
	number int    // from 1
	hex    string // first field, as written
	name   string // second field, or ""
	more   bool   // further fields follow
}

// parseSums splits src into lines and fields. It accepts anything.
func parseSums(src []byte) *sums {
	s := &sums{}
	n := 0
	for line := range bytes.Lines(src) {
		n++
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			s.blank = cmp.Or(s.blank, n)
			continue
		}
		l := sumsLine{number: n, hex: string(fields[0]), more: len(fields) > 2}
		if len(fields) > 1 {
			l.name = string(fields[1])
		}
		s.lines = append(s.lines, l)
	}
	return s
}

// lookup returns the SHA-256 of the file called name, in lower case. OpenTofu
// takes the first line with the name, and all lines for the lock. Here it is an
// error if lines contradict each other, for any file.
func (s *sums) lookup(name string) (string, error) {
	byName := make(map[string]string, len(s.lines))
	for _, l := range s.lines {
		sum := strings.ToLower(l.hex)
		if !isSHA256(sum) {
			if l.name == name {
				return "", fmt.Errorf("line %d has no SHA-256", l.number)
			}
			continue
		}
		if other, ok := byName[l.name]; ok && other != sum && l.name != "" {
			return "", fmt.Errorf("line %d has a second SHA-256 for %s", l.number, printable.Line(l.name, 100))
		}
		byName[l.name] = sum
	}
	found := byName[name]
	if found == "" {
		return "", fmt.Errorf("there is no line for %s", printable.Line(name, 100))
	}
	return found, nil
}

// all returns the hashes that OpenTofu takes from the document: those of all
// lines, for any file, or none if a line does not begin with a SHA-256 and a
// name. Both tools crash at blank lines; all skips them.
func (s *sums) all() []addrs.Hash {
	var out []addrs.Hash
	for _, l := range s.lines {
		sum := strings.ToLower(l.hex)
		if l.name == "" || !isSHA256(sum) {
			return nil
		}
		out = append(out, zhOf(sum))
	}
	return sortedSet(out)
}

// packages returns the hashes of the lines that are for packages of the
// provider and version: "terraform-provider-TYPE_VERSION_OS_ARCH.zip".
func (s *sums) packages(typ, version string) []addrs.Hash {
	var out []addrs.Hash
	for _, l := range s.lines {
		sum := strings.ToLower(l.hex)
		if !l.more && isSHA256(sum) && isPackageName(l.name, typ, version) {
			out = append(out, zhOf(sum))
		}
	}
	return sortedSet(out)
}

// isPackageName reports whether name is that of a package of the provider
// type and version for some platform.
func isPackageName(name, typ, version string) bool {
	rest, ok := strings.CutPrefix(name, "terraform-provider-"+typ+"_"+version+"_")
	if !ok {
		return false
	}
	rest, ok = strings.CutSuffix(rest, ".zip")
	os, arch, ok2 := strings.Cut(rest, "_")
	return ok && ok2 && os != "" && arch != "" && !strings.ContainsAny(arch, "_/\\")
}
