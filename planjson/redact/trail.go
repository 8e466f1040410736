// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A trail is the way to the value at hand. The path is kept only if somebody asks for it.
type trail struct {
	asked   bool
	path    []string // to the value at hand
	root    int      // how many steps lead to the piece
	places  jsonscan.Pointers
	names   []string // the path in the object at hand, for rules
	address string   // of the object at hand
}

// begin begins a piece.
func (t *trail) start(text []byte) {
	if t.asked {
		t.root, t.places = len(t.path), jsonscan.Pointers{Text: text}
	}
}

// enter and leave keep the path to the value at hand.
func (t *trail) enter(name string) {
	if t.asked {
		t.path = append(t.path, name)
	}
}

func (t *trail) enterName(name []byte) {
	if t.asked {
		t.path = append(t.path, string(name))
	}
}

func (t *trail) leave() {
	if t.asked {
		t.path = t.path[:len(t.path)-1]
	}
}

// pointer returns the pointer of the value at hand.
func (t *trail) pointer() string { return pointerOf(t.path) }

// tokenAt returns the pointer of the token from start to end of the piece: that of
// the object around it if it is a name.
func (t *trail) tokenAt(text []byte, start, end int) string {
	pointer := pointerOf(t.path[:t.root]) + t.places.At(start)
	if next := jsonscan.Space(text, end); next < len(text) && text[next] == ':' {
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	return pointer
}

// pointerOf returns the pointer that consists of these steps.
func pointerOf(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString("/" + jsonscan.EscapePointer(name))
	}
	return b.String()
}

var unescapeName = strings.NewReplacer("~1", "/", "~0", "~")
