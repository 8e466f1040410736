// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package langfuncs has the functions of the configuration language, by
// program and release, for checking calls without running them for effect.
//
// A function checks the number and the types of its arguments as the program
// does. It computes its result if that is cheap and needs nothing but the
// arguments; otherwise the result is an unknown value of the right type. Reading
// a file, the clock or the environment is never done. An unknown result is
// always safe: it can hide a mistake, but it cannot make one up.
package langfuncs
