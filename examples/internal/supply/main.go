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

// Main runs a program until it ends or is interrupted. If it fails, Main prints its
// error and exits with status 1.
func Main(program string, run func(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return // the usage has been printed
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s\n", program, err)
		os.Exit(1)
	}
}
