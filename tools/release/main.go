// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Release makes the commit of a release, beside main, and serves it as a module
// proxy would. RELEASING.md says when.
//
//	release commit VERSION         prints the commit and the tags that belong on it
//	release proxy VERSION COMMIT DIR
//	release archives VERSION COMMIT DIR
//
// On main the modules of this repository that use the library replace it by the
// folder above them, so that a clone builds what is in it. go install refuses a
// module with a replacement, and nobody can require the version v0.0.0 that stands
// there. In the commit of a release, all go.mod files require the release, and
// their go.sum files have its hashes. The addresses in docs/schemas have its tag. The hash of a module does not depend on the
// modules below it: one commit carries all tags.
//
// It is to be started in a clone; nothing is fetched or pushed, and neither the
// work tree nor a branch changes.
package main

import (
	"flag"
	"fmt"
	"os"
)

const usage = `usage: release commit VERSION
       release proxy VERSION COMMIT DIR
       release archives VERSION COMMIT DIR

commit makes the commit of a release with the tree of HEAD as its beginning and
HEAD as its parent. It prints the commit on the first line, and below it the
tags of all modules that people require or install.

proxy writes what a module proxy has of these modules at COMMIT into DIR, to be
used as GOPROXY=file://DIR.

archives builds the program tofuwire at COMMIT for all platforms and writes into DIR
an archive for each, with manual pages and completions of shells, a bill of materials
of each (CycloneDX), viewer.html, and the hashes of all in SHA256SUMS. The same commit and version of Go give the same bytes.

Exit status: 0, or 1 if a module cannot be released.
`

func main() {
	dir := flag.String("C", ".", "the `folder` of the clone")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	if len(os.Args) == 2 && (os.Args[1] == "-h" || os.Args[1] == "--help") {
		fmt.Print(usage)
		return
	}
	flag.Parse()
	if err := run(repository(*dir), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(r repository, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "commit":
		commit, tags, err := r.release(args[1])
		if err != nil {
			return err
		}
		fmt.Println(commit)
		for _, tag := range tags {
			fmt.Println(tag)
		}
		return nil
	case len(args) == 4 && args[0] == "proxy":
		return r.proxy(args[1], args[2], args[3])
	case len(args) == 4 && args[0] == "archives":
		return r.archives(args[1], args[2], args[3], platforms)
	}
	return fmt.Errorf("bad arguments\n%s", usage)
}
