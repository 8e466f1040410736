// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planwire opens the codec of package planjson to its wings, which
// decode and encode single objects of the format in streams.
package planwire

import "github.com/tofuwire/tofuwire/internal/wire"

// Fields carries out what a codec does for the members of an object, a pointer
// to a struct of package planjson.
func Fields(object any, x *wire.Codec) { fields(object, x) }

var fields func(object any, x *wire.Codec)

// Open sets what [Fields] does. Package planjson calls it, before anything can
// have an object of its types.
func Open(f func(object any, x *wire.Codec)) bool {
	fields = f
	return true
}
