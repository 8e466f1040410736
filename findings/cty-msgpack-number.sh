#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: saved plans.
# Package: github.com/zclconf/go-cty 1.16.4 (Go module).
# Behaviour: two numbers that go-cty calls equal can have different MessagePack: a number made from a float64 is written as a float,
# one that was parsed from text as a string of its digits. A saved plan has the second kind for a number of the configuration, and the
# first for what a provider computed; so a reader that compares the bytes, or takes a string for a string, is wrong.
# Seen: equal true; cb3fb999999999999a for NumberFloatVal(0.1), a3302e31 (the string "0.1") for ParseNumberVal("0.1").
# Needs: Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >go.mod <<'M'
module spelling

go 1.24

require github.com/zclconf/go-cty v1.16.4
M
cat >main.go <<'G'
package main

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

func main() {
	computed, parsed := cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1")
	fmt.Println(computed.RawEquals(parsed))
	for _, v := range []cty.Value{computed, parsed} {
		b, err := msgpack.Marshal(v, cty.Number)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%x\n", b)
	}
}
G
go mod tidy >/dev/null 2>&1
go run . | tee seen
printf 'true\ncb3fb999999999999a\na3302e31\n' >want
cmp seen want
