// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"github.com/tofuwire/tofuwire/addrs"
)

// Verify compares p with the wanted hashes, such as those of its version in a lock
// file: it is [addrs.VerifyHashes] of p.Computed. A nil p is not verifiable.
//
// If p.Extracted is the only matched hash and differs from p.H1, OpenTofu does
// not see a match when it installs the zip: see [Package.Extracted].
func Verify(p *Package, wanted []Hash) addrs.Verification {
	if p == nil {
		return addrs.Verification{}
	}
	v := addrs.VerifyHashes(wanted, p.Computed())
	if v.Reason != "" && p.Name != "" {
		v.Reason = printable(p.Name) + ": " + v.Reason
	}
	return v
}
