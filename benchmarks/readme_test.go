// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// The code of the README, in its order.

func readmeEdit(src []byte, edited **hclconfig.File) error {
	file, err := hclconfig.Parse("network.tf", src)
	if err != nil {
		return err
	}
	edit := hcledit.Edit(file)
	for _, call := range file.Config().Calls {
		edit.Set(call.Block, "version", "5.8.1")
	}
	file, err = edit.Apply()
	*edited = file
	return err
}

func readmeLock(ctx context.Context, client *registry.Client, required []install.Requirement, file *lockfile.File) error {
	platforms := []addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("darwin_arm64")}
	locker := &install.Locker{Client: client, Platforms: platforms}
	selections, err := install.Resolve(ctx, client, required, file.Locks(), install.Upgrade{})
	if err != nil {
		return err // names every constraint that conflicts
	}
	found, err := locker.Lock(ctx, selections, file.Locks()) // each with a Lock for file.Set
	if err != nil {
		return err
	}
	for _, p := range found {
		err = errors.Join(err, file.Set(p.Lock))
	}
	return err
}

func TestReadme(t *testing.T) {
	readme := page(t, "../README.md")
	if lines := strings.Count(readme, "\n"); lines > 160 {
		t.Errorf("README.md has %d lines, more than two screens of 80", lines)
	}
	functions := functionTokens(t, "readme_test.go")
	var all []string
	for _, name := range []string{"readmeEdit", "readmeLock"} {
		all = append(all, functions[name]...)
	}
	blocks := strings.Split(readme, "```")
	found := 0
	for i := 1; i < len(blocks); i += 2 {
		code, isGo := strings.CutPrefix(blocks[i], "go\n")
		if !isGo {
			continue
		}
		found++
		if strings.HasPrefix(code, "package main") {
			continue // a whole program, which a test of the library builds and runs
		}
		if !contains(all, tokens(t, code)) {
			t.Errorf("block %d of the README is not in readme_test.go:\n%s", found, blocks[i])
		}
	}
	if found != 3 {
		t.Errorf("the README has %d blocks of code", found)
	}
}

func TestReadmeEdit(t *testing.T) {
	var got *hclconfig.File
	err := readmeEdit([]byte("# ours\nmodule \"vpc\" {\n  source  = \"acme/vpc/aws\" # why\n  version = \"5.0.0\"   # pinned\n}\n"), &got)
	want := "# ours\nmodule \"vpc\" {\n  source  = \"acme/vpc/aws\" # why\n  version = \"5.8.1\"   # pinned\n}\n"
	if err != nil || string(got.Bytes()) != want {
		t.Errorf("%v\n%s", err, got.Bytes())
	}
}

func TestReadmeLock(t *testing.T) {
	platforms := []string{"linux_amd64", "darwin_arm64"}
	server, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
		{Version: "1.0.0", Platforms: platforms}, {Version: "1.1.0", Platforms: platforms},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	null := addrs.MustParseProvider("registry.example.org/acme/null")
	file := lockfile.New(lockfile.Name, addrs.OpenTofu)
	required := []install.Requirement{{Provider: null, Constraints: addrs.MustParseConstraints("~> 1.0"), Place: "main.tf:1,1"}}
	if err := readmeLock(t.Context(), server.Registry(), required, file); err != nil {
		t.Fatal(err)
	}
	lock, ok := file.Locks().Get(null)
	if !ok || lock.Version.String() != "1.1.0" || len(lock.Hashes) != 4 {
		t.Errorf("%v %+v", ok, lock)
	}
}
