// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package encryption

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// What external programs begin their answer with.
const (
	keysMagic   = "OpenTofu-External-Key-Provider"
	methodMagic = "OpenTofu-External-Encryption-Method"
)

// external returns a function that starts a program, sends it a document, and returns
// its answer without the header line. It is nil without a command.
func external(command []string, magic string) func(context.Context, []byte) ([]byte, error) {
	if len(command) == 0 {
		return nil
	}
	return func(ctx context.Context, document []byte) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.WaitDelay = time.Second
		cmd.Stdin = bytes.NewReader(document)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("the external program failed: %w", err)
		}
		line, answer, ok := bytes.Cut(out.Bytes(), []byte("\n"))
		var header struct {
			Magic   string
			Version int
		}
		if !ok || json.Unmarshal(line, &header) != nil || header.Magic != magic {
			return nil, errors.New("the output of the external program does not begin with the header of the protocol")
		}
		if header.Version != 1 {
			return nil, fmt.Errorf("the external program uses version %d of the protocol, not 1", header.Version)
		}
		return answer, nil
	}
}
