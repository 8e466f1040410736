// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lsp is the program lsp: the language server with the rules that come along.
package lsp

import (
	"context"
	"io"
	"os"
	"runtime/debug"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hcllsp"
)

// Run runs the program. It returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	opts := hcllsp.Options{Analyzers: rules.All(), Schemas: schemas, DecodeSchemas: planfile.DecodeConfigSchemas}
	if info, ok := debug.ReadBuildInfo(); ok {
		opts.Version = info.Main.Version
	}
	return hcllsp.Command(args, stdin, stdout, stderr, "tofuwire lsp", opts)
}

// schemas runs "schemas" of this very program.
func schemas(ctx context.Context, dir string) ([]byte, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return hcllsp.RunSchemas(ctx, program, dir)
}
