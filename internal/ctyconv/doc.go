// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package ctyconv converts cty values, and finds the type that several types have in common, as the package
// convert of go-cty does, in time that grows with the size of the values. That package compares each type of a list with
// each other: a list of 32,000 strings takes it many seconds.
//
// [Convert] and [Unify] give small inputs to go-cty, so that results and messages are exactly its own. For larger ones
// they find the common type of each collection once, among the different types of its elements, and then convert each
// element to it. Results are the same; what an error says can differ.
//
// docs/upstream/go-cty.md has the causes in go-cty and what to change there. With section 1 of it this package can go, apart from
// [Set] and [Collide], which section 2 is about.
package ctyconv

import "github.com/zclconf/go-cty/cty"

// small is how many parts a type has that go-cty is given.
const small = 48

// isSmall reports whether all types together have few parts.
func isSmall(types ...cty.Type) bool {
	n := small
	for _, t := range types {
		if n = spend(t, n); n < 0 {
			return false
		}
	}
	return true
}

// spend subtracts the number of parts of t from n. The result is negative if they are more than n.
func spend(t cty.Type, n int) int {
	if n--; n < 0 {
		return n
	}
	switch {
	case t.IsCollectionType():
		return spend(t.ElementType(), n)
	case t.IsTupleType():
		for _, e := range t.TupleElementTypes() {
			if n = spend(e, n); n < 0 {
				break
			}
		}
	case t.IsObjectType():
		for _, e := range t.AttributeTypes() {
			if n = spend(e, n); n < 0 {
				break
			}
		}
	}
	return n
}

// isFlat reports whether the values of a type have few parts in tuples and objects, and collections only of what has no
// parts. How many parts collections have their types do not say.
func isFlat(t cty.Type) bool { return isSmall(t) && !nested(t) }

// nested reports whether t, which is small, has a collection whose elements have parts.
func nested(t cty.Type) bool {
	switch {
	case t.IsCollectionType():
		return !t.ElementType().IsPrimitiveType()
	case t.IsTupleType():
		for _, e := range t.TupleElementTypes() {
			if nested(e) {
				return true
			}
		}
	case t.IsObjectType():
		for _, e := range t.AttributeTypes() {
			if nested(e) {
				return true
			}
		}
	}
	return false
}
