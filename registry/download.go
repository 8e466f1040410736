// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Download describes the data that arrived.
type Download struct {
	// Size is in bytes, and SHA256 in 64 hexadecimal digits in lower case.
	Size   int64
	SHA256 string

	// Attempts counts the requests that were sent.
	Attempts int
}

// Hash returns the zh hash of a zip: "zh:" and SHA256.
func (d *Download) Hash() addrs.Hash {
	if d == nil {
		return ""
	}
	return zhOf(d.SHA256)
}

// Download writes the zip of pkg to w, byte by byte in order. It also checks
// the size and the SHA-256, if the source states them. The package may be
// local, but must not be unpacked.
//
// A download that breaks off is resumed where it stopped. If the server
// supports range requests, Download uses one; otherwise it reads past the bytes
// that it already has, provided that they are still the same. It never writes a
// byte to w twice. At most [Client.Downloads] run at once; further ones wait.
//
// If there is an error, the data in w must not be used. The error is
// addrs.ErrMismatch if the bytes are not those that the source states,
// ErrLimit, ErrStalled, or that of the request or of w.
func (c *Client) Download(ctx context.Context, pkg *Package, w io.Writer) (*Download, error) {
	return c.download(ctx, pkg, w, nil)
}

// DownloadFile is like [Client.Download], but writes to the file called
// filename, in a directory that must exist. While incomplete, the file is
// called filename + ".part". DownloadFile continues such a file from an earlier
// run; if the result is wrong, it downloads everything again. The file appears
// under its own name only if all checks pass; otherwise an older file of that
// name stays untouched. Concurrent calls must not use the same name.
func (c *Client) DownloadFile(ctx context.Context, pkg *Package, filename string) (*Download, error) {
	part := filename + ".part"
	f, left, err := openPart(part)
	if err != nil {
		return nil, &Error{Op: "download", URL: part, Err: err}
	}
	defer f.Close()
	var d *Download
	// A leftover can only be continued if its end can be checked.
	if left > 0 && pkg.SHA256 != "" {
		d, err = c.download(ctx, pkg, f, f)
		if err != nil && !errors.Is(err, addrs.ErrMismatch) && !errors.Is(err, ErrLimit) {
			return nil, err
		}
	}
	if d == nil {
		if err := cmp.Or(f.Truncate(0), seekStart(f)); err != nil {
			return nil, &Error{Op: "download", URL: part, Err: err}
		}
		if d, err = c.download(ctx, pkg, f, nil); err != nil {
			if errors.Is(err, addrs.ErrMismatch) || errors.Is(err, ErrLimit) {
				f.Close()
				os.Remove(part)
			}
			return nil, err
		}
	}
	if err := f.Close(); err != nil {
		return nil, &Error{Op: "download", URL: part, Err: err}
	}
	if err := os.Rename(part, filename); err != nil {
		return nil, &Error{Op: "download", URL: filename, Err: err}
	}
	return d, nil
}

// openPart opens or creates the file for an incomplete download, and returns
// its size. It does not follow a symbolic link that another user may have put
// there.
func openPart(name string) (*os.File, int64, error) {
	before, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		return f, 0, err
	}
	if err != nil {
		return nil, 0, err
	}
	if !before.Mode().IsRegular() {
		return nil, 0, errors.New("not a regular file")
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, 0, err
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = errors.New("the file changed while it was opened")
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, after.Size(), nil
}

func seekStart(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// DownloadModule writes the archive at a direct module location to w. It sends
// the registry's token if the location asks for it and is at the registry's own
// origin (or SendToken permits it). User information in Source becomes HTTP basic
// authentication for its origin. Nothing verifies the bytes.
//
// If the location is not Direct, DownloadModule returns an error: the caller
// must fetch it. Other errors are as in [Client.Download]; the data in w must
// not be used then.
func (c *Client) DownloadModule(ctx context.Context, loc *ModuleLocation, w io.Writer) (*Download, error) {
	if loc == nil {
		loc = &ModuleLocation{}
	}
	u, err := url.Parse(loc.Source)
	if err != nil || !loc.Direct {
		return nil, &Error{Op: "download", Err: errors.New("not a direct module location")}
	}
	t := &transfer{c: c, pkg: &Package{URL: u}, w: w, hash: sha256.New()}
	t.login = takeUser(u)
	if loc.UseCredentials {
		t.host = loc.host
	}
	return t.run(ctx)
}

// download fetches pkg. If prefix is not nil, it has the beginning of the
// package and is read first; w continues it.
func (c *Client) download(ctx context.Context, pkg *Package, w io.Writer, prefix io.Reader) (*Download, error) {
	if pkg == nil {
		return nil, &Error{Op: "download", Err: errNoPackage}
	}
	if pkg.Unpacked {
		return nil, &Error{Op: "download", URL: pkg.Path, Err: errors.New("the package is an unpacked directory, not a zip")}
	}
	t := &transfer{c: c, pkg: pkg, w: w, hash: sha256.New(), login: pkg.login}
	if prefix != nil {
		n, err := io.Copy(t.hash, &contextReader{ctx, prefix})
		if err != nil {
			return nil, &Error{Op: "download", URL: pkg.location(), Err: err}
		}
		t.done = n
	}
	return t.run(ctx)
}

// A transfer is one download over one or several attempts.
type transfer struct {
	c    *Client
	pkg  *Package
	w    io.Writer
	hash hash.Hash // of everything that was written to w
	host string    // the host of the token to send, or ""

	login string // the Authorization header for the origin of pkg, or ""

	done     int64  // bytes written to w
	total    int64  // of the whole, or -1
	etag     string // strong validator of the first answer, or ""
	noRange  bool   // the server does not support ranges well
	reported int64  // bytes at the last call of Progress
	werr     error  // error of w
	pace     *pace  // over all attempts
	watch    func(pkg *Package, done, total int64)
}

// A chunk is the number of bytes read at once.
const chunk = 32 << 10

// maxAttempts bounds a transfer that makes a little progress each time.
const maxAttempts = 10_000

func (t *transfer) run(ctx context.Context) (*Download, error) {
	from := "" // the local disk
	switch {
	case t.pkg.Open != nil:
		from = t.pkg.Source
	case t.pkg.URL != nil:
		from = origin(t.pkg.URL)
	}
	release, err := t.c.downloadSlot(ctx, from)
	if err != nil {
		return nil, t.wrap(err)
	}
	defer release()
	limits, retry := t.c.Limits.withDefaults(), t.c.Retry.withDefaults()
	t.watch, _ = ctx.Value(progressKey{}).(func(pkg *Package, done, total int64))
	t.total = -1
	if t.pkg.Size > 0 {
		t.total = t.pkg.Size
	}
	if t.total > limits.Package || t.done > limits.Package {
		return nil, t.wrap(tooLarge(limits.Package))
	}
	t.progress(true)
	if t.pkg.URL == nil && t.pkg.Open == nil {
		if err := t.copyFile(ctx, limits); err != nil {
			return nil, t.wrap(err)
		}
		return t.finish(1)
	}
	if t.done > 0 && hex.EncodeToString(t.hash.Sum(nil)) == t.pkg.SHA256 {
		return t.finish(0) // an earlier run had the whole zip
	}
	t.pace = newPace(limits)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer t.pace.watch(cancel)()
	if limits.Total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limits.Total, fmt.Errorf("%w: not complete after %s", ErrStalled, limits.Total))
		defer cancel()
	}
	idle := 0
	for n := 1; ; n++ {
		before := t.done
		err := t.attempt(ctx, limits)
		if err == nil {
			return t.finish(n)
		}
		e := t.wrap(err)
		e.Attempts = n
		if ctx.Err() != nil {
			e.Err = context.Cause(ctx)
			return nil, e
		}
		if idle++; t.done >= before+stallBytes {
			idle = 1
		}
		if idle >= retry.Attempts || n >= maxAttempts || t.werr != nil || !e.Temporary() {
			return nil, e
		}
		if e.RetryAfter > retry.MaxDelay {
			e.Err = tooLongWait(retry, e.Err)
			return nil, e
		}
		if e.RetryAfter > 0 {
			t.pace.pause()
		}
		err = sleep(ctx, max(retry.wait(idle), e.RetryAfter))
		if e.RetryAfter > 0 {
			t.pace.resume()
		}
		if err != nil {
			e.Err = err
			return nil, e
		}
	}
}

// finish compares the written data with the size and the hash that the source
// states.
func (t *transfer) finish(attempts int) (*Download, error) {
	t.progress(true)
	d := &Download{Size: t.done, SHA256: hex.EncodeToString(t.hash.Sum(nil)), Attempts: attempts}
	switch {
	case t.pkg.Size > 0 && d.Size != t.pkg.Size:
		return nil, t.wrap(fmt.Errorf("%w: %d bytes, but the source says %d", addrs.ErrMismatch, d.Size, t.pkg.Size))
	case t.pkg.SHA256 != "" && d.SHA256 != t.pkg.SHA256:
		return nil, t.wrap(fmt.Errorf("%w: SHA-256 %s, but the source says %s", addrs.ErrMismatch, d.SHA256, t.pkg.SHA256))
	}
	return d, nil
}

func (t *transfer) wrap(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		e := *e // see Client.wrap
		if t.pkg.Provider.IsValid() && e.For == "" {
			e.For = t.pkg.Provider.ForDisplay()
		}
		return &e
	}
	e := &Error{Op: "download", URL: t.pkg.location(), Err: err}
	if t.pkg.Provider.IsValid() {
		e.For = t.pkg.Provider.ForDisplay()
	}
	switch {
	case t.pkg.Open != nil:
		e.Attempts = 1
	case t.pkg.URL != nil:
		e.Method, e.Attempts = http.MethodGet, 1
	}
	return e
}

// header returns the header of the next request. It asks for the rest of a download
// that was cut off, if the server can show that it is the rest of the same file.
func (t *transfer) header(ctx context.Context) (http.Header, error) {
	// Compression by the server would change the bytes that are hashed, and a
	// zip is compressed already.
	header := http.Header{"Accept-Encoding": {"identity"}}
	if t.host != "" {
		if _, err := t.c.authorize(ctx, header, t.host, t.pkg.URL); err != nil {
			return nil, err
		}
	} else if a := cmp.Or(t.login, userOf(t.pkg.URL), t.authorization(t.pkg.URL)); a != "" {
		header.Set("Authorization", a)
	}
	if t.done > 0 && !t.noRange && (t.etag != "" || t.pkg.SHA256 != "") {
		header.Set("Range", "bytes="+strconv.FormatInt(t.done, 10)+"-")
		if t.etag != "" {
			header.Set("If-Range", t.etag)
		}
	}
	return header, nil
}

// attempt sends one request for the rest of the package and copies it.
func (t *transfer) attempt(ctx context.Context, limits Limits) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	guard := newStallGuard(limits.Stall, t.pace, cancel)
	defer guard.stop()
	if t.pkg.Open != nil {
		return t.attemptOpen(ctx, limits, guard)
	}
	header, err := t.header(ctx)
	if err != nil {
		return err
	}
	ranged := header.Get("Range") != ""
	resp, last, err := t.c.send(ctx, t.pkg.URL, header, t.authorization, limits.Redirects)
	if err != nil {
		return causeOf(ctx, err)
	}
	defer resp.Body.Close()
	total := resp.ContentLength
	body := io.Reader(resp.Body)
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") && resp.StatusCode == http.StatusOK {
		// Stores keep this header with an object, and send it whatever was asked for.
		t.noRange, total = true, -1
		if body, err = gzip.NewReader(resp.Body); err != nil {
			return fmt.Errorf("the response is not compressed as it says: %w", causeOf(ctx, err))
		}
	}
	skip := int64(0)
	switch resp.StatusCode {
	case http.StatusOK:
		skip = t.done
		if e := resp.Header.Get("Etag"); strings.HasPrefix(e, `"`) {
			t.etag = e
		}
	case http.StatusPartialContent:
		from, size, ok := contentRange(resp.Header.Get("Content-Range"))
		if !ranged || !ok || from != t.done {
			t.noRange = true
			return errors.New("the response contains a part other than the requested one")
		}
		total = size
	case http.StatusRequestedRangeNotSatisfiable:
		if ranged {
			t.noRange = true
			return errors.New("the server cannot continue the download")
		}
		fallthrough
	default:
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 16<<10))
		r := request{op: "download", url: last}
		note := ""
		if header.Get("Authorization") != "" {
			note = "an authorization was sent to the first server"
		}
		return t.c.statusError(r, &response{url: last, status: resp.StatusCode, header: resp.Header, body: body, note: note})
	}
	if total > limits.Package {
		return tooLarge(limits.Package)
	}
	if t.pkg.Size > 0 && total >= 0 && total != t.pkg.Size {
		return fmt.Errorf("%w: the server has %d bytes, the source says %d", addrs.ErrMismatch, total, t.pkg.Size)
	}
	if t.total < 0 {
		t.total = total
	}
	if skip > 0 {
		if err := t.skip(body, skip, guard); err != nil {
			// See Client.attempt: a cancelled answer can look too short.
			return cmp.Or(context.Cause(ctx), err)
		}
	}
	if err := t.copy(body, limits, guard); err != nil {
		return causeOf(ctx, err)
	}
	// See Client.attempt: a cancelled answer can look complete.
	guard.stop()
	return context.Cause(ctx)
}

// attemptOpen is attempt for a package of a source outside of this package.
func (t *transfer) attemptOpen(ctx context.Context, limits Limits, guard *stallGuard) error {
	body, err := t.pkg.Open(ctx, t.done)
	if err != nil {
		return causeOf(ctx, err)
	}
	defer body.Close()
	// A reader that ignores the context is abandoned when the context ends.
	stop := context.AfterFunc(ctx, func() { body.Close() })
	defer stop()
	if err := t.copy(body, limits, guard); err != nil {
		return causeOf(ctx, err)
	}
	guard.stop()
	return context.Cause(ctx)
}

// authorization returns the caller's DownloadAuthorization for u, or "".
func (t *transfer) authorization(u *url.URL) string {
	if t.c.DownloadAuthorization == nil || t.host != "" {
		return ""
	}
	return t.c.DownloadAuthorization(u)
}

// causeOf returns the cause of the end of ctx if it ended, and otherwise err.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(err, addrs.ErrMismatch) {
		return cause
	}
	return err
}

// skip reads past the first n bytes, which are already written. They must be
// the same as before, or the result would mix two different files.
func (t *transfer) skip(r io.Reader, n int64, guard *stallGuard) error {
	again := sha256.New()
	switch _, err := io.CopyN(again, guard.reader(r), n); {
	case err == io.EOF:
		return fmt.Errorf("%w: the package is shorter than the part that an earlier attempt downloaded", addrs.ErrMismatch)
	case err != nil:
		return fmt.Errorf("the download ended early: %w", err)
	}
	if !bytes.Equal(again.Sum(nil), t.hash.Sum(nil)) {
		return fmt.Errorf("%w: the package changed between two attempts", addrs.ErrMismatch)
	}
	return nil
}

// copy copies r to w, up to the limit.
func (t *transfer) copy(r io.Reader, limits Limits, guard *stallGuard) error {
	limit := limits.Package
	if t.pkg.Size > 0 {
		limit = t.pkg.Size
	}
	buf := make([]byte, chunk)
	body := guard.reader(r)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if t.done+int64(n) > limit {
				if t.pkg.Size > 0 {
					return fmt.Errorf("%w: more than the %d bytes that the source says", addrs.ErrMismatch, t.pkg.Size)
				}
				return tooLarge(limit)
			}
			guard.pause()
			written, werr := t.w.Write(buf[:n])
			guard.resume()
			if werr == nil && written < n {
				werr = io.ErrShortWrite
			}
			if werr != nil {
				t.werr = werr
				return werr
			}
			t.hash.Write(buf[:n])
			t.done += int64(n)
			t.progress(false)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the download ended early, at byte %d: %w", t.done, withoutURL(err))
		}
	}
}

// progress calls the caller's Progress and that of the context: always, or only if
// it is time.
func (t *transfer) progress(always bool) {
	if t.c.Progress == nil && t.watch == nil || !always && t.done < t.reported+256<<10 {
		return
	}
	t.reported = t.done
	if t.c.Progress != nil {
		t.c.Progress(t.pkg, t.done, t.total)
	}
	if t.watch != nil {
		t.watch(t.pkg, t.done, t.total)
	}
}

type progressKey struct{}

// WithProgress returns a context that makes downloads call f, as the field
// Progress of [Client] does for all downloads of a Client. If both are set,
// both are called. Concurrent downloads call f concurrently.
func WithProgress(ctx context.Context, f func(pkg *Package, done, total int64)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// copyFile copies the zip of a filesystem mirror.
func (t *transfer) copyFile(ctx context.Context, limits Limits) error {
	f, err := os.Open(t.pkg.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("not a regular file")
	case info.Size() > limits.Package:
		return tooLarge(limits.Package)
	}
	t.total = info.Size()
	if _, err := f.Seek(t.done, io.SeekStart); err != nil {
		return err
	}
	return t.copy(&contextReader{ctx, f}, limits, newStallGuard(time.Hour, nil, nil))
}

// A contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}

// contentRange reads the header "bytes FROM-TO/SIZE". The size is -1 if the
// header does not state it.
func contentRange(s string) (from, size int64, ok bool) {
	s, ok = strings.CutPrefix(s, "bytes ")
	if !ok {
		return 0, 0, false
	}
	span, all, _ := strings.Cut(s, "/")
	first, last, _ := strings.Cut(span, "-")
	from, err := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	if err != nil || err2 != nil || from < 0 || to < from {
		return 0, 0, false
	}
	if all == "*" {
		return from, -1, true
	}
	size, err = strconv.ParseInt(all, 10, 64)
	return from, size, err == nil && size > to
}
