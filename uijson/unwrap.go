// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// UnwrapPrefix is a hook for [Unwrap] that takes the text from the first "{"
// on for the message. It fits streams whose lines were given a prefix, such as
// the unit name of Terragrunt or the time stamp of a container log.
func UnwrapPrefix(line []byte) []byte {
	// A prefix may hold braces itself, but a message begins in one way only.
	if i := bytes.Index(line, []byte(`{"@`)); i >= 0 {
		return line[i:]
	}
	if i := bytes.IndexByte(line, '{'); i >= 0 {
		return line[i:]
	}
	return nil
}

// UnwrapMember returns a hook for [Unwrap] for streams whose lines were put
// into JSON objects, one into each, as a member with the given name. Container
// log files have them as "log", structured loggers as "msg" or "message".
// If the member is a string, its text is the message; if it is an object, the
// object is.
func UnwrapMember(name string) func(line []byte) []byte {
	return func(line []byte) []byte {
		start, end := body(line)
		if start == end || line[start] != '{' || !jsonscan.Valid(line[start:end]) {
			return nil
		}
		var value []byte
		for member, v := range jsonscan.Members(line[start:end]) {
			if string(jsonscan.AppendUnquote(nil, member)) == name {
				value = v
			}
		}
		if len(value) == 0 {
			return nil
		}
		switch value[0] {
		case '"':
			return jsonscan.AppendUnquote(nil, value)
		case '{':
			return value
		}
		return nil
	}
}
