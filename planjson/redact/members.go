// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// A verdict says what becomes of a member of a document. Each member of each
// type has one in verdicts.txt, from which the table in members_gen.go is made: a member
// without a verdict is an error then. The same table drives all ways of redaction.
type verdict uint8

const (
	// verdictPublic is a member that never has a secret of its own. Known
	// secrets are replaced in it, as in all text.
	verdictPublic verdict = iota

	// verdictFixed is a word of the format itself, such as an action, or the version of the
	// format. It stays even if a known secret is the same word: without it a reader
	// would not see what is destroyed. Other text is judged as that of verdictPublic.
	verdictFixed

	// verdictValue is a value of a resource, an output, a variable or an
	// argument. It is shown as far as all that the document says of that
	// object allows; a value that no function knows how to judge is hidden.
	verdictValue

	// verdictMark says of another value which parts are unknown or sensitive,
	// and has the same keys.
	verdictMark

	// verdictAddress is an address or another name, with keys that can have
	// known secrets.
	verdictAddress

	// verdictText is text for people, which can quote anything.
	verdictText

	// verdictRecurse is an object, or objects in a list or by name, whose
	// members have verdicts.
	verdictRecurse
)

// A nesting says which JSON a member has. Null is always accepted.
type nesting uint8

const (
	anything nesting = iota
	anObject
	aList
	aMap
	aString
	aBool
	aNumber
	someStrings
)

// accepts reports whether a value that begins with b can be the member's.
func (n nesting) accepts(b byte) bool {
	switch n {
	case anObject, aMap:
		return b == '{' || b == 'n'
	case aList, someStrings:
		return b == '[' || b == 'n'
	case aString:
		return b == '"' || b == 'n'
	case aBool:
		return b == 't' || b == 'f' || b == 'n'
	case aNumber:
		return b == '-' || '0' <= b && b <= '9' || b == 'n'
	}
	return true
}

// String returns the JSON in words.
func (n nesting) String() string {
	return [...]string{"a value", "an object", "an array", "an object", "a string", "a bool", "a number", "an array"}[n]
}

// A typeID is the number of a type in objectTypes.
type typeID uint8

// A member is one of the members of a type.
type member struct {
	name    string
	verdict verdict
	nest    nesting
	child   typeID // of the objects of verdictRecurse
}

// An objectType is a type of package planjson.
type objectType struct {
	name    string
	members []member
}

// lookupToken is lookup for the name that a token says.
func (t *objectType) lookupToken(token []byte, from int) (*member, int) {
	if from < len(t.members) && len(token) > 2 && t.members[from].name == string(token[1:len(token)-1]) {
		return &t.members[from], from + 1
	}
	return t.lookup(jsonscan.UnquoteBytes(token), from)
}

// lookup returns the member with this name, or nil. Members mostly come in
// their order, so the search begins at from.
func (t *objectType) lookup(name []byte, from int) (*member, int) {
	n := len(t.members)
	for k := range n {
		i := from + k
		if i >= n {
			i -= n
		}
		if t.members[i].name == string(name) {
			return &t.members[i], i + 1
		}
	}
	return nil, from
}

// isKnownName reports whether a name is one that the format itself gives to a
// member of an object that is gone through member by member.
func (e *engine) isKnownName(name string) bool {
	for _, t := range []typeID{typePlan, typeState, typeValues, typeModule, typeRendererPlan, typeRendererState} {
		if m, _ := objectTypes[t].lookup([]byte(name), 0); m != nil {
			return true
		}
	}
	return false
}
