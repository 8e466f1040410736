// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"archive/zip"
	"crypto/sha256"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// An entry is one entry of the central directory of a zip.
type entry struct {
	file   *zip.File
	offset int64 // of its data
	result
}

// dir reports whether the name marks a directory. Such an entry has no data,
// even if its sizes are not zero (see [zip.File.Open]).
func (e *entry) dir() bool { return strings.HasSuffix(e.file.Name, "/") }

// A survey is the knowledge about a zip from its central directory alone.
type survey struct {
	entries []entry // in the order of the central directory

	// last has, for each name, the index of the last entry with that name. If
	// there are several, the content of the last counts for all.
	last map[string]int

	// extracted has, for each file of the extracted package, the index of
	// its entry. It is nil if the zip cannot be extracted.
	extracted map[string]int

	warnings []Warning
}

// survey checks the names, kinds and sizes of files, which are the entries of a
// zip of the given size.
func (h Hasher) survey(files []*zip.File, size int64) (*survey, error) {
	limits := h.Limits.withDefaults()
	if err := limits.checkEntries(len(files)); err != nil {
		return nil, err
	}
	s := &survey{entries: make([]entry, len(files)), last: make(map[string]int, len(files))}
	for i, f := range files {
		s.entries[i].file = f
		if strings.Contains(f.Name, "\n") {
			return nil, fail("", f.Name, ErrNewline)
		}
		_, again := s.last[f.Name]
		s.last[f.Name] = i
		if again {
			if err := s.hazard(h, f.Name, ErrDuplicateName); err != nil {
				return nil, err
			}
		}
		if unsafeName(f.Name) {
			if err := s.hazard(h, f.Name, ErrUnsafeName); err != nil {
				return nil, err
			}
		}
		switch mode := f.Mode(); {
		case mode&fs.ModeSymlink != 0:
			if err := s.hazard(h, f.Name, ErrSymlink); err != nil {
				return nil, err
			}
		case mode.IsDir():
			s.warn(f.Name, ErrDirectoryEntry)
		case !mode.IsRegular():
			if err := s.hazard(h, f.Name, ErrSpecialFile); err != nil {
				return nil, err
			}
		}
	}
	total := uint64(0)
	for i, f := range files {
		if s.last[f.Name] != i || s.entries[i].dir() {
			continue
		}
		if f.UncompressedSize64 > math.MaxInt64 {
			return nil, fail("", f.Name, zip.ErrFormat)
		}
		// No overflow: the sum before is within a limit below 1<<63.
		total += f.UncompressedSize64
		if err := limits.checkBytes(total, size); err != nil {
			return nil, fail("", f.Name, err)
		}
	}
	return s, s.extract(h)
}

// warn records a warning.
func (s *survey) warn(name string, err error) {
	s.warnings = append(s.warnings, Warning{Entry: name, Err: err})
}

// hazard records a warning if h is lenient, and otherwise returns an error.
func (s *survey) hazard(h Hasher, name string, err error) error {
	if !h.Lenient {
		return fail("", name, err)
	}
	s.warn(name, err)
	return nil
}

// unsafeName reports whether a name is absolute or leads out of the package
// on any system.
func unsafeName(name string) bool {
	if strings.ContainsAny(name, "\\\x00") || strings.HasPrefix(name, "/") {
		return true
	}
	if len(name) >= 2 && name[1] == ':' && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z') {
		return true
	}
	return leavesTree(name)
}

// leavesTree reports whether one of the parts of a name is "..". OpenTofu
// refuses to extract such a name, even if it stays within the package. It takes
// backslashes for separators here.
func leavesTree(name string) bool {
	if !strings.Contains(name, "..") {
		return false
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// extract determines the files that exist after OpenTofu has extracted the
// entries in their order. Each has its cleaned name, a later one replaces an
// earlier one, and links are plain files with the text of the link.
func (s *survey) extract(h Hasher) error {
	const isDir = -1
	tree := make(map[string]int, len(s.entries)+1)
	tree[""] = isDir
	// folded finds names that differ in case.
	folded := make(map[string]string, len(s.entries))
	possible := true

	// makeDirs makes a directory and its parents, and reports whether no file
	// is in the way.
	makeDirs := func(dir string) bool {
		for dir != "" {
			if at, ok := tree[dir]; ok {
				return at == isDir
			}
			tree[dir] = isDir
			i := strings.LastIndexByte(dir, '/')
			dir = dir[:max(i, 0)]
		}
		return true
	}

	for i := range s.entries {
		f := s.entries[i].file
		if leavesTree(f.Name) || strings.Contains(f.Name, "\x00") {
			possible = false // and there is a warning already
			continue
		}
		name := strings.TrimPrefix(path.Clean("/"+f.Name), "/")
		dir := f.Mode().IsDir()
		if clean := strings.TrimSuffix(f.Name, "/"); clean != name && !strings.HasPrefix(f.Name, "/") && name != "" {
			s.warn(f.Name, ErrUncleanName)
		}
		lower := strings.ToLower(name)
		if other, ok := folded[lower]; !ok {
			folded[lower] = name
		} else if other != name {
			s.warn(f.Name, ErrCaseCollision)
		}
		ok := true
		if dir {
			ok = makeDirs(name)
		} else {
			at, taken := tree[name]
			ok = makeDirs(name[:max(strings.LastIndexByte(name, '/'), 0)]) && !(taken && at == isDir)
			if ok {
				tree[name] = i
			}
		}
		if !ok {
			possible = false
			if err := s.hazard(h, f.Name, ErrNameConflict); err != nil {
				return err
			}
		}
	}
	if !possible {
		return nil
	}
	for name, i := range tree {
		if i == isDir {
			delete(tree, name)
		}
	}
	s.extracted = tree
	return nil
}

// fill sets the fields of p that concern names, once the results of the entries
// are known.
func (s *survey) fill(p *Package) (err error) {
	p.Files = len(s.entries)
	p.Warnings = s.warnings
	lines := make([]line, 0, len(s.entries))
	for i := range s.entries {
		name := s.entries[i].file.Name
		lines = append(lines, line{name, s.entries[s.last[name]].sum})
	}
	if p.H1, err = sumLines(lines); err != nil || s.extracted == nil {
		return err
	}
	lines = lines[:0]
	for name, i := range s.extracted {
		lines = append(lines, line{name, s.entries[i].sum})
	}
	p.Top = topNames(lines)
	for _, name := range p.Top {
		if s.entries[s.extracted[name]].file.Mode()&0o111 == 0 {
			p.Plain = append(p.Plain, name)
		}
	}
	p.Extracted, err = sumLines(lines)
	return err
}

// topNames returns the names that are in no directory.
func topNames(lines []line) []string {
	var out []string
	for _, l := range lines {
		if !strings.Contains(l.name, "/") {
			out = append(out, l.name)
		}
	}
	slices.Sort(out)
	return out
}

// emptySum is the SHA-256 of nothing. Directories count with this hash.
var emptySum = sha256.Sum256(nil)
