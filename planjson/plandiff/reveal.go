// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// tellMarks sets SensitiveBefore and SensitiveAfter of an attribute whose values are revealed, and of
// those in it, by the marks of the document.
func (d *Attribute) tellMarks(before, after planjson.Value) {
	if !plantext.HasTrue(before) && !plantext.HasTrue(after) {
		return
	}
	if len(d.Children) == 0 || d.JSON {
		d.SensitiveBefore = d.Status != Added && plantext.HasTrue(before)
		d.SensitiveAfter = d.Status != Removed && plantext.HasTrue(after)
		return
	}
	for _, c := range d.Children {
		if c.Index < 0 {
			c.tellMarks(markOf(before, c.Name), markOf(after, c.Name))
		} else {
			c.tellMarks(markOf(before, c.From), markOf(after, c.Index))
		}
	}
}

// markOf returns the mark of a member or an element.
func markOf(mark planjson.Value, step any) planjson.Value {
	if plantext.IsTrue(mark) {
		return mark
	}
	return mark.Get(step)
}
