// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/scan"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/source"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/unseal"
	"github.com/tofuwire/tofuwire/planjson"
)

func scanCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	flags := flag.NewFlagSet("scan", flag.ContinueOnError)
	out := flags.String("out", "inventory.db", "write the inventory to `DATABASE`; if it exists, the scan goes on where it ended")
	parquet := flags.String("parquet", "", "write the inventory as Parquet files into `DIR` as well, when the scan is complete")
	list := flags.String("list", "", "read more places from `FILE`, one on each line; - is standard input")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "read `N` documents at once")
	reveal := flags.Bool("reveal", false, "keep secrets: do not redact")
	keep := flags.Bool("keep-unmarked", false, "keep what the formats cannot mark as sensitive, such as messages of checks and details of diagnostics")
	workspace := flags.String("workspace", "", "how a place says its workspace: `HOW` is folder, key, a pattern such as states/*.json, or a regular expression with a group")
	passphrase := flags.String("passphrase-file", "", "open encrypted states with the passphrase in `FILE`")
	config := flags.String("config", "", "open encrypted states as `FILE` says, which has the text of TF_ENCRYPTION; programs that it names are started")
	var schemas []string
	flags.Func("schemas", "the output of providers schema -json in `FILE`, for saved plans; may be repeated", func(name string) error {
		schemas = append(schemas, name)
		return nil
	})
	rehash := flags.Bool("rehash", false, "read files again that have the same length and time as before")
	limit := flags.Int64("max-bytes", 4<<30, "do not read documents of more than `N` bytes, unpacked")
	if err := parse(flags, stderr, "[-out DATABASE] [-parquet DIR] [options] PLACE...", args); err != nil {
		return exitUsage, err
	}
	places := flags.Args()
	if *list != "" {
		more, err := readList(*list, stdin)
		if err != nil {
			return exitUsage, err
		}
		places = append(places, more...)
	}
	if len(places) == 0 {
		flags.Usage()
		return exitUsage, errFlags
	}
	o := scan.Options{Rows: rows.Options{Reveal: *reveal, KeepUnmarked: *keep}, Workers: *workers, Rehash: *rehash, Limit: source.Limit{Bytes: *limit}}
	var err error
	if o.Workspace, err = scan.ParseWorkspaces(*workspace); err != nil {
		return exitUsage, err
	}
	if o.Rows.Decrypt, err = unseal.New(*passphrase, *config); err != nil {
		return exitUsage, err
	}
	if o.Rows.Schemas, err = readSchemas(schemas); err != nil {
		return exitUsage, err
	}
	scan.Memory()
	db, err := inventory.Open(ctx, *out, o.Rows, *workspace)
	if err != nil {
		return exitUsage, err
	}
	n := new(scan.Counts)
	start := time.Now()
	done := progress(ctx, stderr, places, n)
	err = scan.Run(ctx, db, places, o, n)
	done()
	err = errors.Join(err, db.Close())
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("interrupted after %s; scan again to go on", counted(n, time.Since(start)))
	}
	if err != nil {
		return exitUsage, err
	}
	fmt.Fprintf(stdout, "%s: %s\n", *out, counted(n, 0))
	if *parquet != "" {
		if err := export(ctx, *out, *parquet, io.Discard); err != nil {
			return exitUsage, err
		}
	}
	if n.Faults.Load() > 0 {
		if first := n.First.Load(); first != nil {
			fmt.Fprintf(stderr, "fleet scan: %s\n", *first)
		}
		fmt.Fprintf(stderr, "fleet scan: %d documents or places have faults: fleet ask %s faults\n", n.Faults.Load(), *out)
		return exitFaults, nil
	}
	return exitOK, nil
}

// decodeSchemas decodes schemas as pipelines keep them: compressed by gzip, or in a log.
func decodeSchemas(text []byte) (*planjson.Schemas, error) {
	if z, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		limit := 200*int64(len(text)) + 1<<20
		if text, err = io.ReadAll(io.LimitReader(z, limit+1)); err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		if int64(len(text)) > limit {
			return nil, errors.New("the text is more than 200 times as long as its compressed form")
		}
	}
	found, err := planjson.Find(text)
	if err != nil {
		return nil, err
	}
	schemas, err := planjson.DecodeSchemas(found.Text)
	if err != nil {
		return nil, err
	}
	return schemas, planjson.CheckVersion(schemas)
}

// readSchemas reads schemas for saved plans. Those of one provider come from the first file that has
// them.
func readSchemas(names []string) (*planjson.Schemas, error) {
	var all *planjson.Schemas
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		more, err := decodeSchemas(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if all == nil || all.ProviderSchemas == nil {
			all = more
			continue
		}
		for provider, s := range more.ProviderSchemas {
			if all.ProviderSchemas[provider] == nil {
				all.ProviderSchemas[provider] = s
			}
		}
	}
	return all, nil
}

func readList(name string, stdin io.Reader) ([]string, error) {
	if name == "-" {
		return source.ReadList(stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return source.ReadList(f)
}

// counted says in words how far a scan has come.
func counted(n *scan.Counts, took time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents read", n.Documents.Load())
	more := func(n int64, what string) {
		if n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, what)
		}
	}
	more(n.Known.Load(), "known")
	more(n.Unchanged.Load(), "files unchanged")
	more(n.Ignored.Load(), "files ignored")
	more(n.Faults.Load(), "with faults")
	if took > 0 {
		fmt.Fprintf(&b, ", %.1f MB/s", scan.Rate(n.Bytes.Load(), took))
	}
	return b.String()
}

// progress shows how far the scan has come, if w is a terminal, until the function
// that it returns is called.
func progress(ctx context.Context, w io.Writer, places []string, n *scan.Counts) func() {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	total := new(scan.Total)
	go scan.Count(ctx, places, total)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		start := time.Now()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil || width < 20 {
				width = 80
			}
			fmt.Fprintf(f, "\r%s\x1b[K", bar(width-1, n, total, time.Since(start)))
			select {
			case <-ctx.Done():
				fmt.Fprint(f, "\r\x1b[K")
				return
			case <-tick.C:
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// bar returns the line of the progress, of at most width characters. It has a bar
// once all items are counted.
func bar(width int, n *scan.Counts, total *scan.Total, took time.Duration) string {
	text := counted(n, took)
	if total.Complete.Load() && total.Bytes.Load() > 0 {
		part := min(1, float64(n.Bytes.Load())/float64(total.Bytes.Load()))
		const cells = 20
		full := int(part * cells)
		text = fmt.Sprintf("[%s%s] %3.0f%%  %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), part*100, text)
	}
	if len(text) > width {
		text = text[:width]
	}
	return text
}
