// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"strings"

	"modernc.org/sqlite"

	"github.com/tofuwire/tofuwire/addrs"
)

// OpenReadOnly opens an inventory for queries. Nothing can write through the
// result. In addition to the functions of SQLite, queries have
//
//	version_compare(A, B)   -1, 0 or 1; null if one of them is no version
//	version_key(A)          a text that sorts as versions do
//	version_min(A), version_max(A)   aggregates
//	version_allowed(CONSTRAINTS, A)  0 or 1; null if one of them is not valid
func OpenReadOnly(ctx context.Context, path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	mode := "ro"
	if info, err := os.Stat(path + "-journal"); err == nil && info.Size() > 0 {
		mode = "rw" // of a scan that was killed: the first query undoes what is not complete
	}
	db, err := sql.Open("sqlite", uri(path, mode)+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	if err := alone(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	var options string
	if err := db.QueryRowContext(ctx, "SELECT options FROM _fleet").Scan(&options); err != nil {
		db.Close()
		if strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "not a database") {
			err = ErrForeign
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !strings.HasPrefix(options, model+" ") {
		db.Close()
		return nil, fmt.Errorf("%s: %w: another version of fleet made it; scan again", path, ErrForeign)
	}
	return db, nil
}

// alone makes all queries use one connection that cannot attach another database:
// ATTACH and VACUUM INTO would write files.
func alone(ctx context.Context, db *sql.DB) error {
	const limitAttached = 7 // SQLITE_LIMIT_ATTACHED
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	_, err = sqlite.Limit(conn, limitAttached, 0)
	return errors.Join(err, conn.Close())
}

func init() {
	scalar := func(name string, n int32, f func(args []driver.Value) driver.Value) {
		sqlite.MustRegisterDeterministicScalarFunction(name, n, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			return f(args), nil
		})
	}
	scalar("version_compare", 2, func(args []driver.Value) driver.Value {
		a, err := versionOf(args[0])
		b, err2 := versionOf(args[1])
		if err != nil || err2 != nil {
			return nil
		}
		return int64(a.Compare(b))
	})
	scalar("version_key", 1, func(args []driver.Value) driver.Value {
		v, err := versionOf(args[0])
		if err != nil {
			return nil
		}
		return versionKey(v)
	})
	scalar("version_allowed", 2, func(args []driver.Value) driver.Value {
		text, ok := args[0].(string)
		c, err := addrs.ParseConstraints(text)
		v, err2 := versionOf(args[1])
		if !ok || err != nil || err2 != nil {
			return nil
		}
		if c.Allows(v) {
			return int64(1)
		}
		return int64(0)
	})
	aggregate := func(name string, sign int) {
		sqlite.MustRegisterFunction(name, &sqlite.FunctionImpl{NArgs: 1, Deterministic: true, MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
			return &extreme{sign: sign}, nil
		}})
	}
	aggregate("version_min", -1)
	aggregate("version_max", 1)
}

func versionOf(v driver.Value) (addrs.Version, error) {
	text, ok := v.(string)
	if !ok {
		return addrs.Version{}, errors.New("no text")
	}
	return addrs.ParseVersion(text)
}

// versionKey returns a text that sorts as versions do: the numbers with their
// length before them, and a release after its pre-releases.
func versionKey(v addrs.Version) string {
	var b strings.Builder
	number := func(n string) { fmt.Fprintf(&b, "%02d%s.", len(n), n) }
	for part := range strings.SplitSeq(v.Core().String(), ".") {
		number(part)
	}
	if v.Prerelease() == "" {
		b.WriteString("~")
	}
	for part := range strings.SplitSeq(v.Prerelease(), ".") {
		if strings.Trim(part, "0123456789") == "" && part != "" {
			number(part)
		} else {
			b.WriteString("a" + part + ".")
		}
	}
	return b.String()
}

// extreme is the smallest or the greatest version.
type extreme struct {
	sign int
	v    addrs.Version
}

func (e *extreme) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	v, err := versionOf(args[0])
	if err == nil && (!e.v.IsValid() || v.Compare(e.v)*e.sign > 0) {
		e.v = v
	}
	return nil
}

func (e *extreme) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return errors.New("not a window function")
}

func (e *extreme) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if !e.v.IsValid() {
		return nil, nil
	}
	return e.v.String(), nil
}

func (e *extreme) Final(*sqlite.FunctionContext) {}
