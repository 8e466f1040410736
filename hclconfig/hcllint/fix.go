// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A Fix is a change that mends a finding.
//
// The fixes of different findings are changes to the same files, as the pass saw them. A
// program makes those that do not touch the same parts together, and then looks again.
type Fix struct {
	// Message says what the fix does, such as "Add sensitive".
	Message string
	// Edit makes the change. It is called later than Run, perhaps more than once, and must
	// make the same edits each time.
	Edit func(*Edits)
}

// Edits makes the edits of a fix.
type Edits struct {
	editor  func(*hclconfig.File) *hcledit.Editor
	touch   func(f *hclconfig.File, start, end int)
	replace func(at addrs.Range, text string)
}

// In returns the editor of the file that a part is in, for an edit of this part or within
// it: e.In(b).Set(b, "sensitive", true). An edit of another part needs its own call of In,
// as two fixes that touch the same part are not made together.
func (e *Edits) In(p hcledit.Part) *hcledit.Editor {
	f, start, end := p.Place()
	e.touch(f, start, end)
	return e.editor(f)
}

// Replace replaces the text of a place in a file. It is for what an editor cannot do, such
// as a change of a comment's marks.
func (e *Edits) Replace(at addrs.Range, text string) { e.replace(at, text) }
