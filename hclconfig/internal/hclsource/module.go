// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// ReservedVariables are the names that a module block has a meaning for.
var ReservedVariables = []string{"source", "version", "count", "for_each", "depends_on", "providers", "_", "lifecycle", "locals", "provider"}

// AllResources returns the resources, data sources and ephemeral resources of a module, with the data
// sources in its checks.
func AllResources(m *hclconfig.Module) []*hclconfig.Resource {
	out := slices.Concat(m.Resources, m.Data, m.Ephemeral)
	for _, k := range m.Checks {
		if k.Data != nil {
			out = append(out, k.Data)
		}
	}
	return out
}

// Requirements returns the entries of required_providers in some settings.
func Requirements(settings []*hclconfig.Settings) (out []*hclconfig.ProviderRequirement) {
	for _, s := range settings {
		out = append(out, s.RequiredProviders...)
	}
	return out
}

// Address returns the address of a resource whose names may be broken.
func Address(r *hclconfig.Resource) string {
	switch r.Block.Type {
	case "data", "ephemeral":
		return r.Block.Type + "." + r.Type + "." + r.Name
	}
	return r.Type + "." + r.Name
}

// Dotted returns a path with the dot that is before what follows it.
func Dotted(path string) string {
	if path == "" {
		return ""
	}
	return path + "."
}

// RelativeDir returns the path that leads from one directory to another, or "" if no path
// does.
func RelativeDir(from, to string) string {
	rel, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(to))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// IsTofu reports whether only OpenTofu reads f.
func IsTofu(f *hclconfig.File) bool {
	name, _ := hclconfig.ParseFilename(f.Filename())
	return name.Tofu
}

func IsTest(f *hclconfig.File) bool {
	name, _ := hclconfig.ParseFilename(f.Filename())
	return name.Kind == hclconfig.TestFile
}
