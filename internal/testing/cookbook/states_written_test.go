// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestMoveStatesToProvider reads what the recipe has written.
func TestMoveStatesToProvider(t *testing.T) {
	names := stateNames()
	Example_moveStatesToProvider()
	for i, name := range names {
		text := mustRead(name)
		if i == 0 {
			if bytes.Contains(text, []byte("aws")) {
				t.Error("the state is no longer encrypted")
			}
			var err error
			if text, err = statefile.Decrypt(context.Background(), text, "correct horse battery staple"); err != nil {
				t.Fatal(err)
			}
		}
		if want := []int{1, 0, 1}[i]; bytes.Count(text, []byte(`provider[\"registry.opentofu.org/acme/aws\"]`)) != want {
			t.Errorf("%s:\n%s", name, text)
		}
		if want := []int{8, 7, 8}[i]; !bytes.Contains(text, fmt.Appendf(nil, `"serial": %d,`, want)) {
			t.Errorf("%s: the serial is not %d:\n%s", name, want, text)
		}
		backups, err := filepath.Glob(name + ".*.backup")
		if want := []int{1, 0, 1}[i]; err != nil || len(backups) < want || want == 0 && len(backups) > 0 {
			t.Errorf("%s: backups %q, %v", name, backups, err)
		}
	}
}
