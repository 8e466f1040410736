#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# packages.sh VERSION DIR makes deb and rpm of the archives for Linux in DIR, beside them, and adds
# their hashes to SHA256SUMS. SOURCE_DATE_EPOCH is the time of all files in them. NFPM is the command
# that starts nfpm.
set -euo pipefail

version=${1#v} dir=$(cd "$2" && pwd) here=$(cd "$(dirname "$0")" && pwd)
: "${SOURCE_DATE_EPOCH:?the time of the release in seconds}"
export SOURCE_DATE_EPOCH VERSION=$version ARCH
read -ra nfpm <<<"${NFPM:-go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.47.0}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for ARCH in amd64 arm64; do
  archive=$dir/tofuwire_${version}_linux_$ARCH.tar.gz
  mkdir "$scratch/$ARCH"
  tar -xzf "$archive" -C "$scratch/$ARCH"
  cd "$scratch/$ARCH"
  gzip -9n man/*.1
  for kind in deb rpm; do
    "${nfpm[@]}" package --config "$here/nfpm.yaml" --packager "$kind" --target "$dir/tofuwire_${version}_linux_$ARCH.$kind"
  done
done
cd "$dir"
sha256sum -- tofuwire_"${version}"_linux_*.deb tofuwire_"${version}"_linux_*.rpm >>SHA256SUMS
