// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Run runs a program until it ends or is interrupted, and returns its exit status: 1 if it
// fails, after it has printed the error. For -h it prints usage.
func Run(program, usage string, args []string, stdout, stderr io.Writer, run func(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, args, stdout, stderr, os.Environ())
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %s\n", program, err)
		return 1
	}
	return 0
}
