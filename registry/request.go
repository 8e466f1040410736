// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// A request is one GET of a document.
type request struct {
	op        string
	url       *url.URL
	accept    string // Accept header, or ""
	host      string // the host of the token to send, or "" for none
	login     string // the Authorization header if there is no token, or ""
	mediaType string // required of a 200, or "" for any
	limit     int64  // of the body
	once      bool   // never retry
	elements  int    // the limit for a JSON answer, or 0 for maxElements
}

// A response is the answer to a request, whole and within its limit.
type response struct {
	url    *url.URL // the final one, after redirects
	status int
	header http.Header
	body   []byte
	note   string // about credentials, for an error
}

// get sends r, repeatedly if necessary, and returns the answer with any status.
// The error is an *Error.
func (c *Client) get(ctx context.Context, r request) (*response, error) {
	limits, retry := c.Limits.withDefaults(), c.Retry.withDefaults()
	if r.once {
		retry.Attempts = 1
	}
	for n := 1; ; n++ {
		resp, err := c.attempt(ctx, r, limits)
		if err == nil && !retryStatus(resp.status) {
			return resp, nil
		}
		if err == nil {
			err = c.statusError(r, resp)
		}
		e := c.wrap(r, err)
		e.Attempts = n
		if err := ctx.Err(); err != nil {
			e.Err = context.Cause(ctx)
			return nil, e
		}
		if n >= retry.Attempts || !e.Temporary() {
			return nil, e
		}
		if e.RetryAfter > retry.MaxDelay {
			e.Err = tooLongWait(retry, e.Err)
			return nil, e
		}
		if err := sleep(ctx, max(retry.wait(n), e.RetryAfter)); err != nil {
			e.Err = err
			return nil, e
		}
	}
}

// tooLongWait explains that err is final, because the server asks for a longer
// wait than the client may take.
func tooLongWait(retry Retry, err error) error {
	if errors.Is(err, ErrRateLimited) {
		return fmt.Errorf("%w: not repeated, because the server asks for a longer wait than %s", err, retry.MaxDelay)
	}
	return fmt.Errorf("%w: not repeated, because the server asks for a longer wait than %s: %w", ErrRateLimited, retry.MaxDelay, err)
}

// attempt sends r once, and reads the answer.
func (c *Client) attempt(ctx context.Context, r request, limits Limits) (*response, error) {
	release, err := c.requestSlot(ctx, r.url)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeoutCause(ctx, limits.Timeout, fmt.Errorf("no complete response within %s: %w", limits.Timeout, context.DeadlineExceeded))
	defer cancel()
	header := http.Header{}
	if r.accept != "" {
		header.Set("Accept", r.accept)
	}
	var note string
	if r.host != "" {
		if note, err = c.authorize(ctx, header, r.host, r.url); err != nil {
			return nil, err
		}
	}
	if login := cmp.Or(r.login, userOf(r.url)); login != "" && header.Get("Authorization") == "" {
		header.Set("Authorization", login)
		note = "the user and password of the URL were sent"
	}
	resp, last, err := c.send(ctx, r.url, header, nil, limits.Redirects)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, err
	}
	defer resp.Body.Close()
	out := &response{url: last, status: resp.StatusCode, header: resp.Header, note: note}
	if resp.StatusCode != http.StatusOK {
		// The text of an error is only a courtesy: a part that cannot be read
		// is left out.
		out.body, _ = io.ReadAll(io.LimitReader(resp.Body, 16<<10))
		return out, nil
	}
	if r.mediaType != "" {
		if err := checkMediaType(resp.Header.Get("Content-Type"), r.mediaType); err != nil {
			return nil, &Error{Op: r.op, Method: http.MethodGet, URL: displayURL(last), Status: resp.StatusCode, Err: err}
		}
	}
	if resp.ContentLength > r.limit {
		return nil, tooLarge(r.limit)
	}
	body, err := readAll(resp.Body, r.limit, resp.ContentLength)
	// When a request is cancelled, the server may see that first and end its
	// answer properly. A body that ended well may therefore be incomplete.
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		return nil, err
	}
	out.body = body
	return out, nil
}

// readAll reads r to its end, or fails with ErrLimit. The buffer grows with the
// data that arrives, not with the length in a header.
func readAll(r io.Reader, limit, hint int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(hint, 0), limit, 64<<10)) + bytes.MinRead)
	if _, err := io.Copy(&b, io.LimitReader(r, limit+1)); err != nil {
		return nil, fmt.Errorf("the response ended early: %w", withoutURL(err))
	}
	if int64(b.Len()) > limit {
		return nil, tooLarge(limit)
	}
	return b.Bytes(), nil
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: the limit is %d bytes", ErrLimit, limit)
}

// send sends a GET for u and follows redirects by the rules of this package: at
// most limit, never from https to http, never to another kind of URL, and
// without the Authorization header once the origin has changed, even if it
// changes back. For a new origin, auth (if not nil) gives a header of its own.
// send returns the answer and the URL that gave it.
func (c *Client) send(ctx context.Context, u *url.URL, header http.Header, auth func(*url.URL) string, limit int) (*http.Response, *url.URL, error) {
	client := c.client()
	check := client.CheckRedirect
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	agent := c.UserAgent
	if agent == "" {
		agent = "tofuwire"
	}
	header = header.Clone()
	header.Set("User-Agent", agent)

	var via []*http.Request
	for {
		if err := c.checkURL(u); err != nil {
			return nil, nil, err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, nil, withoutURL(err)
		}
		req.Header = header
		if len(via) > 0 && check != nil {
			if err := check(req, via); err != nil {
				return nil, nil, fmt.Errorf("%w: %w", ErrRedirect, err)
			}
		}
		resp, err := c.traffic.openings.do(&client, req)
		if err != nil {
			return nil, nil, withoutURL(err)
		}
		if !slices.Contains([]int{301, 302, 303, 307, 308}, resp.StatusCode) {
			return resp, u, nil
		}
		// A short body is read to its end so that the connection can serve
		// the next request.
		io.CopyN(io.Discard, resp.Body, 4<<10)
		resp.Body.Close()
		via = append(via, req)
		if len(via) > limit {
			return nil, nil, fmt.Errorf("%w: more than %d in a row", ErrRedirect, limit)
		}
		next, err := parseURL(u, resp.Header.Get("Location"))
		if err != nil {
			return nil, nil, fmt.Errorf("%w: status %d without a usable Location", ErrRedirect, resp.StatusCode)
		}
		if u.Scheme == "https" && next.Scheme == "http" {
			return nil, nil, fmt.Errorf("%w: %w: from https to %s", ErrRedirect, ErrInsecure, displayURL(next))
		}
		if origin(next) != origin(u) {
			header = header.Clone()
			header.Del("Authorization")
			if auth != nil {
				if a := auth(next); a != "" {
					header.Set("Authorization", a)
				}
			}
		}
		u = next
	}
}

// checkURL returns an error if u is a URL that this package does not request.
func (c *Client) checkURL(u *url.URL) error {
	if err := checkForm(u); err != nil {
		return fmt.Errorf("%w: %w", ErrBadResponse, err)
	}
	return c.checkTLS(u)
}

// checkForm returns an error if requests cannot be sent to u. User information becomes basic
// authentication (net/http sends it if there is no other), as in the tools.
func checkForm(u *url.URL) error {
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("the scheme %q is neither https nor http", printable.Line(u.Scheme, 40))
	case u.Host == "" || u.Hostname() == "":
		return errors.New("a URL without a host")
	}
	return nil
}

// takeUser removes the user information of u, which becomes basic authentication for its
// origin. It returns the header, or "".
func takeUser(u *url.URL) string {
	login := userOf(u)
	u.User = nil
	return login
}

// userOf returns the header for the user information of u, or "".
func userOf(u *url.URL) string {
	if u.User == nil {
		return ""
	}
	password, _ := u.User.Password()
	return basicAuthorization(u.User.Username(), password)
}

// checkTLS refuses a URL without TLS, unless the caller accepts it.
func (c *Client) checkTLS(u *url.URL) error {
	if u.Scheme == "http" && !c.AllowHTTP {
		return fmt.Errorf("%w: %s has no TLS", ErrInsecure, displayURL(u))
	}
	return nil
}

// origin returns the scheme, host and port of u in one spelling.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// sleep waits for d, or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// checkMediaType compares a Content-Type, without its parameters, with the
// wanted one.
func checkMediaType(got, want string) error {
	mt, _, err := mime.ParseMediaType(got)
	if err == nil && mt == want {
		return nil
	}
	return fmt.Errorf("%w: the content type is %q, not %s", ErrBadResponse, printable.Line(got, 80), want)
}

// wrap makes err an *Error about r. It is always a new one, because err may be
// the cause of a context that the caller of this package also has.
func (c *Client) wrap(r request, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		e := *e
		return &e
	}
	return &Error{Op: r.op, Method: http.MethodGet, URL: displayURL(r.url), Err: err}
}

// statusError turns an answer that is not 200 into an *Error with the cause for
// its status.
func (c *Client) statusError(r request, resp *response) *Error {
	e := &Error{
		Op: r.op, Method: http.MethodGet, URL: displayURL(r.url), Status: resp.status,
		Messages: messages(resp.header.Get("Content-Type"), resp.body),
	}
	switch resp.status {
	case http.StatusNotFound:
		e.Err = ErrNotFound
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Err = fmt.Errorf("%w: %s", ErrUnauthorized, resp.note)
		if resp.note == "" {
			e.Err = fmt.Errorf("%w: no credentials are sent for this", ErrUnauthorized)
		}
	case http.StatusTooManyRequests:
		e.Err = ErrRateLimited
	default:
		e.Err = errors.New("unexpected status")
	}
	if retryStatus(resp.status) {
		e.RetryAfter = retryAfter(resp.header.Get("Retry-After"), time.Now())
	}
	return e
}

// retryAfter reads a Retry-After header (RFC 9110, section 10.2.3): a number of
// seconds, or a date. The number may be larger than any number here and may
// have a fraction. An invalid header gives 0.
func retryAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	whole, fraction, _ := strings.Cut(s, ".")
	if isDigits(whole) && (fraction == "" || isDigits(fraction)) {
		seconds, err := strconv.ParseFloat(s, 64)
		if limit := math.MaxInt64 / float64(time.Second); err != nil || seconds >= limit {
			return math.MaxInt64
		}
		return time.Duration(seconds * float64(time.Second))
	}
	if t, err := http.ParseTime(s); err == nil && t.After(now) {
		// Round up to a whole second, so it is never too early.
		return (t.Sub(now) + time.Second - 1).Truncate(time.Second)
	}
	return 0
}

// isDigits reports whether s is a decimal number.
func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
