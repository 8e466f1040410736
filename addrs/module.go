// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"iter"
	"strings"
)

// A Module is the static path of a module in the configuration, such as
// module.network.module.subnet: the names of the calls that lead to it, without
// instance keys. The zero Module is the root module.
type Module struct{ s string }

// A ModuleInstance is the path of one instance of a module, such as
// module.network["eu"].module.subnet[0]. The zero ModuleInstance is the root
// module, which always has exactly one instance.
type ModuleInstance struct{ s string }

const (
	kindModule         = "module path"
	kindModuleInstance = "module instance"
)

// ParseModule parses a module path without instance keys. The empty text is
// the root module.
func ParseModule(s string) (Module, error) {
	if s == "" {
		return Module{}, nil
	}
	l, f := parseLayout(s)
	if f == nil {
		f = l.needNoResource()
	}
	if f == nil {
		f = l.needNoModuleKey()
	}
	if f != nil {
		return Module{}, f.as(kindModule, s)
	}
	return Module{l.text}, nil
}

// ParseModuleInstance parses a module path, in which every step may have an
// instance key. The empty text is the root module.
func ParseModuleInstance(s string) (ModuleInstance, error) {
	if s == "" {
		return ModuleInstance{}, nil
	}
	l, f := parseLayout(s)
	if f == nil {
		f = l.needNoResource()
	}
	if f != nil {
		return ModuleInstance{}, f.as(kindModuleInstance, s)
	}
	return ModuleInstance{l.text}, nil
}

// IsRoot reports whether m is the root module.
func (m Module) IsRoot() bool { return m.s == "" }

// IsRoot reports whether m is the root module.
func (m ModuleInstance) IsRoot() bool { return m.s == "" }

// String returns the normal text of m, which is empty for the root module.
func (m Module) String() string { return m.s }

// String returns the normal text of m, which is empty for the root module.
func (m ModuleInstance) String() string { return m.s }

// Compare returns -1, 0 or +1: a module with fewer steps comes first, then
// the names decide from the root on.
func (m Module) Compare(other Module) int { return compareModules(m.s, other.s) }

// Compare returns -1, 0 or +1 in the order of OpenTofu: a path with fewer
// steps comes first, then each step's name and key decide from the root on.
func (m ModuleInstance) Compare(other ModuleInstance) int { return compareModules(m.s, other.s) }

// Calls returns an iterator over the names of the calls that lead from the
// root module to m.
func (m Module) Calls() iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := m.s; rest != ""; {
			var name string
			name, _, rest = cutModuleStep(rest)
			if !yield(name) {
				return
			}
		}
	}
}

// Steps returns an iterator over the call names and instance keys that lead
// from the root module to m.
func (m ModuleInstance) Steps() iter.Seq2[string, InstanceKey] {
	return func(yield func(string, InstanceKey) bool) {
		for rest := m.s; rest != ""; {
			var name, key string
			name, key, rest = cutModuleStep(rest)
			if !yield(name, keyOf(key)) {
				return
			}
		}
	}
}

// Len returns the number of steps from the root module to m.
func (m ModuleInstance) Len() int { return countSteps(m.s) }

func countSteps(text string) int {
	n := 0
	for text != "" {
		_, _, text = cutModuleStep(text)
		n++
	}
	return n
}

// lastStep returns where the last step of text begins, and its parts.
func lastStep(text string) (at int, name, key string) {
	for rest := text; rest != ""; {
		at = len(text) - len(rest)
		name, key, rest = cutModuleStep(rest)
	}
	return at, name, key
}

// parentPath returns text without its last step.
func parentPath(text string) string {
	at, _, _ := lastStep(text)
	return text[:max(at-1, 0)]
}

// Parent returns the module instance that calls m. The parent of the root
// module is the root module itself.
func (m ModuleInstance) Parent() ModuleInstance { return ModuleInstance{parentPath(m.s)} }

// Call returns the name of the call in the parent module that leads to m, and
// the key of m in it. For the root module the name is "".
func (m ModuleInstance) Call() (name string, key InstanceKey) {
	_, name, k := lastStep(m.s)
	return name, keyOf(k)
}

// Child returns the instance key of the module that the call name in m leads
// to. If name is not an identifier or key is not valid, the error is an
// [*Error].
func (m ModuleInstance) Child(name string, key InstanceKey) (ModuleInstance, error) {
	if !isIdent(name) {
		return ModuleInstance{}, notIdent(name)
	}
	if !key.IsValid() {
		return ModuleInstance{}, faultf(0, "an instance key cannot be negative").as(kindInstanceKey, key.String())
	}
	return ModuleInstance{join(m.s, "module."+name+key.String())}, nil
}

// notIdent returns the error for a name that is not an identifier.
func notIdent(name string) error {
	return faultf(identLen(name), "a name is a letter or an underscore, then letters, digits, underscores and hyphens").as("name", name)
}

// Module returns the static path of m: m without instance keys.
func (m ModuleInstance) Module() Module {
	if strings.IndexByte(m.s, '[') < 0 {
		return Module(m)
	}
	b := make([]byte, 0, len(m.s))
	for rest := m.s; rest != ""; {
		var name string
		name, _, rest = cutModuleStep(rest)
		if len(b) > 0 {
			b = append(b, '.')
		}
		b = append(b, "module."...)
		b = append(b, name...)
	}
	return Module{string(b)}
}

// IsPlaceholder reports whether a key on the way to m is [WildcardKey]. Such an
// m represents instances that are not known yet.
func (m ModuleInstance) IsPlaceholder() bool { return isPlaceholder(m.s) }

// isPlaceholder reports whether there is a wildcard among the keys of text.
func isPlaceholder(text string) bool {
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			return false
		}
		n := keyLen(text[i:])
		if n == len("[*]") && text[i+1] == '*' {
			return true
		}
		text = text[i+n:]
	}
}

// MarshalText returns the text of [Module.String]. The error is always nil.
func (m Module) MarshalText() ([]byte, error) { return []byte(m.s), nil }

// MarshalText returns the text of [ModuleInstance.String].
// The error is always nil.
func (m ModuleInstance) MarshalText() ([]byte, error) { return []byte(m.s), nil }

// UnmarshalText sets m to the module that [ParseModule] returns for text.
func (m *Module) UnmarshalText(text []byte) (err error) {
	*m, err = ParseModule(string(text))
	return err
}

// UnmarshalText sets m to the instance that [ParseModuleInstance] returns for text.
func (m *ModuleInstance) UnmarshalText(text []byte) (err error) {
	*m, err = ParseModuleInstance(string(text))
	return err
}
