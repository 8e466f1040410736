// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// Requests that begin at once share a connection if the server has HTTP/2, and all are sent if it
// does not have it, or never answers the first one.
func TestOpenings(t *testing.T) {
	for _, two := range []bool{true, false} {
		var connections, requests atomic.Int64
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"versions":[{"version":"1.0.0"}]}`)
		}))
		s.EnableHTTP2 = two
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		s.StartTLS()
		c := &Client{HTTP: s.Client(), Services: map[string]map[string]string{"r.example.org": {ProvidersV1: s.URL + "/v1/"}}}
		const n = 40
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				if _, err := c.Versions(t.Context(), addrs.MustParseProvider(fmt.Sprintf("r.example.org/acme/p%d", i))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		s.Close()
		if requests.Load() != n || two && connections.Load() > n/4 {
			t.Errorf("HTTP/2 %v: %d requests on %d connections", two, requests.Load(), connections.Load())
		}
	}
}

// The first request holds the others only for a while, and not if there is no connection.
func TestOpenings_dead(t *testing.T) {
	gate := make(chan struct{})
	var dials atomic.Int64
	refused := fmt.Errorf("refused")
	client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		if dials.Add(1) == 1 {
			<-gate
		}
		return nil, refused
	}}}
	var o openings
	var wg sync.WaitGroup
	send := func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://r.example.org/", nil)
		if err != nil {
			t.Error(err)
		} else if resp, err := o.do(client, req); err == nil {
			resp.Body.Close()
			t.Error("there is an answer")
		}
	}
	wg.Go(send)
	for dials.Load() == 0 {
		select {
		case <-t.Context().Done():
			return
		default:
		}
	}
	send() // ends although the first one hangs
	close(gate)
	wg.Wait()
}
