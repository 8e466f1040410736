// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package printable

import (
	"slices"
	"strings"
)

// Credentials returns a text with token in place of the credentials in its URLs: user information,
// except the user git, and the arguments of a query or a fragment, except those that say which
// version is meant. The text can be that of a JSON string, with its escapes. What is already
// replaced stays. The result is text itself if there are none.
func Credentials(text, token string) string {
	c := credentials{text: text, token: token}
	for c.i < len(text) {
		at := strings.IndexByte(text[c.i:], ':')
		if at < 0 {
			break
		}
		c.i += at + 1
		for _, slashes := range []string{"//", `\/\/`} {
			if strings.HasPrefix(text[c.i:], slashes) && c.i > 1 && isSchemeEnd(text[c.i-2]) {
				c.i += len(slashes)
				c.url()
				break
			}
		}
	}
	if c.done == 0 {
		return text
	}
	c.out.WriteString(text[c.done:])
	return c.out.String()
}

func isSchemeEnd(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b == '+' || b == '-' || b == '.'
}

type credentials struct {
	text, token string
	out         strings.Builder
	done        int // text before it is in out
	i           int
}

// hide replaces the text from start to end, and goes on behind it.
func (c *credentials) hide(start, end int) {
	c.out.WriteString(c.text[c.done:start])
	c.out.WriteString(c.token)
	c.done, c.i = end, end
}

// isHidden reports whether the text from i on was replaced before. If so, it goes past that.
func (c *credentials) isHidden() bool {
	hidden := strings.HasPrefix(c.text[c.i:], c.token)
	if hidden {
		c.i += len(c.token)
	}
	return hidden
}

// url replaces the credentials in the URL whose scheme ends at i.
func (c *credentials) url() {
	if !c.isHidden() {
		c.user()
	}
	for c.i = c.find(c.i, "?#"); c.i < len(c.text) && (c.text[c.i] == '?' || c.text[c.i] == '#'); {
		c.arguments()
	}
}

// user replaces user information. A password with a slash makes what is before it look like a
// host with a port that is no number.
func (c *credentials) user() {
	start := c.i
	end := c.find(start, "/?#")
	authority := c.text[start:end]
	if _, port, ok := strings.Cut(authority, ":"); ok && !strings.Contains(authority, "@") && strings.Trim(port, "0123456789") != "" && !strings.HasPrefix(authority, "[") {
		end = start + len(authority)
		if n := strings.IndexAny(c.text[start:], " \t\r\n\"<>"); n >= 0 {
			end = max(end, start+n)
		} else {
			end = len(c.text)
		}
		authority = c.text[start:end]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 && authority[:at] != "git" {
		c.hide(start, start+at)
	}
}

// arguments replaces the arguments behind the question mark or the number sign at i.
func (c *credentials) arguments() {
	for fragment := c.text[c.i] == '#'; ; {
		if c.text[c.i] == '\\' {
			c.i += len(`\u0026`)
		} else {
			c.i++
		}
		start := c.i
		end := c.find(start, "&;#")
		name, value, ok := strings.Cut(c.text[start:end], "=")
		switch {
		case ok && slices.Contains(plainArguments, name):
			c.i = end
		case ok:
			if c.i = start + len(name) + 1; !c.isHidden() && value != "" {
				c.hide(c.i, end)
			}
		case fragment: // the name of a place in a page
			c.i = end
		case !c.isHidden() && name != "":
			c.hide(start, end)
		}
		if c.i = c.find(c.i, "&;#"); c.i == len(c.text) || c.text[c.i] == '#' || c.text[c.i] != '&' && c.text[c.i] != ';' && !strings.HasPrefix(c.text[c.i:], `\u0026`) {
			return
		}
	}
}

// find returns where one of these characters, or an escaped ampersand among arguments, is first
// in the URL from i on, or where the URL ends.
func (c *credentials) find(i int, any string) int {
	for ; i < len(c.text); i++ {
		switch b := c.text[i]; {
		case b <= ' ', b == '"', b == '\'', b == '`', b == '<', b == '>', strings.IndexByte(any, b) >= 0:
			return i
		case strings.HasPrefix(c.text[i:], `\/`): // a slash, as some programs write it
			if strings.IndexByte(any, '/') >= 0 {
				return i
			}
		case b == '\\':
			if !strings.HasPrefix(c.text[i:], `\u`) || any == "&;#" && strings.HasPrefix(c.text[i:], `\u0026`) {
				return i
			}
		}
	}
	return i
}
