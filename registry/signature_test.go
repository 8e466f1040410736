// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// A signature counts whatever follows it, as in OpenTofu: some servers add a line end.
// Before it, nothing else may be.
func TestAuthenticate_afterSignature(t *testing.T) {
	srv := registrytest.Start(t, content())
	pkg, err := srv.Registry().Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	document := []byte(pkg.SHA256 + "  " + pkg.Filename + "\n")
	signature, err := srv.Key.Sign(document, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		signature string
		ok        bool
	}{
		{string(signature), true},
		{string(signature) + "\n", true},
		{string(signature) + "\r\nmore", true},
		{string(signature) + string(signature[:20]), true},
		{"\n" + string(signature), false},
		{string(signature[:len(signature)-1]), false},
		{"\n", false},
	} {
		c := registry.Client{HTTP: &http.Client{Transport: answers(func(path string) string {
			if strings.HasSuffix(path, ".sig") {
				return tt.signature
			}
			return string(document)
		})}}
		if _, err := c.Authenticate(t.Context(), pkg); tt.ok != (err == nil) || !tt.ok && !errors.Is(err, registry.ErrBadSignature) {
			t.Errorf("%q: %v", tt.signature[max(len(tt.signature)-8, 0):], err)
		}
	}
}
