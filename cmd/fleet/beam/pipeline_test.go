// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/columns"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/scan"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/unseal"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// TestSameRows runs the pipeline on prism and compares its rows with those of a
// scan, byte for byte.
func TestSameRows(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	encrypted := root + "/planjson/statefile/testdata/encrypted"
	places := []string{root + "/cmd/fleet/testdata/fleet", encrypted + "/chain.tfstate", encrypted + "/json.tfstate", "raw.tfstate"}
	open, err := unseal.New("", encrypted+"/chain.hcl")
	if err != nil {
		t.Fatal(err)
	}
	workspaces, err := scan.ParseWorkspaces("key")
	if err != nil {
		t.Fatal(err)
	}
	if depth.IsFull() {
		places = append(places, root+"/planjson/testdata/tofu-1.12.6", root+"/uijson/testdata/tofu-1.12.6", root+"/lockfile/testdata", root+"/hclconfig/testdata/broken")
	}
	t.Chdir(t.TempDir())
	places = append(places, "none.json", "file://"+root+"/cmd/fleet/testdata/fleet/dev", "bad.tar", "notes.txt", "no*.json")
	for name, text := range map[string]string{"bad.tar": strings.Repeat("x", 600), "notes.txt": "notes", "raw.tfstate": raw} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	for _, o := range []rows.Options{{Decrypt: open}, {Decrypt: open, Reveal: true}} {
		name := "redacted"
		if o.Reveal {
			name = "revealed"
		}
		db, err := inventory.Open(ctx, name+".db", o, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := scan.Run(ctx, db, places, scan.Options{Rows: o, Workers: 2, Workspace: workspaces}, new(scan.Counts)); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		want, err := inventory.Dump(ctx, name+".db")
		if err != nil {
			t.Fatal(err)
		}
		out := name
		if o.Reveal { // into a bucket
			out = "file://" + filepath.ToSlash(must(filepath.Abs(name)))
			if err := os.Mkdir(name, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		p, s := beam.NewPipelineWithRoot()
		pipeline(s, places, readFn{Reveal: o.Reveal, Workspace: "key", Config: encrypted + "/chain.hcl", Shards: 3}, out)
		if _, err := beam.Run(ctx, "prism", p); err != nil {
			t.Fatal(err)
		}
		got, files := read(t, name)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-scan +pipeline):\n%.3000s", name, diff)
		}
		if len(got) < 50 || files < 20 {
			t.Errorf("%d rows in %d files", len(got), files)
		}
	}
}

// raw is a state as the tools save it.
const raw = `{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{"o":{"value":"v","type":"string"}},"resources":[{"mode":"managed","type":"a","name":"b",` +
	`"provider":"provider[\"registry.terraform.io/hashicorp/a\"]","instances":[{"schema_version":0,"attributes":{"id":"x"},"sensitive_attributes":[]}]}],"check_results":null}`

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// read returns the rows of all files in a directory as sorted text.
func read(t *testing.T, dir string) (lines []string, files int) {
	t.Helper()
	for _, r := range rows.Relations() {
		names, err := fs.Glob(os.DirFS(dir), r.Name+"-?????-of-?????.parquet")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			f, err := os.Open(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			files++
			err = columns.Read(f, info.Size(), r, func(row rows.Row) error {
				lines = append(lines, string(row.AppendText(nil)))
				return nil
			})
			f.Close()
			if err != nil {
				t.Fatal(name, err)
			}
		}
	}
	slices.Sort(lines)
	return lines, files
}

// TestFirstPlace has a document with two places, and rows about places.
func TestFirstPlace(t *testing.T) {
	row := func(text string) string {
		return `["drift","D",` + text + `,"a",null,"m","t","n",null,null,null,"update"]`
	}
	lines := []string{
		"\x00p\x00" + `["sources","p",null,"w",null,0,null,null]`, "\x00q\x00" + `["sources","q",null,"w",null,0,null,null]`,
		"D\x00p\x00" + row("1"), "D\x00p\x00" + row("1"), "D\x00p\x00" + row("2"), "D\x00q\x00" + row("1"), "D\x00q\x00" + row("1"), "D\x00q\x00" + row("2"), "E\x00q\x00" + row("1"),
	}
	n := 0
	if err := first(lines, func(rows.Row) error { n++; return nil }); err != nil || n != 6 {
		t.Errorf("%d rows: %v", n, err)
	}
	for _, bad := range []string{"x", "D\x00p\x00[]", "D\x00p\x00[\"drift\"]", "D\x00p\x00no"} {
		if err := first([]string{bad}, func(rows.Row) error { return nil }); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
