// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/ask"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/scan"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

var update = flag.Bool("update", false, "write the golden files and the tables of the README")

// TestMain is fleet itself if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("FLEET_TEST_MAIN") != "" {
		inventory.TransactionBytes = 100 << 10
		main()
	}
	os.Exit(m.Run())
}

// fleet runs a command.
func fleet(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// inventoryOf makes an inventory of the fleet in testdata, whose files all have
// the same time.
func inventoryOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	when := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	if err := os.CopyFS(filepath.Join(dir, "fleet"), os.DirFS("testdata/fleet")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	status, stdout, stderr := fleet(t, "scan", "-out", "inventory.db", "fleet")
	if status != exitFaults || stdout != "inventory.db: 9 documents read, 1 known, 1 files ignored, 1 with faults\n" ||
		!strings.HasPrefix(stderr, "fleet scan: fleet/") || !strings.HasSuffix(stderr, "\nfleet scan: 1 documents or places have faults: fleet ask inventory.db faults\n") {
		t.Fatalf("%d\n%s%s", status, stdout, stderr)
	}
	return filepath.Join(dir, "inventory.db")
}

func golden(t *testing.T, dir, name, got string) {
	t.Helper()
	name = filepath.Join(dir, "testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestQueries asks every question of a small fleet.
func TestQueries(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	db := inventoryOf(t)
	arguments := map[string][]string{
		"providers-below": {"hashicorp/aws", "5.2.0"}, "provider-versions": {"hashicorp/aws"}, "states-using": {"registry.opentofu.org/hashicorp/aws"},
		"module-users": {"vpc"}, "resources-without-tag": {"Owner"}, "destroys-of-type": {"aws_db_instance", "2026-01-01"}, "stale": {"2026-12-01"},
	}
	var all strings.Builder
	for _, q := range ask.Questions() {
		status, stdout, stderr := fleet(t, append([]string{"ask", db, q.Name}, arguments[q.Name]...)...)
		if status != exitOK || stderr != "" {
			t.Errorf("%s: %d %s", q.Name, status, stderr)
		}
		if strings.Count(stdout, "\n") < 2 && q.Name != "deposed" {
			t.Errorf("%s: the fleet has no answer to it", q.Name)
		}
		fmt.Fprintf(&all, "$ fleet ask inventory.db %s\n%s\n", strings.Join(append([]string{q.Name}, arguments[q.Name]...), " "), stdout)
	}
	if len(ask.Questions()) < 20 {
		t.Errorf("%d questions", len(ask.Questions()))
	}
	golden(t, here, "questions.txt", all.String())
	_, stdout, _ := fleet(t, "ask", db)
	for _, q := range ask.Questions() {
		if !strings.Contains(stdout, q.Name) {
			t.Errorf("the list lacks %s", q.Name)
		}
	}
}

func TestFormats(t *testing.T) {
	db := inventoryOf(t)
	const query = `SELECT 1 AS n, 'a "b", c
d' AS text, NULL AS absent, 1.5 AS f, char(27) || '[31m' AS x UNION ALL SELECT 20, 'é', 'x', 0, ''`
	_, text, _ := fleet(t, "query", db, query)
	if !strings.HasPrefix(text, "n   text         absent  f    x\n1   a \"b\", c\\nd  -       1.5  ") || strings.Contains(text, "\x1b") || strings.Count(text, "\n") != 3 {
		t.Errorf("text:\n%s%q", text, text)
	}
	_, out, _ := fleet(t, "query", "-format", "csv", db, query)
	records, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(records) != 3 || records[1][1] != "a \"b\", c\nd" || records[1][2] != "" || records[1][3] != "1.5" {
		t.Errorf("csv: %v %q", err, out)
	}
	_, out, _ = fleet(t, "query", "-format", "json", db, query)
	var objects []map[string]any
	if err := json.Unmarshal([]byte(out), &objects); err != nil || len(objects) != 2 || objects[0]["n"] != 1.0 || objects[0]["absent"] != nil || objects[1]["text"] != "é" || !strings.HasPrefix(out, "[\n {\"n\":1,\"text\":") {
		t.Errorf("json: %v\n%s", err, out)
	}
	if _, out, _ = fleet(t, "query", "-format", "json", db, "SELECT 1 WHERE 0"); out != "[]\n" {
		t.Errorf("no rows: %q", out)
	}
}

// TestReadOnly tries to change an inventory with queries.
func TestReadOnly(t *testing.T) {
	db := inventoryOf(t)
	before, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"DELETE FROM documents", "CREATE TABLE x (y)", "PRAGMA query_only=0; DELETE FROM documents", "DROP TABLE sources", "ATTACH 'other.db' AS o", "ATTACH 'other.db' AS o; CREATE TABLE o.x (y)", "VACUUM INTO 'other.db'"} {
		if status, _, stderr := fleet(t, "query", db, query); status != exitUsage || stderr == "" {
			t.Errorf("%s: %d %s", query, status, stderr)
		}
	}
	after, err := os.ReadFile(db)
	if err != nil || !bytes.Equal(before, after) {
		t.Error("the inventory has changed", err)
	}
	if _, err := os.Stat("other.db"); err == nil {
		t.Error("a query has made a database")
	}
}

func TestFunctions(t *testing.T) {
	db := inventoryOf(t)
	ordered := []string{"0.9.10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.2.0", "1.10.0", "10.0.0", "123456789012345678901.0.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			query := fmt.Sprintf("SELECT version_compare('%s', '%s') || ' ' || ((version_key('%[1]s') > version_key('%[2]s')) - (version_key('%[1]s') < version_key('%[2]s'))) AS x", a, b)
			sign := 0
			if i < j {
				sign = -1
			} else if i > j {
				sign = 1
			}
			if _, out, stderr := fleet(t, "query", "-format", "csv", db, query); out != fmt.Sprintf("x\n%d %[1]d\n", sign) {
				t.Errorf("%s and %s: %q %s", a, b, out, stderr)
			}
		}
	}
	for query, want := range map[string]string{
		"version_compare('x', '1.0.0')":           "",
		"version_compare(NULL, '1.0.0')":          "",
		"version_allowed('>= 1.0, < 2', '1.5.0')": "1",
		"version_allowed('>= 1.0, < 2', '2.0.0')": "0",
		"version_allowed('nonsense', '2.0.0')":    "",
		"(SELECT version_max(v) FROM (SELECT '1.9.0' AS v UNION SELECT '1.10.0' UNION SELECT 'bad'))": "1.10.0",
		"(SELECT version_min(v) FROM (SELECT '1.9.0' AS v UNION SELECT '1.10.0' UNION SELECT NULL))":  "1.9.0",
		"(SELECT version_min(v) FROM (SELECT 'x' AS v))":                                              "",
	} {
		if _, out, stderr := fleet(t, "query", "-format", "csv", db, "SELECT "+query+" AS x, 1 AS y"); out != "x,y\n"+want+",1\n" {
			t.Errorf("%s: %q %s", query, out, stderr)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("text", []byte("no database at all"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", "")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "usage: fleet scan"},
		{[]string{"nonsense"}, "usage: fleet scan"},
		{[]string{"scan"}, "usage: fleet scan"},
		{[]string{"scan", "-nonsense"}, "not defined: -nonsense"},
		{[]string{"scan", "-workspace", "(", "x"}, "missing closing"},
		{[]string{"scan", "-workspace", "x", "x"}, "must be folder, key, a pattern with *"},
		{[]string{"scan", "-workspace", "(?:x)", "x"}, "has no group"},
		{[]string{"scan", "-passphrase-file", "none", "x"}, "none"},
		{[]string{"scan", "-passphrase-file", "a", "-config", "b", "x"}, "cannot be combined"},
		{[]string{"scan", "-list", "none", "x"}, "no such file"},
		{[]string{"scan", "-out", "text", "x"}, "text: "},
		{[]string{"scan", "-out", "no/such/dir/x.db", "x"}, "no/such/dir/x.db: "},
		{[]string{"query", "none.db", "SELECT 1"}, "no such file"},
		{[]string{"query", "text", "SELECT 1"}, "not a database of fleet"},
		{[]string{"query", "text"}, "usage: fleet query"},
		{[]string{"query", "-format", "xml", "text", "SELECT 1"}, `unknown format "xml"`},
		{[]string{"ask", "text", "nonsense"}, `unknown question "nonsense"`},
		{[]string{"ask", "text", "providers-below", "hashicorp/aws"}, "usage: fleet ask DATABASE providers-below PROVIDER VERSION"},
		{[]string{"ask", "text", "providers-below", "hashicorp/aws", "x"}, `VERSION "x"`},
		{[]string{"ask", "text", "providers-below", "a/b/c/d", "1.0.0"}, `PROVIDER "a/b/c/d"`},
		{[]string{"ask", "text", "slowest-types", "0"}, "must be positive"},
		{[]string{"ask", "text", "stale", "soon"}, `DATE "soon"`},
		{[]string{"ask", "text", "providers"}, "not a database of fleet"},
		{[]string{"beam", "-h"}, "go build -C cmd/fleet/beam"},
	} {
		status, stdout, stderr := fleet(t, tt.args...)
		if status != exitUsage || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: %d %q %q", tt.args, status, stdout, stderr)
		}
	}
	for _, args := range [][]string{{"-h"}, {"help"}, {"scan", "-h"}, {"query", "-help"}} {
		if status, _, stderr := fleet(t, args...); status != exitOK || !strings.Contains(stderr, "usage: fleet") {
			t.Errorf("%q: %d %q", args, status, stderr)
		}
	}
}

func TestList(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("state.json", []byte(`{"format_version":"1.0"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := run(context.Background(), []string{"scan", "-out", "x.db", "-list", "-"}, strings.NewReader("state.json\n"), &out, &errs)
	if status != exitOK || out.String() != "x.db: 1 documents read\n" {
		t.Errorf("%d %s%s", status, &out, &errs)
	}
}

// TestKill kills scans in the middle, and then lets one end. The sample has
// fewer documents and kills.
func TestKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	documents, kills, more := depth.Of(60, 300, 300), depth.Of(3, 1000, 1000), int64(1<<20)
	for i := range documents {
		name := fmt.Sprintf("ws/%d/state.json", i)
		text := fmt.Sprintf(`{"format_version":"1.0","terraform_version":"1.0.%d","values":{"root_module":{"resources":[%s]}}}`, i,
			strings.TrimSuffix(strings.Repeat(`{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"x":"`+strings.Repeat("y", 300)+`"},"sensitive_values":{}},`, 200), ","))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	count := func() int64 {
		db, err := inventory.OpenReadOnly(ctx, "killed.db")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var n int64
		if err := db.QueryRow("SELECT count(*) FROM documents").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	size := func() int64 {
		info, err := os.Stat("killed.db")
		if err != nil {
			return 0
		}
		return info.Size()
	}
	killed, partly, undone := 0, 0, 0
	for have := int64(0); killed < kills; {
		c := exec.Command(self, "scan", "-out", "killed.db", "ws")
		c.Env = append(os.Environ(), "FLEET_TEST_MAIN=1")
		before := size()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		// It is killed when it has written something more.
		for wait := true; wait; {
			select {
			case err := <-ended:
				ended <- err
				wait = false
			case <-time.After(time.Millisecond):
				wait = size() < before+more
			}
		}
		c.Process.Kill()
		if err := <-ended; err == nil {
			break
		}
		killed++
		if info, err := os.Stat("killed.db-journal"); err == nil && info.Size() > 0 {
			undone++
		}
		n := count()
		if n < have {
			t.Fatalf("%d documents are in the inventory after a kill, and there were %d before", n, have)
		}
		if n > have && n < int64(documents) {
			partly++
		}
		have = n
	}
	if partly == 0 {
		t.Errorf("%d scans were killed, none with a part of the documents", killed)
	}
	if status, _, stderr := fleet(t, "scan", "-out", "killed.db", "ws"); status != exitOK {
		t.Fatal(stderr)
	}
	if status, _, stderr := fleet(t, "scan", "-out", "whole.db", "ws"); status != exitOK {
		t.Fatal(stderr)
	}
	got, err := inventory.Dump(ctx, "killed.db")
	if err != nil {
		t.Fatal(err)
	}
	want, err := inventory.Dump(ctx, "whole.db")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after %d kills:\n%.2000s", killed, diff)
	}
	t.Logf("%d kills, %d with a part of the documents, %d in a transaction", killed, partly, undone)
}

func TestBar(t *testing.T) {
	n, total := new(scan.Counts), new(scan.Total)
	n.Documents.Store(7)
	n.Bytes.Store(50e6)
	if got, want := bar(80, n, total, 10*time.Second), "7 documents read, 5.0 MB/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	total.Bytes.Store(100e6)
	total.Complete.Store(true)
	if got, want := bar(80, n, total, 10*time.Second), "[##########..........]  50%  7 documents read, 5.0 MB/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := bar(30, n, total, time.Second); len(got) != 30 {
		t.Errorf("%q", got)
	}
}

// TestREADME compares the tables of the README with the model and the questions.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // as git may check it out
	var model strings.Builder
	for _, r := range rows.Relations() {
		fmt.Fprintf(&model, "\n### %s\n\n%s\n\n| column | type | |\n|---|---|---|\n", r.Name, r.About)
		for _, c := range r.Columns {
			typ := c.Type.String()
			if c.Null {
				typ += ", null"
			}
			fmt.Fprintf(&model, "| `%s` | %s | %s |\n", c.Name, typ, c.About)
		}
	}
	questions := "\n| question | answer |\n|---|---|\n"
	for _, q := range ask.Questions() {
		questions += fmt.Sprintf("| `%s` | %s |\n", join(q.Name, q.Args), q.About)
	}
	got := string(text)
	for name, want := range map[string]string{"model": model.String() + "\n", "questions": questions + "\n"} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
		before, rest, ok := strings.Cut(got, begin)
		is, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("the README has no place for the %s", name)
		}
		if is != want && !*update {
			t.Errorf("the %s of the README are old: go test -run TestREADME -update", name)
		}
		got = before + begin + want + end + after
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
