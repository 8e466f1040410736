// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"fmt"
	"strconv"
	"strings"
)

// An item is an argument (assigned is set) or a block. A block, and an argument
// whose value is an object, has a body; any other argument has a value.
type item struct {
	name     string
	labels   []string
	assigned bool
	json     bool
	listed   bool // of JSON: an object in a list
	value    any  // string, bool, number, null, []any; objects in lists are []item
	body     []item
	offset   int
	nameEnd  int // of a native item
	end      int
}

// null is null, which only JSON has.
type null struct{}

// An number is a number as written.
type number string

// An fault is a fault and its place, in bytes from 0.
type fault struct {
	offset int
	cause  error
}

func (it item) errorf(format string, args ...any) *fault {
	return &fault{it.offset, fmt.Errorf(format, args...)}
}

// find returns the last argument or block in the body that has the name, in any
// case.
func (it item) find(name string) (item, bool) {
	for i := len(it.body) - 1; i >= 0; i-- {
		if strings.EqualFold(it.body[i].name, name) {
			return it.body[i], true
		}
	}
	return item{}, false
}

// text returns the value of an argument as a string. As in the tools, a number is
// one as well.
func (it item) text() (string, *fault) {
	switch v := it.value.(type) {
	case string:
		return v, nil
	case number:
		return string(v), nil
	}
	return "", it.errorf("%s is not a string", it.name)
}

// flag returns the value of an argument as a boolean. As in the tools, strings
// and numbers are errors.
func (it item) flag() (bool, *fault) {
	if v, ok := it.value.(bool); ok {
		return v, nil
	}
	return false, it.errorf("%s is neither true nor false", it.name)
}

// number returns the value of the argument of a body as a number.
func (it item) number(name string) (int, bool, *fault) {
	a, ok := it.find(name)
	if !ok {
		return 0, false, nil
	}
	text := ""
	switch v := a.value.(type) {
	case string:
		text = v
	case number:
		text = string(v)
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return 0, false, a.errorf("%s is not a whole number", name)
	}
	return int(max(min(n, 1<<30), -1)), true, nil
}

// texts returns the value of the argument of a body as a list of strings. As in
// Terraform, several arguments are one list.
func (it item) texts(name string) ([]string, *fault) {
	var out []string
	for _, a := range it.body {
		if !strings.EqualFold(a.name, name) {
			continue
		}
		list, ok := a.value.([]any)
		if !ok {
			return nil, a.errorf("%s is not a list", name)
		}
		for _, e := range list {
			s, err := (item{name: name, value: e, offset: a.offset}).text()
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}
