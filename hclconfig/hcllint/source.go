// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// A Source is where a module call takes its module from.
type Source struct {
	// Text is the value of the argument source, and empty if it is not known.
	Text string
	// Address is Text as an address. It is not valid if Text is not an address. A Git
	// repository is an [addrs.RemoteSource] whose String begins with "git::".
	Address addrs.ModuleSource
	// Ref is the revision of a source in Git or Mercurial, or empty.
	Ref string
	// Version is what the argument version allows. The zero Constraints allow everything:
	// there is no such argument, or its value is not known or not valid.
	Version addrs.Constraints
	// Pinned reports whether the text of the call pins the module: to a local
	// source, to a registry source with one exact version, or to a source with a Ref
	// that is not a common branch name such as main. It is false if any of that is not
	// known.
	Pinned bool
}

// SourceOf returns the source of a module call of the module, even if it has to be evaluated.
// A finding about it belongs at call.Source.Argument, which may be in an override file.
func (p *Pass) SourceOf(call *hclconfig.ModuleCall) Source {
	var out Source
	if call == nil || call.Source.Argument == nil {
		return out
	}
	texts, complete := p.Strings(call.Source.Argument.Expression)
	if len(texts) != 1 || !complete {
		return out
	}
	out.Text = texts[0]
	out.Address, _ = addrs.ParseModuleSource(out.Text)
	if a := call.Version.Argument; a != nil {
		if v, _ := p.Strings(a.Expression); len(v) == 1 {
			out.Version, _ = addrs.ParseModuleConstraints(v[0])
		}
	}
	switch out.Address.Kind() {
	case addrs.LocalSource:
		out.Pinned = true
	case addrs.RegistrySource:
		_, out.Pinned = Exact(out.Version)
	case addrs.RemoteSource:
		out.Ref = revision(out.Address.Package())
		out.Pinned = out.Ref != "" && !slices.Contains(branches, out.Ref)
	}
	return out
}

// branches are usual names of branches.
var branches = []string{"main", "master", "default", "develop", "trunk", "HEAD"}

// revision returns the argument ref or rev of a source.
func revision(source string) string {
	_, query, _ := strings.Cut(source, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return ""
	}
	if strings.HasPrefix(source, "hg::") {
		return values.Get("rev")
	}
	return values.Get("ref")
}
