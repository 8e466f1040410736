// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

// An expectation says what a [Skipper] expects next.
type expectation uint8

const (
	atOpen  expectation = iota // an opening bracket
	atFirst                    // after an opening bracket: an item or its partner
	atValue                    // a value
	atNext                     // after a value: a comma or a closing bracket
	atName                     // a member's name
	atColon                    // a colon
	inValue                    // the rest of a string value
	inName                     // the rest of a name
)

// A Skipper checks one array or object that may arrive in parts. The zero
// Skipper begins with the opening bracket.
type Skipper struct {
	// One bit for each level says which of the two it is: 1 for an object, 0 for an
	// array; the lowest bit is the innermost level. Levels 64 and deeper move
	// to spill, 64 at a time.
	bits  uint64
	spill []uint64
	level int
	next  expectation
}

// InString makes a zero Skipper check the rest of a string, after its opening
// quote, instead of an array or object.
func (k *Skipper) InString() { k.next = inValue }

// Run checks d from offset i on. It returns the offset after the array or
// object; or [FaultEnd] and the offset from which Run wants to go on when
// there is more text; or another fault and its offset. Arrays and objects may
// nest up to depth levels.
//
// It is one function with jumps: with calls for strings and numbers it takes a
// fifth longer.
func (k *Skipper) Run(d []byte, i, depth int) (int, Fault) {
	var f Fault
	bits, level := k.bits, k.level
	at := k.next
	switch at {
	case atOpen:
		if i >= len(d) {
			return i, FaultEnd
		}
		goto open
	case atFirst:
		goto first
	case atValue:
		goto value
	case atNext:
		goto next
	case atName:
		goto name
	case atColon:
		goto colon
	case inValue:
		if i, _, f = StringRest(d, i); f != OK {
			goto stop
		}
		if level == 0 {
			return i, OK
		}
		goto next
	case inName:
		if i, _, f = StringRest(d, i); f != OK {
			goto stop
		}
		goto colon
	}

open:
	if level++; level > depth {
		return i, FaultDepth
	}
	if level&63 == 0 {
		k.spill = append(k.spill, bits)
		bits = 0
	}
	bits <<= 1
	if d[i] == '{' {
		bits |= 1
	}
	i++

first:
	if i < len(d) && d[i] <= ' ' {
		i = Space(d, i)
	}
	if i >= len(d) {
		at, f = atFirst, FaultEnd
		goto stop
	}
	if bits&1 != 0 {
		if d[i] == '}' {
			i++
			goto closed
		}
		goto name
	}
	if d[i] == ']' {
		i++
		goto closed
	}

value:
	if i < len(d) && d[i] <= ' ' {
		i = Space(d, i)
	}
	if i >= len(d) {
		at, f = atValue, FaultEnd
		goto stop
	}

item:
	switch c := d[i]; {
	case c == '"':
		i++
		// The beginning of StringRest, which most strings do not get beyond,
		// without the call.
		for i >= 0 && i < len(d)-7 {
			w := uint64(d[i]) | uint64(d[i+1])<<8 | uint64(d[i+2])<<16 | uint64(d[i+3])<<24 |
				uint64(d[i+4])<<32 | uint64(d[i+5])<<40 | uint64(d[i+6])<<48 | uint64(d[i+7])<<56
			m := ((w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones) | (w - ' '*ones) | w) & highs
			if m == 0 {
				i += 8
				continue
			}
			if i += trailingZeroBytes(m); i < len(d) && d[i] == '"' {
				i++
				goto next
			}
			break
		}
		at = inValue
		if i, _, f = StringRest(d, i); f != OK {
			goto stop
		}
	case c == '{' || c == '[':
		goto open
	case c == 'n' && i < len(d)-4 && string(d[i:i+4]) == "null", c == 't' && i < len(d)-4 && string(d[i:i+4]) == "true":
		i += 4
	case c == 'f' && i < len(d)-5 && string(d[i:i+5]) == "false":
		i += 5
	default:
		if c-'0' <= 9 { // most numbers are small integers
			end := digits(d, i+1)
			if end < len(d) && (d[end] == ',' || d[end] == '}' || d[end] == ']') && (c != '0' || end == i+1) {
				i = end
				goto next
			}
		}
		start := i
		if i, f = scalar(d, i); f == FaultEnd {
			at, i = atValue, start
			goto stop
		} else if f != OK {
			return i, f
		}
		if i == len(d) && d[i-1] <= '9' {
			// The number may go on.
			at, i, f = atValue, start, FaultEnd
			goto stop
		}
	}

next:
	// What tools write without white space takes fewer steps.
	if i < len(d)-1 && d[i] == ',' && d[i+1] > ' ' {
		i++
		switch {
		case wasm && i < len(d)-2*margin:
			if i, bits, level, at = pass(d, i, bits, level, depth); at == atName {
				goto name
			} else if at == atValue {
				goto value
			}
		case bits&1 == 0:
			goto item
		default:
			goto member
		}
	}
	// What they write indented goes on at the next line, behind its blanks.
	if i >= 0 && i < len(d)-1 && d[i] == ',' && d[i+1] == '\n' {
		for i += 2; i >= 0 && i < len(d)-7; i += 8 {
			w := uint64(d[i]) | uint64(d[i+1])<<8 | uint64(d[i+2])<<16 | uint64(d[i+3])<<24 |
				uint64(d[i+4])<<32 | uint64(d[i+5])<<40 | uint64(d[i+6])<<48 | uint64(d[i+7])<<56
			if w ^= ' ' * ones; w != 0 {
				i += trailingZeroBytes(w)
				break
			}
		}
		if bits&1 == 0 {
			goto value
		}
		goto name
	}
	if i < len(d) && d[i] <= ' ' {
		i = Space(d, i)
	}
	if i >= len(d) {
		at, f = atNext, FaultEnd
		goto stop
	}
	if bits&1 == 0 {
		switch d[i] {
		case ',':
			i++
			goto value
		case ']':
			i++
			goto closed
		}
		return i, FaultArray
	}
	switch d[i] {
	case ',':
		i++
	case '}':
		i++
		goto closed
	default:
		return i, FaultObject
	}

name:
	if i < len(d) && d[i] <= ' ' {
		i = Space(d, i)
	}
	if i >= len(d) {
		at, f = atName, FaultEnd
		goto stop
	}

member:
	if d[i] != '"' {
		return i, FaultName
	}
	i++
	for i >= 0 && i < len(d)-7 { // as above
		w := uint64(d[i]) | uint64(d[i+1])<<8 | uint64(d[i+2])<<16 | uint64(d[i+3])<<24 |
			uint64(d[i+4])<<32 | uint64(d[i+5])<<40 | uint64(d[i+6])<<48 | uint64(d[i+7])<<56
		m := ((w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones) | (w - ' '*ones) | w) & highs
		if m == 0 {
			i += 8
			continue
		}
		if i += trailingZeroBytes(m); i < len(d) && d[i] == '"' {
			if i++; i < len(d)-2 && d[i] == ':' {
				if d[i+1] > ' ' {
					i++
					goto item
				}
				if d[i+1] == ' ' && d[i+2] > ' ' {
					i += 2
					goto item
				}
			}
			goto colon
		}
		break
	}
	at = inName
	if i, _, f = StringRest(d, i); f != OK {
		goto stop
	}

colon:
	if i < len(d) && d[i] <= ' ' {
		i = Space(d, i)
	}
	if i >= len(d) {
		at, f = atColon, FaultEnd
		goto stop
	}
	if d[i] != ':' {
		return i, FaultColon
	}
	i++
	goto value

closed:
	bits >>= 1
	if level&63 == 0 {
		bits = k.spill[len(k.spill)-1]
		k.spill = k.spill[:len(k.spill)-1]
	}
	if level--; level == 0 {
		return i, OK
	}
	goto next

stop:
	k.bits, k.level, k.next = bits, level, at
	return i, f
}
