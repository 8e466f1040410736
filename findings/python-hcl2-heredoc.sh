#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: configuration read by others.
# Package: python-hcl2 7.2.1 and 8.1.4 (PyPI); github.com/hashicorp/hcl/v2 2.24.0 (Go module), whose value is the language's.
# Behaviour: the value of a heredoc ends with a line end. Release 7 of python-hcl2 leaves it out; release 8 gives the source of the
# heredoc with its markers and indentation in quotes, and so it does with each string.
# Seen: "one\n  two\n" (hcl), 'one\n  two' (7.2.1), '"<<-EOT\n    one\n      two\n  EOT"' (8.1.4).
# Needs: Python, Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.tf <<'T'
locals {
  text = <<-EOT
    one
      two
  EOT
}
T
for version in 7.2.1 8.1.4; do
  python3 -m venv "env-$version"
  "env-$version/bin/pip" install --quiet "python-hcl2==$version"
  "env-$version/bin/python" -c 'import hcl2; print(repr(hcl2.load(open("main.tf"))["locals"][0]["text"]))'
done >seen
cat >go.mod <<'M'
module value

go 1.24

require github.com/hashicorp/hcl/v2 v2.24.0
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func main() {
	f, diags := hclparse.NewParser().ParseHCLFile("main.tf")
	if diags.HasErrors() {
		panic(diags)
	}
	text := f.Body.(*hclsyntax.Body).Blocks[0].Body.Attributes["text"]
	v, _ := text.Expr.Value(nil)
	fmt.Printf("%q\n", v.AsString())
}
G
go mod tidy >/dev/null 2>&1
go run . >>seen
cat seen
cat >want <<'W'
'one\n  two'
'"<<-EOT\n    one\n      two\n  EOT"'
"one\n  two\n"
W
cmp seen want
