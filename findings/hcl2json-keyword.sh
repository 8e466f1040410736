#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: configuration converted by others.
# Packages: @cdktf/hcl2json 0.21.0 (npm); github.com/hashicorp/hcl/v2 2.24.0 (Go module), which OpenTofu and Terraform read JSON syntax with.
# Behaviour: the converter writes a keyword, such as the destroy of "when = destroy" in a provisioner, as a template "${destroy}".
# In JSON syntax a keyword is the word alone: hcl.ExprAsKeyword finds none in the template, so that the converted block means something
# else, or is refused, where the original was right.
# Seen: the converter gives "${destroy}"; ExprAsKeyword gives "" for it, and "destroy" for "destroy".
# Needs: node and npm, Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent @cdktf/hcl2json@0.21.0 >/dev/null
cat >convert.mjs <<'J'
import { parse } from "@cdktf/hcl2json";
const text = `resource "a" "b" {
  provisioner "local-exec" {
    when    = destroy
    command = "true"
  }
}
`;
const r = await parse("main.tf", text);
console.log(r.resource.a.b[0].provisioner["local-exec"][0].when);
J
node convert.mjs >seen
cat >go.mod <<'M'
module keyword

go 1.24

require github.com/hashicorp/hcl/v2 v2.24.0
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/json"
)

func main() {
	for _, when := range []string{"${destroy}", "destroy"} {
		f, diags := json.Parse([]byte(`{"when": "`+when+`"}`), "main.tf.json")
		if diags.HasErrors() {
			panic(diags)
		}
		attributes, _ := f.Body.JustAttributes()
		fmt.Printf("%q\n", hcl.ExprAsKeyword(attributes["when"].Expr))
	}
}
G
go mod tidy >/dev/null 2>&1
go run . >>seen
cat seen
cat >want <<'W'
${destroy}
""
"destroy"
W
cmp seen want
