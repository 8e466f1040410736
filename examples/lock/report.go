// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

// summarize prints what was proven for each package, and what changed.
func summarize(w io.Writer, name string, found []install.LockedProvider, changes lockfile.Changes) error {
	var b strings.Builder
	for _, p := range found {
		fmt.Fprintf(&b, "%s %s\n", p.Lock.Provider.ForDisplay(), p.Lock.Version)
		for _, o := range p.Packages {
			fmt.Fprintf(&b, "  %-16s %s\n", o.Platform, o.Note)
			for _, text := range o.Warnings {
				fmt.Fprintf(&b, "  %-16s warning: %s\n", "", text)
			}
		}
	}
	gained := 0
	for _, c := range changes {
		gained += len(c.Gained)
	}
	switch {
	case len(found) == 0:
		fmt.Fprintf(&b, "The module needs no providers.\n")
	case len(changes) == 0:
		fmt.Fprintf(&b, "%s was complete already.\n", name)
	default:
		fmt.Fprintf(&b, "%s: %d providers changed, %d hashes added.\n", name, len(changes), gained)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A bar shows the progress of all downloads together in one line of a
// terminal.
type bar struct {
	w io.Writer

	mu    sync.Mutex
	done  map[*registry.Package]int64
	total map[*registry.Package]int64
	shown string
}

func newBar(w io.Writer) *bar {
	return &bar{w: w, done: map[*registry.Package]int64{}, total: map[*registry.Package]int64{}}
}

// update is called by the client.
func (b *bar) update(pkg *registry.Package, done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done[pkg], b.total[pkg] = done, max(total, done)
	var sum, all int64
	finished := 0
	for p, n := range b.done {
		sum += n
		all += b.total[p]
		if n == b.total[p] && n > 0 {
			finished++
		}
	}
	const width = 30
	filled := 0
	if all > 0 {
		filled = int(sum * width / all)
	}
	line := fmt.Sprintf("[%s%s] %d of %d packages, %.1f of %.1f MB", strings.Repeat("=", filled), strings.Repeat(" ", width-filled),
		finished, len(b.done), float64(sum)/1e6, float64(all)/1e6)
	if line != b.shown {
		b.shown = line
		fmt.Fprintf(b.w, "\r\x1b[K%s", line)
	}
}

// clear removes the line.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown != "" {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
