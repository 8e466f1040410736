// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"testing"
)

func TestShowLockfile(t *testing.T) {
	var got bytes.Buffer
	if err := showLockfile(&got); err != nil {
		t.Fatal(err)
	}
	const want = `.terraform.lock.hcl: 4 providers locked, as written by tofu: true
  line  4: registry.opentofu.org/acme/widget 1.10.0 (constraints ">= 1.0.0, < 2.0.0"), 8 hashes
  line 19: registry.opentofu.org/oddfiles/odd 2.0.0 (constraints ""), 8 hashes
  line 33: tf.example.test/acme/widget 1.10.0 (constraints "~> 1.0"), 8 hashes
  line 48: tf.example.test:8443/acme/widget 10.0.0 (constraints ""), 8 hashes
after adding a hash the file has 55 bytes more:
~ registry.opentofu.org/acme/widget 1.10.0
    + h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
a package with that hash, against the lock before: mismatch
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
