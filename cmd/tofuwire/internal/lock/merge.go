// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/lockfile"
)

// merge is a merge driver of Git: it merges three versions of a lock file and writes the
// result to the second. It returns the exit status.
func merge(args []string, stderr io.Writer) int {
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "tofuwire lock: "+format+"\n", args...)
		return 2
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
		fmt.Fprintf(stderr, "tofuwire lock: conflict: %s\n", c)
	}
	if len(conflicts) > 0 {
		return 1
	}
	return 0
}
