// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package terminal decides what programs may do with the terminal that a stream is, if it is one.
package terminal

import "os"

// Is reports whether a stream, an io.Reader or io.Writer, is a terminal.
func Is(stream any) bool {
	_, ok := size(stream)
	return ok
}

// Width returns the number of columns of a terminal, or 80 if it is not known.
func Width(stream any) int {
	if width, ok := size(stream); ok && width > 0 {
		return width
	}
	return 80
}

// size returns the width of a terminal.
func size(stream any) (width int, ok bool) {
	f, ok := stream.(*os.File)
	if !ok || f == nil {
		return 0, false
	}
	return columns(f.Fd())
}

// Colors reports whether what is written to a stream has colors: not with the option -no-color or
// NO_COLOR, else with CLICOLOR_FORCE, else on a terminal that is not dumb.
func Colors(stream any, off bool) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case off || os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return Moves(stream)
}

// Moves reports whether the cursor may be moved: on a terminal that is not dumb.
func Moves(stream any) bool { return os.Getenv("TERM") != "dumb" && Is(stream) }
