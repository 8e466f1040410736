// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/registry"
)

// A Level is the severity of a [Finding].
// Its values are [LevelOK], [LevelAdvice] and [LevelProblem].
type Level int

// The levels, from good to bad.
const (
	// LevelOK means that the point is right.
	LevelOK Level = iota

	// LevelAdvice means that OpenTofu works, but could be served better.
	LevelAdvice

	// LevelProblem means that some versions of OpenTofu or Terraform, or other
	// clients, will fail or crash, or that security suffers.
	LevelProblem
)

// String returns "ok", "advice" or "problem".
func (l Level) String() string {
	switch l {
	case LevelOK:
		return "ok"
	case LevelAdvice:
		return "advice"
	case LevelProblem:
		return "problem"
	default:
		return fmt.Sprintf("Level(%d)", int(l))
	}
}

// A Finding is one point of a [Report].
type Finding struct {
	Level Level  // the severity
	Check string // a short fixed name, such as "discovery" or "unknown-provider"
	Text  string // what was found, for people
}

// String returns the finding in one line.
func (f Finding) String() string { return fmt.Sprintf("%-8s %-18s %s", f.Level, f.Check, f.Text) }

// A Report has the findings of [Lint], in the order of the checks.
type Report struct {
	Findings []Finding // good and bad findings
}

// OK reports whether there is no finding of [LevelProblem].
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == LevelProblem })
}

// String returns the report, one finding per line.
func (r *Report) String() string {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// count returns a number with the noun that it counts.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A Target says what [Lint] requests from a registry. Zero fields are not
// checked.
type Target struct {
	// Provider is a provider that the registry has. It also names the host.
	Provider addrs.Provider

	// Version and Platform choose a package of it. If zero, they are the
	// newest version and its first platform.
	Version  addrs.Version
	Platform addrs.Platform

	// Module is a module that the registry has.
	Module registry.Module
}

// Lint sends the requests of OpenTofu, and a few more, to a running registry,
// and reports its findings. It sends a dozen requests, downloads one package,
// and changes nothing. The client's settings count, for example its
// credentials; its HTTP client sends all requests. To check a registry that has
// no discovery document yet, give its base URL in the client's Services.
//
// No answer of the registry makes Lint fail: everything is in the Report.
func Lint(ctx context.Context, client *registry.Client, target Target) *Report {
	l := &linter{ctx: ctx, client: client, target: target, report: &Report{}}
	if target.Provider.IsValid() {
		l.provider()
	}
	if target.Module != (registry.Module{}) {
		l.module()
	}
	return l.report
}

type linter struct {
	ctx    context.Context
	client *registry.Client
	target Target
	report *Report
}

func (l *linter) add(level Level, check, format string, args ...any) {
	l.report.Findings = append(l.report.Findings, Finding{level, check, fmt.Sprintf(format, args...)})
}

// check adds a good or bad finding.
func (l *linter) check(good bool, level Level, check, ok, bad string) {
	if good {
		l.add(LevelOK, check, "%s", ok)
	} else {
		l.add(level, check, "%s", bad)
	}
}

// lintLimit is how many bytes of a document are read raw.
const lintLimit = 8 << 20

// raw fetches a document without the strictness of the client, and returns
// its status, content type and text.
func (l *linter) raw(u string) (status int, mediaType string, body []byte, err error) {
	req, err := http.NewRequestWithContext(l.ctx, http.MethodGet, u, nil)
	if err != nil {
		return 0, "", nil, err
	}
	parsed := req.URL
	if l.client.Credentials != nil && parsed.Scheme == "https" && parsed.Host == l.target.Provider.ASCIIHost() {
		if token, err := l.client.Credentials.Token(l.ctx, parsed.Host); err == nil && token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
	}
	hc := l.client.HTTP
	if hc == nil {
		hc = http.DefaultClient
	}
	resp, err := hc.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, lintLimit))
	mediaType, _, _ = mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return resp.StatusCode, mediaType, body, err
}

// provider checks the provider registry protocol.
func (l *linter) provider() {
	p := l.target.Provider
	base, err := l.client.Service(l.ctx, p.ASCIIHost(), registry.ProvidersV1)
	if err != nil {
		l.add(LevelProblem, "discovery", "%v", err)
		return
	}
	l.add(LevelOK, "discovery", "providers.v1 is %s", base)
	l.check(strings.HasSuffix(base.Path, "/"), LevelProblem, "base-url", "it ends in a slash", "it does not end in a slash: OpenTofu loses its last part")
	l.check(base.Host == p.ASCIIHost(), LevelAdvice, "token-origin", "it is on the registry's own host",
		"it is on another host: careful clients do not send it the token of "+p.ASCIIHost())

	list, err := l.client.Versions(l.ctx, p)
	if err != nil {
		l.add(LevelProblem, "versions", "%v", err)
		return
	}
	l.add(LevelOK, "versions", "%s", count(len(list.Versions), "version"))
	l.versionsDocument(base.JoinPath(p.Namespace(), p.Type(), "versions").String())
	l.unknown(base)

	version, platform := l.target.Version, l.target.Platform
	if !version.IsValid() {
		if v, ok := list.Newest(addrs.Constraints{}); ok {
			version = v
		} else {
			l.add(LevelAdvice, "versions", "no version but prereleases; give one to check more")
			return
		}
	}
	if !platform.IsValid() {
		v, _ := list.Lookup(version)
		if len(v.Platforms) == 0 {
			l.add(LevelAdvice, "platforms", "the list does not say what platforms there are; give one to check more")
			return
		}
		platform = v.Platforms[0]
	}
	l.pkg(base, version, platform)
}

// versionsDocument checks the parts that the client ignores.
func (l *linter) versionsDocument(u string) {
	status, mediaType, body, err := l.raw(u)
	if err != nil || status != http.StatusOK {
		return // the client has reported everything
	}
	l.check(mediaType == "application/json", LevelAdvice, "content-type", "application/json", fmt.Sprintf("the list of versions is %q, not application/json", mediaType))
	var doc struct {
		Versions []struct {
			Version   string
			Protocols []string
			Platforms []any
		}
	}
	if json.Unmarshal(body, &doc) != nil {
		return
	}
	seen := map[string]bool{}
	for _, v := range doc.Versions {
		parsed, err := addrs.ParseVersion(v.Version)
		if err == nil && parsed.String() != v.Version {
			l.add(LevelProblem, "version-form", "%q is not in normal form: OpenTofu asks for %s", v.Version, parsed)
		}
		if _, _, _, ok := parsed.Numbers(); err == nil && !ok {
			l.add(LevelProblem, "version-form", "%q has a number above 2^64, which crashes OpenTofu", v.Version)
		}
		if seen[v.Version] {
			l.add(LevelProblem, "version-form", "%q occurs twice", v.Version)
		}
		seen[v.Version] = true
		if len(v.Protocols) == 0 {
			l.add(LevelAdvice, "protocols", "%s has no protocols: OpenTofu cannot suggest it", v.Version)
		}
	}
}

// unknown requests a provider that no registry has.
func (l *linter) unknown(base *url.URL) {
	const name = "no-such-provider-tofuwire-lint"
	status, _, _, err := l.raw(base.JoinPath(l.target.Provider.Namespace(), name, "versions").String())
	if err != nil {
		l.add(LevelProblem, "unknown-provider", "%v", err)
		return
	}
	l.check(status == http.StatusNotFound, LevelProblem, "unknown-provider", "404", fmt.Sprintf("an unknown provider gives status %d, not 404", status))
}

// packageName is the form of package names that tools rely on.
var packageName = lazy.Regexp(`^terraform-provider-[^_]+_[^_]+_[^_]+_[^_]+\.zip$`)

// pkg checks the answer about one package, its documents, and the package.
func (l *linter) pkg(base *url.URL, version addrs.Version, platform addrs.Platform) {
	p := l.target.Provider
	status, _, _, err := l.raw(base.JoinPath(p.Namespace(), p.Type(), version.String(), "download", "nosuchos", "nosucharch").String())
	if err == nil {
		l.check(status == http.StatusNotFound, LevelProblem, "unknown-platform", "404", fmt.Sprintf("an unknown platform gives status %d, not 404", status))
	}
	pkg, err := l.client.Package(l.ctx, p, version, platform)
	if err != nil {
		l.add(LevelProblem, "package", "%v", err)
		return
	}
	l.add(LevelOK, "package", "%s", pkg.Filename)
	l.check(packageName().MatchString(pkg.Filename), LevelAdvice, "package-name", "as usual",
		fmt.Sprintf("%q is not terraform-provider-TYPE_VERSION_OS_ARCH.zip", pkg.Filename))
	l.check(len(pkg.Protocols) > 0, LevelProblem, "protocols", strings.Join(pkg.Protocols, ", "), "the response has no protocols")
	l.check(len(pkg.SigningKeys) > 0, LevelProblem, "signing-keys", count(len(pkg.SigningKeys), "key"), "there are no signing keys: OpenTofu refuses the provider")
	if p.Host() == addrs.DefaultHost { // OpenTofu believes no other registry
		l.check(len(pkg.Reported) > 0, LevelAdvice, "packages", fmt.Sprintf("hashes of %d platforms", len(pkg.Reported)),
			"there is no member packages: OpenTofu 1.12 has to fetch every package to lock for all platforms")
	}
	for _, u := range []*url.URL{pkg.URL, pkg.ChecksumsURL, pkg.SignatureURL} {
		if u.Scheme != "https" {
			l.add(LevelProblem, "tls", "%s has no TLS", u.Redacted())
		}
	}
	l.sums(pkg)
	auth, err := l.client.Authenticate(l.ctx, pkg)
	if err != nil {
		l.add(LevelProblem, "signature", "%v", err)
	} else if auth.Signer != nil {
		l.add(LevelOK, "signature", "by %s", auth.Signer.KeyID)
		for _, w := range auth.Warnings {
			l.add(LevelAdvice, "signature", "%s", w)
		}
	}
	l.download(pkg)
}

// sums looks at the checksum document line by line.
func (l *linter) sums(pkg *registry.Package) {
	status, _, body, err := l.raw(pkg.ChecksumsURL.String())
	if err != nil || status != http.StatusOK {
		return // Authenticate reports it
	}
	good, names := true, map[string]string{}
	bad := func(n int, text string) {
		good = false
		l.add(LevelProblem, "checksums", "line %d: %s", n, text)
	}
	n := 0
	for line := range strings.Lines(string(body)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		sum, name, ok := strings.Cut(line, "  ")
		switch {
		case strings.TrimSpace(line) == "":
			bad(n, "a blank line crashes OpenTofu")
		case len(strings.Fields(line)[0]) > 64:
			bad(n, "more than 64 digits crash OpenTofu")
		case !ok || !isHexSum(sum) || strings.ContainsAny(name, " \t\r*/\\"):
			bad(n, "not 64 digits in lower case, two spaces and a file name")
		case names[name] != "" && names[name] != sum:
			bad(n, "a second checksum for "+name)
		}
		names[name] = sum
	}
	if good {
		l.add(LevelOK, "checksums", "%s", count(n, "line"))
	}
}

func isHexSum(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && s == strings.ToLower(s)
}

// download fetches the package and checks whether a broken download could be
// continued.
func (l *linter) download(pkg *registry.Package) {
	content, err := os.CreateTemp("", "tofuwire-lint-")
	if err != nil {
		l.add(LevelProblem, "download", "%v", err)
		return
	}
	defer os.Remove(content.Name())
	defer content.Close()
	d, err := l.client.Download(l.ctx, pkg, content)
	if err != nil {
		l.add(LevelProblem, "download", "%v", err)
		return
	}
	l.add(LevelOK, "download", "%d bytes", d.Size)
	l.plugin(pkg, content, d.Size)
	req, err := http.NewRequestWithContext(l.ctx, http.MethodGet, pkg.URL.String(), nil)
	if err != nil {
		return
	}
	req.Header.Set("Range", "bytes=1-1")
	hc := l.client.HTTP
	if hc == nil {
		hc = http.DefaultClient
	}
	resp, err := hc.Do(req)
	if err != nil {
		return
	}
	resp.Body.Close()
	l.check(resp.StatusCode == http.StatusPartialContent, LevelAdvice, "ranges", "a broken download can be continued", "there are no range requests: a broken download begins anew")
}

// plugin checks that the plugin in a package can be started. Windows does not ask for it.
func (l *linter) plugin(pkg *registry.Package, content io.ReaderAt, size int64) {
	z, err := zip.NewReader(content, size)
	if err != nil || pkg.Platform.OS() == "windows" {
		return
	}
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "terraform-provider-"+pkg.Provider.Type()) && f.Mode().IsRegular() {
			l.check(f.Mode()&0o111 != 0, LevelProblem, "executable", "the plugin is executable",
				fmt.Sprintf("the plugin %q is not executable in the package: it is installed, and every plan fails", f.Name))
		}
	}
}

// module checks the module registry protocol.
func (l *linter) module() {
	list, err := l.client.ModuleVersions(l.ctx, l.target.Module)
	if err != nil {
		l.add(LevelProblem, "module", "%v", err)
		return
	}
	l.add(LevelOK, "module", "%s", count(len(list.Versions), "version"))
	for _, v := range list.Invalid {
		l.add(LevelProblem, "module-version", "%q is not a version", v)
	}
	if len(list.Versions) == 0 {
		return
	}
	loc, err := l.client.ModuleLocation(l.ctx, l.target.Module, list.Versions[len(list.Versions)-1])
	if err != nil {
		l.add(LevelProblem, "module-location", "%v", err)
		return
	}
	l.add(LevelOK, "module-location", "%s", loc.Source)
	l.archive(loc.Source)
}

// archive checks that a module has no links, which the tools make empty files of. It looks
// at tars with gzip, which are what most registries give.
func (l *linter) archive(source string) {
	u, err := url.Parse(source)
	if err != nil || u.Scheme != "https" || !strings.HasSuffix(u.Path, ".gz") && u.Query().Get("archive") != "tar.gz" {
		return
	}
	var content bytes.Buffer
	loc := &registry.ModuleLocation{Source: source, Direct: true}
	if _, err := l.client.DownloadModule(l.ctx, loc, &content); err != nil {
		l.add(LevelProblem, "module-archive", "%v", err)
		return
	}
	z, err := gzip.NewReader(&content)
	if err != nil {
		l.add(LevelProblem, "module-archive", "%v", err)
		return
	}
	files := 0
	for t := tar.NewReader(z); ; files++ {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			l.add(LevelProblem, "module-archive", "%v", err)
			return
		}
		if h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink {
			l.add(LevelProblem, "module-archive", "%q is a link, of which OpenTofu and Terraform make an empty file", h.Name)
			return
		}
	}
	l.add(LevelOK, "module-archive", "%s", count(files, "file"))
}
