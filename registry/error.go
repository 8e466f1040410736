// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// The causes that a caller may want to branch on, for use with [errors.Is].
var (
	// ErrNotFound means that the registry or mirror answered that it has no
	// such provider, module or version (status 404).
	ErrNotFound = errors.New("not found")

	// ErrNoService means that the host exists but does not offer the wanted
	// protocol, or only in another version.
	ErrNoService = errors.New("the host does not offer this service")

	// ErrUnauthorized means status 401 or 403. The text says whether
	// credentials were sent.
	ErrUnauthorized = errors.New("unauthorized")

	// ErrRateLimited means status 429, or a Retry-After that is longer than the
	// client may wait. [Error.RetryAfter] is the delay that the server
	// requested.
	ErrRateLimited = errors.New("rate limited")

	// ErrUnsupportedPlatform means that the version exists, but has no
	// package for the platform.
	ErrUnsupportedPlatform = errors.New("no package for this platform")

	// ErrUnsupportedProtocol means that the package speaks no provider
	// protocol that [Client.Protocols] allows.
	ErrUnsupportedProtocol = errors.New("unsupported provider protocol")

	// ErrBadSignature means that the signature of a checksum document is wrong,
	// or is by a revoked key, an unknown key or (unless accepted) an expired
	// key.
	ErrBadSignature = errors.New("bad signature")

	// ErrUnsigned means that no signing key was published although the policy
	// requires one.
	ErrUnsigned = errors.New("not signed")

	// ErrBadResponse means that a response does not follow the protocol:
	// garbage instead of JSON, a missing member, a wrong media type.
	ErrBadResponse = errors.New("bad response")

	// ErrLimit means that a response or a package is larger than its limit
	// in [Limits].
	ErrLimit = errors.New("too large")

	// ErrInsecure means a URL that would not be protected by TLS, or a
	// redirect that leaves TLS.
	ErrInsecure = errors.New("insecure URL")

	// ErrRedirect means too many redirects, or one without a usable target.
	ErrRedirect = errors.New("bad redirect")

	// ErrStalled means that a download delivered too few bytes for too long.
	ErrStalled = errors.New("stalled")

	// ErrUnsafeArchive means a zip that must not be unpacked: it would write
	// outside its directory, or grow beyond the limits.
	ErrUnsafeArchive = errors.New("unsafe archive")

	// ErrForbiddenAddress means that [PublicOnly] refused to connect to an
	// internal address.
	ErrForbiddenAddress = errors.New("internal network address")
)

// An Error says what went wrong in a call to a registry or a mirror: which
// request, what the server answered and, if the answer could not be decoded,
// the place. Every error of this package about a request or a document is an
// *Error.
type Error struct {
	// Op names the step: "discovery", "versions", "package", "checksums",
	// "signature", "download", "modules", "mirror", "credentials", "unpack",
	// "configuration".
	Op string

	// For is the provider or module that the call was about, as people write
	// it, or "".
	For string

	// Method and URL are those of the request. The URL has no user information
	// and no query values, because these can be secrets. For an error about a
	// local file, URL is its name.
	Method, URL string

	// Status is the HTTP status, or 0 if there was no response.
	Status int

	// Messages are the messages of the registry, at most five. Control characters and other
	// invisible characters are removed.
	Messages []string

	// Attempts counts the requests that were made.
	Attempts int

	// RetryAfter is how long the server asked to wait, or 0. It is as the
	// server stated it, even if the client does not wait that long.
	RetryAfter time.Duration

	// Offset, Line and Column are the place in the response where decoding
	// stopped: Offset in bytes from 0, the others from 1. Line is 0 if the
	// error has no place. Column counts bytes.
	Offset       int64
	Line, Column int

	// Pointer is the JSON pointer (RFC 6901) of the member at fault, or "".
	Pointer string

	// Err is the cause. It is never nil.
	Err error
}

// Error returns one line with the request, the status, the place, the cause,
// the registry's messages, and advice on when to retry. Whatever the cause is, its
// text is shown without control characters, and without the user information and the
// queries of URLs in it.
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("registry: ")
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	if e.For != "" {
		b.WriteString(e.For)
		b.WriteString(": ")
	}
	if e.URL != "" {
		if e.Method != "" {
			b.WriteString(e.Method)
			b.WriteByte(' ')
		}
		b.WriteString(printable.Input("", e.URL))
		b.WriteString(": ")
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, "%d %s: ", e.Status, http.StatusText(e.Status))
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d, column %d", e.Line, e.Column)
		if e.Pointer != "" {
			fmt.Fprintf(&b, " (%s)", e.Pointer)
		}
		b.WriteString(": ")
	} else if e.Pointer != "" {
		fmt.Fprintf(&b, "%s: ", e.Pointer)
	}
	b.WriteString(printable.URLs(printable.Line(fmt.Sprint(e.Err), maxErrorText)))
	if len(e.Messages) > 0 {
		fmt.Fprintf(&b, " (the server says: %s)", printable.URLs(strings.Join(e.Messages, "; ")))
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	if e.RetryAfter > 0 {
		if e.RetryAfter < 1000*time.Hour {
			fmt.Fprintf(&b, " (try again in %s)", e.RetryAfter)
		} else {
			b.WriteString(" (try again in more than 1000 hours)")
		}
	}
	return b.String()
}

// about returns err with the provider or module that was asked for. It adds the
// name to a copy, because errors may be shared with other callers.
func about(name string, err error) error {
	e, ok := err.(*Error)
	if !ok || e.For != "" {
		return err
	}
	named := *e
	named.For = printable.Line(name, 200)
	return &named
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Temporary reports whether the same call may succeed later without any
// change: the server was busy, slow, broken or not reachable.
func (e *Error) Temporary() bool {
	if e == nil {
		return false
	}
	if errors.Is(e.Err, context.Canceled) || e.Op == "credentials" {
		return false
	}
	if e.Status != 0 {
		return retryStatus(e.Status) || errors.Is(e.Err, ErrStalled)
	}
	return e.Attempts > 0 && !permanent(e.Err)
}

// permanent reports whether err is a decision of this package rather than an
// accident.
func permanent(err error) bool {
	for _, p := range []error{
		ErrNotFound, ErrNoService, ErrUnauthorized, ErrUnsupportedPlatform, ErrUnsupportedProtocol,
		addrs.ErrMismatch, ErrBadSignature, ErrUnsigned, ErrBadResponse, ErrLimit, ErrInsecure,
		ErrRedirect, ErrUnsafeArchive, ErrForbiddenAddress,
	} {
		if errors.Is(err, p) {
			return true
		}
	}
	return false
}

// retryStatus reports whether a response of this status is worth another try,
// by OpenTofu's rule: 429, and 5xx except 501.
func retryStatus(status int) bool {
	return status == http.StatusTooManyRequests || status >= 500 && status != http.StatusNotImplemented
}

// displayURL returns u for messages: without user information, and without
// the values of the query, where signed URLs carry their secrets.
func displayURL(u *url.URL) string {
	if u == nil {
		return ""
	}
	s := printable.Line(u.Scheme+"://"+u.Host+u.EscapedPath(), 1000)
	if u.RawQuery != "" {
		s += "?..."
	}
	return s
}

// withoutURL returns the cause of a *url.Error, whose text would repeat the
// URL with everything in it. If the cause itself quotes the server, such as a
// redirect that cannot be parsed or the names in a certificate, its text is
// without control characters and without the secrets of URLs.
func withoutURL(err error) error {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if err == nil {
		return nil
	}
	text := err.Error()
	if safe := printable.URLs(printable.Line(text, maxErrorText)); safe != text {
		return &quotingError{safe, err}
	}
	return err
}

// maxErrorText bounds the text of the cause of an error.
const maxErrorText = 4000

// A quotingError is an error with another text.
type quotingError struct {
	text string
	err  error
}

func (e *quotingError) Error() string { return e.text }
func (e *quotingError) Unwrap() error { return e.err }

// errNoPackage is the cause where a nil package is given.
var errNoPackage = errors.New("there is no package")
