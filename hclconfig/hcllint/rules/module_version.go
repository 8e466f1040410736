// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

// versionOptions are the options of terraform_module_version.
type versionOptions struct {
	Exact bool `hcl:"exact,optional"`
}

var moduleVersion = &hcllint.Analyzer{
	Name: "terraform_module_version",
	Doc: `A module from a registry should have a version.

Without one, each init installs the newest release, which may be incompatible.

	module "vpc" {
	  source = "terraform-aws-modules/vpc/aws"
	}

Option: exact, by default false, also refuses ranges.`,
	URL:      page("terraform_module_version"),
	Severity: hcllint.Warning,
	Options:  versionOptions{},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, c := range p.Module.Calls {
			source, known := knownText(p, c.Source)
			if !known {
				continue
			}
			if _, err := addrs.ParseModuleRegistrySource(source); err == nil {
				checkModuleVersion(p, c, hcllint.Options[versionOptions](p).Exact)
			}
		}
		return nil, nil
	},
}

// exactVersion is one semantic version, perhaps after an equals sign.
var exactVersion = lazy.Regexp(`^=?\s*(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` + prerelease + buildMetadata + `$`)

// The optional parts of a semantic version: numbers of a prerelease have no leading zeros.
const (
	prerelease    = `(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?`
	buildMetadata = `(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?`
)

func checkModuleVersion(p *hcllint.Pass, c *hclconfig.ModuleCall, exact bool) {
	version, known := knownText(p, c.Version)
	switch {
	case !known:
	case !c.Version.IsSet() || version == "" && p.Is(c.Version.Argument.Expression, nil):
		p.Reportf(c.Block, "module %q should specify a version", c.Name)
	case !exact:
	case strings.Contains(version, ","):
		p.Reportf(c.Version.Argument, "module %q should specify an exact version, but multiple constraints were found", c.Name)
	case !exactVersion().MatchString(version):
		p.Reportf(c.Version.Argument, "module %q should specify an exact version, but a range was found", c.Name)
	}
}
