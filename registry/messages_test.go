// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// TestResult_Describe checks that a line for people never claims more than was
// proven.
func TestResult_Describe(t *testing.T) {
	for _, tt := range []struct {
		result registry.Result
		want   string
	}{
		{registry.Result{}, "nothing to compare with"},
		{registry.Result{Proof: registry.Signed, Signer: &registry.Signer{KeyID: "0123456789ABCDEF"}}, "signed by 0123456789ABCDEF"},
		{registry.Result{Proof: registry.Signed, Signer: &registry.Signer{KeyID: "0123456789ABCDEF", Identity: "Acme <a@b>", Pinned: true}}, "signed by 0123456789ABCDEF (Acme <a@b>), a pinned key"},
		{registry.Result{Proof: registry.ChecksumOnly, Package: &registry.Package{Origin: registry.FromRegistry}}, "checksum of the registry, not signed"},
		{registry.Result{Proof: registry.ChecksumOnly, Package: &registry.Package{Origin: registry.FromNetworkMirror}}, "checksum of the network mirror, not signed"},
	} {
		if got := tt.result.Describe(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestMissingPackage checks the message about a missing package:
// what there is instead, as far as the registry says.
func TestMissingPackage(t *testing.T) {
	c := content()
	c.Providers[0].Versions = append(c.Providers[0].Versions, registrytest.Version{Version: "1.1.0", Platforms: []string{"linux_amd64"}})
	srv := registrytest.Start(t, c)
	windows := addrs.MustParsePlatform("windows_amd64")
	for _, tt := range []struct {
		name, provider, version string
		fault                   registrytest.Fault
		want                    string
		notFound                bool
	}{
		{"platform", "acme/null", "1.0.0", "", "; there are packages for ", false},
		{"version", "acme/null", "7.0.0", "", "the registry does not know version 7.0.0 of ", true},
		{"provider", "acme/none", "1.0.0", "", "the registry does not know the provider ", true},
		{"list broken", "acme/null", "1.0.0", "versions-garbage", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client := srv.Registry()
			srv.Clear()
			if tt.fault != "" {
				srv.Inject(tt.fault)
			}
			p := addrs.MustParseProvider("registry.example.org/" + tt.provider)
			_, err := client.Package(t.Context(), p, addrs.MustParseVersion(tt.version), windows)
			if errors.Is(err, registry.ErrUnsupportedPlatform) == tt.notFound || errors.Is(err, registry.ErrNotFound) != tt.notFound || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
