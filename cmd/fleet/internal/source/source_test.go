// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/memblob"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
)

// found reads all documents of places. It returns the place and the text of each,
// and the faults.
func found(t *testing.T, limit source.Limit, places ...string) (documents, faults []string) {
	t.Helper()
	ctx := context.Background()
	fault := func(place string, err error) error {
		faults = append(faults, place+": "+err.Error())
		return nil
	}
	err := source.List(ctx, places, func(it source.Item) error {
		err := it.Documents(ctx, limit, func(f source.Found) error {
			for range 2 { // it can be read again
				if _, err := f.Content.Seek(0, io.SeekStart); err != nil {
					return err
				}
				text, err := io.ReadAll(f.Content)
				if err != nil {
					return err
				}
				documents = append(documents, f.Place+" "+f.Name[strings.LastIndexAny(f.Name, "/!")+1:]+" "+string(text))
			}
			if n := len(documents); documents[n-1] != documents[n-2] {
				t.Errorf("the second time it is %q, not %q", documents[n-1], documents[n-2])
			}
			documents = documents[:len(documents)-1]
			return nil
		}, fault)
		if err != nil {
			return fault(it.Place, err)
		}
		return nil
	}, fault)
	if err != nil {
		t.Fatal(err)
	}
	return documents, faults
}

// chdir makes a directory with files and goes there.
func chdir(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func tarOf(files ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644, Typeflag: tar.TypeReg})
		io.WriteString(w, files[i+1])
	}
	w.WriteHeader(&tar.Header{Name: "link", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink})
	w.Close()
	return b.String()
}

func gzipOf(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func zipOf(files ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, _ := w.Create(files[i])
		io.WriteString(f, files[i+1])
	}
	w.Close()
	return b.String()
}

func TestPlaces(t *testing.T) {
	tape := tarOf("ws/a.json", "A", "../../up.json", "UP", "ws/.terraform/x.json", "no", "b.json.gz", gzipOf("B"))
	chdir(t, map[string]string{
		"d/plan.json": "P", "d/sub/state.json": "S", "d/.git/config": "no", "d/.terraform/modules/m/main.tf": "no", "e1.json": "1", "e2.json": "2", "brackets[1].json": "B",
		"t.tar": tape, "t.tgz": gzipOf(tape), "t.tar.gz": gzipOf(tape), "z.zip": zipOf("dir/", "", "dir/in.json", "Z", "nested.tar", tape), "one.json.gz": gzipOf("ONE"), "empty.json": "",
	})
	if err := os.Symlink("e1.json", "d/link.json"); err != nil {
		t.Log(err)
	}
	inTape := func(archive string) []string {
		return []string{archive + "!ws/a.json a.json A", archive + "!up.json up.json UP", archive + "!b.json.gz b.json B"}
	}
	for _, tt := range []struct {
		place  string
		want   []string
		faults []string
	}{
		{"e1.json", []string{"e1.json e1.json 1"}, nil},
		{"empty.json", []string{"empty.json empty.json "}, nil},
		{"d", []string{"d/plan.json plan.json P", "d/sub/state.json state.json S"}, nil},
		{"e*.json", []string{"e1.json e1.json 1", "e2.json e2.json 2", "empty.json empty.json "}, nil},
		{"brackets[1].json", []string{"brackets[1].json brackets[1].json B"}, nil},
		{"t.tar", inTape("t.tar"), nil},
		{"t.tgz", inTape("t.tgz"), nil},
		{"t.tar.gz", inTape("t.tar.gz"), nil},
		{"z.zip", append([]string{"z.zip!dir/in.json in.json Z"}, inTape("z.zip!nested.tar")...), nil},
		{"one.json.gz", []string{"one.json.gz one.json ONE"}, nil},
		{"none.json", nil, []string{"none.json: stat none.json: no such file or directory"}},
		{"none*.json", nil, []string{"none*.json: no file matches"}},
		{"[", nil, []string{"[: syntax error in pattern"}},
		{"nosuch://bucket/x", nil, []string{`nosuch://bucket/x: open blob.Bucket: no driver registered for "nosuch" for URL "nosuch://bucket"; available schemes: file, mem, test`}},
	} {
		documents, faults := found(t, source.Limit{}, tt.place)
		if diff := cmp.Diff(tt.want, documents); diff != "" {
			t.Errorf("%s: %s", tt.place, diff)
		}
		if diff := cmp.Diff(tt.faults, faults); diff != "" {
			t.Errorf("%s: %s", tt.place, diff)
		}
	}
}

// TestDamagedArchives has archives that are cut off or hold damaged members. What is good
// in them is read.
func TestDamagedArchives(t *testing.T) {
	tape := tarOf("a.json", "A", "b.json.gz", "this is no gzip", "c.json", strings.Repeat("C", 5000))
	chdir(t, map[string]string{"t.tar": tape, "cut.tar": tape[:3500], "cut.tgz": gzipOf(tape)[:90], "z.zip": zipOf("a", "A")[:40], "x.gz": "text"})
	for place, want := range map[string][2]string{
		"t.tar":   {"t.tar!a.json t.tar!c.json", "t.tar!b.json.gz: gzip: invalid header"},
		"cut.tar": {"cut.tar!a.json", "cut.tar!c.json: unexpected EOF"},
		"cut.tgz": {"cut.tgz!a.json", "unexpected EOF"},
		"z.zip":   {"", "z.zip: zip: not a valid zip file"},
		"x.gz":    {"", "x.gz: unexpected EOF"},
	} {
		documents, faults := found(t, source.Limit{}, place)
		for _, d := range strings.Fields(want[0]) {
			if !strings.Contains(strings.Join(documents, "\n"), d) && place != "cut.tgz" {
				t.Errorf("%s: no %s in %.200q", place, d, documents)
			}
		}
		if !strings.Contains(strings.Join(faults, "\n"), want[1]) {
			t.Errorf("%s: %q, want %q", place, faults, want[1])
		}
	}
}

func TestLimits(t *testing.T) {
	temporary := t.TempDir() // of nothing else
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	long := strings.Repeat("x", 1000)
	chdir(t, map[string]string{"a.json": long, "b.json.gz": gzipOf(long), "t.tar": tarOf("c.json", long, "short", "s"), "deep.json.gz.gz.gz.gz.gz.gz": "x"})
	for _, memory := range []int64{1, 100, 999, 1000, 5000} { // some in files
		documents, faults := found(t, source.Limit{Memory: memory}, "a.json", "b.json.gz", "t.tar")
		if len(documents) != 4 || len(faults) > 0 {
			t.Errorf("%d documents of 4, %q", len(documents), faults)
		}
		documents, faults = found(t, source.Limit{Memory: memory, Bytes: 1000}, "a.json", "b.json.gz", "t.tar")
		if len(documents) != 4 || len(faults) > 0 {
			t.Errorf("at the limit: %d documents of 4, %q", len(documents), faults)
		}
		documents, faults = found(t, source.Limit{Memory: memory, Bytes: 999}, "a.json", "b.json.gz", "t.tar")
		if len(documents) != 1 || len(faults) != 3 || !strings.Contains(faults[0], "too large") {
			t.Errorf("above the limit: %q, %q", documents, faults)
		}
	}
	left, err := filepath.Glob(filepath.Join(temporary, "fleet-*[0-9]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() == 1000 {
			t.Error("a temporary file stays:", name)
		}
	}
}

// TestBombs has archives that unpack to far more than they are, or that nest without
// end. Each is a fault, and does not hide what is next to it.
func TestBombs(t *testing.T) {
	zeros := strings.Repeat("0", 300_000)
	plan := strings.Repeat(`{"address":"null_resource.a[0]","mode":"managed","type":"null_resource"},`, 4000)
	nested, deep := zipOf("a.json", "A"), tarOf("a.json", "A")
	for range 5 {
		deep = gzipOf(deep)
	}
	for i := range 9 {
		nested = zipOf(fmt.Sprint(i, ".zip"), nested, "b.json", "B")
	}
	chdir(t, map[string]string{
		"bomb.json.gz": gzipOf(zeros), "bomb.zip": zipOf("bomb.json", zeros, "next.json", "N"), "bomb.tgz": gzipOf(tarOf("bomb.json", zeros)),
		"good.json.gz": gzipOf(plan), "nested.zip": nested, "a.tar.gz.gz.gz.gz.gz": deep,
	})
	for place, want := range map[string][2]string{
		"bomb.json.gz":         {"", "bomb.json.gz: too large: more than 500 times its compressed size"},
		"bomb.zip":             {"bomb.zip!next.json", "bomb.zip!bomb.json: too large: more than 500 times its compressed size"},
		"bomb.tgz":             {"", "too large: more than 500 times its compressed size"},
		"good.json.gz":         {"good.json.gz", ""},
		"nested.zip":           {"nested.zip!8.zip!b.json", "nested.zip!8.zip!7.zip!6.zip!5.zip: too large: archives are nested more than 4 levels deep"},
		"a.tar.gz.gz.gz.gz.gz": {"", "a.tar.gz.gz.gz.gz.gz: too large: archives are nested more than 4 levels deep"},
	} {
		documents, faults := found(t, source.Limit{Inflated: 100_000, Memory: 10_000}, place)
		if got := strings.Join(documents, "\n"); !strings.Contains(got, want[0]) || want[0] == "" && got != "" {
			t.Errorf("%s: documents %.200q, want %q", place, documents, want[0])
		}
		if got := strings.Join(faults, "\n"); !strings.Contains(got, want[1]) || want[1] == "" && got != "" {
			t.Errorf("%s: faults %.200q, want %q", place, faults, want[1])
		}
	}
}

// opener opens one bucket in memory for the scheme test.
type opener struct{ bucket *blob.Bucket }

func (o opener) OpenBucketURL(context.Context, *url.URL) (*blob.Bucket, error) { return o.bucket, nil }

var memory = memblob.OpenBucket(nil)

func init() { blob.DefaultURLMux().RegisterBucket("test", opener{memory}) }

func TestOpen_buckets(t *testing.T) {
	ctx := context.Background()
	for key, text := range map[string]string{"prod/a/state.json": "A", "prod/b/state.json": "B", "prod/b/t.tar": tarOf("in.json", "IN"), "dev/x.json": "X", "prod/.terraform/y": "no"} {
		if err := memory.WriteAll(ctx, key, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	chdir(t, map[string]string{"bucket/k/one.json": "1", "bucket/two.json": "2"})
	dir, err := filepath.Abs("bucket")
	if err != nil {
		t.Fatal(err)
	}
	file := "file://" + filepath.ToSlash(dir)
	for _, tt := range []struct {
		place  string
		want   []string
		faults int
	}{
		{"test://b", []string{"test://b/dev/x.json x.json X", "test://b/prod/a/state.json state.json A", "test://b/prod/b/state.json state.json B", "test://b/prod/b/t.tar!in.json in.json IN"}, 0},
		{"test://b/prod/a?region=eu", []string{"test://b/prod/a/state.json state.json A"}, 0},
		{"test://b/prod/*/state.json", []string{"test://b/prod/a/state.json state.json A", "test://b/prod/b/state.json state.json B"}, 0},
		{"test://b/none", nil, 1},
		{"test://b/prod/[", nil, 1},
		{"test://", nil, 1},
		{file, []string{file + "/k/one.json one.json 1", file + "/two.json two.json 2"}, 0},
		{file + "!k/", []string{file + "/k/one.json one.json 1"}, 0},
	} {
		documents, faults := found(t, source.Limit{}, tt.place)
		if diff := cmp.Diff(tt.want, documents); diff != "" || len(faults) != tt.faults {
			t.Errorf("%s: %q %s", tt.place, faults, diff)
		}
	}
}

func TestReadList(t *testing.T) {
	places, err := source.ReadList(strings.NewReader("a\r\n\nb c\n*.json"))
	if diff := cmp.Diff([]string{"a", "b c", "*.json"}, places); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// TestStop ends the listing and the reading of an archive by an error, and by
// the end of the context.
func TestStop(t *testing.T) {
	chdir(t, map[string]string{"d/1.tar": tarOf("a", "A", "b", "B", "c.tar", tarOf("d", "D")), "d/2": "2"})
	end := errors.New("end")
	none := func(place string, err error) error { t.Error(place, err); return nil }
	for at := 1; at <= 3; at++ {
		n := 0
		err := source.List(context.Background(), []string{"d"}, func(it source.Item) error {
			return it.Documents(context.Background(), source.Limit{}, func(source.Found) error {
				if n++; n == at {
					return end
				}
				return nil
			}, none)
		}, none)
		if err != end || n != at {
			t.Errorf("%v after %d documents, want %d", err, n, at)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := source.List(ctx, []string{"d"}, func(source.Item) error { n++; cancel(); return nil }, none)
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Error(err, n)
	}
}
