// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"errors"

	"oras.land/oras-go/v2/errdef"

	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// isNoTag reports whether an error means that a repository does not have a tag, or
// does not exist yet.
func isNoTag(err error) bool { return errors.Is(err, errdef.ErrNotFound) || isMissing(err) }

// Sources returns the source that a CLI configuration describes, like the method Sources of
// client, with a [Mirror] for each oci_mirror block. The mirrors use the fields HTTP and
// AllowHTTP of client. environ is as for [LoadCredentials].
func Sources(cfg *cliconfig.Config, client *registry.Client, environ []string) (registry.Source, error) {
	source, err := client.Sources(cfg)
	if err != nil {
		return nil, err
	}
	methods, ok := source.(registry.Sources)
	if !ok || cfg == nil {
		return source, nil
	}
	var credentials *Credentials
	for i, m := range cfg.Installation {
		if m.Kind != "oci_mirror" {
			continue
		}
		if credentials == nil {
			if credentials, err = LoadCredentials(cfg, environ); err != nil {
				return nil, err
			}
		}
		methods[i].Source = &Mirror{Template: m.RepositoryTemplate, Credentials: credentials, HTTP: client.HTTP, AllowHTTP: client.AllowHTTP}
	}
	return source, nil
}
