// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import (
	"strconv"
	"strings"
)

// An openValue is one array or object that is open at some place of a text.
type openValue struct {
	array bool
	name  string // of the member being read; only in objects
	named bool   // whether a member has begun
	index int    // of the element being read; only in arrays
}

// Pointer returns the JSON pointer (RFC 6901) of the value at or around an
// offset: the innermost member or element that begins at or before it and has
// not ended. The text needs to be valid only up to the offset. An offset
// inside or directly after a member's name gives that member.
//
// It reads the text from its beginning, so it is meant for errors.
func Pointer(d []byte, offset int) string {
	p := Pointers{Text: d}
	return p.At(offset)
}

// Pointers finds the pointers of several places of a text, in their order, and
// reads it once.
type Pointers struct {
	Text []byte

	i    int
	open []openValue
}

// At is [Pointer] for an offset that is not below the last one.
func (p *Pointers) At(offset int) string {
	d := p.Text
	offset = min(offset, len(d))
	i, open := p.i, p.open
	defer func() { p.i, p.open = i, open }()
	for {
		i = Space(d, i)
		if i >= len(d) || i > offset {
			break
		}
		var top *openValue
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		switch c := d[i]; c {
		case '{', '[':
			if i == offset {
				return join(open)
			}
			open = append(open, openValue{array: c == '['})
			i++
			continue
		case '}', ']':
			if i == offset {
				// The place is the container itself.
				return join(open[:max(len(open)-1, 0)])
			}
			open = open[:max(len(open)-1, 0)]
			i++
			continue
		case ',':
			if i == offset {
				return join(open) // it is where a value should be
			}
			if top != nil {
				if top.array {
					top.index++
				}
				top.named = false
			}
			i++
			continue
		case ':':
			i++
			continue
		}
		token := scalar
		if d[i] == '"' {
			token = String
		}
		end, f := token(d, i)
		if f != OK {
			break // the fault is inside this token
		}
		if top != nil && !top.array && !top.named {
			if d[i] != '"' {
				break // not a name at all
			}
			top.name, top.named = string(AppendUnquote(nil, d[i:end])), true
		}
		i = end
		if i > offset {
			break
		}
	}
	return join(open)
}

func join(open []openValue) string {
	var b strings.Builder
	for _, s := range open {
		switch {
		case s.array:
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(s.index))
		case s.named:
			b.WriteByte('/')
			b.WriteString(EscapePointer(s.name))
		}
	}
	return b.String()
}

// EscapePointer returns a member name as one reference token of a JSON
// pointer.
func EscapePointer(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
