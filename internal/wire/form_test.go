// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strings"
	"testing"
)

// TestInTerraform checks that wrong rules do not pass. What right ones do, the
// recordings of releases show in package planjson.
func TestInTerraform(t *testing.T) {
	for _, rule := range []string{"x<b", "a<x", "-x", "x@1.6", "a@1.", "a@1.x", "a@2", "a!1", "x!0.15", "a", ""} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the rule %q passes", rule)
				}
			}()
			tableOf("a b").inTerraform([]string{rule})
		}()
	}
	tableOf("a! b c?!").inTerraform(strings.Fields("c<a -a c@1.6 b!0.15"))
}

// tableOf returns a table of members that are all in one place.
func tableOf(members string) *Table {
	place := new(string)
	t := &Table{Of: described{Definition{Members: members, Memory: MemoryOf([]string(nil))}, func(any, int) any { return place }}}
	return t.ready()
}

// TestTables checks that a table refuses what generated code must not have.
func TestTables(t *testing.T) {
	var many []string
	for i := range 62 {
		many = append(many, fmt.Sprint("m", i))
	}
	table := tableOf(strings.Join(many[:61], " "))
	for _, tt := range []struct {
		name string
		make func()
		want string
	}{
		{"many", func() { tableOf(strings.Join(many, " ")) }, "62 members, at most 61 are possible"},
		{"twice", func() { tableOf("a b a!") }, "two members are called a"},
		{"fields", func() { new(Table).define(Definition{Members: "a", Fields: make([]Field, 2)}) }, "2 fields for 1 members"},
		{"no kind", func() { plain(new(float64)) }, "no kind of field for *float64"},
		{"alt unknown", func() { table.reorder([]string{"m1", "x"}) }, "cannot reorder member x"},
		{"alt twice", func() { table.reorder([]string{"m1", "m1!"}) }, "cannot reorder member m1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, tt.want) {
					t.Errorf("got %s", r)
				}
			}()
			tt.make()
		})
	}
}
