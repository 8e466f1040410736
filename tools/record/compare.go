// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// A Pair is a file that keeps a recording, as it is and as it was remade.
type Pair struct {
	File     string
	Old, New []byte

	// Encryption is the text of TF_ENCRYPTION that opens both, "" if they are not
	// encrypted.
	Encryption string
}

// A Verdict says how the two of a [Pair] compare.
type Verdict struct {
	File  string
	Same  bool     // byte for byte
	Diffs []string // what differs and should not
}

// Compare compares the files of one case. The recordings of a case are compared
// together, because a value made up in one occurs in others. What varies because
// of the configuration of the case is listed in its script.
func Compare(pairs []Pair, s *Script) []Verdict {
	parts := make([][]part, len(pairs))
	l, o := learned{}, opened{}
	for round := 0; round < 2; round++ {
		// The second time, what the first one learned pairs more lines.
		for i, p := range pairs {
			parts[i] = split(p, l, o, s)
			for j := range parts[i] {
				parts[i][j].varies, parts[i][j].unordered = s.Varies, s.Unordered
				parts[i][j].learn(l)
			}
		}
	}
	verdicts := make([]Verdict, len(pairs))
	for i, p := range pairs {
		verdicts[i] = Verdict{File: p.File, Same: bytes.Equal(p.Old, p.New)}
		if verdicts[i].Same {
			continue
		}
		for _, part := range parts[i] {
			verdicts[i].Diffs = append(verdicts[i].Diffs, part.diff(l)...)
		}
	}
	return verdicts
}

// learned maps values that were made up in the old recordings to those that
// stand there now. Both are as written in JSON, without quotation marks.
type learned map[string][]string

// minLearned is the length of the shortest value that is recognised as a part
// of others. A shorter one, such as a small number, can have become several
// values, and is recognised only where it is the whole value.
const minLearned = 4

// add learns a pair of values.
func (l learned) add(old, new string) {
	if old != new && (len(l[old]) == 0 || len(old) < minLearned && !slices.Contains(l[old], new)) {
		l[old] = append(l[old], new)
	}
}

// became reports whether a value that was made up became another one.
func (l learned) became(old, new string) bool { return slices.Contains(l[old], new) }

// apply returns text with the new values in the place of the old ones.
func (l learned) apply(text string) string {
	if len(l) == 0 {
		return text
	}
	olds := make([]string, 0, len(l))
	for old := range l {
		if len(old) >= minLearned && strings.Contains(text, old) {
			olds = append(olds, old)
		}
	}
	sort.Slice(olds, func(i, j int) bool {
		return len(olds[i]) > len(olds[j]) || len(olds[i]) == len(olds[j]) && olds[i] < olds[j]
	})
	pairs := make([]string, 0, 2*len(olds))
	for _, old := range olds {
		pairs = append(pairs, old, l[old][0])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// A part is a document, or a line of a stream, in both recordings.
type part struct {
	name      string
	old, new  []byte
	json      bool
	varies    []Varies
	unordered []string // the members whose lists are not in the same order before the values are known
}

// split cuts two recordings into the parts that are compared.
func split(p Pair, l learned, o opened, s *Script) []part {
	names := append(Unordered[:len(Unordered):len(Unordered)], s.Unordered...)
	if p.Encryption != "" {
		return splitEncrypted(p, l, o, names)
	}
	switch path.Ext(p.File) {
	case ".json", rawExtension:
		old := l.apply(string(sortCycle(p.Old)))
		return []part{{name: p.File, old: sortLists([]byte(old), names), new: sortLists(sortCycle(p.New), names), json: true}}
	case ".jsonl":
		return splitLines(p, l)
	case ".hcl":
		return []part{{name: p.File, old: blurHashes(p.Old), new: blurHashes(p.New)}}
	}
	return []part{{name: p.File, old: p.Old, new: p.New}}
}

// Grouped says which lines of a stream are about the same thing and so come in
// a fixed order. Lines about different things may come in any order, since the
// tool does several things at a time. It returns "" for lines that say no more
// than that time passes. Of the lines that say that an ephemeral resource was
// renewed, those of one kind stand for all.
func Grouped(line []byte) string {
	var m struct {
		Message string `json:"@message"`
		Type    string `json:"type"`
		Change  struct {
			Resource struct {
				Addr string `json:"addr"`
			} `json:"resource"`
			Action string `json:"action"`
		} `json:"change"`
		Hook struct {
			Resource struct {
				Addr string `json:"addr"`
			} `json:"resource"`
			Action string `json:"action"`
		} `json:"hook"`
		Diagnostic json.RawMessage `json:"diagnostic"`
		TestRun    struct {
			Elapsed int `json:"elapsed"`
		} `json:"test_run"`
	}
	if json.Unmarshal(line, &m) != nil {
		return "foreign"
	}
	switch {
	case m.Type == "apply_progress" || m.TestRun.Elapsed > 0:
		return "" // comes every few seconds
	case m.Hook.Action == "renew":
		return "renewed " + m.Type + " " + m.Hook.Resource.Addr
	case m.Hook.Resource.Addr != "":
		return "resource " + m.Hook.Resource.Addr
	case m.Change.Resource.Addr != "":
		return m.Type + " " + m.Change.Action + " " + m.Change.Resource.Addr
	case m.Diagnostic != nil:
		return "diagnostic " + string(m.Diagnostic)
	case m.Type == "" || m.Type == "log":
		// The messages of init have no members that say what they are about.
		if name := providerName.FindString(m.Message); name != "" {
			return "provider " + name
		}
	}
	return "run"
}

var providerName = regexp.MustCompile(`\b[a-z0-9.:-]+/[a-z0-9-]+(?:/[a-z0-9-]+)?\b`)

// splitLines pairs the lines of two streams.
func splitLines(p Pair, l learned) []part {
	old, new := groups(p.Old, l.apply), groups(p.New, nil)
	var parts []part
	for _, key := range slices.Sorted(keys(old, new)) {
		a, b := old[key], new[key]
		for i := range max(len(a), len(b)) {
			part := part{name: fmt.Sprintf("%s: %.60s (%d)", p.File, key, i+1)}
			if i < len(a) {
				part.old = a[i]
			}
			if i < len(b) {
				part.new = b[i]
			}
			part.json = json.Valid(part.old) && json.Valid(part.new)
			parts = append(parts, part)
		}
	}
	return parts
}

// groups returns the lines of a stream by what they are about.
func groups(src []byte, rename func(string) string) map[string][][]byte {
	m := map[string][][]byte{}
	for line := range bytes.Lines(src) {
		line = sortLists(sortCycle(line), UnorderedInLines)
		key := Grouped(line)
		if rename != nil {
			key = rename(key)
		}
		if key == "" || strings.HasPrefix(key, "renewed ") && m[key] != nil {
			continue
		}
		m[key] = append(m[key], line)
	}
	return m
}

// keys yields the keys of two maps, each once.
func keys(a, b map[string][][]byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range a {
			if !yield(k) {
				return
			}
		}
		for k := range b {
			if _, ok := a[k]; !ok && !yield(k) {
				return
			}
		}
	}
}

// both calls f for each pair of leaves until the documents stop being alike.
func (p *part) both(f func(old, new leaf)) (a, b []leaf) {
	if !p.json {
		return nil, nil
	}
	a, err := leaves(p.old)
	if err != nil {
		return nil, nil
	}
	if b, err = leaves(p.new); err != nil {
		return nil, nil
	}
	for i := range min(len(a), len(b)) {
		if !slices.Equal(a[i].path, b[i].path) {
			break
		}
		f(a[i], b[i])
	}
	return a, b
}

// learn learns the values that were made up.
func (p *part) learn(l learned) {
	p.both(func(old, new leaf) {
		x, y := old.text(p.old), new.text(p.new)
		if p.madeUp(old, x, y) && !p.shuffled(old) {
			l.add(x, y)
		}
	})
}

// shuffled reports whether a leaf is in a list whose order says nothing, so that
// the leaves of the two recordings are not of the same element.
func (p *part) shuffled(at leaf) bool {
	return slices.ContainsFunc(at.path, func(name string) bool { return slices.Contains(p.unordered, name) })
}

// madeUp reports whether two leaves are values that a provider, or the tool for
// deposed objects, made up.
func (p *part) madeUp(at leaf, old, new string) bool {
	if len(at.path) == 0 {
		return false
	}
	if at.id {
		return madeUp(at.typ, []string{"id"}, old, new)
	}
	if at.typ != "" {
		return madeUp(at.typ, at.path[at.below:], old, new)
	}
	if last := at.path[len(at.path)-1]; last == "deposed_key" || last == "deposed" {
		return deposed.MatchString(old) && deposed.MatchString(new)
	}
	return false
}

var deposed = regexp.MustCompile(`^[0-9a-f]{8}$`)

// diff returns what differs and should not.
func (p *part) diff(l learned) []string {
	if bytes.Equal(p.old, p.new) {
		return nil
	}
	if !p.json {
		old := l.apply(string(p.old))
		if old == string(p.new) {
			return nil
		}
		return []string{p.name + ": " + firstDiff(old, string(p.new))}
	}
	var diffs []string
	last := [2]int{}
	n := 0
	a, b := p.both(func(old, new leaf) {
		n++
		x, y := string(p.old[old.start:old.end]), string(p.new[new.start:new.end])
		if s, t := string(p.old[last[0]:old.start]), string(p.new[last[1]:new.start]); s != t {
			diffs = append(diffs, fmt.Sprintf("%s: before /%s: %q became %q", p.name, strings.Join(old.path, "/"), s, t))
		}
		last = [2]int{old.end, new.end}
		if x == y || l.apply(x) == y || allowed(old.path, x, y) {
			return
		}
		s, t := old.text(p.old), new.text(p.new)
		if l.became(s, t) || p.shuffled(old) && p.madeUp(old, s, t) || vary(p.varies, old.path) {
			return
		}
		if allowed(old.path, l.apply(x), y) {
			return
		}
		diffs = append(diffs, fmt.Sprintf("%s: /%s: %s", p.name, strings.Join(old.path, "/"), firstDiff(l.apply(x), y)))
	})
	if n < len(a) || n < len(b) {
		at := func(list []leaf, src []byte) string {
			if n < len(list) {
				return fmt.Sprintf("/%s %.80s", strings.Join(list[n].path, "/"), src[list[n].start:list[n].end])
			}
			return "the end"
		}
		diffs = append(diffs, fmt.Sprintf("%s: %s became %s", p.name, at(a, p.old), at(b, p.new)))
	} else if s, t := string(p.old[last[0]:]), string(p.new[last[1]:]); s != t {
		diffs = append(diffs, fmt.Sprintf("%s: at the end: %q became %q", p.name, s, t))
	}
	return diffs
}

// firstDiff shows two texts from a little before they differ.
func firstDiff(old, new string) string {
	i := 0
	for i < len(old) && i < len(new) && old[i] == new[i] {
		i++
	}
	i = max(0, i-30)
	return fmt.Sprintf("%.120q became %.120q", old[min(i, len(old)):], new[min(i, len(new)):])
}
