// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"net/http"
	"sync"
	"time"
)

// A depthTransport counts how many round trips follow each other: it holds all
// requests back until none has come for a while, lets them go together, and counts
// that as one.
type depthTransport struct {
	next http.RoundTripper

	mu      sync.Mutex
	waiting []chan struct{}
	timer   *time.Timer
	n       int
}

func (d *depthTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	turn := make(chan struct{})
	d.mu.Lock()
	d.waiting = append(d.waiting, turn)
	if d.timer != nil {
		d.timer.Stop()
	}
	d.timer = time.AfterFunc(300*time.Millisecond, d.release)
	d.mu.Unlock()
	select {
	case <-turn:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return d.next.RoundTrip(r)
}

func (d *depthTransport) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) > 0 {
		d.n++
	}
	for _, turn := range d.waiting {
		close(turn)
	}
	d.waiting = nil
}

func (d *depthTransport) rounds() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.n
}
