// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// Run does the work of a program until it ends or is interrupted, with the environment of the
// process, and returns the exit status: 1 if it fails, after it has printed the error
// without the secrets of URLs.
func Run(program string, stderr io.Writer, run func(ctx context.Context, environ []string) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Environ()); err != nil {
		fmt.Fprintf(stderr, "tofuwire %s: %s\n", program, printable.URLs(commandline.Message(err)))
		return 1
	}
	return 0
}
