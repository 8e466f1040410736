// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package scan_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "gocloud.dev/blob/fileblob"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/scan"
)

// tree makes a directory of workspaces, each with a state, a plan and a lock file,
// and goes there.
func tree(t *testing.T, workspaces int) {
	t.Helper()
	t.Chdir(t.TempDir())
	for i := range workspaces {
		write(t, fmt.Sprintf("ws/%03d/state.json", i), state(i, 3))
		write(t, fmt.Sprintf("ws/%03d/plan.json", i), fmt.Sprintf(`{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"p","change":{"actions":["delete"],"before":{"n":%d},"after":null}}],"configuration":{"root_module":{}}}`, i))
		write(t, fmt.Sprintf("ws/%03d/.terraform.lock.hcl", i), fmt.Sprintf("provider \"registry.opentofu.org/x/a\" {\n  version = \"1.%d.0\"\n}\n", i%3))
	}
}

func state(i, resources int) string {
	var b strings.Builder
	fmt.Fprint(&b, `{"format_version":"1.0","values":{"root_module":{"resources":[`)
	for j := range resources {
		if j > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"address":"a_b.c[%d]","mode":"managed","type":"a_b","name":"c","index":%[1]d,"provider_name":"registry.opentofu.org/x/a","schema_version":0,"values":{"n":%d},"sensitive_values":{}}`, j, i)
	}
	fmt.Fprint(&b, `]}}}`)
	return b.String()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run scans places into a database.
func run(t *testing.T, ctx context.Context, name string, o scan.Options, places ...string) (*scan.Counts, error) {
	t.Helper()
	db, err := inventory.Open(context.Background(), name, o.Rows, "")
	if err != nil {
		t.Fatal(err)
	}
	n := new(scan.Counts)
	if o.Workers == 0 {
		o.Workers = 3
	}
	err = scan.Run(ctx, db, places, o, n)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name + "-journal"); err == nil {
		t.Error("the database is more than one file")
	}
	return n, err
}

// dump returns all rows of a database, sorted.
func dump(t *testing.T, name string) []string {
	t.Helper()
	list, err := inventory.Dump(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestResume(t *testing.T) {
	tree(t, 20)
	ctx := context.Background()
	n, err := run(t, ctx, "all.db", scan.Options{}, "ws")
	// There are three different lock files.
	if err != nil || n.Documents.Load() != 43 || n.Known.Load() != 17 || n.Faults.Load() != 0 {
		t.Fatalf("%v: %d documents, %d known", err, n.Documents.Load(), n.Known.Load())
	}
	all := dump(t, "all.db")
	if got := len(all); got != 60+43+20*(1+3+1+1)+20+3 {
		t.Errorf("%d rows", got)
	}
	n, err = run(t, ctx, "all.db", scan.Options{}, "ws")
	if err != nil || n.Documents.Load() != 0 || n.Known.Load() != 0 || n.Unchanged.Load() != 60 {
		t.Errorf("%v: %d documents read again, %d unchanged", err, n.Documents.Load(), n.Unchanged.Load())
	}
	n, err = run(t, ctx, "all.db", scan.Options{Rehash: true}, "ws")
	if err != nil || n.Documents.Load() != 0 || n.Known.Load() != 60 {
		t.Errorf("%v: %d documents read again, %d known", err, n.Documents.Load(), n.Known.Load())
	}
	if diff := cmp.Diff(all, dump(t, "all.db")); diff != "" {
		t.Error("scanning again changes rows:", diff)
	}
	// One worker gives the same rows.
	if _, err := run(t, ctx, "one.db", scan.Options{Workers: 1}, "ws"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all, dump(t, "one.db")); diff != "" {
		t.Error(diff)
	}
	// The options must be the same.
	if _, err := inventory.Open(ctx, "all.db", rows.Options{Reveal: true}, ""); !errors.Is(err, inventory.ErrOptions) {
		t.Error(err)
	}
}

// TestCancel stops scans at many points. Each leaves a database with whole documents
// only, and the last one has what a single scan has.
func TestCancel(t *testing.T) {
	tree(t, 40)
	write(t, "ws/big/state.json", state(7, 8000)) // more than a batch
	if _, err := run(t, context.Background(), "want.db", scan.Options{}, "ws"); err != nil {
		t.Fatal(err)
	}
	want := dump(t, "want.db")
	cancelled := 0
	for after := time.Millisecond; ; after += after / 2 {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		_, err := run(t, ctx, "some.db", scan.Options{}, "ws")
		cancel()
		got := dump(t, "some.db")
		if err == nil {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			break
		}
		if cancelled++; !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		whole(t, got, want)
	}
	if cancelled == 0 {
		t.Error("no scan was cancelled")
	}
}

// whole checks that the documents of an inventory have all their rows.
func whole(t *testing.T, got, want []string) {
	t.Helper()
	done := make(map[string]bool)
	of := func(line string) (relation, document string) {
		fields := strings.SplitN(strings.Trim(line, "[]\n"), ",", 4)
		return fields[0], fields[1]
	}
	for _, line := range got {
		if relation, document := of(line); relation == `"documents"` {
			done[document] = true
		}
	}
	part := slices.DeleteFunc(slices.Clone(want), func(line string) bool {
		relation, document := of(line)
		return relation == `"sources"` || !done[document]
	})
	have := slices.DeleteFunc(slices.Clone(got), func(line string) bool { relation, _ := of(line); return relation == `"sources"` })
	if !slices.Equal(part, have) {
		t.Fatalf("%d rows of %d whole documents, want %d", len(have), len(done), len(part))
	}
}

// TestScanAfterChanges scans again after files have changed.
func TestScanAfterChanges(t *testing.T) {
	tree(t, 3)
	ctx := context.Background()
	if _, err := run(t, ctx, "a.db", scan.Options{}, "ws"); err != nil {
		t.Fatal(err)
	}
	write(t, "ws/001/state.json", state(99, 5))
	write(t, "ws/002/plan.json", "{")
	later := time.Now().Add(time.Hour)
	for _, name := range []string{"ws/001/state.json", "ws/002/plan.json"} {
		if err := os.Chtimes(name, later, later); err != nil {
			t.Fatal(err)
		}
	}
	n, err := run(t, ctx, "a.db", scan.Options{}, "ws")
	if err != nil || n.Documents.Load() != 1 || n.Ignored.Load() != 1 || n.Unchanged.Load() != 7 {
		t.Errorf("%v: %d read, %d ignored, %d unchanged", err, n.Documents.Load(), n.Ignored.Load(), n.Unchanged.Load())
	}
	if _, err := run(t, ctx, "b.db", scan.Options{}, "ws"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump(t, "b.db"), dump(t, "a.db")); diff != "" {
		t.Error("not as a new scan:", diff)
	}
}

// TestFaults has bad documents among good ones.
func TestFaults(t *testing.T) {
	tree(t, 2)
	good := state(1, 8000)
	write(t, "ws/bad/late.json", strings.TrimSuffix(good, "}")) // its rows do not fit into a batch
	write(t, "ws/bad/early.json", `{"format_version":"1.0","values":{"root_module":{"resources":[5]}}}`)
	write(t, "ws/bad/copy.json", `{"format_version":"1.0","values":{"root_module":{"resources":[5]}}}`)
	write(t, "ws/bad/a.tar", "no archive, but long enough to be read as one"+strings.Repeat(".", 600))
	write(t, "ws/bad/README.md", "# Read me\n")
	write(t, "notes.md", "# Notes\n")
	for _, o := range []rows.Options{{}, {Reveal: true}} {
		name := fmt.Sprintf("%t.db", o.Reveal)
		n, err := run(t, context.Background(), name, scan.Options{Rows: o}, "ws", "none.json", "notes.md")
		if err != nil || n.Faults.Load() != 5 || n.Ignored.Load() != 1 {
			t.Errorf("%v: %d faults, %d ignored", err, n.Faults.Load(), n.Ignored.Load())
		}
		var faults []string
		instances := 0
		for _, line := range dump(t, name) {
			if strings.HasPrefix(line, `["faults"`) {
				faults = append(faults, line)
			}
			if strings.HasPrefix(line, `["instances"`) {
				instances++
			}
		}
		if len(faults) != 5 || instances != 2*3 {
			t.Errorf("%d instances, faults %s", instances, faults)
		}
		for _, want := range []string{
			`["faults","none.json",null,null,null,null,null,"no such file or directory"]`,
			`"ws/bad/a.tar",null,`, `"notes.md",null`,
			fmt.Sprintf(`,%d,1,%d,`, len(good)-1, len(good)), `,62,1,63,`,
		} {
			if !strings.Contains(strings.Join(faults, ""), want) {
				t.Errorf("reveal %t: no fault %s in\n%s", o.Reveal, want, strings.Join(faults, ""))
			}
		}
		// The second time, only their places are read again.
		n, err = run(t, context.Background(), name, scan.Options{Rows: o}, "ws", "none.json", "notes.md")
		if err != nil || n.Documents.Load() != 0 || n.Faults.Load() != 3 {
			t.Errorf("%v: %d documents read again, %d faults", err, n.Documents.Load(), n.Faults.Load())
		}
	}
}

func TestWorkspaces(t *testing.T) {
	for _, tt := range []struct{ how, place, want string }{
		{"", "state.json", "."},
		{"", "a/b/state.json", "a/b"},
		{"folder", "/state.json", "/"},
		{"", "x.tgz!state.json", "x.tgz!"},
		{"", "d/x.tgz!prod/net/state.json", "d/x.tgz!prod/net"},
		{"", "s3://bucket/prod/state.json", "s3://bucket/prod"},
		{"folder", "s3://bucket/x.zip!a/b.json", "s3://bucket/x.zip!a"},

		{`runs/([^/]+)/`, "runs/prod/2026/plan.json", "prod"},
		{`runs/([^/]+)/`, "other/prod/plan.json", "other/prod"},
		{`runs/([^/]+)/([^/]+)/`, "runs/prod/2026/plan.json", "prod"},

		{"states/*.json", "all/states/net.json", "net"},
		{"states/*.json", "states/app.json", "app"},
		{"states/*.json", "x.tgz!states/app.json", "app"},
		{"states/*.json", "my-states/app.json", "my-states"},
		{"states/*.json", "states/a/b.json", "states/a"},
		{"states/*.json", "states/app.json.gz", "states"},
		{"*/*/plan.json", "s3://bucket/prod/net/plan.json", "prod/net"},
		{"/*-*.tfstate", "a/net-prod.tfstate", "net/prod"},
		{"*.json", "a.b.json", "a.b"},

		{"key", "states/net.json", "states/net"},
		{"key", "s3://bucket/prod/net.tfstate", "s3://bucket/prod/net"},
		{"key", "s3://bucket/prod/net/terraform.tfstate", "s3://bucket/prod/net"},
		{"key", "s3://bucket/env:/dev/prod/net.tfstate", "s3://bucket/env:/dev/prod/net"},
		{"key", "gs://bucket/prefix/default.tfstate", "gs://bucket/prefix"},
		{"key", "azblob://container/prod.tfstateenv:dev", "azblob://container/prod.tfstateenv:dev"},
		{"key", "terraform.tfstate.d/dev/terraform.tfstate", "terraform.tfstate.d/dev"},
		{"key", "prod/net/.terraform.lock.hcl", "prod/net"},
		{"key", "prod/net/main.tf", "prod/net"},
		{"key", "backup.tar.gz!states/net.json.gz", "backup.tar.gz!states/net"},
		{"key", "backup.tar.gz!net.json", "backup.tar.gz!net"},
		{"key", "a/.json", "a"},
	} {
		w, err := scan.ParseWorkspaces(tt.how)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Of(tt.place); got != tt.want {
			t.Errorf("%s: %s: %s, want %s", tt.how, tt.place, got, tt.want)
		}
	}
	for _, bad := range []string{"(", "x", "keys", "x(?:y)"} {
		if _, err := scan.ParseWorkspaces(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// TestBucket cuts off scans of a bucket at many points, and takes the bucket away: each
// scan goes on where the one before ended, no object is read twice, and no fault stays.
func TestBucket(t *testing.T) {
	tree(t, 20)
	dir, err := filepath.Abs("ws")
	if err != nil {
		t.Fatal(err)
	}
	place := "file://" + filepath.ToSlash(dir)
	if n, err := run(t, context.Background(), "want.db", scan.Options{}, place); err != nil || n.Documents.Load() != 43 {
		t.Fatalf("%v: %d documents", err, n.Documents.Load())
	}
	if err := os.Rename("ws", "gone"); err != nil {
		t.Fatal(err)
	}
	if n, err := run(t, context.Background(), "some.db", scan.Options{}, place); err != nil || n.Faults.Load() != 1 {
		t.Fatalf("%v: %d faults without the bucket", err, n.Faults.Load())
	}
	if err := os.Rename("gone", "ws"); err != nil {
		t.Fatal(err)
	}
	cut, read := 0, int64(0)
	for after := int64(3); ; after += 3 {
		ctx, cancel := context.WithCancel(context.Background())
		n := new(scan.Counts)
		db, err := inventory.Open(ctx, "some.db", rows.Options{}, "")
		if err != nil {
			t.Fatal(err)
		}
		go func() { // pulls the plug
			for n.Items.Load() < after && ctx.Err() == nil {
				time.Sleep(50 * time.Microsecond)
			}
			cancel()
		}()
		err = scan.Run(ctx, db, []string{place}, scan.Options{Workers: 1}, n)
		cancel()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if read += n.Documents.Load(); err == nil {
			break
		}
		if cut++; !errors.Is(err, context.Canceled) || n.Faults.Load() != 0 {
			t.Fatalf("%v, %d faults", err, n.Faults.Load())
		}
		if have := n.Unchanged.Load(); after > 20 && have == 0 {
			t.Error("a scan begins anew")
		}
	}
	if diff := cmp.Diff(dump(t, "want.db"), dump(t, "some.db")); diff != "" {
		t.Error(diff)
	}
	if cut == 0 || read != 43 {
		t.Errorf("%d scans were cut off, %d documents read in all", cut, read)
	}
}
