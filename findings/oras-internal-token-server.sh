#!/usr/bin/env bash
# SPDX-FileCopyrightText: The tofuwire authors
# SPDX-License-Identifier: Apache-2.0
#
# Ground: OCI registries.
# Package: oras.land/oras-go/v2 2.6.1 and 2.6.4 (Go module).
# Behaviour: a registry at an internal address that names a token server with another host name at an internal address, as GitLab does in
# a company, works with 2.6.1 and is refused by 2.6.4; only a token server with the registry's own host name is left, and there is no
# option. The patch release protects from public registries that name internal servers, and counts internal registries among them.
# Seen: "2.6.1 tags [1]" and "2.6.4 refused".
# Needs: Go.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'G'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
)

func main() {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
		switch {
		case r.URL.Path == "/token":
			fmt.Fprint(w, `{"token":"t"}`)
		case r.Header.Get("Authorization") == "Bearer t":
			fmt.Fprint(w, `{"name":"team/module","tags":["1"]}`)
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://localhost:`+port+`/token",service="registry"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	repo, err := remote.NewRepository(strings.TrimPrefix(server.URL, "http://") + "/team/module")
	if err != nil {
		panic(err)
	}
	repo.PlainHTTP, repo.Client = true, &auth.Client{}
	var found []string
	if err := repo.Tags(context.Background(), "", func(tags []string) error { found = append(found, tags...); return nil }); err != nil {
		fmt.Println(os.Args[1], "refused")
		return
	}
	fmt.Println(os.Args[1], "tags", found)
}
G
for version in 2.6.1 2.6.4; do
	rm -f go.mod go.sum
	printf 'module token\n\ngo 1.24\n\nrequire oras.land/oras-go/v2 v%s\n' "$version" >go.mod
	go mod tidy >/dev/null 2>&1
	go run . "$version"
done | tee seen
printf '2.6.1 tags [1]\n2.6.4 refused\n' >want
cmp seen want
