// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

func (r *reader) installation(it item) *fault {
	if err := r.block(it); err != nil {
		return err
	}
	r.cfg.Installation = []Method{} // also if there is a fault
	for _, m := range it.body {
		switch {
		case m.assigned && !m.json, m.body == nil:
			return m.errorf("the items of provider_installation must be blocks")
		case len(m.labels) > 0:
			return m.errorf("the blocks of provider_installation have no labels")
		case m.name == "dev_overrides":
			if err := r.devOverrides(m); err != nil {
				return err
			}
			continue
		case m.json && !m.listed && len(m.body) == 0 && len(it.body) == 1:
			// The tools look through it, and see nothing.
			r.warn(m.offset, fmt.Sprintf("%q is ignored, as it is not in a list", printable.Line(m.name, 60)))
			continue
		case m.json && !m.listed:
			return m.errorf("%q must be a list of objects", printable.Line(m.name, 60))
		}
		method, err := r.method(m)
		if err != nil {
			return err
		}
		r.cfg.Installation = append(r.cfg.Installation, method)
	}
	return nil
}

func (r *reader) devOverrides(it item) *fault {
	if len(r.cfg.Installation) > 0 {
		return it.errorf("dev_overrides must be the first block of provider_installation")
	}
	if r.cfg.DevOverrides == nil {
		r.cfg.DevOverrides = map[addrs.Provider]string{}
	}
	for _, o := range it.body {
		// As in the tools, a bad entry does not drop the others. Overrides do not matter for
		// downloads, so that it is no fault of provider_installation.
		p, err := r.provider(o.name)
		if err != nil {
			r.fail("dev_overrides", o.errorf("dev_overrides: %w", err))
			continue
		}
		dir, bad := o.text()
		if bad != nil {
			r.fail("dev_overrides", bad)
			continue
		}
		r.cfg.DevOverrides[p] = filepath.Clean(r.env.expandHome(dir))
	}
	return nil
}

// provider parses a source address by the rules of the tool.
func (r *reader) provider(s string) (addrs.Provider, error) {
	p, err := addrs.ParseProvider(s)
	if err == nil && p.Host() == addrs.DefaultHost && r.tool == addrs.Terraform && strings.Count(s, "/") < 2 {
		p, err = addrs.NewProvider(defaultHost(r.tool), p.Namespace(), p.Type())
	}
	return p, err
}

// methodArguments are the arguments that each method needs.
var methodArguments = map[string]string{
	"direct": "", "filesystem_mirror": "path", "network_mirror": "url", "oci_mirror": "repository_template",
}

// method reads one block of provider_installation.
func (r *reader) method(it item) (Method, *fault) {
	m := Method{Kind: it.name, Retries: -1}
	needs, ok := methodArguments[it.name]
	if !ok || it.name == "oci_mirror" && r.tool == addrs.Terraform {
		return m, it.errorf("%q is not an installation method", printable.Line(it.name, 60))
	}
	argument := ""
	if a, ok := it.find(needs); ok && needs != "" {
		var err *fault
		if argument, err = a.text(); err != nil {
			return m, err
		}
	}
	if needs != "" && argument == "" {
		return m, it.errorf("%s needs the argument %s", it.name, needs)
	}
	for name, to := range map[string]*[]Pattern{"include": &m.Include, "exclude": &m.Exclude} {
		list, err := it.texts(name)
		if err != nil {
			return m, err
		}
		for _, s := range list {
			p, err := parsePattern(s, defaultHost(r.tool))
			if err != nil {
				return m, it.errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "registry: configuration: "))
			}
			*to = append(*to, p)
		}
	}
	switch it.name {
	case "filesystem_mirror":
		m.Path = r.env.expandHome(argument)
	case "network_mirror":
		m.URL = strings.TrimSpace(argument)
		if !strings.HasPrefix(strings.ToLower(m.URL), "https://") {
			return m, it.errorf("a network_mirror needs an https URL")
		}
		if trust, ok := it.find("trust_all_hashes"); ok && r.tool != addrs.Terraform {
			var err *fault
			if m.TrustAllHashes, err = trust.flag(); err != nil {
				return m, err
			}
		}
	case "oci_mirror":
		m.RepositoryTemplate = argument
		if err := checkTemplate(argument, m.Include); err != nil {
			return m, it.errorf("repository_template: %w", err)
		}
	}
	if (it.name == "direct" || it.name == "network_mirror") && r.tool != addrs.Terraform {
		n, found, err := it.number("download_retry_count")
		if err != nil {
			return m, err
		}
		if found {
			m.Retries = max(n, 0)
		}
	}
	return m, nil
}
