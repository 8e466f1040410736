// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

// Dump returns all rows of an inventory as text, sorted, as the tests compare
// them.
func Dump(ctx context.Context, path string) ([]string, error) {
	db, err := OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var list []string
	for _, r := range rows.Relations() {
		err := Each(ctx, db, r, func(row rows.Row) error {
			list = append(list, string(row.AppendText(nil)))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(list)
	return list, nil
}

// Each calls f for each row of a relation. The row is valid during the call.
func Each(ctx context.Context, db *sql.DB, r *rows.Relation, f func(rows.Row) error) error {
	result, err := db.QueryContext(ctx, "SELECT * FROM "+r.Name)
	if err != nil {
		return err
	}
	defer result.Close()
	row := rows.Row{Relation: r, Cells: make([]any, len(r.Columns))}
	pointers := make([]any, len(r.Columns))
	for i := range pointers {
		pointers[i] = &row.Cells[i]
	}
	for result.Next() {
		if err := result.Scan(pointers...); err != nil {
			return err
		}
		for i, c := range r.Columns {
			if n, ok := row.Cells[i].(int64); ok && c.Type == rows.Bool {
				row.Cells[i] = n != 0
			}
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return result.Err()
}
