// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"cmp"
	"math"
	"math/rand/v2"
	"time"
)

// Limits bounds the cost that a server can impose on a [Client]. The zero
// Limits has the default of every field.
type Limits struct {
	// Discovery bounds the discovery document. If zero, it is 1 MiB, as in
	// OpenTofu. All sizes count bytes after the transport's decompression.
	Discovery int64

	// Metadata bounds each JSON response. If zero, it is 8 MiB.
	Metadata int64

	// Checksums bounds a SHA256SUMS document. If zero, it is 1 MiB.
	Checksums int64

	// Signature bounds a signature document. If zero, it is 64 KiB.
	Signature int64

	// Package bounds a package, packed. If zero, it is 1 GiB.
	Package int64

	// Redirects is how many redirects one request may follow. If zero, it is
	// 5; if negative, none is followed.
	Redirects int

	// Timeout bounds one attempt at anything but a package, body included.
	// If zero, it is 10 seconds, as in OpenTofu.
	Timeout time.Duration

	// Stall is the time in which a download must deliver at least 4 KiB;
	// otherwise the attempt is given up. If zero, it is 30 seconds.
	Stall time.Duration

	// Slow is the number of bytes that a download must deliver in any window of Stall,
	// over all its attempts together. A slower download fails with ErrStalled at the end
	// of the window, also if its connection breaks and it is asked for again. The time of
	// the caller's writer and waits for Retry-After do not count. If zero, it is 32 KiB,
	// about 1 KiB a second. If negative, there is no such limit.
	Slow int64

	// Total bounds a download with all its attempts, beyond which it fails with
	// ErrStalled. If zero, it is 4 hours: 1 GiB at 75 KiB a second. If negative,
	// there is no such limit.
	Total time.Duration

	// Memory bounds the size of all cached responses, in bytes. If zero, it is
	// 64 MiB. The oldest responses are dropped first.
	Memory int64

	// Files, Unpacked and Ratio bound the unpacked size of a package: the
	// number of entries, the number of bytes, and (beyond 64 MiB) the number of
	// bytes for each byte of the zip. If zero, they are 20,000, 4 GiB and 100. A
	// directory without an entry counts as one.
	Files    int
	Unpacked int64
	Ratio    int64
}

// withDefaults returns l with every zero field replaced.
func (l Limits) withDefaults() Limits {
	const mib = 1 << 20
	l.Discovery = cmp.Or(l.Discovery, 1*mib)
	l.Metadata = cmp.Or(l.Metadata, 8*mib)
	l.Checksums = cmp.Or(l.Checksums, 1*mib)
	l.Signature = cmp.Or(l.Signature, 64<<10)
	l.Package = cmp.Or(l.Package, 1<<30)
	l.Redirects = max(cmp.Or(l.Redirects, 5), 0)
	l.Timeout = cmp.Or(l.Timeout, 10*time.Second)
	l.Stall = cmp.Or(l.Stall, 30*time.Second)
	l.Slow = cmp.Or(l.Slow, 32<<10)
	l.Total = cmp.Or(l.Total, 4*time.Hour)
	l.Memory = cmp.Or(l.Memory, 64*mib)
	l.Files = cmp.Or(l.Files, 20_000)
	l.Unpacked = cmp.Or(l.Unpacked, 4<<30)
	l.Ratio = cmp.Or(l.Ratio, 100)
	// Limits beyond these are as good as none, and sums with them must not overflow.
	for _, n := range []*int64{&l.Discovery, &l.Metadata, &l.Checksums, &l.Signature, &l.Package, &l.Memory, &l.Unpacked} {
		*n = min(*n, math.MaxInt64/8)
	}
	l.Files = min(l.Files, math.MaxInt32)
	l.Stall = min(l.Stall, math.MaxInt64/8)
	return l
}

// stallBytes is the number of bytes that a download must bring within
// Limits.Stall.
const stallBytes = 4 << 10

// A Retry says how a [Client] repeats requests after a failure that may be
// temporary: no connection, a broken one, a timeout, status 429, or 5xx except
// 501. The zero Retry has the default of every field.
type Retry struct {
	// Attempts is how many times a request is sent. If zero, it is 3. For a download it counts
	// consecutive attempts that deliver no new data. A download that breaks off after each
	// megabyte still completes.
	Attempts int

	// Delay is the wait before the second attempt; it doubles from there. If
	// zero, it is 500 milliseconds. Each wait is shortened by a random part, at
	// most half, so that many clients do not retry at the same moment.
	Delay time.Duration

	// MaxDelay bounds each wait. If zero, it is 30 seconds. If a server asks
	// with Retry-After for a longer wait, the call fails at once with
	// [Error.RetryAfter] set; OpenTofu would wait as long as the server asks.
	MaxDelay time.Duration
}

// withDefaults returns r with every zero field replaced.
func (r Retry) withDefaults() Retry {
	r.Attempts = max(cmp.Or(r.Attempts, 3), 1)
	r.Delay = cmp.Or(r.Delay, 500*time.Millisecond)
	r.MaxDelay = cmp.Or(r.MaxDelay, 30*time.Second)
	return r
}

// wait returns the time to wait after the failed attempt number n, from 1.
func (r Retry) wait(n int) time.Duration {
	d := r.Delay
	for ; n > 1 && d < r.MaxDelay; n-- {
		d *= 2
	}
	d = min(d, r.MaxDelay)
	if half := int64(d / 2); half > 0 {
		d -= time.Duration(rand.Int64N(half))
	}
	return d
}
