// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Viewer shows plans, states, messages of runs and lock files in a browser, and
// nothing leaves it: the library itself runs in the page.
//
//	viewer [-out FILE] [-listen ADDRESS]
//
// It builds the page with the go command, serves it on a loopback address and
// prints where, until it is interrupted. With -out it writes the page into a
// file instead, which works without a server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return // the usage has been printed
		}
		fmt.Fprintln(os.Stderr, "viewer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("viewer", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: viewer [-out FILE] [-listen ADDRESS]")
		flags.PrintDefaults()
	}
	out := flags.String("out", "", "write the page into this file and end")
	listen := flags.String("listen", "127.0.0.1:0", "the loopback address to serve on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("no arguments, not %q", flags.Args())
	}
	if err := isLoopback(*listen); err != nil {
		return err
	}
	fmt.Fprintln(stderr, "building the page ...")
	b, err := build(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "the program has %d bytes, %d compressed; the page has %d\n", b.raw, b.packed, len(b.page))
	if *out != "" {
		return os.WriteFile(*out, b.page, 0o644)
	}
	listener, err := net.Listen("tcp", *listen)
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
