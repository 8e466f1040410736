// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

var (
	null   = addrs.MustParseProvider("registry.opentofu.org/hashicorp/null")
	random = addrs.MustParseProvider("registry.opentofu.org/hashicorp/random")
	widget = addrs.MustParseProvider("registry.opentofu.org/acme/widget")
)

func version(s string) addrs.Version         { return addrs.MustParseVersion(s) }
func constraints(s string) addrs.Constraints { return addrs.MustParseConstraints(s) }

// parse reads a text that must be without errors.
func parse(t testing.TB, src string) *lockfile.File {
	t.Helper()
	f, err := lockfile.Parse(lockfile.Name, []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return f
}
