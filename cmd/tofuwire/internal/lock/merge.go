// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/tofuwire/tofuwire/lockfile"
)

// mergeArguments returns the arguments without the switch -merge, if it is there and no help
// is wanted.
func mergeArguments(args []string) ([]string, bool) {
	is := func(names ...string) func(string) bool {
		return func(arg string) bool { return slices.Contains(names, arg) }
	}
	if slices.ContainsFunc(args, is("-h", "--h", "-help", "--help")) || !slices.ContainsFunc(args, is("-merge", "--merge")) {
		return nil, false
	}
	return slices.DeleteFunc(slices.Clone(args), is("-merge", "--merge", "--")), true
}

// merge is a merge driver of Git: it merges three versions of a lock file and writes the
// result to the second. It returns the exit status.
func merge(args []string, stderr io.Writer) int {
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "lock: "+format+"\n", args...)
		return 2
	}
	if len(args) != 3 {
		return fail("-merge needs BASE, OURS and THEIRS, not %d arguments", len(args))
	}
	var files [3]*lockfile.File
	for i, name := range args {
		src, err := os.ReadFile(name)
		if err == nil {
			files[i], err = lockfile.Parse(name, src)
		}
		if err != nil {
			return fail("%s", err)
		}
	}
	text, conflicts, err := lockfile.MergeText(files[0], files[1], files[2], "ours", "theirs")
	if err != nil {
		return fail("%s", err)
	}
	info, err := os.Stat(args[1])
	if err == nil {
		err = os.WriteFile(args[1], text, info.Mode().Perm())
	}
	if err != nil {
		return fail("%s", err)
	}
	for _, c := range conflicts {
		fmt.Fprintf(stderr, "lock: conflict: %s\n", c)
	}
	if len(conflicts) > 0 {
		return 1
	}
	return 0
}
