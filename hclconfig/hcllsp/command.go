// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// executeCommand answers workspace/executeCommand: it writes the document of the setting schemas.
func executeCommand(s *server, ctx context.Context, v *view, p commandParams) (any, error) {
	if p.Command != commandSchemas {
		return nil, &wireError{Code: codeInvalidParams, Message: fmt.Sprintf("there is no command %q", p.Command)}
	}
	dir := ""
	if len(v.folders) > 0 {
		dir = v.folders[0]
	}
	if len(p.Arguments) > 0 {
		var uri string
		if json.Unmarshal(p.Arguments[0], &uri) != nil {
			return nil, &wireError{Code: codeInvalidParams, Message: "the argument is the URI of a folder"}
		}
		path, ok := pathOf(uri)
		if !ok {
			return nil, refuse("%s is not the URI of a folder", uri)
		}
		dir = path
	}
	switch {
	case dir == "":
		return nil, refuse("there is no folder")
	case v.settings.schemas == "":
		return nil, refuse("the setting tofuwire.schemas names no file to write to")
	}
	run := s.opts.Schemas
	if run == nil {
		run = func(ctx context.Context, dir string) ([]byte, error) { return RunSchemas(ctx, "tofuwire", dir) }
	}
	document, err := run(ctx, dir)
	if err != nil {
		return nil, refuse("%v", err)
	}
	if _, err := s.opts.DecodeSchemas(document); err != nil {
		return nil, refuse("what was printed has no schemas: %v", err)
	}
	file := v.path(v.settings.schemas, dir)
	err = replacefile.Edit(file, document)
	if errors.Is(err, fs.ErrNotExist) {
		var made *replacefile.Staged
		if made, err = replacefile.Stage(file, document, 0o666); err == nil {
			err = made.Replace()
		}
	}
	if err != nil {
		return nil, refuse("%v", err)
	}
	s.disk.stale()
	s.findings.again()
	return nil, nil
}

// RunSchemas runs "PROGRAM schemas" for the module in a directory and returns the output. The
// program is tofuwire or a compatible one. The error contains the last line of its standard error.
// Use it in [Options.Schemas].
func RunSchemas(ctx context.Context, program, dir string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, "schemas", filepath.Clean(dir))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Dir = dir
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		if last := lines[len(lines)-1]; last != "" {
			return nil, fmt.Errorf("%s", last)
		}
		return nil, err
	}
	return stdout.Bytes(), nil
}
