#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: diagnostics of validate.
# Package: github.com/hashicorp/hcl/v2 2.25.0 (Go module), package hcldec.
# Behaviour: an object of hcldec is a map of attributes. If a misspelt argument is as close to one attribute as to another, the suggestion in
# the diagnostic is either of the two, and differs from run to run. OpenTofu decodes blocks of providers this way, so "validate" prints one of two
# texts for one configuration: a recorded verdict must accept both.
# Seen: both suggestions in 200 decodings of one file.
# Needs: Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'M'
module suggestion

go 1.24

require github.com/hashicorp/hcl/v2 v2.25.0
M
cat >main.go <<'G'
package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

func main() {
	file, diags := hclsyntax.ParseConfig([]byte("port_c = 1\n"), "main.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		panic(diags)
	}
	seen := map[string]bool{}
	for range 200 {
		spec := hcldec.ObjectSpec{}
		for _, name := range []string{"port_a", "port_b"} {
			spec[name] = &hcldec.AttrSpec{Name: name, Type: cty.Number}
		}
		_, diags := hcldec.Decode(file.Body, spec, nil)
		for _, d := range diags {
			seen[d.Detail] = true
		}
	}
	for _, text := range slices.Sorted(maps.Keys(seen)) {
		fmt.Println(text)
	}
}
G
go mod tidy >/dev/null 2>&1
go run . | tee seen
test "$(wc -l <seen)" = 2
grep -q '"port_a"?' seen
grep -q '"port_b"?' seen
