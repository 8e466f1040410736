// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// showRegistry starts a registry inside this program, which serves the recorded
// package of showChecksum, and installs the provider from it. Then an attacker
// takes the registry over.
func showRegistry(w io.Writer) error {
	srv, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "widget", Versions: []registrytest.Version{
			{Version: "0.9.0"},
			{Version: "1.0.0", Zip: func(string) []byte { return checksumPackage }},
			{Version: "2.0.0"},
		}},
	}})
	if err != nil {
		return err
	}
	defer srv.Close()
	dir, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	client := srv.Registry() // elsewhere: &registry.Client{}
	provider := addrs.MustParseProvider("acme/widget")
	list, err := client.Versions(ctx, provider)
	if err != nil {
		return err
	}
	version, _ := list.Newest(addrs.MustParseConstraints("~> 1.0"))
	fmt.Fprintf(w, "%s has %d versions; the newest allowed one is %s\n", provider, len(list.Versions), version)
	pkg, err := client.Package(ctx, provider, version, addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		return err
	}
	result, err := client.Install(ctx, pkg, filepath.Join(dir, "widget"), nil)
	if err != nil {
		return err
	}
	exe, err := registry.FindExecutable(filepath.Join(dir, "widget"), provider.Type())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "installed %s; proven: %s\n", exe, result.Proof)
	for _, h := range result.LockHashes(registry.RuleTofu) {
		fmt.Fprintln(w, "  for the lock file:", h)
	}

	srv.Inject("signature-swapped")
	client = srv.Registry() // the other one remembers the good answers
	if pkg, err = client.Package(ctx, provider, version, pkg.Platform); err != nil {
		return err
	}
	_, err = client.Fetch(ctx, pkg, filepath.Join(dir, "widget.zip"))
	fmt.Fprintf(w, "signed with another key: refused %v\n", errors.Is(err, registry.ErrBadSignature))
	return nil
}
