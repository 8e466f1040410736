// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/registry"
)

// moduleArtifact is the type by which OpenTofu knows the package of a module.
const moduleArtifact = "application/vnd.opentofu.modulepkg"

// Module finds the package of a module in an OCI repository. The source is an address such as
// "oci://registry.example.com/modules/network?tag=1.2.0", without a subdirectory; it may have
// one of the arguments tag and digest, and otherwise means the tag "latest". As in OpenTofu,
// user information in it is ignored, and a repository whose name ends like that of an archive
// needs the argument archive=false. The result has Open, Size and, unless the registry has
// another digest of it, SHA256, for Download of registry.Client. Template is not used.
//
// See https://opentofu.org/docs/cli/oci_registries/module-package/.
func (m *Mirror) Module(ctx context.Context, source string) (*registry.Package, error) {
	fail := func(err error) (*registry.Package, error) {
		return nil, &registry.Error{Op: "oci module", URL: printable.Address(source), Err: err}
	}
	u, err := url.Parse(source)
	if err != nil || u.Scheme != "oci" || u.Host == "" {
		return fail(errors.New("it is not an address such as oci://HOST/REPOSITORY"))
	}
	reference, err := moduleReference(u)
	if err != nil {
		return fail(err)
	}
	name := u.Host + "/" + strings.TrimPrefix(u.Path, "/")
	repo, err := m.connect(name)
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, errWait)
	defer cancel()
	desc, err := repo.Resolve(ctx, reference)
	if isNoTag(err) {
		return fail(fmt.Errorf("%w: %s: %w", registry.ErrNotFound, reference, err))
	}
	if err == nil && desc.MediaType != ocispec.MediaTypeImageManifest {
		err = bad("%s names a %q, not an image manifest", reference, desc.MediaType)
	}
	var manifest ocispec.Manifest
	if err == nil {
		err = readManifest(ctx, repo, desc, &manifest)
	}
	if err != nil {
		return fail(m.cause(causeOf(ctx, err)))
	}
	if manifest.MediaType != ocispec.MediaTypeImageManifest || manifest.ArtifactType != moduleArtifact {
		return fail(bad("the manifest has type %q of %q: it is not a module", manifest.ArtifactType, manifest.MediaType))
	}
	blob, err := zipLayer(&manifest)
	if err != nil {
		return fail(err)
	}
	pkg := &registry.Package{Origin: registry.FromElsewhere, Source: name, Size: blob.Size, Open: m.opener(repo, blob), Warnings: repo.warned()}
	if blob.Digest.Algorithm() == digest.SHA256 {
		pkg.SHA256 = blob.Digest.Encoded()
	}
	return pkg, nil
}

// moduleReference returns the tag or the digest that the arguments of a source name.
func moduleReference(u *url.URL) (string, error) {
	query := u.Query()
	if err := isArchive(u.Path, query); err != nil {
		return "", err
	}
	out := ""
	for name, values := range query {
		switch {
		case name != "tag" && name != "digest":
			return "", fmt.Errorf("the argument %q is not supported", name)
		case len(values) != 1 || values[0] == "":
			return "", fmt.Errorf("the argument %q must have one value", name)
		case out != "":
			return "", errors.New("tag and digest exclude each other")
		}
		out = values[0]
		if name == "digest" {
			if _, err := digest.Parse(out); err != nil {
				return "", fmt.Errorf("the digest is not valid: %w", err)
			}
		} else if !tagName().MatchString(out) {
			return "", fmt.Errorf("the tag %q is not valid", printable.Line(out, 60))
		}
	}
	if out == "" {
		return "latest", nil
	}
	return out, nil
}

// tagName matches a tag. See https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests.
var tagName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)

// archiveKinds are the kinds of archives and of compressed files that OpenTofu 1.12 knows.
var archiveKinds = []string{"zip", "tar.gz", "tgz", "tar.bz2", "tar.tbz2", "tar.xz", "txz", "gz", "bz2", "xz"}

// isArchive returns an error if OpenTofu would take a source for a file that is an archive: it
// fetches none from an OCI registry. The argument archive with any other value is dropped,
// and then the name of the repository does not matter.
func isArchive(path string, query url.Values) error {
	if kind := query.Get("archive"); kind != "" {
		if slices.Contains(archiveKinds, kind) {
			return fmt.Errorf("the argument \"archive\" is not supported with the value %q", kind)
		}
		query.Del("archive")
		return nil
	}
	for _, kind := range archiveKinds {
		if strings.HasSuffix(path, "."+kind) {
			return fmt.Errorf("the name of the repository ends with .%s, so that tofu takes it for a file; the argument archive=false would prevent that", kind)
		}
	}
	return nil
}
