// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hash is the program hash: the hashes of provider packages in the form of lock files.
package hash

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var text = commandline.Text{
	Arguments: "PATH...",
	Files:     []string{".zip"},
	About: `
Hash prints the hashes of provider packages in the form of lock files. Each PATH is a zip file or
an unpacked directory. Hash prints a line for each, with its h1, its zh and the PATH. For a
directory, zh is "-". The h1 is that of the extracted package, as tofu records it. Warnings and
errors go to standard error.`,
	Exit: `
0 all packages were hashed
1 some were not
2 a usage error`,
	Example: "tofuwire hash terraform-provider-null_3.2.4_linux_amd64.zip",
}

// Run is the program; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire hash", text)
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flags.Args(), stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "tofuwire hash:", commandline.Message(err))
		return 1
	}
	return 0
}

func run(ctx context.Context, paths []string, stdout, stderr io.Writer) error {
	failed := 0
	for p, err := range (checksum.Hasher{}).All(ctx, paths) {
		if err != nil {
			fmt.Fprintln(stderr, "tofuwire hash:", commandline.Message(err))
			failed++
			continue
		}
		for _, w := range p.Warnings {
			fmt.Fprintf(stderr, "tofuwire hash: %s: %v\n", p.Name, w)
		}
		if p.FormsDiffer() {
			fmt.Fprintf(stderr, "tofuwire hash: %s: before extraction, h1 is %s\n", p.Name, p.H1)
		}
		zh := "-"
		if p.Zip {
			zh = p.ZH.String()
		}
		if _, err := fmt.Fprintln(stdout, p.Extracted, zh, p.Name); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d packages could not be hashed", failed, len(paths))
	}
	return nil
}
