// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

import (
	"fmt"
	"strings"
)

// A Probe is a configuration that uses one thing of the language, in one file of
// which Line is where that is. It is tried with programs, to see which releases have
// the thing: those that do not complain about it, see [Probe.Refuses].
type Probe struct {
	Name    string // such as "resource/lifecycle/destroy"
	Support Support
	Kind    FileKind
	Text    string
	Line    int
	// Needs has the support of the file and of the blocks that the thing is in.
	Needs []Support
	// Unread says which releases accept the thing, because they do not read it or
	// a block that it is in.
	Unread Support
	// Word reports that the thing is a word: any complaint about its line counts.
	Word bool
}

// Refuses reports whether a program that says so of a line does not have the thing.
func (p Probe) Refuses(line int, summary string) bool {
	if p.Word && line == p.Line {
		return true
	}
	for _, s := range []string{"Unsupported argument", "Unsupported block type", "Unsupported lifecycle block", "Reserved "} {
		if line <= p.Line && strings.HasPrefix(summary, s) {
			return true
		}
	}
	return false
}

// In reports whether release r of the program of d accepts the probe.
func (p Probe) In(d Dialect, r Release) bool {
	if p.Unread.In(d, r) {
		return true
	}
	for _, s := range p.Needs {
		if !s.In(d, r) {
			return false
		}
	}
	return p.Support.In(d, r)
}

// Probes returns a Probe for each argument, block and word of the tables.
func Probes() []Probe {
	var out []Probe
	for _, k := range []FileKind{ConfigFile, TestFile} {
		path := ""
		if k != ConfigFile {
			path = k.String() + ":"
		}
		prober{kind: k, out: &out}.body(k.Root(), path, nil, []Support{fileKinds[k].since})
	}
	return out
}

// A prober makes the probes of one kind of file.
type prober struct {
	kind   FileKind
	unread Support // of the innermost block that has one
	out    *[]Probe
}

// body makes the probes of the content of a block at path, which the lines in open begin.
func (p prober) body(b *Block, path string, open []string, needs []Support) {
	if len(open) > 4 {
		return
	}
	// What else is required is there as well: a program may crash without it.
	others := func(b *Block, name string) (out string) {
		for i := range b.Args {
			if a := &b.Args[i]; a.Required && a.Name != name {
				out += "\n" + a.Name + " = " + probeValue(a)
			}
		}
		return out
	}
	add := func(name string, s Support, line string, word bool) {
		lines := append(append([]string{}, open...), line)
		own, _, _ := strings.Cut(name, "=")
		text := strings.Join(lines, "\n") + others(b, own) + strings.Repeat("\n}", len(open)) + "\n"
		*p.out = append(*p.out, Probe{Name: strings.TrimPrefix(path+"/"+name, "/"), Support: s, Kind: p.kind, Text: text, Line: len(lines), Word: word, Needs: needs, Unread: p.unread})
	}
	for i := range b.Args {
		a := &b.Args[i]
		if a.Reserved != "" || b.Rest == RestInputs && a.Since != Everywhere {
			continue // whether the latter is an input only the module called can tell
		}
		if len(a.Values) == 0 {
			add(a.Name, a.Since, a.Name+" = "+probeValue(a), false)
			continue
		}
		for _, w := range a.Values {
			s := w.Since
			if s == Everywhere {
				s = a.Since
			}
			add(a.Name+"="+w.Text, s, a.Name+" = "+w.Text, true)
		}
	}
	for _, n := range b.Blocks {
		if n.Reserved != "" || n.Name == "_" || n.Name == "dynamic" || n.Name == b.Name {
			continue
		}
		head := n.Name
		for i := range n.Labels {
			head += fmt.Sprintf(" %q", []string{"probe", "thing"}[min(i, 1)])
		}
		content := ""
		if n.Name == "compatible_with" {
			content = ` opentofu = ">= 1.0" ` // without it, OpenTofu 1.12 crashes
		}
		if more := others(n, ""); more != "" {
			content = more + "\n"
		}
		outer := p.unread
		if n.Unread != (Support{}) {
			p.unread = n.Unread
		}
		add(n.Name+"{}", n.Since, head+" {"+content+"}", false)
		p.body(n, path+"/"+n.Name, append(append([]string{}, open...), head+" {"), append(append([]Support{}, needs...), n.Since))
		p.unread = outer
	}
}

// probeValue returns a value of the right form.
func probeValue(a *Argument) string {
	switch a.Kind {
	case KindKeyword:
		return "probe"
	case KindReference, KindSource:
		return "lab_thing.a"
	case KindReferenceList, KindSourceList, KindKeywordList, KindAttributeList:
		return "[]"
	case KindType:
		return "string"
	case KindProviderReference:
		return "lab"
	case KindProviderMap:
		return "{}"
	}
	switch {
	case a.Lit == BoolLiteral, a.Lit == StrictBool:
		return "false"
	case a.Name == "error_message":
		return `"A sentence."` // which old releases ask for
	}
	return `"./x"`
}
