// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Sums is a SHA256SUMS document: lines of a SHA-256 in hexadecimal, two
// spaces and a file name, as sha256sum prints them and provider registries
// serve them for a version's packages.
//
// The document keeps all of its bytes: [Sums.Bytes] returns the text that was
// parsed, and an edit changes only the lines of one name. A Sums keeps a copy
// of its source. The zero Sums is an empty document.
type Sums struct {
	filename string
	lines    []sumsLine
}

// A sumsLine is one line and the places of its first two fields. If it has
// fewer than two, name is empty.
type sumsLine struct {
	text      string // with its line end, if it has one
	hash      Hash   // zero if the first field is not a digest
	hashStart int
	hashEnd   int
	name      string
	nameStart int
}

// A SumsLine is a line of a SHA256SUMS document that has a name.
type SumsLine struct {
	Line   int   // from 1
	Offset int64 // of the line, in bytes from 0
	Name   string

	// Hash is the zh that the line gives for the file. It is the zero Hash
	// if the first field of the line is not 64 hexadecimal digits. Digits
	// in upper case are accepted; the Hash has lower case.
	Hash Hash
}

// ParseSums parses a well-formed document. Each line is 64 hexadecimal digits
// in lower case, two spaces, and the name of a file without white space or
// separators. Lines end with a line feed, which the last may lack. No name
// occurs twice. Nothing else is allowed: no blank lines, byte order mark,
// carriage returns or marks for binary files. The filename is used only in
// errors. An error is an [*Error] with the place.
//
// OpenTofu is more tolerant, and fails for some of these documents: a blank
// line makes it crash. [ParseSumsLax] reads any document in OpenTofu's manner.
func ParseSums(filename string, src []byte) (*Sums, error) {
	s := ParseSumsLax(filename, src)
	names := make(map[string]bool, len(s.lines))
	for i, l := range s.lines {
		if err := l.strict(i); err != nil {
			e := err.(*Error)
			return nil, s.at(i, e.Column-1, e.Err)
		}
		if names[l.name] {
			return nil, s.at(i, l.nameStart, ErrDuplicateName)
		}
		names[l.name] = true
	}
	return s, nil
}

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\ufeff"

// strict returns an *Error with a Column and an Err if l, whose index is i, is
// not well-formed.
func (l sumsLine) strict(i int) error {
	bad := func(at int, text string) error { return &Error{Column: at + 1, Err: errors.New(text)} }
	text := strings.TrimSuffix(l.text, "\n")
	switch {
	case i == 0 && strings.HasPrefix(text, byteOrderMark):
		return bad(0, "byte order mark")
	case strings.HasSuffix(text, "\r"):
		return bad(len(text)-1, "carriage return")
	case strings.TrimSpace(text) == "":
		return bad(0, "blank line")
	}
	digits := 0
	for digits < len(text) && (text[digits] >= '0' && text[digits] <= '9' || text[digits] >= 'a' && text[digits] <= 'f') {
		digits++
	}
	if digits != 2*sha256.Size {
		return bad(min(digits, 2*sha256.Size), "not a digest: want 64 hexadecimal digits in lower case")
	}
	name, ok := strings.CutPrefix(text[digits:], "  ")
	at := len(text) - len(name)
	switch {
	case !ok:
		return bad(digits, "want two spaces after the digest")
	case name == "":
		return bad(at, "name is missing")
	case strings.HasPrefix(name, "*"):
		return bad(at, "mark for a binary file")
	case strings.ContainsAny(name, `/\`):
		return bad(at+strings.IndexAny(name, `/\`), "name has a separator")
	case !utf8.ValidString(name):
		return bad(at, "name is not UTF-8")
	}
	if k := strings.IndexFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }); k >= 0 {
		return bad(at+k, "name has white space or a control character")
	}
	return nil
}

// ParseSumsLax parses any document in OpenTofu's manner, and therefore never
// fails. Lines end with a line feed. White space of any kind separates their
// fields. The first two fields are the digest and the name; further fields are
// ignored. [Sums.Find] and [Sums.PackageHashes] then fail for the
// lines that cannot be used. The filename is used only in their errors.
func ParseSumsLax(filename string, src []byte) *Sums {
	s := &Sums{filename: filename}
	for text := range strings.Lines(string(src)) {
		s.lines = append(s.lines, parseSumsLine(text))
	}
	return s
}

// parseSumsLine finds the fields of a line.
func parseSumsLine(text string) sumsLine {
	l := sumsLine{text: text}
	field := func(from int) (start, end int) {
		start = len(text)
		if i := strings.IndexFunc(text[from:], notSpace); i >= 0 {
			start = from + i
		}
		end = len(text)
		if i := strings.IndexFunc(text[start:], unicode.IsSpace); i >= 0 {
			end = start + i
		}
		return start, end
	}
	l.hashStart, l.hashEnd = field(0)
	var nameEnd int
	l.nameStart, nameEnd = field(l.hashEnd)
	l.name = text[l.nameStart:nameEnd]
	l.hash = digestHash(text[l.hashStart:l.hashEnd])
	return l
}

func notSpace(r rune) bool { return !unicode.IsSpace(r) }

// digestHash returns the zh of a digest in hexadecimal of either case, or the
// zero Hash.
func digestHash(text string) Hash {
	var sum [sha256.Size]byte
	if len(text) != 2*len(sum) {
		return ""
	}
	if _, err := hex.Decode(sum[:], []byte(text)); err != nil {
		return ""
	}
	return NewZH(sum)
}

// at returns an *Error about a byte of a line. Line and column count from 0.
func (s *Sums) at(line, column int, err error) error {
	e := &Error{Filename: s.filename, Line: line + 1, Column: column + 1, Err: err}
	for _, l := range s.lines[:line] {
		e.Offset += int64(len(l.text))
	}
	e.Offset += int64(column)
	return e
}

// Lines returns an iterator over the lines that have a name, in their order.
// Not all of these are packages: see [Sums.PackageHashes].
func (s *Sums) Lines() iter.Seq[SumsLine] {
	return func(yield func(SumsLine) bool) {
		if s == nil {
			return
		}
		offset := int64(0)
		for i, l := range s.lines {
			if l.name != "" && !yield(SumsLine{Line: i + 1, Offset: offset, Name: l.name, Hash: l.hash}) {
				return
			}
			offset += int64(len(l.text))
		}
	}
}

// Find returns the zh that the document gives for the file name. Errors are
// [*Error] values. The cause is [ErrNotListed] if there is no line with the
// name, and [ErrAmbiguous] if several lines have different digests. If the line
// has no digest, the cause is another one.
func (s *Sums) Find(name string) (Hash, error) {
	if s == nil {
		return "", nil
	}
	found, err := s.first(name)
	if err != nil {
		return "", err
	}
	for i, l := range s.lines {
		if l.name == name && l.hash != found {
			return "", s.ambiguous(i)
		}
	}
	return found, nil
}

// first returns the zh of the first line with the name, which counts in OpenTofu.
func (s *Sums) first(name string) (Hash, error) {
	if s == nil {
		return "", nil
	}
	for i, l := range s.lines {
		if l.name != name || name == "" {
			continue
		}
		if !l.hash.IsValid() {
			return "", s.at(i, l.hashStart, errNotDigest)
		}
		return l.hash, nil
	}
	return "", &Error{Filename: s.filename, Input: name, Err: ErrNotListed}
}

var errNotDigest = errors.New("not a digest")

// PackageHashes returns the zh of the packages for one version of a provider,
// by their names ([PackageFile]), in the order of the document. It leaves out
// everything else, such as the manifest, whose hash must not go in a lock file.
// Errors are those of [Sums.Find], except that it is not an error if there is
// no such package.
func (s *Sums) PackageHashes(providerType, version string) ([]Hash, error) {
	if s == nil {
		return nil, nil
	}
	var hashes []Hash
	byName, seen := make(map[string]Hash), make(map[Hash]bool)
	for i, l := range s.lines {
		f, ok := ParsePackageFile(l.name)
		if !ok || f.Type != providerType || f.Version != version {
			continue
		}
		if !l.hash.IsValid() {
			return nil, s.at(i, l.hashStart, errNotDigest)
		}
		if other, ok := byName[l.name]; ok && other != l.hash {
			return nil, s.ambiguous(i)
		}
		byName[l.name] = l.hash
		if !seen[l.hash] {
			seen[l.hash] = true
			hashes = append(hashes, l.hash)
		}
	}
	return hashes, nil
}

// ambiguous returns the error for a line that contradicts an earlier one.
func (s *Sums) ambiguous(line int) error {
	l := s.lines[line]
	return s.at(line, l.nameStart, fmt.Errorf("%s: %w", printable(l.name), ErrAmbiguous))
}

// Set makes h the hash of the file name. It changes the digest in all lines of
// the name, or adds a line at the end. It returns an error if h is not a zh
// with a digest, or if the name is empty or contains white space.
func (s *Sums) Set(name string, h Hash) error {
	if _, ok := Digest(h); !ok || h.Scheme() != addrs.SchemeZH {
		return &Error{Filename: s.filename, Input: h.String(), Err: errors.New("not a zh hash")}
	}
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return &Error{Filename: s.filename, Input: name, Err: errors.New("name is empty or has white space")}
	}
	found := false
	for i, l := range s.lines {
		if l.name == name {
			if l.hash != h {
				s.lines[i] = parseSumsLine(l.text[:l.hashStart] + h.Value() + l.text[l.hashEnd:])
			}
			found = true
		}
	}
	if found {
		return nil
	}
	end := "\n"
	if n := len(s.lines); n > 0 {
		last := s.lines[n-1].text
		if n > 1 && strings.HasSuffix(s.lines[0].text, "\r\n") || strings.HasSuffix(last, "\r\n") {
			end = "\r\n"
		}
		if !strings.HasSuffix(last, "\n") {
			s.lines[n-1] = parseSumsLine(last + end)
		}
	}
	s.lines = append(s.lines, parseSumsLine(h.Value()+"  "+name+end))
	return nil
}

// Remove removes the lines of the file name and reports whether there were any.
func (s *Sums) Remove(name string) bool {
	n := len(s.lines)
	if name != "" {
		s.lines = slices.DeleteFunc(s.lines, func(l sumsLine) bool { return l.name == name })
	}
	return len(s.lines) < n
}

// Bytes returns the text of the document. Without an edit, these are the
// bytes that were parsed. The caller owns the result.
func (s *Sums) Bytes() []byte {
	if s == nil {
		return nil
	}
	var b bytes.Buffer
	for _, l := range s.lines {
		b.WriteString(l.text)
	}
	return b.Bytes()
}

// A PackageFile has the parts of the name of a provider package, such as
// terraform-provider-aws_5.0.0_linux_amd64.zip.
type PackageFile struct {
	Type    string // such as "aws"
	Version string // such as "5.0.0"; not checked
	OS      string // such as "linux"
	Arch    string // such as "amd64"
}

// ParsePackageFile splits the name of a provider package, without a directory, into its parts.
// The name does not contain the host and the namespace of the provider. It reports false if the
// name is not that of a provider package.
func ParsePackageFile(name string) (f PackageFile, ok bool) {
	rest, ok := strings.CutPrefix(name, "terraform-provider-")
	rest, zip := strings.CutSuffix(rest, ".zip")
	// The type may have underscores, the other parts cannot.
	parts := strings.Split(rest, "_")
	n := len(parts)
	if !ok || !zip || n < 4 || strings.ContainsAny(rest, "/\\") {
		return PackageFile{}, false
	}
	f = PackageFile{strings.Join(parts[:n-3], "_"), parts[n-3], parts[n-2], parts[n-1]}
	if f.Type == "" || f.Version == "" || f.OS == "" || f.Arch == "" {
		return PackageFile{}, false
	}
	return f, true
}

// String returns the name of the package; [ParsePackageFile] parses it to f.
func (f PackageFile) String() string {
	return "terraform-provider-" + f.Type + "_" + f.Version + "_" + f.OS + "_" + f.Arch + ".zip"
}
