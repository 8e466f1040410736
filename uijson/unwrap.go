// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// UnwrapMember returns a hook for [Unwrap] for streams whose lines were put
// into JSON objects, one per object, as a member with the given name. Container
// log files have them as "log", structured loggers as "msg" or "message". If
// the member is a string, its text is the message; if it is an object, the
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
