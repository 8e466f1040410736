// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

// summarize prints what was proven for each package, and what changed.
func summarize(w io.Writer, name string, found []install.LockedProvider, changes lockfile.Changes) error {
	var b strings.Builder
	for _, p := range found {
		fmt.Fprintf(&b, "%s %s\n", p.Lock.Provider.ForDisplay(), p.Lock.Version)
		for _, o := range p.Packages {
			fmt.Fprintf(&b, "  %-16s %s\n", o.Platform, o.Note)
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
