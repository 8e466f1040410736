// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"sort"
	"strings"
)

// MergeText merges like [MergeFiles] and returns the text of the result, with Git's conflict
// markers around each block that cannot be merged, as a merge driver of Git has to write
// it. The names follow the markers. [Resolve] reads such a text.
//
// Where both sides have one version and other constraints, the hashes of both are in both
// blocks. A side that removed the block has nothing between the markers.
func MergeText(base, ours, theirs *File, oursName, theirsName string) ([]byte, []Conflict, error) {
	merged, conflicts, err := MergeFiles(base, ours, theirs)
	if err != nil || len(conflicts) == 0 {
		return merged.Bytes(), conflicts, err
	}
	theirs = theirs.Clone()
	for _, c := range conflicts {
		switch {
		case c.Ours == nil: // their block shows the place
			err = merged.Set(*c.Theirs)
		case c.Theirs != nil && c.Ours.Version == c.Theirs.Version:
			err = theirs.AddHashes(c.Provider, c.Ours.Hashes...)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	text := string(merged.Bytes())
	sort.Slice(conflicts, func(i, j int) bool { return conflicts[i].Provider.Compare(conflicts[j].Provider) < 0 })
	type place struct {
		start, end int
		conflict   Conflict
	}
	var places []place
	for _, c := range conflicts {
		r := merged.Block(c.Provider).Range()
		start, end := int(r.Start.Offset), int(r.End.Offset)
		start = strings.LastIndexByte(text[:start], '\n') + 1
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(text)
		}
		places = append(places, place{start, end, c})
	}
	sort.Slice(places, func(i, j int) bool { return places[i].start > places[j].start })
	for _, p := range places {
		block := text[p.start:p.end]
		eol := "\n"
		if strings.HasSuffix(block, "\r\n") {
			eol = "\r\n"
		}
		block = strings.TrimRight(block, "\r\n") + eol
		var b strings.Builder
		b.WriteString(strings.TrimRight(markOurs+" "+oursName, " ") + eol)
		if p.conflict.Ours != nil {
			b.WriteString(block)
		}
		b.WriteString(markMiddle + eol)
		switch {
		case p.conflict.Ours == nil:
			b.WriteString(block)
		case p.conflict.Theirs != nil:
			lines := strings.ReplaceAll(theirs.Block(p.conflict.Provider).Text(), "\r\n", "\n")
			b.WriteString(strings.ReplaceAll(lines, "\n", eol) + eol)
		}
		b.WriteString(strings.TrimRight(markTheirs+" "+theirsName, " ") + eol)
		text = text[:p.start] + b.String() + text[p.end:]
	}
	return []byte(text), conflicts, nil
}
