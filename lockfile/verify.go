// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
)

// Verify compares the hashes of a package with those that l records: it is
// [addrs.VerifyHashes]. The caller computes the hashes from the package itself: every
// h1, and the zh of a zip file, as Computed of checksum.Package returns them. Verify
// does not check that the package is of the right provider and version; only the
// hashes count.
func (l Lock) Verify(computed ...Hash) addrs.Verification {
	v := addrs.VerifyHashes(l.Hashes, computed)
	if v.Reason != "" {
		v.Reason = fmt.Sprintf("%s %s: %s", l.Provider, l.Version, v.Reason)
	}
	return v
}
