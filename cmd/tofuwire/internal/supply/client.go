// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ulikunitz/xz"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

// Platforms is the flag -platform, which may be repeated.
type Platforms []addrs.Platform

func (p *Platforms) String() string { return "" }

// Set adds a platform, unless it is there already.
func (p *Platforms) Set(s string) error {
	platform, err := addrs.ParsePlatform(s)
	if err == nil && !slices.Contains(*p, platform) {
		*p = append(*p, platform)
	}
	return err
}

// Flags are the flags that say where things come from.
type Flags struct {
	Mirror, CA, CLIConfig string
	Terraform             bool
}

// Add defines the flags.
func (f *Flags) Add(flags *commandline.Set) {
	flags.StringVar(&f.Mirror, "mirror", "", "use this mirror instead of the registries: `URL or DIR`")
	flags.StringVar(&f.CA, "ca", "", "trust the certificate authorities in `FILE` as well, in PEM")
	flags.StringVar(&f.CLIConfig, "cli-config", "", "use the CLI configuration in `FILE` instead of the user's")
	flags.BoolVar(&f.Terraform, "terraform", false, "read files, addresses and settings as Terraform does")
}

// Tool is the tool whose lock files are written.
func (f *Flags) Tool() addrs.Tool {
	if f.Terraform {
		return addrs.Terraform
	}
	return addrs.OpenTofu
}

// Add defines the option -platform.
func (p *Platforms) Add(flags *commandline.Set) {
	flags.Var(p, "platform", "a platform `OS_ARCH` such as linux_amd64, may be repeated; the default is this one")
	flags.Offer("platform", func() []string {
		return []string{"darwin_amd64", "darwin_arm64", "freebsd_amd64", "linux_386", "linux_amd64", "linux_arm", "linux_arm64", "windows_386", "windows_amd64", "windows_arm64"}
	})
}

// A Supply is where providers and modules come from.
type Supply struct {
	Client *registry.Client
	Source registry.Source
	Config *cliconfig.Config
	Known  *install.Known

	Environ []string // of the process
	warned  []string // lines
}

// Open makes a client and a source of the flags, of the CLI configuration and of
// the environment, for the module in dir.
func (f *Flags) Open(dir, agent string, environ []string) (*Supply, error) {
	if environ == nil {
		environ = []string{} // nothing, not that of this process
	}
	env := cliconfig.Environment{Environ: environ}
	if f.Terraform {
		env.Tool = addrs.Terraform
	}
	load := env.Load
	if f.CLIConfig != "" {
		load = func() (*cliconfig.Config, error) { return env.LoadFile(f.CLIConfig) }
	}
	cfg, err := load()
	if err != nil && (f.Mirror == "" || f.CLIConfig != "") {
		return nil, err // it may say where packages come from
	}
	transport, err := newTransport(f.CA)
	if err != nil {
		return nil, err
	}
	s := &Supply{Config: cfg, Client: &registry.Client{UserAgent: agent, HTTP: &http.Client{Transport: transport}}}
	s.Client.Configure(cfg)
	s.Client.Policy.Tool = f.Tool()
	s.Client.DownloadAuthorization = netrc(environ).Authorization
	s.Environ = environ
	// Only this very text counts, as in OpenTofu.
	s.Client.Policy.RequireSigned = getenv(environ, "OPENTOFU_ENFORCE_GPG_VALIDATION") == "true"
	s.Known = &install.Known{Dir: knownDir(dir, environ)}
	s.Source, err = f.source(s)
	return s, err
}

// Start opens the supply of a program, prints what is wrong in the CLI configuration,
// and shows the client's progress in a bar, if it is wanted.
func (f *Flags) Start(program, dir string, w io.Writer, environ []string, progress bool) (*Supply, *Bar, error) {
	s, err := f.Open(dir, "tofuwire-"+program, environ)
	if err != nil {
		return nil, nil, err
	}
	for _, warning := range s.Config.Warnings {
		fmt.Fprintf(w, "tofuwire %s: warning: %s\n", program, printable.URLs(warning))
	}
	for _, fault := range s.Config.Faults {
		fmt.Fprintf(w, "tofuwire %s: warning: %s\n", program, strings.TrimPrefix(fault.Error(), "cliconfig: "))
	}
	bar := &Bar{}
	if progress {
		bar.W, bar.From = w, time.Now().Add(time.Second)
	}
	s.Client.Progress = bar.Update
	return s, bar, nil
}

// newTransport returns a transport that keeps its connections and trusts further
// authorities.
func newTransport(ca string) (*http.Transport, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 128 // what a Client asks for at once
	// What many packages bring at once waits in the connection, not in memory.
	t.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 4 << 20}
	// A host without HTTP/2 gets many connections. Only the first pays for certificates.
	t.TLSClientConfig = &tls.Config{ClientSessionCache: tls.NewLRUClientSessionCache(0)}
	if ca == "" {
		return t, nil
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: the file contains no certificate", ca)
	}
	t.TLSClientConfig.RootCAs = pool
	return t, nil
}

// source returns the mirror that was asked for, or else what the configuration
// describes.
func (f *Flags) source(s *Supply) (registry.Source, error) {
	switch {
	case f.Mirror == "":
		return ocimirror.Sources(s.Config, s.Client, s.Environ)
	case strings.Contains(f.Mirror, "://"):
		return s.Client.Mirror(f.Mirror, registry.MirrorOptions{})
	}
	info, err := os.Stat(f.Mirror)
	if err != nil || !info.IsDir() {
		err = fmt.Errorf("%s is neither the URL of a mirror nor a directory", printable.Address(f.Mirror))
	}
	return &registry.FilesystemMirror{Dir: f.Mirror}, err
}

// netrc reads the user's file of logins, if there is one. The tools send its logins to the
// servers of packages and modules.
func netrc(environ []string) *registry.Netrc {
	name := getenv(environ, "NETRC")
	if name == "" {
		name = filepath.Join(getenv(environ, "HOME"), ".netrc")
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return registry.ParseNetrc(src)
}

// Modules returns what fetches modules: archives by the client, also those in xz, packages of
// OCI registries with the credentials that tofu would use, and Git repositories by git.
func (s *Supply) Modules() *install.Modules {
	return &install.Modules{
		Client: s.Client,
		Xz:     func(r io.Reader) (io.Reader, error) { return xz.NewReader(r) },
		OCI: func(ctx context.Context, source string) (*registry.Package, error) {
			credentials, err := ocimirror.LoadCredentials(s.Config, s.Environ)
			if err != nil {
				return nil, err
			}
			return (&ocimirror.Mirror{Credentials: credentials, HTTP: s.Client.HTTP}).Module(ctx, source)
		},
		Fetch: Git{Environ: s.Environ}.Fetch,
	}
}

// Warn prints a warning about a version of a provider or module once.
func (s *Supply) Warn(w io.Writer, source, version string, texts ...string) {
	for _, text := range texts {
		line := fmt.Sprintf("warning: %s: %s\n", strings.TrimSpace(source+" "+version), text)
		if !slices.Contains(s.warned, line) {
			s.warned = append(s.warned, line)
			io.WriteString(w, line)
		}
	}
}

// WarnModules prints the warnings about modules that were fetched.
func (s *Supply) WarnModules(w io.Writer, modules []install.FetchedModule) {
	for _, m := range modules {
		version := ""
		if m.Version.IsValid() {
			version = m.Version.String()
		}
		s.Warn(w, printable.Address(m.Source.ForDisplay()), version, m.Warnings...)
	}
}

// knownDir is where it is remembered which hash belongs to which platform: in the
// user's cache directory, or else with the module's own data.
func knownDir(dir string, environ []string) string {
	if cache := userCache(environ); cache != "" {
		return filepath.Join(cache, "hashes")
	}
	return filepath.Join(dir, ".terraform", "tofuwire-hashes")
}

// StampsDir is where it is remembered which packages were verified: in the user's cache
// directory, or nowhere.
func StampsDir(environ []string) string {
	if cache := userCache(environ); cache != "" {
		return filepath.Join(cache, "stamps")
	}
	return ""
}

// userCache returns the user's cache directory of these programs, or "".
func userCache(environ []string) string {
	if cache := getenv(environ, "XDG_CACHE_HOME"); filepath.IsAbs(cache) {
		return filepath.Join(cache, "tofuwire")
	}
	if home := getenv(environ, "HOME"); home != "" {
		return filepath.Join(home, ".cache", "tofuwire")
	}
	return ""
}

// getenv returns the value of a variable of environ.
func getenv(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
