// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package viewer is the program viewer: the library in a page for browsers.
package viewer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var text = commandline.Text{
	About: `
View shows plans, states, messages of runs and lock files in a browser. The library itself runs
in the page, so no data leaves the browser. View serves the page on a loopback address, prints the
address on standard output, and runs until it is interrupted.

The page is the file viewer.html next to this program, as in the release archives. If there is no
such file, view builds the page with the go command; it must run in a clone of the library.`,
	Exit: `
0 the page was written, or served until the interrupt
1 an error
2 a usage error`,
	Example: "tofuwire view -out viewer.html",
}

// releases is where people find the page.
const releases = "https://github.com/tofuwire/tofuwire/releases"

// Run is the program; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire view", text)
	var o options
	flags.StringVar(&o.out, "out", "", "write the page to `FILE` and exit; the page works without a server")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "the loopback `ADDRESS` to serve on")
	flags.Strings(&o.load, "load", "include the document in `FILE` in the page, and open it there. Everyone who has the page has the document, including its secrets. A saved plan is included as \"show -json\" prints it")
	o.inputs.Register(flags)
	flags.Check = func() error { return isLoopback(o.listen) }
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	o.inputs.Progress = flags.ProgressOn(stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "tofuwire view:", commandline.Message(err))
		return 1
	}
	return 0
}

// options are what the command line says.
type options struct {
	out, listen string
	load        []string
	inputs      planfile.Inputs
}

// run builds the page and writes or serves it.
func run(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	b, err := beside()
	if err != nil {
		return err
	}
	if b == nil {
		fmt.Fprintln(stderr, "building the page ...")
		if b, err = build(ctx); err != nil {
			return fmt.Errorf("%w\nEach release has the page, viewer.html: %s", err, releases)
		}
		fmt.Fprintf(stderr, "the program has %d bytes, %d compressed; the page has %d\n", b.raw, b.packed, len(b.page))
	}
	if err := b.load(o.load, &o.inputs, stderr); err != nil {
		return err
	}
	if o.out != "" {
		return os.WriteFile(o.out, b.page, 0o644)
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "http://%s/\n", listener.Addr())
	return serve(ctx, listener, b)
}

// isLoopback returns an error for an address that others can reach.
func isLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%s is not a loopback address", address)
	}
	return nil
}

// serve serves the page until ctx ends.
func serve(ctx context.Context, listener net.Listener, b *built) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", b.policy+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		w.Write(b.page)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan struct{})
	go func() {
		<-ctx.Done()
		server.Close()
		close(stopped)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-stopped
	return nil
}
