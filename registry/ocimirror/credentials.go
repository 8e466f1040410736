// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/tofuwire/tofuwire/registry"
)

// Credentials are the credentials of a user for OCI registries. They come from the
// blocks oci_credentials and oci_default_credentials of the CLI configuration, and
// from the files of Docker, Podman and others. The methods are safe for concurrent
// use.
type Credentials struct {
	list []credential
}

// A credential is for all repositories below a prefix.
type credential struct {
	prefix string // DOMAIN or DOMAIN/PATH; "" matches all
	fixed  auth.Credential
	helper string // the suffix of a program docker-credential-, or ""
}

// dockerConfig is the part of a Docker-style file that has credentials.
type dockerConfig struct {
	Auths map[string]struct {
		Auth []byte `json:"auth"`
	} `json:"auths"`
	CredHelpers map[string]string `json:"credHelpers"`
	CredsStore  string            `json:"credsStore"`
}

// LoadCredentials finds the credentials of a CLI configuration, as OpenTofu does.
// environ are the variables of the environment, in the form of os.Environ; if nil, they
// are those of this process. Files named in the configuration must exist; files at
// default places need not.
func LoadCredentials(cfg *registry.CLIConfig, environ []string) (*Credentials, error) {
	if cfg == nil {
		cfg = &registry.CLIConfig{}
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
		defaults = &registry.OCIDefaults{Discover: true}
	}
	if defaults.Helper != "" {
		c.list = append(c.list, credential{helper: defaults.Helper})
	}
	if !defaults.Discover {
		return c, nil
	}
	files, optional := defaults.ConfigFiles, false
	if files == nil {
		files, optional = searchFiles(environ), true
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if optional && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var doc dockerConfig
		if err == nil {
			err = json.Unmarshal(src, &doc)
		}
		if err != nil {
			return nil, &registry.Error{Op: "configuration", URL: name, Err: err}
		}
		c.add(&doc)
	}
	return c, nil
}

// add adds the credentials of a file.
func (c *Credentials) add(doc *dockerConfig) {
	for _, prefix := range slices.Sorted(maps.Keys(doc.Auths)) {
		if user, password, ok := strings.Cut(string(doc.Auths[prefix].Auth), ":"); ok && prefix != "" {
			c.list = append(c.list, credential{prefix: prefix, fixed: auth.Credential{Username: user, Password: password}})
		}
	}
	for _, domain := range slices.Sorted(maps.Keys(doc.CredHelpers)) {
		if helper := doc.CredHelpers[domain]; helper != "" && domain != "" && !strings.Contains(domain, "/") {
			c.list = append(c.list, credential{prefix: domain, helper: helper})
		}
	}
	if doc.CredsStore != "" {
		c.list = append(c.list, credential{helper: doc.CredsStore})
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
// that fit equally well.
func (c *Credentials) find(ctx context.Context, host, path string) (auth.Credential, error) {
	best, fit := credential{}, 0
	for _, o := range c.list {
		if s := specificity(o.prefix, host, path); s > fit {
			best, fit = o, s
		}
	}
	if fit == 0 {
		return auth.EmptyCredential, nil
	}
	if best.helper == "" {
		return best.fixed, nil
	}
	got, err := credentials.NewNativeStore(best.helper).Get(ctx, "https://"+host)
	if err != nil {
		return auth.EmptyCredential, fmt.Errorf("credential helper %q: %w", best.helper, err)
	}
	return got, nil
}
