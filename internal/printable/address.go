// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package printable

import (
	"net/url"
	"slices"
	"strings"
)

// plainArguments are the arguments of addresses that say which version is meant, and how it
// is packed. All others may be secrets.
var plainArguments = []string{"archive", "checksum", "depth", "digest", "ref", "rev", "tag", "version"}

// Input returns a text that could not be parsed as what kind says for messages; see [Address].
// It is unchanged if it is neither like a URL nor meant to be the source of something.
func Input(kind, s string) string {
	if !strings.Contains(s, "://") && !strings.Contains(kind, "source") {
		return s
	}
	return Address(s)
}

// Address returns the address of a module, a provider or a mirror for messages: without user
// information, and without the arguments that may be secrets. The address need not be valid.
func Address(s string) string {
	plain, query, has := strings.Cut(withoutUser(s), "?")
	if !has || isLocal(s) {
		return withoutUser(s)
	}
	var kept []string
	for argument := range strings.SplitSeq(query, "&") {
		if name, _, ok := strings.Cut(argument, "="); ok && slices.Contains(plainArguments, name) {
			kept = append(kept, argument)
		} else if len(kept) == 0 || kept[len(kept)-1] != "..." {
			kept = append(kept, "...")
		}
	}
	return plain + "?" + strings.Join(kept, "&")
}

// isLocal reports whether an address is a relative path.
func isLocal(s string) bool { return strings.HasPrefix(s, ".") }

// withoutUser removes the user information of an address, but for the user git, which everybody
// has. Where it ends is not certain if the
// address is not a URL, since a password may have any character: then everything up to the last
// at sign goes.
func withoutUser(s string) string {
	if isLocal(s) || !strings.Contains(s, "@") {
		return s
	}
	start, slashes := 0, strings.Index(s, "//")
	if i := strings.Index(s, "::"); i >= 0 && (slashes < 0 || i < slashes) {
		start = i + 2 // behind the getter
	}
	if slashes >= 0 {
		start = slashes + 2
	}
	rest := s[start:]
	end := strings.LastIndexByte(rest, '@')
	if u, err := url.Parse("x://" + rest); err == nil {
		authority := len(rest)
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			authority = i
		}
		if u.User == nil {
			return s
		}
		end = strings.LastIndexByte(rest[:authority], '@')
	}
	if user := rest[:end]; user == "git" || slashes < 0 && !strings.Contains(user, ":") {
		return s // ssh://git@HOST/PATH, git@HOST:PATH, NAME@VERSION
	}
	return s[:start] + rest[end+1:]
}

// URLs returns a text with each URL in it as in Address, and without its query. A URL between
// quotation marks ends at the second one, any other at a space.
func URLs(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "//")
		if i < 0 {
			break
		}
		stop := " \t\n\"<>"
		before := strings.TrimRight(text[:i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-:")
		if before != "" && strings.IndexByte("\"'`<", before[len(before)-1]) >= 0 {
			stop = before[len(before)-1:]
			if stop == "<" {
				stop = ">"
			}
		}
		end := len(text)
		if j := strings.IndexAny(text[i:], stop); j >= 0 {
			end = i + j
		}
		u, _, query := strings.Cut(withoutUser(text[i:end]), "?")
		b.WriteString(text[:i])
		b.WriteString(u)
		if query {
			b.WriteString("?...")
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}
