// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lock records provider hashes for several platforms in the dependency lock
// file of a module, as "tofu providers lock" does, without tofu.
//
//	lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] DIR
//
// It reads what providers the module in DIR and its local child modules need,
// asks each provider's registry (or the mirror), downloads the packages for
// all platforms, several at a time and without keeping them, verifies them,
// and adds their hashes to DIR/.terraform.lock.hcl, whose comments stay. A
// version that is locked already stays, too, as long as it is allowed. Without
// -platform the platform is the one of this program. -ca names further
// certificate authorities.
//
// Tokens come from TF_TOKEN_* and from the CLI configuration. Packages in the
// plugin cache (TF_PLUGIN_CACHE_DIR) that the lock file knows are not fetched
// again: if they suffice, nothing is asked at all.
//
// The summary says what was proven about each package. If anything is wrong,
// everything that is wrong is printed, the exit status is 1, and the lock file
// is as it was.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lock:", err)
		os.Exit(1)
	}
}

// platforms is the flag -platform, which may be repeated.
type platforms []addrs.Platform

func (p *platforms) String() string { return "" }

func (p *platforms) Set(s string) error {
	platform, err := addrs.ParsePlatform(s)
	if err != nil {
		return err
	}
	for _, other := range *p {
		if other == platform {
			return nil
		}
	}
	*p = append(*p, platform)
	return nil
}

// run is the program. Its error is everything that is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	flags := flag.NewFlagSet("lock", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var wanted platforms
	flags.Var(&wanted, "platform", "a `platform` such as linux_amd64; may be repeated")
	mirror := flags.String("mirror", "", "`URL or directory` of a mirror to use in place of the registries")
	ca := flags.String("ca", "", "`file` with further certificate authorities, in PEM")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] DIR")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return errors.New("exactly one DIR is needed")
	}
	if len(wanted) == 0 {
		wanted = platforms{addrs.CurrentPlatform()}
	}

	needs, err := requirements(flags.Arg(0))
	if err != nil {
		return err
	}
	client, err := newClient(*ca, environ)
	if err != nil {
		return err
	}
	if f, ok := stderr.(*os.File); ok && isTerminal(f) {
		bar := newBar(stderr)
		client.Progress = bar.update
		defer bar.clear()
	}
	source, err := newSource(client, *mirror)
	if err != nil {
		return err
	}
	l := &locker{client: client, source: source, platforms: wanted, cache: cacheOf(environ), slots: make(chan struct{}, 8)}
	return l.lock(ctx, flags.Arg(0), needs, stdout)
}

// isTerminal reports whether f is a terminal, or another device of characters,
// to which a progress bar does no harm.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// newClient returns a client with the user's credentials and certificates.
func newClient(ca string, environ []string) (*registry.Client, error) {
	client := &registry.Client{UserAgent: "tofuwire-lock"}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, err
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: no certificate in it", ca)
		}
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
		client.HTTP = &http.Client{Transport: transport}
	}
	credentials, services, err := userConfig(environ)
	if err != nil {
		return nil, err
	}
	client.Credentials, client.Services = credentials, services
	return client, nil
}

// newSource returns the mirror that was asked for, or else the registries.
func newSource(client *registry.Client, mirror string) (registry.Source, error) {
	switch {
	case mirror == "":
		return client, nil
	case strings.Contains(mirror, "://"):
		return client.Mirror(mirror, registry.MirrorOptions{})
	default:
		info, err := os.Stat(mirror)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a directory", mirror)
		}
		return &registry.FilesystemMirror{Dir: mirror}, nil
	}
}
