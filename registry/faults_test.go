// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

var (
	acmeNull = addrs.MustParseProvider("registry.example.org/acme/null")
	v100     = addrs.MustParseVersion("1.0.0")
	linux    = addrs.MustParsePlatform("linux_amd64")
	darwin   = addrs.MustParsePlatform("darwin_arm64")
	acmeNet  = registry.Module{Host: "registry.example.org", Namespace: "acme", Name: "net", System: "test"}
)

// content is what most tests have: one provider in two versions for two
// platforms, the newer one with reported hashes, and one module.
func content() registrytest.Content {
	both := []string{"linux_amd64", "darwin_arm64"}
	return registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
			{Version: "0.9.0", Platforms: both, Protocols: []string{"5.0"}},
			{Version: "1.0.0", Platforms: both, Reported: true, Zip: bigZip},
		}}},
		Modules: []registrytest.Module{{Namespace: "acme", Name: "net", System: "test", Versions: []string{"1.0.0", "v1.1.0"}, JSON: true}},
	}
}

// bigZip is a package that is large enough to break off in the middle.
func bigZip(platform string) []byte {
	var b strings.Builder
	x := uint64(len(platform))
	for range 300 << 10 {
		x = x*6364136223846793005 + 1442695040888963407
		b.WriteByte(byte(x >> 56))
	}
	return registrytest.MakeZip(
		registrytest.File{Name: "LICENSE", Content: platform},
		registrytest.File{Name: "terraform-provider-null_v1.0.0_x5", Content: b.String(), Mode: 0o755},
	)
}

// install does all that there is to do with a package, from src.
func install(ctx context.Context, c *registry.Client, src registry.Source, dir string) (*registry.Result, error) {
	list, err := src.Versions(ctx, acmeNull)
	if err != nil {
		return nil, err
	}
	v, ok := list.Newest(addrs.MustParseConstraints(">= 1.0.0, < 2.0.0"))
	if !ok {
		v = v100 // go on: the test is about something else
	}
	pkg, err := src.Package(ctx, acmeNull, v, linux)
	if err != nil {
		return nil, err
	}
	return c.Install(ctx, pkg, dir, nil)
}

// want is the error of each fault that is not harmless.
var want = map[registrytest.Fault]error{
	"discovery-garbage":       registry.ErrBadResponse,
	"discovery-html":          registry.ErrBadResponse,
	"discovery-wrong-type":    registry.ErrBadResponse,
	"discovery-array":         registry.ErrBadResponse,
	"discovery-null":          registry.ErrBadResponse,
	"discovery-huge":          registry.ErrLimit,
	"discovery-404":           registry.ErrNoService,
	"discovery-500":           nil,
	"discovery-none":          registry.ErrNoService,
	"discovery-other-version": registry.ErrNoService,
	"discovery-no-slash":      registry.ErrNotFound,
	"discovery-http":          registry.ErrInsecure,
	"discovery-userinfo":      registry.ErrBadResponse,
	"discovery-file":          registry.ErrBadResponse,
	"discovery-number":        registry.ErrBadResponse,
	"redirect-loop":           registry.ErrRedirect,
	"redirect-many":           registry.ErrRedirect,
	"redirect-downgrade":      registry.ErrInsecure,
	"redirect-nowhere":        registry.ErrRedirect,
	"redirect-file":           registry.ErrBadResponse,
	"versions-garbage":        registry.ErrBadResponse,
	"versions-html":           registry.ErrBadResponse,
	"versions-trailing":       registry.ErrBadResponse,
	"versions-null":           registry.ErrBadResponse,
	"versions-wrong-kind":     registry.ErrBadResponse,
	"versions-with-v":         registry.ErrBadResponse,
	"versions-huge":           registry.ErrLimit,
	"versions-many":           registry.ErrLimit,
	"versions-gzip-bomb":      registry.ErrLimit,
	"versions-drip":           context.DeadlineExceeded,
	"versions-cut":            nil,
	"versions-401":            registry.ErrUnauthorized,
	"versions-403":            registry.ErrUnauthorized,
	"versions-404":            registry.ErrNotFound,
	"versions-429":            registry.ErrRateLimited,
	"versions-500":            nil,
	"versions-501":            nil,
	"versions-503":            registry.ErrRateLimited,
	"package-garbage":         registry.ErrBadResponse,
	"package-html":            registry.ErrBadResponse,
	"package-404":             registry.ErrUnsupportedPlatform,
	"package-other-platform":  registry.ErrBadResponse,
	"package-protocol":        registry.ErrUnsupportedProtocol,
	"package-protocol-odd":    registry.ErrBadResponse,
	"package-no-filename":     registry.ErrBadResponse,
	"package-filename-path":   registry.ErrBadResponse,
	"package-no-url":          registry.ErrBadResponse,
	"package-no-sums-url":     registry.ErrBadResponse,
	"package-no-sig-url":      registry.ErrBadResponse,
	"package-url-file":        registry.ErrBadResponse,
	"package-url-http":        registry.ErrInsecure,
	"package-no-shasum":       registry.ErrBadResponse,
	"package-short-shasum":    registry.ErrBadResponse,
	"package-wrong-shasum":    addrs.ErrMismatch,
	"key-null":                registry.ErrBadResponse,
	"key-none":                registry.ErrUnsigned,
	"key-empty":               registry.ErrUnsigned,
	"key-garbage":             registry.ErrBadSignature,
	"key-blank":               registry.ErrBadSignature,
	"key-huge":                registry.ErrBadSignature,
	"key-many":                registry.ErrLimit,
	"key-swapped":             registry.ErrBadSignature,
	"key-expired":             registry.ErrBadSignature,
	"key-revoked":             registry.ErrBadSignature,
	"key-two-armors":          registry.ErrBadSignature,
	"reported-null":           registry.ErrBadResponse,
	"reported-conflict":       registry.ErrBadResponse,
	"reported-odd-platform":   registry.ErrBadResponse,
	"reported-no-scheme":      registry.ErrBadResponse,
	"reported-wrong-zh":       addrs.ErrMismatch,
	"reported-no-zh":          registry.ErrBadResponse,
	"reported-wrong-h1":       addrs.ErrMismatch,
	"reported-wrong-size":     addrs.ErrMismatch,
	"reported-zero-size":      registry.ErrBadResponse,
	"reported-missing":        registry.ErrBadResponse,
	"sums-404":                registry.ErrNotFound,
	"sums-huge":               registry.ErrLimit,
	"sums-long-hex":           addrs.ErrMismatch,
	"sums-short-hex":          addrs.ErrMismatch,
	"sums-no-line":            addrs.ErrMismatch,
	"sums-wrong":              addrs.ErrMismatch,
	"sums-duplicate":          addrs.ErrMismatch,
	"sums-empty":              addrs.ErrMismatch,
	"sums-html":               addrs.ErrMismatch,
	"sums-bom":                addrs.ErrMismatch,
	"sums-binary-mark":        addrs.ErrMismatch,
	"signature-404":           registry.ErrNotFound,
	"signature-garbage":       registry.ErrBadSignature,
	"signature-html":          registry.ErrBadSignature,
	"signature-empty":         registry.ErrBadSignature,
	"signature-huge":          registry.ErrLimit,
	"signature-many":          registry.ErrLimit,
	"signature-armored":       registry.ErrBadSignature,
	"signature-flipped":       registry.ErrBadSignature,
	"signature-other-doc":     registry.ErrBadSignature,
	"signature-swapped":       registry.ErrBadSignature,
	"signature-future":        registry.ErrBadSignature,
	"signature-expired":       registry.ErrBadSignature,
	"zip-404":                 registry.ErrNotFound,
	"zip-401":                 registry.ErrUnauthorized,
	"zip-429":                 registry.ErrRateLimited,
	"zip-503":                 nil,
	"zip-html":                addrs.ErrMismatch,
	"zip-empty":               addrs.ErrMismatch,
	"zip-flipped":             addrs.ErrMismatch,
	"zip-short":               addrs.ErrMismatch,
	"zip-long":                addrs.ErrMismatch,
	"zip-huge-length":         registry.ErrLimit,
	"zip-endless":             addrs.ErrMismatch,
	"zip-gzip":                addrs.ErrMismatch,
	"zip-drip":                registry.ErrStalled,
	"zip-dies-no-range":       nil,
	"zip-changed":             addrs.ErrMismatch,
	"mirror-wrong-type":       registry.ErrBadResponse,
	"mirror-garbage":          registry.ErrBadResponse,
	"mirror-401":              registry.ErrUnauthorized,
	"mirror-404":              registry.ErrNotFound,
	"mirror-null":             registry.ErrBadResponse,
	"mirror-no-url":           registry.ErrBadResponse,
	"mirror-url-file":         registry.ErrBadResponse,
	"mirror-wrong-hashes":     addrs.ErrMismatch,
	"mirror-unknown-scheme":   addrs.ErrMismatch,
	"mirror-no-scheme":        registry.ErrBadResponse,
	"module-null":             registry.ErrBadResponse,
	"module-null-version":     registry.ErrBadResponse,
	"module-none":             registry.ErrBadResponse,
	"module-401":              registry.ErrUnauthorized,
	"module-no-location":      registry.ErrBadResponse,
	"module-garbage":          registry.ErrBadResponse,
	"module-local":            registry.ErrBadResponse,
	"module-registry":         registry.ErrBadResponse,
	"module-control":          registry.ErrBadResponse,
}

// TestFaults runs every named fault: harmless ones must not stop an
// installation, all others must end in the right typed error, with nothing
// left behind.
func TestFaults(t *testing.T) {
	for i, fault := range registrytest.Faults() {
		if i%depth.Of(2, 1, 1) > 0 {
			continue
		}
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			srv := registrytest.Start(t, content())
			srv.Inject(fault)
			c := srv.Registry()
			c.Limits.Timeout, c.Limits.Stall = time.Minute, time.Minute
			switch fault {
			case "versions-drip":
				c.Limits.Timeout = 200 * time.Millisecond
			case "zip-drip":
				c.Limits.Stall = 200 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			tmp := t.TempDir()
			dir := filepath.Join(tmp, "out")

			var err error
			switch {
			case strings.HasPrefix(string(fault), "module-"):
				if _, err = c.ModuleVersions(ctx, acmeNet); err == nil {
					_, err = c.ModuleLocation(ctx, acmeNet, v100)
				}
			case strings.HasPrefix(string(fault), "mirror-"):
				var m *registry.NetworkMirror
				if m, err = c.Mirror("https://mirror.example.org/mirror/", registry.MirrorOptions{}); err == nil {
					_, err = install(ctx, c, m, dir)
				}
			default:
				_, err = install(ctx, c, c, dir)
			}

			if ctx.Err() != nil {
				t.Fatal("the client did not come to an end")
			}
			wanted, known := want[fault]
			if fault.Harmless() {
				if known {
					t.Error("the fault is called harmless, but the table has an error for it")
				}
				if err != nil {
					t.Fatalf("%s: %v", fault.Describe(), err)
				}
				return
			}
			if !known {
				t.Errorf("the fault is not in the table; it gives %v", err)
			}
			if err == nil {
				t.Fatalf("no error: %s", fault.Describe())
			}
			var e *registry.Error
			if !errors.As(err, &e) || e.Err == nil || !strings.HasPrefix(err.Error(), "registry: ") {
				t.Errorf("error %#v is not an *Error", err)
			}
			if wanted != nil && !errors.Is(err, wanted) {
				t.Errorf("got %v, want %v", err, wanted)
			}
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
				t.Errorf("control characters in %q", err)
			}
			left, _ := os.ReadDir(tmp)
			if len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	for fault := range want {
		if fault.Describe() == "" {
			t.Errorf("there is no fault %q", fault)
		}
	}
}

// TestHostileZips installs packages whose contents are an attack.
func TestHostileZips(t *testing.T) {
	for name, data := range registrytest.HostileZips() {
		t.Run(name, func(t *testing.T) {
			c := content()
			c.Providers[0].Versions[1].Zip = func(string) []byte { return data }
			c.Providers[0].Versions[1].Reported = false
			srv := registrytest.Start(t, c)
			tmp := t.TempDir()
			client := srv.Registry()
			_, err := install(t.Context(), client, client, filepath.Join(tmp, "sub"))
			if err == nil {
				t.Fatal("it was installed")
			}
			if name != "no executable" && !errors.Is(err, registry.ErrUnsafeArchive) {
				t.Errorf("got %v, want %v", err, registry.ErrUnsafeArchive)
			}
			if left, _ := os.ReadDir(tmp); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
