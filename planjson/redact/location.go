// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A location is where the value at hand is. The path is kept only if somebody asks for it.
type location struct {
	asked   bool
	path    []string // to the value at hand
	root    int      // how many steps lead to the piece
	places  jsonscan.Pointers
	names   []string // the path in the object at hand, for rules
	address string   // of the object at hand
}

// start begins a piece.
func (l *location) start(text []byte) {
	if l.asked {
		l.root, l.places = len(l.path), jsonscan.Pointers{Text: text}
	}
}

// enter and leave keep the path to the value at hand.
func (l *location) enter(name string) {
	if l.asked {
		l.path = append(l.path, name)
	}
}

func (l *location) enterName(name []byte) {
	if l.asked {
		l.path = append(l.path, string(name))
	}
}

func (l *location) leave() {
	if l.asked {
		l.path = l.path[:len(l.path)-1]
	}
}

// pointer returns the pointer of the value at hand.
func (l *location) pointer() string { return pointerOf(l.path) }

// tokenAt returns the pointer of the token from start to end of the piece: that of
// the object around it if it is a name.
func (l *location) tokenAt(text []byte, start, end int) string {
	pointer := pointerOf(l.path[:l.root]) + l.places.At(start)
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
