// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// pinnedOptions are the options of terraform_module_pinned_source.
type pinnedOptions struct {
	Style           string          `hcl:"style,optional"`
	DefaultBranches []string        `hcl:"default_branches,optional"`
	CallModuleType  string          `hcl:"call_module_type,optional"`
	IgnoreModule    map[string]bool `hcl:"ignore_module,optional"`
}

var modulePinnedSource = &hcllint.Analyzer{
	Name: "terraform_module_pinned_source",
	Doc: `A module from a Git or Mercurial repository should be pinned to a revision.

Without a revision, or with a branch, the module may change from one run to the next.

	source = "git::https://example.com/vpc.git"                  finding
	source = "git::https://example.com/vpc.git?ref=main"         finding
	source = "git::https://example.com/vpc.git?ref=v1.2.0"       no finding

Options: style is "flexible", which accepts any revision except the default branches, or "semver",
which accepts only versions; default_branches are the names of branches that count as not
pinned, by default master, main, default and develop.

` + callDoc,
	URL:      page("terraform_module_pinned_source"),
	Severity: hcllint.Warning,
	Options:  pinnedOptions{Style: "flexible", DefaultBranches: []string{"master", "main", "default", "develop"}, CallModuleType: callLocal},
	Run: func(p *hcllint.Pass) (any, error) {
		opts := hcllint.Options[pinnedOptions](p)
		if opts.Style != "flexible" && opts.Style != "semver" {
			return nil, fmt.Errorf("`%s` is invalid style", opts.Style)
		}
		return nil, moduleSources(p, callOptions{opts.CallModuleType, opts.IgnoreModule}, func(c *hclconfig.ModuleCall, source string, report func(hcllint.Diagnostic)) {
			if message := opts.fault(source); message != "" {
				report(hcllint.Diagnostic{At: c.Source.Argument.Expression, Message: message})
			}
		})
	},
}

// fault returns what is wrong with a source, or "".
func (o pinnedOptions) fault(source string) string {
	repository, ok := repositoryOf(source)
	if !ok {
		return ""
	}
	if repository.url.Hostname() == "" {
		return fmt.Sprintf("Module source %q is not a valid URL", printable.Address(source))
	}
	query := repository.url.Query()
	if _, own, ok := strings.Cut(source, "?"); ok {
		values, _ := url.ParseQuery(own)
		for key, v := range values {
			if len(query[key]) == 0 {
				query[key] = v
			}
		}
	}
	for _, key := range []string{"ref", "rev"} {
		revision := query.Get(key)
		switch {
		case revision == "":
			continue
		case o.Style == "semver" && !looseVersion().MatchString(revision):
			return fmt.Sprintf(`Module source "%s" uses a %s which is not a semantic version string`, printable.Address(source), key)
		case o.Style == "flexible" && slices.Contains(o.DefaultBranches, revision):
			return fmt.Sprintf(`Module source "%s" uses a default branch as %s (%s)`, printable.Address(source), key, revision)
		}
		return ""
	}
	return fmt.Sprintf(`Module source "%s" is not pinned`, printable.Address(source))
}

// looseVersion is a semantic version, which may begin with v and lack its last numbers.
var looseVersion = lazy.Regexp(`^v?[0-9]+(\.[0-9]+)?(\.[0-9]+)?` + prerelease + buildMetadata + `$`)

var moduleShallowClone = &hcllint.Analyzer{
	Name: "terraform_module_shallow_clone",
	Doc: `A module from a Git repository does not need the history of the repository.

With depth=1, only the requested revision is fetched, which is faster. It works with branches
and tags, but not with the ID of a commit.

	source = "git::https://example.com/vpc.git?ref=v1.2.0"            finding
	source = "git::https://example.com/vpc.git?depth=1&ref=v1.2.0"    no finding
	source = "git::https://example.com/vpc.git?ref=0123abcd"          no finding

The fix adds depth=1, if the source is a constant.

` + callDoc,
	URL:      page("terraform_module_shallow_clone"),
	Severity: hcllint.Warning,
	Presets:  []string{presetNone},
	Options:  callOptions{CallModuleType: callLocal},
	Run: func(p *hcllint.Pass) (any, error) {
		opts := hcllint.Options[callOptions](p)
		return nil, moduleSources(p, opts, func(c *hclconfig.ModuleCall, source string, report func(hcllint.Diagnostic)) {
			if clonesAll(source) {
				report(hcllint.Diagnostic{
					At:      c.Source.Argument.Expression,
					Message: fmt.Sprintf(`Module source %q should enable shallow cloning by adding "depth=1" parameter`, printable.Address(source)),
					Fixes:   shallowFix(c.Source, source),
				})
			}
		})
	},
}

var gitCommit = lazy.Regexp("^[a-f0-9]{4,64}$")

// clonesAll reports whether a source is a tag or branch that is fetched with its history.
func clonesAll(source string) bool {
	repository, ok := repositoryOf(source)
	if !ok || repository.scheme != "git" || repository.url.Hostname() == "" {
		return false
	}
	query := repository.url.Query()
	ref := query.Get("ref")
	return ref != "" && !gitCommit().MatchString(ref) && query.Get("depth") != "1"
}

// shallowFix adds depth=1 to a source that the file has as it is.
func shallowFix(t hclconfig.Text, source string) []hcllint.Fix {
	raw := t.Argument.Raw()
	i := strings.Index(source, "ref=")
	if i < 0 || len(raw) < 2 || raw[1:len(raw)-1] != source {
		return nil
	}
	f, start, _ := t.Argument.Expression.Place()
	at := f.Position(int64(start + 1 + i))
	return replacing("Add depth=1", f, rangeAt(f, at), constant("depth=1&"))
}
