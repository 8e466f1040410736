// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
)

// A conduct is what a hostile server does with a connection.
type conduct struct {
	name string
	// slow says that only the limits of time end it.
	slow bool
	// raw has the connection before TLS; answer has it after a request was read. One of them is nil.
	raw    func(net.Conn)
	answer func(net.Conn, *http.Request)
	// want are the causes of the error, one of which must be there. If nil, any error will do.
	want []error
	// fits says that an archive whose hash nobody states is right, as far as one can see.
	fits bool
}

const (
	head200     = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	headChunked = head200 + "Transfer-Encoding: chunked\r\n\r\n"
)

// text answers with a text, and closes the connection.
func text(s string) func(net.Conn, *http.Request) {
	return func(w net.Conn, _ *http.Request) { io.WriteString(w, s) }
}

// drip answers with a text, and then with a part without end, a byte at a time.
func drip(first, part string) func(net.Conn, *http.Request) {
	return func(w net.Conn, _ *http.Request) {
		_, err := io.WriteString(w, first)
		for i := 0; err == nil; i++ {
			_, err = w.Write([]byte{part[i%len(part)]})
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// flood answers with a text, and then with a part without end, as fast as it can.
func flood(first, part string) func(net.Conn, *http.Request) {
	return func(w net.Conn, _ *http.Request) {
		_, err := io.WriteString(w, first)
		for block := []byte(strings.Repeat(part, 1+(16<<10)/len(part))); err == nil; {
			_, err = w.Write(block)
		}
	}
}

// wait answers with a text, and waits until the other side gives up.
func wait(first string) func(net.Conn, *http.Request) {
	return func(w net.Conn, _ *http.Request) {
		io.WriteString(w, first)
		io.Copy(io.Discard, w)
	}
}

// redirect answers with a redirect to what a function says of the requested path.
func redirect(to func(path string) string, body string) func(net.Conn, *http.Request) {
	return func(w net.Conn, r *http.Request) {
		fmt.Fprintf(w, "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: %d\r\n\r\n%s", to(r.URL.Path), len(body), body)
	}
}

func same(path string) string { return path }

// conducts are all that servers do here.
func conducts() []conduct {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	late := []error{context.DeadlineExceeded, registry.ErrStalled}
	large := []error{registry.ErrLimit}
	turns := []error{registry.ErrRedirect}
	wrong := []error{registry.ErrBadResponse, registry.ErrLimit, addrs.ErrMismatch, registry.ErrBadSignature}
	cut := []error{io.ErrUnexpectedEOF}
	return []conduct{
		{name: "no TLS, silence", slow: true, raw: func(c net.Conn) { io.Copy(io.Discard, c) }, want: late},
		{name: "TLS a byte at a time", slow: true, raw: func(c net.Conn) { drip("", "\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03")(c, nil) }, want: late},
		{name: "no TLS, garbage", raw: func(c net.Conn) { io.WriteString(c, strings.Repeat("garbage", 100)) }},
		{name: "no TLS, garbage without end", raw: func(c net.Conn) { flood("", "garbage")(c, nil) }},
		{name: "no TLS, closed", raw: func(c net.Conn) {}},
		{name: "silence", slow: true, answer: wait(""), want: late},
		{name: "headers a byte at a time", slow: true, answer: drip(head200, "X-Header: value\r\n"), want: late},
		{name: "a header a byte at a time", slow: true, answer: drip(head200+"X-Header: ", "v"), want: late},
		{name: "the status a byte at a time", slow: true, answer: drip("HTTP/1.1 200 ", "O"), want: late},
		{name: "headers without end", answer: flood(head200, "X-Header: value\r\n")},
		{name: "a header without end", answer: flood(head200+"X-Header: ", "v")},
		{name: "a status without end", answer: flood("HTTP/1.1 200 ", "O")},
		{name: "headers, then silence", slow: true, answer: wait(head200), want: late},
		{name: "a head, then silence", slow: true, answer: wait(head200 + "Content-Length: 5000\r\n\r\n"), want: late},
		{name: "a body a byte at a time", slow: true, answer: drip(head200+"Content-Length: 50000\r\n\r\n", " "), want: late},
		{name: "a body without a length a byte at a time", slow: true, answer: drip(head200+"\r\n", " "), want: late},
		{name: "chunks a byte at a time", slow: true, answer: drip(headChunked, "1\r\n \r\n"), want: late},
		{name: "a chunk's length a byte at a time", slow: true, answer: drip(headChunked, "0"), want: nil},
		{name: "a part of a body, then silence", slow: true, answer: wait(head200 + "Content-Length: 5000\r\n\r\n" + strings.Repeat(" ", 1000)), want: late},
		{name: "a part of a large body, then silence", slow: true, answer: wait(head200 + "Content-Length: 50000\r\n\r\n" + strings.Repeat(" ", 30000)), want: late},
		{name: "a chunk, then silence", slow: true, answer: wait(headChunked + "5\r\n     \r\n"), want: late},
		{name: "trailers a byte at a time", slow: true, answer: drip(headChunked+"0\r\n", "X-Trailer: v\r\n"), want: late},
		{name: "trailers without end", answer: flood(headChunked+"0\r\n", "X-Trailer: value\r\n")},
		{name: "a body without end", answer: flood(head200+"\r\n", " "), want: large},
		{name: "chunks without end", answer: flood(headChunked, "10\r\n                \r\n"), want: large},
		{name: "a chunk without end", answer: flood(headChunked+"7fffffffffffffff\r\n", " "), want: large},
		{name: "small chunks with long extensions", answer: flood(headChunked, "1;"+strings.Repeat("x", 2000)+"\r\n \r\n")},
		{name: "a length beyond all", answer: text(head200 + "Content-Length: 9223372036854775807\r\n\r\n "), want: large},
		{name: "a length that is no number", answer: text(head200 + "Content-Length: -5\r\n\r\n     ")},
		{name: "two lengths", answer: text(head200 + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n      ")},
		{name: "a length that is too small", answer: text(head200 + "Connection: close\r\nContent-Length: 5\r\n\r\n" + strings.Repeat(" ", 500)), want: wrong, fits: true},
		{name: "a body that is cut", answer: text(head200 + "Content-Length: 5000\r\n\r\n" + strings.Repeat(" ", 500)), want: cut},
		{name: "a chunk that is cut", answer: text(headChunked + "1388\r\n" + strings.Repeat(" ", 500)), want: cut},
		{name: "chunks that are cut", answer: text(headChunked + "5\r\n     \r\n"), want: cut},
		{name: "an empty body", answer: text(head200 + "Content-Length: 0\r\n\r\n"), want: wrong, fits: true},
		{name: "deep JSON", answer: text(head200 + "\r\n" + strings.Repeat("[", 60000)), want: wrong, fits: true},
		{name: "a body of nothing but quotes", answer: text(head200 + "\r\n" + strings.Repeat(`"`, 60000)), want: wrong, fits: true},
		{name: "a compressed body that grows", answer: text(head200 + "Content-Encoding: gzip\r\nContent-Length: " + fmt.Sprint(bomb.Len()) + "\r\n\r\n" + bomb.String()), want: wrong, fits: true},
		{name: "closed", answer: text("")},
		{name: "no HTTP", answer: text("SSH-2.0-OpenSSH_9.0\r\n\r\n")},
		{name: "informational answers without end", answer: flood("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")},
		{name: "informational answers, slowly", slow: true, answer: drip("", "HTTP/1.1 103 Early Hints\r\n\r\n"), want: late},
		{name: "a redirect to itself", answer: redirect(same, ""), want: turns},
		{name: "redirects without end", answer: redirect(func(path string) string { return path + "x" }, ""), want: turns},
		{name: "redirects that grow", answer: redirect(func(path string) string { return strings.Repeat(path, 6) }, ""), want: []error{registry.ErrRedirect, registry.ErrBadResponse}},
		{name: "a redirect without a place", answer: text("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), want: turns},
		{name: "a redirect to http", answer: redirect(func(string) string { return "http://127.0.0.1:1/x" }, ""), want: []error{registry.ErrInsecure}},
		{name: "a redirect to a file", answer: redirect(func(string) string { return "file:///etc/hostname" }, ""), want: wrong},
		{name: "a redirect with a body without end", answer: flood("HTTP/1.1 302 Found\r\nLocation: /bad\r\n\r\n", " "), want: turns},
		{name: "a redirect with a body a byte at a time", slow: true, answer: drip("HTTP/1.1 302 Found\r\nLocation: /bad\r\n\r\n", " "), want: late},
		{name: "slow redirects", slow: true, want: late, answer: func(w net.Conn, r *http.Request) {
			time.Sleep(100 * time.Millisecond)
			redirect(same, "")(w, r)
		}},
		{name: "status 500 with a body without end", answer: flood("HTTP/1.1 500 Oops\r\n\r\n", " ")},
		{name: "status 500 with a body a byte at a time", slow: true, answer: drip("HTTP/1.1 500 Oops\r\n\r\n", " ")},
		{name: "status 503 again and again", answer: text("HTTP/1.1 503 No\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")},
		{name: "status 429, for a year", answer: text("HTTP/1.1 429 No\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n"), want: []error{registry.ErrRateLimited}},
		{name: "status 204", answer: text("HTTP/1.1 204 None\r\n\r\n")},
		{name: "status 206 that nobody asked for", answer: text("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\n     ")},
		{name: "status 101", answer: text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")},
	}
}

// serveConduct starts a server, and returns its host.
func serveConduct(t *testing.T, cert tls.Certificate, c conduct) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	serve := func(conn net.Conn) {
		defer conn.Close()
		if c.raw != nil {
			c.raw(conn)
			return
		}
		s := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{cert}})
		r, err := http.ReadRequest(bufio.NewReader(s))
		if err != nil {
			return
		}
		c.answer(s, r)
		s.Close()
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return l.Addr().String()
}

// A call is a function of this package that asks a server at host for one kind of document.
type call struct {
	name string
	do   func(c *registry.Client, host, dir string, sums *url.URL, w io.Writer) error
}

// calls are all that ask servers, without a deadline.
func calls() []call {
	ctx := context.Background()
	p := addrs.MustParseProvider("registry.example.org/acme/null")
	m := registry.Module{Host: "registry.example.org", Namespace: "acme", Name: "net", System: "test"}
	at := func(host string) *url.URL { return &url.URL{Scheme: "https", Host: host, Path: "/bad"} }
	pkg := func(origin registry.Origin, host string) *registry.Package {
		return &registry.Package{Provider: p, Version: v100, Platform: linux, Origin: origin, URL: at(host), Filename: "x.zip", SHA256: strings.Repeat("ab", 32),
			ChecksumsURL: at(host), SignatureURL: at(host), SigningKeys: []registry.SigningKey{{ASCIIArmor: "x"}}}
	}
	mirror := func(c *registry.Client, host string) *registry.NetworkMirror {
		m, err := c.Mirror("https://"+host+"/", registry.MirrorOptions{})
		if err != nil {
			panic(err)
		}
		return m
	}
	return []call{
		{"discovery", func(c *registry.Client, host, _ string, _ *url.URL, _ io.Writer) error {
			return second(c.Service(ctx, host, registry.ProvidersV1))
		}},
		{"versions", func(c *registry.Client, _, _ string, _ *url.URL, _ io.Writer) error {
			return second(c.Versions(ctx, p))
		}},
		{"package", func(c *registry.Client, _, _ string, _ *url.URL, _ io.Writer) error {
			return second(c.Package(ctx, p, v100, linux))
		}},
		{"sums", func(c *registry.Client, host, _ string, sums *url.URL, _ io.Writer) error {
			pkg := pkg(registry.FromRegistry, host)
			pkg.SigningKeys = nil
			return second(c.Authenticate(ctx, pkg))
		}},
		{"signature", func(c *registry.Client, host, _ string, sums *url.URL, _ io.Writer) error {
			pkg := pkg(registry.FromRegistry, host)
			pkg.ChecksumsURL = sums
			return second(c.Authenticate(ctx, pkg))
		}},
		{"archive", func(c *registry.Client, host, _ string, _ *url.URL, w io.Writer) error {
			return second(c.Download(ctx, pkg(registry.FromRegistry, host), w))
		}},
		{"file", func(c *registry.Client, host, dir string, _ *url.URL, _ io.Writer) error {
			return second(c.DownloadFile(ctx, pkg(registry.FromNetworkMirror, host), filepath.Join(dir, "x.zip")))
		}},
		{"all of a package", func(c *registry.Client, host, dir string, _ *url.URL, _ io.Writer) error {
			return second(c.Fetch(ctx, pkg(registry.FromRegistry, host), filepath.Join(dir, "x.zip")))
		}},
		{"install", func(c *registry.Client, host, dir string, _ *url.URL, _ io.Writer) error {
			err := second(c.Install(ctx, pkg(registry.FromNetworkMirror, host), filepath.Join(dir, "x"), nil))
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				return fmt.Errorf("left behind: %v", left)
			}
			return err
		}},
		{"mirror's versions", func(c *registry.Client, host, _ string, _ *url.URL, _ io.Writer) error {
			return second(mirror(c, host).Versions(ctx, p))
		}},
		{"mirror's package", func(c *registry.Client, host, _ string, _ *url.URL, _ io.Writer) error {
			return second(mirror(c, host).Package(ctx, p, v100, linux))
		}},
		{"module's versions", func(c *registry.Client, _, _ string, _ *url.URL, _ io.Writer) error {
			return second(c.ModuleVersions(ctx, m))
		}},
		{"module's location", func(c *registry.Client, _, _ string, _ *url.URL, _ io.Writer) error {
			return second(c.ModuleLocation(ctx, m, v100))
		}},
		{"module's archive", func(c *registry.Client, host, _ string, _ *url.URL, w io.Writer) error {
			return second(c.DownloadModule(ctx, &registry.ModuleLocation{Source: at(host).String(), Direct: true}, w))
		}},
	}
}

// A capped writer remembers that more was written than may be.
type capped struct{ left int64 }

func (w *capped) Write(p []byte) (int, error) {
	w.left -= int64(len(p))
	return len(p), nil
}

// scenario makes one call of one server, and says what is wrong with the outcome.
func scenario(s conduct, c call, host, dir string, sums *url.URL, transport *http.Transport) error {
	client := &registry.Client{
		HTTP: &http.Client{Transport: transport}, Retry: registry.Retry{Attempts: 2, Delay: time.Millisecond},
		Services: map[string]map[string]string{"registry.example.org": {registry.ProvidersV1: "https://" + host + "/bad/", registry.ModulesV1: "https://" + host + "/bad/"}},
		Limits:   registry.Limits{Discovery: 64 << 10, Metadata: 64 << 10, Checksums: 64 << 10, Signature: 64 << 10, Package: 64 << 10, Timeout: 5 * time.Minute, Stall: 5 * time.Minute},
	}
	if s.slow {
		client.Limits.Timeout, client.Limits.Stall = 150*time.Millisecond, 150*time.Millisecond
	}
	w := &capped{64 << 10}
	done := make(chan error, 1)
	go func() { done <- c.do(client, host, dir, sums, w) }()
	var err error
	select {
	case err = <-done:
	case <-time.After(20 * time.Minute):
		return errors.New("does not end")
	}
	var e *registry.Error
	cause := func(want error) bool { return errors.Is(err, want) }
	switch {
	case w.left < 0:
		return fmt.Errorf("%d bytes beyond the limit were written", -w.left)
	case err == nil && !(s.fits && c.name == "module's archive"):
		return errors.New("no error")
	case err != nil && !errors.As(err, &e):
		return fmt.Errorf("not an *Error: %w", err)
	case err != nil && len(s.want) > 0 && !slices.ContainsFunc(s.want, cause):
		return fmt.Errorf("another error: %w", err)
	case len(fmt.Sprint(err)) > 2000:
		return fmt.Errorf("a text of %d bytes", len(err.Error()))
	}
	return nil
}

// Whatever a server does, a call without a deadline ends with an error that says why, writes no more than the limit,
// and leaves nothing behind. By default, each call meets one server in five.
func TestScenarios(t *testing.T) {
	good := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%s  x.zip\n", strings.Repeat("ab", 32))
	}))
	defer good.Close()
	sums := mustURL(t, good.URL)
	transport := good.Client().Transport.(*http.Transport)
	every := depth.Of(5, 1, 1)
	var wg sync.WaitGroup
	slots := make(chan struct{}, 48)
	count := 0
	for i, s := range conducts() {
		host := serveConduct(t, good.TLS.Certificates[0], s)
		for j, c := range calls() {
			if (i+j)%every != 0 {
				continue
			}
			count++
			dir := t.TempDir()
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				if err := scenario(s, c, host, dir, sums, transport); err != nil {
					t.Errorf("%s, %s: %v", s.name, c.name, err)
				}
			})
		}
	}
	wg.Wait()
	t.Logf("%d scenarios", count)
	if count < 122 {
		t.Errorf("%d scenarios", count)
	}
}
