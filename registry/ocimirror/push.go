// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tofuwire/tofuwire/addrs"
)

// Push pushes the packages of a version to the repository of its provider. zips has
// the zip file for each platform, at least one. Packages of the version for other
// platforms are kept. Push moves the tag last, so no reader sees an incomplete
// version. It does not send existing blobs again. Pushing the same packages again has
// the same result.
func (m *Mirror) Push(ctx context.Context, p addrs.Provider, v addrs.Version, zips map[addrs.Platform]string) error {
	repo, name, err := m.open(p)
	if err != nil {
		return err
	}
	at := name + ":" + tag(v)
	if len(zips) == 0 {
		return fail(p, at, errors.New("there are no packages to push"))
	}
	index := &ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex, ArtifactType: indexArtifact}
	switch _, err := repo.Resolve(ctx, tag(v)); {
	case err == nil:
		if index, err = readIndex(ctx, repo, tag(v)); err != nil {
			return fail(p, at, m.cause(err))
		}
	case !isNoTag(err):
		return fail(p, at, m.cause(err))
	}
	empty := ocispec.DescriptorEmptyJSON
	if err := push(ctx, repo, empty, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(empty.Data)), nil }); err != nil {
		return fail(p, at, m.cause(err))
	}
	for platform, file := range zips {
		desc, err := pushPackage(ctx, repo, platform, file)
		if err != nil {
			return fail(p, at, fmt.Errorf("%s: %w", platform, m.cause(err)))
		}
		index.Manifests = slices.DeleteFunc(index.Manifests, func(d ocispec.Descriptor) bool {
			return d.ArtifactType == packageArtifact && d.Platform != nil && d.Platform.OSVersion == "" && d.Platform.OS == platform.OS() && d.Platform.Architecture == platform.Arch()
		})
		index.Manifests = append(index.Manifests, desc)
	}
	slices.SortStableFunc(index.Manifests, func(a, b ocispec.Descriptor) int {
		return bytes.Compare([]byte(platformKey(a)), []byte(platformKey(b)))
	})
	src, err := json.Marshal(index)
	if err == nil {
		desc := describe(ocispec.MediaTypeImageIndex, src)
		err = repo.PushReference(ctx, desc, bytes.NewReader(src), tag(v))
	}
	if err != nil {
		return fail(p, at, m.cause(err))
	}
	return nil
}

func platformKey(d ocispec.Descriptor) string {
	if d.Platform == nil {
		return ""
	}
	return d.Platform.OS + "_" + d.Platform.Architecture
}

// pushPackage pushes a zip and its manifest.
func pushPackage(ctx context.Context, repo *repository, platform addrs.Platform, file string) (ocispec.Descriptor, error) {
	f, err := os.Open(file)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	defer f.Close()
	digester := digest.Canonical.Digester()
	size, err := io.Copy(digester.Hash(), f)
	if err == nil && size == 0 {
		err = errors.New("the package is empty")
	}
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	layer := ocispec.Descriptor{MediaType: packageLayer, Digest: digester.Digest(), Size: size}
	if err := push(ctx, repo, layer, func() (io.ReadCloser, error) { return os.Open(file) }); err != nil {
		return ocispec.Descriptor{}, err
	}
	config := ocispec.DescriptorEmptyJSON
	config.Data = nil
	src, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, ArtifactType: packageArtifact,
		Config: config, Layers: []ocispec.Descriptor{layer},
	})
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	desc := describe(ocispec.MediaTypeImageManifest, src)
	if err := push(ctx, repo, desc, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(src)), nil }); err != nil {
		return ocispec.Descriptor{}, err
	}
	desc.ArtifactType = packageArtifact
	desc.Platform = &ocispec.Platform{OS: platform.OS(), Architecture: platform.Arch()}
	return desc, nil
}

func describe(mediaType string, src []byte) ocispec.Descriptor {
	return ocispec.Descriptor{MediaType: mediaType, Digest: digest.FromBytes(src), Size: int64(len(src))}
}

// push pushes a blob or manifest, unless it exists.
func push(ctx context.Context, repo *repository, desc ocispec.Descriptor, open func() (io.ReadCloser, error)) error {
	if there, err := repo.Exists(ctx, desc); err != nil || there {
		return err
	}
	r, err := open()
	if err != nil {
		return err
	}
	defer r.Close()
	return repo.Push(ctx, desc, r)
}
