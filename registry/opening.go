// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// openings lets the first request to an origin open the connection before others begin. With
// HTTP/2 they share it. Otherwise each would open one of its own, and the handshakes take more
// processor time than the requests. The zero openings is ready to use.
type openings struct {
	mu   sync.Mutex
	open map[string]chan struct{} // by origin, closed when there is a connection
}

// openingWait is how long a request waits for the connection of the first one at most.
const openingWait = time.Second / 4

// do sends a request with a client. Other transports than http.Transport need not tell when they
// have a connection, so their requests do not wait.
func (o *openings) do(client *http.Client, req *http.Request) (*http.Response, error) {
	if _, ok := client.Transport.(*http.Transport); !ok && client.Transport != nil {
		return client.Do(req)
	}
	key := origin(req.URL)
	o.mu.Lock()
	if o.open == nil {
		o.open = map[string]chan struct{}{}
	}
	open, found := o.open[key]
	if !found {
		open = make(chan struct{})
		o.open[key] = open
	}
	o.mu.Unlock()
	if !found {
		done := sync.OnceFunc(func() { close(open) })
		defer done() // also if there is no connection
		trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { done() }}
		return client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	}
	select {
	case <-open:
		return client.Do(req) // without a timer, as most
	default:
	}
	timer := time.NewTimer(openingWait)
	defer timer.Stop()
	select {
	case <-open:
	case <-timer.C:
	case <-req.Context().Done():
	}
	return client.Do(req)
}
