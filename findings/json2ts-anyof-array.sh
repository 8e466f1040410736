#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: types made from JSON Schemas.
# Package: json-schema-to-typescript 16.0.0 (npm).
# Behaviour: a branch of anyOf that says how many elements an array has, but not that it is an array, becomes an object
# type beside a tuple. No plain array is assignable to it, so valid documents are errors of the compiler. With
# "type": "array" in the branches the types are tuples.
# Seen: the type of the first schema has "[k: string]: unknown"; that of the second, which allows the same arrays, has not.
# Needs: Node.js, npm.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent json-schema-to-typescript@16.0.0
cat >counts.json <<'J'
{"title": "Actions", "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2,
 "anyOf": [{"maxItems": 1}, {"minItems": 2}]}
J
cat >arrays.json <<'J'
{"title": "Actions", "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2,
 "anyOf": [{"type": "array", "minItems": 1, "maxItems": 1}, {"type": "array", "minItems": 2, "maxItems": 2}]}
J
for name in counts arrays; do
	npx json2ts -i $name.json --bannerComment '' | tee $name.ts
done
grep -qF '[k: string]: unknown' counts.ts
if grep -qF '[k: string]: unknown' arrays.ts; then exit 1; fi
