// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/lockfile"
)

// PullRequestText returns a text in Markdown for reviewers. It lists the changes of a
// lock file, and what was proven about the packages. found may have fewer providers
// than changes, or none. Text from registries and keys is quoted as plain text.
func PullRequestText(changes lockfile.Changes, found []LockedProvider) string {
	var b strings.Builder
	if len(changes) == 0 {
		return "No provider lock changed.\n"
	}
	b.WriteString("| provider | version | hashes | proof |\n|---|---|---|---|\n")
	for _, c := range changes {
		version := "removed"
		switch {
		case c.Old == nil && c.New != nil:
			version = c.New.Version.String() + " (new)"
		case c.Old != nil && c.New != nil && c.Old.Version != c.New.Version:
			version = c.Old.Version.String() + " → " + c.New.Version.String()
		case c.New != nil:
			version = c.New.Version.String()
		}
		var hashes []string
		if n := len(c.Gained); n > 0 {
			hashes = append(hashes, fmt.Sprintf("+%d", n))
		}
		if n := len(c.Lost); n > 0 {
			hashes = append(hashes, fmt.Sprintf("−%d", n))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Provider.ForDisplay(), version, strings.Join(hashes, " "), proofs(c, found))
	}
	return b.String()
}

// proofs describes what was proven about the packages of a provider.
func proofs(c lockfile.Change, found []LockedProvider) string {
	var texts []string
	platforms := map[string][]string{}
	for _, p := range found {
		if p.Selection.Provider != c.Provider || c.New == nil || p.Selection.Version != c.New.Version {
			continue
		}
		for _, pkg := range p.Packages {
			text := plainText(pkg.Note)
			if platforms[text] == nil {
				texts = append(texts, text)
			}
			platforms[text] = append(platforms[text], pkg.Platform.String())
		}
	}
	for i, text := range texts {
		texts[i] = text + " (" + strings.Join(platforms[text], ", ") + ")"
	}
	return strings.Join(texts, "<br>")
}

// plainText quotes all characters that have a meaning in Markdown.
func plainText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_{}[]()#+-.!|~:@", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
