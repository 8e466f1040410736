// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/registry"
)

// The types by which OpenTofu knows its artifacts.
const (
	indexArtifact   = "application/vnd.opentofu.provider"
	packageArtifact = "application/vnd.opentofu.provider-target"
	packageLayer    = "archive/zip"
)

// Bounds on the work that a registry can cause a Mirror.
const (
	maxManifest = 5 << 20 // bytes
	maxTags     = 100_000 // of a repository
	fewTags     = 100     // a page of tags counts as so many at least

	maxRedirects = 5 // of one request

	// How long a registry may take for the documents of a package, or for a page of
	// tags, including all repetitions.
	maxWait = time.Minute

	// How long all pages of tags may take together.
	maxTagsWait = 10 * time.Minute
)

// errWait is the cause of the end of a context after maxWait.
var errWait = fmt.Errorf("no complete response within %s: %w", maxWait, context.DeadlineExceeded)

// A Mirror finds provider packages in the repositories of OCI registries. It must not
// be changed after first use; its methods are safe for concurrent use.
type Mirror struct {
	// Template gives the address of the repository of a provider: the argument
	// repository_template of oci_mirror, such as
	// "registry.example.com/tofu/${namespace}-${type}". It may use hostname,
	// namespace and type.
	Template string

	// Credentials supplies the credentials for the registries. If nil, all
	// requests are anonymous.
	Credentials *Credentials

	// HTTP sends the requests. If nil, it is a client that repeats failed requests.
	HTTP *http.Client

	// AllowHTTP uses registries without TLS. OpenTofu never does.
	AllowHTTP bool

	mu           sync.Mutex
	repositories map[string]*repository
}

// A repository is one that was used before.
type repository struct {
	*remote.Repository

	mu       sync.Mutex
	warnings []string // about its credentials
}

// warn keeps a warning, once.
func (r *repository) warn(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text != "" && !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}

// warned returns the warnings so far.
func (r *repository) warned() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.warnings)
}

// Repository returns the address of the repository that has the packages of a provider.
func (m *Mirror) Repository(p addrs.Provider) (string, error) {
	expr, diags := hclsyntax.ParseTemplate([]byte(m.Template), "repository_template", hcl.InitialPos)
	if diags.HasErrors() {
		return "", fail(p, m.Template, diags)
	}
	v, diags := expr.Value(&hcl.EvalContext{Variables: map[string]cty.Value{
		"hostname": cty.StringVal(p.Host()), "namespace": cty.StringVal(p.Namespace()), "type": cty.StringVal(p.Type()),
	}})
	if diags.HasErrors() {
		return "", fail(p, m.Template, diags)
	}
	v, err := convert.Convert(v, cty.String)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return "", fail(p, m.Template, errors.New("the template gives no string"))
	}
	return v.AsString(), nil
}

func fail(p addrs.Provider, where string, err error) error {
	return &registry.Error{Op: "oci mirror", For: p.ForDisplay(), URL: printable.Address(where), Err: err}
}

// open returns the repository of a provider.
func (m *Mirror) open(p addrs.Provider) (*repository, string, error) {
	name, err := m.Repository(p)
	if err != nil {
		return nil, "", err
	}
	repo, err := m.connect(name)
	if err != nil {
		return nil, name, fail(p, name, err)
	}
	return repo, name, nil
}

// connect returns the repository at an address.
func (m *Mirror) connect(name string) (*repository, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if repo := m.repositories[name]; repo != nil {
		return repo, nil
	}
	opened, err := remote.NewRepository(name)
	if err == nil && opened.Reference.Reference != "" {
		err = errors.New("it has a tag or a digest")
	}
	if err != nil {
		return nil, fmt.Errorf("it is not the address of an OCI repository: %w", err)
	}
	repo := &repository{Repository: opened}
	host, path := repo.Reference.Registry, repo.Reference.Repository
	client := &auth.Client{Client: m.HTTP, Cache: auth.NewCache()}
	if client.Client == nil {
		client.Client = auth.DefaultClient.Client
	}
	if !m.AllowHTTP {
		client.Client = staysOnTLS(client.Client)
	}
	plain := *client.Client
	plain.Transport = &realms{base: plain.Transport, host: repo.Reference.Host()}
	client.Client = &plain
	client.SetUserAgent("tofuwire")
	client.Credential = func(ctx context.Context, asked string) (auth.Credential, error) {
		if asked != host || m.Credentials == nil {
			return auth.EmptyCredential, nil
		}
		got, warning, err := m.Credentials.find(ctx, host, path)
		repo.warn(warning)
		return got, err
	}
	repo.Client, repo.PlainHTTP, repo.MaxMetadataBytes = client, m.AllowHTTP, maxManifest
	repo.SkipReferrersGC = true
	if m.repositories == nil {
		m.repositories = map[string]*repository{}
	}
	m.repositories[name] = repo
	return repo, nil
}

// staysOnTLS returns a client that follows no redirect away from TLS.
func staysOnTLS(from *http.Client) *http.Client {
	c := *from
	c.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		switch {
		case req.URL.Scheme != "https":
			return fmt.Errorf("%w: a redirect that leaves TLS", registry.ErrInsecure)
		case from.CheckRedirect != nil:
			return from.CheckRedirect(req, via)
		case len(via) > maxRedirects:
			return fmt.Errorf("%w: more than %d in a row", registry.ErrRedirect, maxRedirects)
		}
		return nil
	}
	return &c
}

// isMissing reports whether an error for a list of tags means that the repository
// does not exist.
func isMissing(err error) bool {
	var answer *errcode.ErrorResponse
	if !errors.As(err, &answer) {
		return errors.Is(err, errdef.ErrNotFound)
	}
	if len(answer.Errors) == 0 {
		return answer.StatusCode == http.StatusNotFound
	}
	return slices.ContainsFunc(answer.Errors, func(e errcode.Error) bool {
		return e.Code == errcode.ErrorCodeNameUnknown || e.Code == errcode.ErrorCodeNameInvalid
	})
}

// cause adds the cause of package registry to an error of the OCI registry, and, if the
// registry wants credentials, what was left out of them.
func (m *Mirror) cause(err error) error {
	var answer *errcode.ErrorResponse
	if errors.Is(err, auth.ErrBasicCredentialNotFound) || errors.As(err, &answer) && (answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden) {
		err = fmt.Errorf("%w: %w", registry.ErrUnauthorized, err)
		for _, fault := range m.Credentials.Faults() {
			err = fmt.Errorf("%w; no credentials from %s", err, strings.TrimPrefix(fault.Error(), "registry: configuration: "))
		}
	}
	return err
}

// causeOf returns the cause of the end of ctx if it ended, and otherwise err.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Versions lists the versions of p: the tags of its repository that are versions. The
// list has neither protocols nor platforms. The error is registry.ErrNotFound if there
// is no such repository.
func (m *Mirror) Versions(ctx context.Context, p addrs.Provider) (*registry.VersionList, error) {
	repo, name, err := m.open(p)
	if err != nil {
		return nil, err
	}
	list := &registry.VersionList{}
	seen := map[addrs.Version]bool{}
	n := 0
	ctx, stop := context.WithTimeoutCause(ctx, maxTagsWait, fmt.Errorf("not all tags within %s: %w", maxTagsWait, context.DeadlineExceeded))
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	patience := time.AfterFunc(maxWait, func() { cancel(errWait) })
	defer patience.Stop()
	err = repo.Tags(ctx, "", func(tags []string) error {
		patience.Reset(maxWait)
		if n += max(len(tags), fewTags); n > maxTags {
			return fmt.Errorf("%w: more than %d tags", registry.ErrLimit, maxTags)
		}
		for _, tag := range tags {
			if v, err := addrs.ParseVersion(strings.ReplaceAll(tag, "_", "+")); err == nil && !seen[v] {
				seen[v] = true
				list.Versions = append(list.Versions, registry.ProviderVersion{Version: v})
			}
		}
		return nil
	})
	if isMissing(err) {
		return nil, fail(p, name, fmt.Errorf("%w: %w", registry.ErrNotFound, err))
	}
	if err != nil {
		return nil, fail(p, name, m.cause(causeOf(ctx, err)))
	}
	slices.SortFunc(list.Versions, func(a, b registry.ProviderVersion) int { return a.Version.Compare(b.Version) })
	return list, nil
}

// tag is the name of a version in a repository.
func tag(v addrs.Version) string { return strings.ReplaceAll(v.String(), "+", "_") }

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %w", registry.ErrBadResponse, fmt.Errorf(format, args...))
}

// Package finds the package of a version for a platform. Its zip is a blob; the digest
// of the blob is the hash that the package must have. The error is
// registry.ErrUnsupportedPlatform if the version has no package for the platform. If a
// version from the list is missing, the error is not registry.ErrNotFound. As in
// OpenTofu, no other source then supplies it instead.
func (m *Mirror) Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*registry.Package, error) {
	repo, name, err := m.open(p)
	if err != nil {
		return nil, err
	}
	at := name + ":" + tag(v)
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, errWait)
	defer cancel()
	index, err := readIndex(ctx, repo, tag(v))
	if err != nil {
		return nil, fail(p, at, m.cause(causeOf(ctx, err)))
	}
	desc, err := selectManifest(index, p, v, platform)
	if err != nil {
		return nil, fail(p, at, err)
	}
	var manifest ocispec.Manifest
	if err := readManifest(ctx, repo, desc, &manifest); err != nil {
		return nil, fail(p, at, m.cause(causeOf(ctx, err)))
	}
	if manifest.MediaType != ocispec.MediaTypeImageManifest || manifest.ArtifactType != packageArtifact {
		return nil, fail(p, at, bad("the manifest for %s has type %q of %q", platform, manifest.ArtifactType, manifest.MediaType))
	}
	blob, err := zipLayer(&manifest)
	switch {
	case err != nil:
	case blob.Digest.Algorithm() != digest.SHA256:
		err = bad("the package has no SHA-256 digest")
	case blob.Platform != nil && (blob.Platform.OS != platform.OS() || blob.Platform.Architecture != platform.Arch()):
		err = bad("its package is for %s_%s", blob.Platform.OS, blob.Platform.Architecture)
	}
	if err != nil {
		return nil, fail(p, at, fmt.Errorf("for %s: %w", platform, err))
	}
	return &registry.Package{
		Provider: p, Version: v, Platform: platform, Origin: registry.FromElsewhere, Source: name,
		Filename: fmt.Sprintf("terraform-provider-%s_%s_%s.zip", p.Type(), v, platform),
		SHA256:   blob.Digest.Encoded(), Size: blob.Size, Hashes: []addrs.Hash{addrs.Hash("zh:" + blob.Digest.Encoded())},
		Open: firstOf(blob.Size, m.opener(repo, blob)), Warnings: repo.warned(),
	}, nil
}

// firstOf limits what is read to the size that a manifest states. OpenTofu ignores what follows in
// packages of providers, but not in those of modules.
func firstOf(size int64, open func(context.Context, int64) (io.ReadCloser, error)) func(context.Context, int64) (io.ReadCloser, error) {
	return func(ctx context.Context, offset int64) (io.ReadCloser, error) {
		r, err := open(ctx, offset)
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(r, size-offset), r}, nil
	}
}

// zipLayer returns the layer of a manifest that is the package.
func zipLayer(manifest *ocispec.Manifest) (ocispec.Descriptor, error) {
	var layers []ocispec.Descriptor
	for _, l := range manifest.Layers {
		if l.MediaType == packageLayer {
			layers = append(layers, l)
		}
	}
	switch {
	case len(layers) != 1:
		return ocispec.Descriptor{}, bad("the manifest has %d layers of type %s, not one", len(layers), packageLayer)
	case layers[0].Size <= 0:
		return ocispec.Descriptor{}, bad("the package has %d bytes", layers[0].Size)
	case layers[0].Digest.Validate() != nil:
		return ocispec.Descriptor{}, bad("the package has no valid digest")
	}
	return layers[0], nil
}

// opener returns a function that reads a blob from an offset on.
func (m *Mirror) opener(repo *repository, blob ocispec.Descriptor) func(ctx context.Context, offset int64) (io.ReadCloser, error) {
	return func(ctx context.Context, offset int64) (io.ReadCloser, error) {
		r, err := repo.Blobs().Fetch(ctx, blob)
		if err != nil {
			return nil, m.cause(err)
		}
		if blob.Digest.Algorithm() != digest.SHA256 {
			r = &verified{content.NewVerifyReader(r, blob), r} // the client verifies SHA-256 only
		}
		if offset > 0 {
			// A registry that does not support ranges sends all of it
			// again.
			if s, ok := r.(io.Seeker); ok {
				_, err = s.Seek(offset, io.SeekStart)
			} else {
				_, err = io.CopyN(io.Discard, r, offset)
			}
			if err != nil {
				r.Close()
				return nil, err
			}
		}
		return r, nil
	}
}

// A verified is a blob whose end is an error unless it has its digest.
type verified struct {
	*content.VerifyReader
	io.Closer
}

func (v *verified) Read(p []byte) (int, error) {
	n, err := v.VerifyReader.Read(p)
	if err == io.EOF && v.Verify() != nil {
		err = fmt.Errorf("%w: the blob does not have its digest", addrs.ErrMismatch)
	}
	return n, err
}

// readIndex reads the index manifest that a tag names.
func readIndex(ctx context.Context, repo *repository, tag string) (*ocispec.Index, error) {
	desc, err := repo.Resolve(ctx, tag)
	if errors.Is(err, errdef.ErrNotFound) {
		return nil, fmt.Errorf("there is no tag %s", tag)
	}
	if err != nil {
		return nil, err
	}
	if desc.MediaType != ocispec.MediaTypeImageIndex {
		return nil, bad("the tag names a %q, not an index", desc.MediaType)
	}
	var index ocispec.Index
	if err := readManifest(ctx, repo, desc, &index); err != nil {
		return nil, err
	}
	if index.MediaType != ocispec.MediaTypeImageIndex || index.ArtifactType != indexArtifact {
		return nil, bad("the index has type %q of %q: it is not a provider", index.ArtifactType, index.MediaType)
	}
	return &index, nil
}

// readManifest reads a manifest, which must have its digest.
func readManifest(ctx context.Context, repo *repository, desc ocispec.Descriptor, to any) error {
	if desc.Size >= maxManifest { // as in OpenTofu
		return fmt.Errorf("%w: a manifest of %d bytes", registry.ErrLimit, desc.Size)
	}
	r, err := repo.Fetch(ctx, desc)
	if err != nil {
		return err
	}
	defer r.Close()
	src, err := io.ReadAll(io.LimitReader(r, desc.Size)) // as in OpenTofu, the end counts by the size
	if err != nil {
		return err
	}
	if desc.Digest.Validate() != nil || desc.Digest.Algorithm().FromBytes(src) != desc.Digest {
		return fmt.Errorf("%w: the manifest %s does not have its digest", addrs.ErrMismatch, desc.Digest)
	}
	if err := json.Unmarshal(src, to); err != nil {
		return bad("a manifest that is not JSON of its form")
	}
	return nil
}

// selectManifest finds the manifest for a platform in an index. As in OpenTofu, it
// ignores artifacts of other types and those for a certain version of an operating
// system.
func selectManifest(index *ocispec.Index, p addrs.Provider, v addrs.Version, platform addrs.Platform) (ocispec.Descriptor, error) {
	var found []ocispec.Descriptor
	packages := 0
	for _, d := range index.Manifests {
		if d.ArtifactType != packageArtifact {
			continue
		}
		packages++
		switch {
		case d.MediaType != ocispec.MediaTypeImageManifest:
			return d, bad("a package has the media type %q", d.MediaType)
		case d.Platform == nil:
			return d, bad("a package has no platform")
		case d.Platform.OSVersion == "" && d.Platform.OS == platform.OS() && d.Platform.Architecture == platform.Arch():
			found = append(found, d)
		}
	}
	switch {
	case packages == 0:
		return ocispec.Descriptor{}, bad("the index names no packages of a provider")
	case len(found) == 0:
		return ocispec.Descriptor{}, fmt.Errorf("%w: %s %s for %s", registry.ErrUnsupportedPlatform, p.ForDisplay(), v, platform)
	case len(found) > 1:
		return ocispec.Descriptor{}, bad("the index names %d packages for %s", len(found), platform)
	}
	return found[0], nil
}
