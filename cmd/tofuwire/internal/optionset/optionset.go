// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package optionset makes the flag sets of the subcommands, which completion asks for their names.
package optionset

import (
	"flag"
	"io"
)

// Asked, if it is set, is called with the flag set of a subcommand that is run with -h.
var Asked func(*flag.FlagSet)

// New returns the flag set of a subcommand. It prints nothing: errors are those of Parse, and
// flag.ErrHelp is that of -h.
func New(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {
		if Asked != nil {
			Asked(flags)
		}
	}
	return flags
}
