// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/columns"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/scan"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/unseal"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&listFn{})
	register.DoFn3x1[context.Context, string, func(string, string), error](&readFn{})
	register.DoFn4x1[context.Context, string, func(*string) bool, func(string), error](&writeFn{})
	register.Emitter1[string]()
	register.Emitter2[string, string]()
	register.Iter1[string]()
}

// pipeline adds the pipeline to a scope: places become items, items rows, and the
// rows of a relation and shard a file. It returns the names of the files.
func pipeline(s beam.Scope, places []string, read readFn, out string) beam.PCollection {
	items := beam.ParDo(s.Scope("List"), &listFn{}, beam.CreateList(s, places))
	// One worker lists a place; all of them read the documents there.
	items = beam.Reshuffle(s, items)
	lines := beam.ParDo(s.Scope("Read"), &read, items)
	return beam.ParDo(s.Scope("Write"), &writeFn{Out: out, Shards: read.Shards}, beam.GroupByKey(s, lines))
}

// An element is an item, or a place with a fault.
type element struct {
	source.Item
	Fault string `json:",omitempty"`
}

// listFn lists places.
type listFn struct{}

// ProcessElement lists a place.
func (*listFn) ProcessElement(ctx context.Context, place string, emit func(string)) error {
	send := func(e element) error {
		text, err := json.Marshal(e)
		if err == nil {
			emit(string(text))
		}
		return err
	}
	return source.List(ctx, []string{place}, func(it source.Item) error { return send(element{Item: it}) }, func(place string, err error) error {
		// The row of the fault has the cause, without the place.
		message, _ := scan.PlaceFault(place, err).Cells[6].(string)
		return send(element{source.Item{Place: place}, message})
	})
}

// readFn makes the rows of items. Its fields are sent to the workers.
type readFn struct {
	Reveal, KeepUnmarked bool
	Workspace            string // as of [scan.ParseWorkspaces]
	Passphrase, Config   string // names of files; what is in them is not sent
	Shards               int
	MaxBytes             int64

	options scan.Options
}

// Setup is called once for each worker.
func (r *readFn) Setup() error {
	r.options = scan.Options{Rows: rows.Options{Reveal: r.Reveal, KeepUnmarked: r.KeepUnmarked}, Limit: source.Limit{Bytes: r.MaxBytes}}
	var err error
	if r.options.Workspace, err = scan.ParseWorkspaces(r.Workspace); err != nil {
		return err
	}
	r.options.Rows.Decrypt, err = unseal.New(r.Passphrase, r.Config)
	return err
}

// separator is between the parts of a value. It is in no place and no JSON text.
const separator = "\x00"

// ProcessElement emits the rows of an item. The key is the relation and the shard
// of the document, the value the document, the place and the row: sorted, the
// rows of one document and place follow each other.
func (r *readFn) ProcessElement(ctx context.Context, text string, emit func(key, line string)) error {
	var e element
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return err
	}
	send := func(p scan.Place, row rows.Row) error {
		of := p.Document
		if of == "" {
			of = p.Place
		}
		h := fnv.New32a()
		io.WriteString(h, of)
		key := fmt.Sprintf("%s-%05d", row.Relation.Name, h.Sum32()%uint32(r.Shards))
		emit(key, p.Document+separator+p.Place+separator+string(row.AppendText(nil)))
		return nil
	}
	if e.Fault != "" {
		return scan.EachFault(e.Place, errors.New(e.Fault), r.options, send)
	}
	return scan.Each(ctx, e.Item, r.options, send)
}

// writeFn writes the rows of one relation and shard into a file.
type writeFn struct {
	Out    string // a directory, or the URL of a bucket with a prefix
	Shards int
}

// ProcessElement writes a file. The name depends on the key alone, so a worker
// that does it again replaces the file by the same one.
func (w *writeFn) ProcessElement(ctx context.Context, key string, next func(*string) bool, emit func(string)) error {
	var lines []string
	for line := ""; next(&line); {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	name := fmt.Sprintf("%s-of-%05d.parquet", key, w.Shards)
	out, err := create(ctx, w.Out, name)
	if err != nil {
		return err
	}
	relation, _, _ := strings.Cut(key, "-")
	i := slices.IndexFunc(rows.Relations(), func(r *rows.Relation) bool { return r.Name == relation })
	if i < 0 {
		return fmt.Errorf("no relation %s", relation)
	}
	file := columns.NewWriter(out, rows.Relations()[i])
	err = errors.Join(first(lines, file.Write), file.Close())
	if err := errors.Join(err, out.end(err == nil)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	emit(name)
	return nil
}

// first calls f for the rows in sorted lines, those of each document for its first
// place only: the others have the same ones.
func first(lines []string, f func(rows.Row) error) error {
	document, chosen := "", ""
	for _, line := range lines {
		parts := strings.SplitN(line, separator, 3)
		if len(parts) != 3 {
			return errors.New("a value has no place")
		}
		if parts[0] != "" {
			if parts[0] != document {
				document, chosen = parts[0], parts[1]
			}
			if parts[1] != chosen {
				continue
			}
		}
		row, err := rows.ParseText([]byte(parts[2]))
		if err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return nil
}

// An output is a file or an object that appears when it is complete.
type output struct {
	io.Writer
	end func(good bool) error
}

func create(ctx context.Context, out, name string) (*output, error) {
	if !strings.Contains(out, "://") {
		if err := os.MkdirAll(out, 0o755); err != nil {
			return nil, err
		}
		f, err := os.CreateTemp(out, "."+name+"-*")
		if err != nil {
			return nil, err
		}
		return &output{f, func(good bool) error {
			if err := f.Close(); err != nil || !good {
				return errors.Join(err, os.Remove(f.Name()))
			}
			return os.Rename(f.Name(), filepath.Join(out, name))
		}}, nil
	}
	root, prefix, err := source.SplitURL(out)
	if err != nil {
		return nil, err
	}
	bucket, err := source.OpenBucket(ctx, root)
	if err != nil {
		return nil, err
	}
	if prefix != "" {
		name = strings.TrimSuffix(prefix, "/") + "/" + name
	}
	ctx, cancel := context.WithCancel(ctx)
	o, err := bucket.NewWriter(ctx, name, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	return &output{o, func(good bool) error {
		defer cancel()
		if !good {
			cancel() // the object does not appear then
			o.Close()
			return nil
		}
		return o.Close()
	}}, nil
}
