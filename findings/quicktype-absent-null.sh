#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: types made from JSON Schemas.
# Packages: quicktype 23.2.6 (npm).
# Behaviour: in the Go type that quicktype makes, an optional property of the schema {} has no omitempty, and an optional property of a
# type with null among others neither; so a document without the property is written back with the property as null, which many formats
# tell apart. An optional property of one type has omitempty.
# Seen: the document {"size":1} becomes {"any":null,"mixed":null,"size":1}.
# Needs: node and npm, Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent quicktype@23.2.6 >/dev/null
cat >schema.json <<'J'
{"$schema": "http://json-schema.org/draft-06/schema#", "type": "object", "required": ["size"], "properties": {
  "size": {"type": "integer"}, "name": {"type": "string"}, "any": {}, "mixed": {"type": ["string", "number", "null"]}}}
J
npx quicktype -s schema schema.json -l go --package main -t Document -o document.go
cat >main.go <<'G'
package main

import "fmt"

func main() {
	d, err := UnmarshalDocument([]byte(`{"size":1}`))
	if err != nil {
		panic(err)
	}
	text, err := d.Marshal()
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
G
printf 'module document\n\ngo 1.24\n' >go.mod
go run . | tee seen
echo '{"any":null,"mixed":null,"size":1}' >want
cmp seen want
