// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"fmt"
	"strconv"

	"github.com/tofuwire/tofuwire/lockfile"
)

// openLock reads a lock file. What the tools would complain about is shown with
// its place; the rest of the file is shown as far as it can be read.
func (d *Document) openLock() error {
	if d.Info.Size > lockfile.MaxSize {
		return fmt.Errorf("a lock file has at most %d MiB: %w", lockfile.MaxSize>>20, lockfile.ErrLimit)
	}
	text, err := d.whole(0, 0.5)
	if err != nil {
		return err
	}
	f, err := lockfile.Parse(d.Info.Name, text)
	if err != nil && len(f.Locks()) == 0 {
		return err
	}
	d.lock = f
	if err != nil {
		d.alarm("OpenTofu refuses this file: %v", err)
	}
	for _, x := range f.Diagnostics() {
		d.addLines(Row{Part: "diagnostic", Class: x.Severity.String(), Symbol: "✗", Address: fmt.Sprintf("line %d", x.Subject.Start.Line), Headline: x.Summary}, []Line{note("  " + x.Detail)})
	}
	hashes := 0
	for _, l := range f.Locks() {
		hashes += len(l.Hashes)
		d.addLines(Row{Part: "provider", Class: "provider", Symbol: "=", Address: l.Provider.String(), Headline: l.Version.String()}, lockLines(l))
	}
	for _, x := range f.Rewrites() {
		d.alarm("The next \"tofu init\" rewrites this file: %s", x.Detail)
	}
	d.fact("Providers", strconv.Itoa(len(f.Locks())))
	d.fact("Hashes", strconv.Itoa(hashes))
	d.fact("Problems", strconv.Itoa(len(f.Diagnostics())))
	d.Info.Can = []string{"changes", "compare"}
	return nil
}

func lockLines(l lockfile.Lock) []Line {
	lines := []Line{note("  version     = " + l.Version.String())}
	if text := l.Constraints.String(); text != "" {
		lines = append(lines, note("  constraints = "+text))
	}
	lines = append(lines, note(fmt.Sprintf("  # %d hashes", len(l.Hashes))))
	for _, h := range l.Hashes {
		lines = append(lines, note("  "+h.String()))
	}
	return lines
}

// compareLocks adds a row for each provider whose lock differs.
func (d *Document) compareLocks(first, second *lockfile.File) {
	for _, c := range lockfile.Diff(first.Locks(), second.Locks()) {
		part, class, symbol := "changed", "update", "~"
		switch {
		case c.Old == nil:
			part, class, symbol = "added", "create", "+"
		case c.New == nil:
			part, class, symbol = "removed", "delete", "-"
		}
		var lines []Line
		value := func(name, old, new string) {
			if old == new {
				lines = append(lines, note("    "+name+" = "+old))
				return
			}
			if old != "" {
				lines = append(lines, Line{Class: "remove", Text: "  - " + name + " = " + old})
			}
			if new != "" {
				lines = append(lines, Line{Class: "add", Text: "  + " + name + " = " + new})
			}
		}
		var old, new lockfile.Lock
		if c.Old != nil {
			old = *c.Old
		}
		if c.New != nil {
			new = *c.New
		}
		value("version", old.Version.String(), new.Version.String())
		value("constraints", old.Constraints.String(), new.Constraints.String())
		for _, h := range c.Lost {
			lines = append(lines, Line{Class: "remove", Text: "  - " + h.String()})
		}
		for _, h := range c.Gained {
			lines = append(lines, Line{Class: "add", Text: "  + " + h.String()})
		}
		d.addLines(Row{Part: part, Class: class, Symbol: symbol, Address: c.Provider.String(), Headline: string(c.Kind)}, lines)
	}
}
