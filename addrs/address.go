// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import "strings"

// A dotted address is kept as its normal text and the offsets where its parts
// end. The text determines the offsets, so two values are equal if and only if
// the addresses are. Printing costs nothing, and parts are substrings.

// A layout describes an address of the form
//
//	[modulePath "."] [resource [key]]
//
// It holds offsets into the normal text. For the parts that some kinds of
// address do not allow, it also holds offsets into the input.
type layout struct {
	text string // the normal text
	mod  int    // the module path is text[:mod]
	res  int    // where the resource without its key ends; mod if there is no resource

	moduleKeyAt int // in the input: where the first module key begins, or -1
	resourceAt  int // in the input: where the resource begins, or -1
	keyAt       int // in the input: where the resource key begins, or -1
	end         int // in the input: where the address ends

	refused *fault // the fault of a key that only documents may have, or nil
}

// parseLayout parses any address that consists of a module path, a resource,
// or both.
func parseLayout(in string) (layout, *fault) { return parseLayoutOf(in, false) }

// parseLayoutOf is parseLayout; recorded is set for the text of a document.
func parseLayoutOf(in string, recorded bool) (layout, *fault) {
	l := layout{moduleKeyAt: -1, resourceAt: -1, keyAt: -1}
	s, f := startScan(in)
	if f != nil {
		return l, f
	}
	s.goKeys, s.anyKey, s.inPlan = true, true, recorded
	if f = l.scan(&s); f == nil {
		f = s.end()
	}
	if f != nil {
		return l, f
	}
	l.text, l.end, l.refused = s.text(), s.pos, s.refused
	return l, nil
}

// scan reads as much as belongs to the address.
func (l *layout) scan(s *scanner) *fault {
	id, f := s.ident("a name")
	for f == nil && id == "module" {
		if _, f = s.dotted("the name of a module call"); f != nil {
			return f
		}
		c, f := s.peek()
		if f != nil {
			return f
		}
		if c == '[' {
			if l.moduleKeyAt < 0 {
				l.moduleKeyAt = s.pos
			}
			if _, f = s.index(checkKey); f != nil {
				return f
			}
			if c, f = s.peek(); f != nil {
				return f
			}
		}
		l.mod = s.len()
		l.res = l.mod
		if c != '.' {
			return nil
		}
		if id, f = s.dotted("a name"); f != nil {
			return f
		}
	}
	if f != nil {
		return f
	}
	l.resourceAt = s.pos - len(id)
	if id == string(Data) || id == string(Ephemeral) {
		if _, f = s.dotted("a resource type"); f != nil {
			return f
		}
	}
	if _, f = s.dotted("a resource name"); f != nil {
		return f
	}
	l.res = s.len()
	c, f := s.peek()
	if f != nil {
		return f
	}
	if c == '[' {
		l.keyAt = s.pos
		_, f = s.index(checkKey)
	}
	return f
}

// The methods that begin with "need" return a fault if the address is
// well-formed but of another kind than the caller asked for.

// needResource requires more than a module path.
func (l *layout) needResource() *fault {
	if l.resourceAt < 0 {
		return faultf(l.end, "a resource is missing after the module path")
	}
	return nil
}

// needNoResource requires a module path alone.
func (l *layout) needNoResource() *fault {
	if l.resourceAt >= 0 {
		return faultf(l.resourceAt, "a module path only has steps of the form module.NAME")
	}
	return nil
}

// needNoKey requires a resource without key.
func (l *layout) needNoKey() *fault {
	if l.keyAt >= 0 {
		return faultf(l.keyAt, "an instance key is not allowed here")
	}
	return nil
}

// needNoModuleKey requires a module path without keys.
func (l *layout) needNoModuleKey() *fault {
	if l.moduleKeyAt >= 0 {
		return faultf(l.moduleKeyAt, "instance keys of modules are not allowed here")
	}
	return nil
}

// needWritable requires keys that a configuration can also have.
func (l *layout) needWritable() *fault { return l.refused }

// needNoModule requires a resource inside its module.
func (l *layout) needNoModule() *fault {
	if l.mod > 0 {
		return faultf(0, "a module path is not allowed here")
	}
	return nil
}

// join returns the normal text of the path what inside the module mod.
func join(mod, what string) string {
	if mod == "" {
		return what
	}
	return mod + "." + what
}

// afterModule returns the rest of text after a module path of length mod.
func afterModule(text string, mod int32) string {
	if mod == 0 {
		return text
	}
	if int(mod) == len(text) {
		return ""
	}
	return text[mod+1:]
}

// cutModuleStep splits normal text that begins with a module step into the
// call's name, its key in brackets, and what follows the dot after the step.
func cutModuleStep(text string) (name, key, rest string) {
	rest = text[len("module."):]
	i := strings.IndexAny(rest, ".[")
	if i < 0 {
		return rest, "", ""
	}
	name, rest = rest[:i], rest[i:]
	n := keyLen(rest)
	key, rest = rest[:n], rest[n:]
	return name, key, strings.TrimPrefix(rest, ".")
}

// compareModules compares two module paths as OpenTofu does: the shorter path
// comes first, then the names and keys decide from the root on.
func compareModules(a, b string) int {
	if a == b {
		return 0
	}
	order := 0
	for a != "" && b != "" {
		var aName, aKey, bName, bKey string
		aName, aKey, a = cutModuleStep(a)
		bName, bKey, b = cutModuleStep(b)
		if order == 0 {
			order = strings.Compare(aName, bName)
		}
		if order == 0 && aKey != bKey {
			order = keyOf(aKey).Compare(keyOf(bKey))
		}
	}
	switch {
	case a != "":
		return +1
	case b != "":
		return -1
	default:
		return order
	}
}

// unmarshal sets *v to the result of parse for text. As in net/netip, the empty
// text gives the zero value, because the zero value marshals to it.
func unmarshal[T any](v *T, text []byte, parse func(string) (T, error)) (err error) {
	if len(text) == 0 {
		var zero T
		*v = zero
		return nil
	}
	*v, err = parse(string(text))
	return err
}
