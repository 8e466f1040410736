// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/benchmarks/peak"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// A lockJob is the work of BenchmarkLockProviders: all packages of five
// providers for five platforms, from a registry on loopback.
type lockJob struct {
	host      string // 127.0.0.1:PORT
	roots     *x509.CertPool
	types     []string
	platforms []string
	dir       string // for files
}

func (j *lockJob) client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: j.roots}}}
}

var lockPlatforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"}

// newLockRegistry starts a registry whose packages are all the file name.
func newLockRegistry(b *testing.B, name string) (*registrytest.Server, *lockJob) {
	b.Helper()
	j := &lockJob{platforms: lockPlatforms, roots: x509.NewCertPool(), dir: b.TempDir()}
	var content registrytest.Content
	for i := range 5 {
		typ := fmt.Sprint("large", i)
		j.types = append(j.types, typ)
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: typ, Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: j.platforms, File: func(string) string { return name }},
		}})
	}
	srv, err := registrytest.NewServer(content)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(srv.Close)
	j.host = srv.Host()
	j.roots.AppendCertsFromPEM(srv.CertificatePEM())
	// The server hashes its packages now, not while it is measured.
	for _, typ := range j.types {
		for _, p := range j.platforms {
			srv.Package("acme", typ, "1.0.0", p)
		}
	}
	return srv, j
}

// tofuwire is what tofuwire lock does.
func (j *lockJob) tofuwire() error {
	ctx := context.Background()
	c := &registry.Client{HTTP: j.client()}
	locks := make([]lockfile.Lock, len(j.types))
	errs := make(chan error, len(j.types)*len(j.platforms)+len(j.types))
	var wg sync.WaitGroup
	for i, typ := range j.types {
		wg.Go(func() {
			p := addrs.MustParseProvider(j.host + "/acme/" + typ)
			list, err := c.Versions(ctx, p)
			if err != nil {
				errs <- err
				return
			}
			v, _ := list.Newest(addrs.Constraints{})
			hashes := make([][]lockfile.Hash, len(j.platforms))
			var inner sync.WaitGroup
			for k, platform := range j.platforms {
				inner.Go(func() {
					var err error
					if hashes[k], err = lockOne(ctx, c, p, v, addrs.MustParsePlatform(platform)); err != nil {
						errs <- err
					}
				})
			}
			inner.Wait()
			locks[i] = lockfile.Lock{Provider: p, Version: v, Hashes: lockfile.UnionHashes(hashes...)}
		})
	}
	wg.Wait()
	close(errs)
	if err := <-errs; err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(j.dir, "tofuwire.hcl"), lockfile.Locks(locks).Canonical(addrs.OpenTofu), 0o644)
}

func lockOne(ctx context.Context, c *registry.Client, p addrs.Provider, v addrs.Version, platform addrs.Platform) ([]lockfile.Hash, error) {
	pkg, err := c.Package(ctx, p, v, platform)
	if err != nil {
		return nil, err
	}
	auth, err := c.Authenticate(ctx, pkg)
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	var sum *checksum.Package
	var hashErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		sum, hashErr = checksum.Hasher{Workers: 1}.Stream(ctx, pkg.Filename, r)
		r.CloseWithError(cmp.Or(hashErr, io.ErrClosedPipe))
	}()
	_, err = c.Download(ctx, pkg, w)
	w.CloseWithError(cmp.Or(err, io.EOF))
	<-done
	if err := cmp.Or(err, hashErr); err != nil {
		return nil, err
	}
	result, err := auth.Check(sum.Computed()...)
	if err != nil {
		return nil, err
	}
	return result.LockHashes(registry.RuleTofu), nil
}

// straightforward does the same, one thing after the other, with the packages
// that everybody would take.
func (j *lockJob) straightforward() error {
	client := j.client()
	get := func(u string) ([]byte, error) {
		resp, err := client.Get(u)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s: %s", u, resp.Status)
		}
		return io.ReadAll(resp.Body)
	}
	getJSON := func(u string, v any) error {
		b, err := get(u)
		if err != nil {
			return err
		}
		return json.Unmarshal(b, v)
	}
	host := "https://" + j.host
	var services map[string]any
	if err := getJSON(host+"/.well-known/terraform.json", &services); err != nil {
		return err
	}
	base := host + services["providers.v1"].(string)
	var out strings.Builder
	for _, typ := range j.types {
		var versions struct {
			Versions []struct{ Version string }
		}
		if err := getJSON(base+"acme/"+typ+"/versions", &versions); err != nil {
			return err
		}
		version := versions.Versions[0].Version
		var hashes []string
		for _, platform := range j.platforms {
			var meta struct {
				Filename    string
				Shasum      string
				DownloadURL string `json:"download_url"`
				SumsURL     string `json:"shasums_url"`
				SigURL      string `json:"shasums_signature_url"`
				SigningKeys struct {
					GPG []struct {
						ASCIIArmor string `json:"ascii_armor"`
					} `json:"gpg_public_keys"`
				} `json:"signing_keys"`
			}
			if err := getJSON(base+"acme/"+typ+"/"+version+"/download/"+strings.Replace(platform, "_", "/", 1), &meta); err != nil {
				return err
			}
			sums, err := get(host + meta.SumsURL)
			if err != nil {
				return err
			}
			sig, err := get(host + meta.SigURL)
			if err != nil {
				return err
			}
			ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(meta.SigningKeys.GPG[0].ASCIIArmor))
			if err != nil {
				return err
			}
			if _, err := openpgp.CheckDetachedSignature(ring, bytes.NewReader(sums), bytes.NewReader(sig), nil); err != nil {
				return err
			}
			name := filepath.Join(j.dir, meta.Filename)
			if err := download(client, host+meta.DownloadURL, name); err != nil {
				return err
			}
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			h := sha256.New()
			_, err = io.Copy(h, f)
			f.Close()
			if err != nil {
				return err
			}
			if sum := hex.EncodeToString(h.Sum(nil)); sum != meta.Shasum || !bytes.Contains(sums, []byte(sum+"  "+meta.Filename)) {
				return fmt.Errorf("%s has the wrong hash", meta.Filename)
			}
			h1, err := dirhash.HashZip(name, dirhash.Hash1)
			if err != nil {
				return err
			}
			hashes = append(hashes, h1)
			for line := range strings.Lines(string(sums)) {
				hashes = append(hashes, "zh:"+strings.Fields(line)[0])
			}
			if err := os.Remove(name); err != nil {
				return err
			}
		}
		slices.Sort(hashes)
		fmt.Fprintf(&out, "provider %q {\n  version = %q\n  hashes = %q\n}\n", j.host+"/acme/"+typ, version, slices.Compact(hashes))
	}
	return os.WriteFile(filepath.Join(j.dir, "straightforward.hcl"), []byte(out.String()), 0o644)
}

func download(client *http.Client, u, name string) error {
	resp, err := client.Get(u)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, resp.Body); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// lockZipSize is the size of the plain executable in MB, which makes a zip of
// about 25 MB.
const lockZipSize = 60

// BenchmarkLockProviders locks 5 providers for 5 platforms.
func BenchmarkLockProviders(b *testing.B) {
	name := makeZip(b, lockZipSize)
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	srv, j := newLockRegistry(b, name)
	compare(b, fmt.Sprintf("5x5x%dMB", info.Size()/1e6), 25*info.Size(),
		impl{"straightforward", j.straightforward},
		impl{"tofuwire", func() error {
			srv.Clear()
			if err := j.tofuwire(); err != nil {
				return err
			}
			seen := map[string]bool{}
			for _, r := range srv.Requests() {
				if seen[r.Path] {
					return fmt.Errorf("%s was requested twice", r.Path)
				}
				seen[r.Path] = true
			}
			return nil
		}},
	)
}

// BenchmarkLockProvidersMemory reports the peak of the memory of a process
// that does the same; the registry is in another process.
func BenchmarkLockProvidersMemory(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("needs /proc to read the peak")
	}
	srv, j := newLockRegistry(b, makeZip(b, lockZipSize))
	ca := filepath.Join(j.dir, "ca.pem")
	if err := os.WriteFile(ca, srv.CertificatePEM(), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, impl := range []string{"none", "straightforward", "tofuwire"} {
		b.Run("size=5x5/impl="+impl, func(b *testing.B) {
			reportPeak(b, func() *exec.Cmd {
				c := exec.Command(os.Args[0], "-test.run=^TestLockProvidersChild$", "-test.v")
				c.Env = append(os.Environ(), "LOCK_CHILD="+impl, "LOCK_HOST="+j.host, "LOCK_CA="+ca, "LOCK_TYPES="+strings.Join(j.types, ","), "LOCK_DIR="+j.dir)
				return c
			})
		})
	}
}

// TestLockProvidersChild is the process that BenchmarkLockProvidersMemory
// measures.
func TestLockProvidersChild(t *testing.T) {
	pem, err := os.ReadFile(os.Getenv("LOCK_CA"))
	if err != nil {
		t.Skip("needs to be started by BenchmarkLockProvidersMemory")
	}
	j := &lockJob{host: os.Getenv("LOCK_HOST"), roots: x509.NewCertPool(), types: strings.Split(os.Getenv("LOCK_TYPES"), ","), platforms: lockPlatforms, dir: os.Getenv("LOCK_DIR")}
	j.roots.AppendCertsFromPEM(pem)
	switch os.Getenv("LOCK_CHILD") {
	case "straightforward":
		err = j.straightforward()
	case "tofuwire":
		err = j.tofuwire()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := peak.Print(); err != nil {
		t.Fatal(err)
	}
}
