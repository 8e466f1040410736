// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Fleet-beam makes the rows of fleet on a cluster: a pipeline of Apache Beam that
// reads places and writes Parquet files.
//
//	fleet-beam [-runner prism|flink|dataflow] [options of Beam] -out DIR PLACE...
//
// It is what "fleet beam" runs. It is a program of its own because the workers run
// it as well, with options that Beam defines.
//
// The exit status is 0 if the pipeline was run, and 2 otherwise. Faults of
// documents are rows of the relation faults.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	_ "github.com/tofuwire/tofuwire/cmd/fleet/cloud" // the drivers of buckets
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
)

// Options of Beam are global, and so are these.
var (
	out       = flag.String("out", "", "write Parquet files into `DIR`, a directory or the URL of a bucket with a prefix")
	list      = flag.String("list", "", "read more places from `FILE`, one on each line; - is standard input")
	reveal    = flag.Bool("reveal", false, "keep secrets: do not redact")
	keep      = flag.Bool("keep-unmarked", false, "keep what the formats cannot mark as sensitive")
	workspace = flag.String("workspace", "", "how a place says its workspace: `HOW` is folder, key, a pattern such as states/*.json, or a regular expression with a group")
	phrase    = flag.String("passphrase-file", "", "open encrypted states with the passphrase in `FILE`, which each worker must have")
	keys      = flag.String("config", "", "open encrypted states as `FILE` says, which has the text of TF_ENCRYPTION; each worker must have it")
	shards    = flag.Int("shards", 8, "write up to `N` files for each relation; one must fit into the memory of a worker")
	maxBytes  = flag.Int64("max-bytes", 4<<30, "do not read documents of more than `N` bytes, unpacked")
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: fleet beam [-runner prism|flink|dataflow] [options] -out DIR PLACE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := asWorker(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "fleet beam:", err)
		os.Exit(2)
	}
	beam.Init() // a worker goes on in here and does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "fleet beam:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context) error {
	places := flag.Args()
	if *list != "" {
		more, err := readList(*list)
		if err != nil {
			return err
		}
		places = append(places, more...)
	}
	if len(places) == 0 || *out == "" || *shards < 1 {
		return fmt.Errorf("expected -out DIR and at least one place; -h lists the options")
	}
	read := readFn{Reveal: *reveal, KeepUnmarked: *keep, Workspace: *workspace, Passphrase: *phrase, Config: *keys, Shards: *shards, MaxBytes: *maxBytes}
	check := read
	if err := check.Setup(); err != nil { // before it runs anywhere
		return err
	}
	if strings.EqualFold(*jobopts.EnvironmentType, "process") && *jobopts.WorkerBinary == "" {
		// The workers have the program. Beam would build it once more, and send it to them.
		none, err := os.CreateTemp("", "fleet-worker-")
		if err != nil {
			return err
		}
		defer os.Remove(none.Name())
		none.Close()
		*jobopts.WorkerBinary = none.Name()
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, places, read, *out)
	return beamx.Run(ctx, p)
}

func readList(name string) ([]string, error) {
	if name == "-" {
		return source.ReadList(os.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return source.ReadList(f)
}
