// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"strconv"
)

// An index knows where the objects of a JSON document begin that rows are made
// of. It is written the document as it is read for the first time, in parts of
// any size. Rows are then made from another text: the redacted one, which has
// the same objects in the same order at other offsets.
//
// Lists are kept as differences, about three bytes an object. The index does not
// check the text: of one that is not JSON it may say anything.
type index struct {
	offset   int64 // of the next byte
	inString bool
	escaped  bool
	skip     int // open brackets of a value that is not looked into

	open    []container
	name    []byte // of the member that is being read
	naming  bool   // the string is a name
	started bool   // the document has begun
	ended   bool   // its value is complete

	lists  [numLists]list
	places map[string]int64 // of the parts of a configuration and the outputs of a raw state, by JSON pointer below it
	top    []topMember
}

// A list is the offsets of the objects of one kind.
type list struct {
	deltas []byte
	last   int64
}

func (l *list) add(offset int64) {
	l.deltas = binary.AppendUvarint(l.deltas, uint64(offset-l.last))
	l.last = offset
}

// cursor reads a list.
type cursor struct {
	deltas []byte
	last   int64
}

// next returns the next offset, and false at the end of the list.
func (c *cursor) next() (int64, bool) {
	d, n := binary.Uvarint(c.deltas)
	if n <= 0 {
		return 0, false
	}
	c.deltas = c.deltas[n:]
	c.last += int64(d)
	return c.last, true
}

// The lists.
const (
	listChanges = iota
	listDrift
	listDeferred
	listValues
	listChecks
	listDiagnostics
	listModules
	listOutputs
	listRawObjects
	listRawChecks
	numLists
)

// A topMember is a member of the document: its name, the first byte of its value
// and, if that is an object, those of its members.
type topMember struct {
	name  string
	start int64
	first byte
	below map[string]byte
}

// What an open container is.
const (
	inTop        = iota
	inList       // a list whose elements are counted
	inValues     // planned values or those of a state
	inOutputs    // their outputs
	inModule     // a module of them
	inModules    // their child_modules
	inConfig     // a configuration
	inEntries    // objects by name
	inConfigMod  // a module of a configuration
	inConfigList // its resources
	inCalls      // its module_calls
	inCall       // one of them
	inRaw        // the resources of a raw state
	inRawOne     // one of them
	inRawOutputs // its outputs
	inOther      // another member of the document; only the names of its members are kept
)

type container struct {
	is    int
	array bool
	value bool   // a value may come next, not a name
	n     int    // members or elements so far
	list  int    // which list, if it is one
	path  string // its pointer below the configuration
}

// Write takes the next part of the document. It never fails.
func (x *index) Write(p []byte) (int, error) {
	for i := 0; i < len(p); {
		switch {
		case x.inString:
			i = x.text(p, i)
		case x.skip > 0:
			i = x.skipped(p, i)
		default:
			x.token(p[i], x.offset+int64(i))
			i++
		}
	}
	x.offset += int64(len(p))
	return len(p), nil
}

// text passes a part of a string, which may be a name.
func (x *index) text(p []byte, i int) int {
	for i < len(p) {
		if x.escaped {
			x.escaped = false
			if x.naming {
				x.name = append(x.name, p[i])
			}
			i++
			continue
		}
		part := p[i:]
		end := bytes.IndexByte(part, '"')
		if end >= 0 {
			part = part[:end]
		}
		if k := bytes.IndexByte(part, '\\'); k >= 0 {
			x.escaped = true
			if x.naming {
				x.name = append(x.name, part[:k+1]...)
			}
			i += k + 1
			continue
		}
		if x.naming {
			x.name = append(x.name, part...)
		}
		if i += len(part); end >= 0 {
			x.inString = false
			x.naming = false
			return i + 1
		}
	}
	return i
}

// brackets has a value for the bytes that matter in a value that is skipped.
var brackets = [256]int8{'{': 1, '[': 1, '}': -1, ']': -1, '"': 2, '\n': 3}

// skipped passes a part of a value that is not looked into. A string that is
// complete in p is passed at once: a quote ends it unless a backslash, which is
// not escaped itself, is before it.
func (x *index) skipped(p []byte, i int) int {
	for ; i < len(p); i++ {
		switch brackets[p[i]] {
		case 1:
			x.skip++
		case -1:
			if x.skip--; x.skip == 0 {
				return i + 1
			}
		case 2:
			end := i + 1
			// Most strings are short: eight bytes at a time, as long as none of
			// them is a quote.
			for end <= len(p)-8 {
				w := binary.LittleEndian.Uint64(p[end:]) ^ 0x2222222222222222
				if w = (w - 0x0101010101010101) &^ w & 0x8080808080808080; w != 0 {
					end += bits.TrailingZeros64(w) / 8
					break
				}
				end += 8
			}
			for end < len(p) && p[end] != '"' {
				end++
			}
			if end == len(p) || p[end-1] == '\\' {
				x.inString = true
				return i + 1
			}
			i = end
		case 3: // the next line, behind its indentation
			for i < len(p)-8 && binary.LittleEndian.Uint64(p[i+1:]) == 0x2020202020202020 {
				i += 8
			}
		}
	}
	return i
}

// token takes a byte outside of strings and of values that are skipped.
func (x *index) token(c byte, at int64) {
	if len(x.open) == 0 {
		switch {
		case c == '{' && !x.started:
			x.started = true
			x.open = append(x.open, container{is: inTop})
		case c > ' ':
			x.started = true
		}
		return
	}
	in := &x.open[len(x.open)-1]
	switch c {
	case ' ', '\t', '\r', '\n', ':':
		if c == ':' {
			in.value = true
		}
	case ',':
		in.value = in.array
	case '}', ']':
		x.open = x.open[:len(x.open)-1]
		x.ended = len(x.open) == 0
	case '"':
		x.inString = true
		if in.array || in.value {
			in.value = false
			x.begin(in, c, at) // may move the container
			return
		}
		x.naming, x.name = true, x.name[:0]
	default:
		if in.value {
			in.value = false
			x.begin(in, c, at)
		}
	}
}

// begin takes the first byte of a value in a container.
func (x *index) begin(in *container, c byte, at int64) {
	next := container{is: -1, array: c == '[', value: c == '['}
	path := in.path
	name := ""
	if !in.array {
		name = unquoteName(x.name)
	}
	switch in.is {
	case inTop:
		x.top = append(x.top, topMember{name: name, start: at, first: first(c)})
		next.is = inOther
		switch name {
		case "resource_changes":
			next.is, next.list = inList, listChanges
		case "resource_drift":
			next.is, next.list = inList, listDrift
		case "deferred_changes":
			next.is, next.list = inList, listDeferred
		case "checks":
			next.is, next.list = inList, listChecks
		case "diagnostics":
			next.is, next.list = inList, listDiagnostics
		case "modules":
			next.is, next.list = inList, listModules
		case "planned_values", "values":
			next.is = inValues
		case "outputs":
			next.is = inRawOutputs
		case "resources":
			next.is = inRaw
		case "check_results":
			next.is, next.list = inList, listRawChecks
		case "configuration":
			next.is = inConfig
			x.place("", at)
		case "provider_config":
			next.is, next.path = inEntries, "/provider_config"
		case "root_module":
			next.is, next.path = inConfigMod, "/root_module"
		}
		if (next.is == inList || next.is == inRaw) != next.array {
			next.is = -1
			if c == '{' {
				next.is = inOther
			}
		}
	case inList, inOutputs:
		x.lists[in.list].add(at)
	case inValues:
		switch name {
		case "root_module":
			next.is = inModule
		case "outputs":
			next.is, next.list = inOutputs, listOutputs
		}
	case inModules:
		next.is = inModule
	case inRaw:
		next.is = inRawOne
	case inRawOne:
		if name == "instances" {
			next.is, next.list = inList, listRawObjects
		}
	case inModule:
		switch name {
		case "resources":
			next.is, next.list = inList, listValues
		case "child_modules":
			next.is = inModules
		}
	case inConfig:
		switch name {
		case "provider_config":
			next.is, next.path = inEntries, "/provider_config"
		case "root_module":
			next.is, next.path = inConfigMod, "/root_module"
		}
	case inEntries:
		x.place(path+"/"+name, at)
	case inConfigMod:
		switch name {
		case "resources":
			next.is, next.path = inConfigList, path+"/resources"
		case "module_calls":
			next.is, next.path = inCalls, path+"/module_calls"
		}
	case inConfigList:
		x.place(path+"/"+strconv.Itoa(in.n), at)
	case inCalls:
		x.place(path+"/"+name, at)
		next.is, next.path = inCall, path+"/"+name
	case inCall:
		if name == "module" {
			next.is, next.path = inConfigMod, path+"/module"
		}
	case inOther, inRawOutputs:
		if in.is == inRawOutputs {
			x.place("/outputs/"+name, at)
		}
		m := &x.top[len(x.top)-1]
		if m.below == nil {
			m.below = make(map[string]byte)
		}
		if len(m.below) < 16 {
			m.below[name] = c
		}
	}
	in.n++
	if c != '{' && c != '[' {
		return
	}
	array := next.is == inList || next.is == inModules || next.is == inConfigList || next.is == inRaw
	if next.is < 0 || array != next.array {
		x.skip = 1
		return
	}
	x.open = append(x.open, next)
}

func (x *index) place(pointer string, at int64) {
	if x.places == nil {
		x.places = make(map[string]int64)
	}
	x.places[pointer] = at
}

// at returns the offset of a part of the configuration, or else that of the
// configuration.
func (x *index) at(pointer string) int64 {
	if at, ok := x.places[pointer]; ok {
		return at
	}
	return x.places[""]
}

// start returns the offset of the value of a member of the document.
func (x *index) start(name string) int64 {
	for _, m := range x.top {
		if m.name == name {
			return m.start
		}
	}
	return 0
}

func first(c byte) byte {
	if c == '-' || '0' <= c && c <= '9' {
		return '0'
	}
	return c
}

// unquoteName decodes a name without its quotes.
func unquoteName(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var s string
	if json.Unmarshal([]byte(`"`+string(raw)+`"`), &s) != nil {
		return string(raw)
	}
	return s
}

// skeleton returns a small document with the members of the whole one, by which
// planjson.KindOf returns its kind.
func (x *index) skeleton() []byte {
	value := map[byte]string{'"': `""`, '{': `{}`, '[': `[]`, '0': "0", 't': "true", 'f': "false", 'n': "null"}
	b := []byte{'{'}
	for i, m := range x.top {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(m.name)
		b = append(append(b, name...), ':')
		s, ok := value[m.first]
		if !ok {
			s = "null"
		}
		if sensitive := m.below["sensitive"]; sensitive == 't' || sensitive == 'f' {
			if _, ok := m.below["value"]; ok {
				s = `{"sensitive":` + value[sensitive] + `,"value":null}`
			}
		}
		b = append(b, s...)
	}
	return append(b, '}')
}
