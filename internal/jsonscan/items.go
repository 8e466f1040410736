// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

// Items reads the items of one object or array, the value in Text, in their
// order. At the first fault it stops as if the container ended. Set Text, call
// [Items.Open], then [Items.Member] or [Items.Element] until it reports false.
type Items struct {
	Text  []byte
	Valid bool // Text is known to be: items are passed over without a look at what is in them

	Name       []byte // the token of the member's name
	From       int    // where the name begins
	Start, End int    // the item's value
	At         int    // after the last item

	begun bool
}

// Open enters the container that begins with c, if there is one.
func (r *Items) Open(c byte) bool {
	i := Space(r.Text, 0)
	if i == len(r.Text) || r.Text[i] != c {
		return false
	}
	r.At = i + 1
	return true
}

// next moves to the next item: over the comma, if there is one before it.
func (r *Items) next(end byte) bool {
	i := Space(r.Text, r.At)
	if i >= len(r.Text) || r.Text[i] == end {
		return false
	}
	if r.begun {
		if r.Text[i] != ',' {
			return false
		}
		i = Space(r.Text, i+1)
	}
	r.begun = true
	r.Start = i
	return i < len(r.Text)
}

// Element moves to the next element of an array.
func (r *Items) Element() bool { return r.next(']') && r.skip() }

// Member moves to the next member of an object.
func (r *Items) Member() bool {
	if !r.next('}') {
		return false
	}
	end, fault := String(r.Text, r.Start)
	if fault != OK {
		return false
	}
	r.Name, r.From = r.Text[r.Start:end], r.Start
	i := Space(r.Text, end)
	if i >= len(r.Text) || r.Text[i] != ':' {
		return false
	}
	r.Start = Space(r.Text, i+1)
	return r.skip()
}

// skip finds the end of the item's value.
func (r *Items) skip() bool {
	if r.Valid {
		r.End = ValueEnd(r.Text, r.Start)
		r.At = r.End
		return true
	}
	end, fault := Value(r.Text, r.Start, MaxDepth)
	r.End, r.At = end, end
	return fault == OK
}

// Value returns the item's value.
func (r *Items) Value() []byte { return r.Text[r.Start:r.End:r.End] }

// Named reports whether the member has this name, however it is spelled.
func (r *Items) Named(name string) bool {
	raw := r.Name[1 : len(r.Name)-1]
	for _, c := range raw {
		if c == '\\' {
			return Unquote(r.Name) == name
		}
	}
	return string(raw) == name
}

// StringEnd returns the end of the string at d[i]. The text must be valid.
func StringEnd(d []byte, i int) int {
	i++
	for {
		// Eight bytes at a time, as long as they hold no quote or backslash; see
		// StringRest.
		for i >= 0 && i < len(d)-7 {
			w := uint64(d[i]) | uint64(d[i+1])<<8 | uint64(d[i+2])<<16 | uint64(d[i+3])<<24 |
				uint64(d[i+4])<<32 | uint64(d[i+5])<<40 | uint64(d[i+6])<<48 | uint64(d[i+7])<<56
			quote, backslash := w^'"'*ones, w^'\\'*ones
			if m := ((quote-ones)&^quote | (backslash-ones)&^backslash) & highs; m != 0 {
				i += trailingZeroBytes(m)
				break
			}
			i += 8
		}
		if i >= len(d) {
			return len(d)
		}
		switch d[i] {
		case '"':
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
}

// structural has the bytes that begin and end strings and containers, and those
// between items.
var structural = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true, ',': true}

// IsStructural reports whether a byte outside of strings begins or ends a string or
// a container, or is between items.
func IsStructural(c byte) bool { return structural[c] }

// ValueEnd returns the end of the value at d[i]. The text must be valid: it
// takes half of the time of finding that out.
func ValueEnd(d []byte, i int) int {
	if i >= len(d) {
		return i
	}
	switch d[i] {
	case '"':
		return StringEnd(d, i)
	case '{', '[':
		for depth := 0; i < len(d); i++ {
			c := d[i]
			if !structural[c] {
				continue
			}
			switch c {
			case '"':
				i = StringEnd(d, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return i
	}
	for i < len(d) && d[i] > ' ' && d[i] != ',' && d[i] != '}' && d[i] != ']' {
		i++
	}
	return i
}
