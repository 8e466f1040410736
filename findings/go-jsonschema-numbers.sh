#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: types made from JSON Schemas.
# Package: github.com/atombender/go-jsonschema 0.24.1 (Go).
# Behaviour: a type with a required property gets a method UnmarshalJSON, which decodes with json.Unmarshal. So json.Decoder.UseNumber has no
# effect inside of the type: a property of any type gets a float64, and a number that no float64 holds is an error. With the option
# --only-models the types have no such methods, and the number is a json.Number.
# Seen: "float64 true" and "json.Number false": the type of the value, and whether 1e400 is an error.
# Needs: Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >schema.json <<'J'
{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Output", "type": "object", "required": ["value"], "properties": {"value": {}}}
J
cat >main.go.txt <<'G'
package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

func read(text string) (o Output, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return o, d.Decode(&o)
}

func main() {
	o, err := read(`{"value": 1}`)
	if err != nil {
		panic(err)
	}
	_, err = read(`{"value": 1e400}`)
	fmt.Printf("%T %v\n", o.Value, err != nil)
}
G
GOBIN=$dir/bin go install github.com/atombender/go-jsonschema@v0.24.1
try() { # NAME OPTION...
	mkdir "$1"
	bin/go-jsonschema "${@:2}" --struct-name-from-title -p main schema.json -o "$1/types.go"
	cp main.go.txt "$1/main.go"
	(cd "$1" && go mod init example.com/read 2>/dev/null && go run .)
}
methods=$(try methods) models=$(try models --only-models)
echo "$methods"
echo "$models"
[ "$methods" = "float64 true" ] && [ "$models" = "json.Number false" ]
