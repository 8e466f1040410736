// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

// Content is the content of a server.
type Content struct {
	Providers []Provider // found under every host name
	Modules   []Module   // found under every host name

	// Address is the address that the server listens at, such as "0.0.0.0:8443". If
	// empty, it is a free port of a loopback address.
	Address string

	// CertFile and KeyFile are a certificate and its key, in PEM. If empty, the
	// server makes certificates for every requested host name.
	CertFile, KeyFile string

	// Tokens are the bearer tokens that the registry and the mirror require for their
	// documents. If empty, documents need no token. Packages and archives never need
	// one.
	Tokens []string
}

// A Server is a running registry. Its methods are safe for concurrent use.
type Server struct {
	// Key signs the checksum documents.
	Key *Key

	catalog catalog
	tokens  []string
	ca      *authority
	http    *httptest.Server
	plain   *httptest.Server // the same without TLS, for downgrades

	ringOnce sync.Once
	keys     *keyRing

	mu       sync.Mutex
	faults   []Fault
	requests []Request
	sums     map[string][]byte
}

// A Kind is the kind of a request.
// Its values include [KindDiscovery], [KindVersions] and [KindPackage].
type Kind string

// The kinds of requests.
const (
	KindDiscovery      Kind = "discovery"       // the discovery document of a host
	KindVersions       Kind = "versions"        // the list of a provider's versions
	KindPackage        Kind = "package"         // the response about one package
	KindChecksums      Kind = "checksums"       // a SHA256SUMS document
	KindSignature      Kind = "signature"       // the signature of a SHA256SUMS document
	KindZip            Kind = "zip"             // the package itself
	KindMirrorIndex    Kind = "mirror index"    // the versions that the mirror has
	KindMirrorVersion  Kind = "mirror version"  // the packages of one version in the mirror
	KindModuleVersions Kind = "module versions" // the list of a module's versions
	KindModuleDownload Kind = "module download" // the location of a version of a module
	KindModuleArchive  Kind = "module archive"  // the archive at that location
	KindOther          Kind = "other"           // anything else, which is answered with 404
)

// A Request is a request that the server received.
type Request struct {
	Kind          Kind   // the kind of the request
	TLS           bool   // false at the server's second port, to which downgrades lead
	Host          string // as in the Host header
	Path          string // with the query
	Authorization string // the header, or ""
	Range         string // the header, or ""
}

// Start starts a server with the given content, and stops it at the end of the
// test. If there is an error, the test fails. Programs other than tests use
// [NewServer].
func Start(t testing.TB, content Content) *Server {
	t.Helper()
	s, err := NewServer(content)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// NewServer starts a server with the given content. Close ends it.
func NewServer(content Content) (*Server, error) {
	key, err := NewKey("Test Registry", time.Now().Add(-24*time.Hour), 0)
	if err != nil {
		return nil, err
	}
	ca, err := newAuthority()
	if err != nil {
		return nil, err
	}
	leaf, err := ca.leaf("")
	if err != nil {
		return nil, err
	}
	if content.CertFile != "" {
		own, err := tls.LoadX509KeyPair(content.CertFile, content.KeyFile)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(content.CertFile)
		if err != nil {
			return nil, err
		}
		ca, leaf = &authority{pem: text, always: &own}, &own
	}
	s := &Server{Key: key, ca: ca, tokens: content.Tokens, catalog: catalog{providers: content.Providers, modules: content.Modules}, sums: map[string][]byte{}}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.http.TLS = &tls.Config{
		Certificates:   []tls.Certificate{*leaf},
		GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return ca.leaf(h.ServerName) },
	}
	s.plain = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	// Many faults make a client hang up, so that is not worth a log line.
	if content.Address != "" {
		l, err := net.Listen("tcp", content.Address)
		if err != nil {
			return nil, err
		}
		s.http.Listener.Close()
		s.http.Listener = l
	}
	quiet := log.New(io.Discard, "", 0)
	s.http.Config.ErrorLog, s.plain.Config.ErrorLog = quiet, quiet
	s.http.StartTLS()
	s.plain.Start()
	return s, nil
}

// Close stops the server and breaks its connections.
func (s *Server) Close() {
	for _, h := range []*httptest.Server{s.http, s.plain} {
		h.CloseClientConnections()
		h.Close()
	}
}

// Host returns the real host and port of the server, 127.0.0.1:PORT.
func (s *Server) Host() string { return s.http.Listener.Addr().String() }

// MirrorURL returns the base URL of the network mirror.
func (s *Server) MirrorURL() string { return "https://" + s.Host() + "/mirror/" }

// CertificatePEM returns the certificate of the authority that the server uses.
func (s *Server) CertificatePEM() []byte { return bytes.Clone(s.ca.pem) }

// Client returns a new HTTP client that trusts the server and reaches it
// under every host name: with TLS at any port but 80, without it at 80.
func (s *Server) Client() *http.Client {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.ca.pem)
	tlsAddr, plainAddr := s.Host(), s.plain.Listener.Addr().String()
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			to := tlsAddr
			if addr == plainAddr || strings.HasSuffix(addr, ":80") {
				to = plainAddr
			}
			return (&net.Dialer{}).DialContext(ctx, "tcp", to)
		},
		MaxIdleConnsPerHost: 8,
	}}
}

// Registry returns a new registry client that uses [Server.Client], repeats
// failed requests after a millisecond, and gives up stalled ones after 30 seconds.
func (s *Server) Registry() *registry.Client {
	return &registry.Client{
		HTTP:   s.Client(),
		Retry:  registry.Retry{Delay: time.Millisecond, MaxDelay: 2 * time.Second},
		Limits: registry.Limits{Timeout: 30 * time.Second, Stall: 30 * time.Second},
	}
}

// Inject makes the server misbehave in the given ways, in addition to earlier
// ones.
func (s *Server) Inject(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Clear ends all misbehaviour and forgets the requests.
func (s *Server) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.requests = nil, nil
}

// Requests returns the requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Count returns the number of requests of a kind.
func (s *Server) Count(kind Kind) int {
	n := 0
	for _, r := range s.Requests() {
		if r.Kind == kind {
			n++
		}
	}
	return n
}

// Package returns the package that a client should find, or nil if there is
// none.
func (s *Server) Package(namespace, typ, version, platform string) *Package {
	p := s.catalog.provider(namespace, typ)
	if p == nil {
		return nil
	}
	v := p.version(version)
	if v == nil {
		return nil
	}
	return s.catalog.pkg(p, v, platform)
}

// A reply is an answer that faults may still change.
type reply struct {
	status int
	header http.Header
	body   []byte
	file   *Package // instead of body

	// The following fields are for faults.
	server  *Server
	request *http.Request
	kind    Kind
	doc     map[string]any // of a JSON answer: written after the faults
	signed  []byte         // the text that a signature covers
	stream  func(w http.ResponseWriter)
}

// set makes r a plain answer.
func (r *reply) set(status int, contentType, body string) {
	r.status, r.body, r.file, r.doc = status, []byte(body), nil, nil
	r.header.Set("Content-Type", contentType)
}

func (s *Server) serve(w http.ResponseWriter, q *http.Request) {
	r := &reply{status: 200, header: http.Header{}, server: s, request: q, kind: KindOther}
	s.route(r)
	if !s.admits(r) {
		r.set(http.StatusUnauthorized, "application/json", `{"errors":["unauthorized"]}`)
		r.header.Del("X-Terraform-Get")
	}
	s.mu.Lock()
	s.requests = append(s.requests, Request{
		Kind: r.kind, TLS: q.TLS != nil, Host: q.Host, Path: q.URL.RequestURI(),
		Authorization: q.Header.Get("Authorization"), Range: q.Header.Get("Range"),
	})
	faults := s.faults
	s.mu.Unlock()
	for _, f := range faults {
		if act := f.actions()[r.kind]; act != nil {
			act(r)
		}
	}
	if r.stream != nil {
		r.stream(w)
		return
	}
	if r.doc != nil {
		b, err := json.Marshal(r.doc)
		if err != nil {
			b = []byte(err.Error())
		}
		r.body = b
	}
	for name, v := range r.header {
		w.Header()[name] = v
	}
	if r.file != nil {
		f, err := r.file.open()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer f.Close()
		w.Header().Set("Etag", `"`+r.file.SHA256+`"`)
		http.ServeContent(w, q, "", time.Time{}, f)
		return
	}
	w.WriteHeader(r.status)
	w.Write(r.body)
}

// admits reports whether a request has a sufficient token.
func (s *Server) admits(r *reply) bool {
	switch r.kind {
	case KindVersions, KindPackage, KindMirrorIndex, KindMirrorVersion, KindModuleVersions, KindModuleDownload:
		token, ok := strings.CutPrefix(r.request.Header.Get("Authorization"), "Bearer ")
		return len(s.tokens) == 0 || ok && slices.Contains(s.tokens, token)
	}
	return true
}

// json makes r a JSON answer. Faults can change it member by member.
func (r *reply) json(doc map[string]any) {
	// The document has only the types of JSON itself, so faults need to know
	// only those.
	b, err := json.Marshal(doc)
	if err == nil {
		err = json.Unmarshal(b, &r.doc)
	}
	if err != nil {
		panic("registrytest: " + err.Error())
	}
	r.header.Set("Content-Type", "application/json")
}

// route finds the requested document.
func (s *Server) route(r *reply) {
	path := r.request.URL.Path
	rest := func(prefix string) ([]string, bool) {
		tail, ok := strings.CutPrefix(path, prefix)
		return strings.Split(tail, "/"), ok
	}
	r.set(http.StatusNotFound, "application/json", `{"errors":["not found"]}`)
	if path == "/.well-known/terraform.json" {
		r.kind, r.status = KindDiscovery, 200
		r.json(map[string]any{"providers.v1": "/v1/providers/", "modules.v1": "/v1/modules/", "login.v1": map[string]any{"client": "test"}})
	} else if seg, ok := rest("/v1/providers/"); ok {
		s.routeProvider(r, seg)
	} else if seg, ok := rest("/dl/"); ok && len(seg) == 4 {
		s.routeDownload(r, seg)
	} else if seg, ok := rest("/mirror/"); ok && len(seg) == 4 {
		s.routeMirror(r, seg)
	} else if seg, ok := rest("/v1/modules/"); ok {
		s.routeModule(r, seg)
	} else if seg, ok := rest("/archive/"); ok && len(seg) == 4 {
		s.routeArchive(r, seg)
	} else if path == "/archive/module.zip" {
		r.kind, r.status = KindModuleArchive, 200
		r.set(200, "application/zip", string(MakeZip(File{Name: "main.tf", Content: "# a module\n"})))
	}
}

func (s *Server) routeProvider(r *reply, seg []string) {
	switch {
	case len(seg) == 3 && seg[2] == "versions":
		r.kind = KindVersions
	case len(seg) == 6 && seg[3] == "download":
		r.kind = KindPackage
	default:
		return
	}
	p := s.catalog.provider(seg[0], seg[1])
	if p == nil {
		return
	}
	if r.kind == KindVersions {
		var list []any
		for _, v := range p.Versions {
			var platforms []any
			for _, pl := range v.platforms() {
				os, arch, _ := strings.Cut(pl, "_")
				platforms = append(platforms, map[string]any{"os": os, "arch": arch})
			}
			list = append(list, map[string]any{"version": v.Version, "protocols": v.protocols(), "platforms": platforms})
		}
		r.status = 200
		r.json(map[string]any{"id": seg[0] + "/" + seg[1], "versions": list, "warnings": p.Warnings})
		return
	}
	v := p.version(seg[2])
	if v == nil {
		return
	}
	pkg := s.catalog.pkg(p, v, seg[4]+"_"+seg[5])
	if pkg == nil {
		return
	}
	dl := "/dl/" + p.Namespace + "/" + p.Type + "/" + v.Version + "/"
	keys := []any{map[string]any{"key_id": s.Key.ID(), "ascii_armor": Armored(s.Key), "trust_signature": "", "source": "", "source_url": nil}}
	if p.Unsigned {
		keys = nil
	}
	doc := map[string]any{
		"protocols": v.protocols(), "os": seg[4], "arch": seg[5], "filename": pkg.Filename,
		"download_url": dl + pkg.Filename, "shasum": pkg.SHA256,
		"shasums_url": dl + sumsName(p, v), "shasums_signature_url": dl + sumsName(p, v) + ".sig",
		"signing_keys": map[string]any{"gpg_public_keys": keys},
	}
	if v.Reported {
		packages := map[string]any{}
		for _, pl := range v.platforms() {
			if o := s.catalog.pkg(p, v, pl); o != nil {
				packages[pl] = map[string]any{"hashes": []addrs.Hash{o.H1, o.Hash()}, "package_size": o.Size}
			}
		}
		doc["packages"] = packages
	}
	r.status = 200
	r.json(doc)
}

func sumsName(p *Provider, v *Version) string {
	return fmt.Sprintf("terraform-provider-%s_%s_SHA256SUMS", p.Type, v.Version)
}

// sumsOf returns the checksum document of a version.
func (s *Server) sumsOf(p *Provider, v *Version) []byte {
	key := p.Namespace + "/" + p.Type + "/" + v.Version
	s.mu.Lock()
	b, ok := s.sums[key]
	s.mu.Unlock()
	if ok {
		return b
	}
	var out bytes.Buffer
	for _, pl := range v.platforms() {
		if pkg := s.catalog.pkg(p, v, pl); pkg != nil {
			fmt.Fprintf(&out, "%s  %s\n", pkg.SHA256, pkg.Filename)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sums[key] = out.Bytes()
	return out.Bytes()
}

func (s *Server) routeDownload(r *reply, seg []string) {
	p := s.catalog.provider(seg[0], seg[1])
	if p == nil || p.version(seg[2]) == nil {
		return
	}
	v, name := p.version(seg[2]), seg[3]
	switch {
	case name == sumsName(p, v):
		r.kind = KindChecksums
		r.set(200, "text/plain", string(s.sumsOf(p, v)))
	case name == sumsName(p, v)+".sig":
		r.kind = KindSignature
		sums := &reply{header: http.Header{}, server: s, request: r.request, kind: KindChecksums, body: s.sumsOf(p, v)}
		s.sumsFaults(sums)
		sig, err := s.Key.Sign(sums.body, time.Now().Add(-time.Minute))
		if err != nil {
			r.set(500, "text/plain", err.Error())
			return
		}
		r.set(200, "application/octet-stream", string(sig))
		r.signed = sums.body
	default:
		r.kind = KindZip
		for _, pl := range v.platforms() {
			if pkg := s.catalog.pkg(p, v, pl); pkg != nil && pkg.Filename == name {
				r.status, r.file = 200, pkg
				r.header.Set("Content-Type", "application/zip")
			}
		}
	}
}

// sumsFaults applies the faults of the checksum document that its signature
// covers.
func (s *Server) sumsFaults(sums *reply) {
	s.mu.Lock()
	faults := s.faults
	s.mu.Unlock()
	for _, f := range faults {
		if strings.HasPrefix(string(f), "sums-") {
			if act := f.actions()[KindChecksums]; act != nil {
				act(sums)
			}
		}
	}
}

func (s *Server) routeMirror(r *reply, seg []string) {
	p := s.catalog.provider(seg[1], seg[2])
	if seg[3] == "index.json" {
		r.kind = KindMirrorIndex
	} else {
		r.kind = KindMirrorVersion
	}
	if p == nil {
		return
	}
	if r.kind == KindMirrorIndex {
		versions := map[string]any{}
		for _, v := range p.Versions {
			versions[v.Version] = map[string]any{}
		}
		r.status = 200
		r.json(map[string]any{"versions": versions})
		return
	}
	v := p.version(strings.TrimSuffix(seg[3], ".json"))
	if v == nil {
		return
	}
	archives := map[string]any{}
	for _, pl := range v.platforms() {
		if pkg := s.catalog.pkg(p, v, pl); pkg != nil {
			u := url.URL{Path: "/dl/" + p.Namespace + "/" + p.Type + "/" + v.Version + "/" + pkg.Filename}
			archives[pl] = map[string]any{"url": u.String(), "hashes": []addrs.Hash{pkg.H1, pkg.Hash()}}
		}
	}
	r.status = 200
	r.json(map[string]any{"archives": archives})
}

func (s *Server) routeModule(r *reply, seg []string) {
	switch {
	case len(seg) == 4 && seg[3] == "versions":
		r.kind = KindModuleVersions
	case len(seg) == 5 && seg[4] == "download":
		r.kind = KindModuleDownload
	default:
		return
	}
	m := s.catalog.module(seg[0], seg[1], seg[2])
	if m == nil {
		return
	}
	if r.kind == KindModuleVersions {
		var list []any
		for _, v := range m.Versions {
			list = append(list, map[string]any{"version": v})
		}
		r.status = 200
		r.json(map[string]any{"modules": []any{map[string]any{"versions": list}}})
		return
	}
	location := m.Location
	if location == "" {
		location = "/archive/module.zip"
		if m.Archive != nil {
			location = strings.Join([]string{"/archive", m.Namespace, m.Name, m.System, seg[3]}, "/") + archiveSuffix(m.Archive(seg[3]))
		}
	}
	if !m.JSON {
		r.set(http.StatusNoContent, "application/json", "")
		r.header.Set("X-Terraform-Get", location)
		return
	}
	doc := map[string]any{"location": location}
	if m.UseCredentials != nil {
		doc["use_registry_credentials"] = *m.UseCredentials
	}
	r.status = 200
	r.json(doc)
}

// archiveSuffix returns the end of the name of an archive.
func archiveSuffix(archive []byte) string {
	if bytes.HasPrefix(archive, []byte("PK")) {
		return ".zip"
	}
	return ".tar.gz"
}

func (s *Server) routeArchive(r *reply, seg []string) {
	r.kind = KindModuleArchive
	m := s.catalog.module(seg[0], seg[1], seg[2])
	if m == nil || m.Archive == nil {
		return
	}
	for _, v := range m.Versions {
		if strings.TrimPrefix(seg[3], v) == ".zip" || strings.TrimPrefix(seg[3], v) == ".tar.gz" {
			r.set(200, "application/octet-stream", string(m.Archive(v)))
		}
	}
}
