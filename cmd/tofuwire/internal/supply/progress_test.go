// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/registry"
)

// The progress line adds all packages up.
func TestBar(t *testing.T) {
	var b bytes.Buffer
	bar := &supply.Bar{W: &b}
	x, y := &registry.Package{}, &registry.Package{}
	bar.Update(x, 0, 1e6)
	bar.Update(y, 5e5, -1)
	bar.Update(x, 1e6, 1e6)
	bar.Clear()
	if got := b.String(); !strings.Contains(got, "1 of 2 packages, 1.5 of 1.5 MB") && !strings.Contains(got, "2 of 2 packages, 1.5 of 1.5 MB") {
		t.Errorf("got %q", got)
	}
}
