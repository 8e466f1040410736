#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: diagnostics of validate.
# Package: github.com/zclconf/go-cty 1.18.1 (Go module).
# Behaviour: the path that Value.WrangleMarksDeep gives to its function is used again for the rest of the walk, which its documentation does
# not say: who keeps it for a message has another path when the walk is over. OpenTofu 1.12.6 keeps it for its warning about a deprecated
# value, so the warning stands at the argument that is last in the alphabet instead of the one with the value.
# Seen: "inside: a" and "afterwards: z" for an object whose attribute a is marked and z is not.
# Needs: Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'M'
module kept

go 1.24

require github.com/zclconf/go-cty v1.18.1
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/ctymarks"
)

func main() {
	v := cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x").Mark("m"), "z": cty.StringVal("y")})
	var kept cty.Path
	_, err := v.WrangleMarksDeep(func(mark any, path cty.Path) (ctymarks.WrangleAction, error) {
		kept = path
		fmt.Println("inside:", path[0].(cty.GetAttrStep).Name)
		return ctymarks.WrangleKeep, nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("afterwards:", kept[0].(cty.GetAttrStep).Name)
}
G
go mod tidy >/dev/null 2>&1
go run . | tee seen
printf 'inside: a\nafterwards: z\n' >want
cmp seen want
