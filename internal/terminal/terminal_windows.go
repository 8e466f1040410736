// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import "golang.org/x/sys/windows"

// columns returns the width of the console that a file is, and lets the console read escape
// sequences.
func columns(fd uintptr) (int, bool) {
	h := windows.Handle(fd)
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return 0, false
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(h, &info) != nil {
		return 0, true // it is read from
	}
	windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	return int(info.Window.Right-info.Window.Left) + 1, true
}
