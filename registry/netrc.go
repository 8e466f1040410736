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
// It refuses no text, so, unlike [ParseCLIConfig] and [ParseCredentials], it
// takes no file name and returns no error.
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
	inMacro := false
	for line := range strings.Lines(string(src)) {
		fields := strings.Fields(line)
		if inMacro {
			inMacro = len(fields) > 0 // a blank line ends a macro
			continue
		}
		for i := 0; i < len(fields); i++ {
			word, next := fields[i], ""
			if strings.HasPrefix(word, "#") {
				break
			}
			if i+1 < len(fields) {
				next = fields[i+1]
			}
			switch word {
			case "machine":
				store()
				current, machine = &netrcLogin{}, strings.ToLower(next)
				i++
			case "default":
				store()
				current, machine = &netrcLogin{}, ""
			case "login", "password", "account":
				if current != nil && word == "login" {
					current.login = next
				} else if current != nil && word == "password" {
					current.password = next
				}
				i++
			case "macdef":
				store()
				inMacro = true
				i = len(fields)
			}
		}
	}
	store()
	return n
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
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.login+":"+l.password))
}
