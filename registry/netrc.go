// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// A Netrc has the logins of a .netrc file. Its method Authorization is for
// [Client.DownloadAuthorization], if a package server requires HTTP basic
// authentication.
type Netrc struct {
	machines map[string]netrcLogin
	def      *netrcLogin
}

type netrcLogin struct{ login, password string }

// ParseNetrc reads a .netrc file: "machine NAME login NAME password WORD",
// "default", and comments. It skips macros and everything that it does not know.
// It refuses no text, so it takes no file name and returns no error.
func ParseNetrc(src []byte) *Netrc {
	n := &Netrc{machines: map[string]netrcLogin{}}
	var current *netrcLogin
	machine := ""
	store := func() {
		if current == nil {
			return
		}
		if machine == "" {
			n.def = current
		} else if _, ok := n.machines[machine]; !ok {
			n.machines[machine] = *current
		}
		current = nil
	}
	set := func(keyword, value string) {
		switch {
		case keyword == "machine":
			current, machine = &netrcLogin{}, strings.ToLower(value)
		case keyword == "login" && current != nil:
			current.login = value
		case keyword == "password" && current != nil:
			current.password = value
		}
	}
	inMacro := false
	pending := "" // a keyword whose value comes next, perhaps on a later line
	for line := range strings.Lines(string(src)) {
		fields := strings.Fields(line)
		if inMacro {
			inMacro = len(fields) > 0 // a blank line ends a macro
			continue
		}
	words:
		for i, word := range fields {
			// A keyword at the start of a line is no value: the value is missing.
			if pending != "" && (i > 0 || !isNetrcKeyword(word)) {
				set(pending, word)
				pending = ""
				continue
			}
			pending = ""
			switch word {
			case "machine":
				store()
				pending = word
			case "default":
				store()
				current, machine = &netrcLogin{}, ""
			case "login", "password", "account":
				pending = word
			case "macdef":
				store()
				inMacro = true
				break words
			default:
				if strings.HasPrefix(word, "#") {
					break words
				}
			}
		}
	}
	store()
	return n
}

// isNetrcKeyword reports whether word begins an entry or a part of one.
func isNetrcKeyword(word string) bool {
	switch word {
	case "machine", "default", "login", "password", "account", "macdef":
		return true
	}
	return false
}

// Authorization returns the Authorization header for u, or "" if the file has
// no login for its host or u has no TLS. Ports do not matter, as in .netrc.
func (n *Netrc) Authorization(u *url.URL) string {
	if n == nil || u == nil {
		return ""
	}
	if u.Scheme != "https" {
		return ""
	}
	l, ok := n.machines[strings.ToLower(u.Hostname())]
	if !ok {
		if n.def == nil {
			return ""
		}
		l = *n.def
	}
	if l.login == "" && l.password == "" {
		return ""
	}
	return basicAuthorization(l.login, l.password)
}

// basicAuthorization returns an Authorization header (RFC 7617).
func basicAuthorization(login, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(login+":"+password))
}
