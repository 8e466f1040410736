// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// An ociRegistry is as much of the OCI distribution protocol as clients need: blobs,
// manifests and tags, in memory, with basic authentication.
type ociRegistry struct {
	*httptest.Server
	user, password string // "" lets everybody in

	mu      sync.Mutex
	blobs   map[string][]byte // digest to content, also of manifests
	types   map[string]string // digest to media type
	tags    map[string]string // REPOSITORY:TAG to digest
	cut     int               // how many answers with a blob are cut off
	pushed  int               // blobs and manifests that were sent
	handler func(w http.ResponseWriter, q *http.Request) bool
}

func newRegistry(t *testing.T, useTLS bool) *ociRegistry {
	t.Helper()
	r := &ociRegistry{blobs: map[string][]byte{}, types: map[string]string{}, tags: map[string]string{}}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.serve))
	if useTLS {
		r.StartTLS()
	} else {
		r.Start()
	}
	t.Cleanup(r.Close)
	return r
}

// host is the name of the registry.
func (r *ociRegistry) host() string { return r.Listener.Addr().String() }

var ociPath = regexp.MustCompile(`^/v2/(.+)/(blobs/uploads|blobs|manifests|tags)/([^/]*)$`)

func digestOf(b []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(b)) }

func (r *ociRegistry) serve(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.handler != nil && r.handler(w, q) {
		return
	}
	if user, password, _ := q.BasicAuth(); user != r.user || password != r.password {
		w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
		ociError(w, http.StatusUnauthorized, "UNAUTHORIZED")
		return
	}
	if q.URL.Path == "/v2/" {
		return
	}
	m := ociPath.FindStringSubmatch(q.URL.Path)
	if m == nil {
		ociError(w, http.StatusNotFound, "NAME_INVALID")
		return
	}
	repo, kind, ref := m[1], m[2], m[3]
	switch {
	case kind == "tags":
		r.serveTags(w, q, repo)
	case kind == "blobs/uploads" && q.Method == http.MethodPost:
		w.Header().Set("Location", q.URL.Path+"1")
		w.WriteHeader(http.StatusAccepted)
	case q.Method == http.MethodPut:
		body, err := io.ReadAll(q.Body)
		if err != nil {
			return
		}
		digest := digestOf(body)
		if kind == "blobs/uploads" && q.URL.Query().Get("digest") != digest {
			ociError(w, http.StatusBadRequest, "DIGEST_INVALID")
			return
		}
		r.pushed++
		r.blobs[digest], r.types[digest] = body, q.Header.Get("Content-Type")
		if kind == "manifests" && !strings.HasPrefix(ref, "sha256:") {
			r.tags[repo+":"+ref] = digest
		}
		w.Header().Set("Docker-Content-Digest", digest)
		w.WriteHeader(http.StatusCreated)
	default:
		if d, ok := r.tags[repo+":"+ref]; ok && kind == "manifests" {
			ref = d
		}
		body, ok := r.blobs[ref]
		if !ok {
			ociError(w, http.StatusNotFound, "MANIFEST_UNKNOWN")
			return
		}
		w.Header().Set("Docker-Content-Digest", ref)
		w.Header().Set("Content-Type", r.types[ref])
		if kind == "blobs" && q.Method == http.MethodGet && q.Header.Get("Range") == "" && r.cut > 0 {
			r.cut--
			w.Header().Set("Accept-Ranges", "bytes")
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.Write(body[:len(body)/2])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(body))
	}
}

func ociError(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"errors":[{"code":%q,"message":"no"}]}`, code)
}

// serveTags gives two tags a page.
func (r *ociRegistry) serveTags(w http.ResponseWriter, q *http.Request, repo string) {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(r.tags)) {
		if tag, ok := strings.CutPrefix(name, repo+":"); ok {
			list = append(list, tag)
		}
	}
	if list == nil {
		ociError(w, http.StatusNotFound, "NAME_UNKNOWN")
		return
	}
	after := q.URL.Query().Get("last")
	list = slices.DeleteFunc(list, func(tag string) bool { return tag <= after })
	if len(list) > 2 {
		list = list[:2]
		w.Header().Set("Link", fmt.Sprintf(`</v2/%s/tags/list?last=%s>; rel="next"`, repo, list[1]))
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"name": repo, "tags": list})
}

// setTag puts a manifest into a repository.
func (r *ociRegistry) setTag(name, mediaType, manifest string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := digestOf([]byte(manifest))
	r.blobs[d], r.types[d] = []byte(manifest), mediaType
	if name != "" {
		r.tags[name] = d
	}
	return d
}

// cutNext cuts off the next answer with a blob.
func (r *ociRegistry) cutNext() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = 1
}

// sent returns how many blobs and manifests were sent.
func (r *ociRegistry) sent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pushed
}

// admit refuses requests without these credentials.
func (r *ociRegistry) admit(user, password string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.user, r.password = user, password
}

// handle has a function answer first.
func (r *ociRegistry) handle(f func(w http.ResponseWriter, q *http.Request) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handler = f
}
