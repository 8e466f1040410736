#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: signatures of packages.
# Packages: openpgp 6.3.2 (npm); github.com/ProtonMail/go-crypto 1.4.1, which OpenTofu 1.12 has, and 1.0.0, which Terraform
# 1.11 has (Go modules).
# Behaviour: generateKey({type: 'curve25519'}) makes a version 4 key with the algorithm 27 of RFC 9580. go-crypto 1.4.1 reads
# it; 1.0.0 says that the first packet is no key. With {type: 'ecc', curve: 'ed25519Legacy'} both read it.
# Seen: "yes no yes yes" (new key by 1.4.1 and 1.0.0, legacy key by 1.4.1 and 1.0.0).
# Needs: node and npm, Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent openpgp@6.3.2 >/dev/null
cat >keys.mjs <<'J'
import * as openpgp from 'openpgp';
import fs from 'fs';
for (const [name, options] of [['new', {type: 'curve25519'}], ['old', {type: 'ecc', curve: 'ed25519Legacy'}]]) {
  const {publicKey} = await openpgp.generateKey({...options, userIDs: [{name: 'A', email: 'a@example.com'}], format: 'armored'});
  fs.writeFileSync(name + '.asc', publicKey);
}
J
node keys.mjs
reads() { # VERSION FILE
  if [ ! -d "v$1" ]; then
    mkdir "v$1"
    printf 'module reads\n\ngo 1.22\n\nrequire github.com/ProtonMail/go-crypto v%s\n' "$1" >"v$1/go.mod"
    cat >"v$1/main.go" <<'G'
package main

import (
	"fmt"
	"os"

	"github.com/ProtonMail/go-crypto/openpgp"
)

func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	if _, err := openpgp.ReadArmoredKeyRing(f); err != nil {
		fmt.Print("no")
		return
	}
	fmt.Print("yes")
}
G
    (cd "v$1" && go mod tidy >/dev/null 2>&1 && go build -o reads .)
  fi
  "v$1/reads" "$2"
}
got="$(reads 1.4.1 new.asc) $(reads 1.0.0 new.asc) $(reads 1.4.1 old.asc) $(reads 1.0.0 old.asc)"
echo "$got"
[ "$got" = "yes no yes yes" ]
