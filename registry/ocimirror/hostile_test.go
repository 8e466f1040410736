// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

// transport answers requests without a server.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(r *http.Request, status int, body string, header ...string) (*http.Response, error) {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

func hostile(f transport) *ocimirror.Mirror {
	return &ocimirror.Mirror{Template: "oci.example/tofu/${type}", HTTP: &http.Client{Transport: f}}
}

// A registry that never answers holds nobody forever.
func TestMirror_mute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := hostile(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		if _, err := m.Versions(t.Context(), null); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("versions: %v", err)
		}
		if _, err := m.Package(t.Context(), null, version("1.0.0"), linux); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("package: %v", err)
		}
	})
}

// A list of tags that goes on forever ends, also if its pages are empty.
func TestMirror_endlessTags(t *testing.T) {
	pages := 0
	m := hostile(func(r *http.Request) (*http.Response, error) {
		pages++
		return answer(r, 200, `{"tags":[]}`, "Link", fmt.Sprintf(`</v2/tofu/null/tags/list?last=%d>; rel="next"`, pages))
	})
	if _, err := m.Versions(t.Context(), null); !errors.Is(err, registry.ErrLimit) || pages > 1001 {
		t.Errorf("after %d pages: %v", pages, err)
	}
}

// Redirects end, and do not leave TLS.
func TestMirror_redirects(t *testing.T) {
	for to, want := range map[string]error{"http://oci.example/x": registry.ErrInsecure, "https://oci.example/x": registry.ErrRedirect} {
		requests := 0
		m := hostile(func(r *http.Request) (*http.Response, error) {
			requests++
			if r.URL.Scheme != "https" {
				t.Errorf("request for %s", r.URL)
			}
			return answer(r, 307, "", "Location", to)
		})
		if _, err := m.Versions(t.Context(), null); !errors.Is(err, want) || requests > 6 {
			t.Errorf("%s: after %d requests: %v", to, requests, err)
		}
		own := errors.New("the caller's rule")
		m.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return own }
		if _, err := hostileWith(m).Versions(t.Context(), null); want == registry.ErrRedirect && !errors.Is(err, own) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// hostileWith is a new mirror with the client of another one.
func hostileWith(m *ocimirror.Mirror) *ocimirror.Mirror {
	return &ocimirror.Mirror{Template: m.Template, HTTP: m.HTTP}
}

// An error is one line, without the control characters of the registry's words and
// without the secrets of the URLs to which it redirects.
func TestMirror_errorText(t *testing.T) {
	m := hostile(func(r *http.Request) (*http.Response, error) {
		if strings.Contains(r.URL.Path, "tags") {
			return answer(r, 400, `{"errors":[{"code":"DENIED","message":"no\u001b]0;x\u0007\nentry\u202e"}]}`)
		}
		if r.URL.Host == "oci.example" {
			return answer(r, 307, "", "Location", "https://blobs.example/x?signature=sesame")
		}
		return nil, errors.New("no route to host")
	})
	_, err := m.Versions(t.Context(), null)
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\a\n\u202e") || !strings.Contains(err.Error(), "entry") {
		t.Errorf("versions: %q", err)
	}
	_, err = m.Package(t.Context(), null, version("1.0.0"), linux)
	if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "https://blobs.example/x?...") {
		t.Errorf("package: %q", err)
	}
}
