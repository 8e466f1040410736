#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: versions.
# Packages: github.com/hashicorp/go-version 1.7.0 and github.com/apparentlymart/go-versions 1.0.3 (Go modules). OpenTofu has both: the
# first for versions of modules, the second for versions of providers.
# Behaviour: "~> 1.0.0-beta1" does not allow the release 1.0.0, nor 1.0.5, in go-version, but allows 1.0.0-beta2; in go-versions it is
# the other way round. So one constraint, written for a module and for a provider, selects different versions.
# Seen (go-version, go-versions): "false true" for 1.0.0 and 1.0.5, "true false" for 1.0.0-beta2.
# Needs: Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'M'
module versions

go 1.24

require (
	github.com/apparentlymart/go-versions v1.0.3
	github.com/hashicorp/go-version v1.7.0
)
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/hashicorp/go-version"
)

func main() {
	const constraint = "~> 1.0.0-beta1"
	modules, err := version.NewConstraint(constraint)
	if err != nil {
		panic(err)
	}
	providers, err := versions.MeetingConstraintsStringRuby(constraint)
	if err != nil {
		panic(err)
	}
	list := []string{"1.0.0", "1.0.5", "1.0.0-beta2"}
	for _, v := range list {
		fmt.Println(modules.Check(version.Must(version.NewVersion(v))), providers.Has(versions.MustParseVersion(v)))
	}
}
G
go mod tidy >/dev/null 2>&1
go run . | tee seen
printf 'false true\nfalse true\ntrue false\n' >want
cmp seen want
