// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// A CredentialsHelper gets [Credentials] from a program, like a
// credentials_helper block of the CLI configuration. The program is run as
// "PROGRAM ARGS... get HOST" and prints a JSON object with the member "token".
// An object without that member, or null, means that there is no token.
type CredentialsHelper struct {
	// Program is the path of the program, whose name is
	// terraform-credentials-NAME by convention.
	Program string

	// Args come before "get".
	Args []string

	// Timeout bounds one run. If zero, it is 30 seconds. OpenTofu has no such
	// limit.
	Timeout time.Duration
}

// maxHelperOutput bounds the output of a helper.
const maxHelperOutput = 64 << 10

// Token runs the helper. The error includes the helper's standard error output,
// without control characters.
func (h *CredentialsHelper) Token(ctx context.Context, host string) (string, error) {
	if h == nil {
		h = &CredentialsHelper{}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(h.Timeout, 30*time.Second))
	defer cancel()
	args := append(append([]string{}, h.Args...), "get", host)
	cmd := exec.CommandContext(ctx, h.Program, args...)
	// A grandchild may keep the pipes open after the program was killed.
	cmd.WaitDelay = time.Second
	stdout, stderr := limitedBuffer{}, limitedBuffer{}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	fail := func(err error) (string, error) {
		return "", &Error{Op: "credentials", URL: host, Err: fmt.Errorf("helper %s: %w", h.Program, err)}
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return fail(ctx.Err())
		}
		if text := printable.Line(stderr.b.String(), 500); text != "" {
			return fail(fmt.Errorf("%w: %s", err, text))
		}
		return fail(err)
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(stdout.b.Bytes(), &answer); err != nil {
		return fail(errors.New("it did not print exactly one JSON object"))
	}
	var token string
	if json.Unmarshal(answer["token"], &token) != nil {
		return "", nil
	}
	return token, nil
}

// A limitedBuffer keeps the data written to it, up to maxHelperOutput. It does
// not embed bytes.Buffer, because ReadFrom would ignore the limit.
type limitedBuffer struct{ b bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.b.Len()+len(p) > maxHelperOutput {
		return 0, ErrLimit
	}
	return b.b.Write(p)
}
