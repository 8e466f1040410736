// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// Credentials are the credentials of a user for OCI registries. They come from the
// blocks oci_credentials and oci_default_credentials of the CLI configuration, and
// from the files of Docker, Podman and others. The methods are safe for concurrent
// use.
type Credentials struct {
	list []credential

	mu     sync.Mutex
	faults []error
	broken error // the first fault of a file at a default place as a whole
}

// A credential is for all repositories below a prefix.
type credential struct {
	prefix string // DOMAIN or DOMAIN/PATH; "" matches all
	fixed  auth.Credential
	helper string // the suffix of a program docker-credential-, or ""
	found  bool   // in a file at a default place
	fault  error  // why it cannot be used, or nil
}

// LoadCredentials finds the credentials of a CLI configuration, as OpenTofu does.
// environ are the variables of the environment, in the form of os.Environ; if nil, they
// are those of this process.
//
// Files named in the configuration must exist and be readable. In the default places,
// LoadCredentials ignores files that cannot be read, broken entries, and helpers that
// fail: requests continue without credentials, and [Credentials.Faults] reports what
// was ignored. Where OpenTofu would fail instead, the packages have a warning.
func LoadCredentials(cfg *cliconfig.Config, environ []string) (*Credentials, error) {
	if cfg == nil {
		cfg = &cliconfig.Config{}
	}
	if environ == nil {
		environ = os.Environ()
	}
	c := &Credentials{}
	for _, o := range cfg.OCICredentials {
		c.list = append(c.list, credential{prefix: o.Prefix, helper: o.Helper, fixed: auth.Credential{
			Username: o.Username, Password: o.Password, AccessToken: o.AccessToken, RefreshToken: o.RefreshToken,
		}})
	}
	defaults := cfg.OCIDefaults
	if defaults == nil {
		defaults = &cliconfig.OCIDefaults{Discover: true}
	}
	if defaults.Helper != "" {
		c.list = append(c.list, credential{helper: defaults.Helper})
	}
	if !defaults.Discover {
		return c, nil
	}
	files, found := defaults.ConfigFiles, false
	if files == nil {
		files, found = searchFiles(environ), true
	}
	for _, name := range files {
		src, err := readFile(name, found)
		if found && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		list, faults := parseFile(src)
		if err != nil {
			list, faults = nil, []error{err}
		}
		for _, err := range faults {
			err = &registry.Error{Op: "configuration", URL: name, Err: err}
			if !found {
				return nil, err
			}
			c.broken = cmp.Or(c.broken, err)
			c.fault(err)
		}
		for _, o := range list {
			if o.found = found; o.fault != nil {
				o.fault = &registry.Error{Op: "configuration", URL: name, Err: o.fault}
				c.fault(o.fault)
			}
			c.list = append(c.list, o)
		}
	}
	return c, nil
}

// maxFile bounds a file with credentials, and maxFaults the faults that are kept.
const (
	maxFile   = 4 << 20
	maxFaults = 20
)

// readFile reads a file. One that was found at a default place is not opened if it is a pipe, which may have no writer: that
// would wait without end.
func readFile(name string, found bool) ([]byte, error) {
	if info, err := os.Stat(name); found && err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a pipe or a socket")}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(src) > maxFile {
		err = fmt.Errorf("%w: more than %d bytes", registry.ErrLimit, maxFile)
	}
	return src, err
}

// parseFile reads a Docker-style file, as far as it can. As in OpenTofu, upper and lower case
// are the same in the names of members. The faults are those for which OpenTofu refuses the file.
func parseFile(src []byte) (list []credential, faults []error) {
	fail := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	var doc *struct {
		Auths       json.RawMessage `json:"auths"`
		CredHelpers json.RawMessage `json:"credHelpers"`
		CredsStore  json.RawMessage `json:"credsStore"`
	}
	if err := json.Unmarshal(src, &doc); err != nil {
		fail("not a JSON object with credentials: %w", err)
		return nil, faults
	}
	if doc == nil {
		return nil, nil
	}
	// The texts of the errors below would quote the secrets of the file.
	member := func(name string, text json.RawMessage) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		if text != nil && json.Unmarshal(text, &m) != nil {
			fail("%s is not an object", name)
		}
		return m
	}
	auths := member("auths", doc.Auths)
	for _, prefix := range slices.Sorted(maps.Keys(auths)) {
		var entry *struct {
			Auth []byte `json:"auth"`
		}
		if json.Unmarshal(auths[prefix], &entry) != nil {
			fail(noPassword, prefix)
			continue
		}
		if entry == nil || len(entry.Auth) == 0 || prefix == "" {
			continue // a helper has it
		}
		user, password, ok := strings.Cut(string(entry.Auth), ":")
		o := credential{prefix: prefix, fixed: auth.Credential{Username: user, Password: password}}
		if !ok {
			o = credential{prefix: prefix, fault: fmt.Errorf(noPassword, prefix)}
		}
		list = append(list, o)
	}
	helpers := member("credHelpers", doc.CredHelpers)
	for _, domain := range slices.Sorted(maps.Keys(helpers)) {
		var helper string
		if json.Unmarshal(helpers[domain], &helper) != nil {
			fail("the entry for %.100q in credHelpers is not a string", domain)
		}
		if helper != "" && domain != "" && !strings.Contains(domain, "/") {
			list = append(list, credential{prefix: domain, helper: helper})
		}
	}
	var store string
	if doc.CredsStore != nil && json.Unmarshal(doc.CredsStore, &store) != nil {
		fail("credsStore is not a string")
	}
	if store != "" {
		list = append(list, credential{helper: store})
	}
	return list, faults
}

const noPassword = "the entry for %.100q in auths is not the base64 of USER:PASSWORD"

// Faults returns the errors of files, entries and helpers that have been ignored so
// far, at most 20.
func (c *Credentials) Faults() []error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.faults)
}

// fault keeps a fault, once.
func (c *Credentials) fault(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.faults) < maxFaults && !slices.ContainsFunc(c.faults, func(o error) bool { return o.Error() == err.Error() }) {
		c.faults = append(c.faults, err)
	}
}

// searchFiles are the files in which programs keep credentials.
func searchFiles(environ []string) []string {
	env := func(name string) string {
		for _, kv := range slices.Backward(environ) {
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				return v
			}
		}
		return ""
	}
	home := env("HOME")
	if runtime.GOOS == "windows" {
		home = env("USERPROFILE")
	}
	var out []string
	switch runtime.GOOS {
	case "linux":
		if dir := env("XDG_RUNTIME_DIR"); dir != "" {
			out = append(out, filepath.Join(dir, "containers", "auth.json"))
		}
	case "darwin", "windows":
		out = append(out, filepath.Join(home, ".config", "containers", "auth.json"))
	}
	config := env("XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	if config != "" {
		out = append(out, filepath.Join(config, "containers", "auth.json"))
	}
	if home != "" {
		out = append(out, filepath.Join(home, ".docker", "config.json"), filepath.Join(home, ".dockercfg"))
	}
	return slices.Compact(out)
}

// specificity returns how well a prefix fits a repository: 0 if it does not fit, 1
// for all, 2 for the domain, and more for each part of the path.
func specificity(prefix, host, path string) int {
	domain, below, deep := strings.Cut(prefix, "/")
	switch {
	case prefix == "":
		return 1
	case domain != host:
		return 0
	case !deep:
		return 2
	case path == below || strings.HasPrefix(path, below+"/"):
		return 3 + strings.Count(below, "/")
	}
	return 0
}

// find returns the credential that fits a repository best, and the first of those
// that fit equally well. The warning is for people: why OpenTofu would not use it, or "".
func (c *Credentials) find(ctx context.Context, host, path string) (got auth.Credential, warning string, err error) {
	best, fit := credential{}, 0
	var unusable *credential
	for _, o := range c.list {
		s := specificity(o.prefix, host, path)
		if s > 0 && o.fault != nil {
			unusable = &o
		} else if s > fit {
			best, fit = o, s
		}
	}
	switch {
	case fit == 0:
		return auth.EmptyCredential, "", nil
	case unusable != nil && !unusable.found:
		return auth.EmptyCredential, "", unusable.fault
	case unusable != nil:
		warning = unable(unusable.fault)
	case best.found && c.broken != nil:
		warning = unable(c.broken)
	}
	if best.helper == "" {
		if best.fixed.RefreshToken != "" && best.fixed.AccessToken == "" {
			warning = cmp.Or(warning, unable(errors.New("access_token is empty")))
		}
		return best.fixed, warning, nil
	}
	got, asked, err := ask(ctx, best.helper, host)
	if err != nil && best.found && ctx.Err() == nil {
		c.fault(err)
		return auth.EmptyCredential, unable(err), nil
	}
	return got, cmp.Or(warning, asked), err
}

// unable returns the warning that OpenTofu refuses what is accepted here. It names the release whose rules this
// package follows.
func unable(why error) string {
	return "tofu 1.12 cannot use these credentials: " + strings.TrimPrefix(why.Error(), "registry: configuration: ")
}

// ask asks a helper for the credentials of a host. Docker stores those of some
// registries with a scheme, and those of others without. OpenTofu asks for those with a scheme
// only, and takes no tokens from a helper: the warning says so.
func ask(ctx context.Context, helper, host string) (got auth.Credential, warning string, err error) {
	store := credentials.NewNativeStore(helper)
	got, err = store.Get(ctx, "https://"+host)
	if err != nil || got == auth.EmptyCredential {
		second, err2 := store.Get(ctx, host)
		if err == nil || err2 == nil && second != auth.EmptyCredential {
			got, err = second, err2
		}
		if err == nil && got != auth.EmptyCredential {
			warning = unable(fmt.Errorf("the helper %q has them for %s, not for https://%[2]s", helper, host))
		}
	}
	if err != nil {
		return auth.EmptyCredential, "", fmt.Errorf("credential helper %q: %w", helper, err)
	}
	if got.RefreshToken != "" {
		warning = unable(fmt.Errorf("the helper %q has a token, not a user and a password", helper))
	}
	return got, warning, nil
}
