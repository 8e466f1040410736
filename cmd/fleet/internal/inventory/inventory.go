// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package inventory keeps the rows of documents in a SQLite database.
package inventory

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
)

// A DB is an inventory that is being filled. Its methods are safe for concurrent
// use.
type DB struct {
	db   *sql.DB
	conn *sql.Conn

	mu     sync.Mutex // of what follows, and of conn
	insert map[*rows.Relation]*inserter
	known  map[string]*sql.Stmt // other statements, by text
	open   time.Time            // when the transaction began; zero if there is none
	bytes  int                  // written in it
	failed error                // after which nothing more is written

	claims   sync.Mutex
	claimed  map[string]chan struct{}
	removals bool // whether places were forgotten, guarded by mu
}

// An inserter inserts the rows of a relation, with statements of the driver: package
// database/sql would check and copy each cell. Most of the time goes into giving
// cells to SQLite, so those that are the same in all rows of a statement are given
// once. There is a statement for each set of columns that were the same.
type inserter struct {
	relation *rows.Relation
	verb     string
	known    map[statement]driver.Stmt
	rows     [][]any             // that are being put
	args     []driver.NamedValue // kept for the next statement
}

// A statement inserts a number of rows, with these columns the same in all.
type statement struct {
	rows   int
	shared columns
}

// Columns is a set of columns.
type columns uint32

// sizes are how many rows a statement inserts.
var sizes = [...]int{64, 16, 4, 1}

// maxStatements is how many statements a relation has that share columns.
const maxStatements = 24

// same returns the columns that are the same in all rows.
func same(list [][]any) (set columns) {
	first := list[0]
	for i, c := range first {
		equal := true
		for k := 1; k < len(list) && equal; k++ {
			equal = list[k][i] == c
		}
		if equal {
			set |= 1 << i
		}
	}
	return set
}

// text returns the text of a statement. The parameters of the first row have the
// numbers of the columns, from 1.
func (s *inserter) text(x statement) string {
	var b strings.Builder
	b.WriteString(s.verb + s.relation.Name + " VALUES ")
	for k := range x.rows {
		if k > 0 {
			b.WriteByte(',')
		}
		for i := range s.relation.Columns {
			b.WriteByte("(,"[min(i, 1)])
			b.WriteByte('?')
			if k > 0 && x.shared>>i&1 != 0 {
				b.WriteString(strconv.Itoa(i + 1))
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}

// put inserts as many rows as one statement takes, and returns the others.
func (s *inserter) put(c driver.Conn, list [][]any) (rest [][]any, err error) {
	x := statement{rows: 1}
	for _, n := range sizes {
		if n <= len(list) && n > 1 {
			x = statement{n, same(list[:n])}
			break
		}
	}
	if s.known[x] == nil && len(s.known) >= maxStatements {
		x.shared = 0
	}
	stmt := s.known[x]
	if stmt == nil {
		if stmt, err = c.(driver.ConnPrepareContext).PrepareContext(context.Background(), s.text(x)); err != nil {
			return nil, err
		}
		s.known[x] = stmt
	}
	return list[x.rows:], s.exec(stmt, list[:x.rows], x.shared)
}

// exec runs one of the statements with the cells of rows.
func (s *inserter) exec(stmt driver.Stmt, list [][]any, shared columns) error {
	s.args = s.args[:0]
	for k, cells := range list {
		for i, c := range cells {
			if k == 0 || shared>>i&1 == 0 {
				s.args = append(s.args, driver.NamedValue{Ordinal: len(s.args) + 1, Value: c})
			}
		}
	}
	_, err := stmt.(driver.StmtExecContext).ExecContext(context.Background(), s.args)
	clear(s.args) // the memory of the rows
	return err
}

func (s *inserter) close() error {
	var err error
	for _, stmt := range s.known {
		err = errors.Join(err, stmt.Close())
	}
	return err
}

// TransactionBytes is about how much a transaction writes, and transactionTime how
// long it may take: a crash loses no more than that. Tests make the former smaller.
var TransactionBytes = 32 << 20

const transactionTime = time.Second

// ErrOptions is the error for a database whose rows were made with other options.
var ErrOptions = errors.New("the database was made with other options")

// ErrForeign is the error for a database that fleet has not made.
var ErrForeign = errors.New("not a database of fleet")

// model is the version of the tables. It grows when a relation changes.
const model = "3"

// pragmas say how the database is written. Rows are only ever added, so the journal
// of a transaction is short: it has the few pages that were there before. A log
// (WAL) would have every page once more. A scan that is killed leaves the journal,
// and whoever opens the database next undoes what was not complete. The journal is
// synchronized, so this also holds if the machine stops. Nobody else can read the
// database during a scan. Large pages have less space that no row fits into. The
// cache is small, because pages are seldom read again: memory that is used over and
// over is faster than new memory.
var pragmas = []string{"page_size=16384", "locking_mode=EXCLUSIVE", "journal_mode=TRUNCATE", "synchronous=FULL", "cache_size=-1024", "temp_store=MEMORY"}

// Open opens the database in a file, and makes the file if it does not exist. The options
// must be those with which it was made.
func Open(ctx context.Context, path string, o rows.Options, workspace string) (*DB, error) {
	_, err := os.Stat(path)
	fresh := errors.Is(err, os.ErrNotExist)
	db := &DB{insert: make(map[*rows.Relation]*inserter), known: make(map[string]*sql.Stmt), claimed: make(map[string]chan struct{})}
	if db.db, err = sql.Open("sqlite", uri(path, "rwc")); err != nil {
		return nil, err
	}
	db.db.SetMaxOpenConns(1)
	if db.conn, err = db.db.Conn(ctx); err == nil {
		err = db.prepare(ctx, fresh, fmt.Sprintf("%s reveal=%t keep-unmarked=%t workspace=%s", model, o.Reveal, o.KeepUnmarked, workspace))
	}
	if err != nil {
		db.db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return db, nil
}

// uri returns the name of a database for the driver.
func uri(path, mode string) string {
	path = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	return "file:" + path + "?mode=" + mode + "&_pragma=busy_timeout(5000)"
}

// exec runs a statement. The end of the context does not interrupt it: SQLite
// would roll back the whole transaction.
func (db *DB) exec(ctx context.Context, text string, args ...any) error {
	_, err := db.conn.ExecContext(context.WithoutCancel(ctx), text, args...)
	return err
}

// statement returns a statement that is kept.
func (db *DB) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if s := db.known[text]; s != nil {
		return s, nil
	}
	s, err := db.conn.PrepareContext(ctx, text)
	if err == nil {
		db.known[text] = s
	}
	return s, err
}

// often runs a statement that is kept, as exec runs one.
func (db *DB) often(ctx context.Context, text string, args ...any) (sql.Result, error) {
	ctx = context.WithoutCancel(ctx)
	s, err := db.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// first scans the first row of the result of a statement that is kept.
func (db *DB) first(ctx context.Context, text string, arg any, to ...any) error {
	ctx = context.WithoutCancel(ctx)
	s, err := db.statement(ctx, text)
	if err != nil {
		return err
	}
	return s.QueryRowContext(ctx, arg).Scan(to...)
}

func (db *DB) prepare(ctx context.Context, fresh bool, options string) error {
	for _, p := range pragmas {
		if err := db.exec(ctx, "PRAGMA "+p); err != nil {
			return err
		}
	}
	var n int
	if err := db.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n); err != nil {
		return err
	}
	if fresh || n == 0 {
		if err := db.exec(ctx, "BEGIN"); err != nil {
			return err
		}
		for _, text := range schema() {
			if err := db.exec(ctx, text); err != nil {
				return err
			}
		}
		if err := db.exec(ctx, "INSERT INTO _fleet VALUES (?)", options); err != nil {
			return err
		}
		if err := db.exec(ctx, "COMMIT"); err != nil {
			return err
		}
	}
	var was string
	if err := db.conn.QueryRowContext(ctx, "SELECT options FROM _fleet").Scan(&was); err != nil {
		return ErrForeign
	}
	if was != options {
		return fmt.Errorf("%w: %s, not %s", ErrOptions, was, options)
	}
	for _, r := range rows.Relations() {
		// A row that is refused ends the transaction. Without OR FAIL each statement
		// would keep what it takes to undo only its own rows.
		s := &inserter{relation: r, verb: "INSERT OR FAIL INTO ", known: make(map[statement]driver.Stmt)}
		if r == rows.Sources {
			s.verb = "INSERT OR REPLACE INTO "
		}
		db.insert[r] = s
	}
	return nil
}

// schema returns the statements that make the tables.
func schema() []string {
	types := map[rows.Type]string{rows.Text: "TEXT", rows.Int: "INTEGER", rows.Bool: "INTEGER", rows.Time: "TEXT", rows.JSON: "TEXT"}
	var list []string
	for _, r := range rows.Relations() {
		var b strings.Builder
		fmt.Fprintf(&b, "CREATE TABLE %s (\n", r.Name)
		for i, c := range r.Columns {
			fmt.Fprintf(&b, "  %s %s", c.Name, types[c.Type])
			if !c.Null {
				b.WriteString(" NOT NULL")
			}
			if i == 0 && (r == rows.Documents || r == rows.Sources) {
				b.WriteString(" PRIMARY KEY")
			}
			if i < len(r.Columns)-1 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, " -- %s\n", strings.ReplaceAll(c.About, "\n", " "))
		}
		b.WriteString(")")
		if r == rows.Documents || r == rows.Sources {
			b.WriteString(" WITHOUT ROWID")
		}
		list = append(list, b.String())
	}
	return append(list,
		`CREATE VIEW workspaces AS
  SELECT workspace, count(*) AS sources, count(DISTINCT document) AS documents, sum(bytes) AS bytes, min(modified) AS first_modified, max(modified) AS last_modified
  FROM sources GROUP BY workspace`,
		`CREATE INDEX _faults_place ON faults(place) WHERE place IS NOT NULL`,
		`CREATE INDEX _sources_workspace ON sources(workspace)`,
		`CREATE INDEX _sources_document ON sources(document)`,
		`CREATE INDEX _lock_entries_document ON lock_entries(document)`,
		`CREATE INDEX _providers_document ON providers(document)`,
		`CREATE TABLE _items (place TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified INTEGER NOT NULL) WITHOUT ROWID`,
		`CREATE TABLE _fleet (options TEXT NOT NULL)`)
}

// Seen reports whether an item was read before and has not changed since, going by
// its length and its time of modification.
func (db *DB) Seen(ctx context.Context, it source.Item) (bool, error) {
	if it.Modified.IsZero() {
		return false, nil
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	var bytes, modified int64
	err := db.first(ctx, "SELECT bytes, modified FROM _items WHERE place = ?", it.Place, &bytes, &modified)
	if err == sql.ErrNoRows {
		return false, nil
	}
	return err == nil && bytes == it.Bytes && modified == it.Modified.UnixNano(), err
}

// Begin removes the records of an item and of the members of an archive.
func (db *DB) Begin(ctx context.Context, it source.Item) error {
	return db.write(ctx, 0, func() error {
		for _, table := range []string{"sources", "faults", "_items"} {
			// The members have names after "!"; the next character is '"'.
			r, err := db.often(ctx, "DELETE FROM "+table+" WHERE place = ? OR place > ? AND place < ?", it.Place, it.Place+"!", it.Place+`"`)
			if err != nil {
				return err
			}
			if n, err := r.RowsAffected(); err == nil && n > 0 {
				db.removals = true
			}
		}
		return nil
	})
}

// Forgive removes the faults of places that could not be listed. Those that still cannot
// have them again.
func (db *DB) Forgive(ctx context.Context, places []string) error {
	return db.write(ctx, 0, func() error {
		for _, place := range places {
			for _, table := range []string{"sources", "faults"} {
				if _, err := db.often(ctx, "DELETE FROM "+table+" WHERE place = ? AND document IS NULL", place); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Done records that an item was read to its end.
func (db *DB) Done(ctx context.Context, it source.Item) error {
	return db.write(ctx, 0, func() error {
		_, err := db.often(ctx, "INSERT OR REPLACE INTO _items VALUES (?, ?, ?)", it.Place, it.Bytes, it.Modified.UnixNano())
		return err
	})
}

// Rows adds rows that belong to no document.
func (db *DB) Rows(ctx context.Context, list ...rows.Row) error {
	return db.write(ctx, 0, func() error { return db.whole(ctx, list) })
}

// whole inserts rows, all or none. If that fails, the transaction is undone and nothing
// more is written. So there is no savepoint, for which SQLite copies each page that
// a short document changes.
func (db *DB) whole(ctx context.Context, list []rows.Row) error {
	err := db.put(list)
	if err != nil {
		db.failed, db.open = err, time.Time{}
		_ = db.exec(ctx, "ROLLBACK") // it may have ended already
	}
	return err
}

// write calls f in a transaction, which may go on after it.
func (db *DB) write(ctx context.Context, bytes int, f func() error) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.begin(ctx); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	return db.written(ctx, bytes)
}

func (db *DB) begin(ctx context.Context) error {
	if db.failed != nil {
		return db.failed
	}
	if !db.open.IsZero() {
		return nil
	}
	if err := db.exec(ctx, "BEGIN"); err != nil {
		return err
	}
	db.open = time.Now()
	return nil
}

// written ends the transaction if it is large or old.
func (db *DB) written(ctx context.Context, bytes int) error {
	if db.bytes += bytes; db.bytes < TransactionBytes && time.Since(db.open) < transactionTime {
		return nil
	}
	return db.commit(ctx)
}

func (db *DB) commit(ctx context.Context) error {
	if db.open.IsZero() {
		return nil
	}
	db.open, db.bytes = time.Time{}, 0
	return db.exec(ctx, "COMMIT")
}

// put inserts rows. The end of a context does not stop it, as in exec.
func (db *DB) put(list []rows.Row) error {
	return db.conn.Raw(func(c any) error {
		for _, r := range list {
			p := db.insert[r.Relation]
			p.rows = append(p.rows, r.Cells)
		}
		var err error
		for _, p := range db.insert {
			for rest := p.rows; len(rest) > 0 && err == nil; {
				rest, err = p.put(c.(driver.Conn), rest)
			}
			clear(p.rows)
			p.rows = p.rows[:0]
		}
		return err
	})
}

// Claim says that the caller is about to read a document. It reports whether the
// document is in the inventory already, which may take until another one has read
// it. If not, the caller must call release when it is done.
func (db *DB) Claim(ctx context.Context, id string) (known bool, release func(), err error) {
	for {
		db.claims.Lock()
		other := db.claimed[id]
		if other == nil {
			db.claimed[id] = make(chan struct{})
		}
		db.claims.Unlock()
		if other == nil {
			break
		}
		select {
		case <-other:
		case <-ctx.Done():
			return false, nil, ctx.Err()
		}
	}
	release = func() {
		db.claims.Lock()
		close(db.claimed[id])
		delete(db.claimed, id)
		db.claims.Unlock()
	}
	db.mu.Lock()
	var n int
	err = db.first(ctx, "SELECT count(*) FROM documents WHERE document = ?", id, &n)
	db.mu.Unlock()
	if err != nil || n > 0 {
		release()
		return n > 0, nil, err
	}
	return false, release, nil
}

// Close commits what was written, removes documents that have no place any more,
// and closes the database, which is one file then.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	ctx := context.Background()
	err := db.commit(ctx)
	if err == nil && db.removals && db.failed == nil {
		err = db.sweep(ctx)
	}
	if err == nil {
		err = db.exec(ctx, "PRAGMA journal_mode=DELETE")
	}
	for _, s := range db.insert {
		err = errors.Join(err, s.close())
	}
	for _, s := range db.known {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, db.conn.Close(), db.db.Close())
}

// sweep removes the rows of documents that have no place any more.
func (db *DB) sweep(ctx context.Context) error {
	err := db.exec(ctx, "CREATE TEMP TABLE gone AS SELECT document FROM documents WHERE document NOT IN (SELECT document FROM sources WHERE document IS NOT NULL)")
	if err != nil {
		return err
	}
	var n int
	if err := db.conn.QueryRowContext(ctx, "SELECT count(*) FROM gone").Scan(&n); err != nil || n == 0 {
		return err
	}
	if err := db.exec(ctx, "BEGIN"); err != nil {
		return err
	}
	for _, r := range rows.Relations() {
		if r != rows.Sources {
			if err := db.exec(ctx, "DELETE FROM "+r.Name+" WHERE document IN (SELECT document FROM gone)"); err != nil {
				return err
			}
		}
	}
	return db.exec(ctx, "COMMIT")
}
