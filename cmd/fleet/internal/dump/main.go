// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Dump prints the rows of an inventory, one on each line, in no order: those of a
// database, or those of the Parquet files in a directory. Sorted, the lines of two
// inventories can be compared. With -sum it prints how many rows there are, and the sum
// of their hashes: it does not depend on the order, and a row more or less changes it.
//
//	go run ./internal/dump [-sum] DATABASE|DIR
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/columns"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

func main() {
	sum := flag.Bool("sum", false, "print the number of rows and the sum of their hashes")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: dump [-sum] DATABASE|DIR")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	var total total
	err := dump(context.Background(), flag.Arg(0), func(r rows.Row) error {
		if *sum {
			total.add(r.AppendText(nil))
			return nil
		}
		_, err := out.Write(append(r.AppendText(nil), '\n'))
		return err
	})
	if *sum {
		fmt.Fprintln(out, total.String())
	}
	if err := errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(2)
	}
}

// A total is the number of rows, and the sum of their hashes.
type total struct {
	rows int
	hash [4]uint64
}

func (t *total) add(row []byte) {
	t.rows++
	h := sha256.Sum256(row)
	for i := range t.hash {
		t.hash[i] += binary.BigEndian.Uint64(h[8*i:])
	}
}

func (t *total) String() string {
	return fmt.Sprintf("%d rows, %016x%016x", t.rows, t.hash[0], t.hash[1])
}

// dump calls f for each row of an inventory.
func dump(ctx context.Context, place string, f func(rows.Row) error) error {
	info, err := os.Stat(place)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		db, err := inventory.OpenReadOnly(ctx, place)
		if err != nil {
			return err
		}
		defer db.Close()
		for _, r := range rows.Relations() {
			if err := inventory.Each(ctx, db, r, f); err != nil {
				return err
			}
		}
		return nil
	}
	for _, r := range rows.Relations() {
		names, err := filepath.Glob(filepath.Join(place, r.Name+"-?????-of-?????.parquet"))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := file(name, r, f); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func file(name string, r *rows.Relation, f func(rows.Row) error) error {
	src, err := os.Open(name)
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	return columns.Read(src, info.Size(), r, f)
}
