// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A pathStep is one level of the place at which an encoding is.
type pathStep struct {
	name  string
	index int // of an element; -1 in an object
	begun bool
}

// A path is the place at which an encoding is, if it is tracked.
type path struct {
	tracked bool
	steps   []pathStep
}

// push opens a level, step moves to a member in it, element to an element,
// pop closes it. They do nothing unless the path is tracked.
func (p *path) push() {
	if p.tracked {
		p.steps = append(p.steps, pathStep{index: -1})
	}
}

func (p *path) pop() {
	if p.tracked {
		p.steps = p.steps[:len(p.steps)-1]
	}
}

func (p *path) step(name string) {
	if p.tracked {
		p.steps[len(p.steps)-1] = pathStep{name: name, index: -1, begun: true}
	}
}

func (p *path) element(i int) {
	if p.tracked {
		p.steps[len(p.steps)-1] = pathStep{index: i, begun: true}
	}
}

// pathPointer returns a path as a JSON pointer.
func pathPointer(path []pathStep) string {
	var b strings.Builder
	for _, s := range path {
		if !s.begun {
			continue
		}
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(jsonscan.EscapePointer(s.name))
		}
	}
	return b.String()
}
