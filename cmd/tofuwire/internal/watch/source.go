// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// A source is where the stream comes from.
type source struct {
	stream io.Reader
	wait   func() (code int, known bool) // after the stream has been read
}

// open starts the command, whose standard error goes to foreign, or takes
// standard input if there is none.
func open(ctx context.Context, command []string, stdin io.Reader, foreign io.Writer) (*source, error) {
	if len(command) == 0 {
		return &source{stdin, func() (int, bool) { return 0, false }}, nil
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	// When told to stop, the tool finishes its current work and saves the
	// state. It must never be killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stdin = os.Stdin
	cmd.Stderr = foreign
	stream, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &source{stream, func() (int, bool) {
		err := cmd.Wait()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) && cmd.ProcessState == nil {
			return 0, false
		}
		return cmd.ProcessState.ExitCode(), true
	}}, nil
}
