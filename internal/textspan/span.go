// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package textspan has the type of a piece of a text, and the errors about one.
package textspan

// A Span is a piece of a text, from Start up to but not including End, in bytes.
// It is a range without its lines and columns, which are found when they are asked
// for. Texts above 2 GiB are refused, so 32 bits suffice.
type Span struct{ Start, End int32 }

// Of returns the Span from start to end, or an empty one if end is before start: HCL says
// so of calls that are cut off.
func Of(start, end int32) Span { return Span{start, max(start, end)} }
