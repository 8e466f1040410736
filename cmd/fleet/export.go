// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/columns"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

func exportCommand(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) (int, error) {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	if err := parse(flags, stderr, "DATABASE DIR", args); err != nil {
		return exitUsage, err
	}
	if flags.NArg() != 2 {
		flags.Usage()
		return exitUsage, errFlags
	}
	return exitOK, export(ctx, flags.Arg(0), flags.Arg(1), stdout)
}

// export writes a Parquet file for each relation into a directory. A file that
// exists is replaced when the new one is complete.
func export(ctx context.Context, database, dir string, stdout io.Writer) error {
	db, err := inventory.OpenReadOnly(ctx, database)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, r := range rows.Relations() {
		name := filepath.Join(dir, r.Name+".parquet")
		n, err := exportRelation(ctx, db, r, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(stdout, "%s: %d rows\n", name, n)
	}
	return nil
}

func exportRelation(ctx context.Context, db *sql.DB, r *rows.Relation, name string) (n int, err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+r.Name+"-*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	out := bufio.NewWriterSize(f, 1<<20)
	w := columns.NewWriter(out, r)
	err = inventory.Each(ctx, db, r, func(row rows.Row) error {
		n++
		return w.Write(row)
	})
	if err := errors.Join(err, w.Close()); err != nil {
		return n, err
	}
	if err := errors.Join(out.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return n, err
	}
	return n, os.Rename(f.Name(), name)
}
