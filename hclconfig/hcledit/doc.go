// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcledit changes, writes and formats configuration files, in native syntax and in JSON
// syntax.
//
//	file, err := hclconfig.Parse("network.tf", src)
//	if err != nil {
//		return err
//	}
//	edit := hcledit.Edit(file)
//	for _, call := range file.Config().Calls {
//		edit.Set(call.Block, "version", "5.8.1")
//	}
//	file, err = edit.Apply()
//	if err != nil {
//		return err
//	}
//	_, err = os.Stdout.Write(file.Bytes())
//
// The entry points are:
//
//   - [Edit] returns an [Editor] of a file that package hclconfig read. [Editor.Apply] returns
//     the edited file.
//   - [Build] makes a new file of blocks that [NewBlock] describes.
//   - [Format] formats a native file as a whole, as "tofu fmt" does.
//   - [CommentsOf] returns the comments of a part of a file, and [Editor.SetComments] replaces
//     them. [TextOf] returns the text of the part with its comments, [CodeOf] without them.
//
// # The promise
//
// An edit changes only the bytes of the edited part. Comments, blank lines, alignment, heredocs,
// the digits of numbers, the order of blocks and the choice between objects and arrays stay,
// because an edit changes the text itself and does not print the file again. New text is formatted
// as by "tofu fmt", or, in JSON, like the surrounding text.
//
// # Values
//
// An edit writes a [Value], or anything that [ValueOf] converts to one: Go's strings, numbers,
// lists and maps, and expressions of a file. A Value has a meaning, not a spelling. The spelling
// depends on the syntax of the file and the [hclconfig.Kind] of the argument: [String] puts the
// right escapes around a literal "${". [Concat] joins texts and expressions.
//
// # Errors
//
// All errors are of type [*hclconfig.Error], with the place of the edit. Use errors.Is to find
// causes such as [ErrEdit]. The first edit that fails stops an editor; [Editor.Err] and
// [Editor.Apply] return its error.
//
// # Security
//
// Source and templates passed by a caller are parsed before they are written, with the limits of
// package hclconfig. Only constants are evaluated. Values are escaped, so a text cannot become
// code.
//
// # Concurrency
//
// The methods of an [Editor] and of a [BlockBuilder] must not be called concurrently. The original
// file does not change and may be read meanwhile. The functions are safe for concurrent use by
// several goroutines.
package hcledit
