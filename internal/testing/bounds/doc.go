// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package bounds says of every function that takes text, a reader or a file system how its time and memory grow: in
// proportion to what it reads plus what it writes.
//
// A [Shape] makes documents of a kind in any size: deep, wide, long, equal, distinct, escaped, commented. A [Row] gives such
// documents to functions. The test compares how often something is allocated for a size and for larger ones, and how many bytes, and
// .ci/run bounds the processor time, which sees work that allocates nothing. TestCovered fails for a
// function without a row.
//
// [Growth], [AtMost] and [Heap] are for the tests of all packages that count memory: the verdict does not depend on what else the
// process does.
package bounds
