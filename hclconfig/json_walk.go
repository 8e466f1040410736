// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"iter"
)

// The functions in this file walk JSON that is known to be valid, so they look
// at nothing but quotes and brackets. Places are offsets into src.

// A jsonMember is a property of a JSON object.
type jsonMember struct {
	name  span // with the quotes
	value span
}

// jsonMembers returns an iterator over the properties of the object at s.
func jsonMembers(src []byte, s span) iter.Seq[jsonMember] {
	return func(yield func(jsonMember) bool) {
		i := jsonSpace(src, int(s.start)+1)
		for src[i] != '}' {
			end := jsonStringEnd(src, i)
			m := jsonMember{name: span{int32(i), int32(end)}}
			i = jsonSpace(src, jsonSpace(src, end)+1)
			end = jsonEnd(src, i)
			m.value = span{int32(i), int32(end)}
			if !yield(m) {
				return
			}
			if i = jsonSpace(src, end); src[i] == ',' {
				i = jsonSpace(src, i+1)
			}
		}
	}
}

// jsonElements returns an iterator over the elements of the array at s.
func jsonElements(src []byte, s span) iter.Seq[span] {
	return func(yield func(span) bool) {
		i := jsonSpace(src, int(s.start)+1)
		for src[i] != ']' {
			end := jsonEnd(src, i)
			if !yield(span{int32(i), int32(end)}) {
				return
			}
			if i = jsonSpace(src, end); src[i] == ',' {
				i = jsonSpace(src, i+1)
			}
		}
	}
}

// jsonSpace returns the first place at or after i that is not white space.
func jsonSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}

// jsonStringEnd returns the place behind the string at i.
func jsonStringEnd(src []byte, i int) int {
	for i++; ; i++ {
		n := bytes.IndexByte(src[i:], '"')
		i += n
		backslashes := 0
		for src[i-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i + 1
		}
	}
}

// jsonEnd returns the place behind the value at i.
func jsonEnd(src []byte, i int) int {
	switch src[i] {
	case '"':
		return jsonStringEnd(src, i)
	case '{', '[':
		depth := 0
		for {
			switch src[i] {
			case '"':
				i = jsonStringEnd(src, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(src) && src[i] != ',' && src[i] != '}' && src[i] != ']' && src[i] > ' ' {
		i++
	}
	return i
}

// jsonBack returns the place behind the last byte before i that is not white
// space.
func jsonBack(src []byte, i int) int {
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\n' || src[i-1] == '\r' || src[i-1] == '\t') {
		i--
	}
	return i
}

// jsonStringStart returns the place of the opening quote of the string that
// ends before end.
func jsonStringStart(src []byte, end int) int {
	for i := end - 2; ; i-- {
		if src[i] != '"' {
			continue
		}
		// Quotes inside a string are escaped; before the opening one
		// there is no backslash.
		if i == 0 || src[i-1] != '\\' {
			return i
		}
	}
}
